"""JSON text from elsewhere, held to a budget before any parser sees it.

Parsers written in C recurse: on some Pythons a few thousand levels end the process. So the depth of a text is known
before it is parsed.
"""

from __future__ import annotations

import itertools

import msgspec

from typedtool.errors import BudgetExceeded
from typedtool.values.budgets import Budget

__all__ = ["NotJson", "depth_of", "is_unicode", "parse", "utf8"]

_NOT_STRUCTURE = bytes(set(range(256)) - set(b'[]{}"\\'))
_STEPS = bytes(1 if c in b"[{" else 255 if c in b"]}" else 0 for c in range(256))


class NotJson(Exception):
    """The text is not JSON. `.what` names it; `.early` is true for the beginning of a JSON text that was cut off."""

    def __init__(self, what: str, early: bool = False) -> None:
        super().__init__(what)
        self.what = what
        self.early = early


def utf8(text: str | bytes | bytearray | memoryview) -> bytes:
    """The text as UTF-8, without a byte order mark. Raises NotJson for a lone surrogate."""
    if isinstance(text, str):
        try:
            data = text.encode()
        except UnicodeEncodeError:
            raise NotJson("a lone surrogate") from None
    else:
        data = bytes(text)
    return data.removeprefix(b"\xef\xbb\xbf")


def is_unicode(text: str) -> bool:
    """Whether UTF-8 can carry a text. It cannot carry a lone surrogate, which is no character."""
    try:
        return text.isascii() or bool(text.encode())
    except UnicodeEncodeError:
        return False


def depth_of(data: bytes) -> int:
    """The depth to which arrays and objects are nested in a JSON text.

    Each step runs over the whole text in C. The first removes escapes, the second all but brackets and quotes, the
    third empty strings, the last what is left of strings.

    Example:
        >>> depth_of(b'{"a": [1, "[[["]}')
        2
    """
    if b"\\" in data:
        data = data.replace(b"\\\\", b"").replace(b'\\"', b"")
    marks = data.translate(None, _NOT_STRUCTURE).replace(b'""', b"")
    if b'"' in marks:
        marks = b"".join(marks.split(b'"')[::2])
    steps = memoryview(marks.replace(b"\\", b"").translate(_STEPS)).cast("b")
    return max(itertools.accumulate(steps), default=0)


def parse(data: bytes, budget: Budget) -> object:
    """The value of a JSON text, as RFC 8259 has it: NaN and Infinity are refused, integers are exact.

    Raises NotJson, or BudgetExceeded before the parser runs.

    Example:
        >>> parse(b"[1, 2.0]", Budget())
        [1, 2.0]
    """
    if len(data) > budget.bytes:
        raise BudgetExceeded("bytes", budget.bytes)
    if data.count(b"[") + data.count(b"{") > budget.depth and depth_of(data) > budget.depth:
        raise BudgetExceeded("depth", budget.depth)
    try:
        return msgspec.json.decode(data)
    except RecursionError:
        raise BudgetExceeded("depth", budget.depth) from None
    except (msgspec.DecodeError, ValueError) as error:
        raise NotJson(*_fault(data, str(error))) from None


def _fault(data: bytes, said: str) -> tuple[str, bool]:
    if not data.strip():
        return "an empty text", False
    if "truncated" in said:
        if data[-1:] in b'"]}' and b"\\ud" in data.lower():
            return "a lone surrogate", False
        return "JSON that ends early", True
    if not _is_utf8(data):
        return "bytes that are not UTF-8", False
    if "out of range" in said:
        return "a number that is out of range", False
    return "text that is not JSON", data.lstrip()[:1] in b"[{"


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True
