"""Reads a type hint into its shape: `shape_of(type) -> Shape`."""

from __future__ import annotations

import collections
import collections.abc
import datetime
import decimal
import enum
import types
import typing
import uuid
from collections.abc import Iterable
from typing import Annotated, Any, ForwardRef, Literal, Union, get_args, get_origin

import msgspec
import typing_extensions
from msgspec import NODEFAULT, UNSET, Meta, UnsetType

from typedtool.types.hints import QUALIFIERS, TYPE_VARIABLES, is_one_of, substituted, type_name, unalias
from typedtool.types.shapes import (
    AnyShape,
    ArrayShape,
    BoolShape,
    CustomShape,
    EnumShape,
    Field,
    FloatShape,
    FormatShape,
    IntShape,
    LiteralShape,
    MapShape,
    NullShape,
    ObjectShape,
    Shape,
    StrShape,
    TupleShape,
    UnionShape,
    UnsetShape,
)

__all__ = ["shape_of"]

_SIMPLE: dict[Any, type[Shape]] = {
    Any: AnyShape,
    typing_extensions.Any: AnyShape,
    object: AnyShape,
    msgspec.Raw: AnyShape,
    None: NullShape,
    type(None): NullShape,
    UnsetType: UnsetShape,
    bool: BoolShape,
    int: IntShape,
    float: FloatShape,
    str: StrShape,
}
_FORMATS = (
    datetime.datetime,
    datetime.date,
    datetime.time,
    datetime.timedelta,
    uuid.UUID,
    decimal.Decimal,
    bytes,
    bytearray,
    memoryview,
)
_ARRAYS: dict[Any, Any] = {
    list: list,
    collections.abc.Sequence: list,
    collections.abc.MutableSequence: list,
    collections.abc.Collection: list,
    set: set,
    collections.abc.Set: set,
    collections.abc.MutableSet: set,
    frozenset: frozenset,
}
_MAPS = (dict, collections.abc.Mapping, collections.abc.MutableMapping)


def shape_of(tp: Any) -> Shape:
    """Returns the shape of a type. Raises TypeError for a type that cannot be decoded from JSON.

    Example:
        >>> type(shape_of(list[int])).__name__
        'ArrayShape'
    """
    return _Reader().read(tp)


class _Reader:
    """Reads one type; `known` maps the classes seen to their nodes, so that recursion ends."""

    def __init__(self) -> None:
        self.known: dict[Any, ObjectShape] = {}

    def read(self, tp: Any, meta: Meta | None = None, whole: Any = None) -> Shape:
        tp = unalias(tp)
        whole = tp if whole is None else whole
        origin = get_origin(tp)
        if origin is Annotated:
            metas = [m for m in tp.__metadata__ if isinstance(m, Meta)]
            return self.read(tp.__origin__, _merged(metas, meta), tp)
        if isinstance(tp, (str, ForwardRef)):
            raise TypeError(f"{tp!r} is a string: write the type itself")
        if _hashable(tp) and (simple := _SIMPLE.get(tp)) is not None:
            return simple(whole, meta) if simple in (IntShape, FloatShape, StrShape) else simple(whole)
        if origin in (Union, types.UnionType):
            return self.union(whole, get_args(tp))
        if is_one_of(tp):
            return self.union(whole, tp.__options__)
        if origin is Literal:
            return LiteralShape(whole, _literal_values(tp))
        if isinstance(tp, TYPE_VARIABLES):
            return self.read(tp.__bound__ if tp.__bound__ is not None else Any)
        return self.container(tp, origin or tp, meta, whole)

    def union(self, whole: Any, args: tuple[Any, ...]) -> Shape:
        flat: list[Shape] = []
        for arg in args:
            shape = self.read(arg)
            flat.extend(shape.members if isinstance(shape, UnionShape) else (shape,))
        return flat[0] if len(flat) == 1 else UnionShape(whole, tuple(flat))

    def container(self, tp: Any, cls: Any, meta: Meta | None, whole: Any) -> Shape:
        args = get_args(tp)
        if not isinstance(cls, type):
            raise TypeError(f"{type_name(tp)} cannot be decoded from JSON: it is no class")
        if cls in _FORMATS:
            return FormatShape(whole, cls, meta)
        if issubclass(cls, enum.Enum):
            return EnumShape(whole, tuple(m.value for m in cls))
        if cls in _ARRAYS:
            return ArrayShape(whole, _ARRAYS[cls], self.read(args[0] if args else Any), meta)
        if cls is tuple:
            if not args and tp is not tuple:
                return TupleShape(whole, ())
            if not args or (len(args) == 2 and args[1] is Ellipsis):
                return ArrayShape(whole, tuple, self.read(args[0] if args else Any), meta)
            return TupleShape(whole, tuple(map(self.read, () if args == ((),) else args)))
        if cls in _MAPS:
            key, value = args or (Any, Any)
            return MapShape(whole, self.read(key), self.read(value), meta)
        return self.object(tp, cls, whole)

    def object(self, tp: Any, cls: Any, whole: Any) -> Shape:
        reader = _object_reader(cls)
        if reader is None:
            return CustomShape(whole, cls)
        key = tp if _hashable(tp) else cls
        if (known := self.known.get(key)) is not None:
            return known
        shape = self.known[key] = ObjectShape(whole, tp)
        reader(self, shape, tp, cls)
        return shape


