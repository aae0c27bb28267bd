"""From a JSON value, or JSON text, to a value of a type: `Converter(type)`, made once for a type.

One compiled pass of msgspec where it succeeds. Only where it fails is the value looked at again: for integral floats
where integers are wanted, and then for what is wrong with it (`explaining`).
"""

from __future__ import annotations

import contextlib
import decimal
import math
from collections.abc import Callable
from operator import attrgetter
from typing import Any, TypeAlias

import msgspec

from typedtool.errors import BudgetExceeded, Problem
from typedtool.types.lowering import Decoding, children, lower, needs_hook, nodes_of, with_integers
from typedtool.types.shapes import (
    AnyShape,
    ArrayShape,
    CustomShape,
    FloatShape,
    FormShape,
    MapShape,
    ObjectShape,
    Shape,
    TupleShape,
    UnionShape,
    members,
    shape_of,
    type_name,
)
from typedtool.values.budgets import Budget
from typedtool.values.json_text import walk

__all__ = ["Converter", "NotFit", "NotJsonValue"]

Check: TypeAlias = Callable[[Any], bool]


class NotFit(Exception):
    """The value does not fit the type."""


class NotJsonValue(Exception):
    """The value holds something that no JSON text could carry: NaN, Infinity, a lone surrogate."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem)
        self.problem = problem


class Converter:
    """Decodes values of one type. Raises TypeError where no JSON value could be decoded into it.

    lax: strings such as `"5"` and `"true"` count as the numbers and booleans that they spell.
    shape: the shape of the type, where it has been read.

    Example:
        >>> Converter(list[int]).convert([1, 2.0], Budget())
        [1, 2]
    """

    def __init__(self, tp: Any, *, lax: bool = False, shape: Shape | None = None) -> None:
        self.shape: Shape = shape_of(tp) if shape is None else shape
        self.lax = lax
        self._type: Any = lower(self.shape)
        nodes = list(nodes_of(self.shape))
        self._strict = not lax
        self.recursive: bool = _is_recursive(self.shape)
        self._hooked = any(map(needs_hook, nodes))
        anything = any(isinstance(n, AnyShape) for n in nodes)
        floats = any(_may_be_infinite(n) for n in nodes)
        self._looked_at = (anything or floats) and not self.recursive
        self._check = _finite_check(self.shape) if floats and not anything else None
        self._plain = hasattr(self._type, "__struct_fields__") and not hasattr(self._type, "__origin__")
        self._box: Any = self._type if self._plain else _boxed(self._type)
        try:
            self._text: msgspec.json.Decoder[Any] = msgspec.json.Decoder(
                self._type, strict=not lax, dec_hook=_no_hook
            )
        except TypeError as error:
            raise TypeError(f"{type_name(tp)} cannot be decoded from JSON: {error}") from None

    def convert(self, value: Any, budget: Budget, *, parsed: bool = False) -> Any:
        """`value`, a Python value that stands for JSON, as the type. It is not changed.

        parsed: the value came out of `jsontext.parse`, so there is no NaN in it and its depth is known.

        Raises NotFit, NotJsonValue, BudgetExceeded.
        """
        if self.recursive and not parsed:
            _refuse(walk(value, budget).problem)
        try:
            found = self._once(value, budget)
        except RecursionError:
            raise BudgetExceeded("depth", budget.depth) from None
        except msgspec.ValidationError:
            found = self._with_integers(value, budget)
        if not parsed and self._looked_at and not self._is_finite(found):
            _refuse(walk(value, budget).problem)
        return found

    def _once(self, value: Any, budget: Budget) -> Any:
        hook = Decoding(budget, self.lax).hook if self._hooked else None
        if self._plain:
            return msgspec.convert(value, self._type, strict=self._strict, str_keys=True, dec_hook=hook)
        boxed = msgspec.convert(
            {"value": value}, self._box, strict=self._strict, str_keys=True, dec_hook=hook
        )
        return boxed.value

    def _with_integers(self, value: Any, budget: Budget) -> Any:
        whole = with_integers(self.shape, value)
        if whole is value:
            raise NotFit from None
        try:
            return self._once(whole, budget)
        except msgspec.ValidationError:
            raise NotFit from None
        except RecursionError:
            raise BudgetExceeded("depth", budget.depth) from None

    def _is_finite(self, found: Any) -> bool:
        """False where the decoded value holds NaN or Infinity, or where that cannot be told from it."""
        try:
            return self._check is not None and self._check(found)
        except Exception:  # a value of the user's own class may do anything when it is looked at
            return False

    def read(self, data: bytes, value: object, budget: Budget) -> Any:
        """The JSON text `data`, parsed to `value` already, as the type: numbers for a Decimal keep their digits.

        Raises NotFit, BudgetExceeded.
        """
        try:
            return self._text.decode(data)
        except (msgspec.DecodeError, NotImplementedError, RecursionError):
            return self.convert(value, budget, parsed=True)


def _boxed(tp: Any) -> Any:
    """A Struct around a type: msgspec keeps what it knows of a Struct from call to call, and of nothing else."""
    box = msgspec.defstruct("Box", [("value", tp)])
    with contextlib.suppress(msgspec.ValidationError):
        msgspec.convert({}, box)  # it learns it here, and not in the first result
    return box


def _no_hook(tp: Any, value: Any) -> Any:
    raise NotImplementedError


def _refuse(problem: Problem | None) -> None:
    if problem is not None:
        raise NotJsonValue(problem)


def _is_recursive(root: Shape) -> bool:
    """Whether a value of the shape may be nested without end in typed parts."""
    done: set[int] = set()
    open_: set[int] = set()

    def visit(node: Shape) -> bool:
        if id(node) in open_:
            return True
        if id(node) in done:
            return False
        open_.add(id(node))
        found = isinstance(node, CustomShape) or any(visit(child) for child in children(node))
        open_.discard(id(node))
        done.add(id(node))
        return found

    return visit(root)


# --- NaN and Infinity: msgspec takes them from Python values, JSON has none -----------------------------------------


def _may_be_infinite(shape: Shape) -> bool:
    return isinstance(shape, FloatShape) or (isinstance(shape, FormShape) and shape.cls is decimal.Decimal)


def _finite_check(root: Shape) -> Check:
    """A function from a decoded value to whether its floats are finite; compiled once, one call a field of a list."""
    return _Checks().of(root) or _always


def _always(value: Any) -> bool:
    return True


class _Checks:
    def __init__(self) -> None:
        self.known: dict[int, list[Check | None]] = {}

    def of(self, shape: Shape) -> Check | None:
        match shape:
            case FloatShape():
                return _finite_float
            case FormShape():
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
    if isinstance(shape, FormShape):
        return isinstance(value, shape.cls)
    if isinstance(shape, (ArrayShape, TupleShape)):
        return isinstance(value, (list, tuple, set, frozenset))
    if isinstance(shape, MapShape) or (isinstance(shape, ObjectShape) and _is_mapping(shape)):
        return isinstance(value, dict)
    cls = getattr(shape, "cls", None)
    return (
        isinstance(value, getattr(cls, "__origin__", cls)) if cls is not None else members(shape) == (shape,)
    )
