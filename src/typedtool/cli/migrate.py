"""The command `typedtool migrate`: a diff by default, `--write` in place, `--check` for CI."""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from importlib import resources
from pathlib import Path
from typing import TextIO

import msgspec

from typedtool.migration.diffs import unified
from typedtool.migration.findings import CODES, Changed, Failed, Finding, Options, Outcome
from typedtool.migration.sources import SourceError, find, read, replace, rewritten
from typedtool.values.guards import is_array, is_object

__all__ = ["add_arguments", "run"]

NOTHING, SOMETHING, UNUSABLE = 0, 1, 2

_EPILOG = """\
exit codes:
  0  nothing to change, and nothing left for a human to decide
  1  something was or would be changed, or a finding asks for a human
  2  a file could not be migrated, or the arguments are no good
"""


class _File(msgspec.Struct, omit_defaults=False):
    path: str
    outcome: str
    written: bool
    findings: tuple[Finding, ...]
    diff: str


class _Report(msgspec.Struct):
    version: int
    exit: int
    files: list[_File]


class _Unusable(Exception):
    """Arguments with which nothing can be done."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Give `parser` the arguments of `migrate`."""
    parser.description = (
        "Rewrite code that MCP SDK 2 broke: any JSON in structuredContent, and renamed fields."
    )
    parser.epilog = _EPILOG
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument(
        "paths", nargs="*", metavar="PATH", help="files, or folders to look for Python files in"
    )
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument(
        "--write", action="store_true", help="change the files in place, each at once or not at all"
    )
    mode.add_argument(
        "--check", action="store_true", help="say what is to be done, change nothing, show no diff"
    )
    mode.add_argument("--explain", metavar="CODE", help="explain a code, or all of them: --explain all")
    parser.add_argument(
        "--names", action=argparse.BooleanOptionalAction, default=True, help="rename v1 names, too"
    )
    parser.add_argument(
        "--likely", action="store_true", help="also rewrite what only by its name is a result"
    )
    parser.add_argument(
        "--to-typed", action="store_true", help="draft a TypedTool and a Struct for each known tool"
    )
    parser.add_argument("--listing", metavar="FILE", help="a tools/list result: the types of the drafts")
    parser.add_argument("--output", choices=("text", "json"), default="text", help="how to report")


def run(namespace: argparse.Namespace) -> int:
    """Do what the arguments say; the exit code."""
    try:
        return _run(namespace, sys.stdout, sys.stderr)
    except _Unusable as error:
        print(f"typedtool migrate: {error}", file=sys.stderr)
        return UNUSABLE


def _run(namespace: argparse.Namespace, out: TextIO, err: TextIO) -> int:
    if namespace.explain:
        return _explain(namespace.explain, out)
    if not namespace.paths:
        raise _Unusable("give the files or folders to migrate")
    options = Options(
        names=namespace.names,
        likely=namespace.likely,
        typed=namespace.to_typed,
        listing=_listing(namespace.listing) if namespace.listing else {},
    )
    files: list[_File] = []
    for outcome, text in _outcomes([Path(p) for p in namespace.paths], options, namespace.write):
        file = _file(outcome, text, namespace.write)
        files.append(file)
        if namespace.output == "text":
            _print_file(file, out, err, diff=not (namespace.write or namespace.check))
    code = _exit_code(files)
    if namespace.output == "json":
        _write(out, msgspec.json.encode(_Report(1, code, files)).decode() + "\n")
    else:
        _write(err, _summary(files) + "\n")
    return code


def _outcomes(paths: list[Path], options: Options, write: bool) -> Iterator[tuple[Outcome, str]]:
    try:
        from typedtool.migration.migrating import migrate
    except ModuleNotFoundError as error:
        if error.name is None or error.name.split(".")[0] != "libcst":
            raise
        raise _Unusable("this needs LibCST: pip install 'typedtool[migrate]'") from error
    for path in find(paths):
        text = ""
        try:
            source = read(path)
            text = source.text
            outcome = migrate(source, options)
            if write and isinstance(outcome, Changed):
                replace(path, rewritten(source, outcome.text))
        except SourceError as error:
            outcome = Failed(
                str(path), (Finding(error.code, error.line, error.column, error.message, "failed"),)
            )
        yield outcome, text


def _listing(path: str) -> dict[str, object]:
    try:
        found: object = msgspec.json.decode(Path(path).read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        raise _Unusable(f"{path}: no tools/list result: {str(error)[:200]}") from error
    inner = found.get("result", found) if is_object(found) else None  # also a whole JSON-RPC response
    if not is_object(inner) or not is_array(inner.get("tools")):
        raise _Unusable(f'{path}: no tools/list result: {{"tools": [...]}} is wanted')
    return inner


def _file(outcome: Outcome, text: str, write: bool) -> _File:
    changed = isinstance(outcome, Changed)
    diff = unified(outcome.path, text, outcome.edits) if isinstance(outcome, Changed) else ""
    name = type(outcome).__name__.lower()
    return _File(outcome.path, name, changed and write, outcome.findings, diff)


def _exit_code(files: list[_File]) -> int:
    if any(file.outcome == "failed" for file in files):
        return UNUSABLE
    if any(file.outcome == "changed" or any(f.kind == "todo" for f in file.findings) for file in files):
        return SOMETHING
    return NOTHING


def _print_file(file: _File, out: TextIO, err: TextIO, diff: bool) -> None:
    if diff:
        _write(out, file.diff)
    stream = err if diff else out
    for finding in file.findings:
        if finding.kind == "rewritten" and diff:
            continue
        likely = " (likely)" if finding.certainty == "likely" else ""
        place = f"{file.path}:{finding.line}:{finding.column}"
        _write(stream, f"{place} {finding.code} {finding.kind}: {finding.message}{likely}\n")


def _summary(files: list[_File]) -> str:
    count = Counter(file.outcome for file in files)
    written = sum(file.written for file in files)
    kinds = Counter(f.kind for file in files for f in file.findings)
    changed = f"{written} written" if written else f"{count['changed']} to change"
    return (
        f"{len(files)} files: {changed}, {count['unchanged']} unchanged, {count['failed']} failed; "
        f"{kinds['rewritten']} rewrites, {kinds['todo']} to decide, {kinds['note']} notes"
    )


def _explain(code: str, out: TextIO) -> int:
    page = resources.files("typedtool.migration").joinpath("CODES.md").read_text("utf-8")
    if code == "all":
        _write(out, page)
        return NOTHING
    if code not in CODES:
        raise _Unusable(f"no code {code[:40]!r}: there are {', '.join(CODES)}")
    found = re.search(rf"(?ms)^### {code}\b.*?(?=^##|\Z)", page)
    _write(out, found.group().rstrip() + "\n" if found else CODES[code] + "\n")
    return NOTHING


def _write(stream: TextIO, text: str) -> None:
    try:
        stream.write(text)
    except UnicodeEncodeError:
        encoding = stream.encoding or "ascii"
        stream.write(text.encode(encoding, "backslashreplace").decode(encoding))


def main(arguments: Iterable[str] | None = None) -> int:
    """`python -m typedtool.migration`."""
    parser = argparse.ArgumentParser("typedtool migrate")
    add_arguments(parser)
    return run(parser.parse_args(None if arguments is None else list(arguments)))
