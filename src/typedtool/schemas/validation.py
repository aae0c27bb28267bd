"""Judging values by an admitted schema: which engine, with how much, and what is said about what it refuses.

The first engine cannot be stopped, so it gets only what was shown beforehand to end in time: its work is
estimated from the schema (once) and the value's extent. What might be too much goes to the second engine,
which is slow, counts its steps, and ends at the deadline.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from typing import Any, Literal

from msgspec import Struct

from typedtool.errors import BudgetExceeded, InvalidSchema, Problem, UnsafeSchema
from typedtool.schemas.admission import Admitted
from typedtool.schemas.compiling import CompiledSchema, Rewritten, compiled_schema
from typedtool.schemas.dialects import Dialect
from typedtool.schemas.engines import rust
from typedtool.schemas.engines.failures import Failure
from typedtool.schemas.engines.rust import RustValidator
from typedtool.schemas.expansion import Expansion, expansion_of, loop_in
from typedtool.schemas.keywords import TABLE, keywords_of_kind
from typedtool.schemas.refusals import problem_told, problems_of, unexplained
from typedtool.values.budgets import Budget
from typedtool.values.guards import is_dict, is_list
from typedtool.values.locations import resolve
from typedtool.values.walking import (
    Extent,
    copied,
    fewer_than,
    has_huge_integers,
    json_problems,
    measured,
)

__all__ = ["Validator", "prepared"]

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

_STEPS = 15_000
"""Steps to find words for what was refused. Past them, the first engine's own have to do."""


