"""Docstrings from a server's text: printable, wrapped, and laid out as formatters leave them.

What is made here is the value of the string, indentation included; it enters the tree as an `ast.Constant`.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable

__all__ = ["docstring", "plain"]

WIDTH = 88
_LONGEST = 20_000


def plain(text: str) -> str:
    """A text in which every character shows: no control characters, no marks that change its direction, no
    quotes that could look like the end of it.

    Example:
        >>> plain('a\\x1b[31m\\u202eb ' + '"' * 3)
        "a\\\\x1b[31m\\\\u202eb '''"
    """
    text = text[:_LONGEST].replace("\r\n", "\n").replace("\r", "\n").expandtabs(4).replace('"""', "'''")
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c == "\n" else " " if c.isspace() else _shown(c) for c in text)


def _shown(char: str) -> str:
    return char.encode("unicode_escape", "surrogatepass").decode("ascii")


def docstring(paragraphs: Iterable[str], indent: int) -> str | None:
    """The value of a docstring that stands `indent` columns in; None where there is nothing to say."""
    told = [plain(paragraph) for paragraph in paragraphs]
    lines = _lines(told, WIDTH - indent, 3)
    if len(lines) == 1:
        lines = _lines(told, WIDTH - indent, 6)  # the quotes that end it stand on the same line
    if not lines:
        return None
    lines[0] = f" {lines[0]}" if lines[0].startswith('"') else lines[0]
    if len(lines) == 1:
        return f"{lines[0]} " if lines[0].endswith('"') else lines[0]
    margin = " " * indent
    return "\n".join([lines[0], *(margin + line if line else "" for line in lines[1:]), margin])


def _lines(paragraphs: list[str], width: int, less: int) -> list[str]:
    lines: list[str] = []
    for paragraph in paragraphs:
        wrapped = _wrapped(paragraph, width, 0 if lines else less)
        if wrapped:
            lines += ["", *wrapped] if lines else wrapped
    return lines


def _wrapped(text: str, width: int, less: int) -> list[str]:
    """The lines of a text, each wrapped by itself; the first has `less` room.

    The indentation that all lines after the first share goes: formatters would take it away.
    """
    first, _, rest = text.strip().partition("\n")
    found = _lines_of(first.strip(), width, less)
    for line in textwrap.dedent(rest).rstrip().split("\n"):
        wrapped = _lines_of(line, width, 0)
        if wrapped or (found and found[-1]):
            found += wrapped or [""]
    while found and not found[-1]:
        found.pop()
    return _outdented(found)


def _lines_of(line: str, width: int, less: int) -> list[str]:
    """A line, in as many as it needs; the first has `less` room."""
    lead = " " * min(len(line) - len(line.lstrip()), 8)
    joined = " ".join(line.split())
    if len(lead) + len(joined) <= width - less:
        return [lead + joined] if joined else []
    broken = textwrap.wrap(
        "_" * less + joined,
        max(width - len(lead), 20),
        break_long_words=False,
        break_on_hyphens=False,
    )
    broken[0] = broken[0][less:]
    return [lead + part for part in broken]


def _outdented(lines: list[str]) -> list[str]:
    """Formatters move the lines after the first to the margin; so they stand there already."""
    later = [len(line) - len(line.lstrip()) for line in lines[1:] if line]
    least = min(later, default=0)
    return lines[:1] + [line[least:] for line in lines[1:]]
