"""Judging values by an admitted schema: which engine, with how much, and what is said about what it refuses.

The first engine cannot be stopped, so it gets only what was shown beforehand to end in time: its work is
estimated from the schema (once) and the value's extent. What might be too much goes to the second engine,
which is slow, counts its steps, and ends at the deadline.
"""

from __future__ import annotations

import copy
import time
from typing import Any, Literal, Protocol

from msgspec import Struct

from typedtool.errors import BudgetExceeded, InvalidSchema, Problem, UnsafeSchema
from typedtool.schemas.admission import Admitted
from typedtool.schemas.compiling import Written, put_at, written
from typedtool.schemas.dialects import Dialect
from typedtool.schemas.engines import rust
from typedtool.schemas.expansion import Expansion, expansion_of, loop_in
from typedtool.schemas.refusals import expected, loosely, problems_of, received, unexplained
from typedtool.values.budgets import Budget
from typedtool.values.guards import is_dict, is_list
from typedtool.values.locations import json_path, resolve
from typedtool.values.walking import (
    Extent,
    copied,
    fewer_than,
    has_huge_integers,
    json_problems,
    measured,
)

__all__ = ["InProcess", "Judge", "prepared"]

_TYPES = "types are array, boolean, integer, null, number, object and string"
_SAFE_STACK = 1_000
"""Schemas on one value times levels of the value: at 1,000 the first engine is safe on a stack of 512 kB."""

_FEW = 16
"""So many evaluations for each value cost no more than reading the value did: no need to count its values."""

_TANGLED = 16
"""What an evaluation costs more where several schemas recurse: the first engine's memory is of little use
then.
"""

_FIGURES = 10_000
"""Squared bits of a huge integer that cost as much as one evaluation: the first engine turns it into text."""

_SHARE = 0.6
"""Of the seconds of a budget, what the second engine may use: it looks at the clock between steps only."""

_EXPLAIN = 0.12
"""Seconds to find words for what was refused. Past them, the first engine's own have to do."""


class Judge(Protocol):
    """What can judge values by one schema."""

    def problems(self, value: Any) -> tuple[Problem, ...]:
        """What the schema says against `value`. Raises `BudgetExceeded`."""
        ...

    def holds(self, value: Any) -> bool:
        """Whether the schema takes `value`. Raises `BudgetExceeded`."""
        ...


# --- the judge
# ------------------------------------------------------------------------------------------------------


def prepared(
    copies: Any, admitted: Admitted, dialect: Dialect, budget: Budget, formats: bool, tool: str
) -> tuple[InProcess, tuple[str, ...]]:
    """A judge for an admitted schema, and what was decided about it. `copies()` gives fresh copies of its
    documents.

    Raises `UnsafeSchema` for a loop, `BudgetExceeded` for one that expands too far, `InvalidSchema` where a
    metaschema or an engine refuses it.
    """
    loop = loop_in(admitted)
    if loop is not None:
        pointer = admitted.nodes[loop].location.partition("#")[2]
        raise UnsafeSchema("it refers to itself on the same value, without end", "$ref", pointer, tool)
    cost = expansion_of(admitted)
    if cost.size > budget.expansion:
        raise BudgetExceeded("expansion", budget.expansion, tool)
    if cost.chain > budget.depth:
        raise BudgetExceeded("depth", budget.depth, tool)
    form = written(copies(), admitted, budget, tool)
    _check_metaschemas(form, admitted, tool)
    engine = None
    if rust.fault() is None:
        try:
            engine = rust.compiled(form.root, dialect.name, form.documents, formats)
        except rust.Refusal as refusal:
            raise InvalidSchema("the engine refuses it", refusal.keyword, refusal.pointer, tool) from refusal
    judge = InProcess(
        engine,
        _Second(copies, admitted, dialect, budget, formats),
        admitted,
        cost,
        form,
        budget,
        _looks(admitted, cost, form),
    )
    return judge, form.warnings


def _check_metaschemas(form: Written, admitted: Admitted, tool: str) -> None:
    # What is of another dialect than what holds it is judged by its own metaschema, and then taken out.
    documents = {"": form.root, **form.documents}
    if len(admitted.roots) > 1:
        documents = {uri: copy.deepcopy(document) for uri, document in documents.items()}
    for root in sorted(admitted.roots, reverse=True):
        node = admitted.nodes[root]
        uri, _, pointer = node.location.partition("#")
        schema = resolve(documents[uri], pointer)
        if rust.fault() is None:
            found = rust.metaschema_fault(schema, node.dialect.name)
        else:
            from typedtool.schemas.engines import ticked

            found = ticked.metaschema_fault(schema, node.dialect.name)
        if found is not None:
            hint = _TYPES if found[1].endswith("/type") else ""
            what = f"the metaschema of {node.dialect.name} refuses it"
            raise InvalidSchema(what, found[0], pointer + found[1], tool, hint)
        if pointer:
            put_at(documents, uri, pointer, {})


def _looks(admitted: Admitted, cost: Expansion, form: Written) -> Literal["no", "size", "numbers", "all"]:
    """What has to be known of a value before the first engine may see it: nothing, its size, or more."""
    if cost.recursive or form.rate or form.rate_back:
        return "all"
    if any(is_dict(node.schema) and _looks_at(node.schema) for node in admitted.nodes):
        return "all"
    numeric = any(is_dict(node.schema) and not _NUMERIC.isdisjoint(node.schema) for node in admitted.nodes)
    if numeric:
        return "numbers" if cost.evaluations <= _FEW else "all"
    return "size" if cost.evaluations > _FEW else "no"


