"""`typedtool list`: the tools of a server, one line each, and whether their outputSchema says anything."""

from __future__ import annotations

import argparse
import sys
from textwrap import shorten

from msgspec import UNSET, Struct

from typedtool.cli.servers import add_server, definitions, server_of
from typedtool.cli.terminal import Style, width
from typedtool.errors import BudgetExceeded, SchemaError
from typedtool.results.definitions import Definition
from typedtool.schemas.schema import parse_schema
from typedtool.schemas.summaries import ANY, summary
from typedtool.values.guards import is_object
from typedtool.values.printing import line

__all__ = ["Says", "add_arguments", "run", "says"]

_LOOSE = (ANY, "any object", "any array", "...")


class Says(Struct, frozen=True):
    """What a tool's outputSchema says of its values.

    kind: `"typed"`; `"loose"` where any value, object or array would do; `"none"`; `"unusable"`.
    text: in a few words, and where it is unusable, why.
    """

    kind: str
    text: str


def says(definition: Definition) -> Says:
    """What a tool's outputSchema says."""
    if definition.output_schema is UNSET:
        return Says("none", "no outputSchema")
    try:
        parse_schema(definition.output_schema)
    except (SchemaError, BudgetExceeded) as error:
        return Says("unusable", str(error))
    text = summary(definition.output_schema, _value_schema(definition))
    return Says("loose" if text in _LOOSE else "typed", text)


def _value_schema(definition: Definition) -> object:
    """The part of the outputSchema that describes the value: without the `{"result": ...}` around it, if there is one."""
    schema = definition.output_schema
    if is_object(schema) and (definition.wraps_result or definition.declares_result):
        properties = schema.get("properties")
        return properties.get("result", True) if is_object(properties) else True
    return schema


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `typedtool list`."""
    add_server(parser)


def run(options: argparse.Namespace) -> int:
    """Print a line for each tool, and one that counts them."""
    server = server_of(options)
    assert server is not None  # argparse requires one
    tools = definitions(server, options.timeout)
    style, columns = Style(sys.stdout), width()
    names = [line(tool.name, 40) for tool in tools]
    said = [says(tool) for tool in tools]
    shown = [line("unusable outputSchema" if s.kind == "unusable" else s.text, 34) for s in said]
    left, middle = max(map(len, names), default=0), max(map(len, shown), default=0)
    for tool, name, text, each in zip(tools, names, shown, said):
        room = columns - left - middle - 4
        about = shorten(line(tool.description), room, placeholder=" ...") if room >= 16 else ""
        colour = {"typed": style.good, "unusable": style.bad}.get(each.kind, style.faint)
        print(
            f"{style.strong(name)}{' ' * (left - len(name))}  {colour(text)}{' ' * (middle - len(text))}  {about}".rstrip()
        )
    print(style.faint(_count(said)))
    return 0


def _count(said: list[Says]) -> str:
    words = {
        "typed": "whose outputSchema says something",
        "loose": "with one that says nothing",
        "none": "without",
        "unusable": "unusable",
    }
    counts = [f"{n} {words[kind]}" for kind in words if (n := sum(s.kind == kind for s in said))]
    tools = f"{len(said)} tool{'' if len(said) == 1 else 's'}"
    return f"{tools}: {', '.join(counts)}" if counts else "the server lists no tools"
