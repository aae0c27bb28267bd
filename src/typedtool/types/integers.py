"""Integral floats: `1.0` is an integer in JSON Schema, and none to msgspec and pydantic."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from typedtool.types.shapes import (
    ArrayShape,
    FloatShape,
    MapShape,
    ObjectShape,
    Shape,
    TupleShape,
    UnionShape,
    kinds,
)
from typedtool.values.guards import is_items, is_mapping

__all__ = ["integral", "with_integers"]

_UNCHANGED = frozenset((str, int, bool, type(None)))


def with_integers(shape: Shape, value: Any) -> Any:
    """Returns `value` with `1.0` as `1` wherever the shape wants an integer and takes no float.

    JSON Schema's `integer` takes `1.0`, msgspec's int does not. Returns the same object where nothing changed.
    """
    if value.__class__ in _UNCHANGED:
        return value
    if isinstance(value, float):
        if isinstance(shape, FloatShape) or not value.is_integer():
            return value
        takes = kinds(shape)
        return int(value) if "integer" in takes and "number" not in takes else value
    if isinstance(shape, UnionShape):
        changes = (with_integers(member, value) for member in shape.members)
        return next((changed for changed in changes if changed is not value), value)
    changed = {
        key: new
        for key, inner, part in _typed_parts(shape, value)
        if (new := with_integers(inner, part)) is not part
    }
    if not changed:
        return value
    if is_mapping(value):
        return {**value, **changed}
    return [changed.get(i, part) for i, part in enumerate(value)]


def _typed_parts(shape: Shape, value: Any) -> Iterator[tuple[Any, Shape, Any]]:
    """The keys and parts of a value that the shape has a type for."""
    if is_items(value):
        match shape:
            case ArrayShape():
                yield from ((i, shape.item, part) for i, part in enumerate(value))
            case TupleShape():
                yield from ((i, item, part) for i, (item, part) in enumerate(zip(shape.items, value)))
            case ObjectShape(array=True):
                first = int(shape.tag_field is not None)  # the tag comes first
                typed = zip(shape.fields, value[first:])
                yield from ((i, field.shape, part) for i, (field, part) in enumerate(typed, first))
            case _:
                pass
    elif is_mapping(value):
        match shape:
            case MapShape():
                yield from ((key, shape.value, part) for key, part in value.items())
            case ObjectShape(array=False) if value.get(shape.tag_field, shape.tag) == shape.tag:
                for field in shape.fields:
                    if field.name in value:
                        yield field.name, field.shape, value[field.name]
            case _:
                pass


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
