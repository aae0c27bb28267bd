"""`typedtool show TOOL`: what one tool takes, what it gives, and its schemas."""

from __future__ import annotations

import argparse
import difflib
import sys

from msgspec import UNSET

from typedtool.cli.list import says
from typedtool.cli.servers import add_server, definitions, server_of
from typedtool.cli.terminal import Style, json_text, say, width, wrapped
from typedtool.errors import ToolNotFound
from typedtool.results.definitions import Definition
from typedtool.schemas.summaries import sketch
from typedtool.values.printing import line

__all__ = ["add_arguments", "find", "run"]

_LINES = 60


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `typedtool show`."""
    parser.add_argument("tool", metavar="TOOL", help="the tool's name")
    parser.add_argument(
        "--full", action="store_true", help=f"whole schemas, not the first {_LINES} lines of each"
    )
    add_server(parser)


def find(tools: tuple[Definition, ...], name: str) -> Definition:
    """The tool of this name, the first where there are several. Raises ToolNotFound."""
    found = [tool for tool in tools if tool.name == name]
    if not found:
        names = [tool.name for tool in tools[:2_000]]
        raise ToolNotFound(name, tuple(difflib.get_close_matches(name, names, 3, 0.5)))
    if len(found) > 1:
        say(f"note: the server lists {len(found)} tools of this name: this is the first")
    return found[0]


def run(options: argparse.Namespace) -> int:
    """Print the tool."""
    server = server_of(options)
    assert server is not None  # argparse requires one
    tool = find(definitions(server, options.timeout), options.tool)
    style, columns = Style(sys.stdout), width()
    print(style.strong(line(tool.name, columns)))
    if tool.description:
        print(wrapped("", line(tool.description, 1_000), columns))
    print()
    takes = "{...}" if tool.input_schema is UNSET else sketch(tool.input_schema, columns - 7)
    print(f"takes  {'nothing' if takes in ('{}', '{...}') else _under(takes, 7)}")
    said = says(tool)
    if said.kind == "unusable":
        print(wrapped("gives  ", said.text, columns, ""))
    elif said.kind == "none":
        print("gives  anything: no outputSchema is declared; the value may be structured or text")
    else:
        print(f"gives  {_under(sketch(tool.output_schema, columns - 7), 7)}")
        if tool.wraps_result or tool.declares_result:
            print('       the value is what stands in "result": typedtool unwraps it')
    for title, schema in (("inputSchema", tool.input_schema), ("outputSchema", tool.output_schema)):
        if schema is not UNSET:
            print(f"\n{style.strong(title)}")
            _print_json(schema, options.full)
    return 0


def _under(text: str, columns: int) -> str:
    return text.replace("\n", "\n" + " " * columns)


def _print_json(schema: object, full: bool) -> None:
    lines = json_text(schema, indent=2).split("\n")
    shown = lines if full or len(lines) <= _LINES + 1 else lines[:_LINES]
    for each in shown:
        print(f"  {each if full or len(each) <= 400 else each[:397] + '...'}")
    if len(lines) > len(shown):
        print(f"  ... {len(lines) - len(shown)} more lines: --full")
