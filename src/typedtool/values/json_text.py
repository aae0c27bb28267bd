"""JSON text and JSON values from elsewhere, held to a budget before any parser or decoder sees them.

Parsers and decoders written in C recurse: on some Pythons a few thousand levels end the process. So the depth of a
text is known before it is parsed, and the depth of a value before it is decoded into a type that recurses.
"""

from __future__ import annotations

import itertools

import msgspec
from msgspec import Struct

from typedtool.errors import BudgetExceeded, Problem, kind_of
from typedtool.values.budgets import Budget
from typedtool.values.guards import is_items, is_mapping
from typedtool.values.locations import path_segment

__all__ = ["NotJson", "check_text", "depth_of", "parse", "utf8", "walk"]

_NOT_STRUCTURE = bytes(set(range(256)) - set(b'[]{}"\\'))
_STEPS = bytes(1 if c in b"[{" else 255 if c in b"]}" else 0 for c in range(256))


class NotJson(Exception):
    """The text is not JSON. `.early` says that it is the beginning of some: it was cut off."""

    def __init__(self, what: str, early: bool = False) -> None:
        super().__init__(what)
        self.what = what
        self.early = early


def utf8(text: str | bytes | bytearray | memoryview) -> bytes:
    """The text as UTF-8, without a byte order mark. NotJson for a lone surrogate, which denotes no character."""
    if isinstance(text, str):
        try:
            data = text.encode()
        except UnicodeEncodeError:
            raise NotJson("a lone surrogate") from None
    else:
        data = bytes(text)
    return data.removeprefix(b"\xef\xbb\xbf")


def check_text(data: bytes, budget: Budget) -> None:
    """Raise BudgetExceeded where the text is longer or deeper than the budget allows."""
    if len(data) > budget.bytes:
        raise BudgetExceeded("bytes", budget.bytes)
    if data.count(b"[") + data.count(b"{") > budget.depth and depth_of(data) > budget.depth:
        raise BudgetExceeded("depth", budget.depth)


def depth_of(data: bytes) -> int:
    """How deep the arrays and objects of a JSON text are nested.

    All of it runs over whole strings in C: escapes and everything that is no bracket or quote are dropped, then the
    strings. Dropping an empty pair of quotes leaves what stands inside and outside of strings as it was.

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
    check_text(data, budget)
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
    if "UTF-8" in said:
        return "bytes that are not UTF-8", False
    if "out of range" in said:
        return "a number outside of the range of a double", False
    return "text that is not JSON", data.lstrip()[:1] in b"[{"


class Walked(Struct, frozen=True):
    """What a walk over a value saw: how deep it is, and the first thing in it that no JSON text could carry."""

    depth: int
    problem: Problem | None


def walk(value: object, budget: Budget) -> Walked:
    """Look at every part of a Python value that stands for JSON, without recursion.

    Finds NaN and Infinity, lone surrogates, and kinds that JSON does not have. Raises BudgetExceeded for depth and
    nodes.

    Example:
        >>> print(walk({"a": [1.5, float("nan")]}, Budget()).problem)
        expected a finite number, received NaN at $.a[1]
    """
    level: list[object] = [value]
    depth = nodes = 0
    while level:
        nodes += len(level)
        if nodes > budget.nodes:
            raise BudgetExceeded("nodes", budget.nodes)
        below: list[object] = []
        for part in level:
            cls = part.__class__
            if cls is dict:
                below.extend(part.values())  # type: ignore[attr-defined]
                if not all(map(_is_json_key, part)):  # type: ignore[call-overload]
                    return Walked(depth, _locate(value, part))
            elif cls is list or cls is tuple:
                below.extend(part)  # type: ignore[arg-type]
            elif not _is_json_leaf(part):
                return Walked(depth, _locate(value, part))
        depth += any(p.__class__ is dict or p.__class__ is list or p.__class__ is tuple for p in level)
        if depth > budget.depth:
            raise BudgetExceeded("depth", budget.depth)
        level = below
    return Walked(depth, None)


def _is_json_leaf(part: object) -> bool:
    if isinstance(part, str):
        return part.isascii() or _sound(part)
    if isinstance(part, float):
        return part - part == 0
    return part is None or isinstance(part, int)


def _is_json_key(key: object) -> bool:
    return isinstance(key, str) and (key.isascii() or _sound(key))


def _sound(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _locate(value: object, culprit: object) -> Problem:
    """The problem with `culprit`, with its path: a second walk, made once something was found."""
    stack: list[tuple[object, str]] = [(value, "$")]
    path = "$"
    while stack:
        part, path = stack.pop()
        if part is culprit:
            break
        if is_mapping(part):
            stack.extend((v, path + path_segment(k)) for k, v in part.items())
        elif is_items(part):
            stack.extend((v, f"{path}[{i}]") for i, v in enumerate(part))
    if isinstance(culprit, float):
        return Problem("value", path, "a finite number", "NaN" if culprit != culprit else "Infinity")
    if isinstance(culprit, str):
        return Problem("value", path, "Unicode text", "a lone surrogate")
    if isinstance(culprit, dict):
        return Problem("key", path, "keys of Unicode text", "another key")
    return Problem("type", path, "a JSON value", kind_of(culprit))
