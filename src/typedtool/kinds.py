"""The kinds of value that hold others, told apart from `Any` in a way that type checkers follow."""

from __future__ import annotations

from typing import Any

from typing_extensions import TypeIs

__all__ = ["is_dict", "is_list", "is_tuple"]


def is_dict(value: Any) -> TypeIs[dict[str, Any]]:
    """Whether `value` is a dict, as a JSON object is when it has been read."""
    return isinstance(value, dict)


def is_list(value: Any) -> TypeIs[list[Any]]:
    """Whether `value` is a list, as a JSON array is when it has been read."""
    return isinstance(value, list)


def is_tuple(value: Any) -> TypeIs[tuple[Any, ...]]:
    """Whether `value` is a tuple, which is written as a JSON array."""
    return isinstance(value, tuple)
