"""The SDK's classes, as far as a migration knows them: their fields and methods in SDK 1 and SDK 2."""

from __future__ import annotations

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

    sure: resolved by names; else by the shape of the code alone (`await anything.call_tool(...)`).
    """

    name: str
    of: SdkType | None = None
    sure: bool = True


def awaitable(kind: SdkType) -> SdkType:
    """What `await` makes `kind` of."""
    return SdkType("await", kind, kind.sure)


def list_of(kind: SdkType) -> SdkType:
    """A list, a tuple or any iterable of `kind`."""
    return SdkType("list", kind, kind.sure)


MODULES = ("mcp.", "mcp_types.", "fastmcp.")
"""A class is the SDK's if its full name starts so and its last part is in `CLASSES`."""

RESULTS = frozenset({"CallToolResult", "FastResult", "ToolResultContent"})
"""The kinds that have structured content. `FastResult` is FastMCP's own, in snake case from its first day."""

_MEDIA = [
    "Block",
    "ImageContent",
    "AudioContent",
    "ResourceLink",
    "ResourceContents",
    "TextResourceContents",
    "BlobResourceContents",
    "Resource",
    "Icon",
]
_LISTS = ("ListToolsResult", "ListResourcesResult", "ListResourceTemplatesResult", "ListPromptsResult")

RENAMED: Mapping[str, Mapping[str, str]] = {
    "CallToolResult": {"structuredContent": "structured_content", "isError": "is_error"},
    "ToolResultContent": {
        "structuredContent": "structured_content",
        "isError": "is_error",
        "toolUseId": "tool_use_id",
    },
    "Tool": {"inputSchema": "input_schema", "outputSchema": "output_schema"},
    "ToolAnnotations": {
        "readOnlyHint": "read_only_hint",
        "destructiveHint": "destructive_hint",
        "idempotentHint": "idempotent_hint",
        "openWorldHint": "open_world_hint",
    },
    "ToolExecution": {"taskSupport": "task_support"},
    **{name: {"nextCursor": "next_cursor"} for name in _LISTS},
    **{name: {"mimeType": "mime_type"} for name in _MEDIA},
    "ResourceTemplate": {"mimeType": "mime_type", "uriTemplate": "uri_template"},
    "InitializeResult": {"protocolVersion": "protocol_version", "serverInfo": "server_info"},
    "Implementation": {"websiteUrl": "website_url"},
    "ToolsCapability": {"listChanged": "list_changed"},
}
"""For each class, its fields that SDK 2 renamed. The SDK lets a wire name in, as a keyword, but not out."""

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
"""A text in which this is not found has nothing to migrate."""

V1_FIELDS = frozenset({"structuredContent", "isError", "inputSchema", "outputSchema"})
"""Fields of SDK 1 that no other library spells so."""
