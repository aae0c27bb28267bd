"""Forms of types: `TypeForms().of(shape)`, exactly the JSON values that the decoder accepts.

What is not understood is `Opaque`. Numbers beyond the range of a double do not count: JSON cannot rely on them (RFC 8259,
section 6).
"""

from __future__ import annotations

import datetime
import decimal
import enum
import functools
import uuid
from collections.abc import Callable
from fractions import Fraction
from typing import Any, get_origin

import msgspec
from msgspec import Meta

from typedtool.compatibility.proof.forms import (
    ALWAYS,
    ARRAY,
    BOOLEAN,
    EVERY,
    NEVER,
    NULL,
    NUMBER,
    OBJECT,
    STRING,
    All,
    Form,
    Has,
    Item,
    KindIs,
    Later,
    Multiple,
    Names,
    Not,
    Opaque,
    Others,
    Property,
    Rest,
    Sized,
    Some,
    Text,
    Under,
    among,
)
from typedtool.compatibility.proof.patterns import text_of_pattern
from typedtool.types.hints import type_name
from typedtool.types.lowering import Decoding, is_native
from typedtool.types.shapes import (
    AnyShape,
    ArrayShape,
    BoolShape,
    CustomShape,
    EnumShape,
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
    nodes_of,
)
from typedtool.values.budgets import DEFAULT_BUDGET

__all__ = ["TypeForms"]

_EXACT = 2**53
"""From here on, an integer may round to the other side of a float's bound."""

_INTEGER = All((KindIs(NUMBER), Multiple(Fraction(1))))
_SAMPLES: dict[Any, tuple[str, ...]] = {
    datetime.datetime: ("2020-01-01T00:00:00Z", "2020-01-01T00:00:00"),
    datetime.date: ("2020-01-01",),
    datetime.time: ("00:00:00", "00:00:00Z"),
    datetime.timedelta: ("PT1S", "P1D"),
    uuid.UUID: ("00000000-0000-4000-8000-000000000000",),
    decimal.Decimal: ("1", "1.5"),
}


