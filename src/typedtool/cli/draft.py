"""`typedtool draft`: a module with types drafted from recorded results, or from one call that is shown before it is
sent."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from typedtool.cli.generate import write
from typedtool.cli.inputs import json_object, records_file
from typedtool.cli.servers import add_server, definitions, live_server, server_of, using
from typedtool.cli.terminal import USAGE, CommandError, counted, json_text, say
from typedtool.clients.listing import list_tools
from typedtool.codegen.drafting import draft
from typedtool.codegen.generating import module_from
from typedtool.results.definitions import Definition, read_listing
from typedtool.results.recordings import Recorded, read_recorded
from typedtool.tools.tool import TypedTool
from typedtool.values.printing import line

__all__ = ["add_arguments", "run"]


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
    if options.results is None and options.call is None:
        raise CommandError("give recorded results with --results FILE, or --call JSON", USAGE)
    recorded = _recorded(options)
    chosen = options.tools or recorded
    drafts = [
        draft(found.definition, found.results) for name, found in sorted(recorded.items()) if name in chosen
    ]
    for missing in sorted(set(options.tools) - recorded.keys()):
        say(f"note: no result of tool {line(missing, 60)!r}")
    source = module_from([d.types for d in drafts], "typedtool draft", "Drafted from results, a guess")
    if options.output is None:
        print(source, end="")
    else:
        write(Path(options.output), source)
    samples = sum(len(d.samples) for d in drafts)
    say(f"{counted(len(drafts), 'tool')}, drafted from {counted(samples, 'result')}")
    return 0


def _recorded(options: argparse.Namespace) -> dict[str, Recorded]:
    """The results in the file, and that of the call."""
    recorded: dict[str, Recorded] = {}
    if options.results is not None:
        server = server_of(options) if options.call is None else None
        listed = () if server is None else definitions(server, options.timeout)
        records = records_file(options.results, "--results")
        recorded = read_recorded(records, {definition.name: definition for definition in listed})
    if options.call is not None:
        called = _called(options)
        recorded.setdefault(called.definition.name, Recorded(called.definition, [])).results += called.results
    return recorded


def _called(options: argparse.Namespace) -> Recorded:
    server = live_server(options)
    if len(options.tools) != 1:
        raise CommandError("--call: give exactly one TOOL, the one to call", USAGE)
    name: str = options.tools[0]
    arguments = json_object(options.call)
    say(f"calling {line(name, 60)!r} with {json_text(arguments)[:2_000]}")

    async def call(client: Any) -> Recorded:
        listing = await list_tools(client)
        definition = next((d for d in read_listing(listing.tools) if d.name == name), Definition(name))
        outcome = await TypedTool(name, dict[str, Any], object).call(client, arguments)
        return Recorded(definition, [outcome.result])

    return using(server, call, options.timeout)
