"""What a folder of typing tests expects of each checker, read from comments.

    x: int = ""  # E                        every checker must report an error on this line
    x: int = ""  # E: mypy pyright          these must, the others must not
    x: int = ""  # E # E?: ty -- why        every checker must, but ty may or may not
    # not for: mypy115 -- why               (a line of its own) this file is left out for these checkers

A line without a marker must be clean. A marker in a string is no marker.
"""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

CHECKERS = ("mypy", "mypy115", "pyright", "basedpyright", "ty", "pyrefly")

_MARKER = re.compile(r"#\s*E(?P<may>\?)?(?::(?P<names>[a-z0-9 ]+))?(?=\s*(?:#|--|$))")
_NOT_FOR = re.compile(r"#\s*not for:(?P<names>[a-z0-9 ]+)(?:--|$)")

Place = tuple[str, int]
"""A file, as a path relative to the folder, and a line in it."""


class HarnessError(Exception):
    """The tests cannot be trusted: a marker is wrong, there is none, or a checker did not run."""


@dataclass(frozen=True)
class Expectation:
    """Where a checker must report an error, and where it may."""

    must: frozenset[Place]
    may: frozenset[Place]


def files_for(folder: Path, checker: str) -> list[Path]:
    """The Python files of a folder that `checker` is to see."""
    return [path for path in sorted(folder.rglob("*.py")) if checker not in _left_out(path)]


def expected(folder: Path, checker: str) -> Expectation:
    """What the markers of a folder expect of `checker`. HarnessError where no line must be an error."""
    must: set[Place] = set()
    may: set[Place] = set()
    for path in files_for(folder, checker):
        for line, comment in _comments(path):
            required, tolerated = _read_marker(path, line, comment, checker)
            place = (path.relative_to(folder).as_posix(), line)
            if tolerated:
                may.add(place)
            elif required:
                must.add(place)
    if not must:
        raise HarnessError(f"{folder.name}/ expects no error of {checker}: nothing shows that it looks there")
    return Expectation(frozenset(must), frozenset(may))


def compare(expectation: Expectation, errors: dict[Place, list[str]]) -> list[str]:
    """One sentence for each place where what was reported is not what was expected."""
    missing = sorted(expectation.must - errors.keys())
    unexpected = sorted(errors.keys() - expectation.must - expectation.may)
    return [
        *(f"{file}:{line}: an error is expected, none was reported" for file, line in missing),
        *(f"{file}:{line}: not expected: {'; '.join(errors[file, line])}" for file, line in unexpected),
    ]


def _read_marker(path: Path, line: int, comment: str, checker: str) -> tuple[bool, bool]:
    """Whether `checker` must report an error on the line of this comment, and whether it may."""
    required = tolerated = False
    for found in _MARKER.finditer(comment):
        names = _names(path, line, found["names"])
        concerned = not names or checker in names
        if found["may"]:
            tolerated = tolerated or concerned
        else:
            required = required or concerned
    if not _MARKER.search(comment) and re.match(r"#\s*E\b", comment):
        raise HarnessError(f"{path}:{line}: not a marker: {comment}")
    return required, tolerated


def _left_out(path: Path) -> frozenset[str]:
    found = [(line, match) for line, text in _comments(path) if (match := _NOT_FOR.match(text))]
    return frozenset(name for line, match in found for name in _names(path, line, match["names"]))


def _names(path: Path, line: int, names: str | None) -> frozenset[str]:
    given = frozenset((names or "").split())
    if unknown := given - set(CHECKERS):
        raise HarnessError(f"{path}:{line}: no such checker: {', '.join(sorted(unknown))}")
    return given


def _comments(path: Path) -> Iterator[tuple[int, str]]:
    text = path.read_text(encoding="utf-8")
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string
