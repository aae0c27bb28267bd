"""Whether a set of JSON values is empty, and if not, a small value that is in it: `Solver.solve(state) -> Answer`.

A state is split by kind of value, then by its clauses (`conjunction`, `propagation`), until only atoms are left, which
each kind decides by itself (`witnesses`). What is left of a property or an item is a state again. A state that is met
inside of itself, further down in the value, counts as empty: a smallest value of a set holds no smaller one of the same
set (so recursion ends by coinduction, not by depth).

Whatever is uncertain ends in `Answer.why`, never in `empty`.
"""

from __future__ import annotations

from typedtool.compatibility.proof.conjunction import Conjunction
from typedtool.compatibility.proof.forms import KINDS, Literal, State, may
from typedtool.compatibility.proof.propagation import propagate
from typedtool.compatibility.proof.search import EMPTY, Answer, Search
from typedtool.compatibility.proof.witnesses import witness

__all__ = ["Solver"]

_DEEPEST = 30


class Solver(Search):
    """The search itself. known: what earlier searches over the same forms found out, and this one adds to."""

    def __init__(self, steps: int, seconds: float, known: dict[State, Answer]) -> None:
        super().__init__(steps, seconds)
        self.known = known
        self.open: dict[State, int] = {}
        self.lowest: int = _NEVER
        self.kinds: dict[Literal, int] = {}

    def solve(self, state: State) -> Answer:
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
            found = self.by_kind(kinds, state)
        finally:
            del self.open[state]
        # What was found empty under an assumption about a state further out holds only as long as that does.
        if found.sure or self.lowest >= here:
            self.known[state] = found
        self.lowest = min(outer, self.lowest if self.lowest < here else _NEVER)
        return found

    def kinds_of(self, state: State) -> int:
        kinds = 63
        for literal in state:
            bits = self.kinds.get(literal)
            if bits is None:
                bits = self.kinds[literal] = may(*literal)
            kinds &= bits
        return kinds

    def by_kind(self, kinds: int, state: State) -> Answer:
        best = EMPTY
        for kind in KINDS:
            if not kind & kinds:
                continue
            conjunction = Conjunction(kind, self.spend)
            if not all(conjunction.push(form, sign) for form, sign in state):
                continue
            found = self.by_clause(conjunction, state)
            if found.sure:
                return found
            best = best.better(found)
        return best

    def by_clause(self, conjunction: Conjunction, state: State) -> Answer:
        """Decide the clauses of a conjunction, one after the other."""
        self.spend()
        if not conjunction.among and not propagate(self, conjunction):
            return EMPTY
        if conjunction.among or not conjunction.clauses:
            return witness(self, conjunction, state)
        # What says "one of these" tells more than what says "not all of these": it goes first.
        clauses = conjunction.clauses
        index = min(range(len(clauses)), key=lambda i: (not clauses[i][0], len(clauses[i][1])))
        _, literals = clauses.pop(index)
        best = EMPTY
        for form, sign in literals:
            branch = conjunction.copy()
            if not branch.push(form, sign):
                continue
            found = self.by_clause(branch, state)
            if found.sure:
                return found
            best = best.better(found)
        return best


_NEVER = 1 << 30
