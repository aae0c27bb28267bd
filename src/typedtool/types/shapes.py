"""What a Python type takes from JSON, read once into a small tree of nodes: `shape_of(type) -> Shape`.

msgspec's own inspection refuses the types that msgspec cannot decode (untagged unions, for one). This tree holds
them all: decoding lowers it to types that msgspec takes, and the explanation of a failure walks it.
"""

from __future__ import annotations

import collections
import collections.abc
import datetime
import decimal
import enum
import types
import typing
import uuid
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, ForwardRef, Literal, Union, get_args, get_origin

import msgspec
import typing_extensions
from msgspec import NODEFAULT, UNSET, Meta, Struct, UnsetType
from typing_extensions import TypeAliasType

if TYPE_CHECKING:
    from typing import Union as OneOf  # the static half of the class below
else:

    class _OneOfMeta(type):
        def __instancecheck__(cls, value: object) -> bool:
            return True

        def __repr__(cls) -> str:
            return f"OneOf[{', '.join(map(type_name, cls.__options__))}]" if cls.__options__ else "OneOf"

    class OneOf(metaclass=_OneOfMeta):
        """A union whose members need no tag: `OneOf[A, B]`, also inside the fields of a Struct.

        Checkers see `typing.Union`. The member is chosen that takes the value and leaves out the fewest of its
        keys; among equals the first. Of the kinds of string, `str` comes last.

        Example:
            >>> class Page(Struct):
            ...     hit: OneOf[Person, Film]
            >>> decode({"structuredContent": {"hit": {"title": "Alien"}}}, Page)
            Page(hit=Film(title='Alien'))
        """

        __options__: ClassVar[tuple[Any, ...]] = ()

        def __class_getitem__(cls, options: Any) -> Any:
            options = options if isinstance(options, tuple) else (options,)
            return _OneOfMeta("OneOf", (cls,), {"__options__": options})


__all__ = [
    "AnyShape",
    "ArrayShape",
    "BoolShape",
    "CustomShape",
    "EnumShape",
    "Field",
    "FloatShape",
    "FormShape",
    "IntShape",
    "LiteralShape",
    "MapShape",
    "NullShape",
    "ObjectShape",
    "OneOf",
    "Shape",
    "StrShape",
    "TupleShape",
    "UnionShape",
    "UnsetShape",
    "kinds",
    "members",
    "shape_of",
    "shape_of_tagged",
    "type_name",
    "unalias",
]

NUMBERS = frozenset({"integer", "number"})
EVERY_KIND = frozenset({"null", "boolean", "integer", "number", "string", "array", "object"})


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


class FormShape(Shape, eq=False):
    """A type that JSON carries as a string of one form: datetime, date, time, timedelta, UUID, Decimal, bytes."""

    cls: Any


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


