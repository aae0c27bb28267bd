"""Questions to a listing that several commands ask: which tool has a name, and what an outputSchema promises."""

from __future__ import annotations

import difflib
from typing import Literal

from msgspec import UNSET, Struct

from typedtool.cli.terminal import say
from typedtool.errors import BudgetExceeded, SchemaError, ToolNotFound
from typedtool.results.definitions import Definition
from typedtool.schemas.schema import parse_schema
from typedtool.schemas.summaries import ANY, summary
from typedtool.values.guards import is_object

__all__ = ["Promise", "find", "promise"]

_LOOSE = (ANY, "any object", "any array", "...")


class Promise(Struct, frozen=True):
    """What a tool's outputSchema promises of its values.

    kind: `"typed"`; `"loose"` where any value, object or array is valid; `"none"`; `"unusable"`.
    text: the promise in a few words; for `"unusable"`, the reason.
    """

    kind: Literal["typed", "loose", "none", "unusable"]
    text: str


def promise(definition: Definition) -> Promise:
    """What the tool's outputSchema promises."""
    if definition.output_schema is UNSET:
        return Promise("none", "no outputSchema")
    try:
        parse_schema(definition.output_schema)
    except (SchemaError, BudgetExceeded) as error:
        return Promise("unusable", str(error))
    text = summary(definition.output_schema, _value_schema(definition))
    return Promise("loose" if text in _LOOSE else "typed", text)


def _value_schema(definition: Definition) -> object:
    """The subschema of the value: inside of `{"result": ...}` where the server wraps."""
    schema = definition.output_schema
    if is_object(schema) and definition.describes_wrapper:
        properties = schema.get("properties")
        return properties.get("result", True) if is_object(properties) else True
    return schema


def find(tools: tuple[Definition, ...], name: str) -> Definition:
    """The tool of this name, the first of several. Raises ToolNotFound, with the names that are near."""
    found = [tool for tool in tools if tool.name == name]
    if not found:
        names = [tool.name for tool in tools[:2_000]]
        raise ToolNotFound(name, tuple(difflib.get_close_matches(name, names, 3, 0.5)))
    if len(found) > 1:
        say(f"note: the server lists {len(found)} tools of this name: this is the first")
    return found[0]
