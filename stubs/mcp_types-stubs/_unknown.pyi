# A module of its own: mypy refuses a class beside a star import that brings the same name (no-redef).
from mcp_types._types import CallToolResult as _CallToolResult

class CallToolResult(_CallToolResult):
    structured_content: object = ...