# --- reading types --------------------------------------------------------------------------------------------------

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
_FORMS = (
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
_STRIPPED = tuple(
    getattr(module, name)
    for module in (typing, typing_extensions)
    for name in ("Final", "ClassVar", "Required", "NotRequired", "ReadOnly")
    if hasattr(module, name)
)
_ALIASES = tuple({TypeAliasType, getattr(typing, "TypeAliasType", TypeAliasType)})
_NEW_TYPES = tuple({typing.NewType, typing_extensions.NewType})


def unalias(tp: Any) -> Any:
    """The type that a `type` alias or a NewType stands for."""
    for _ in range(100):
        if isinstance(tp, _ALIASES):
            tp = tp.__value__
        elif isinstance(get_origin(tp), _ALIASES):
            alias: Any = get_origin(tp)
            tp = substituted(alias.__value__, dict(zip(alias.__type_params__, get_args(tp))))
        elif isinstance(tp, _NEW_TYPES):
            new_type: Any = tp
            tp = new_type.__supertype__
        elif get_origin(tp) in _STRIPPED:
            tp = get_args(tp)[0]
        else:
            return tp
    raise TypeError(f"{type_name(tp)} is an alias of itself")


def substituted(tp: Any, env: dict[Any, Any]) -> Any:
    """`tp` with its type variables replaced."""
    if isinstance(tp, (typing.TypeVar, typing_extensions.TypeVar)):
        return env.get(tp, tp)
    parameters = getattr(tp, "__parameters__", ())
    if not parameters or (isinstance(tp, type) and get_origin(tp) is None):
        return tp
    generic: Any = tp
    return generic[tuple(env.get(p, p) for p in parameters)]


def type_name(tp: Any) -> str:
    """A type as its author would write it, cut to a readable length."""
    if tp is None or tp is type(None):
        return "None"
    if isinstance(tp, type) and get_origin(tp) is None:
        return tp.__qualname__.rpartition("<locals>.")[2] if type(tp).__name__ != "_OneOfMeta" else repr(tp)
    origin, args = get_origin(tp), get_args(tp)
    if origin in (Union, types.UnionType):
        return " | ".join(map(type_name, args))
    if origin is Annotated:
        return type_name(args[0])
    if origin is Literal:
        return f"Literal[{', '.join(repr(a)[:40] for a in args[:6])}]"
    if origin is not None and args:
        listed = ", ".join("..." if a is Ellipsis else type_name(a) for a in args)
        return f"{getattr(origin, '__name__', origin)}[{listed}]"[:200]
    return str(getattr(tp, "__name__", tp))[:200]


def shape_of(tp: Any) -> Shape:
    """The shape of a type. Raises TypeError for a type that no JSON value can be decoded into.

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
        if isinstance(tp, type) and getattr(tp, "__options__", None) and issubclass(tp, OneOf):  # type: ignore[arg-type]
            return self.union(whole, tp.__options__)  # type: ignore[attr-defined]
        if origin is Literal:
            return LiteralShape(whole, _literal_values(tp))
        if isinstance(tp, (typing.TypeVar, typing_extensions.TypeVar)):
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
            raise TypeError(f"{type_name(tp)} is no type that JSON can be decoded into")
        if cls in _FORMS:
            return FormShape(whole, cls)
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
    """The constraints of several `Meta` as one: the last word counts, as in msgspec."""
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
    """What the hint of a TypedDict's key says itself: `__required_keys__` does not see it in a string annotation."""
    while (origin := get_origin(hint)) is not None:
        if origin in (typing_extensions.Required, getattr(typing, "Required", None)):
            return True
        if origin in (typing_extensions.NotRequired, getattr(typing, "NotRequired", None)):
            return False
        if origin is not Annotated and origin not in _STRIPPED:
            break
        hint = get_args(hint)[0]
    return otherwise


def _read_named_tuple(reader: _Reader, shape: ObjectShape, tp: Any, cls: Any) -> None:
    shape.array = True
    hints = _hints(tp, cls)
    shape.fields = tuple(
        Field(name, name, reader.read(hints.get(name, Any)), name not in cls._field_defaults)
        for name in cls._fields
    )


def _read_dataclass(reader: _Reader, shape: ObjectShape, tp: Any, cls: Any) -> None:
    import dataclasses

    hints = _hints(tp, cls)
    missing = dataclasses.MISSING
    shape.fields = tuple(
        Field(
            f.name, f.name, reader.read(hints[f.name]), f.default is missing and f.default_factory is missing
        )
        for f in dataclasses.fields(cls)
        if f.init
    )


def _read_attrs(reader: _Reader, shape: ObjectShape, tp: Any, cls: Any) -> None:
    import attrs

    hints = _hints(tp, cls)
    shape.fields = tuple(
        Field(a.name, a.name, reader.read(hints.get(a.name, Any)), a.default is attrs.NOTHING)
        for a in cls.__attrs_attrs__
        if a.init
    )


# --- questions ------------------------------------------------------------------------------------------------------


def members(shape: Shape) -> tuple[Shape, ...]:
    """The members of a union, or the shape alone."""
    return shape.members if isinstance(shape, UnionShape) else (shape,)


def shape_of_tagged(union: UnionShape) -> str | None:
    """The tag field of a union whose objects are all told apart by it, or None."""
    objects = [m for m in union.members if isinstance(m, ObjectShape)]
    fields = {m.tag_field for m in objects}
    return fields.pop() if len(objects) > 1 and len(fields) == 1 else None


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
            return NUMBERS
        case StrShape():
            return frozenset({"string"})
        case FormShape():
            return NUMBERS | {"string"} if shape.cls is decimal.Decimal else frozenset({"string"})
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
            return EVERY_KIND


_VALUE_KINDS: dict[type, str] = {
    type(None): "null",
    bool: "boolean",
    int: "integer",
    float: "number",
    str: "string",
}
