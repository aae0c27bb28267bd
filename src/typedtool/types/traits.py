"""What the decode rules ask of a type, answered once from its shape."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from typedtool.errors import BudgetExceeded
from typedtool.types.conversion import Converter, NotFit, NotJsonValue
from typedtool.types.shapes import (
    AnyShape,
    ArrayShape,
    MapShape,
    NullShape,
    ObjectShape,
    Shape,
    StrShape,
    TupleShape,
    kinds,
    members,
)
from typedtool.values.budgets import Budget
from typedtool.values.guards import is_array, is_object
from typedtool.values.locations import dereferenced

__all__ = ["Traits", "elements_lost"]


class Traits(Struct, frozen=True):
    """What the rules ask of `Out`.

    takes_null, takes_string: null decodes; some string decodes.
    is_text: the type is `str`.
    is_open: it takes any object (`dict`, `object`, `Any`).
    reads_result: it is an object with a field `result`, or a union with one.
    is_union: it has several members.
    is_sequence: it is a sequence, or an optional one.
    length: the number of elements, where it is fixed.
    items: the converter of every element, or one converter for each element of a fixed length.
    """

    takes_null: bool
    takes_string: bool
    is_text: bool
    is_open: bool
    reads_result: bool
    is_union: bool
    is_sequence: bool
    length: int | None = None
    items: tuple[Converter, ...] = ()

    @staticmethod
    def of(shape: Shape) -> Traits:
        """The traits of a shape."""
        takes = kinds(shape)
        parts = members(shape)
        given = [m for m in parts if not isinstance(m, NullShape)]
        only = given[0] if len(given) == 1 else None
        sequence = only if isinstance(only, (ArrayShape, TupleShape)) or _is_array_object(only) else None
        items = _items(sequence)
        return Traits(
            "null" in takes,
            "string" in takes,
            isinstance(shape, StrShape),
            any(isinstance(m, (AnyShape, MapShape)) for m in parts),
            any(isinstance(m, ObjectShape) and "result" in m.names for m in parts),
            len(parts) > 1,
            sequence is not None,
            None if sequence is None or isinstance(sequence, ArrayShape) else len(items),
            tuple(Converter(item.type, shape=item) for item in items),
        )

    def item(self, i: int) -> Converter | None:
        """The converter of element `i`; None past a fixed length."""
        if self.length is None:
            return self.items[0]
        return self.items[i] if i < self.length else None

    def item_is_text(self, i: int) -> bool:
        """Whether element `i` is `str`, so that its block's text is taken as it is."""
        item = self.item(i)
        return item is not None and isinstance(item.shape, StrShape)

    def item_fits(self, i: int, value: Any, budget: Budget) -> bool:
        """Whether a JSON value decodes to an element `i`."""
        item = self.item(i)
        if item is None:
            return True
        try:
            item.convert(value, budget, parsed=True)
        except (NotFit, NotJsonValue, BudgetExceeded):
            return False
        return True

    def item_fits_bare(self, i: int, text: str, budget: Budget) -> bool:
        """Whether bare text decodes to an element `i`. False for `Any` and `object`."""
        item = self.item(i)
        if item is None or any(isinstance(m, AnyShape) for m in members(item.shape)):
            return False
        return self.item_fits(i, text, budget)

    @property
    def items_take_strings(self) -> bool:
        """Whether a bare text may be the only element."""
        return bool(self.items) and any(
            "string" in kinds(m) and not isinstance(m, AnyShape) for m in members(self.items[0].shape)
        )

    @property
    def items_take_arrays(self) -> bool:
        """Whether the elements are arrays themselves, as far as the type says."""
        return self.length is None and _says(self.items, "array")

    @property
    def items_take_null(self) -> bool:
        """Whether an element may be None, as far as the type says."""
        return self.length is None and _says(self.items, "null")


def _says(items: tuple[Converter, ...], kind: str) -> bool:
    return any(kind in kinds(m) for item in items for m in members(item.shape) if not isinstance(m, AnyShape))


def _is_array_object(shape: Shape | None) -> bool:
    return isinstance(shape, ObjectShape) and shape.array


def _items(sequence: Shape | None) -> list[Shape]:
    match sequence:
        case ArrayShape():
            return [sequence.item]
        case TupleShape():
            return list(sequence.items)
        case ObjectShape():
            return [field.shape for field in sequence.fields]
        case _:
            return []


def elements_lost(traits: Traits, schema: object) -> str:
    """Which elements a result of one block an element loses: "null", "an array", or "" for none.

    Servers that flatten lists drop nulls and flatten inner lists. The type or the schema says that an element may be one.
    """
    if traits.length is not None:  # the count of the blocks shows it
        return ""
    if traits.items_take_null or "null" in _element_kinds(schema):
        return "null"
    return "an array" if traits.items_take_arrays or "array" in _element_kinds(schema) else ""


def _element_kinds(schema: object) -> set[str]:
    """The kinds that a schema names for the elements of its array, in `{"result": ...}` or not."""
    root = schema
    for _ in range(8):
        schema = dereferenced(schema, root)
        if not is_object(schema):
            return set()
        properties = schema.get("properties")
        if is_object(properties) and set(properties) == {"result"}:
            schema = properties["result"]
            continue
        if "items" in schema:
            return _kinds_named(schema["items"], root, 8)
        options = schema.get("anyOf", schema.get("oneOf"))
        arrays = [o for o in options if is_object(o) and "items" in o] if is_array(options) else []
        if len(arrays) != 1:
            return set()
        schema = arrays[0]
    return set()


def _kinds_named(schema: object, root: object, depth: int) -> set[str]:
    schema = dereferenced(schema, root)
    if not is_object(schema) or depth == 0:
        return set()
    said = schema.get("type")
    found = {kind for kind in (said if is_array(said) else [said]) if isinstance(kind, str)}
    for keyword in ("anyOf", "oneOf"):
        options = schema.get(keyword)
        for option in options[:20] if is_array(options) else ():
            found |= _kinds_named(option, root, depth - 1)
    return found
