"""Numbers, strings and enumerated values: from a `Conjunction` to types, without what nests. And what is said of a
property beyond its type."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from typing import Any, Literal, TypeAlias

from typedtool.codegen.conjunction import Conjunction
from typedtool.codegen.type_tree import (
    ANYTHING,
    BOOL,
    FLOAT,
    FORMATS,
    INT,
    NULL,
    TEXT,
    Array,
    Bounds,
    Choice,
    Map,
    Scalar,
    Type,
)

__all__ = ["Formats", "float_bounds", "int_bounds", "remarks_on", "text", "values"]

Formats: TypeAlias = Literal["none", "exact", "all"]
"""Which string formats become types: "exact" where every well-formed value round-trips to the same text
(`date`, `uuid`, `decimal`), "all" with `date-time` and `time`, "none"."""

_INT64 = 2**63
_EXACT = 2**53
_LONGEST_REMARK = 60
_LONGEST_PATTERN = 120
_EXACT_FORMATS = frozenset({"date", "uuid", "decimal"})
_KINDS: tuple[tuple[type, str, Type], ...] = (
    (bool, "boolean", BOOL),
    (type(None), "null", NULL),
    (int, "integer", INT),
    (float, "number", FLOAT),
    (str, "string", TEXT),
    (list, "array", Array(ANYTHING)),
    (dict, "object", Map(ANYTHING)),
)

# --- enumerated values --------------------------------------------------------------------------------------


def values(joint: Conjunction, keep: Callable[[str], None]) -> list[Type]:
    """A Literal of the values that are allowed; booleans, fractions and containers by their types."""
    allowed = [v for v in joint.values or () if _is_allowed(v, joint)]
    literal = tuple(dict.fromkeys(filter(_is_literal, allowed)))
    members: list[Type] = [Choice(literal)] if literal else []
    rest = [v for v in allowed if not _is_literal(v)]
    if any(v is not None for v in rest):
        keep("enum or const of booleans, numbers or containers")
    return members + [_kind(v)[1] for v in rest]


def _is_allowed(value: Any, joint: Conjunction) -> bool:
    """1.0 is an integer."""
    kind, _ = _kind(value)
    return kind in joint.kinds or (kind == "number" and value.is_integer() and "integer" in joint.kinds)


def _is_literal(value: Any) -> bool:
    """Whether every version of msgspec takes it in a Literal."""
    whole = isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, str) or (whole and -_INT64 <= value < _INT64)


def _kind(value: Any) -> tuple[str, Type]:
    return next((kind, tp) for cls, kind, tp in _KINDS if isinstance(value, cls))


# --- numbers ------------------------------------------------------------------------------------------------


def int_bounds(joint: Conjunction, keep: Callable[[str], None]) -> Bounds:
    """Bounds as whole numbers, both ends included, where they fit into the 64 bits that msgspec has for them."""
    least = [math.ceil(b) for b in _finite(joint, "minimum")]
    least += [math.floor(b) + 1 for b in _finite(joint, "exclusiveMinimum")]
    most = [math.floor(b) for b in _finite(joint, "maximum")]
    most += [math.ceil(b) - 1 for b in _finite(joint, "exclusiveMaximum")]
    steps = [int(b) for b in _finite(joint, "multipleOf") if b == int(b)]
    if "multipleOf" in joint.bounds and not steps:
        keep("multipleOf")
    found: list[tuple[str, int | float | str]] = []
    for name, ends, stricter in (("ge", least, max), ("le", most, min), ("multiple_of", steps, max)):
        if ends and -_INT64 <= stricter(ends) < _INT64:
            found.append((name, stricter(ends)))
        elif ends:
            keep("bounds beyond 64 bits")
    return tuple(found)


def float_bounds(joint: Conjunction, keep: Callable[[str], None]) -> Bounds:
    """Bounds of floats. Of an inclusive and an exclusive end on one side the stricter: msgspec takes only one.

    `multipleOf` is left to validation: msgspec divides floats, and 0.3 is no multiple of 0.1 there.
    """
    found: list[tuple[str, int | float | str]] = []
    for inclusive, exclusive, names, sign in (
        ("minimum", "exclusiveMinimum", ("ge", "gt"), 1),
        ("maximum", "exclusiveMaximum", ("le", "lt"), -1),
    ):
        ends = [(sign * b, 0, b) for b in _finite(joint, inclusive)]
        ends += [(sign * b, 1, b) for b in _finite(joint, exclusive)]
        if not ends:
            continue
        _, is_exclusive, bound = max(ends)
        if abs(bound) < _EXACT:
            found.append((names[is_exclusive], bound or 0))  # -0.0 is 0, and is written so
        else:
            keep("bounds beyond 53 bits")
    if "multipleOf" in joint.bounds:
        keep("multipleOf")
    return tuple(found)


def _finite(joint: Conjunction, keyword: str) -> list[int | float]:
    bound = joint.bounds.get(keyword, math.inf)
    return [bound] if abs(bound) < math.inf else []


# --- strings ------------------------------------------------------------------------------------------------


def text(joint: Conjunction, formats: Formats, keep: Callable[[str], None]) -> Type:
    """A string: of its format, where that is a type and nothing else is said of it."""
    bounds = joint.lengths("Length")
    typed = formats == "all" or (formats == "exact" and joint.format in _EXACT_FORMATS)
    if typed and joint.format in FORMATS and not bounds and not joint.pattern:
        return Scalar(FORMATS[joint.format])
    if joint.pattern and same_in_python(joint.pattern):
        return Scalar("str", (*bounds, ("pattern", joint.pattern)))
    if joint.pattern:
        keep("pattern")
    return Scalar("str", bounds)


_ESCAPE = r"\\[dw.\-/+*?()\[\]{}|^$]"
_ATOM = rf"(?:{_ESCAPE}|[A-Za-z0-9_ :@#%&=~,;<>!'\"/-]|\[(?:{_ESCAPE}|[A-Za-z0-9_ .:@#%&=~,;+*?/()-])+\])"
_TIMES = r"(?:\{(?P<least>\d{1,3})(?P<upto>,\d{0,3})?\}|(?P<sign>[+*?]))?"
_STEP = re.compile(_ATOM + _TIMES)


def same_in_python(pattern: str) -> bool:
    """Whether a pattern may run as Python's `re`, without a budget: it means the same as in ECMA-262, or is laxer, and
    cannot take long on any text.

    Such is a plain sequence from the start of the text on, with at most one open repetition.

    Example:
        >>> same_in_python(r"^[a-z]{2}-\\d+$"), same_in_python("(a+)+$")
        (True, False)
    """
    if not pattern.startswith("^") or len(pattern) > _LONGEST_PATTERN:
        return False
    end = len(pattern) - 1 if pattern.endswith("$") and not pattern.endswith("\\$") else len(pattern)
    at, open_ended, varying = 1, 0, 0
    while at < end:
        step = _STEP.match(pattern, at, end)
        if step is None:
            return False
        upto = step["upto"]
        open_ended += step["sign"] in ("+", "*") or upto == ","
        varying += step["sign"] is not None or upto is not None
        at = step.end()
    if open_ended > 1 or varying > 2:
        return False
    try:
        re.compile(pattern)
    except (re.error, OverflowError):
        return False
    return True


# --- beyond the type ----------------------------------------------------------------------------------------


def remarks_on(joint: Conjunction) -> tuple[str, ...]:
    """What a docstring says of a property beyond its type: a default, a format, what only validation holds.

    Example:
        >>> remarks_on(Conjunction(default=(10,)))
        ('default 10',)
    """
    found: list[str] = []
    if joint.default and joint.default[0] is not None:
        shown = json.dumps(joint.default[0], sort_keys=True, ensure_ascii=False)
        found.append(f"default {shown}" if len(shown) <= _LONGEST_REMARK else "a default")
    if joint.format and joint.format not in _EXACT_FORMATS:
        found.append(f"format {joint.format[:_LONGEST_REMARK]}")
    if joint.pattern and not same_in_python(joint.pattern):
        found.append(f"pattern {joint.pattern}" if len(joint.pattern) <= _LONGEST_REMARK else "a pattern")
    if joint.unique:
        found.append("unique items")
    if joint.deprecated:
        found.append("deprecated")
    return (*found, *joint.kept)
