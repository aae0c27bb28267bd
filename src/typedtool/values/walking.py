"""The walk over a JSON value, `levels`, and the questions that it answers: how large, whether JSON, what is not JSON.

Nothing here recurses. Every walk over a foreign value spends depth and nodes from a `Budget`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from math import isfinite, isnan
from typing import Any

from msgspec import Struct

from typedtool.errors import BudgetExceeded, Problem, kind_of
from typedtool.values.budgets import Budget
from typedtool.values.guards import is_dict, is_items
from typedtool.values.json_text import is_unicode
from typedtool.values.locations import json_path, json_pointer

__all__ = [
    "Extent",
    "NotJsonValue",
    "copied",
    "fewer_than",
    "has_huge_integers",
    "is_json",
    "json_problems",
    "levels",
    "measured",
    "parts",
]

Path = tuple[Any, ...] | None
"""Where a value is: `(parent path, key)`, None being the root. Linked, so that a step costs nothing."""

_INTEGER_BITS = 14_000
"""Python writes integers of up to 4,300 digits as text; past that, jsonschema-rs answers wrongly."""

_SMALL = 1 << 256
_HOLDERS = frozenset((dict, list, tuple))
_KINDS = _HOLDERS | {str, bool, int, float, type(None)}
_PLAIN = _KINDS - {tuple}
_LISTS = frozenset((list, tuple))
_WORDLESS = _KINDS - {str}
_QUIET = _LISTS | {int, bool, type(None)}
_UNBOUNDED = Budget(depth=sys.maxsize, nodes=sys.maxsize)


# --- the walk -------------------------------------------------------------------------------------------------------


def levels(value: Any, budget: Budget) -> Iterator[tuple[list[Any], set[type]]]:
    """The values within a value, level by level, each level with the classes on it. The first holds the value itself.

    Raises BudgetExceeded for depth and nodes, before a level that is too large is made.

    Example:
        >>> [level for level, _ in levels({"a": [1, 2]}, Budget())]
        [[{'a': [1, 2]}], [[1, 2]], [1, 2]]
    """
    level: list[Any] = [value]
    nodes, depth = budget.nodes - 1, budget.depth
    while level:
        kinds = set(map(type, level))
        yield level, kinds
        holders = _holders(kinds)
        if not holders:
            return
        depth -= 1
        if depth < 0:
            raise BudgetExceeded("depth", budget.depth)
        below: list[Any] = []
        for held in level:
            if type(held) in holders:
                nodes -= len(held)
                if nodes < 0:
                    raise BudgetExceeded("nodes", budget.nodes)
                below += held.values() if isinstance(held, dict) else held
        level = below


def _holders(kinds: set[type]) -> set[type]:
    """The classes that are arrays or objects; an OrderedDict, too, is an object."""
    if kinds <= _KINDS:
        return kinds & _HOLDERS
    return {kind for kind in kinds if issubclass(kind, (dict, list, tuple))}


def parts(value: Any) -> Iterator[Any]:
    """A value and every value within it, without a budget: for values that are known to be bounded.

    Example:
        >>> list(parts({"a": [1, 2]}))
        [{'a': [1, 2]}, [1, 2], 1, 2]
    """
    for level, _ in levels(value, _UNBOUNDED):
        yield from level


# --- sizes ----------------------------------------------------------------------------------------------------------


class Extent(Struct, frozen=True):
    """The size of a value: `depth` levels, `nodes` values, `text` characters, the length of the `longest` text.

    plain: its arrays and objects are lists and dicts, and no tuples or classes of their own, which the second engine
        does not take for arrays and objects.
    figures: the work that its huge integers make, as the sum of the squares of their bits.
    sound: a JSON text can carry it. Where none can, its text is not counted any further.
    """

    depth: int
    nodes: int
    text: int
    longest: int
    plain: bool
    figures: int
    sound: bool


def measured(value: object, budget: Budget) -> Extent:
    """The extent of a value. Raises BudgetExceeded for depth, nodes and bytes (of all its text together)."""
    depth = nodes = text = longest = figures = 0
    sound = plain = True
    for level, kinds in levels(value, budget):
        holders = _holders(kinds)
        depth += bool(holders)
        nodes += len(level)
        plain = plain and kinds <= _PLAIN
        huge = _huge(level, kinds)
        figures += sum(x.bit_length() ** 2 for x in huge)
        sound = sound and _is_json(level, kinds, huge)
        if not sound:
            continue
        lengths = [] if kinds <= _WORDLESS else [len(x) for x in level if isinstance(x, str)]
        if not holders <= _LISTS:
            lengths += [len(name) for x in level if is_dict(x) for name in x]
        if lengths:
            text += sum(lengths)
            longest = max(longest, *lengths)
            # a text that many places share counts in each of them, as it does for who reads it
            if text > budget.bytes:
                raise BudgetExceeded("bytes", budget.bytes)
    return Extent(depth, nodes, text, longest, plain, figures, sound)


def fewer_than(value: Any, limit: float, budget: Budget) -> bool:
    """Whether a value holds fewer than `limit` values, itself included. Raises BudgetExceeded."""
    nodes = 0
    for level, _ in levels(value, budget):
        nodes += len(level)
        if nodes >= limit:
            return False
    return True


def has_huge_integers(value: Any, budget: Budget) -> bool:
    """Whether an integer in a value is beyond 2**256. Raises BudgetExceeded."""
    return any(_huge(level, kinds) for level, kinds in levels(value, budget))


def _huge(level: list[Any], kinds: set[type]) -> list[int]:
    return [x for x in level if type(x) is int and not -_SMALL < x < _SMALL] if int in kinds else []


# --- what is not JSON -----------------------------------------------------------------------------------------------


class NotJsonValue(Exception):
    """A Python value holds something that no JSON text can carry. `.problem` says where, and what."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem)
        self.problem = problem


