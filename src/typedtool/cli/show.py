"""`typedtool show TOOL`: what one tool takes and returns, and its schemas."""

from __future__ import annotations

import argparse
import sys

from msgspec import UNSET

from typedtool.cli.listings import find, promise
from typedtool.cli.servers import add_server, definitions, named_server
from typedtool.cli.terminal import Style, json_text, width, wrapped
from typedtool.schemas.summaries import outline
from typedtool.values.printing import line

__all__ = ["add_arguments", "run"]

_LINES = 60


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `typedtool show`."""
    parser.add_argument("tool", metavar="TOOL", help="the tool's name")
    parser.add_argument(
        "--full", action="store_true", help=f"print whole schemas, not only the first {_LINES} lines of each"
    )
    add_server(parser)


def run(options: argparse.Namespace) -> int:
    """Print the tool."""
    tool = find(definitions(named_server(options), options.timeout), options.tool)
    style, columns = Style(sys.stdout), width()
    print(style.strong(line(tool.name, columns)))
    if tool.description:
        print(wrapped("", line(tool.description, 1_000), columns))
    print()
    takes = "{...}" if tool.input_schema is UNSET else outline(tool.input_schema, columns - 7)
    print(f"takes  {'nothing' if takes in ('{}', '{...}') else _under(takes, 7)}")
    promised = promise(tool)
    if promised.kind == "unusable":
        print(wrapped("gives  ", promised.text, columns, ""))
    elif promised.kind == "none":
        print("gives  anything: no outputSchema is declared; the value may be structured or text")
    else:
        print(f"gives  {_under(outline(tool.output_schema, columns - 7), 7)}")
        if tool.describes_wrapper:
            print('       the value is in "result": typedtool unwraps it')
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
