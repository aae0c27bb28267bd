"""`typedtool generate`: a server's tools as a Python module, or whether the one that is there is still
right."""

from __future__ import annotations

import argparse
import collections
import fnmatch
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

from typedtool.cli.inputs import records_file
from typedtool.cli.servers import File, add_server, definitions, using
from typedtool.cli.servers import server_of as chosen_server
from typedtool.cli.terminal import CommandError, say
from typedtool.clients.calls import server_info
from typedtool.clients.listing import list_tools
from typedtool.codegen.checking import changes
from typedtool.codegen.generating import Generated, Server, compile_listing, server_of
from typedtool.errors import BudgetExceeded
from typedtool.results.definitions import Definition, read_listing
from typedtool.results.recordings import read_recorded
from typedtool.values.budgets import DEFAULT_BUDGET
from typedtool.values.json_text import NotJson, parse, utf8
from typedtool.values.printing import line

__all__ = ["add_arguments", "run", "write"]

_TOLD = 20
_USAGE = 2
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
    if options.check and options.output is None:
        raise CommandError("--check: name the module with --output FILE", _USAGE)
    if options.split and options.output is None:
        raise CommandError("--split: name the package with --output DIRECTORY", _USAGE)
    tools, server = _listed(options)
    made = compile_listing(
        tools,
        server=server,
        command=_command(options),
        only=_chosen(options.only, options.exclude),
        inputs=not options.no_inputs,
        formats=options.formats,
        samples=_samples(options.sample),
        split=options.split,
    )
    if options.output is None:
        print(made.source, end="")
    else:
        files = _files(Path(options.output), made)
        if options.check:
            return max(_check(path, text) for path, text in sorted(files.items()))
        for path, text in files.items():
            write(path, text)
    _tell(made, options.verbose)
    return 0


def _samples(files: list[str]) -> dict[str, list[object]]:
    records = [record for file in files for record in records_file(file, "--sample")]
    return {name: found.results for name, found in read_recorded(records, {}).items()}


def _files(target: Path, made: Generated) -> dict[Path, str]:
    return {target / f"{name}.py": text for name, text in made.parts.items()} or {target: made.source}


# --- the listing --------------------------------------------------------------------------------------------


def _listed(options: argparse.Namespace) -> tuple[tuple[Definition, ...], Server]:
    chosen = chosen_server(options)
    assert chosen is not None  # argparse requires one
    if isinstance(chosen, File):
        return definitions(chosen, options.timeout), _in_file(chosen.path)
    found: list[Server] = []

    async def listing(client: Any) -> Any:
        info = server_info(client)
        found.append(Server(info.name or "", info.version or ""))
        return await list_tools(client)

    listed = using(chosen, listing, options.timeout)
    for note in listed.notes:
        say(f"note: {line(note, 300)}")
    if listed.fault is not None:
        raise CommandError(f"the listing failed: {type(listed.fault).__name__}: {line(str(listed.fault))}")
    return read_listing(listed.tools), found[0]


def _in_file(path: str) -> Server:
    try:
        return server_of(parse(utf8(Path(path).read_bytes()), DEFAULT_BUDGET))
    except (OSError, NotJson, BudgetExceeded):  # told by `definitions` already
        return Server()


def _chosen(only: list[str], exclude: list[str]) -> Callable[[str], bool]:
    def chosen(name: str) -> bool:
        wanted = not only or any(fnmatch.fnmatchcase(name, glob) for glob in only)
        return wanted and not any(fnmatch.fnmatchcase(name, glob) for glob in exclude)

    return chosen


def _command(options: argparse.Namespace) -> str:
    """The command for the heading: how the server is reached stays out of it, as that may hold secrets and
    paths."""
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
    """Write a module, and the directories that it lies in. Raises CommandError."""
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
    if there == text:
        return 0
    found = changes(there, text)
    say(f"{line(str(path), 120)} is stale: {len(found)} {'change' if len(found) == 1 else 'changes'}")
    for change in sorted(found, key=lambda c: not c.hurts)[:_TOLD]:
        say(f"  {line(str(change), 300)}")
    if len(found) > _TOLD:
        say(f"  and {len(found) - _TOLD} more")
    return 1


def _tell(made: Generated, verbose: bool) -> None:
    say(f"{len(made.tools)} tools, {made.nodes} schemas read")
    counts = collections.Counter[str](note.kind for note in made.notes)
    for kind, says in _KINDS.items():
        if counts[kind]:
            say(f"  {counts[kind]} {says}")
    for note in made.notes:
        if verbose or note.kind in ("name", "object", "refused"):
            say(f"  {line(str(note), 300)}")
