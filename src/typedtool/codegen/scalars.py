"""Numbers, strings and enumerated values: from `Facts` to types, without what nests."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from typedtool.codegen.facts import Facts
from typedtool.codegen.ir import (
    ANYTHING,
    Array,
    Bool,
    Bounds,
    Choice,
    Float,
    Form,
    Int,
    Map,
    Null,
    Text,
    Type,
)
from typedtool.codegen.patterns import same_in_python

__all__ = ["float_bounds", "int_bounds", "lengths", "text", "values"]

_INT64 = 2**63
_EXACT = 2**53
_KINDS: tuple[tuple[type, str], ...] = (
    (bool, "boolean"),
    (type(None), "null"),
    (int, "integer"),
    (float, "number"),
    (str, "string"),
    (list, "array"),
)


def values(facts: Facts, keep: Callable[[str], None]) -> list[Type]:
    """A Literal of the values; booleans, fractions and containers by their types. Nothing where none is
    allowed."""
    allowed = [v for v in facts.values or () if _allowed(v, facts)]
    literal = tuple(dict.fromkeys(v for v in allowed if isinstance(v, (str, int)) and _is_literal(v)))
    members: list[Type] = [Choice(literal)] if literal else []
    rest = [v for v in allowed if not isinstance(v, (str, int)) or not _is_literal(v)]
    if any(v is not None for v in rest):
        keep("enum or const of booleans, numbers or containers")
    return members + [_type_of(v) for v in rest]


def _allowed(value: Any, facts: Facts) -> bool:
    """1.0 is an integer."""
    kind = _kind(value)
    return kind in facts.kinds or (kind == "number" and value.is_integer() and "integer" in facts.kinds)


def _is_literal(value: str | int) -> bool:
    """Whether every version of msgspec takes it in a Literal."""
    return not isinstance(value, bool) and (isinstance(value, str) or -_INT64 <= value < _INT64)


def _kind(value: Any) -> str:
    return next((kind for cls, kind in _KINDS if isinstance(value, cls)), "object")


def _type_of(value: Any) -> Type:
    match _kind(value):
        case "boolean":
            return Bool()
        case "null":
            return Null()
        case "integer":
            return Int()
        case "number":
            return Float()
        case "array":
            return Array(ANYTHING)
        case _:
            return Map(ANYTHING)


def int_bounds(facts: Facts, keep: Callable[[str], None]) -> Bounds:
    """Bounds as whole numbers, both ends included, where they fit into the 64 bits that msgspec has for
    them."""
    bounds = facts.bounds
    least = [math.ceil(b) for b in _finite(bounds, "minimum")]
    least += [math.floor(b) + 1 for b in _finite(bounds, "exclusiveMinimum")]
    most = [math.floor(b) for b in _finite(bounds, "maximum")]
    most += [math.ceil(b) - 1 for b in _finite(bounds, "exclusiveMaximum")]
    steps = [int(b) for b in _finite(bounds, "multipleOf") if b == int(b)]
    if "multipleOf" in bounds and not steps:
        keep("multipleOf")
    found: list[tuple[str, int | float | str]] = []
    for name, ends, stricter in (("ge", least, max), ("le", most, min), ("multiple_of", steps, max)):
        if ends and -_INT64 <= stricter(ends) < _INT64:
            found.append((name, stricter(ends)))
        elif ends:
            keep("bounds beyond 64 bits")
    return tuple(found)


def _finite(bounds: dict[str, int | float], keyword: str) -> list[int | float]:
    return [bounds[keyword]] if keyword in bounds and abs(bounds[keyword]) < math.inf else []


def float_bounds(facts: Facts, keep: Callable[[str], None]) -> Bounds:
    """Bounds of floats. Of an open and a closed end on one side the stricter one: msgspec takes only one.

    `multipleOf` stays to validation: msgspec divides floats, and 0.3 is no multiple of 0.1 there.
    """
    found: list[tuple[str, int | float | str]] = []
    for closed, open_, names, sign in (
        ("minimum", "exclusiveMinimum", ("ge", "gt"), 1),
        ("maximum", "exclusiveMaximum", ("le", "lt"), -1),
    ):
        ends = [(sign * b, 0, b) for b in _finite(facts.bounds, closed)]
        ends += [(sign * b, 1, b) for b in _finite(facts.bounds, open_)]
        if not ends:
            continue
        _, exclusive, bound = max(ends)
        if abs(bound) < _EXACT:
            found.append((names[exclusive], bound or 0))  # -0.0 is 0, and is written so
        else:
            keep("bounds beyond 53 bits")
    if "multipleOf" in facts.bounds:
        keep("multipleOf")
    return tuple(found)


def text(facts: Facts, forms: dict[str, str], keep: Callable[[str], None]) -> Type:
    """A string: of a form where its format has one and nothing else is said of it."""
    bounds = lengths(facts.meta(("minLength", "min_length"), ("maxLength", "max_length")))
    form = forms.get(facts.format)
    if form is not None and not bounds and not facts.pattern:
        return Form(form)
    if facts.pattern and same_in_python(facts.pattern):
        return Text((*bounds, ("pattern", facts.pattern)))
    if facts.pattern:
        keep("pattern")
    return Text(bounds)


def lengths(bounds: Bounds) -> Bounds:
    """Lengths as msgspec takes them: integers that fit. A least length of nothing says nothing."""
    whole = [(name, int(v)) for name, v in bounds if isinstance(v, (int, float)) and abs(v) < 2**31]
    return tuple((name, v) for name, v in whole if (name, v) != ("min_length", 0))
