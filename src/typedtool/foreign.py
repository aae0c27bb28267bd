"""Foreign JSON, before anything else sees it: copied and bounded without recursion, whatever its depth."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from math import isfinite
from typing import Any

from msgspec import Struct

from typedtool.budgets import Budget
from typedtool.errors import BudgetExceeded, Problem, kind_of, path_segment
from typedtool.kinds import is_dict, is_list

__all__ = [
    "Extent",
    "Fault",
    "Path",
    "copied",
    "fewer_than",
    "json_path",
    "json_pointer",
    "measured",
    "problems_of_values",
]

Path = tuple[Any, ...] | None
"""Where a value is: `(parent path, key)`, None being the root. Linked, so that a step costs nothing."""

_INTEGER_BITS = 14_000
"""Python writes integers of up to 4,300 digits as text; past that, jsonschema-rs answers wrongly."""


class Fault(Exception):
    """`what` at `path` is not JSON. Only seen by the callers of this module."""

    def __init__(self, what: str, path: Path) -> None:
        super().__init__(what, path)
        self.what = what
        self.path = path


def _steps(path: Path) -> list[Any]:
    steps: list[Any] = []
    while path is not None:
        path, key = path
        steps.append(key)
    return steps[::-1]


def json_pointer(path: Path) -> str:
    """The JSON Pointer (RFC 6901) of `path`."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in _steps(path))


def json_path(path: Path) -> str:
    """The JSONPath (RFC 9535) of `path`."""
    return "$" + "".join(map(path_segment, _steps(path)))


def _encodes(text: str) -> bool:
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _not_json(value: object) -> str | None:
    """What about a value that is neither array nor object is not JSON, or None."""
    if value is None or isinstance(value, bool):
        return None
    if isinstance(value, str):
        return None if _encodes(value) else "a string with a lone surrogate"
    if isinstance(value, int):
        return None if value.bit_length() <= _INTEGER_BITS else f"an integer of {value.bit_length()} bits"
    if isinstance(value, float):
        return None if isfinite(value) else "a number that is not finite"
    return kind_of(value)


def _bad_key(key: object) -> str | None:
    if not isinstance(key, str):
        return "a property name that is no string"
    return None if _encodes(key) else "a property name with a lone surrogate"


def copied(value: object, budget: Budget, nodes: int) -> Any:
    """A deep copy of JSON: plain dicts, lists, strings and numbers, of at most `nodes` values.

    Raises `Fault` where it is not JSON, `BudgetExceeded` where it is too deep or too large.
    """
    top: list[Any] = [None]
    left, text = nodes, budget.bytes
    stack: list[tuple[object, Callable[[Any], None], Path, int]] = [(value, _setter(top, 0), None, 1)]
    while stack:
        item, put, path, depth = stack.pop()
        if is_dict(item) or is_list(item):
            left -= 1 + len(item)
            if left < 0:
                raise BudgetExceeded("subschemas", budget.subschemas, pointer=json_pointer(path))
            if depth > budget.depth:
                raise BudgetExceeded("depth", budget.depth, pointer=json_pointer(path))
            if is_dict(item):
                copy: dict[str, Any] = {}
                for key, child in item.items():
                    if bad := _bad_key(key):
                        raise Fault(bad, path)
                    text -= len(key)
                    copy[key] = None
                    stack.append((child, _setter(copy, key), (path, key), depth + 1))
                put(copy)
            else:
                array: list[Any] = [None] * len(item)
                stack.extend((child, _setter(array, i), (path, i), depth + 1) for i, child in enumerate(item))
                put(array)
            continue
        if bad := _not_json(item):
            raise Fault(bad, path)
        if isinstance(item, str):
            text -= len(item)
        if text < 0:
            raise BudgetExceeded("bytes", budget.bytes, pointer=json_pointer(path))
        put(item)
    return top[0]


def _setter(container: Any, key: Any) -> Callable[[Any], None]:
    def put(item: Any) -> None:
        container[key] = item

    return put


class Extent(Struct, frozen=True):
    """How large a value is: `depth` levels, `nodes` values, `texts` strings of `text` characters, and
    `longest`.
    """

    depth: int
    nodes: int
    texts: int
    text: int
    longest: int
    sound: bool
    """Whether all of it is JSON."""


def measured(value: object, budget: Budget) -> Extent:
    """The extent of a value, walked level by level. Raises `BudgetExceeded` for more `depth` or `nodes` than
    allowed.
    """
    depth = nodes = texts = text = longest = 0
    sound = True
    level: list[Any] = [value]
    while level:
        nodes += len(level)
        if nodes > budget.nodes:
            raise BudgetExceeded("nodes", budget.nodes)
        kinds: set[type] = set(map(type, level))
        dicts: list[dict[Any, Any]] = [x for x in level if type(x) is dict] if dict in kinds else []
        lists: list[list[Any]] = [x for x in level if type(x) is list] if list in kinds else []
        words: list[str] = [x for x in level if type(x) is str] if str in kinds else []
        if dicts:
            keys = list(chain.from_iterable(dicts))
            if set(map(type, keys)) <= {str}:
                words += keys
            else:
                sound = False
        if words:
            sizes = list(map(len, words))
            texts += len(words)
            text += sum(sizes)
            longest = max(longest, *sizes)
            sound = sound and (all(map(str.isascii, words)) or all(map(_encodes, words)))
        others = kinds - _PLAIN
        if others:
            sound = sound and not any(type(x) in others and _not_json(x) for x in level)
        if dicts or lists:
            depth += 1
            if depth > budget.depth:
                raise BudgetExceeded("depth", budget.depth)
        level = [*chain.from_iterable(x.values() for x in dicts), *chain.from_iterable(lists)]
    return Extent(depth, nodes, texts, text, longest, sound)


def fewer_than(value: Any, limit: float) -> bool:
    """Whether a value holds less than `limit` values: the quickest look at it."""
    left = limit
    stack = [value]
    while stack:
        item = stack.pop()
        left -= len(item) if type(item) in _HOLDERS else 1
        if left <= 0:
            return False
        if type(item) is dict:
            stack.extend([x for x in item.values() if type(x) in _HOLDERS])
        elif type(item) is list:
            stack.extend([x for x in item if type(x) in _HOLDERS])
    return True


_HOLDERS = frozenset((dict, list))
_PLAIN: set[type] = {dict, list, str, bool, type(None)}


def problems_of_values(value: object, budget: Budget) -> list[Problem]:
    """What in a value is not JSON at all (NaN, a lone surrogate, a Python object), as problems; with their
    paths.
    """
    found: list[Problem] = []
    stack: list[tuple[Any, Path, int]] = [(value, None, 0)]
    left = budget.nodes
    while stack and len(found) < budget.problems:
        item, path, depth = stack.pop()
        left -= 1
        if left < 0:
            raise BudgetExceeded("nodes", budget.nodes)
        if depth > budget.depth:
            raise BudgetExceeded("depth", budget.depth)
        if is_dict(item):
            for key, child in item.items():
                if bad := _bad_key(key):
                    found.append(Problem("json", json_path(path), "JSON", bad))
                else:
                    stack.append((child, (path, key), depth + 1))
        elif is_list(item):
            stack.extend((child, (path, i), depth + 1) for i, child in enumerate(item))
        elif bad := _not_json(item):
            found.append(Problem("json", json_path(path), "JSON", bad))
    return found[: budget.problems]
