"""Types that msgspec refuses, made into types that it takes: untagged unions, wherever they stand.

A union that msgspec cannot tell apart becomes a `Choice`, an opaque class whose members are tried in the hook. A
Struct (or dataclass, TypedDict, NamedTuple) with such a union in a field gets a `Shadow`: a Struct of the same
fields with the union lowered, from which the real one is made. Everything else stays as it is and as fast as it was.
"""

from __future__ import annotations

import decimal
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Annotated, Any, Union, get_args, get_origin

import msgspec
from msgspec import UNSET, Meta, Struct

from typedtool.errors import BudgetExceeded
from typedtool.types.hooks import convert_custom, is_supported
from typedtool.types.shapes import (
    AnyShape,
    ArrayShape,
    CustomShape,
    EnumShape,
    FloatShape,
    FormShape,
    IntShape,
    LiteralShape,
    MapShape,
    NullShape,
    ObjectShape,
    OneOf,
    Shape,
    StrShape,
    TupleShape,
    UnionShape,
    kinds,
    members,
    shape_of,
    type_name,
)
from typedtool.values.budgets import Budget
from typedtool.values.guards import is_items, is_mapping

__all__ = ["Decoding", "children", "is_native", "lower", "needs_hook", "nodes_of", "with_integers"]

_ATTEMPTS = 200_000


# --- walking shapes -------------------------------------------------------------------------------------------------


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


# --- which unions msgspec refuses -----------------------------------------------------------------------------------


def _refused(union: UnionShape) -> bool:
    """msgspec's rules for unions: at most one array, one object (or Structs told apart by a tag), one string and one
    integer kind; a custom class beside nothing but None."""
    if any(isinstance(m, AnyShape) for m in union.members):
        return False
    if any(isinstance(m, CustomShape) for m in union.members):
        return any(not isinstance(m, (CustomShape, NullShape)) for m in union.members) or (
            sum(isinstance(m, CustomShape) for m in union.members) > 1
        )
    if any(isinstance(m, TupleShape) for m in union.members) and any(map(_has_bounds, union.members)):
        return True  # msgspec 0.23 takes it, but looks for the tuple's length in the wrong place, and corrupts memory
    if _count(union, "string") > 1 or _count(union, "integer", but=(FloatShape, FormShape)) > 1:
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


# --- lowering -------------------------------------------------------------------------------------------------------


def is_native(union: UnionShape) -> bool:
    """Whether msgspec itself decodes the union, so that its tagged Structs need their tags; else each member is tried."""
    return not _opaque(union) and id(union) not in _Lowering(union).dirty


class _Opaque(type):
    """The metaclass of the classes that msgspec hands to the hook: whatever the hook makes is an instance."""

    decode: Callable[[Any, Decoding], Any]

    def __instancecheck__(cls, value: object) -> bool:
        return True


def lower(shape: Shape) -> Any:
    """A type that msgspec can decode, with `Decoding.hook` as its hook, into what `shape` describes.

    Raises TypeError for a class that nobody knows how to make from JSON.
    """
    return _Lowering(shape).lower(shape)


class _Lowering:
    def __init__(self, root: Shape) -> None:
        nodes = list(nodes_of(root))
        for node in nodes:
            if isinstance(node, CustomShape) and not is_supported(node.cls):
                raise TypeError(
                    f"{type_name(node.type)} cannot be decoded from JSON: use a msgspec Struct, a dataclass, a TypedDict "
                    f"or a pydantic model"
                )
        self.dirty = {
            id(n)
            for n in nodes
            if isinstance(n, UnionShape) and not _opaque(n) and (_refused(n) or _mixed(n))
        }
        found = len(self.dirty)
        while found:
            more = {
                id(n)
                for n in nodes
                if id(n) not in self.dirty
                and not _opaque(n)
                and any(id(c) in self.dirty for c in children(n))
            }
            self.dirty |= more
            found = len(more)
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
        if not _refused(shape) and (not any(made) or len(options) == 1):
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
            (f"f{i}", *_twin_field(f.name, self.lower(f.shape), f.required))
            for i, f in enumerate(shape.fields)
        ]
        tag: dict[str, Any] = {}
        if shape.tag_field is not None:
            tag = {"tag_field": shape.tag_field, "tag": shape.tag}
        twin: Any = msgspec.defstruct(
            "Shadow", fields, kw_only=True, forbid_unknown_fields=shape.closed, **tag
        )
        made.decode = _array_decoder(shape, twin) if shape.array else _object_decoder(shape, twin)
        return made


