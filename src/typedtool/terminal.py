"""Words for a terminal: foreign text made safe to print, columns, colour where there is a terminal for it."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import textwrap
from typing import Any, TextIO

from typedtool.errors import TypedToolError, cut

__all__ = ["CommandError", "Style", "json_text", "line", "say", "width", "wrapped"]

_CONTROL = re.compile(r"[^\n -~]")


class CommandError(TypedToolError):
    """A command of `typedtool` could not do what it was asked. `.code` is its exit code."""

    def __init__(self, what: str, code: int = 1) -> None:
        super().__init__(what, code)
        self.what = what
        self.code = code

    @property
    def message(self) -> str:
        """The error in one sentence."""
        return self.what


def line(text: str, limit: int = 200) -> str:
    """Foreign text as one line, safe to print: what no terminal shows is escaped, and the end is left out.

    Example:
        >>> line("a\\x1b[2Jb\\nc", 12)
        'a\\\\x1b[2Jb c'
    """
    flat = " ".join(text[: 4 * limit].split())
    shown = "".join(c if c.isprintable() else _escaped(c) for c in flat)
    return shown if len(shown) <= limit else shown[: limit - 3] + "..."


def _escaped(char: str) -> str:
    return char.encode("unicode_escape").decode("ascii")


def json_text(value: Any, indent: int | None = None) -> str:
    """A JSON value as JSON text that is safe to print: what no terminal shows is escaped as JSON escapes it."""
    try:
        text = json.dumps(value, indent=indent, ensure_ascii=False)
    except RecursionError:
        raise CommandError("the value is nested too deep to be printed") from None
    return _CONTROL.sub(lambda m: m[0] if m[0].isprintable() else json.dumps(m[0])[1:-1], text)


def wrapped(label: str, text: str, columns: int, indent: str = "  ") -> str:
    """`text` behind a label, its further lines under its first."""
    lead = f"{indent}{label}"
    return textwrap.fill(
        text,
        columns,
        initial_indent=lead,
        subsequent_indent=" " * len(lead),
        break_long_words=True,
        break_on_hyphens=False,
    )


def width() -> int:
    """The columns to print in: those of the terminal, between 60 and 110; 80 where there is none."""
    return min(max(shutil.get_terminal_size((80, 24)).columns, 60), 110) if sys.stdout.isatty() else 80


def say(text: str) -> None:
    """A remark beside the output: on the standard error."""
    print(cut(text), file=sys.stderr)


class Style:
    """Colour, on a terminal only, and never where NO_COLOR is set (no-color.org)."""

    def __init__(self, stream: TextIO) -> None:
        environment = os.environ
        wanted = not environment.get("NO_COLOR") and environment.get("TERM") != "dumb"
        self.coloured: bool = wanted and stream.isatty()

    def _in(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.coloured and text else text

    def strong(self, text: str) -> str:
        """A heading."""
        return self._in("1", text)

    def faint(self, text: str) -> str:
        """What is read second."""
        return self._in("2", text)

    def good(self, text: str) -> str:
        """A value, a check that passed."""
        return self._in("32", text)

    def bad(self, text: str) -> str:
        """An error."""
        return self._in("31", text)
