# A checker that meets a name twice keeps one of the two: mypy the first, pyright, ty and pyrefly the last.
# So CallToolResult stands before the star imports and after them. No other name is listed: nothing can drift.
from mcp_types._unknown import CallToolResult as CallToolResult
from mcp_types._types import *  # type: ignore[assignment]
from mcp_types.jsonrpc import *
from mcp_types.version import LATEST_PROTOCOL_VERSION as LATEST_PROTOCOL_VERSION
from mcp_types._unknown import CallToolResult as CallToolResult
