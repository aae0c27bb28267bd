"""Converts JSON values and JSON text to values of a type: `Converter(type)`, made once for a type.

One compiled pass of msgspec where it succeeds. Where it fails, the value is tried again with its integral floats as
integers; what is wrong with it after that, `explaining` says.
"""

from __future__ import annotations

import contextlib
from typing import Any

import msgspec

from typedtool.errors import BudgetExceeded
from typedtool.types.finite import finite_check
from typedtool.types.hints import type_name
from typedtool.types.integers import with_integers
from typedtool.types.lowering import Decoding, lower
from typedtool.types.reading import shape_of
from typedtool.types.shapes import CustomShape, Shape, children, nodes_of
from typedtool.types.unions import needs_hook
from typedtool.values.budgets import Budget
from typedtool.values.walking import NotJsonValue, json_problems

__all__ = ["Converter", "NotFit", "NotJsonValue"]


class NotFit(Exception):
    """The value does not fit the type."""


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
        self._strict = not lax
        self.recursive: bool = _is_recursive(self.shape)
        self._hooked = any(map(needs_hook, nodes_of(self.shape)))
        self._finite = None if self.recursive else finite_check(self.shape)
        self._plain = hasattr(self._type, "__struct_fields__")
        try:
            self._text: msgspec.json.Decoder[Any] = msgspec.json.Decoder(
                self._type, strict=not lax, dec_hook=_no_hook
            )
        except TypeError as error:
            raise TypeError(f"{type_name(tp)} cannot be decoded from JSON: {error}") from None
        self._box: Any = self._type if self._plain else _boxed(self._type)

    def convert(self, value: Any, budget: Budget, *, parsed: bool = False) -> Any:
        """Returns `value`, a Python value that stands for JSON, converted to the type. Does not change it.

        parsed: the value comes from `json_text.parse`, so it holds no NaN and its depth is known.

        Raises NotFit, NotJsonValue, BudgetExceeded.
        """
        if self.recursive and not parsed:
            _check_json(value, budget)
        try:
            found = self._once(value, budget)
        except RecursionError:
            raise BudgetExceeded("depth", budget.depth) from None
        except msgspec.ValidationError:
            found = self._with_integers(value, budget)
        if not parsed and self._finite is not None and not self._is_finite(found):
            _check_json(value, budget)
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
        try:
            return self._finite is None or self._finite(found)
        except Exception:  # a value of the user's own class may do anything when it is looked at
            return False

    def read(self, data: bytes, value: object, budget: Budget) -> Any:
        """Returns the JSON text `data` decoded to the type: a Decimal keeps its digits. `value` is the parsed text.

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


def _check_json(value: object, budget: Budget) -> None:
    for problem in json_problems(value, budget):
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
