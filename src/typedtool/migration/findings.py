"""The results of a migration: findings with stable codes, edits, and one outcome for each file."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias, Union

from msgspec import Struct

__all__ = [
    "Certainty",
    "Changed",
    "CodeFinding",
    "Edit",
    "Failed",
    "FileOutcome",
    "FindingKind",
    "Settings",
    "Unchanged",
    "applied",
]

FindingKind: TypeAlias = Literal["rewritten", "todo", "note", "failed"]
"""`rewritten`: done. `todo`: for a human to decide. `note`: right as it is. `failed`: not migrated."""

Certainty: TypeAlias = Literal["proved", "likely"]
"""`proved`: by resolved names and types. `likely`: by the name alone."""


class Settings(Struct, frozen=True):
    """What to migrate. names: also rename v1 names. likely: also rewrite what is a result by its name alone.

    typed: draft typed tools. listing: the server's tools/list result, for the types of the drafts.
    """

    names: bool = True
    likely: bool = False
    typed: bool = False
    listing: dict[str, object] = {}


class CodeFinding(Struct, frozen=True):
    """One place in a file: `line` and `column` count from 1, columns in characters."""

    code: str
    line: int
    column: int
    message: str
    kind: FindingKind
    certainty: Certainty = "proved"


class Edit(Struct, frozen=True, order=True):
    """Replace the characters from `start` up to `end` by `text`."""

    start: int
    end: int
    text: str


class Changed(Struct, frozen=True, tag="changed"):
    """The file becomes `text`. before: the text as it was. edits: what was done to it, in order."""

    path: str
    before: str
    text: str
    edits: tuple[Edit, ...]
    findings: tuple[CodeFinding, ...]


class Unchanged(Struct, frozen=True, tag="unchanged"):
    """The file stays as it is. `findings` may still need a decision."""

    path: str
    findings: tuple[CodeFinding, ...] = ()


class Failed(Struct, frozen=True, tag="failed"):
    """The file could not be migrated and was left alone; `findings` say why."""

    path: str
    findings: tuple[CodeFinding, ...]


FileOutcome: TypeAlias = Union[Changed, Unchanged, Failed]


def applied(text: str, edits: Iterable[Edit], offset: int = 0) -> str:
    """`text`, which begins at `offset`, after the `edits`. Every character outside of them stays."""
    parts: list[str] = []
    last = offset
    for edit in edits:
        parts += [text[last - offset : edit.start - offset], edit.text]
        last = edit.end
    return "".join([*parts, text[last - offset :]])
