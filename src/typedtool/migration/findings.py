"""What a migration has to say: findings with stable codes, edits, and one outcome a file."""

from __future__ import annotations

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
]

FindingKind: TypeAlias = Literal["rewritten", "todo", "note", "failed"]
"""`rewritten`: done. `todo`: for a human. `note`: right as it is, worth knowing. `failed`: not migrated."""

Certainty: TypeAlias = Literal["proved", "likely"]
"""`proved`: by resolved names and types. `likely`: by the name alone."""


class Settings(Struct, frozen=True):
    """What to migrate. names: v1 names too. likely: rewrite also what only by its name is a result.

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
    """Put `text` in the place of the characters from `start` up to `end`."""

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
    """The file stays as it is; `findings` may still ask for a human."""

    path: str
    findings: tuple[CodeFinding, ...] = ()


class Failed(Struct, frozen=True, tag="failed"):
    """The file could not be migrated and was left alone; `findings` say why."""

    path: str
    findings: tuple[CodeFinding, ...]


FileOutcome: TypeAlias = Union[Changed, Unchanged, Failed]
