"""Output to a terminal: text that is safe to print, columns, colour; and the error of a command."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
from typing import Any, TextIO

from typedtool.errors import TypedToolError, cut
from typedtool.values.printing import printable_json

__all__ = ["USAGE", "CommandError", "Style", "counted", "json_text", "say", "width", "wrapped"]

USAGE = 2
"""The exit code for a command line that is wrong."""


class CommandError(TypedToolError):
    """A command of `typedtool` failed. `.code` is its exit code."""

    def __init__(self, what: str, code: int = 1) -> None:
        super().__init__(what, code)
        self.what = what
        self.code = code

    @property
    def message(self) -> str:
        """The error in one sentence."""
        return self.what


def json_text(value: Any, indent: int | None = None) -> str:
    """A JSON value as JSON text that is safe to print. Raises CommandError where it is nested too deep."""
    try:
        return printable_json(value, indent)
    except RecursionError:
        raise CommandError("the value is nested too deep to be printed") from None


def counted(number: int, noun: str) -> str:
    """`1 tool`, `2 tools`."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def wrapped(label: str, text: str, columns: int, indent: str = "  ") -> str:
    """The text after its label, further lines indented to line up with the first."""
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
    """The number of columns to print in: the terminal's, held between 60 and 110; 80 without a terminal."""
    return min(max(shutil.get_terminal_size((80, 24)).columns, 60), 110) if sys.stdout.isatty() else 80


def say(text: str) -> None:
    """Print a remark to the standard error, without the middle of a very long one."""
    print(cut(text), file=sys.stderr)


class Style:
    """Colours, on a terminal only, and never where NO_COLOR is set (no-color.org)."""

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
        """Text of less importance."""
        return self._in("2", text)

    def good(self, text: str) -> str:
        """A value, or a check that passed."""
        return self._in("32", text)

    def bad(self, text: str) -> str:
        """An error."""
        return self._in("31", text)
