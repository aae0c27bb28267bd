"""Types drawn together with their values, for property tests."""

from __future__ import annotations

import datetime
import decimal
import enum
import itertools
import uuid
from typing import Any, Literal, Optional

import msgspec
from hypothesis import strategies as st
from msgspec import Struct

from typedtool import OneOf

_numbers = itertools.count()
_names = st.sampled_from(["a", "b", "total", "first name", "x-y", "class", "result", "é"])


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
FLOATS = st.floats(allow_nan=False, allow_infinity=False, width=32)
INTEGERS = st.integers(-(2**60), 2**60)

LEAVES: list[tuple[Any, st.SearchStrategy[Any]]] = [
    (int, INTEGERS),
    (float, FLOATS),
    (str, TEXT),
    (bool, st.booleans()),
    (datetime.datetime, st.datetimes(timezones=st.just(datetime.timezone.utc))),
    (datetime.date, st.dates()),
    (uuid.UUID, st.uuids()),
    (decimal.Decimal, st.decimals(allow_nan=False, allow_infinity=False, places=2)),
    (bytes, st.binary(max_size=6)),
    (Color, st.sampled_from(Color)),
    (Level, st.sampled_from(Level)),
    (Literal["x", "y", 3], st.sampled_from(["x", "y", 3])),
]

Drawn = tuple[Any, st.SearchStrategy[Any]]


@st.composite
def types(draw: st.DrawFn, depth: int = 3) -> Drawn:
    """A type and a strategy for its values."""
    kinds = (
        ["leaf"]
        if depth == 0
        else ["leaf", "list", "dict", "struct", "optional", "tuple", "union", "typed dict", "numbered"]
    )
    kind = draw(st.sampled_from(kinds))
    if kind == "leaf":
        return draw(st.sampled_from(LEAVES))
    if kind == "struct":
        return _struct(draw, depth)
    if kind == "union":
        return _union(draw, depth)
    inner, values = draw(types(depth - 1))
    if kind == "list":
        return list[inner], st.lists(values, max_size=3)
    if kind == "dict":
        return dict[str, inner], st.dictionaries(TEXT, values, max_size=3)
    if kind == "numbered":
        return dict[int, inner], st.dictionaries(st.integers(0, 99), values, max_size=3)
    if kind == "tuple":
        second, others = draw(types(depth - 1))
        return tuple[inner, second], st.tuples(values, others)
    if kind == "typed dict":
        from typing_extensions import TypedDict

        name = f"Drawn{next(_numbers)}"
        return TypedDict(name, {"a": inner, "b b": int}), st.fixed_dictionaries(
            {"a": values, "b b": INTEGERS}
        )  # type: ignore[operator]
    return Optional[inner], st.none() | values


def _struct(draw: st.DrawFn, depth: int, extra: str | None = None) -> Drawn:
    names = draw(st.lists(_names, max_size=3, unique=True)) + ([extra] if extra else [])
    fields, values = [], {}
    for i, name in enumerate(names):
        inner, inside = draw(types(depth - 1))
        fields.append((f"f{i}", inner, msgspec.field(name=name)))
        values[f"f{i}"] = inside
    cls: Any = msgspec.defstruct(f"Drawn{next(_numbers)}", fields, kw_only=True)
    return cls, st.fixed_dictionaries(values).map(lambda given: cls(**given))


def _union(draw: st.DrawFn, depth: int) -> Drawn:
    """An untagged union of Structs that one required key each tells apart, which msgspec itself refuses."""
    first, ones = _struct(draw, depth, extra=f"only{next(_numbers)}")
    second, others = _struct(draw, depth, extra=f"only{next(_numbers)}")
    union: Any = OneOf[first, second] if draw(st.booleans()) else first | second
    return union, ones | others


_JSON_LEAVES = st.none() | st.booleans() | INTEGERS | FLOATS | TEXT
_ANYTHING = st.recursive(
    _JSON_LEAVES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)


def anything() -> st.SearchStrategy[Any]:
    """JSON values of every kind."""
    return _ANYTHING


def results() -> st.SearchStrategy[Any]:
    """Things that may or may not be a CallToolResult in wire form."""
    text = st.builds(
        lambda said: {"type": "text", "text": said},
        TEXT | anything().map(msgspec.json.encode).map(bytes.decode),
    )
    block = (
        text
        | st.fixed_dictionaries(
            {"type": st.sampled_from(["image", "resource", "resource_link", "chart", "text"])}
        )
        | anything()
    )
    return st.fixed_dictionaries(
        {},
        optional={
            "content": st.lists(block, max_size=3) | anything(),
            "structuredContent": anything() | st.fixed_dictionaries({"result": anything()}),
            "isError": st.booleans() | anything(),
            "resultType": st.sampled_from(["complete", "input_required", "task"]) | anything(),
            "_meta": st.just({"fastmcp": {"wrap_result": True}}) | anything(),
            "jsonrpc": st.just("2.0"),
            "result": st.just({"content": []}),
            "error": st.just({"code": 1, "message": "m"}) | anything(),
        },
    )


class Tree(Struct):
    """A type that refers to itself."""

    name: str
    children: list[Tree] | dict[str, Tree] = []


def trees() -> st.SearchStrategy[Tree]:
    return st.recursive(
        TEXT.map(Tree),
        lambda inner: st.builds(
            Tree, TEXT, st.lists(inner, max_size=2) | st.dictionaries(TEXT, inner, min_size=1, max_size=2)
        ),
        max_leaves=8,
    )
