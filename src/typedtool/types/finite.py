"""NaN and Infinity in decoded values: msgspec takes them from Python values, and JSON has none."""

from __future__ import annotations

import decimal
import math
from collections.abc import Callable
from operator import attrgetter
from typing import Any, TypeAlias

from typedtool.types.shapes import (
    AnyShape,
    ArrayShape,
    FloatShape,
    FormatShape,
    MapShape,
    ObjectShape,
    Shape,
    TupleShape,
    UnionShape,
    members,
    nodes_of,
)

__all__ = ["Check", "finite_check"]

Check: TypeAlias = Callable[[Any], bool]


def finite_check(root: Shape) -> Check | None:
    """A function that returns False for a decoded value that holds NaN or Infinity, or may hold them unseen.

    None where no value can hold them.
    """
    nodes = list(nodes_of(root))
    if any(isinstance(n, AnyShape) for n in nodes):
        return _unknown
    return _Checks().of(root) if any(map(_is_float, nodes)) else None


def _is_float(shape: Shape) -> bool:
    return isinstance(shape, FloatShape) or (isinstance(shape, FormatShape) and shape.cls is decimal.Decimal)


def _unknown(value: Any) -> bool:
    return False


class _Checks:
    """Makes the check of each node once: one call for each field of a list, not for each of its items."""

    def __init__(self) -> None:
        self.known: dict[int, list[Check | None]] = {}

    def of(self, shape: Shape) -> Check | None:
        match shape:
            case FloatShape():
                return _finite_float
            case FormatShape():
                return decimal.Decimal.is_finite if shape.cls is decimal.Decimal else None
            case UnionShape():
                return self.union(shape)
            case ArrayShape():
                return self.array(shape)
            case TupleShape():
                checks = [self.of(item) for item in shape.items]
                return (lambda v: all(c is None or c(x) for c, x in zip(checks, v))) if any(checks) else None
            case MapShape():
                each = self.of(shape.value)
                return (lambda v: all(map(each, v.values()))) if each else None
            case ObjectShape():
                return self.object(shape)
            case _:
                return None

    def union(self, shape: UnionShape) -> Check | None:
        """Which member a value came from is not known any more: floats are looked at, the rest by its class."""
        checks = [(m, c) for m in shape.members if (c := self.of(m)) is not None]
        if not checks:
            return None
        return lambda v: all(c(v) for m, c in checks if _is_of(m, v))

    def array(self, shape: ArrayShape) -> Check | None:
        if isinstance(shape.item, ObjectShape) and not _is_mapping(shape.item):
            return self.rows(shape.item)
        each = self.of(shape.item)
        if each is _finite_float:
            return _finite_floats
        return (lambda v: all(map(each, v))) if each else None

    def rows(self, shape: ObjectShape) -> Check | None:
        """A list of objects: each field of floats is summed over all rows, which is one pass in C."""
        columns = [attrgetter(f.attribute) for f in shape.fields if isinstance(f.shape, FloatShape)]
        one = self.object(shape, but=FloatShape)
        if not columns and one is None:
            return None

        def check(rows: Any) -> bool:
            for column in columns:
                if not _finite_column(column, rows):
                    return False
            return one is None or all(map(one, rows))

        return check

    def object(self, shape: ObjectShape, but: type[Shape] | None = None) -> Check | None:
        if id(shape) in self.known:
            cell = self.known[id(shape)]
            return lambda v: cell[0] is None or cell[0](v)
        cell = self.known[id(shape)] = [None]
        get = _item if _is_mapping(shape) else getattr
        fields = [
            (f.attribute, c)
            for f in shape.fields
            if not (but is not None and isinstance(f.shape, but)) and (c := self.of(f.shape)) is not None
        ]
        if but is not None:
            del self.known[id(shape)]
        if not fields:
            return None
        cell[0] = lambda v: all(check(get(v, name, None)) for name, check in fields)
        return cell[0]


def _finite_float(value: Any) -> bool:
    return value.__class__ is not float or value - value == 0


def _finite_column(column: attrgetter[Any], rows: Any) -> bool:
    try:
        if math.isfinite(sum(map(column, rows))):
            return True
    except (TypeError, OverflowError):
        pass
    return all(map(_finite_float, map(column, rows)))


def _finite_floats(values: Any) -> bool:
    try:
        if math.isfinite(sum(values)):
            return True
    except (TypeError, OverflowError):
        pass
    return all(map(_finite_float, values))


def _item(value: Any, name: str, default: Any) -> Any:
    return value.get(name, default)


def _is_mapping(shape: ObjectShape) -> bool:
    return isinstance(shape.cls, type) and issubclass(shape.cls, dict)


def _is_of(shape: Shape, value: Any) -> bool:
    if isinstance(shape, FloatShape):
        return isinstance(value, float)
    if isinstance(shape, FormatShape):
        return isinstance(value, shape.cls)
    if isinstance(shape, (ArrayShape, TupleShape)):
        return isinstance(value, (list, tuple, set, frozenset))
    if isinstance(shape, MapShape) or (isinstance(shape, ObjectShape) and _is_mapping(shape)):
        return isinstance(value, dict)
    cls = getattr(shape, "cls", None)
    return (
        isinstance(value, getattr(cls, "__origin__", cls)) if cls is not None else members(shape) == (shape,)
    )
