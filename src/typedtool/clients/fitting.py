"""Makes fit what SDK 2.x refuses on a 2025-era session: the originals go into `_meta`, under `values.keys`.

The SDK's own check of server results says what fits. It is a public function of `mcp_types`, the package of its wire
types, which SDK 2.x loads with its client. SDK 1.x has none, and refuses nothing that the gate of `calls` does not read.
"""

from __future__ import annotations

import sys
from typing import Any, TypeAlias

from typedtool.values.guards import is_dict, is_list
from typedtool.values.keys import CONTENT_KEY, INPUT_KEY, SCHEMA_KEY, STRUCTURED_KEY

__all__ = ["Message", "fit_result", "fit_tool"]

Message: TypeAlias = "dict[str, Any]"

_REVISION = "2025-11-25"
_OURS = frozenset({STRUCTURED_KEY, CONTENT_KEY, SCHEMA_KEY, INPUT_KEY})
_OBJECT: Message = {"type": "object"}


def fit_tool(tool: Message) -> Message:
    """The tool with schemas that a 2025-era session takes, the originals in its `_meta`."""
    kept: Message = {}
    changed: Message = {}
    if _fits_tool(inputSchema=tool.get("inputSchema"), outputSchema=tool.get("outputSchema")):
        return _with_meta(tool, kept)
    schema = tool.get("outputSchema")
    if schema is not None and not _fits_tool(outputSchema=schema):
        kept[SCHEMA_KEY] = schema
        changed["outputSchema"] = _OBJECT
    schema = tool.get("inputSchema")
    if not _fits_tool(inputSchema=schema):
        if "inputSchema" in tool:
            kept[INPUT_KEY] = schema
        # Arguments are always an object, so to say so changes nothing where the rest of the schema fits.
        typed = {**schema, **_OBJECT} if is_dict(schema) else _OBJECT
        changed["inputSchema"] = typed if _fits_tool(inputSchema=typed) else _OBJECT
    return _with_meta({**tool, **changed} if changed else tool, kept)


def fit_result(result: Message, *, fitted: bool = False) -> Message:
    """The result with what a 2025-era session takes, the originals in its `_meta`.

    fitted: the tool's outputSchema was rewritten, so that the SDK's own validation would refuse null for it.
    """
    kept: Message = {}
    changed: Message = {}
    value = result.get("structuredContent")
    if not is_dict(value) and (value is not None or (fitted and "structuredContent" in result)):
        kept[STRUCTURED_KEY] = value
        changed["structuredContent"] = {"result": value}
    content = result.get("content")
    if not _fits_content(content):
        if "content" in result:
            kept[CONTENT_KEY] = content
        changed["content"] = [b for b in content if _fits_content([b])] if is_list(content) else []
    return _with_meta({**result, **changed} if changed else result, kept)


def _with_meta(message: Message, kept: Message) -> Message:
    """`message` with `kept` in its `_meta`, and with none of our keys that the server sent itself."""
    meta = message.get("_meta")
    sent = meta if is_dict(meta) else {}
    if not kept and not _OURS & sent.keys():
        return message
    return {**message, "_meta": {**{k: v for k, v in sent.items() if k not in _OURS}, **kept}}


def _fits_content(content: object) -> bool:
    return _fits("tools/call", {"content": content})


def _fits_tool(**schemas: object) -> bool:
    return _fits("tools/list", {"tools": [{"name": "", "inputSchema": _OBJECT, **schemas}]})


def _fits(method: str, result: Message) -> bool:
    methods: Any = sys.modules.get("mcp_types.methods")
    if methods is None:
        return True
    try:
        methods.validate_server_result(method, _REVISION, result)
    except ValueError:  # pydantic's ValidationError is one
        return False
    return True