def _merged(metas: list[Meta], outer: Meta | None) -> Meta | None:
    """Several `Meta` as one: the last that sets a bound decides, as in msgspec."""
    metas = metas if outer is None else [*metas, outer]
    if len(metas) < 2:
        return metas[0] if metas else None
    names = ("gt", "ge", "lt", "le", "multiple_of", "pattern", "min_length", "max_length", "tz")
    return Meta(**{n: v for m in metas for n in names if (v := getattr(m, n)) is not None})


def _hashable(tp: Any) -> bool:
    try:
        hash(tp)
    except TypeError:
        return False
    return True


def _literal_values(tp: Any) -> tuple[Any, ...]:
    flat: list[Any] = []
    for value in get_args(tp):
        flat.extend(_literal_values(value) if get_origin(value) is Literal else (value,))
    return tuple(flat)


# --- objects --------------------------------------------------------------------------------------------------------


def _object_reader(cls: Any) -> Any:
    fields = getattr(cls, "__struct_fields__", None)
    if fields is not None:
        return _read_struct
    if typing_extensions.is_typeddict(cls):
        return _read_typed_dict
    if hasattr(cls, "_field_defaults") and hasattr(cls, "_fields"):
        return _read_named_tuple
    if hasattr(cls, "__dataclass_fields__"):
        return _read_dataclass
    return _read_attrs if hasattr(cls, "__attrs_attrs__") else None


def _read_struct(reader: _Reader, shape: ObjectShape, tp: Any, cls: Any) -> None:
    config = cls.__struct_config__
    shape.closed = config.forbid_unknown_fields
    shape.array = config.array_like
    if config.tag is not None:
        shape.tag_field, shape.tag = config.tag_field, config.tag
    shape.fields = tuple(
        Field(
            f.encode_name,
            f.name,
            reader.read(f.type),
            f.required,
            UNSET if f.default is NODEFAULT else f.default,
        )
        for f in msgspec.structs.fields(tp)
    )


def _hints(tp: Any, cls: Any) -> dict[str, Any]:
    hints = typing_extensions.get_type_hints(cls, include_extras=True)
    env = dict(zip(getattr(cls, "__parameters__", ()), get_args(tp)))
    return {name: substituted(hint, env) for name, hint in hints.items()} if env else hints


def _read_typed_dict(reader: _Reader, shape: ObjectShape, tp: Any, cls: Any) -> None:
    shape.fields = tuple(
        Field(name, name, reader.read(hint), _is_required(hint, name in cls.__required_keys__))
        for name, hint in _hints(tp, cls).items()
    )


def _is_required(hint: Any, otherwise: bool) -> bool:
    """Whether a key of a TypedDict is required. Its hint decides: `__required_keys__` misses string annotations."""
    while (origin := get_origin(hint)) is not None:
        if origin in (typing_extensions.Required, getattr(typing, "Required", None)):
            return True
        if origin in (typing_extensions.NotRequired, getattr(typing, "NotRequired", None)):
            return False
        if origin is not Annotated and origin not in QUALIFIERS:
            break
        hint = get_args(hint)[0]
    return otherwise


def _read_named_tuple(reader: _Reader, shape: ObjectShape, tp: Any, cls: Any) -> None:
    shape.array = True
    _read_fields(reader, shape, tp, cls, ((name, name not in cls._field_defaults) for name in cls._fields))


def _read_dataclass(reader: _Reader, shape: ObjectShape, tp: Any, cls: Any) -> None:
    import dataclasses

    missing = dataclasses.MISSING
    fields = [f for f in dataclasses.fields(cls) if f.init]
    required = ((f.name, f.default is missing and f.default_factory is missing) for f in fields)
    _read_fields(reader, shape, tp, cls, required)


def _read_attrs(reader: _Reader, shape: ObjectShape, tp: Any, cls: Any) -> None:
    import attrs

    required = ((a.name, a.default is attrs.NOTHING) for a in cls.__attrs_attrs__ if a.init)
    _read_fields(reader, shape, tp, cls, required)


def _read_fields(
    reader: _Reader, shape: ObjectShape, tp: Any, cls: Any, required: Iterable[tuple[str, bool]]
) -> None:
    hints = _hints(tp, cls)
    shape.fields = tuple(
        Field(name, name, reader.read(hints.get(name, Any)), needed) for name, needed in required
    )
