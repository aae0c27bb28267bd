"""The questions that the search answers: `Questions(budget).ask(literals)`, whether a conjunction of forms is empty."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from msgspec import UNSET

from typedtool.compatibility.proof.forms import Literal, State
from typedtool.compatibility.proof.search import Answer, Exhausted
from typedtool.compatibility.proof.solving import Solver
from typedtool.compatibility.proof.verdicts import Proved, Refuted, Unknown, Verdict
from typedtool.values.budgets import Budget

__all__ = ["JSON_IN_STRING", "Questions"]

_STEPS = 100_000
_SECONDS = 0.5
JSON_IN_STRING = "the type is read from JSON inside a string, of which the schema can say nothing"


class Questions:
    """The questions about one type and one schema. What the search finds for one of them serves the next.

    fault: the first fault of the search itself. Its answer knows nothing, so that no caller breaks by it.
    """

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.fault: Exception | None = None
        self._answers: dict[State, Answer] = {}
        self._found: dict[State, Answer] = {}

    def ask(self, literals: Iterable[Literal]) -> Answer:
        """Whether a conjunction is empty. A search that takes too long, or fails, knows nothing."""
        state = frozenset(literals)
        known = self._answers.get(state)
        if known is None:
            known = self._answers[state] = self._searched(state)
        return known

    def _searched(self, state: State) -> Answer:
        solver = Solver(_STEPS, min(self.budget.seconds, _SECONDS), self._found)
        try:
            return solver.solve(state)
        except Exhausted:
            return Answer(why="it takes more work than the budget allows")
        except RecursionError:
            return Answer(why="it is nested too deeply")
        except Exception as error:
            return self.failed(error)

    def verdict(self, literals: Iterable[Literal], shows: Callable[[Any], bool]) -> Verdict:
        """Proved when no value is in all of these; Refuted when one is, and `shows` confirms it."""
        found = self.ask(literals)
        if found.empty:
            return Proved()
        if found.value is UNSET or (not found.sure and found.why == JSON_IN_STRING):
            return Unknown(found.why or "it could not be decided")
        try:
            shown = shows(found.value)
        except Exception as error:  # whatever stops the check, nothing is shown
            return Unknown(f"the value that would show it could not be checked: {error.__class__.__name__}")
        return (
            Refuted(found.value) if shown else Unknown(found.why or "the value that would show it does not")
        )

    def failed(self, error: Exception) -> Answer:
        """Keep a fault of the search. The tests turn it into a failure."""
        self.fault = self.fault or error
        return Answer(why=f"the prover failed: {error.__class__.__name__}")
