"""`typedtool generate`: a server's tools as a Python module, or what changed since the one that is there was made."""

from __future__ import annotations

import argparse
import collections
import fnmatch
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

from typedtool.cli.inputs import json_file, listing_file, records_file
from typedtool.cli.servers import File, add_server, checked_listing, named_server, using
from typedtool.cli.terminal import USAGE, CommandError, counted, say
from typedtool.clients.calls import ServerInfo, server_info
from typedtool.clients.listing import Listing, list_tools
from typedtool.codegen.checking import changes
from typedtool.codegen.generating import Generated, compile_listing, server_info_in
from typedtool.results.definitions import Definition
from typedtool.results.recordings import read_recorded
from typedtool.values.printing import line

__all__ = ["add_arguments", "run", "write"]

_MOST_CHANGES = 20
_KINDS = {
    "object": "parts that no type can carry, and so are object",
    "merged": "alternatives of one kind, made one type",
    "kept": "constraints that only validation holds",
    "refused": "schemas that cannot be used",
    "silent": "tools without an outputSchema",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `typedtool generate`."""
    parser.add_argument("-o", "--output", metavar="FILE", help="write here (default: the standard output)")
    parser.add_argument(
        "--check", action="store_true", help="write nothing: exit 1 if FILE is stale, and say what changed"
    )
    parser.add_argument(
        "--split", action="store_true", help="a module a tool, in a package: FILE is its directory"
    )
    parser.add_argument(
        "--only", metavar="GLOB", action="append", default=[], help="only tools of such names"
    )
    parser.add_argument(
        "--exclude", metavar="GLOB", action="append", default=[], help="no tools of such names"
    )
    parser.add_argument("--no-inputs", action="store_true", help="every tool takes a dict[str, object]")
    parser.add_argument(
        "--formats",
        choices=["none", "exact", "all"],
        default="exact",
        help="string formats that become types: date, uuid and decimal (exact), also date-time and time (all)",
    )
    parser.add_argument(
        "--sample",
        metavar="FILE",
        action="append",
        default=[],
        help='recorded results, {"tool": name, "result": ...} each: a tool without an outputSchema gets a type that '
        "is drafted from them, as a guess",
    )
    parser.add_argument("-v", "--verbose", action="store_true", help="list every note, not only their number")
    add_server(parser)


def run(options: argparse.Namespace) -> int:
    """Generate, and write or compare."""
    for option, what in (
        ("check", "module with --output FILE"),
        ("split", "package with --output DIRECTORY"),
    ):
        if getattr(options, option) and options.output is None:
            raise CommandError(f"--{option}: name the {what}", USAGE)
    tools, server = _listed(options)
    records = [record for file in options.sample for record in records_file(file, "--sample")]
    made = compile_listing(
        tools,
        server=server,
        command=_command(options),
        only=_chosen(options.only, options.exclude),
        inputs=not options.no_inputs,
        formats=options.formats,
        samples={name: found.results for name, found in read_recorded(records, {}).items()},
        split=options.split,
    )
    if options.check:
        return max(_check(path, text) for path, text in sorted(_files(options.output, made).items()))
    if options.output is None:
        print(made.source, end="")
    else:
        for path, text in _files(options.output, made).items():
            write(path, text)
    _tell(made, options.verbose)
    return 0


def _files(output: str, made: Generated) -> dict[Path, str]:
    target = Path(output)
    return {target / f"{name}.py": text for name, text in made.parts.items()} or {target: made.source}


# --- the listing --------------------------------------------------------------------------------------------


def _listed(options: argparse.Namespace) -> tuple[tuple[Definition, ...], ServerInfo]:
    server = named_server(options)
    if isinstance(server, File):
        path = server.path
        return listing_file(path, "--listing"), server_info_in(json_file(path, "--listing"))

    async def listing(client: Any) -> tuple[Listing, ServerInfo]:
        return await list_tools(client), server_info(client)

    listed, info = using(server, listing, options.timeout)
    tools = checked_listing(listed)
    if listed.fault is not None:
        raise CommandError("nothing is generated from a part of the tools")
    return tools, info


def _chosen(only: list[str], exclude: list[str]) -> Callable[[str], bool]:
    def chosen(name: str) -> bool:
        wanted = not only or any(fnmatch.fnmatchcase(name, glob) for glob in only)
        return wanted and not any(fnmatch.fnmatchcase(name, glob) for glob in exclude)

    return chosen


def _command(options: argparse.Namespace) -> str:
    """The command for the heading, without how the server is reached: that may hold secrets and paths."""
    words = ["typedtool", "generate"]
    for name in ("stdio", "url", "listing"):
        if getattr(options, name) is not None:
            words += [f"--{name}", "..." if name != "listing" else Path(options.listing).name]
    words += [f"--{name}={glob}" for name in ("only", "exclude") for glob in getattr(options, name)]
    words += [f"--sample={Path(file).name}" for file in options.sample]
    words += ["--split"] if options.split else []
    words += ["--no-inputs"] if options.no_inputs else []
    words += [f"--formats={options.formats}"] if options.formats != "exact" else []
    return shlex.join(words).replace("'...'", "...")


# --- writing and comparing ----------------------------------------------------------------------------------


def write(path: Path, text: str) -> None:
    """Write a module, and make the directories above it. Raises CommandError where that fails."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    except OSError as error:
        raise CommandError(f"--output: cannot write {line(str(path), 120)!r}: {error.strerror}") from error


def _check(path: Path, text: str) -> int:
    try:
        there = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"--check: cannot read {line(str(path), 120)!r}: {error}") from error
    found = changes(there, text)
    if not found:
        return 0
    say(f"{line(str(path), 120)} is stale: {counted(len(found), 'change')}")
    for change in found[:_MOST_CHANGES]:
        say(f"  {line(str(change), 300)}")
    if len(found) > _MOST_CHANGES:
        say(f"  and {len(found) - _MOST_CHANGES} more")
    return 1


def _tell(made: Generated, verbose: bool) -> None:
    say(f"{counted(len(made.tools), 'tool')}, {counted(made.nodes, 'schema')} read")
    counts = collections.Counter[str](note.kind for note in made.notes)
    for kind, says in _KINDS.items():
        if counts[kind]:
            say(f"  {counts[kind]} {says}")
    for note in made.notes:
        if verbose or note.kind in ("name", "object", "refused"):
            say(f"  {line(str(note), 300)}")
