"""Foreign JSON, before anything else sees it: copied and bounded without recursion, whatever its depth."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from math import isfinite
from typing import Any

from msgspec import Struct

from typedtool.errors import BudgetExceeded, Problem, kind_of
from typedtool.values.budgets import Budget
from typedtool.values.guards import is_dict, is_list, is_tuple
from typedtool.values.locations import json_path, json_pointer

__all__ = [
    "Extent",
    "Fault",
    "Path",
    "copied",
    "fewer_than",
    "measured",
    "plain_numbers",
    "problems_of_values",
    "steps_of",
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


def steps_of(path: Path) -> list[Any]:
    """The keys from the root to a value."""
    steps: list[Any] = []
    while path is not None:
        path, key = path
        steps.append(key)
    return steps[::-1]


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
    """A deep copy of JSON: plain dicts, lists (for tuples, too) and scalars, of at most `nodes` values.

    Raises `Fault` where it is not JSON, `BudgetExceeded` where it is too deep or too large.
    """
    top: list[Any] = []
    left, text = nodes + 1, budget.bytes
    stack: list[tuple[Any, Any, Path, int]] = [([value], top, None, 0)]
    while stack:
        source, target, path, depth = stack.pop()
        left -= len(source)
        if left < 0:
            raise BudgetExceeded("subschemas", budget.subschemas, pointer=json_pointer(steps_of(path)))
        if depth > budget.depth:
            raise BudgetExceeded("depth", budget.depth, pointer=json_pointer(steps_of(path)))
        named = is_dict(source)
        pairs: Any = source.items() if named else enumerate(source)
        for key, item in pairs:
            if named:
                if bad := _bad_key(key):
                    raise Fault(bad, path)
                text -= len(key)
            below = (path, key) if depth else None
            copy: Any = item
            if is_dict(item) or is_list(item) or is_tuple(item):
                copy = {} if is_dict(item) else []
                stack.append((item, copy, below, depth + 1))
            elif isinstance(item, str):
                text -= len(item)
                if not item.isascii() and (bad := _not_json(item)):
                    raise Fault(bad, below)
            elif bad := _not_json(item):
                raise Fault(bad, below)
            if named:
                target[key] = copy
            else:
                target.append(copy)
        if text < 0:
            raise BudgetExceeded("bytes", budget.bytes, pointer=json_pointer(steps_of(path)))
    return top[0]


class Extent(Struct, frozen=True):
    """How large a value is: `depth` levels, `nodes` values, `text` characters, the `longest` text.

    tuples: whether it has any; a tuple is an array to JSON and to the first engine, and not to the second.
    figures: the work that its huge integers make, as the sum of the squares of their bits.
    sound: whether all of it is JSON.
    """

    depth: int
    nodes: int
    text: int
    longest: int
    tuples: bool
    figures: int
    sound: bool


def measured(value: object, budget: Budget, texts: bool = True) -> Extent:
    """The extent of a value, walked level by level. Raises `BudgetExceeded` (`depth`, `nodes`)."""
    depth = nodes = text = longest = figures = 0
    sound, tuples = True, False
    level: list[Any] = [value]
    while level:
        nodes += len(level)
        if nodes > budget.nodes:
            raise BudgetExceeded("nodes", budget.nodes)
        kinds: set[type] = set(map(type, level))
        dicts: list[dict[Any, Any]] = [x for x in level if type(x) is dict] if dict in kinds else []
        lists: list[list[Any]] = [x for x in level if type(x) is list] if list in kinds else []
        if tuple in kinds:
            tuples = True
            lists += [list(x) for x in level if is_tuple(x)]
        words: list[str] = [x for x in level if type(x) is str] if str in kinds else []
        if dicts:
            words += chain.from_iterable(dicts)
        if words:
            try:
                # a text that many places share counts in each of them: it is not put together past the budget
                if text + sum(map(len, words)) > budget.bytes:
                    raise BudgetExceeded("bytes", budget.bytes)
                joined = "".join(words)
            except TypeError:  # a property name that is no string
                sound, joined = False, ""
            text += len(joined)
            sound = sound and _encodes(joined)
            if texts and sound:
                longest = max(longest, *map(len, words))
        if int in kinds:
            huge = [x.bit_length() for x in level if type(x) is int and not -_SMALL < x < _SMALL]
            figures += sum(bits * bits for bits in huge)
            sound = sound and max(huge, default=0) <= _INTEGER_BITS
        others = kinds - _PLAIN
        if others:
            sound = sound and not any(type(x) in others and _not_json(x) for x in level)
        if dicts or lists:
            depth += 1
            if depth > budget.depth:
                raise BudgetExceeded("depth", budget.depth)
        level = [*chain.from_iterable(x.values() for x in dicts), *chain.from_iterable(lists)]
    return Extent(depth, nodes, text, longest, tuples, figures, sound)


def plain_numbers(value: Any) -> bool:
    """Whether no integer of a value is huge. It looks at nothing else."""
    stack = [value if is_dict(value) or is_list(value) else [value]]
    while stack:
        item: Any = stack.pop()
        children: Iterable[Any] = item.values() if is_dict(item) else item
        for child in children:
            if type(child) is int:
                if not -_SMALL < child < _SMALL:
                    return False
            elif type(child) in _HOLDERS:
                stack.append(child)
    return True


def fewer_than(value: Any, limit: float) -> bool:
    """Whether a value holds less than `limit` values: the quickest look at it."""
    left = limit
    stack: list[Any] = [value]
    while stack:
        item: Any = stack.pop()
        left -= len(item) if type(item) in _HOLDERS else 1
        if left <= 0:
            return False
        if is_dict(item):
            stack.extend([x for x in item.values() if type(x) in _HOLDERS])
        elif type(item) in _HOLDERS:
            stack.extend([x for x in item if type(x) in _HOLDERS])
    return True


_HOLDERS = frozenset((dict, list, tuple))
_PLAIN: set[type] = {dict, list, tuple, str, bool, int, type(None)}
_SMALL = 1 << 256


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
                    found.append(Problem("json", json_path(steps_of(path)), "JSON", bad))
                else:
                    stack.append((child, (path, key), depth + 1))
        elif is_list(item) or is_tuple(item):
            stack.extend((child, (path, i), depth + 1) for i, child in enumerate(item))
        elif bad := _not_json(item):
            found.append(Problem("json", json_path(steps_of(path)), "JSON", bad))
    return found[: budget.problems]