def prepared(
    documents: Mapping[str, Any],
    admitted: Admitted,
    dialect: Dialect,
    budget: Budget,
    formats: bool,
    tool: str,
) -> Validator:
    """The validator of an admitted schema. `documents`: by URI, "" being the schema itself.

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
    compiled = compiled_schema(documents, admitted, budget, tool)
    _check_metaschemas(compiled, admitted, tool)
    engine = None
    if rust.fault() is None and not _is_misread(admitted):
        try:
            engine = rust.compiled(compiled.documents, dialect.name, formats)
        except rust.Refusal as refusal:
            raise InvalidSchema("the engine refuses it", refusal.keyword, refusal.pointer, tool) from refusal
    explaining = _Counted(documents, admitted, dialect, budget, formats)
    return Validator(engine, explaining, cost, compiled, budget, _looks(admitted, cost, compiled))


def _is_misread(admitted: Admitted) -> bool:
    """Whether the first engine is known to judge such a schema otherwise than its dialect."""
    # In 2019-09, what `contains` matches is not thereby evaluated (2019-09 core, 9.3.1.3); the engine takes it as it is.
    old = [node.schema for node in admitted.nodes if is_dict(node.schema) and node.dialect.name == "2019-09"]
    return all(any(keyword in schema for schema in old) for keyword in ("contains", "unevaluatedItems"))


def _check_metaschemas(compiled: CompiledSchema, admitted: Admitted, tool: str) -> None:
    # What is of another dialect than what holds it is judged by its own metaschema, and then taken out.
    rest = Rewritten(compiled.documents)
    for root in sorted(admitted.roots, reverse=True):
        node = admitted.nodes[root]
        uri, _, pointer = node.location.partition("#")
        schema = resolve(rest.documents[uri], pointer)
        if rust.fault() is None:
            found = rust.metaschema_fault(schema, node.dialect.name)
        else:
            from typedtool.schemas.engines import counted

            found = counted.metaschema_fault(schema, node.dialect.name)
        if found is not None:
            hint = _TYPES if found[1].endswith("/type") else ""
            what = f"the metaschema of {node.dialect.name} refuses it"
            raise InvalidSchema(what, found[0], pointer + found[1], tool, hint)
        if pointer:
            rest.put(uri, pointer, {})


# --- what an engine has to be kept from --------------------------------------------------------------------------


def _looks(
    admitted: Admitted, cost: Expansion, compiled: CompiledSchema
) -> Literal["no", "size", "numbers", "all"]:
    """What has to be known of a value before the first engine may see it: nothing, its size, or more."""
    if cost.recursive or compiled.rate or compiled.rate_back:
        return "all"
    schemas = [node.schema for node in admitted.nodes if is_dict(node.schema)]
    if any(map(_looks_at, schemas)):
        return "all"
    if not all(map(_RANGES.isdisjoint, schemas)):
        return "numbers" if cost.evaluations <= _FEW else "all"
    return "size" if cost.evaluations > _FEW else "no"


_INVERTING = frozenset(keyword.name for keyword in TABLE if keyword.inverts)
_RANGES = keywords_of_kind("number") - {"multipleOf"}


def _looks_at(schema: dict[str, Any]) -> bool:
    # The first engine takes a NaN for no number: where that could make a value valid, it must not meet one.
    if not _INVERTING.isdisjoint(schema) or (not _RANGES.isdisjoint(schema) and "type" not in schema):
        return True
    return any(is_dict(value) or is_list(value) for value in (*schema.get("enum", ()), schema.get("const")))


class _Counted(Struct):
    """The engine that explains, compiled when it is first needed: most schemas never need it."""

    documents: Mapping[str, Any]
    admitted: Admitted
    dialect: Dialect
    budget: Budget
    formats: bool
    engine: Any = None

    def __call__(self) -> Any:
        if self.engine is None:
            from typedtool.schemas.engines import counted

            compiled = compiled_schema(self.documents, self.admitted, self.budget, never=counted.NEVER)
            self.engine = counted.compiled(compiled.documents, self.dialect.name, self.formats, self.budget)
        return self.engine


class Validator(Struct, frozen=True):
    """Validates by one schema, in this thread: with jsonschema-rs where that is sure to end in time."""

    rust: RustValidator | None
    counted: _Counted
    cost: Expansion
    compiled: CompiledSchema
    budget: Budget
    looks: Literal["no", "size", "numbers", "all"]

    def is_valid(self, value: Any) -> bool:
        """Whether the schema takes `value`. Raises `BudgetExceeded`."""
        return self._passes(value) or not self._judged(value, explain=False)

    def problems(self, value: Any) -> tuple[Problem, ...]:
        """What the schema refuses about `value`. Raises `BudgetExceeded`."""
        return () if self._passes(value) else self._judged(value, explain=True)

    def _passes(self, value: Any) -> bool:
        """Whether jsonschema-rs takes `value`, where it may see it as it is. False decides nothing."""
        if self.looks == "all" or self.rust is None or isinstance(value, float):
            return False
        if self.looks == "size" and not fewer_than(
            value, self.budget.work / self.cost.evaluations, self.budget
        ):
            return False
        if self.looks == "numbers" and has_huge_integers(value, self.budget):
            return False
        try:
            return self.rust.is_valid(value)
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
        if self.rust is None or unsafe:
            try:
                return self._found(value, start)
            except BudgetExceeded as error:
                if error.what == "seconds" and unsafe:
                    raise BudgetExceeded(unsafe, getattr(self.budget, unsafe)) from error
                raise
        try:
            if self.rust.is_valid(value):
                return ()
        except (ValueError, RecursionError):
            raise BudgetExceeded("depth", self.budget.depth) from None
        if not explain and not self.compiled.rate_back:
            return (unexplained(value),)
        return self._explained(value, extent)

    def _unsafe(self, extent: Extent) -> str | None:
        """The field of the budget that the first engine, which nothing stops, might pass on such a value."""
        if self.cost.recursive and (self.cost.chain + 1) * extent.depth > _SAFE_STACK:
            return "depth"
        work = self.cost.evaluations * extent.nodes * (_TANGLED if self.cost.recursions > 1 else 1)
        if work + extent.figures / _FIGURES > self.budget.work:
            return "work"
        text = self.compiled.rate * extent.text
        back = self.compiled.rate_back * extent.text * (1 + min(extent.longest, 10_000))
        return "pattern_text" if text + back > self.budget.pattern_text else None

    def _found(self, value: Any, start: float) -> tuple[Problem, ...]:
        """What the counted engine finds until the deadline. Raises `BudgetExceeded`."""
        found: dict[Problem, None] = {}
        seconds = _SHARE * self.budget.seconds - (time.perf_counter() - start)
        self._collect(found, self.counted().failures(value, seconds, self.budget.problems))
        return tuple(found)

    def _explained(self, value: Any, extent: Extent) -> tuple[Problem, ...]:
        """Why jsonschema-rs refuses `value`, in the words of the counted engine as far as its steps go.

        The deadline is in seconds of this thread: what else the machine does changes no words.
        """
        found: dict[Problem, None] = {}
        seconds, most = _SHARE * self.budget.seconds, self.budget.problems
        try:
            self._collect(found, self.counted().failures(value, seconds, most, _STEPS, time.thread_time))
        except BudgetExceeded:
            if not found and self.compiled.rate_back:
                # A pattern that goes back too often refuses for the first engine, also under `not`.
                raise BudgetExceeded("pattern_text", self.budget.pattern_text) from None
        return tuple(found) or (self._told(value, extent),)

    def _collect(self, found: dict[Problem, None], failures: Iterator[Failure]) -> None:
        for failure in failures:
            for problem in problems_of(failure):
                found[problem] = None
                if len(found) >= self.budget.problems:
                    return

    def _told(self, value: Any, extent: Extent) -> Problem:
        """The one problem that jsonschema-rs tells."""
        if self.rust is None or self.cost.recursive or extent.nodes * self.cost.size > self.budget.work:
            return unexplained(value)
        told = self.rust.first_error(value)
        return unexplained(value) if told is None else problem_told(told, value)
