"""The kinds of value that hold others, told apart in a way that type checkers follow.

For the inside: the guards for users are in `guards`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeGuard

from typing_extensions import TypeIs

__all__ = ["is_dict", "is_items", "is_list", "is_mapping", "is_tuple"]


def is_dict(value: Any) -> TypeIs[dict[str, Any]]:
    """Whether `value` is a dict, as a JSON object is when it has been read."""
    return isinstance(value, dict)


def is_list(value: Any) -> TypeIs[list[Any]]:
    """Whether `value` is a list, as a JSON array is when it has been read."""
    return isinstance(value, list)


def is_tuple(value: Any) -> TypeIs[tuple[Any, ...]]:
    """Whether `value` is a tuple, which is written as a JSON array."""
    return isinstance(value, tuple)


def is_mapping(value: object, /) -> TypeGuard[Mapping[Any, Any]]:
    """Whether `value` is a mapping of any class, as foreign Python objects may be."""
    return isinstance(value, Mapping)


def is_items(value: object, /) -> TypeGuard[Sequence[Any]]:
    """Whether `value` is a list or a tuple."""
    return isinstance(value, (list, tuple))
