"""What a migration has to say: findings with stable codes, edits, and one outcome a file."""

from __future__ import annotations

from typing import Literal, TypeAlias, Union

from msgspec import Struct

__all__ = [
    "CODES",
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

CODES: dict[str, str] = {
    "TT101": "structured content is subscripted",
    "TT102": "a dict's method of structured content is called",
    "TT103": "a key is looked for in structured content",
    "TT104": "structured content is iterated, unpacked or measured",
    "TT105": "structured content is tested for truth",
    "TT106": "structured content is compared with None",
    "TT107": "structured content or a default",
    "TT108": "structured content is tested with isinstance",
    "TT109": "structured content is cast",
    "TT110": "structured content is kept in a variable, returned or passed on",
    "TT111": "{'result': ...} is unwrapped by hand",
    "TT112": "structured content is written to",
    "TT113": "structured content is matched or compared",
    "TT114": "structured content of a failed result",
    "TT120": "JSON is read from the text of a result",
    "TT201": "a field that SDK 2 renamed is read",
    "TT202": "a field that SDK 2 renamed is given as a keyword",
    "TT203": "McpError is called MCPError",
    "TT204": "a timeout is seconds, not a timedelta",
    "TT205": "list_tools takes params, not a cursor",
    "TT206": "a field that SDK 2 renamed is named in a string",
    "TT207": "a v1 name on something that is not known to be of the SDK",
    "TT208": "a dumped result has other keys",
    "TT209": "a function or code that SDK 2 changed",
    "TT301": "a typed tool was drafted",
    "TT302": "no typed tool could be drafted",
    "TT303": "the value is an object to a type checker from here on",
    "TT901": "the file is not Python",
    "TT902": "the encoding is wrong",
    "TT903": "the file cannot be read or written",
    "TT904": "the file is too big or nested too deeply",
    "TT905": "the migration itself failed",
}
"""Each code and what it means. CODES.md explains them; codes are never given a new meaning."""


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
    """The file becomes `text`; `edits` are what was done to it, in order."""

    path: str
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
