"""What SDK 2.x refuses on a 2025-era session, made to fit: the originals go into `_meta`, under `values.keys`."""

from __future__ import annotations

from typing import Any, TypeAlias

from typedtool.values.guards import is_dict, is_list
from typedtool.values.keys import CONTENT_KEY, INPUT_KEY, SCHEMA_KEY, STRUCTURED_KEY

__all__ = ["Message", "fit_result", "fit_tool"]

Message: TypeAlias = "dict[str, Any]"


def fit_tool(tool: Message) -> Message:
    """The tool with schemas that a 2025-era session takes, the originals in its `_meta`."""
    kept: Message = {}
    changed: Message = {}
    schema = tool.get("outputSchema")
    if schema is not None and not _fits_schema(schema):
        kept[SCHEMA_KEY] = schema
        changed["outputSchema"] = {"type": "object"}
    schema = tool.get("inputSchema")
    if not _fits_schema(schema):
        if "inputSchema" in tool:
            kept[INPUT_KEY] = schema
        # Arguments are always an object, so to say so changes nothing where the rest of the schema fits.
        typed = {**schema, "type": "object"} if is_dict(schema) else {}
        changed["inputSchema"] = typed if _fits_schema(typed) else {"type": "object"}
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
    blocks = content if is_list(content) else []
    fitting = [block for block in blocks if _fits_block(block)]
    if not is_list(content) or len(fitting) < len(blocks):
        if "content" in result:
            kept[CONTENT_KEY] = content
        changed["content"] = fitting
    return _with_meta({**result, **changed} if changed else result, kept)


def _with_meta(message: Message, kept: Message) -> Message:
    """`message` with `kept` in its `_meta`, and with none of our keys that the server sent itself."""
    meta = message.get("_meta")
    sent = meta if is_dict(meta) else {}
    if not kept and not _OURS & sent.keys():
        return message
    return {**message, "_meta": {**{k: v for k, v in sent.items() if k not in _OURS}, **kept}}


_OURS = frozenset({STRUCTURED_KEY, CONTENT_KEY, SCHEMA_KEY, INPUT_KEY})


# MCP 2025-11-25, schema.ts: `Tool`, `ContentBlock`. Where a field may be absent null passes, as in the SDK.


def _fits_schema(schema: object) -> bool:
    if not is_dict(schema):
        return False
    properties = schema.get("properties")
    return (
        schema.get("type") == "object"
        and _optional(schema.get("$schema"), str)
        and (properties is None or is_dict(properties))
        and all(isinstance(each, (dict, bool)) for each in (properties or {}).values())
        and _strings(schema.get("required"))
    )


def _fits_block(block: object) -> bool:
    if not is_dict(block):
        return False
    if not _optional(block.get("_meta"), dict) or not _fits_annotations(block.get("annotations")):
        return False
    match block.get("type"):
        case "text":
            return isinstance(block.get("text"), str)
        case "image" | "audio":
            return isinstance(block.get("data"), str) and isinstance(block.get("mimeType"), str)
        case "resource":
            return _fits_resource(block.get("resource"))
        case "resource_link":
            return _fits_link(block)
        case _:
            return False


def _fits_annotations(annotations: object) -> bool:
    if not is_dict(annotations):
        return annotations is None
    priority = annotations.get("priority")
    return (
        _strings(annotations.get("audience"), of=("user", "assistant"))
        and _optional(annotations.get("lastModified"), str)
        and (priority is None or (isinstance(priority, (int, float)) and 0 <= priority <= 1))
    )


def _fits_resource(resource: object) -> bool:
    if not is_dict(resource):
        return False
    return (
        isinstance(resource.get("uri"), str)
        and (isinstance(resource.get("text"), str) or isinstance(resource.get("blob"), str))
        and _optional(resource.get("mimeType"), str)
        and _optional(resource.get("_meta"), dict)
    )


def _fits_link(link: Message) -> bool:
    size = link.get("size")
    return (
        isinstance(link.get("name"), str)
        and isinstance(link.get("uri"), str)
        and all(_optional(link.get(name), str) for name in ("title", "description", "mimeType"))
        and (_optional(size, int) or (isinstance(size, float) and size.is_integer()))
        and _optional(link.get("icons"), list)
        and all(_fits_icon(icon) for icon in link.get("icons") or ())
    )


def _fits_icon(icon: object) -> bool:
    if not is_dict(icon):
        return False
    return (
        isinstance(icon.get("src"), str)
        and _optional(icon.get("mimeType"), str)
        and _strings(icon.get("sizes"))
        and icon.get("theme") in (None, "light", "dark")
    )


def _optional(value: object, kind: type) -> bool:
    return value is None or isinstance(value, kind)


def _strings(value: object, of: tuple[str, ...] = ()) -> bool:
    """None, or a list of strings (of these only, where any are given)."""
    if not is_list(value):
        return value is None
    return all(isinstance(v, str) and (not of or v in of) for v in value)