def _bounded(tp: Any, bounds: Meta | None) -> Any:
    annotated: Any = Annotated
    return tp if bounds is None else annotated[tp, bounds]


def _twin_field(name: str, tp: Any, required: bool) -> tuple[Any, Any]:
    return (tp, msgspec.field(name=name)) if required else (tp, msgspec.field(name=name, default=UNSET))


def _is_one_of(tp: Any) -> bool:
    return isinstance(tp, type(OneOf)) and tp is not OneOf


def _opaque(shape: Shape) -> bool:
    """A `OneOf`, alone or with None, is opaque to msgspec already: the hook sees to it."""
    args = [a for a in get_args(shape.type) or (shape.type,) if a is not type(None)]
    return len(args) == 1 and _is_one_of(args[0])


def needs_hook(shape: Shape) -> bool:
    """Whether decoding a node of a lowered type goes through `Decoding.hook`."""
    if isinstance(shape, UnionShape):
        return _opaque(shape) or _mixed(shape) or _refused(shape)
    return isinstance(shape, CustomShape)


def _mixed(union: UnionShape) -> bool:
    return any(map(_is_one_of, get_args(union.type)))


def _object_decoder(shape: ObjectShape, twin: Any) -> Callable[[Any, Decoding], Any]:
    names = tuple((f"f{i}", f.attribute) for i, f in enumerate(shape.fields))
    make = shape.cls

    def decode(value: Any, decoding: Decoding) -> Any:
        found = msgspec.convert(value, twin, str_keys=True, dec_hook=decoding.hook)
        return make(**{name: v for at, name in names if (v := getattr(found, at)) is not UNSET})

    return decode


def _array_decoder(shape: ObjectShape, twin: Any) -> Callable[[Any, Decoding], Any]:
    """An object that is an array on the wire is decoded as the object that it would have been."""
    by_object = _object_decoder(shape, twin)
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


# --- choosing among the members of an untagged union ----------------------------------------------------------------

_RANKS: dict[type[Shape], int] = {
    EnumShape: 0,
    LiteralShape: 0,
    FloatShape: 3,
    CustomShape: 5,
    MapShape: 6,
    StrShape: 8,
    AnyShape: 9,
}


def _rank(shape: Shape) -> int:
    """The more a member says of its values, the earlier it is tried: no string is a `str` that is a datetime too."""
    if isinstance(shape, FormShape):
        return 4 if shape.cls is decimal.Decimal else 7 if shape.cls in (bytes, bytearray, memoryview) else 2
    return _RANKS.get(type(shape), 1)


def _choice(options: Sequence[Shape], lowered: Sequence[Any]) -> _Opaque:
    """An opaque class that decodes a value as the member that reads the most of it."""
    ordered = sorted(zip(options, lowered), key=lambda option: _rank(option[0]))
    tried = tuple((shape, kinds(shape), _box(tp)) for shape, tp in ordered)

    def decode(value: Any, decoding: Decoding) -> Any:
        for prepare in (_same, with_integers):
            best: tuple[Any, Any] | None = None
            for shape, takes, box in tried:
                if _kind(value) not in takes:
                    continue
                found = decoding.attempt(box, prepare(shape, value))
                if found is None:
                    continue
                loss = _loss(shape, value)
                if loss == (0, 0):
                    return found.value
                if best is None or loss < best[0]:
                    best = (loss, found.value)
            if best is not None:
                return best[1]
        raise ValueError(f"expected {' | '.join(type_name(shape.type) for shape, _, _ in tried)}")

    return _Opaque("Choice", (), {"decode": staticmethod(decode)})


def _same(shape: Shape, value: Any) -> Any:
    return value


def _kind(value: Any) -> str:
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, float):
        return "integer" if value.is_integer() else "number"
    for cls, kind in ((type(None), "null"), (int, "integer"), (str, "string"), (dict, "object")):
        if isinstance(value, cls):
            return kind
    return "array"


