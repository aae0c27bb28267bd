"""The shape of a Python type: a tree of nodes, one for each part that takes JSON values.

msgspec's own inspection refuses the types that msgspec cannot decode, such as untagged unions. This tree holds them all.
"""

from __future__ import annotations

import decimal
from collections.abc import Iterator
from typing import Any

from msgspec import UNSET, Meta, Struct

__all__ = [
    "AnyShape",
    "ArrayShape",
    "BoolShape",
    "CustomShape",
    "EnumShape",
    "Field",
    "FloatShape",
    "FormatShape",
    "IntShape",
    "LiteralShape",
    "MapShape",
    "NullShape",
    "ObjectShape",
    "Shape",
    "StrShape",
    "TupleShape",
    "UnionShape",
    "UnsetShape",
    "children",
    "kinds",
    "members",
    "nodes_of",
    "tag_field_of",
]

_NUMBERS = frozenset({"integer", "number"})
_EVERY_KIND = frozenset({"null", "boolean", "integer", "number", "string", "array", "object"})


class Shape(Struct, eq=False):
    """One node. `type` is the Python type that it was read from, constraints included."""

    type: Any


class AnyShape(Shape, eq=False):
    """`Any`, `object`, `msgspec.Raw`: every JSON value."""


class NullShape(Shape, eq=False):
    """`None`."""


class UnsetShape(Shape, eq=False):
    """`UnsetType`: no JSON value at all, only the absence of one."""


class BoolShape(Shape, eq=False):
    """`bool`."""


class IntShape(Shape, eq=False):
    """`int`, with the bounds of its `Meta`."""

    bounds: Meta | None = None


class FloatShape(Shape, eq=False):
    """`float`, with the bounds of its `Meta`."""

    bounds: Meta | None = None


class StrShape(Shape, eq=False):
    """`str`, with the lengths and pattern of its `Meta`."""

    bounds: Meta | None = None


class FormatShape(Shape, eq=False):
    """A type that JSON carries as a string of a format: datetime, date, time, timedelta, UUID, Decimal, bytes."""

    cls: Any
    bounds: Meta | None = None


class EnumShape(Shape, eq=False):
    """An `Enum`; `values` are its JSON values."""

    values: tuple[Any, ...]


class LiteralShape(Shape, eq=False):
    """A `Literal` of strings, integers and None."""

    values: tuple[Any, ...]


class ArrayShape(Shape, eq=False):
    """A list, set, frozenset or tuple of any length; `cls` is which."""

    cls: Any
    item: Shape
    bounds: Meta | None = None


class TupleShape(Shape, eq=False):
    """A tuple of fixed length."""

    items: tuple[Shape, ...]


class MapShape(Shape, eq=False):
    """A dict."""

    key: Shape
    value: Shape
    bounds: Meta | None = None


class Field(Struct, eq=False):
    """A field of an object: `name` in JSON, `attribute` in Python; `default` is UNSET where none is known."""

    name: str
    attribute: str
    shape: Shape
    required: bool
    default: Any = UNSET


class ObjectShape(Shape, eq=False):
    """A Struct, dataclass, attrs class, TypedDict or NamedTuple. `fields` are filled after the node, for recursion.

    closed: unknown fields are refused. array: the object is an array on the wire (`array_like`, NamedTuple).
    tag_field, tag: the discriminator of a tagged Struct.
    """

    cls: Any
    fields: tuple[Field, ...] = ()
    closed: bool = False
    array: bool = False
    tag_field: str | None = None
    tag: Any = None

    @property
    def names(self) -> frozenset[str]:
        """The keys that the object reads."""
        own = frozenset(field.name for field in self.fields)
        return own if self.tag_field is None else own | {self.tag_field}


class UnionShape(Shape, eq=False):
    """A union, `OneOf` included; nested unions are flattened."""

    members: tuple[Shape, ...]


class CustomShape(Shape, eq=False):
    """A class that msgspec leaves to a hook: pydantic models, paths, addresses."""

    cls: Any


def members(shape: Shape) -> tuple[Shape, ...]:
    """The members of a union, or the shape alone."""
    return shape.members if isinstance(shape, UnionShape) else (shape,)


def tag_field_of(union: UnionShape) -> str | None:
    """The tag field of a union whose objects are all told apart by it, or None."""
    objects = [m for m in union.members if isinstance(m, ObjectShape)]
    fields = {m.tag_field for m in objects}
    return fields.pop() if len(objects) > 1 and len(fields) == 1 else None


def children(shape: Shape) -> tuple[Shape, ...]:
    """The shapes directly inside a shape."""
    match shape:
        case UnionShape():
            return shape.members
        case ArrayShape():
            return (shape.item,)
        case TupleShape():
            return shape.items
        case MapShape():
            return (shape.key, shape.value)
        case ObjectShape():
            return tuple(field.shape for field in shape.fields)
        case _:
            return ()


def nodes_of(shape: Shape) -> Iterator[Shape]:
    """Every node of a shape, once, recursion cut."""
    seen: set[int] = set()
    stack = [shape]
    while stack:
        node = stack.pop()
        if id(node) not in seen:
            seen.add(id(node))
            yield node
            stack.extend(children(node))


def kinds(shape: Shape) -> frozenset[str]:
    """The JSON kinds of the values that a shape may take. A kind in it does not promise that every value fits.

    Example:
        >>> sorted(kinds(shape_of(int | None)))
        ['integer', 'null']
    """
    match shape:
        case UnionShape():
            return frozenset(kind for member in shape.members for kind in kinds(member))
        case NullShape():
            return frozenset({"null"})
        case BoolShape():
            return frozenset({"boolean"})
        case IntShape():
            return frozenset({"integer"})
        case FloatShape():
            return _NUMBERS
        case StrShape():
            return frozenset({"string"})
        case FormatShape():
            return _NUMBERS | {"string"} if shape.cls is decimal.Decimal else frozenset({"string"})
        case EnumShape() | LiteralShape():
            return frozenset(_VALUE_KINDS.get(v.__class__, "string") for v in shape.values)
        case ArrayShape() | TupleShape():
            return frozenset({"array"})
        case MapShape():
            return frozenset({"object"})
        case ObjectShape():
            return frozenset({"array" if shape.array else "object"})
        case UnsetShape():
            return frozenset()
        case _:
            return _EVERY_KIND


_VALUE_KINDS: dict[type, str] = {
    type(None): "null",
    bool: "boolean",
    int: "integer",
    float: "number",
    str: "string",
}
