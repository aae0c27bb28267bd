"""Untagged unions: which of them msgspec refuses, and how well a member reads a value."""

from __future__ import annotations

import decimal
from typing import Annotated, Any, get_args, get_origin

from msgspec import Struct

from typedtool.types.hints import is_one_of
from typedtool.types.shapes import (
    AnyShape,
    ArrayShape,
    CustomShape,
    EnumShape,
    FloatShape,
    FormatShape,
    LiteralShape,
    MapShape,
    NullShape,
    ObjectShape,
    Shape,
    StrShape,
    TupleShape,
    UnionShape,
    kinds,
    members,
)
from typedtool.values.guards import is_items, is_mapping

__all__ = ["is_mixed", "is_opaque", "is_refused", "loss", "needs_hook", "rank"]


def is_refused(union: UnionShape) -> bool:
    """Whether msgspec refuses the union.

    It takes at most one array, one object (or Structs told apart by a tag), one string and one integer kind, and a
    custom class beside nothing but None.
    """
    if any(isinstance(m, AnyShape) for m in union.members):
        return False
    if any(isinstance(m, CustomShape) for m in union.members):
        return any(not isinstance(m, (CustomShape, NullShape)) for m in union.members) or (
            sum(isinstance(m, CustomShape) for m in union.members) > 1
        )
    if any(isinstance(m, TupleShape) for m in union.members) and any(map(_has_bounds, union.members)):
        return True  # msgspec 0.23 takes it, but looks for the tuple's length in the wrong place, and corrupts memory
    if _count(union, "string") > 1 or _count(union, "integer", but=(FloatShape, FormatShape)) > 1:
        return True
    structs = [m for m in union.members if isinstance(m, ObjectShape) and _is_struct(m)]
    if len(structs) > 1 and not _told_apart(structs):
        return True
    others = [m for m in union.members if m not in structs] + structs[:1]
    return any(sum(kind in kinds(m) for m in others) > 1 for kind in ("array", "object"))


def _has_bounds(shape: Shape) -> bool:
    return get_origin(shape.type) is Annotated


def _is_struct(shape: ObjectShape) -> bool:
    cls = get_origin(shape.cls) or shape.cls
    return isinstance(cls, type) and issubclass(cls, Struct)


def _count(union: UnionShape, kind: str, but: tuple[type[Shape], ...] = ()) -> int:
    """How many members take a kind; all Literals count as one."""
    found = [m for m in union.members if kind in kinds(m) and not isinstance(m, but)]
    literals = sum(isinstance(m, LiteralShape) for m in found)
    return len(found) - max(0, literals - 1)


def _told_apart(structs: list[ObjectShape]) -> bool:
    return (
        all(m.tag_field is not None for m in structs)
        and len({(m.tag_field, m.array, isinstance(m.tag, str)) for m in structs}) == 1
        and len({m.tag for m in structs}) == len(structs)
    )


def is_opaque(shape: Shape) -> bool:
    """Whether the shape is a `OneOf`, alone or with None: to msgspec a class that it leaves to the hook."""
    args = [a for a in get_args(shape.type) or (shape.type,) if a is not type(None)]
    return len(args) == 1 and is_one_of(args[0])


def is_mixed(union: UnionShape) -> bool:
    """Whether a `OneOf` is a member of the union."""
    return any(map(is_one_of, get_args(union.type)))


def needs_hook(shape: Shape) -> bool:
    """Whether decoding a node of a lowered type goes through `Decoding.hook`."""
    if isinstance(shape, UnionShape):
        return is_opaque(shape) or is_mixed(shape) or is_refused(shape)
    return isinstance(shape, CustomShape)


# --- choosing a member ----------------------------------------------------------------------------------------------

_RANKS: dict[type[Shape], int] = {
    EnumShape: 0,
    LiteralShape: 0,
    FloatShape: 3,
    CustomShape: 5,
    MapShape: 6,
    StrShape: 8,
    AnyShape: 9,
}


def rank(shape: Shape) -> int:
    """The order in which members are tried, the narrowest first: every datetime is a `str` too."""
    if isinstance(shape, FormatShape):
        return 4 if shape.cls is decimal.Decimal else 7 if shape.cls in (bytes, bytearray, memoryview) else 2
    return _RANKS.get(type(shape), 1)


def loss(shape: Shape, value: Any) -> tuple[int, int]:
    """How much of a value a member leaves unread: first by kind of reading, then the number of keys.

    A dict, or an object that knows no key of the value, reads worse than an object that leaves some keys out.
    """
    if is_items(value):
        inner = shape.item if isinstance(shape, ArrayShape) else None
        if inner is None:
            return (0, 0)
        losses = [min(loss(m, v) for m in members(inner)) for v in value[:100]]
        return (sum(a for a, _ in losses), sum(b for _, b in losses))
    if not is_mapping(value) or not value:
        return (0, 0)
    if isinstance(shape, ObjectShape):
        known = len(value.keys() & shape.names)
        return (0 if known else 2, len(value) - known)
    return (1, 0) if isinstance(shape, MapShape) else (3, 0)