def is_json(value: object, budget: Budget) -> bool:
    """Whether a JSON text can carry a Python value. Raises BudgetExceeded for depth and nodes.

    JSON has no NaN, no Infinity, no lone surrogates and no other classes. Python writes no integer of over 14,000 bits.
    """
    return all(_is_json(level, kinds, _huge(level, kinds)) for level, kinds in levels(value, budget))


def _is_json(level: list[Any], kinds: set[type], huge: list[int]) -> bool:
    """Whether the values of a level are JSON, apart from those that they hold. The commonest are known by class."""
    if any(map(_fault, huge)):
        return False
    if kinds <= _QUIET:
        return True
    for part, cls in zip(level, map(type, level)):
        if cls is str:
            if not part.isascii() and not is_unicode(part):
                return False
        elif cls is dict:
            if not _are_names(part):
                return False
        elif cls is float:
            if part - part != 0:  # what NaN and Infinity have in common
                return False
        elif cls not in _QUIET and (_fault(part) or (is_dict(part) and not _are_names(part))):
            return False
    return True


def _are_names(keys: Iterable[Any]) -> bool:
    try:
        return all(map(str.isascii, keys)) or all(map(is_unicode, keys))
    except TypeError:  # a key that is no string
        return False


def _fault(value: object) -> tuple[str, str] | None:
    """What would be JSON in the place of a value, and what is there; None where it is JSON. Its parts are not looked at."""
    if value is None or isinstance(value, (bool, dict, list, tuple)):
        return None
    if isinstance(value, str):
        return None if is_unicode(value) else ("Unicode text", "a lone surrogate")
    if isinstance(value, int):
        bits = value.bit_length()
        at_most = f"an integer of at most {_INTEGER_BITS:,} bits"
        return None if bits <= _INTEGER_BITS else (at_most, f"integer of {bits:,} bits")
    if isinstance(value, float):
        return None if isfinite(value) else ("a finite number", "NaN" if isnan(value) else "Infinity")
    return "a JSON value", kind_of(value)


def _key_fault(key: object) -> tuple[str, str] | None:
    if not isinstance(key, str):
        return "a property name that is a string", kind_of(key)
    return None if is_unicode(key) else ("a property name of Unicode text", "a lone surrogate")


def json_problems(value: object, budget: Budget) -> tuple[Problem, ...]:
    """What in a value is not JSON, in the order of the value; at most `budget.problems`. Raises BudgetExceeded.

    Example:
        >>> print(*json_problems({"a": [1.5, float("nan")]}, Budget()))
        expected a finite number, received NaN at $.a[1]
    """
    if is_json(value, budget):
        return ()
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
        if fault := _fault(item):
            found.append(_problem(fault, path))
        pairs: Any = ()
        if is_dict(item):
            found += [_problem(fault, path) for fault in map(_key_fault, item) if fault]
            pairs = item.items()
        elif is_items(item):
            pairs = enumerate(item)
        stack += reversed([(child, (path, key), depth + 1) for key, child in pairs])
    return tuple(found[: budget.problems])


def _problem(fault: tuple[str, str], path: Path) -> Problem:
    return Problem("json", json_path(_steps(path)), *fault)


def _steps(path: Path) -> list[Any]:
    steps: list[Any] = []
    while path is not None:
        path, key = path
        steps.append(key)
    return steps[::-1]


# --- a copy ---------------------------------------------------------------------------------------------------------


def copied(value: object, budget: Budget, nodes: int) -> Any:
    """A deep copy of a JSON value of at most `nodes` values: dicts, lists (for tuples, too) and scalars.

    Raises NotJsonValue, and BudgetExceeded where it is too deep or too large, with a JSON Pointer to where.
    """
    top: list[Any] = []
    left, text = nodes, budget.bytes
    stack: list[tuple[Any, Any, Path, int]] = [([value], top, None, 0)]
    while stack:
        source, target, path, depth = stack.pop()
        left -= len(source)
        if left < 0:
            raise BudgetExceeded("subschemas", budget.subschemas, pointer=json_pointer(_steps(path)))
        if depth > budget.depth:
            raise BudgetExceeded("depth", budget.depth, pointer=json_pointer(_steps(path)))
        named = is_dict(source)
        pairs: Any = source.items() if named else enumerate(source)
        for key, item in pairs:
            if named:
                if fault := _key_fault(key):
                    raise NotJsonValue(_problem(fault, path))
                text -= len(key)
            below = (path, key) if depth else None
            copy: Any = item
            if is_dict(item) or is_items(item):
                copy = {} if is_dict(item) else []
                stack.append((item, copy, below, depth + 1))
            elif fault := _fault(item):
                raise NotJsonValue(_problem(fault, below))
            elif isinstance(item, str):
                text -= len(item)
            if named:
                target[key] = copy
            else:
                target.append(copy)
        if text < 0:
            raise BudgetExceeded("bytes", budget.bytes, pointer=json_pointer(_steps(path)))
    return top[0]
