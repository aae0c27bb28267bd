"""`typedtool draft`: a module with types drafted from recorded results, or from one call that is shown
before it is sent."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from typedtool.cli.generate import write
from typedtool.cli.inputs import records_file
from typedtool.cli.servers import File, add_server, definitions, server_of, using
from typedtool.cli.terminal import CommandError, json_text, say
from typedtool.clients.listing import list_tools
from typedtool.codegen.drafting import draft
from typedtool.codegen.generating import module_from
from typedtool.errors import BudgetExceeded
from typedtool.results.definitions import Definition, read_listing
from typedtool.results.recordings import Recorded, read_recorded
from typedtool.tools.tool import TypedTool
from typedtool.values.budgets import DEFAULT_BUDGET
from typedtool.values.guards import is_dict
from typedtool.values.json_text import NotJson, parse, utf8
from typedtool.values.printing import line

__all__ = ["add_arguments", "run"]

_USAGE = 2


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `typedtool draft`."""
    parser.add_argument(
        "tools", metavar="TOOL", nargs="*", help="only these tools (default: all with results)"
    )
    parser.add_argument(
        "--results",
        metavar="FILE",
        help='recorded results: a line of JSON each, {"tool": name or tools/list entry, "result": ...}',
    )
    parser.add_argument(
        "--call", metavar="JSON", help="call TOOL once with these arguments, and draft from what it answers"
    )
    parser.add_argument("-o", "--output", metavar="FILE", help="write here (default: the standard output)")
    add_server(parser, required=False)


def run(options: argparse.Namespace) -> int:
    """Draft, and write."""
    recorded: dict[str, Recorded] = {}
    if options.results is not None:
        recorded = read_recorded(records_file(options.results, "--results"), _listed(options))
    if options.call is not None:
        found = _called(options)
        recorded.setdefault(found.definition.name, Recorded(found.definition, [])).results.extend(
            found.results
        )
    if options.results is None and options.call is None:
        raise CommandError("give recorded results with --results FILE, or --call JSON", _USAGE)
    drafts = [
        draft(recorded[name].definition, recorded[name].results)
        for name in sorted(recorded)
        if not options.tools or name in options.tools
    ]
    for missing in sorted(set(options.tools) - recorded.keys()):
        say(f"note: no result of tool {line(missing, 60)!r}")
    source = module_from([d.types for d in drafts], "typedtool draft", "Drafted from results, a guess")
    if options.output is None:
        print(source, end="")
    else:
        write(Path(options.output), source)
    say(f"{len(drafts)} tools, drafted from {sum(len(d.samples) for d in drafts)} results")
    return 0


# --- the listing ---------------------------------------------------------------------------------------


def _listed(options: argparse.Namespace) -> dict[str, Definition]:
    server = server_of(options)
    if server is None or options.call is not None:
        return {}
    return {definition.name: definition for definition in definitions(server, options.timeout)}


# --- one call -----------------------------------------------------------------------------------------------


def _called(options: argparse.Namespace) -> Recorded:
    server = server_of(options)
    if server is None or isinstance(server, File):
        raise CommandError("--call: name the server with --stdio or --url", _USAGE)
    if len(options.tools) != 1:
        raise CommandError("--call: name the one tool to call", _USAGE)
    name: str = options.tools[0]
    arguments = _arguments(options.call)
    say(f"calling {line(name, 60)!r} with {json_text(arguments)[:2_000]}")

    async def call(client: Any) -> Recorded:
        listing = await list_tools(client)
        definition = next((d for d in read_listing(listing.tools) if d.name == name), Definition(name))
        outcome = await TypedTool(name, dict[str, Any], object).call(client, arguments)
        return Recorded(definition, [outcome.result])

    return using(server, call, options.timeout)


def _arguments(text: str) -> dict[str, Any]:
    try:
        value = parse(utf8(text), DEFAULT_BUDGET)
    except (NotJson, BudgetExceeded) as error:
        raise CommandError(f"--call: not JSON: {error}", _USAGE) from error
    if not is_dict(value):
        raise CommandError("--call: expected a JSON object", _USAGE)
    return value
