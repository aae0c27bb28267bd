"""The words of a problem that types and schemas share: kinds with their sizes, limits, and values that may be shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from typedtool.errors import cut, kind_of

__all__ = ["counted", "limit", "listed", "sized"]

_LIMITS = {
    "minimum": ("at least", ""),
    "maximum": ("at most", ""),
    "exclusiveMinimum": ("more than", ""),
    "exclusiveMaximum": ("less than", ""),
    "multipleOf": ("a multiple of", ""),
    "minLength": ("at least", "character"),
    "maxLength": ("at most", "character"),
    "minItems": ("at least", "item"),
    "maxItems": ("at most", "item"),
    "minProperties": ("at least", "property"),
    "maxProperties": ("at most", "property"),
    "pattern": ("a string that matches", ""),
}
_SHOWN = 6


def limit(keyword: str, bound: Any) -> str:
    """What a keyword that bounds a value expects.

    Example:
        >>> limit("minItems", 2)
        'at least 2 items'
    """
    words, noun = _LIMITS[keyword]
    if keyword == "pattern":
        return f"{words} {cut(repr(bound), 60)}"
    if noun:
        return f"{words} {counted(bound, noun)}"
    return f"{words} {cut(_json(bound) if isinstance(bound, (int, float)) else str(bound), 30)}"


def counted(count: float, noun: str) -> str:
    """A count with its noun, such as `1 item`, `1,100 bits` and `2 properties`."""
    plural = "properties" if noun == "property" else f"{noun}s"
    whole = int(count) if count == count // 1 else count  # a schema may say 2.0
    return f"{whole:,} {noun if count == 1 else plural}"


def sized(value: object) -> str:
    """The kind of a value with its size, where it has one.

    Example:
        >>> sized(["a"]), sized("hello"), sized(2**80), sized(5)
        ('array of 1 item', 'string of 5 characters', 'integer of 81 bits', 'integer')
    """
    kind = kind_of(value)
    held: Any = value
    if kind in ("string", "array", "object"):
        noun = {"string": "character", "array": "item", "object": "property"}[kind]
        return f"{kind} of {counted(len(held), noun)}"
    if kind == "integer" and held.bit_length() > 64:
        return f"integer of {counted(held.bit_length(), 'bit')}"
    return kind


def listed(values: Sequence[Any]) -> str:
    """Values that a type or a schema names, as JSON: the first six.

    Example:
        >>> listed(["a", 1, None])
        '"a" or 1 or null'
    """
    shown = " or ".join(cut(_json(v), 40) for v in values[:_SHOWN])
    return shown if len(values) <= _SHOWN else f"{shown} or {len(values) - _SHOWN} others"


def _json(value: Any) -> str:
    import json  # `import typedtool` is light

    return json.dumps(value, default=repr)