_INVERTING = frozenset(("not", "if", "oneOf", "contains", "uniqueItems", "multipleOf"))
_NUMERIC = frozenset(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"))


def _looks_at(schema: dict[str, Any]) -> bool:
    # The first engine takes a NaN for no number: where that could make a value valid, it must not meet one.
    if not _INVERTING.isdisjoint(schema) or (not _NUMERIC.isdisjoint(schema) and "type" not in schema):
        return True
    return any((is_dict(value) or is_list(value)) for value in schema.get("enum", ())) or isinstance(
        schema.get("const"), (dict, list)
    )


class _Second(Struct):
    """The second engine, compiled when it is first needed: most schemas never need it."""

    copies: Any
    admitted: Admitted
    dialect: Dialect
    budget: Budget
    formats: bool
    engine: Any = None

    def __call__(self) -> Any:
        if self.engine is None:
            from typedtool.schemas.engines import ticked

            form = written(self.copies(), self.admitted, self.budget, "", ticked.NEVER)
            self.engine = ticked.compiled(
                form.root, self.dialect.name, form.documents, self.formats, self.budget
            )
        return self.engine


class InProcess(Struct, frozen=True):
    """Judges by one schema, in this process and thread."""

    first: rust.Validator | None
    second: _Second
    admitted: Admitted
    cost: Expansion
    form: Written
    budget: Budget
    looks: Literal["no", "size", "numbers", "all"]

    def holds(self, value: Any) -> bool:
        """Whether the schema takes `value`."""
        return self._passes(value) or not self._judged(value, explain=False)

    def problems(self, value: Any) -> tuple[Problem, ...]:
        """What the schema says against `value`."""
        return () if self._passes(value) else self._judged(value, explain=True)

    def _passes(self, value: Any) -> bool:
        """Whether the first engine takes `value`, where it may see it as it is. False decides nothing."""
        if self.looks == "all" or self.first is None or isinstance(value, float):
            return False
        if self.looks == "size" and not fewer_than(
            value, self.budget.work / self.cost.evaluations, self.budget
        ):
            return False
        if self.looks == "numbers" and has_huge_integers(value, self.budget):
            return False
        try:
            return self.first.is_valid(value)
        except (ValueError, RecursionError):
            return False  # something in it is no JSON, or it is too deep: which, is found out

    def _judged(self, value: Any, explain: bool) -> tuple[Problem, ...]:
        start = time.perf_counter()
        extent = measured(value, self.budget)
        if not extent.sound:
            return json_problems(value, self.budget)
        if not extent.plain:
            value = copied(value, self.budget, extent.nodes)
        unsafe = self._unsafe(extent)
        if self.first is None or unsafe:
            try:
                return self._found(value, self._left(start))
            except BudgetExceeded as error:
                if error.what == "seconds" and unsafe:
                    raise BudgetExceeded(unsafe, getattr(self.budget, unsafe)) from error
                raise
        try:
            if self.first.is_valid(value):
                return ()
        except (ValueError, RecursionError):
            raise BudgetExceeded("depth", self.budget.depth) from None
        if not explain and not self.form.rate_back:
            return (unexplained(value),)
        return self._explained(value, extent, min(_EXPLAIN, max(0.02, self._left(start))))

    def _left(self, start: float) -> float:
        return _SHARE * self.budget.seconds - (time.perf_counter() - start)

    def _unsafe(self, extent: Extent) -> str | None:
        """The field of the budget that the first engine, which nothing stops, might pass on such a value."""
        if self.cost.recursive and (self.cost.chain + 1) * extent.depth > _SAFE_STACK:
            return "depth"
        work = self.cost.evaluations * extent.nodes * (_TANGLED if self.cost.recursions > 1 else 1)
        if work + extent.figures / _FIGURES > self.budget.work:
            return "work"
        text = self.form.rate * extent.text
        back = self.form.rate_back * extent.text * (1 + min(extent.longest, 10_000))
        return "pattern_text" if text + back > self.budget.pattern_text else None

    def _found(self, value: Any, seconds: float) -> tuple[Problem, ...]:
        """What the second engine finds. Raises `BudgetExceeded`."""
        found: dict[Problem, None] = {}
        for failure in self.second().failures(value, seconds, self.budget.problems):
            found.update(dict.fromkeys(problems_of(failure)))
            if len(found) >= self.budget.problems:
                break
        return tuple(found)[: self.budget.problems]

    def _explained(self, value: Any, extent: Extent, seconds: float) -> tuple[Problem, ...]:
        """Why the first engine refuses `value`: the second engine's words, as far as it gets."""
        found: dict[Problem, None] = {}
        try:
            for failure in self.second().failures(value, seconds, self.budget.problems):
                found.update(dict.fromkeys(problems_of(failure)))
                if len(found) >= self.budget.problems:
                    break
        except BudgetExceeded:
            if not found and self.form.rate_back:
                # A pattern that goes back too often refuses for the first engine, also under `not`.
                raise BudgetExceeded("pattern_text", self.budget.pattern_text) from None
        return tuple(found)[: self.budget.problems] or (self._first_problem(value, extent),)

    def _first_problem(self, value: Any, extent: Extent) -> Problem:
        if self.first is None or self.cost.recursive or extent.nodes * self.cost.size > self.budget.work:
            return unexplained(value)
        told = self.first.first_error(value)
        if told is None:
            return unexplained(value)
        at = value
        for step in told.path:
            at = at[step]
        told_more = told.held is not None or told.extra is not None
        words = expected(told.keyword, told.held, told.extra) if told_more else loosely(told.keyword)
        return Problem(told.keyword, json_path(told.path), words, received(told.keyword, at))
