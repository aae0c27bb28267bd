"""What binding says of a tool's types and its schemas: one finding for each way in which they do not fit.

`output_findings`, `input_findings`: nothing where they fit or where that is not known; an error where no value could
ever pass; else a warning for each part of the type (of the schema, for inputs) that some value fails.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Literal

from msgspec import Struct

from typedtool.budgets import Budget
from typedtool.definitions import Definition
from typedtool.errors import Incompatible, Problem, cut, named
from typedtool.reports import Finding
from typedtool.schemas import Schema
from typedtool.shapes import AnyShape, MapShape, members, shape_of
from typedtool.subsumption.comparing import Wire, verdict
from typedtool.subsumption.forms import All, Form, Item, Later, Others, Property, Rest
from typedtool.subsumption.verdicts import Proved, Refuted

__all__ = ["Compatibility", "input_compatibility", "output_compatibility"]

_MOST = 8


class Compatibility(Struct, frozen=True):
    """What was found, and the error where no value could ever pass."""

    findings: tuple[Finding, ...] = ()
    fault: Incompatible | None = None


FITS = Compatibility()


def output_compatibility(
    tp: Any, definition: Definition, schema: Schema, budget: Budget, *, lax: bool = False, trusted: bool = True
) -> Compatibility:
    """What the server may send against what the type takes.

    trusted: the schema is enforced; where it is not, that no value of it fits is a warning only.
    """
    wire = Wire.of(tp, schema, budget, definition, lax=lax)
    found = wire.accepts()
    if not isinstance(found, Refuted):
        return FITS
    if not lax and isinstance(wire.meets(), Proved) and isinstance(example := wire.allows(), Refuted):
        return _never(wire, definition.name, "output", example.witness, trusted)
    return _partly(wire, definition.name, "output", wire.allowed, wire.takes)


def input_compatibility(tp: Any, tool: str, schema: Schema, budget: Budget) -> Compatibility:
    """What a value of the type is sent as against what the server takes."""
    wire = Wire.sent(tp, schema, budget)
    found = wire.guarantees()
    if not isinstance(found, Refuted):
        return FITS
    if isinstance(wire.meets(), Proved) and isinstance(wire.allows(), Refuted):
        return _never(wire, tool, "input", found.witness, True)
    if tp is not None and any(isinstance(m, (AnyShape, MapShape)) for m in members(shape_of(tp))):
        return FITS  # an input that is not typed is checked when it is sent
    return _partly(wire, tool, "input", wire.takes, wire.allowed)


def _never(wire: Wire, tool: str, side: Literal["output", "input"], witness: Any, refuse: bool) -> Compatibility:
    problems = wire.problems(witness)[:3]
    error = Incompatible(tool, problems, witness, side)
    first = problems[0] if problems else None
    said = "; ".join(map(str, problems))
    message = f"the {side}Schema and the type never fit: {said}, for example {_shown(witness)}"
    finding = Finding("error" if refuse else "warning", tool, message, side, first, witness)
    return Compatibility((finding,), error if refuse else None)


def _partly(wire: Wire, tool: str, side: Literal["output", "input"], sent: Form, taken: Form) -> Compatibility:
    """One finding for each part of what is taken that something sent is outside of."""

    def shows(value: Any) -> bool:
        if side == "output":
            return wire.schema.is_valid(value) and not wire.decodes(value)
        return wire.decodes(value) and not wire.schema.is_valid(value)

    findings: dict[tuple[str, ...], Finding] = {}
    stack = [taken]
    asked = 0
    while stack and len(findings) < _MOST and asked < 30 * _MOST:
        part = stack.pop()
        asked += 1
        found = verdict(((sent, True), (part, False)), shows, wire.budget)
        if not isinstance(found, Refuted):
            continue
        smaller = list(_smaller(part))
        if smaller and len(smaller) <= 200:
            stack.extend(reversed(smaller))
            continue
        for problem in wire.problems(found.witness)[:1]:
            key = (problem.code, problem.path, problem.expected, problem.received)
            findings.setdefault(key, _finding(tool, side, problem, found.witness))
    return Compatibility(tuple(findings.values()))


def _smaller(form: Form) -> Iterator[Form]:
    """Forms that make up a form together: nothing where it is one thing."""
    match form:
        case All():
            yield from form.parts
        case Later():
            yield from ()
        case Property():
            yield from (Property(form.name, part) for part in _smaller(form.form))
        case Rest():
            yield from (Rest(form.start, part) for part in _smaller(form.form))
        case Item():
            yield from (Item(form.index, part) for part in _smaller(form.form))
        case Others():
            yield from (Others(form.names, form.patterns, part, form.within) for part in _smaller(form.form))
        case _:
            yield from ()


def _finding(tool: str, side: Literal["output", "input"], problem: Problem, witness: Any) -> Finding:
    sends, takes = ("the server", "the type") if side == "output" else ("the type", "the server")
    if problem.received == "nothing":
        said = f"{sends} may leave it out, {takes} demands {problem.expected}"
    elif problem.code == "unknown":
        said = f"{sends} may send it, {takes} takes no such property"
    else:
        said = f"{sends} may send {problem.received}, {takes} takes {problem.expected}"
    message = f"{side} at {problem.path}: {said}, for example {_shown(witness)}"
    return Finding("warning", tool, message, side, problem, witness)


def _shown(witness: Any) -> str:
    return cut(json.dumps(witness), 160)


def summary(tool: str, findings: tuple[Finding, ...]) -> str:
    """The warning for one tool."""
    said = "; ".join(f.message for f in findings[:3])
    more = f"; and {len(findings) - 3} more in the report" if len(findings) > 3 else ""
    return f"tool {named(tool)}: {said}{more}"
