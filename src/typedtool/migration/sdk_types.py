"""The SDK's classes, as far as a migration knows them: their fields and methods in SDK 1 and SDK 2."""

from __future__ import annotations

import re
from collections.abc import Mapping

from msgspec import Struct

__all__ = [
    "CLASSES",
    "FIELDS",
    "METHODS",
    "MODULES",
    "RENAMED",
    "RESULTS",
    "TRIGGERS",
    "V1_FIELDS",
    "SdkType",
    "awaitable",
    "list_of",
]


class SdkType(Struct, frozen=True):
    """The type of an expression: an SDK class by its bare name, or a container with what it holds.

    sure: resolved by names; else only by the form of the code (`await anything.call_tool(...)`).
    """

    name: str
    of: SdkType | None = None
    sure: bool = True


def awaitable(kind: SdkType) -> SdkType:
    """An awaitable of `kind`."""
    return SdkType("await", kind, kind.sure)


def list_of(kind: SdkType) -> SdkType:
    """A list, a tuple or any iterable of `kind`."""
    return SdkType("list", kind, kind.sure)


MODULES = ("mcp.", "mcp_types.", "fastmcp.")
"""A class is the SDK's if its full name begins with one of these and its last part is in `CLASSES`."""

RESULTS = frozenset({"CallToolResult", "FastResult", "ToolResultContent"})
"""The classes that have structured content. `FastResult` is FastMCP's own, which always used snake case."""

_RENAMED: dict[str, str] = {
    "CallToolResult": "structuredContent isError",
    "ToolResultContent": "structuredContent isError toolUseId",
    "Tool": "inputSchema outputSchema",
    "ToolAnnotations": "readOnlyHint destructiveHint idempotentHint openWorldHint",
    "ToolExecution": "taskSupport",
    "ListToolsResult": "nextCursor",
    "ListResourcesResult": "nextCursor",
    "ListResourceTemplatesResult": "nextCursor",
    "ListPromptsResult": "nextCursor",
    "Block": "mimeType",
    "ImageContent": "mimeType",
    "AudioContent": "mimeType",
    "ResourceLink": "mimeType",
    "ResourceContents": "mimeType",
    "TextResourceContents": "mimeType",
    "BlobResourceContents": "mimeType",
    "Resource": "mimeType",
    "Icon": "mimeType",
    "ResourceTemplate": "mimeType uriTemplate",
    "InitializeResult": "protocolVersion serverInfo",
    "Implementation": "websiteUrl",
    "ToolsCapability": "listChanged",
}
RENAMED: Mapping[str, Mapping[str, str]] = {
    name: {field: re.sub("[A-Z]", lambda found: f"_{found[0].lower()}", field) for field in fields.split()}
    for name, fields in _RENAMED.items()
}
"""For each class, the fields that SDK 2 renamed to snake case. As a keyword the SDK also takes the wire name."""

_OTHERS = (
    "ClientSession ClientSessionGroup Client TextContent EmbeddedResource ServerCapabilities ContentBlock"
)
CLASSES = frozenset({*RENAMED, *_OTHERS.split()} - {"Block"})

_BLOCKS = list_of(SdkType("Block"))

FIELDS: Mapping[str, Mapping[str, SdkType]] = {
    "CallToolResult": {"content": _BLOCKS},
    "ToolResultContent": {"content": _BLOCKS},
    "FastResult": {"content": _BLOCKS},
    "Block": {"resource": SdkType("TextResourceContents")},
    "EmbeddedResource": {"resource": SdkType("TextResourceContents")},
    "ListToolsResult": {"tools": list_of(SdkType("Tool"))},
    "ListResourcesResult": {"resources": list_of(SdkType("Resource"))},
    "ListResourceTemplatesResult": {"resourceTemplates": list_of(SdkType("ResourceTemplate"))},
    "Tool": {"annotations": SdkType("ToolAnnotations"), "execution": SdkType("ToolExecution")},
    "InitializeResult": {
        "capabilities": SdkType("ServerCapabilities"),
        "serverInfo": SdkType("Implementation"),
        "server_info": SdkType("Implementation"),
    },
    "ServerCapabilities": {"tools": SdkType("ToolsCapability")},
    "Client": {"session": SdkType("ClientSession")},
    "FastClient": {"session": SdkType("ClientSession")},
}

_SESSION = {
    "call_tool": awaitable(SdkType("CallToolResult")),
    "list_tools": awaitable(SdkType("ListToolsResult")),
    "list_resources": awaitable(SdkType("ListResourcesResult")),
    "list_resource_templates": awaitable(SdkType("ListResourceTemplatesResult")),
    "list_prompts": awaitable(SdkType("ListPromptsResult")),
    "initialize": awaitable(SdkType("InitializeResult")),
}

METHODS: Mapping[str, Mapping[str, SdkType]] = {
    "ClientSession": _SESSION,
    "Client": _SESSION,
    "ClientSessionGroup": {"call_tool": awaitable(SdkType("CallToolResult"))},
    "FastClient": {
        "call_tool": awaitable(SdkType("FastResult")),
        "call_tool_mcp": awaitable(SdkType("CallToolResult")),
        "list_tools": awaitable(list_of(SdkType("Tool"))),
        "list_tools_mcp": awaitable(SdkType("ListToolsResult")),
    },
}

TRIGGERS = (
    r"structured_?[cC]ontent|isError|is_error|(?:in|out)putSchema|mimeType|nextCursor|McpError|call_tool"
    r"|read_timeout_seconds|(?:readOnly|destructive|idempotent|openWorld)Hint|taskSupport|list_tools"
    r"|protocolVersion|serverInfo|listChanged|toolUseId|streamablehttp_client|get_server_capabilities"
    r"|uriTemplate|websiteUrl|CallToolResult|ClientSession"
)
"""A text that does not match this has nothing to migrate."""

V1_FIELDS = frozenset({"structuredContent", "isError", "inputSchema", "outputSchema"})
"""Fields of SDK 1 that no other library spells so."""
