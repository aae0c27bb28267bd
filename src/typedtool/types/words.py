"""The words of a problem by type: what a shape expects, and the JSON Schema keyword that refuses what it refuses."""

from __future__ import annotations

import datetime
import decimal
import operator
import uuid
from collections.abc import Callable
from typing import Any

from msgspec import Meta

from typedtool.errors import kind_of
from typedtool.types.hints import type_name
from typedtool.types.shapes import (
    ArrayShape,
    BoolShape,
    EnumShape,
    FloatShape,
    FormatShape,
    IntShape,
    LiteralShape,
    MapShape,
    NullShape,
    Shape,
    StrShape,
    TupleShape,
    UnionShape,
    UnsetShape,
)
from typedtool.values.wording import limit, listed

__all__ = ["BOUNDS", "bound_keyword", "broken_bound", "expected", "refusal"]

_WORDS: dict[type[Shape], str] = {
    NullShape: "null",
    BoolShape: "boolean",
    IntShape: "integer",
    FloatShape: "number",
    StrShape: "string",
    ArrayShape: "array",
    TupleShape: "array",
    MapShape: "object",
    UnsetShape: "nothing",
}
_FORMATS: dict[Any, str] = {
    datetime.datetime: "a date-time",
    datetime.date: "a date",
    datetime.time: "a time",
    datetime.timedelta: "a duration",
    uuid.UUID: "a UUID",
    decimal.Decimal: "a decimal number",
}


_BOUNDED = (IntShape, FloatShape, StrShape)


def expected(shape: Shape) -> str:
    """What a shape takes, in JSON Schema's words where there are any."""
    if isinstance(shape, UnionShape):
        return " or ".join(dict.fromkeys(map(expected, shape.members[:8])))
    if isinstance(shape, LiteralShape):
        return listed(shape.values)
    if isinstance(shape, EnumShape):
        return f"{type_name(shape.type)} ({listed(shape.values)})"
    if isinstance(shape, FormatShape):
        return _FORMATS.get(shape.cls, "base64 text")
    return _WORDS.get(type(shape)) or type_name(getattr(shape, "cls", shape.type))


def refusal(shape: Shape, value: Any) -> tuple[str, str]:
    """The keyword that refuses a value of the right kind, and what is expected instead."""
    if isinstance(shape, (LiteralShape, EnumShape)):
        return "const" if len(shape.values) == 1 else "enum", expected(shape)
    if isinstance(shape, FormatShape):
        return "format", expected(shape) + _refined(shape.bounds)
    if isinstance(value, str) != isinstance(shape, StrShape) or not isinstance(shape, _BOUNDED):
        return "type", expected(shape)
    if (broken := broken_bound(shape.bounds, value)) is not None:
        return broken
    return "maximum" if value > 0 else "minimum", "number within the range of a double"


def _refined(bounds: Meta | None) -> str:
    """What a `Meta` says of a string of one format: a time zone, or the length of what the string carries."""
    if bounds is None:
        return ""
    if bounds.tz is not None:
        return " with a time zone" if bounds.tz else " without a time zone"
    least, most = bounds.min_length, bounds.max_length
    said = [f"{word} {n}" for word, n in (("at least", least), ("at most", most)) if n is not None]
    return f" of {' and '.join(said)} bytes" if said else ""


# --- bounds ---------------------------------------------------------------------------------------------------------


# What nothing before it refused, and msgspec did, is refused by `multiple_of` or the pattern.
_HOLD: dict[str, Callable[[Any, Any], bool]] = {
    "gt": operator.gt,
    "ge": operator.ge,
    "lt": operator.lt,
    "le": operator.le,
    "min_length": lambda value, least: len(value) >= least,
    "max_length": lambda value, most: len(value) <= most,
    "multiple_of": lambda value, divisor: False,
    "pattern": lambda value, pattern: False,
}
BOUNDS = tuple(_HOLD)
_KEYWORDS = {
    "gt": "exclusiveMinimum",
    "ge": "minimum",
    "lt": "exclusiveMaximum",
    "le": "maximum",
    "multiple_of": "multipleOf",
    "pattern": "pattern",
}
_OF_LENGTH = {"string": "Length", "array": "Items", "object": "Properties"}


def broken_bound(bounds: Meta | None, value: Any) -> tuple[str, str] | None:
    """The keyword of the first bound that a refused value breaks, and what the bound expects."""
    for name, holds in _HOLD.items():
        bound = getattr(bounds, name, None)
        if bound is not None and not holds(value, bound):
            keyword = bound_keyword(name, value)
            return keyword, limit(keyword, bound)
    return None


def bound_keyword(bound: str, value: Any) -> str:
    """The JSON Schema keyword of a bound that `Meta` and pydantic name `bound`, for a value of this kind."""
    return _KEYWORDS.get(bound) or bound[:3] + _OF_LENGTH.get(kind_of(value), "Items")
