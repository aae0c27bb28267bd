"""What a change of a tool's definition means for the types that are bound to it: `output_change`, `input_change`.

A change breaks a type when the server can now send what it did not send before and the type does not take, or when it
now refuses what it took before and the type sends. Each other change is harmless to this type, whatever it is to others.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from msgspec import UNSET, Struct, structs

from typedtool.compatibility.proof.comparing import Wire
from typedtool.compatibility.proof.schemaforms import SchemaForms
from typedtool.compatibility.proof.verdicts import Proved, Refuted, Unknown, Verdict
from typedtool.compatibility.report import describe_change
from typedtool.errors import BudgetExceeded, SchemaError
from typedtool.results.definitions import Definition
from typedtool.schemas.schema import Schema, parse_schema
from typedtool.values.budgets import Budget

__all__ = ["Change", "input_change", "output_change"]

Meaning = Literal["breaking", "harmless", "unknown"]


class Change(Struct, frozen=True):
    """A change of one schema of a tool, and what it means for one type. `witness` shows a breaking one."""

    tool: str
    side: Literal["output", "input"]
    meaning: Meaning
    what: str
    why: str
    witness: object = UNSET

    def __str__(self) -> str:
        return f"{self.meaning}: {self.tool!r}: {self.side}: {self.what}: {self.why}"


_WHY = {
    ("output", "breaking"): "the server may now send what the type does not take",
    ("output", "harmless"): "the type takes all that is new in it",
    ("input", "breaking"): "the server now refuses what the type may send",
    ("input", "harmless"): "the server takes all that it took of the type before",
}


def output_change(tp: Any, old: Definition, new: Definition, budget: Budget) -> Change | None:
    """What the change of the outputSchema means for a type that results are decoded into; None when there is none."""
    before, after = old.output_schema, new.output_schema
    what = describe_change(before, after)
    if what is None:
        return None
    if after is UNSET:
        why = "the server promises nothing of its results any more"
        return Change(new.name, "output", "unknown", what, why)
    if before is UNSET:
        return Change(new.name, "output", "harmless", what, "nothing was promised before")

    def ask(earlier: Schema, now: Schema) -> Verdict:
        wire = Wire.of(tp, now, budget, new)

        def shows(value: Any) -> bool:
            return now.is_valid(value) and not earlier.is_valid(value) and not wire.decodes(value)

        literals = ((wire.allowed, True), (wire.takes, False), (SchemaForms(earlier).of(), False))
        return wire.questions.verdict(literals, shows)

    return _decide(Change(new.name, "output", "unknown", what, ""), before, after, budget, ask)


def input_change(tp: Any, old: Definition, new: Definition, budget: Budget) -> Change | None:
    """What the change of the inputSchema means for a type that is sent; None when there is none."""
    before, after = old.input_schema, new.input_schema
    what = describe_change(before, after)
    if what is None:
        return None
    if after is UNSET:
        return Change(new.name, "input", "harmless", what, "the server takes any arguments now")

    def ask(earlier: Schema, now: Schema) -> Verdict:
        wire = Wire.sent(tp, now, budget)

        def shows(value: Any) -> bool:
            return wire.decodes(value) and earlier.is_valid(value) and not now.is_valid(value)

        literals = ((wire.takes, True), (SchemaForms(earlier).of(), True), (wire.allowed, False))
        return wire.questions.verdict(literals, shows)

    start = Change(new.name, "input", "unknown", what, "")
    return _decide(start, True if before is UNSET else before, after, budget, ask)


def _decide(
    change: Change, before: object, after: object, budget: Budget, ask: Callable[[Schema, Schema], Verdict]
) -> Change:
    """The change with what it means, and why."""
    try:
        found = ask(parse_schema(before, budget), parse_schema(after, budget))
    except (SchemaError, BudgetExceeded) as error:
        found = Unknown(str(error))
    match found:
        case Proved():
            return structs.replace(change, meaning="harmless", why=_WHY[change.side, "harmless"])
        case Refuted(witness):
            why = _WHY[change.side, "breaking"]
            return structs.replace(change, meaning="breaking", why=why, witness=witness)
        case Unknown(why):
            return structs.replace(change, why=why)
