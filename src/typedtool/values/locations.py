"""Where a value is in a document: JSON Pointers (RFC 6901) for schemas, JSONPaths (RFC 9535) for results."""

from __future__ import annotations

import re
from collections.abc import Iterable

from typedtool.errors import cut
from typedtool.values.guards import is_array, is_object

__all__ = [
    "dereferenced",
    "escape",
    "json_path",
    "json_pointer",
    "path_segment",
    "path_steps",
    "pointer_steps",
    "resolve",
    "unescape",
]

_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_INDEX = re.compile(r"(?:0|[1-9][0-9]{0,8})\Z")
_SEGMENT = re.compile(r'\.([A-Za-z_][A-Za-z0-9_]*)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]')
_MOST_REFERENCES = 8


def escape(step: object) -> str:
    """One step of a JSON Pointer: `~` and `/` escaped.

    Example:
        >>> escape("text/plain")
        'text~1plain'
    """
    return str(step).replace("~", "~0").replace("/", "~1")


def unescape(token: str) -> str:
    """The property name that one step of a JSON Pointer stands for."""
    return token.replace("~1", "/").replace("~0", "~")


def json_pointer(steps: Iterable[object]) -> str:
    """The JSON Pointer of `steps`, the empty text being the whole document.

    Example:
        >>> json_pointer(["properties", "a/b", 0])
        '/properties/a~1b/0'
    """
    return "".join("/" + escape(step) for step in steps)


def pointer_steps(pointer: str) -> list[str]:
    """The steps of a JSON Pointer, unescaped. An array index stays text."""
    return [unescape(token) for token in pointer.split("/")[1:]]


def resolve(document: object, pointer: str) -> object:
    """The value that a JSON Pointer leads to. LookupError where there is none.

    Example:
        >>> resolve({"items": [{"type": "string"}]}, "/items/0/type")
        'string'
    """
    value = document
    for step in pointer_steps(pointer):
        if is_object(value):
            value = value[step]
        elif is_array(value) and _INDEX.match(step):
            value = value[int(step)]
        else:
            raise LookupError(step)
    return value


def dereferenced(schema: object, document: object) -> object:
    """The schema that a local `$ref` (`#` or `#/...`) leads to, a few references far; `schema` where it has none.

    None where it leads to nothing or goes on too long. Siblings of `$ref` are not looked at.

    Example:
        >>> dereferenced({"$ref": "#/$defs/id"}, {"$defs": {"id": {"type": "integer"}}})
        {'type': 'integer'}
    """
    for _ in range(_MOST_REFERENCES):
        reference = schema.get("$ref") if is_object(schema) else None
        if not isinstance(reference, str) or not (reference == "#" or reference.startswith("#/")):
            return schema
        if "%" in reference:  # a fragment of a URI may be percent-encoded (RFC 6901, 6)
            from urllib.parse import unquote

            reference = unquote(reference)
        try:
            schema = resolve(document, reference[1:])
        except LookupError:
            return None
    return None


def path_segment(key: object) -> str:
    """One segment of a JSONPath: `.name`, `["any name"]` or `[3]`. A long name is cut."""
    if isinstance(key, int):
        return f"[{key}]"
    text = str(key)
    if _IDENTIFIER.match(text):
        return f".{text}"
    import json  # `import typedtool` is light

    return f"[{json.dumps(cut(text, 200))}]"


def json_path(steps: Iterable[object]) -> str:
    """The JSONPath of `steps`, `$` being the whole value.

    Example:
        >>> json_path(["rows", 3, "first name"])
        '$.rows[3]["first name"]'
    """
    return "$" + "".join(map(path_segment, steps))


def path_steps(path: str) -> list[str | int]:
    """The steps of a path that `json_path` made.

    Example:
        >>> path_steps('$.rows[3]["first name"]')
        ['rows', 3, 'first name']
    """
    import json  # `import typedtool` is light

    return [m[1] or (json.loads(m[3]) if m[3] else int(m[2])) for m in _SEGMENT.finditer(path)]
