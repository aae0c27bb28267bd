"""Lowers types that msgspec refuses to types that it decodes: untagged unions, wherever they stand.

A union that msgspec refuses becomes a `Choice`, an opaque class whose members are tried in the hook. A Struct (or
dataclass, TypedDict, NamedTuple) with such a union in a field becomes a `Shadow`, an opaque class that decodes a Struct
of the same fields with the union lowered, and makes the real object of it. Every other type stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any, Union

import msgspec
from msgspec import UNSET, Meta

from typedtool.errors import BudgetExceeded, kind_of
from typedtool.types.hints import is_one_of, type_name
from typedtool.types.hooks import convert_custom, is_supported
from typedtool.types.integers import with_integers
from typedtool.types.reading import shape_of
from typedtool.types.shapes import (
    ArrayShape,
    CustomShape,
    MapShape,
    NullShape,
    ObjectShape,
    Shape,
    TupleShape,
    UnionShape,
    children,
    kinds,
    members,
    nodes_of,
)
from typedtool.types.unions import is_mixed, is_opaque, is_refused, loss, rank
from typedtool.values.budgets import Budget
from typedtool.values.guards import is_items

__all__ = ["Decoding", "is_native", "lower"]

_ATTEMPTS = 200_000


def lower(shape: Shape) -> Any:
    """A type that msgspec can decode, with `Decoding.hook` as its hook, into what `shape` describes.

    Raises TypeError for a class that cannot be made from JSON.
    """
    return _Lowering(shape).lower(shape)


def is_native(union: UnionShape) -> bool:
    """Whether msgspec itself decodes the union, so that its tagged Structs need their tags; else each member is tried."""
    return not is_opaque(union) and id(union) not in _Lowering(union).dirty


class _Opaque(type):
    """The metaclass of the classes that msgspec hands to the hook: whatever the hook makes is an instance."""

    decode: Callable[[Any, Decoding], Any]

    def __instancecheck__(cls, value: object) -> bool:
        return True


class _Lowering:
    """Lowers the nodes of one shape. `dirty` are those that msgspec would refuse, by identity."""

    def __init__(self, root: Shape) -> None:
        nodes = list(nodes_of(root))
        for node in nodes:
            if isinstance(node, CustomShape) and not is_supported(node.cls):
                raise TypeError(
                    f"{type_name(node.type)} cannot be decoded from JSON: use a msgspec Struct, a dataclass, a TypedDict "
                    f"or a pydantic model"
                )
        self.dirty = _dirty(nodes)
        self.shadows: dict[int, Any] = {}

    def lower(self, shape: Shape) -> Any:
        """The lowered type of one node."""
        if id(shape) not in self.dirty:
            return shape.type
        match shape:
            case UnionShape():
                return self.union(shape)
            case ObjectShape():
                return self.shadow(shape)
            case ArrayShape():
                item: Any = self.lower(shape.item)
                array: Any = tuple[item, ...] if shape.cls is tuple else shape.cls[item]
                return _bounded(array, shape.bounds)
            case TupleShape():
                return tuple[tuple(map(self.lower, shape.items))]  # type: ignore[misc]
            case MapShape():
                key, value = self.lower(shape.key), self.lower(shape.value)
                mapping: Any = dict[key, value]  # type: ignore[valid-type]
                return _bounded(mapping, shape.bounds)
            case _:
                return shape.type

    def union(self, shape: UnionShape) -> Any:
        options = [m for m in shape.members if not isinstance(m, NullShape)]
        lowered = [self.lower(m) for m in options]
        made = [isinstance(tp, _Opaque) for tp in lowered]
        if not is_refused(shape) and (not any(made) or len(options) == 1):
            return Union[tuple(self.lower(m) for m in shape.members)]
        choice = _choice(options, lowered)
        return choice if len(options) == len(shape.members) else Union[choice, None]

    def shadow(self, shape: ObjectShape) -> Any:
        """The opaque class first, its content after: a recursive type refers to it."""
        if (known := self.shadows.get(id(shape))) is not None:
            return known
        made: Any = _Opaque("Shadow", (), {})
        self.shadows[id(shape)] = made
        fields = [
            (f"f{i}", *_field(f.name, self.lower(f.shape), f.required)) for i, f in enumerate(shape.fields)
        ]
        tag: dict[str, Any] = {}
        if shape.tag_field is not None:
            tag = {"tag_field": shape.tag_field, "tag": shape.tag}
        struct: Any = msgspec.defstruct(
            "Shadow", fields, kw_only=True, forbid_unknown_fields=shape.closed, **tag
        )
        made.decode = _array_decoder(shape, struct) if shape.array else _object_decoder(shape, struct)
        return made


def _dirty(nodes: Sequence[Shape]) -> set[int]:
    """The unions that msgspec refuses, and every node that holds one, as far up as the first `OneOf`."""
    own = [n for n in nodes if not is_opaque(n)]
    dirty = {id(n) for n in own if isinstance(n, UnionShape) and (is_refused(n) or is_mixed(n))}
    size = 0
    while size < len(dirty):
        size = len(dirty)
        dirty |= {id(n) for n in own if any(id(c) in dirty for c in children(n))}
    return dirty


def _bounded(tp: Any, bounds: Meta | None) -> Any:
    annotated: Any = Annotated
    return tp if bounds is None else annotated[tp, bounds]


def _field(name: str, tp: Any, required: bool) -> tuple[Any, Any]:
    return (tp, msgspec.field(name=name)) if required else (tp, msgspec.field(name=name, default=UNSET))


def _object_decoder(shape: ObjectShape, struct: Any) -> Callable[[Any, Decoding], Any]:
    names = tuple((f"f{i}", f.attribute) for i, f in enumerate(shape.fields))
    make = shape.cls

    def decode(value: Any, decoding: Decoding) -> Any:
        found = msgspec.convert(value, struct, str_keys=True, dec_hook=decoding.hook)
        return make(**{name: v for at, name in names if (v := getattr(found, at)) is not UNSET})

    return decode


def _array_decoder(shape: ObjectShape, struct: Any) -> Callable[[Any, Decoding], Any]:
    """Decodes an object that is an array on the wire as the object that it would have been."""
    by_object = _object_decoder(shape, struct)
    names = tuple(f.name for f in shape.fields)
    tagged = shape.tag_field is not None

    def decode(value: Any, decoding: Decoding) -> Any:
        if not is_items(value):
            raise ValueError("expected an array")
        named = dict(zip(names, value[1:] if tagged else value))
        if tagged and value:
            named[str(shape.tag_field)] = value[0]
        return by_object(named, decoding)

    return decode


def _choice(options: Sequence[Shape], lowered: Sequence[Any]) -> _Opaque:
    """An opaque class that decodes a value as the member that reads the most of it."""
    ordered = sorted(zip(options, lowered), key=lambda option: rank(option[0]))
    tried = tuple((shape, kinds(shape), _box(tp)) for shape, tp in ordered)

    def decode(value: Any, decoding: Decoding) -> Any:
        for whole in (False, True):
            best: tuple[Any, Any] | None = None
            for shape, takes, box in tried:
                if _kind(value) not in takes:
                    continue
                found = decoding.attempt(box, with_integers(shape, value) if whole else value)
                if found is None:
                    continue
                unread = loss(shape, value)
                if unread == (0, 0):
                    return found.value
                if best is None or unread < best[0]:
                    best = (unread, found.value)
            if best is not None:
                return best[1]
        raise ValueError(f"expected {' | '.join(type_name(shape.type) for shape, _, _ in tried)}")

    return _Opaque("Choice", (), {"decode": staticmethod(decode)})


def _kind(value: Any) -> str:
    if isinstance(value, float):
        return "integer" if value.is_integer() else "number"
    kind = kind_of(value)
    return "array" if kind.startswith("a Python") else kind


def _box(tp: Any) -> Any:
    """A Struct around a type: msgspec keeps what it knows of a Struct from call to call, and of nothing else."""
    return msgspec.defstruct("Box", [("value", tp)])


class Decoding:
    """One decode: the hook for msgspec, with what it has tried so far, so that no union is tried twice on one value."""

    __slots__ = ("_attempts", "_budget", "_lax", "_seen")

    def __init__(self, budget: Budget, lax: bool = False) -> None:
        self._budget = budget
        self._lax = lax
        self._attempts = 0
        self._seen: dict[tuple[int, int], Any] = {}

    def hook(self, tp: Any, value: Any) -> Any:
        """msgspec's `dec_hook`. Raises ValueError where the value does not fit."""
        if isinstance(tp, _Opaque):
            return tp.decode(value, self)
        if is_one_of(tp):
            return _one_of(tp).decode(value, self)
        if tp is object:  # to msgspec a class like any other
            return value
        return convert_custom(tp, value, self.hook, lax=self._lax)

    def attempt(self, box: Any, value: Any) -> Any:
        """`value` in `box`, or None where it does not fit. Each pair is tried once."""
        key = (id(box), id(value))
        if key in self._seen:
            return self._seen[key][0]
        self._attempts += 1
        if self._attempts > _ATTEMPTS:
            raise BudgetExceeded("nodes", self._budget.nodes)
        try:
            found = msgspec.convert(
                {"value": value}, box, strict=not self._lax, str_keys=True, dec_hook=self.hook
            )
        except msgspec.ValidationError:
            found = None
        self._seen[key] = (found, value)  # the value is kept: an id is only its own while the value lives
        return found


def _one_of(tp: Any) -> _Opaque:
    """The choice of a `OneOf` that msgspec met by itself, inside a Struct; kept on the class."""
    known: _Opaque | None = tp.__choice__
    if known is None:
        shape = shape_of(tp)
        lowering = _Lowering(shape)
        options = members(shape)
        known = tp.__choice__ = _choice(options, [lowering.lower(m) for m in options])
    return known
