"""What the search answers: whether a set is empty, or a value that is in it."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET, Struct

__all__ = ["EMPTY", "Answer"]


class Answer(Struct, frozen=True):
    """`empty`: proved to hold no value. Else `value` is one that may be in it, and `sure` says that it is.

    why: what could not be decided, where neither is known.
    """

    empty: bool = False
    value: Any = UNSET
    sure: bool = False
    why: str = ""


EMPTY = Answer(empty=True)
