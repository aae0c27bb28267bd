"""Foreign text and JSON, safe to print: characters that no terminal shows are escaped."""

from __future__ import annotations

import json
import re
from typing import Any

__all__ = ["line", "printable_json"]

_CONTROL = re.compile(r"[^\n -~]")


def line(text: str, limit: int = 200) -> str:
    """Foreign text as one line of at most `limit` characters. Characters that no terminal shows are escaped.

    Example:
        >>> line("a\\x1b[2Jb\\nc", 12)
        'a\\\\x1b[2Jb c'
    """
    flat = " ".join(text[: 4 * limit].split())
    shown = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in flat)
    return shown if len(shown) <= limit else shown[: limit - 3] + "..."


def printable_json(value: Any, indent: int | None = None) -> str:
    """A JSON value as JSON text, with characters that no terminal shows escaped. Raises RecursionError."""
    text = json.dumps(value, indent=indent, ensure_ascii=False)
    return _CONTROL.sub(lambda m: m[0] if m[0].isprintable() else json.dumps(m[0])[1:-1], text)