class TypeForms:
    """The forms of the shapes of one type, each made once."""

    def __init__(self) -> None:
        self.made: dict[tuple[int, bool], Form] = {}
        self.later: dict[tuple[int, bool], Later] = {}
        self.shapes: list[Shape] = []

    def of(self, shape: Shape, *, among_tagged: bool = False) -> Form:
        """The form of a shape. among_tagged: it is one of several Structs told apart by their tags."""
        key = (id(shape), among_tagged)
        if key in self.made:
            return self.made[key]
        if key not in self.later:
            self.shapes.append(shape)  # an id is only its own while the shape lives
            self.later[key] = Later(lambda: self.made[key])
            self.made[key] = self.read(shape, among_tagged)
            return self.made[key]
        return self.later[key]

    def read(self, shape: Shape, among_tagged: bool) -> Form:
        match shape:
            case NullShape():
                return KindIs(NULL)
            case BoolShape():
                return KindIs(BOOLEAN)
            case UnsetShape():
                return NEVER
            case IntShape():
                return All((_INTEGER, *_bounds(shape.bounds, whole=True)))
            case FloatShape():
                return All((KindIs(NUMBER), *_bounds(shape.bounds, whole=False)))
            case StrShape():
                return All((KindIs(STRING), *_lengths(shape.bounds, STRING), *_pattern(shape.bounds)))
            case FormatShape():
                return _form(shape)
            case EnumShape() | LiteralShape():
                return _values(shape)
            case UnionShape():
                return self.union(shape)
            case ArrayShape() | TupleShape():
                return self.array(shape)
            case MapShape():
                return self.map(shape)
            case ObjectShape():
                return self.array_object(shape) if shape.array else self.object(shape, among_tagged)
            case AnyShape():
                raw = shape.type is msgspec.Raw
                return Opaque(EVERY, "msgspec.Raw", _test(shape.type)) if raw else ALWAYS
            case _:
                return self.custom(shape)

    def union(self, shape: UnionShape) -> Form:
        tagged = [
            m for m in shape.members if isinstance(m, ObjectShape) and m.tag_field is not None and not m.array
        ]
        native = len(tagged) > 1 and is_native(shape)
        parts: list[Form] = []
        for member in shape.members:
            form = self.of(member, among_tagged=native and member in tagged)
            if len(tagged) > 1 and not native and isinstance(member, ObjectShape) and member in tagged:
                # each member is tried by itself, so the tag may be missing; not relied on
                known = Has(member.tag_field or "")
                form = All((form, Some((known, Opaque(OBJECT, "whether an untagged union needs its tags")))))
            parts.append(form)
        return Some(tuple(parts))

    def array(self, shape: ArrayShape | TupleShape) -> Form:
        if isinstance(shape, TupleShape):
            items = tuple(Item(i, self.of(item)) for i, item in enumerate(shape.items))
            exactly = (Sized(ARRAY, len(items)), Not(Sized(ARRAY, len(items) + 1)))
            return All((KindIs(ARRAY), *exactly, *items))
        rest = Rest(0, self.of(shape.item))
        if shape.cls not in (set, frozenset):
            return All((KindIs(ARRAY), *_lengths(shape.bounds, ARRAY), rest))
        return All((KindIs(ARRAY), rest, *_set_lengths(shape.bounds), *_hashable(shape.item)))

    def map(self, shape: MapShape) -> Form:
        key = shape.key
        parts: list[Form] = [KindIs(OBJECT), Others(frozenset(), (), self.of(shape.value))]
        if isinstance(key, StrShape):
            parts += [] if key.bounds is None else [Names(self.of(key))]
        elif isinstance(key, (LiteralShape, EnumShape)) and all(isinstance(v, str) for v in key.values):
            parts.append(Names(self.of(key)))
        elif not isinstance(key, AnyShape) or key.type is object:
            parts.append(Names(_key_text(key)))
            if shape.bounds is not None:
                return All(
                    (*parts, Opaque(OBJECT, f"the size of {type_name(shape.type)}, whose keys may coincide"))
                )
        return All((*parts, *_lengths(shape.bounds, OBJECT)))

    def object(self, shape: ObjectShape, among_tagged: bool) -> Form:
        parts: list[Form] = [KindIs(OBJECT)]
        if shape.tag_field is not None:
            tag = among((shape.tag,))
            as_written = () if isinstance(shape.tag, str) else (Opaque(NUMBER, "a tag of 1.0 where it is 1"),)
            parts.append(Property(shape.tag_field, All((tag, *as_written))))
            parts += [Has(shape.tag_field)] if among_tagged else []
        parts += [Has(field.name) for field in shape.fields if field.required]
        parts += [Property(field.name, self.of(field.shape)) for field in shape.fields]
        if shape.closed:
            parts.append(Others(shape.names, (), NEVER))
        return All((*parts, *_own_checks(shape, OBJECT)))

    def array_object(self, shape: ObjectShape) -> Form:
        cls: Any = get_origin(shape.cls) or shape.cls
        required = [field.required for field in shape.fields]
        items = tuple(Item(i, self.of(field.shape)) for i, field in enumerate(shape.fields))
        parts: list[Form] = [KindIs(ARRAY)]
        if shape.tag_field is not None or required != sorted(required, reverse=True) or _holds_union(shape):
            return All((*parts, Opaque(ARRAY, f"how {type_name(shape.type)} is read from an array")))
        parts += [Sized(ARRAY, sum(required)), *items]
        if shape.closed or issubclass(cls, tuple):
            parts.append(Not(Sized(ARRAY, len(items) + 1)))
        return All((*parts, *_own_checks(shape, ARRAY)))

    def custom(self, shape: Shape) -> Form:
        cls = shape.cls if isinstance(shape, CustomShape) else shape.type
        return Opaque(EVERY, f"what {type_name(cls)} checks itself", _test(shape.type))


# --- leaves ---------------------------------------------------------------------------------------------------------


def _bounds(meta: Meta | None, *, whole: bool) -> list[Form]:
    if meta is None:
        return []
    parts: list[Form] = []
    for limit, inclusive, below in (
        (meta.lt, False, True),
        (meta.le, True, True),
        (meta.gt, True, False),
        (meta.ge, False, False),
    ):
        if limit is None:
            continue
        if not whole and abs(limit) >= _EXACT:
            parts.append(Opaque(NUMBER, "a bound of 2**53 or more on a float"))
        else:
            parts.append(Under(limit, inclusive) if below else Not(Under(limit, inclusive)))
    if meta.multiple_of is not None:
        exact = whole and isinstance(meta.multiple_of, int)
        parts.append(
            Multiple(Fraction(meta.multiple_of)) if exact else Opaque(NUMBER, "multiple_of on a float")
        )
    return parts


