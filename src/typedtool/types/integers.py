"""Integral floats: `1.0` is an integer in JSON Schema, and none to msgspec and pydantic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from typedtool.types.shapes import (
    ArrayShape,
    EnumShape,
    IntShape,
    LiteralShape,
    MapShape,
    ObjectShape,
    Shape,
    TupleShape,
    UnionShape,
    kinds,
)
from typedtool.values.guards import is_items, is_mapping

__all__ = ["integral", "with_integers"]


def with_integers(shape: Shape, value: Any) -> Any:
    """Returns `value` with `1.0` as `1` wherever the shape wants an integer and takes no float.

    JSON Schema's `integer` takes `1.0`, msgspec's int does not. Returns the same object where nothing changed.
    """
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


def integral(value: Any) -> Any:
    """Returns `value` with every integral float as an integer; the same object where there is none."""
    if isinstance(value, float):
        return int(value) if value.is_integer() else value
    if is_mapping(value):
        changed = {k: integral(v) for k, v in value.items()}
        return changed if any(changed[k] is not v for k, v in value.items()) else value
    if is_items(value):
        items = [integral(v) for v in value]
        return items if any(a is not b for a, b in zip(items, value)) else value
    return value
