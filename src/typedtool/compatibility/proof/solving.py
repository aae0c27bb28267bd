"""Whether a set of JSON values is empty, and if not, a small value that is in it: `Solver.solve(state) -> Answer`.

A state is a conjunction of forms and complements of forms. It is split by kind of value, then by its disjunctions,
until only atoms are left, which each kind decides by itself (`leaves`). What is left of a property or an item is a state
again. Meeting a state inside of itself, further down in the value, counts as empty: a smallest value of a set holds no
smaller one of the same set (so recursion ends by coinduction, not by depth).

Whatever is uncertain ends in `Answer.why`, never in `empty`.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

from msgspec import UNSET

from typedtool.compatibility.proof.answers import EMPTY, Answer
from typedtool.compatibility.proof.branches import Branch
from typedtool.compatibility.proof.forms import (
    KINDS,
    OBJECT,
    Form,
    Literal,
    Names,
    Others,
    Rest,
    canonical,
    may,
    may_not,
)
from typedtool.compatibility.proof.judging import Exhausted, Judging
from typedtool.compatibility.proof.leaves import leaf
from typedtool.compatibility.proof.places import Place, places_of_item, places_of_name, places_of_property

__all__ = ["Solver"]

_DEEPEST = 30


class Solver:
    """One search. Raises Exhausted where it takes more than `steps`, or `seconds`.

    known: what earlier searches over the same forms found out, and this one adds to.
    """

    def __init__(self, steps: int, seconds: float, known: dict[frozenset[Literal], Answer]) -> None:
        self.steps: int = steps
        self.until: float = time.perf_counter() + seconds
        self.judging: Judging = Judging(self.spend)
        self.known = known
        self.open: dict[frozenset[Literal], int] = {}
        self.lowest: int = _NEVER
        self.kinds: dict[Literal, int] = {}

    def spend(self) -> None:
        self.steps -= 1
        if self.steps < 0 or (not self.steps & 255 and time.perf_counter() > self.until):
            raise Exhausted

    def is_empty(self, state: frozenset[Literal]) -> bool:
        """Whether the state is proved to be empty."""
        return self.solve(state).empty

    def solve(self, state: frozenset[Literal]) -> Answer:
        """Whether the state is empty, or a value in it."""
        known = self.known.get(state)
        if known is not None:
            return known
        if state in self.open:
            self.lowest = min(self.lowest, self.open[state])
            return EMPTY
        kinds = self.kinds_of(state)
        if not kinds:
            return EMPTY
        here = len(self.open)
        if here > _DEEPEST:
            return Answer(why="it is nested too deeply")
        outer, self.lowest = self.lowest, _NEVER
        self.open[state] = here
        try:
            found = self.of_kinds(kinds, state)
        finally:
            del self.open[state]
        # What was found empty under an assumption about a state further out holds only as long as that does.
        if found.sure or self.lowest >= here:
            self.known[state] = found
        self.lowest = min(outer, self.lowest if self.lowest < here else _NEVER)
        return found

    def kinds_of(self, state: frozenset[Literal]) -> int:
        kinds = 63
        for literal in state:
            bits = self.kinds.get(literal)
            if bits is None:
                bits = self.kinds[literal] = may(literal[0]) if literal[1] else may_not(literal[0])
            kinds &= bits
        return kinds

    def of_kinds(self, kinds: int, state: frozenset[Literal]) -> Answer:
        best = EMPTY
        for kind in KINDS:
            if not kind & kinds:
                continue
            branch = Branch(self, kind)
            if not all(branch.push(form, sign) for form, sign in state):
                continue
            found = self.search(branch, state)
            if found.sure:
                return found
            best = better(best, found)
        return best

    def search(self, branch: Branch, state: frozenset[Literal]) -> Answer:
        """Decide the disjunctions of a branch, one after the other."""
        self.spend()
        if branch.among:
            return self.finite(branch, state)
        if not self.settle(branch):
            return EMPTY
        if branch.among or not branch.choices:
            return self.finite(branch, state) if branch.among else leaf(self, branch, state)
        # What says "one of these" tells more than what says "not all of these": it goes first.
        index = min(
            range(len(branch.choices)), key=lambda i: (not branch.choices[i][0], len(branch.choices[i][1]))
        )
        _, options = branch.choices.pop(index)
        best = EMPTY
        for form, sign in options:
            taken = branch.copy()
            if not taken.push(form, sign):
                continue
            found = self.search(taken, state)
            if found.sure:
                return found
            best = better(best, found)
        return best

    def settle(self, branch: Branch) -> bool:
        """Drop the disjunctions that hold already and the options that cannot; False where one has no option left."""
        positive = any(sign for sign, _ in branch.choices)
        changed = True
        while changed:
            changed = False
            choices, branch.choices = branch.choices, []
            for i, (sign, options) in enumerate(choices):
                if positive and not sign:
                    branch.choices.append((sign, options))
                    continue
                left = self.left_of(branch, options)
                if left is None:
                    continue
                if len(left) > 1:
                    branch.choices.append((sign, left))
                    continue
                if not left or not branch.push(*left[0]):
                    return False
                branch.choices.extend(choices[i + 1 :])
                changed = True
                break
            was, positive = positive, any(sign for sign, _ in branch.choices)
            changed = changed or was != positive
        return True

    def left_of(self, branch: Branch, options: tuple[Literal, ...]) -> tuple[Literal, ...] | None:
        """The options that are still possible, None where one of them is so already."""
        left: list[Literal] = []
        for form, sign in options:
            status = branch.status(form, sign)
            if status:
                return None
            if status is None:
                left.append((form, sign))
        return tuple(left)

    def places(self, branch: Branch, form: Form) -> Iterator[Place]:
        """The places in the value that could be outside of what `form` says of all its places."""
        if branch.kind == OBJECT and isinstance(form, Others):
            return places_of_property(self, branch, form)
        if branch.kind == OBJECT and isinstance(form, Names):
            return places_of_name(self, branch, form)
        return places_of_item(self, branch, form) if isinstance(form, Rest) else iter(())

    def somewhere(self, branch: Branch, form: Form) -> bool:
        """Whether there is such a place."""
        return any(True for _ in self.places(branch, form))

    # --- values ---------------------------------------------------------------------------------------------------

    def finite(self, branch: Branch, state: frozenset[Literal]) -> Answer:
        """The branch is one of a few values: each is judged."""
        keys = branch.among[0].keys
        for other in branch.among[1:]:
            keys = keys & other.keys
        best = EMPTY
        for value, key in zip(branch.among[0].values, map(canonical, branch.among[0].values)):
            self.spend()
            if key not in keys or key in branch.excluded:
                continue
            verdict = self.judge(value, state)
            if verdict is not False:
                best = better(best, Answer(value=value, sure=bool(verdict), why=self.judging.why))
                if verdict:
                    break
        return best

    def judge(self, value: Any, state: frozenset[Literal]) -> bool | None:
        """Whether a value is in the state."""
        known: bool | None = True
        for form, sign in state:
            found = self.judging.holds(value, form)
            if found is None:
                known = None
            elif found != sign:
                return False
        return known

    def built(self, value: Any, state: frozenset[Literal], why: str) -> Answer:
        """The answer that a value which was put together gives. One that is not in the state after all proves nothing."""
        verdict = self.judge(value, state)
        if verdict is False:
            return Answer(why=why)
        return Answer(value=value, sure=bool(verdict), why=self.judging.why if verdict is None else "")


def better(a: Answer, b: Answer) -> Answer:
    """The more telling of two answers for a union: a sure value, any value, what is not known, empty."""
    return max(a, b, key=lambda x: (x.sure, x.value is not UNSET, not x.empty))


_NEVER = 1 << 30
