"""What a bind finds of a tool's types and its schemas: `output_compatibility`, `input_compatibility`.

Nothing, when they fit or when that is not known; an error, when no value can ever pass; else a warning for each part of
the type (for inputs: of the schema) that refuses some value.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any, Literal

from msgspec import Struct, structs

from typedtool.compatibility.proof.comparing import Wire
from typedtool.compatibility.proof.forms import All, Form, Item, Others, Property, Rest
from typedtool.compatibility.proof.residuals import residual_of
from typedtool.compatibility.proof.verdicts import Proved, Refuted
from typedtool.compatibility.report import Finding, not_compared
from typedtool.decoding.contract import Contract, Residual
from typedtool.errors import Incompatible, Problem, cut, named
from typedtool.schemas.schema import Schema, parse_schema
from typedtool.types.reading import shape_of
from typedtool.types.shapes import AnyShape, MapShape, members
from typedtool.values.budgets import Budget
from typedtool.values.guards import is_dict, is_list
from typedtool.values.locations import path_steps

__all__ = ["Compatibility", "input_compatibility", "output_compatibility", "summary"]

_MOST = 8


class Compatibility(Struct, frozen=True):
    """The findings of one schema, and the error when no value can ever pass.

    residual: what decoding leaves to be checked of an outputSchema; None: all of it.
    """

    findings: tuple[Finding, ...] = ()
    fault: Incompatible | None = None
    residual: Residual | None = None


FITS = Compatibility()


def output_compatibility(contract: Contract, schema: Schema) -> Compatibility:
    """Compares what the server may send with what the type takes, and makes the residual that decoding leaves.

    A schema that the contract does not enforce and that fits no value is a warning only. A lax type takes more than the
    proofs know: its schema is checked whole.
    """
    options, definition = contract.options, contract.definition
    wire = Wire.of(contract.type, schema, options.budget, definition, lax=options.lax)
    found = _output(wire, contract)
    if contract.schema is not None and not options.lax and found.fault is None:
        used = options.validate == "used"
        # a mark of the result alone is rare: its values are held to the whole schema, unless less of it is wanted
        ways = {*contract.unwrapping.structured, *(contract.unwrapping.marked if used else ())}
        found = structs.replace(found, residual=residual_of(wire, ways, used=used))
    return _with_fault(found, wire, definition.name, "output")


def _output(wire: Wire, contract: Contract) -> Compatibility:
    options, definition = contract.options, contract.definition
    found = wire.accepts()
    if not isinstance(found, Refuted):
        return FITS
    trusted = options.validate in ("enforce", "used")
    if not options.lax and isinstance(wire.meets(), Proved) and isinstance(shown := wire.allows(), Refuted):
        return _never(wire, definition.name, "output", shown.witness, trusted)
    refused = ((wire.allowed, True), (wire.takes, False))
    partly = _partly(wire, definition.name, "output", refused, wire.gives)
    if definition.describes_wrapper:
        return Compatibility(tuple(map(_beside_the_wrapper, partly.findings)))
    return partly


def _beside_the_wrapper(finding: Finding) -> Finding:
    """A note for a witness with further keys beside `result`: the schema allows them, but no server that wraps sends one."""
    witness = finding.witness
    other = is_dict(witness) and "result" in witness and len(witness) > 1
    return structs.replace(finding, level="note") if other else finding


def input_compatibility(tp: Any, tool: str, schema: Schema, budget: Budget) -> Compatibility:
    """Compares what a value of the type is sent as with what the server takes."""
    wire = Wire.sent(tp, schema, budget)
    return _with_fault(_input(wire, tool), wire, tool, "input")


def _with_fault(
    found: Compatibility, wire: Wire, tool: str, side: Literal["output", "input"]
) -> Compatibility:
    """The findings, and an entry for a fault of the prover, which may hide some."""
    fault = wire.questions.fault
    if fault is None:
        return found
    return structs.replace(found, findings=(*found.findings, not_compared(tool, side, fault)))


def _input(wire: Wire, tool: str) -> Compatibility:
    tp = wire.type
    found = wire.guarantees()
    if not isinstance(found, Refuted):
        return FITS
    if isinstance(wire.meets(), Proved) and isinstance(wire.allows(), Refuted):
        return _never(wire, tool, "input", found.witness, True)
    if tp is not None and any(isinstance(m, (AnyShape, MapShape)) for m in members(shape_of(tp))):
        return FITS  # an input that is not typed is checked when it is sent
    return _partly(wire, tool, "input", ((wire.takes, True), (wire.allowed, False)), wire.allowed)


def _never(
    wire: Wire, tool: str, side: Literal["output", "input"], witness: Any, refuse: bool
) -> Compatibility:
    problems = wire.problems(witness)[:3]
    error = Incompatible(tool, problems, witness, side)
    first = problems[0] if problems else None
    said = "; ".join(map(str, problems))
    message = f"the {side}Schema and the type never fit: {said}, for example {_shown(witness)}"
    finding = Finding("error" if refuse else "warning", tool, message, side, first, witness)
    return Compatibility((finding,), error if refuse else None)


def _partly(
    wire: Wire,
    tool: str,
    side: Literal["output", "input"],
    refused: tuple[tuple[Form, bool], ...],
    taken: Form,
) -> Compatibility:
    """One finding for each part of `taken` that refuses something which is sent."""

    def shows(value: Any) -> bool:
        if side == "output":
            return wire.schema.is_valid(value) and not wire.decodes(value)
        return wire.decodes(value) and not wire.schema.is_valid(value)

    findings: dict[tuple[str, ...], Finding] = {}
    stack: list[tuple[Form, tuple[Form, ...]]] = [(taken, ())]
    until = time.perf_counter() + wire.questions.budget.seconds
    while stack and len(findings) < _MOST and time.perf_counter() < until:
        part, others = stack.pop()
        # a value that fails here alone says more than one that fails in several places
        alone = tuple((other, True) for other in others)
        found = wire.questions.verdict((*refused, (part, False), *alone), shows)
        if not isinstance(found, Refuted):
            found = wire.questions.verdict((*refused, (part, False)), shows)
        if not isinstance(found, Refuted):
            continue
        smaller = tuple(_smaller(part))
        if smaller and len(smaller) <= 200:
            beside = ((p, (*others, *smaller[:i], *smaller[i + 1 :])) for i, p in enumerate(smaller))
            stack.extend(reversed(list(beside)))
            continue
        for problem in wire.problems(found.witness)[:1]:
            key = (problem.code, problem.path, problem.expected, problem.received)
            silent = ""
            if side == "output" and says_nothing(wire.schema, found.witness, problem):
                silent = "the schema says nothing of it"
            elif side == "output" and said_by_format(wire.schema, found.witness, problem):
                silent = "the schema says it by format only, which is an annotation"
            findings.setdefault(key, _finding(tool, side, problem, found.witness, silent))
    return Compatibility(tuple(findings.values()))


def _smaller(form: Form) -> Iterator[Form]:
    """The forms whose conjunction a form is; nothing for an atom."""
    match form:
        case All():
            yield from form.parts
        case Property() | Rest() | Item() | Others():
            yield from (structs.replace(form, form=part) for part in _smaller(form.form))
        case _:
            yield from ()


def _finding(
    tool: str, side: Literal["output", "input"], problem: Problem, witness: Any, silent: str
) -> Finding:
    sends, takes = ("the server", "the type") if side == "output" else ("the type", "the server")
    if problem.received == "nothing":
        said = f"{sends} may leave it out, {takes} demands {problem.expected}"
    elif problem.code == "additionalProperties":
        said = f"{sends} may send it, {takes} takes no such property"
    else:
        said = f"{sends} may send {problem.received}, {takes} takes {problem.expected}"
    message = f"{side} at {problem.path}: {said}, for example {_shown(witness)}"
    if silent:  # most servers' schemas say little or nothing: that is no reason to warn at each bind
        message = f"{side} at {problem.path}: {silent}, the type takes {problem.expected}"
    return Finding("note" if silent else "warning", tool, message, side, problem, witness)


_OF_EACH_KIND: tuple[Any, ...] = (None, True, 0.5, "x", [], {})
_MOST_NAMES = 60


def says_nothing(schema: Schema, witness: Any, problem: Problem) -> bool:
    """Whether the schema allows anything where the problem is: a value of each kind, and an object with a value of each
    kind under each property name of the schema."""
    steps = path_steps(problem.path)
    if problem.received == "nothing" and steps:
        steps.pop()
    names = {
        name
        for node in schema.admitted.nodes
        if is_dict(node.schema) and is_dict(node.schema.get("properties"))
        for name in node.schema["properties"]
    }
    tried = [*_OF_EACH_KIND, *({name: v} for name in sorted(names)[:_MOST_NAMES] for v in _OF_EACH_KIND)]
    if problem.received == "nothing" or problem.code == "additionalProperties":
        tried = [v for v in tried if is_dict(v)]
    return all(schema.is_valid(_with(witness, steps, value)) for value in tried)


def said_by_format(schema: Schema, witness: Any, problem: Problem) -> bool:
    """Whether the schema would refuse the witness if it asserted its formats."""
    return problem.code == "format" and not parse_schema(schema.document, assert_formats=True).is_valid(
        witness
    )


def _with(value: Any, steps: list[str | int], part: Any) -> Any:
    """`value` with `part` at a position in it."""
    if not steps:
        return part
    step, rest = steps[0], steps[1:]
    if is_dict(value):
        return {**value, str(step): _with(value.get(str(step)), rest, part)}
    if is_list(value) and isinstance(step, int) and step < len(value):
        return [*value[:step], _with(value[step], rest, part), *value[step + 1 :]]
    return part


def _shown(witness: Any) -> str:
    return cut(json.dumps(witness), 160)


def summary(tool: str, findings: tuple[Finding, ...]) -> str:
    """The warning for one tool."""
    said = "; ".join(f.message for f in findings[:3])
    more = f"; and {len(findings) - 3} more in the report" if len(findings) > 3 else ""
    return f"tool {named(tool)}: {said}{more}"
