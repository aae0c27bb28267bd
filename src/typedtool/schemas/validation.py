"""Validation by an admitted schema: which engine validates, within which limits, and what explains a refusal.

jsonschema-rs cannot be stopped. It gets a value only where an estimate, made of the schema (once) and the extent of
the value, shows that it ends in time. Other values go to the counted engine, which is slow and stops at the deadline.
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
from typedtool.schemas.engines.rust import RustValidator
from typedtool.schemas.expansion import Expansion, expansion_of, loop_in
from typedtool.schemas.keywords import TABLE, keywords_of_kind
from typedtool.schemas.refusals import Failure, problem_told, problems_of, unexplained
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
"""Schemas on one value times levels of the value: at 1,000 jsonschema-rs is safe on a stack of 512 kB."""

_FEW = 16
"""So many evaluations of each value cost no more than parsing it did: its values need not be counted."""

_TANGLED = 16
"""The factor of an evaluation where several schemas recurse: jsonschema-rs then forgets what it has evaluated."""

_FIGURES = 10_000
"""Squared bits of a huge integer that cost as much as one evaluation: jsonschema-rs writes it as text."""

_SHARE = 0.6
"""The share of a budget's seconds that the counted engine uses: it looks at the clock between steps only."""

_STEPS = 15_000
"""Steps of an explanation. Past them, the problem is the one that jsonschema-rs tells."""


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
    """Whether jsonschema-rs is known to evaluate such a schema otherwise than its dialect."""
    # In 2019-09, what `contains` matches is not thereby evaluated (2019-09 core, 9.3.1.3); for jsonschema-rs it is.
    old = [node.schema for node in admitted.nodes if is_dict(node.schema) and node.dialect.name == "2019-09"]
    return all(any(keyword in schema for schema in old) for keyword in ("contains", "unevaluatedItems"))


def _check_metaschemas(compiled: CompiledSchema, admitted: Admitted, tool: str) -> None:
    # A schema of another dialect than its holder is validated by its own metaschema, and then taken out.
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


# --- what keeps a value from jsonschema-rs --------------------------------------------------------------------------


def _looks(
    admitted: Admitted, cost: Expansion, compiled: CompiledSchema
) -> Literal["no", "size", "numbers", "all"]:
    """What must be known of a value before jsonschema-rs may see it: nothing, its size, or more."""
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
    # For jsonschema-rs a NaN is no number: where that could make a value valid, it must not meet one.
    if not _INVERTING.isdisjoint(schema) or (not _RANGES.isdisjoint(schema) and "type" not in schema):
        return True
    return any(is_dict(value) or is_list(value) for value in (*schema.get("enum", ()), schema.get("const")))


class _Counted(Struct):
    """The counted engine of a schema, compiled when it is first needed: for most schemas never."""

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
    """Validates by one schema, in the caller's thread, by jsonschema-rs where that is sure to end in time."""

    rust: RustValidator | None
    counted: _Counted
    cost: Expansion
    compiled: CompiledSchema
    budget: Budget
    looks: Literal["no", "size", "numbers", "all"]

    def is_valid(self, value: Any) -> bool:
        """Whether the schema takes `value`. Raises `BudgetExceeded`."""
        return self._passes(value) or not self._validated(value, explain=False)

    def problems(self, value: Any) -> tuple[Problem, ...]:
        """What the schema refuses about `value`. Raises `BudgetExceeded`."""
        return () if self._passes(value) else self._validated(value, explain=True)

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
            return False  # not JSON, or too deep: `_validated` finds out which

    def _validated(self, value: Any, explain: bool) -> tuple[Problem, ...]:
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
        """The field of the budget that jsonschema-rs might exceed on such a value, None where it is safe."""
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
                # jsonschema-rs refuses at a pattern that backtracks too often, also under `not`.
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
