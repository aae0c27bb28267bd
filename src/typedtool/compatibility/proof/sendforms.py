"""Forms of what the values of a type are sent as: `msgspec.to_builtins`, without unset fields, with defaults.

The values are those that the type itself accepts: msgspec checks no field of a Struct that is made in Python.
"""

from __future__ import annotations

import decimal
from typing import Any, get_origin

import msgspec
from msgspec import UNSET, Struct
from typing_extensions import is_typeddict

from typedtool.compatibility.proof.forms import (
    ALWAYS,
    ARRAY,
    EVERY,
    NEVER,
    OBJECT,
    STRING,
    All,
    Form,
    Has,
    KindIs,
    Opaque,
    Others,
    Property,
    Some,
    among,
)
from typedtool.compatibility.proof.typeforms import TypeForms
from typedtool.types.hooks import encode_custom
from typedtool.types.plan import plan_of
from typedtool.types.shapes import (
    AnyShape,
    ArrayShape,
    Field,
    FormatShape,
    ObjectShape,
    Shape,
    UnionShape,
    UnsetShape,
    members,
)
from typedtool.values.budgets import DEFAULT_BUDGET

__all__ = ["SendForms", "sends"]


class SendForms(TypeForms):
    """The forms of what the shapes of a type are sent as."""

    def read(self, shape: Shape, among_tagged: bool) -> Form:
        match shape:
            case FormatShape() if shape.cls is decimal.Decimal:
                return All((KindIs(STRING), Opaque(STRING, "a string that is a Decimal")))
            case AnyShape():
                return Opaque(EVERY, "msgspec.Raw") if shape.type is msgspec.Raw else ALWAYS
            case ArrayShape() if shape.cls in (set, frozenset):
                return All(
                    (super().read(shape, among_tagged), Opaque(ARRAY, "the order and sameness in a set"))
                )
            case _:
                return super().read(shape, among_tagged)

    def union(self, shape: UnionShape) -> Form:
        return Some(tuple(self.of(member) for member in shape.members))

    def object(self, shape: ObjectShape, among_tagged: bool) -> Form:
        cls: Any = get_origin(shape.cls) or shape.cls
        parts: list[Form] = [KindIs(OBJECT)]
        if shape.tag_field is not None:
            parts += [Has(shape.tag_field), Property(shape.tag_field, among((shape.tag,)))]
        parts += [Has(field.name) for field in shape.fields if _always_sent(cls, field)]
        parts += [Property(field.name, self.of(field.shape)) for field in shape.fields]
        parts.append(Others(shape.names, (), NEVER))
        checks = [] if is_typeddict(cls) else self.own(shape)
        return All((*parts, *checks))

    def own(self, shape: ObjectShape) -> list[Form]:
        cls: Any = get_origin(shape.cls) or shape.cls
        own = hasattr(cls, "__post_init__") or not issubclass(cls, Struct)
        return [Opaque(OBJECT, "what the class makes of its fields")] if own and not is_typeddict(cls) else []

    def array_object(self, shape: ObjectShape) -> Form:
        return All((KindIs(ARRAY), Opaque(ARRAY, "an object that is sent as an array")))


def _always_sent(cls: Any, field: Field) -> bool:
    if (
        any(isinstance(m, UnsetShape) for m in members(field.shape))
        or field.default is UNSET
        and not field.required
        and is_typeddict(cls)
    ):
        return False
    config = getattr(cls, "__struct_config__", None)
    return field.required or not (config is not None and config.omit_defaults) and not is_typeddict(cls)


def sends(tp: Any, value: Any) -> bool:
    """Whether some value of the type is sent as exactly this: it decodes into one, which is sent as it."""
    converter = plan_of(tp).converter
    made = converter.convert(value, DEFAULT_BUDGET)
    if isinstance(made, Struct) and isinstance(converter.shape, ObjectShape):
        for field in converter.shape.fields:
            if field.name not in value and any(isinstance(m, UnsetShape) for m in members(field.shape)):
                msgspec.structs.force_setattr(made, field.attribute, UNSET)
    sent = msgspec.json.encode(made, enc_hook=encode_custom)
    return bool(msgspec.json.decode(sent) == value)
