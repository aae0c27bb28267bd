"""Migrates one text or file. Returns an outcome, and never raises for what the text contains."""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Callable
from pathlib import Path

from typedtool.migration import syntax
from typedtool.migration.findings import (
    Changed,
    CodeFinding,
    Failed,
    FileOutcome,
    Settings,
    Unchanged,
    applied,
)
from typedtool.migration.inference import Inference
from typedtool.migration.ledger import Ledger
from typedtool.migration.names import NameRewrites
from typedtool.migration.reads import Reads, find_reads
from typedtool.migration.sdk_types import TRIGGERS
from typedtool.migration.sources import Source, SourceError, read, replace, rewritten
from typedtool.migration.texts import report_texts
from typedtool.migration.typed import Typed
from typedtool.migration.variables import keeps, migrate_variable

__all__ = ["migrate", "migrate_file", "migrate_text"]

_TRIGGERS = re.compile(TRIGGERS)
_MATTERS = re.compile(
    TRIGGERS
    + r"|\bmcp|CallToolResult|ClientSession|contextmanager|\bglobal\b"
    + r"|\bexpect_object\b|\bis_(?:object|array|string)\b"
)
_DEFAULTS = Settings()
_STACK = 512 * 1024 * 1024
_RECURSION = 20_000


def migrate_text(text: str, settings: Settings = _DEFAULTS, path: str = "<text>") -> FileOutcome:
    """The outcome of migrating `text`. Never raises.

    Example:
        >>> source = '''from mcp.types import CallToolResult
        ... def city(result: CallToolResult) -> object:
        ...     return result.structuredContent["city"]
        ... '''
        >>> print(migrate_text(source).text)
        from mcp.types import CallToolResult
        from typedtool import expect_object
        def city(result: CallToolResult) -> object:
            return expect_object(result)["city"]
        <BLANKLINE>
    """
    return migrate(Source(path, text), settings)


def migrate_file(path: Path, settings: Settings = _DEFAULTS, write: bool = False) -> FileOutcome:
    """The outcome of migrating the file at `path`; with `write` the file is replaced. Never raises."""
    try:
        source = read(path)
        outcome = migrate(source, settings)
        if write and isinstance(outcome, Changed):
            replace(path, rewritten(source, outcome.text))
    except SourceError as error:
        return _failed(str(path), error)
    return outcome


def migrate(source: Source, settings: Settings = _DEFAULTS) -> FileOutcome:
    """The outcome of migrating `source`. Never raises."""
    outcomes: list[FileOutcome] = []
    _with_a_deep_stack(lambda: outcomes.append(_guarded(source, settings)))
    if outcomes:
        return outcomes[0]
    return Failed(source.path, (CodeFinding("TT905", 1, 1, "the migration did not end", "failed"),))


def _guarded(source: Source, settings: Settings) -> FileOutcome:
    try:
        return _migrated(source, settings)
    except SourceError as error:
        return _failed(source.path, error)
    except (RecursionError, MemoryError):
        return _failed(source.path, SourceError("TT904", "nested too deeply: left alone"))
    except Exception as error:  # the promise is that no file stops the others; the finding asks for a report
        what = f"{type(error).__name__}: {str(error)[:200]}; please report it"
        return _failed(source.path, SourceError("TT905", f"the migration failed on this file, {what}"))


def _migrated(source: Source, settings: Settings) -> FileOutcome:
    if not _TRIGGERS.search(source.text):
        syntax.check(source.text)
        return Unchanged(source.path)
    tree = syntax.parse(source.text, _MATTERS)
    ledger = Ledger(tree, settings)
    _rewrite(tree, ledger)
    edits, findings = ledger.edits(source.newline), ledger.findings()
    text = applied(source.text, edits)
    if text == source.text:
        return Unchanged(source.path, findings)
    syntax.check(text)
    rewritten(source, text)
    return Changed(source.path, source.text, text, edits, findings)


def _rewrite(tree: syntax.Tree, ledger: Ledger) -> None:
    inference = Inference(tree)
    reads = Reads(tree, inference, ledger)
    found = find_reads(tree, inference, ledger)
    done: set[int] = set()
    if ledger.settings.typed:
        typed = Typed(tree, inference, ledger)
        typed.migrate(found)
        done = typed.done
    for one in found:
        if id(one.node) in done:
            continue
        kept = keeps(tree, one)
        if kept is not None:
            migrate_variable(reads, one, kept)
        else:
            reads.migrate(one)
    if ledger.settings.names:
        NameRewrites(tree, inference, ledger).migrate()
    report_texts(tree, inference, ledger, done)


def _with_a_deep_stack(work: Callable[[], None]) -> None:
    """Run `work` in a thread with a large stack: LibCST recurses as deep as the code nests."""
    limit, size = sys.getrecursionlimit(), threading.stack_size()
    failed: list[BaseException] = []

    def run() -> None:
        try:
            work()
        except BaseException as error:
            failed.append(error)

    try:
        threading.stack_size(_STACK)
        sys.setrecursionlimit(max(limit, _RECURSION))
        thread = threading.Thread(target=run, name="typedtool-migrate", daemon=True)
        thread.start()
        thread.join()
    except (RuntimeError, ValueError):  # no room for the stack: as deep as the ordinary one goes
        sys.setrecursionlimit(limit)
        run()
    finally:
        threading.stack_size(size)
        sys.setrecursionlimit(limit)
    if failed:
        raise failed[0]


def _failed(path: str, error: SourceError) -> Failed:
    return Failed(path, (CodeFinding(error.code, error.line, error.column, error.message, "failed"),))
