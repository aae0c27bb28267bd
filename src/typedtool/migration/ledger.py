"""The edits of one module, the imports that they need, and the findings."""

from __future__ import annotations

import re
from itertools import pairwise

from typedtool.migration.findings import Certainty, CodeFinding, Edit, FindingKind, Settings
from typedtool.migration.imports import Imports
from typedtool.migration.syntax import Tree, cst

__all__ = ["Ledger"]

_IGNORE = re.compile(r"#\s*typedtool:\s*ignore(?:\[([A-Z0-9, ]+)\])?")


class Ledger:
    """Collects the edits and findings of one tree."""

    def __init__(self, tree: Tree, settings: Settings) -> None:
        self.tree = tree
        self.settings = settings
        self.imports: Imports = Imports(tree)
        self._edits: list[Edit] = []
        self._last: list[Edit] = []
        self._findings: list[CodeFinding] = []

    def edit(self, start: int, end: int, text: str) -> None:
        """Replace the characters from `start` to `end` by `text`."""
        if self.tree.text[start:end] != text:
            self._edits.append(Edit(start, end, text))

    def last(self, offset: int, text: str) -> None:
        """Insert `text` at `offset`, after every other insertion there."""
        self._last.append(Edit(offset, offset, text))

    def has_edit(self, node: cst.CSTNode) -> bool:
        """Whether an edit ends where `node` begins."""
        start = self.tree.span(node)[0]
        return any(edit.end == start for edit in self._edits)

    def say(
        self, code: str, node: cst.CSTNode, message: str, kind: FindingKind, certainty: Certainty = "proved"
    ) -> None:
        """Report on `node`."""
        line, column = self.tree.place(self.tree.span(node)[0])
        self._findings.append(CodeFinding(code, line, column, message, kind, certainty))

    def edits(self, newline: str) -> tuple[Edit, ...]:
        """Every edit, in order. Raises AssertionError, a fault of ours, if two overlap."""
        idle = self.imports.idle(self._edits)
        ordered = sorted(
            [*self._edits, *idle, *self.imports.edits(newline), *self._last], key=lambda e: (e.start, e.end)
        )
        for before, after in pairwise(ordered):
            if after.start < before.end:
                raise AssertionError(f"edits overlap: {before} and {after}")
        return tuple(ordered)

    def findings(self) -> tuple[CodeFinding, ...]:
        """Every finding, in the order of the text, except those that a comment on their line silences."""
        lines = re.split(r"\r\n?|\n", self.tree.text)
        kept = {f for f in self._findings if f.kind == "rewritten" or not _silenced(f, lines)}
        return tuple(sorted(kept, key=lambda f: (f.line, f.column, f.code)))


def _silenced(finding: CodeFinding, lines: list[str]) -> bool:
    found = _IGNORE.search(lines[finding.line - 1]) if finding.line <= len(lines) else None
    if found is None:
        return False
    return found.group(1) is None or finding.code in [code.strip() for code in found.group(1).split(",")]