def _lengths(meta: Meta | None, kind: int) -> list[Form]:
    if meta is None:
        return []
    least = [Sized(kind, meta.min_length)] if meta.min_length else []
    most = [Not(Sized(kind, meta.max_length + 1))] if meta.max_length is not None else []
    return [*least, *most]


def _set_lengths(meta: Meta | None) -> list[Form]:
    """The length of a set is counted without duplicates, the length of an array with them."""
    if meta is None:
        return []
    why = "the length of a set, whose duplicates do not count"
    parts: list[Form] = []
    if meta.min_length is not None and meta.min_length > 0:
        parts.append(Sized(ARRAY, meta.min_length))
        parts += [Opaque(ARRAY, why)] if meta.min_length > 1 else []
    if meta.max_length is not None:
        parts.append(Some((Not(Sized(ARRAY, meta.max_length + 1)), Opaque(ARRAY, why))))
    return parts


def _hashable(item: Shape) -> list[Form]:
    simple = (IntShape, FloatShape, StrShape, BoolShape, NullShape, FormatShape, EnumShape, LiteralShape)
    members = item.members if isinstance(item, UnionShape) else (item,)
    return (
        []
        if all(isinstance(m, simple) for m in members)
        else [Opaque(ARRAY, "a set of what may not be hashable")]
    )


def _pattern(meta: Meta | None) -> list[Form]:
    return [] if meta is None or meta.pattern is None else [text_of_pattern(meta.pattern, python=True)]


def _converts(value: Any, tp: Any) -> bool | None:
    """Whether msgspec takes a value as this type. None when the user's class raises something else."""
    try:
        msgspec.convert(value, tp, str_keys=True, dec_hook=Decoding(DEFAULT_BUDGET).hook)
    except msgspec.ValidationError:
        return False
    except Exception:  # the user's own class may raise anything
        return None
    return True


def _test(tp: Any) -> Callable[[Any], bool | None]:
    @functools.cache
    def box() -> Any:
        return msgspec.defstruct("Box", [("value", tp)])

    def test(value: Any) -> bool | None:
        found = _converts({"value": value}, box())
        # the decoder may take what msgspec refuses, such as 1.0 for 1
        return None if found is False and isinstance(value, (dict, list, float)) else found

    return test


def _form(shape: FormatShape) -> Form:
    name = type_name(shape.cls)
    text = Text(
        ("form", shape.type),
        _test(shape.type),
        _SAMPLES.get(shape.cls, ("", "aaaa")),
        f"a string that is a {name}",
    )
    string = All((KindIs(STRING), text))
    return Some((KindIs(NUMBER), string)) if shape.cls is decimal.Decimal else string


def _values(shape: EnumShape | LiteralShape) -> Form:
    form: Form = among(shape.values)
    cls = getattr(shape, "cls", shape.type)
    cls = get_origin(cls) or cls
    if isinstance(cls, type) and issubclass(cls, enum.Enum):
        own = any("_missing_" in vars(c) for c in cls.__mro__ if c.__module__ != "enum")
        more = All((KindIs(NUMBER | STRING), Opaque(NUMBER | STRING, f"what {cls.__name__}._missing_ takes")))
        return Some((form, more)) if own else form
    return form


def _key_text(key: Shape) -> Form:
    """A name that is read as a key of another type than str."""

    of_keys: Any = dict.__class_getitem__((key.type, Any))
    name = type_name(key.type)
    return Text(
        ("key", key.type),
        lambda text: _converts({text: None}, of_keys),
        ("1", "2020-01-01", "a"),
        f"a name that is a {name}",
    )


# --- classes with checks of their own -------------------------------------------------------------------------------


def _own_checks(shape: ObjectShape, kind: int) -> list[Form]:
    cls: Any = get_origin(shape.cls) or shape.cls
    names = ("__post_init__", "__attrs_post_init__", "__attrs_pre_init__")
    own = any(hasattr(cls, name) for name in names) or _validates(cls)
    if tuple in cls.__mro__:
        own = own or "_make" not in vars(cls)  # a subclass of the NamedTuple, with a __new__ perhaps
    return [Opaque(kind, f"what {type_name(cls)} checks itself")] if own else []


def _validates(cls: Any) -> bool:
    fields = getattr(cls, "__attrs_attrs__", ())
    return any(
        getattr(f, "validator", None) is not None or getattr(f, "converter", None) is not None for f in fields
    )


def _holds_union(shape: Shape) -> bool:
    return any(isinstance(node, UnionShape) and not is_native(node) for node in nodes_of(shape))
