"""`typedtool call TOOL`: the value as JSON on the standard output, its source on the standard error."""

from __future__ import annotations

import argparse
import sys
import warnings
from typing import Any

import msgspec
from msgspec import UNSET
from typing_extensions import assert_never

from typedtool.cli.expressions import type_of
from typedtool.cli.inputs import json_object
from typedtool.cli.servers import add_server, live_server, using
from typedtool.cli.terminal import USAGE, CommandError, json_text, say
from typedtool.clients.faults import refusal
from typedtool.decoding.decoder import Decoder
from typedtool.errors import TypedToolError, TypedToolWarning
from typedtool.results.outcomes import InputRequired, Mismatch, Ok, Outcome, ToolFailed, error_of
from typedtool.tools.tool import TypedTool
from typedtool.types.hooks import encode_custom
from typedtool.values.printing import line

__all__ = ["add_arguments", "run"]

_LINES = 200


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `typedtool call`."""
    parser.add_argument("tool", metavar="TOOL", help="the tool's name")
    parser.add_argument(
        "arguments", metavar="JSON", nargs="?", default="{}", help="the arguments, a JSON object"
    )
    parser.add_argument(
        "--as",
        dest="type",
        metavar="TYPE",
        default="Any",
        help="decode as this type: list[int], or mymodule:MyStruct",
    )
    parser.add_argument(
        "--no-schema",
        action="store_true",
        help="do not list the tools first, and check nothing against the server's schemas",
    )
    add_server(parser)


def run(options: argparse.Namespace) -> int:
    """Call the tool once, and print its value or its outcome."""
    arguments = json_object(options.arguments)
    output = type_of(options.type)
    server = live_server(options)
    try:
        Decoder(output)
        tool: TypedTool[Any, Any] = TypedTool(options.tool, dict[str, Any], output)
    except TypeError as error:
        raise CommandError(f"--as: {line(str(error), 300)}", USAGE) from error
    return _printed(
        using(server, lambda client: _called(tool, client, arguments, not options.no_schema), options.timeout)
    )


async def _called(
    tool: TypedTool[Any, Any], client: Any, arguments: dict[str, Any], bound: bool
) -> Outcome[Any]:
    # the SDK's Client answers a request for input itself, again and again; its session hands it on
    client = getattr(client, "session", client)
    try:
        if not bound:
            return await tool.call(client, arguments)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", TypedToolWarning)  # the report says the same
            ready = await tool.bind(client)
        for finding in ready.report:
            say(f"{finding}")
        return await ready.call(arguments)
    except TypedToolError:
        raise
    except Exception as error:
        why = refusal(error, client) or f"{type(error).__name__}: {line(str(error))}"
        raise CommandError(f"the call of {line(tool.name, 80)!r} failed: {why}") from error


def _printed(outcome: Outcome[Any]) -> int:
    match outcome:
        case Ok():
            _print_value(outcome.value)
            say(f"source: {outcome.source}{', unwrapped' if outcome.unwrapped else ''}")
            return 0
        case ToolFailed():
            code = 3
        case Mismatch():
            code = 4
        case InputRequired():
            code = 5
        case _:
            assert_never(outcome)
    say(f"{type(outcome).__name__}: {line(str(error_of(outcome)), 1_500)}")
    if outcome.result.structured is not UNSET:
        say(f"received: {line(json_text(outcome.result.structured), 1_000)}")
    elif isinstance(outcome, Mismatch):
        say(f"received: {line(' | '.join(outcome.result.texts) or 'nothing', 1_000)}")
    return code


def _print_value(value: Any) -> None:
    """Print the value as JSON, in full to a file or a pipe, cut on a terminal."""
    try:
        plain = msgspec.to_builtins(value, str_keys=True, enc_hook=encode_custom)
    except (TypeError, NotImplementedError) as error:
        raise CommandError(f"the value has no JSON form: {line(str(error))}") from error
    lines = json_text(plain, indent=2).split("\n")
    shown = lines[:_LINES] if sys.stdout.isatty() else lines
    print("\n".join(shown))
    if len(lines) > len(shown):
        say(f"... {len(lines) - len(shown)} more lines: a pipe or a file gets the whole value")
