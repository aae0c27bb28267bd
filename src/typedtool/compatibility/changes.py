"""What a change of a tool's definition means for the types that are bound to it: `output_change`, `input_change`.

A change can hurt a type where the server may now send what it may not have sent before and the type does not take, or
where it now refuses what it took before and the type sends. Everything else is harmless to this type, whatever it is to
others.
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import UNSET, Struct

from typedtool.compatibility.proof.comparing import Wire
from typedtool.compatibility.proof.forms import Form
from typedtool.compatibility.proof.schemaforms import SchemaForms
from typedtool.compatibility.proof.verdicts import Proved, Refuted, Unknown
from typedtool.compatibility.report import describe_change
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


def output_change(tp: Any, old: Definition, new: Definition, budget: Budget) -> Change | None:
    """What the change of the outputSchema means for a type that results are decoded into; None where there is none."""
    what = _what(old.output_schema, new.output_schema)
    if what is None:
        return None
    if new.output_schema is UNSET:
        return Change(
            new.name, "output", "unknown", what, "the server promises nothing of its results any more"
        )
    if old.output_schema is UNSET:
        return Change(new.name, "output", "harmless", what, "nothing was promised before")
    try:
        before, after = parse_schema(old.output_schema, budget), parse_schema(new.output_schema, budget)
    except Exception as error:
        return Change(new.name, "output", "unknown", what, str(error))
    wire = Wire.of(tp, after, budget, new)

    def shows(value: Any) -> bool:
        return after.is_valid(value) and not before.is_valid(value) and not wire.decodes(value)

    literals = ((wire.allowed, True), (wire.takes, False), (_form(before), False))
    found = wire.questions.verdict(literals, shows)
    match found:
        case Proved():
            return Change(new.name, "output", "harmless", what, "the type takes all that is new in it")
        case Refuted(witness):
            why = "the server may now send what the type does not take"
            return Change(new.name, "output", "breaking", what, why, witness)
        case Unknown(why):
            return Change(new.name, "output", "unknown", what, why)


def input_change(tp: Any, old: Definition, new: Definition, budget: Budget) -> Change | None:
    """What the change of the inputSchema means for a type that is sent; None where there is none."""
    what = _what(old.input_schema, new.input_schema)
    if what is None:
        return None
    if new.input_schema is UNSET:
        return Change(new.name, "input", "harmless", what, "the server takes any arguments now")
    try:
        before = True if old.input_schema is UNSET else old.input_schema
        earlier, after = parse_schema(before, budget), parse_schema(new.input_schema, budget)
    except Exception as error:
        return Change(new.name, "input", "unknown", what, str(error))
    wire = Wire.sent(tp, after, budget)

    def shows(value: Any) -> bool:
        return wire.decodes(value) and earlier.is_valid(value) and not after.is_valid(value)

    found = wire.questions.verdict(((wire.takes, True), (_form(earlier), True), (wire.allowed, False)), shows)
    match found:
        case Proved():
            return Change(
                new.name, "input", "harmless", what, "the server takes all that it took of the type before"
            )
        case Refuted(witness):
            why = "the server now refuses what the type may send"
            return Change(new.name, "input", "breaking", what, why, witness)
        case Unknown(why):
            return Change(new.name, "input", "unknown", what, why)


def _form(schema: Schema) -> Form:
    return SchemaForms(schema).of()


def _what(old: object, new: object) -> str | None:
    if old is UNSET or new is UNSET:
        return None if old is new else "it is declared now" if old is UNSET else "it is not declared any more"
    return describe_change(old, new)
