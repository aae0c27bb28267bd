"""`typedtool migrate`: a diff of what SDK 2 needs, `--write` to change the files, `--check` for CI."""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Callable
from importlib import resources
from pathlib import Path

import msgspec

from typedtool.cli.inputs import json_file
from typedtool.cli.terminal import USAGE, CommandError
from typedtool.migration.diffs import unified
from typedtool.migration.findings import Changed, CodeFinding, FileOutcome, Settings
from typedtool.migration.sources import find
from typedtool.values.guards import is_array, is_object
from typedtool.values.printing import line

__all__ = ["add_arguments", "run"]

_NOTHING, _SOMETHING, _FAILED = 0, 1, 2

_EPILOG = """\
exit codes:
  0  nothing to change, and no decision left to you
  1  files were or would be changed, or a finding needs your decision
  2  a file could not be migrated, or the command line is wrong
"""


class _File(msgspec.Struct):
    path: str
    outcome: str
    written: bool
    findings: tuple[CodeFinding, ...]
    diff: str


class _Report(msgspec.Struct):
    version: int
    exit: int
    files: list[_File]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `typedtool migrate`."""
    parser.description = (
        "Rewrite code that SDK 2 broke: structuredContent holds any JSON value, fields have new names."
    )
    parser.epilog = _EPILOG
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument(
        "paths", nargs="*", metavar="PATH", help="Python files, or folders to search for them"
    )
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument("--write", action="store_true", help="change the files, each as a whole or not at all")
    mode.add_argument("--check", action="store_true", help="report only: change nothing, print no diff")
    mode.add_argument("--explain", metavar="CODE", help="explain a code, or every code: --explain all")
    parser.add_argument(
        "--names", action=argparse.BooleanOptionalAction, default=True, help="also rename the names of SDK 1"
    )
    parser.add_argument(
        "--likely", action="store_true", help="also rewrite what is a result by its name alone"
    )
    parser.add_argument(
        "--to-typed", action="store_true", help="draft a TypedTool and a Struct for each known tool"
    )
    parser.add_argument("--listing", metavar="FILE", help="a tools/list result, for the types of the drafts")
    parser.add_argument("--output", choices=("text", "json"), default="text", help="the form of the report")


def run(options: argparse.Namespace) -> int:
    """Migrate, and print the diff or the report. Returns 0, 1 or 2, as the help says."""
    if options.explain:
        return _explain(options.explain)
    if not options.paths:
        raise CommandError("give the files or folders to migrate", USAGE)
    settings = Settings(
        names=options.names,
        likely=options.likely,
        typed=options.to_typed,
        listing=_listing(options.listing) if options.listing else {},
    )
    migrate_file = _migrate_file()
    files: list[_File] = []
    for path in find([Path(path) for path in options.paths]):
        outcome = migrate_file(path, settings, options.write)
        changed = isinstance(outcome, Changed)
        diff = unified(outcome.path, outcome.before, outcome.edits) if isinstance(outcome, Changed) else ""
        name = type(outcome).__name__.lower()
        file = _File(outcome.path, name, changed and options.write, outcome.findings, diff)
        files.append(file)
        if options.output == "text":
            _print(file, diff=not (options.write or options.check))
    code = _exit_code(files)
    if options.output == "json":
        print(msgspec.json.encode(_Report(1, code, files)).decode())
    else:
        print(_total(files), file=sys.stderr)
    return code


def _migrate_file() -> Callable[[Path, Settings, bool], FileOutcome]:
    try:
        from typedtool.migration.migrating import migrate_file
    except ModuleNotFoundError as error:
        if error.name is None or error.name.split(".")[0] != "libcst":
            raise
        raise CommandError("migrate needs LibCST: pip install 'typedtool[migrate]'", USAGE) from error
    return migrate_file


def _listing(path: str) -> dict[str, object]:
    found = json_file(path, "--listing", USAGE)
    inner = found.get("result", found) if is_object(found) else None  # or a whole JSON-RPC response
    if not is_object(inner) or not is_array(inner.get("tools")):
        raise CommandError(
            f'--listing: {line(path, 120)!r} is no tools/list result: expected {{"tools": [...]}}', USAGE
        )
    return inner


def _exit_code(files: list[_File]) -> int:
    if any(file.outcome == "failed" for file in files):
        return _FAILED
    if any(file.outcome == "changed" or any(f.kind == "todo" for f in file.findings) for file in files):
        return _SOMETHING
    return _NOTHING


def _print(file: _File, diff: bool) -> None:
    if diff:
        print(file.diff, end="")
    for finding in file.findings:
        if finding.kind == "rewritten" and diff:
            continue
        likely = " (likely)" if finding.certainty == "likely" else ""
        place = f"{file.path}:{finding.line}:{finding.column}"
        text = f"{place} {finding.code} {finding.kind}: {finding.message}{likely}"
        print(text, file=sys.stderr if diff else sys.stdout)


def _total(files: list[_File]) -> str:
    count = Counter(file.outcome for file in files)
    written = sum(file.written for file in files)
    kinds = Counter(f.kind for file in files for f in file.findings)
    changed = f"{written} written" if written else f"{count['changed']} to change"
    return (
        f"{len(files)} files: {changed}, {count['unchanged']} unchanged, {count['failed']} failed; "
        f"{kinds['rewritten']} rewrites, {kinds['todo']} to decide, {kinds['note']} notes"
    )


def _explain(code: str) -> int:
    page = resources.files("typedtool.migration").joinpath("CODES.md").read_text("utf-8")
    if code == "all":
        print(page, end="")
        return _NOTHING
    sections = {found[1]: found[0] for found in re.finditer(r"(?ms)^### (TT\d+)\b.*?(?=^##|\Z)", page)}
    if code not in sections:
        known = ", ".join(sections)
        raise CommandError(f"--explain: no code {line(code, 40)!r}: the codes are {known}", USAGE)
    print(sections[code].rstrip())
    return _NOTHING
