"""The same types at run time: `types_for(tool) -> (In, Out)`, for notebooks and gateways.

Nothing is compiled: Structs are made by `msgspec.defstruct`, and get their annotations once all of them exist, so that
they may hold one another. An annotation is the expression that `writing` makes of a type, evaluated here node by node.
"""

from __future__ import annotations

import ast
import datetime
import decimal
import uuid
from collections.abc import Mapping
from typing import Annotated, Any, Literal, Union

import msgspec
from msgspec import UNSET, Meta, UnsetType

from typedtool.codegen.layout import union_members
from typedtool.codegen.planning import plan, rename_of
from typedtool.codegen.scalars import Formats
from typedtool.codegen.tool_types import ToolTypes, read_tool
from typedtool.codegen.type_tree import Record, Type, records_in
from typedtool.codegen.writing import annotation_of, type_expression
from typedtool.results.definitions import read_definition
from typedtool.types.hints import OneOf
from typedtool.values.budgets import DEFAULT_BUDGET, Budget

__all__ = ["build", "types_for"]

_BUILTINS: tuple[type, ...] = (object, bool, int, float, str, list, dict, tuple)
_NAMES: dict[str, Any] = {
    **{tp.__name__: tp for tp in _BUILTINS},
    "Annotated": Annotated,
    "Decimal": decimal.Decimal,
    "Literal": Literal,
    "Meta": Meta,
    "OneOf": OneOf,
    "UUID": uuid.UUID,
    "UnsetType": UnsetType,
    "dt": datetime,
}


def types_for(
    tool: object, *, formats: Formats = "exact", budget: Budget = DEFAULT_BUDGET
) -> tuple[Any, Any]:
    """The types of a tool, `(In, Out)`: what `generate` would write. `In` is None where it takes no argument.

    tool: an entry of tools/list, an SDK `Tool` or a wire dict.

    A schema that cannot be used gives `object`, for the input `dict[str, object]`. Raises TypeError where `tool` is no
    tool.

    Example:
        >>> types_for({"name": "now", "inputSchema": {"type": "object"}, "outputSchema": {"type": "array"}})
        (None, list[object])
    """
    return build(read_tool(read_definition(tool), formats=formats, budget=budget))


def build(types: ToolTypes) -> tuple[Any, Any]:
    """The types of a tool that was read, or drafted."""
    [planned] = plan([types]).tools
    records = {record.name: record for record in records_in(*planned.types.roots)}
    names = {**_NAMES, **{name: _struct(record) for name, record in records.items()}}
    for name, record in records.items():
        for item in record.properties:
            names[name].__annotations__[item.attribute] = _evaluated(annotation_of(item), names)
    return (None if types.input is None else _type(types.input, names)), _type(types.output, names)


def _struct(record: Record) -> Any:
    style, renamed = rename_of(record)
    fields: list[Any] = []
    for item in record.properties:
        options: dict[str, Any] = {} if item.required else {"default": UNSET}
        if item.attribute in renamed:
            options["name"] = renamed[item.attribute]
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


def _type(tp: Type, names: Mapping[str, Any]) -> Any:
    return _evaluated(type_expression(tp), names)


def _evaluated(node: ast.expr, names: Mapping[str, Any]) -> Any:
    """What an expression of `writing` stands for."""
    match node:
        case ast.Name(id=name):
            return names[name]
        case ast.Constant(value=value):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_evaluated(operand, names)
        case ast.Tuple(elts=items):
            return tuple(_evaluated(item, names) for item in items)
        case ast.Attribute(value=value, attr=attr):
            return getattr(_evaluated(value, names), attr)
        case ast.Subscript(value=value, slice=inside):
            return _evaluated(value, names)[_evaluated(inside, names)]
        case ast.BinOp(op=ast.BitOr()):
            return Union[tuple(_evaluated(member, names) for member in union_members(node))]
        case ast.Call(func=func, keywords=keywords):
            return _evaluated(func, names)(**{k.arg or "": _evaluated(k.value, names) for k in keywords})
        case _:
            raise AssertionError(f"no type is written as {type(node).__name__}")
