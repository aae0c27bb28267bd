"""NaN and Infinity in decoded values: msgspec takes them from Python values, and JSON has none."""

from __future__ import annotations

import decimal
import math
from collections.abc import Callable, Collection, Iterable
from operator import attrgetter
from typing import Any, TypeAlias, get_origin

from typedtool.types.shapes import (
    AnyShape,
    ArrayShape,
    Field,
    FloatShape,
    FormatShape,
    MapShape,
    ObjectShape,
    Shape,
    TupleShape,
    UnionShape,
    nodes_of,
)

__all__ = ["Check", "finite_check"]

Check: TypeAlias = Callable[[Any], bool]


def finite_check(root: Shape) -> Check | None:
    """A function that returns False for a decoded value that holds NaN or Infinity, or may hold them unseen.

    None where no value can hold them. The shape must not be recursive.
    """
    if any(isinstance(n, AnyShape) for n in nodes_of(root)):
        return _unseen
    return _Checks().of(root)


def _unseen(value: Any) -> bool:
    return False


class _Checks:
    """Makes the check of each node once: one call for each field of a list, not for each of its items."""

    def __init__(self) -> None:
        self.known: dict[int, Check | None] = {}

    def of(self, shape: Shape) -> Check | None:
        if id(shape) not in self.known:
            self.known[id(shape)] = self.made(shape)
        return self.known[id(shape)]

    def made(self, shape: Shape) -> Check | None:
        match shape:
            case FloatShape():
                return _is_finite
            case FormatShape():
                return decimal.Decimal.is_finite if shape.cls is decimal.Decimal else None
            case UnionShape():
                return self.union(shape)
            case ArrayShape() if isinstance(shape.item, ObjectShape) and not _is_mapping(shape.item):
                return self.rows(shape.item)
            case ArrayShape():
                each = self.of(shape.item)
                if each is _is_finite:
                    return _are_finite
                return (lambda v: all(map(each, v))) if each else None
            case TupleShape():
                checks = [self.of(item) for item in shape.items]
                return (lambda v: all(c is None or c(x) for c, x in zip(checks, v))) if any(checks) else None
            case MapShape():
                value = self.of(shape.value)
                return (lambda v: all(map(value, v.values()))) if value else None
            case ObjectShape():
                return self.object(shape, shape.fields)
            case _:
                return None

    def union(self, shape: UnionShape) -> Check | None:
        """Which member a value came from is not known any more: each check is for values of its member's class."""
        checks = [(_class_of(m), c) for m in shape.members if (c := self.of(m)) is not None]
        return (lambda v: all(c(v) for cls, c in checks if isinstance(v, cls))) if checks else None

    def rows(self, shape: ObjectShape) -> Check | None:
        """A list of objects: each field of floats is summed over all rows, which is one pass in C."""
        columns = [attrgetter(f.attribute) for f in shape.fields if isinstance(f.shape, FloatShape)]
        rest = self.object(shape, [f for f in shape.fields if not isinstance(f.shape, FloatShape)])
        if not columns and rest is None:
            return None

        def check(rows: Any) -> bool:
            for column in columns:  # a generator would cost a call for each column
                if not _column_is_finite(column, rows):
                    return False
            return rest is None or all(map(rest, rows))

        return check

    def object(self, shape: ObjectShape, fields: Iterable[Field]) -> Check | None:
        get = _item if _is_mapping(shape) else getattr
        checks = [(f.attribute, c) for f in fields if (c := self.of(f.shape)) is not None]
        return (lambda v: all(check(get(v, name, None)) for name, check in checks)) if checks else None


def _is_finite(value: Any) -> bool:
    return value.__class__ is not float or value - value == 0


def _are_finite(values: Collection[Any]) -> bool:
    return _column_is_finite(None, values)


def _column_is_finite(column: Callable[[Any], Any] | None, rows: Collection[Any]) -> bool:
    """Whether a field of all rows is finite; the rows themselves where there is no field. No list of them is made."""
    values = rows if column is None else map(column, rows)
    try:
        if math.isfinite(sum(values)):
            return True
    except (TypeError, OverflowError):
        pass
    return all(map(_is_finite, rows if column is None else map(column, rows)))


def _item(value: Any, name: str, default: Any) -> Any:
    return value.get(name, default)


def _is_mapping(shape: ObjectShape) -> bool:
    return issubclass(get_origin(shape.cls) or shape.cls, dict)


def _class_of(shape: Shape) -> Any:
    """The class of the values that a member of a union decodes to, or the classes."""
    if isinstance(shape, FloatShape):
        return float
    if isinstance(shape, (ArrayShape, TupleShape)):
        return (list, tuple, set, frozenset)
    if isinstance(shape, MapShape) or (isinstance(shape, ObjectShape) and _is_mapping(shape)):
        return dict
    cls: Any = getattr(shape, "cls", object)
    return get_origin(cls) or cls
