"""What each part of a search may ask: whether a state is empty, and whether a value is in it."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from typing import Any

from msgspec import UNSET, Struct

from typedtool.compatibility.proof.forms import State
from typedtool.compatibility.proof.membership import Membership

__all__ = ["EMPTY", "Answer", "Exhausted", "Search"]


class Exhausted(Exception):
    """The search has used up its steps or its time."""


class Answer(Struct, frozen=True):
    """`empty`: the set is proved to hold no value. Else `value` may be in it, and `sure` says that it is.

    why: what could not be decided, where neither is known.
    """

    empty: bool = False
    value: Any = UNSET
    sure: bool = False
    why: str = ""

    def better(self, other: Answer) -> Answer:
        """The more telling of two answers for a union: a sure value, any value, what is not known, empty."""
        return max(self, other, key=lambda x: (x.sure, x.value is not UNSET, not x.empty))


EMPTY = Answer(empty=True)


class Search(ABC):
    """One search. Raises Exhausted when it takes more than `steps`, or `seconds`."""

    def __init__(self, steps: int, seconds: float) -> None:
        self.steps: int = steps
        self.until: float = time.perf_counter() + seconds
        self.membership: Membership = Membership(self.spend)

    def spend(self) -> None:
        self.steps -= 1
        if self.steps < 0 or (not self.steps & 255 and time.perf_counter() > self.until):
            raise Exhausted

    @abstractmethod
    def solve(self, state: State) -> Answer:
        """Whether the state is empty, or a value in it."""

    def is_empty(self, state: State) -> bool:
        """Whether the state is proved to be empty."""
        return self.solve(state).empty

    def is_in(self, value: Any, state: State) -> bool | None:
        """Whether a value is in the state; None where a form does not know."""
        known: bool | None = True
        for form, sign in state:
            found = self.membership.is_in(value, form)
            if found is None:
                known = None
            elif found != sign:
                return False
        return known

    def built(self, value: Any, state: State, why: str) -> Answer:
        """The answer that a value which was put together gives. One that is not in the state proves nothing."""
        found = self.is_in(value, state)
        if found is False:
            return Answer(why=why)
        return Answer(value=value, sure=bool(found), why=self.membership.why if found is None else "")
