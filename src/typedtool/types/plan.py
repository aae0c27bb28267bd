"""One plan for a type, made once and kept: `plan_of(type) -> TypePlan`."""

from __future__ import annotations

import types
from _thread import allocate_lock  # what threading calls Lock: `import typedtool` is light
from collections import OrderedDict
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from msgspec import Struct

from typedtool.types.conversion import Converter
from typedtool.types.hints import OneOf, is_one_of
from typedtool.types.shapes import Shape
from typedtool.types.traits import Traits
from typedtool.values.guards import is_list

__all__ = ["TypePlan", "plan_of"]

_KEPT = 512


class TypePlan(Struct, frozen=True, eq=False):
    """All that is read off a type: its shape, its converter, and what the decode rules ask of it."""

    type: Any
    shape: Shape
    converter: Converter
    traits: Traits


def plan_of(tp: Any, *, lax: bool = False) -> TypePlan:
    """Returns the plan of a type: the same plan for the same type.

    `A | B` and `B | A` are two types here, although they are equal to Python: the order of the members decides. The plan of
    a type that cannot be hashed, such as one with a list in its `Meta`, is made each time.

    Raises TypeError for a type that no JSON value can be decoded into.

    Example:
        >>> plan_of(list[int]).traits.is_sequence
        True
    """
    found = _plans.of_object(tp, lax)
    return _made(tp, lax) if found is None else found


def _made(tp: Any, lax: bool) -> TypePlan:
    try:
        key = (_key(tp), lax)
        found = _plans.get(key)
    except TypeError:  # a part of it cannot be hashed
        return _read(tp, lax)
    return _plans.keep(key, found or _read(tp, lax), tp, lax)


def _read(tp: Any, lax: bool) -> TypePlan:
    converter = Converter(tp, lax=lax)
    return TypePlan(tp, converter.shape, converter, Traits.of(converter.shape))


def _key(tp: Any) -> Any:
    """What tells a type from every other one: types that are equal to Python may differ in it.

    Python's unions ignore the order of their members, and its literals take 1 and True for the same.
    """
    if is_one_of(tp):
        return OneOf, tuple(map(_key, tp.__options__))
    origin = get_origin(tp)
    if origin is None:
        return tp
    if origin is Literal:
        return Literal, tuple((value.__class__, value) for value in get_args(tp))
    if origin is Annotated:
        return Annotated, _key(tp.__origin__), tp.__metadata__
    name = Union if origin is types.UnionType else origin
    return name, tuple(tuple(map(_key, arg)) if is_list(arg) else _key(arg) for arg in get_args(tp))


class _Plans:
    """The plans used last. Its lock is never held while a plan is made."""

    def __init__(self) -> None:
        self.lock = allocate_lock()
        self.kept: OrderedDict[Any, TypePlan] = OrderedDict()
        # by the id of the type object, which is its own only while the object lives: so it is kept beside the plan
        self.objects: dict[tuple[int, bool], tuple[Any, TypePlan]] = {}

    def of_object(self, tp: Any, lax: bool) -> TypePlan | None:
        """The plan of this very object, found without looking into it."""
        known = self.objects.get((id(tp), lax))
        return None if known is None or known[0] is not tp else known[1]

    def get(self, key: Any) -> TypePlan | None:
        with self.lock:
            found = self.kept.get(key)
            if found is not None:
                self.kept.move_to_end(key)
            return found

    def keep(self, key: Any, plan: TypePlan, tp: Any, lax: bool) -> TypePlan:
        """Keeps a plan; where another thread was first, that one's is the one."""
        with self.lock:
            plan = self.kept.setdefault(key, plan)
            while len(self.kept) > _KEPT:
                self.kept.popitem(last=False)
            if len(self.objects) >= _KEPT:
                self.objects.clear()
            self.objects[id(tp), lax] = (tp, plan)
            return plan


_plans = _Plans()