def _box(tp: Any) -> Any:
    """A Struct around a type: msgspec keeps what it knows of a Struct from call to call, and of nothing else."""
    return msgspec.defstruct("Box", [("value", tp)])


def _loss(shape: Shape, value: Any) -> tuple[int, int]:
    """How badly a member reads a value that it takes: a map, or an object that knows no key of it, is a worse reading
    than one that leaves some keys out."""
    if is_items(value):
        inner = shape.item if isinstance(shape, ArrayShape) else None
        if inner is None:
            return (0, 0)
        losses = [min(_loss(m, v) for m in members(inner)) for v in value[:100]]
        return (sum(a for a, _ in losses), sum(b for _, b in losses))
    if not is_mapping(value) or not value:
        return (0, 0)
    if isinstance(shape, ObjectShape):
        known = len(value.keys() & shape.names)
        return (0 if known else 2, len(value) - known)
    return (1, 0) if isinstance(shape, MapShape) else (3, 0)


class Decoding:
    """One decode: the hook for msgspec, with what it has tried so far, so that no union is tried twice on one value."""

    __slots__ = ("_attempts", "_budget", "_lax", "_seen")

    def __init__(self, budget: Budget, lax: bool = False) -> None:
        self._budget = budget
        self._lax = lax
        self._attempts = 0
        self._seen: dict[tuple[int, int], Any] = {}

    def hook(self, tp: Any, value: Any) -> Any:
        """msgspec's `dec_hook`."""
        if isinstance(tp, _Opaque):
            return tp.decode(value, self)
        if _is_one_of(tp):
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


_ONE_OF: dict[Any, _Opaque] = {}


def _one_of(tp: Any) -> _Opaque:
    """The choice of a `OneOf` that msgspec met by itself, inside a Struct."""
    if (known := _ONE_OF.get(tp)) is None:
        shape = shape_of(tp)
        lowering = _Lowering(shape)
        options = members(shape)
        known = _ONE_OF[tp] = _choice(options, [lowering.lower(m) for m in options])
    return known


# --- integral floats ------------------------------------------------------------------------------------------------


def with_integers(shape: Shape, value: Any) -> Any:
    """`value` with `1.0` as `1` wherever the shape wants an integer: JSON Schema's `integer` takes it, msgspec's int
    does not. The same object where nothing changed. Floats stay floats where the shape takes floats."""
    if isinstance(shape, UnionShape):
        takes = kinds(shape)
        if isinstance(value, float) and "number" in takes:
            return value
        for member in shape.members:
            changed = with_integers(member, value)
            if changed is not value:
                return changed
        return value
    if isinstance(value, float):
        wants = isinstance(shape, (IntShape, LiteralShape, EnumShape)) and "integer" in kinds(shape)
        return int(value) if wants and value.is_integer() else value
    if is_items(value):
        return _array_with_integers(shape, value)
    return _object_with_integers(shape, value) if is_mapping(value) else value


def _array_with_integers(shape: Shape, value: Sequence[Any]) -> Any:
    if isinstance(shape, ArrayShape):
        items = [with_integers(shape.item, v) for v in value]
    elif isinstance(shape, TupleShape):
        items = [*(with_integers(s, v) for s, v in zip(shape.items, value)), *value[len(shape.items) :]]
    elif isinstance(shape, ObjectShape) and shape.array:
        skip = int(shape.tag_field is not None)  # the tag comes first
        typed = zip(shape.fields, value[skip:])
        rest = value[skip + len(shape.fields) :]
        items = [*value[:skip], *(with_integers(f.shape, v) for f, v in typed), *rest]
    else:
        return value
    return items if any(a is not b for a, b in zip(items, value)) else value


def _object_with_integers(shape: Shape, value: Mapping[Any, Any]) -> Any:
    changed: dict[Any, Any] = {}
    if isinstance(shape, MapShape):
        changed = {k: n for k, v in value.items() if (n := with_integers(shape.value, v)) is not v}
    elif isinstance(shape, ObjectShape) and not shape.array:
        if shape.tag_field is not None and value.get(shape.tag_field, shape.tag) != shape.tag:
            return value
        for field in shape.fields:
            if (
                field.name in value
                and (new := with_integers(field.shape, value[field.name])) is not value[field.name]
            ):
                changed[field.name] = new
    return {**value, **changed} if changed else value
