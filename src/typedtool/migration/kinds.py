"""What the SDK's classes are to a migration: their names, fields and methods, in SDK 1 and in SDK 2."""

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
    "Kind",
    "awaitable",
    "list_of",
    "v1_field",
]


class Kind(Struct, frozen=True):
    """What an expression is: an SDK class by its bare name, or one of the few containers, with what it holds.

    sure: resolved by names; else by the shape of the code alone (`await anything.call_tool(...)`).
    """

    name: str
    of: Kind | None = None
    sure: bool = True


def awaitable(kind: Kind) -> Kind:
    """What `await` makes `kind` of."""
    return Kind("await", kind, kind.sure)


def list_of(kind: Kind) -> Kind:
    """A list, a tuple or any iterable of `kind`."""
    return Kind("list", kind, kind.sure)


MODULES = ("mcp.", "mcp_types.", "fastmcp.")
"""A class is the SDK's if its full name starts so and its last part is in `CLASSES`."""

RESULTS = frozenset({"CallToolResult", "FastResult", "ToolResultContent"})
"""The kinds that have structured content. `FastResult` is FastMCP's own, in snake case from its first day."""

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
    **{
        name: {"mimeType": "mime_type"}
        for name in (
            "Block",
            "ImageContent",
            "AudioContent",
            "ResourceLink",
            "ResourceContents",
            "TextResourceContents",
            "BlobResourceContents",
            "Resource",
            "Icon",
        )
    },
    "ResourceTemplate": {"mimeType": "mime_type", "uriTemplate": "uri_template"},
    "InitializeResult": {"protocolVersion": "protocol_version", "serverInfo": "server_info"},
    "Implementation": {"websiteUrl": "website_url"},
    "ToolsCapability": {"listChanged": "list_changed"},
}
"""For each class, its fields that SDK 2 renamed. The SDK lets a wire name in, as a keyword, but not out."""

CLASSES = frozenset(
    {
        *RENAMED,
        "ClientSession",
        "ClientSessionGroup",
        "Client",
        "TextContent",
        "EmbeddedResource",
        "ServerCapabilities",
        "ContentBlock",
    }
    - {"Block"}
)

_BLOCKS = list_of(Kind("Block"))

FIELDS: Mapping[str, Mapping[str, Kind]] = {
    "CallToolResult": {"content": _BLOCKS},
    "ToolResultContent": {"content": _BLOCKS},
    "FastResult": {"content": _BLOCKS},
    "Block": {"resource": Kind("TextResourceContents")},
    "EmbeddedResource": {"resource": Kind("TextResourceContents")},
    "ListToolsResult": {"tools": list_of(Kind("Tool"))},
    "ListResourcesResult": {"resources": list_of(Kind("Resource"))},
    "ListResourceTemplatesResult": {"resourceTemplates": list_of(Kind("ResourceTemplate"))},
    "Tool": {"annotations": Kind("ToolAnnotations"), "execution": Kind("ToolExecution")},
    "InitializeResult": {
        "capabilities": Kind("ServerCapabilities"),
        "serverInfo": Kind("Implementation"),
        "server_info": Kind("Implementation"),
    },
    "ServerCapabilities": {"tools": Kind("ToolsCapability")},
    "Client": {"session": Kind("ClientSession")},
    "FastClient": {"session": Kind("ClientSession")},
}

_SESSION = {
    "call_tool": awaitable(Kind("CallToolResult")),
    "list_tools": awaitable(Kind("ListToolsResult")),
    "list_resources": awaitable(Kind("ListResourcesResult")),
    "list_resource_templates": awaitable(Kind("ListResourceTemplatesResult")),
    "list_prompts": awaitable(Kind("ListPromptsResult")),
    "initialize": awaitable(Kind("InitializeResult")),
}

METHODS: Mapping[str, Mapping[str, Kind]] = {
    "ClientSession": _SESSION,
    "Client": _SESSION,
    "ClientSessionGroup": {"call_tool": awaitable(Kind("CallToolResult"))},
    "FastClient": {
        "call_tool": awaitable(Kind("FastResult")),
        "call_tool_mcp": awaitable(Kind("CallToolResult")),
        "list_tools": awaitable(list_of(Kind("Tool"))),
        "list_tools_mcp": awaitable(Kind("ListToolsResult")),
    },
}

TRIGGERS = (
    r"structured_?[cC]ontent|isError|is_error|(?:in|out)putSchema|mimeType|nextCursor|McpError|call_tool"
    r"|read_timeout_seconds|(?:readOnly|destructive|idempotent|openWorld)Hint|taskSupport|list_tools"
    r"|protocolVersion|serverInfo|listChanged|toolUseId|streamablehttp_client|get_server_capabilities"
    r"|uriTemplate|websiteUrl|CallToolResult|ClientSession"
)
"""A text in which this is not found has nothing to migrate."""


def v1_field(name: str) -> bool:
    """Whether `name` is a field that says by its spelling alone that it is the SDK's, version 1."""
    return name in {"structuredContent", "isError", "inputSchema", "outputSchema"}
