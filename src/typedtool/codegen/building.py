"""The same types at run time: `types_for(tool) -> (In, Out)`, for notebooks and gateways.

Nothing is compiled from text: Structs are made by `msgspec.defstruct`, and get their annotations once all of
them exist, so that they may hold one another.
"""

from __future__ import annotations

import datetime
import decimal
import uuid
from collections.abc import Mapping
from typing import Annotated, Any, Literal, Union

import msgspec
from msgspec import UNSET, Meta, UnsetType

from typedtool.codegen.bindings import ToolTypes, read_tool
from typedtool.codegen.ir import (
    Anything,
    Array,
    Bool,
    Bounds,
    Choice,
    Either,
    Fixed,
    Float,
    Form,
    Int,
    Made,
    Map,
    Null,
    Record,
    Text,
    Type,
    records_in,
)
from typedtool.codegen.planning import plan
from typedtool.codegen.reading import Formats
from typedtool.codegen.renaming import rename_of
from typedtool.results.definitions import read_definition
from typedtool.types.hints import OneOf
from typedtool.values.budgets import DEFAULT_BUDGET, Budget

__all__ = ["build", "types_for"]

_FORMS = {
    "datetime": datetime.datetime,
    "date": datetime.date,
    "time": datetime.time,
    "UUID": uuid.UUID,
    "Decimal": decimal.Decimal,
}


def types_for(
    tool: object, *, formats: Formats = "exact", budget: Budget = DEFAULT_BUDGET
) -> tuple[Any, Any]:
    """The types of a tool, `(In, Out)`: what `generate` would write. `In` is None where it takes no argument.

    tool: an entry of tools/list, an SDK `Tool` or a wire dict.

    A schema that cannot be used gives `object`, an input `dict[str, object]`. Raises TypeError for what is
    no tool.

    Example:
        >>> types_for({"name": "now", "inputSchema": {"type": "object"}, "outputSchema": {"type": "array"}})
        (None, list[object])
    """
    return build(read_tool(read_definition(tool), formats=formats, budget=budget))


def build(types: ToolTypes) -> tuple[Any, Any]:
    """The types of a tool that was read, or drafted."""
    planned = plan([types]).tools[0]
    classes = _classes({record.name: record for record in records_in(*planned.types.roots)})
    output = _type(types.output, classes)
    return (None if types.input is None else _type(types.input, classes)), output


def _classes(records: Mapping[str, Record]) -> dict[str, Any]:
    made = {name: _struct(record) for name, record in records.items()}
    for name, record in records.items():
        for item in record.properties:
            tp = _type(item.type, made)
            if not item.required and not isinstance(item.type, Anything):
                tp = Union[tp, UnsetType]
            made[name].__annotations__[item.attribute] = tp
    return made


def _struct(record: Record) -> Any:
    style, names = rename_of(record)
    fields: list[Any] = []
    for item in record.properties:
        options: dict[str, Any] = {} if item.required else {"default": UNSET}
        if item.attribute in names:
            options["name"] = names[item.attribute]
        fields.append((item.attribute, object, *([msgspec.field(**options)] if options else [])))
    return msgspec.defstruct(
        record.name,
        fields,
        kw_only=True,
        rename=style,
        tag_field=record.tag_field,
        tag=record.tag,
        forbid_unknown_fields=record.closed,
        module=__name__,
        namespace={"__doc__": record.description or None},
    )


def _type(tp: Type, classes: Mapping[str, Any]) -> Any:
    """A type as it is at run time."""
    match tp:
        case Anything():
            return object
        case Null():
            return None
        case Bool():
            return bool
        case Int():
            return _bounded(int, tp.bounds)
        case Float():
            return _bounded(float, tp.bounds)
        case Text():
            return _bounded(str, tp.bounds)
        case Form():
            return _FORMS[tp.name]
        case Choice():
            return Literal[tp.values]
        case Array():
            return _bounded(list[_type(tp.item, classes)], tp.bounds)  # type: ignore[misc]
        case Map():
            return _bounded(dict[str, _type(tp.value, classes)], tp.bounds)  # type: ignore[misc]
        case Fixed():
            return tuple[tuple(_type(item, classes) for item in tp.items)]  # type: ignore[misc]
        case Made():
            return classes[tp.record.name]
        case Either():
            members = tuple(_type(member, classes) for member in tp.members)
            union: Any = Union if tp.native else OneOf
            return union[members]


def _bounded(tp: Any, bounds: Bounds) -> Any:
    arguments: dict[str, Any] = dict(bounds)
    return Annotated[tp, Meta(**arguments)] if arguments else tp
