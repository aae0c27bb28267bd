"""What a tool becomes once a server's definition is known: `Binding`, with what was found on the way."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Sequence

from msgspec import UNSET, Struct, structs
from typing_extensions import Self

from typedtool.clients.faults import refusal
from typedtool.clients.listing import Listing
from typedtool.compatibility.report import Finding, Report, not_compared
from typedtool.decoding.contract import Contract
from typedtool.errors import (
    BudgetExceeded,
    Incompatible,
    InvalidSchema,
    Problem,
    SchemaError,
    ToolNotFound,
    TypedToolError,
    TypedToolWarning,
    cut,
)
from typedtool.results.definitions import Definition, read_listing
from typedtool.results.outcomes import Mismatch
from typedtool.results.reading import read
from typedtool.results.result import ToolResult
from typedtool.schemas.schema import Schema, parse_schema
from typedtool.tools.options import Declared

__all__ = ["Binding", "announce", "bind_all", "bind_definition", "bind_listed", "bind_unlisted"]


EMPTY = Report()


class Binding(Struct, frozen=True):
    """A tool and the server's definition of it.

    definition: None where the listing failed, or lacks the tool.
    contract: what results are decoded by, None where there is a fault.
    input_schema: the parsed inputSchema, None where there is none that can be used.
    fault: the error that this one tool fails with, when it is bound alone or first used.
    duplicate: the server lists the name twice, with different definitions.
    """

    tool: str
    definition: Definition | None = None
    contract: Contract | None = None
    input_schema: Schema | None = None
    report: Report = EMPTY
    fault: Exception | None = None
    duplicate: bool = False

    def usable(self) -> Self:
        """Itself. Raises the fault."""
        if self.fault is not None:
            raise self.fault
        return self

    def conflict(self, result: object) -> Mismatch | None:
        """The outcome of any result where two definitions leave open which one it is held to."""
        if not self.duplicate:
            return None
        reading = read(result, tool=self.tool)
        raw = reading if isinstance(reading, ToolResult) else reading.result
        problem = Problem("ambiguous", "$", "one definition of the tool", "two that differ")
        return Mismatch("ambiguous", (problem,), raw, tool=self.tool)

    def refuse_conflict(self) -> None:
        """Raise before a call whose result could not be held to any one definition."""
        if self.duplicate:
            raise InvalidSchema(
                "the server lists the tool twice, with different definitions", "name", tool=self.tool
            )


def bind_definition(
    tool: Declared, definition: Definition, duplicate: bool = False, *, calls: bool = False
) -> Binding:
    """The binding of a tool to one definition. Raises nothing: what stops this one tool is the binding's fault.

    All that a call needs is made here: the plan of the type, the parsed schemas, and what of the outputSchema decoding
    does not show by itself.

    calls: the tool is going to be called, so its input is compared too.
    """
    findings: list[Finding] = []
    schema, fault = _output_schema(tool, definition, findings)
    input_schema = _input_schema(tool, definition, findings)
    if duplicate:
        findings.append(Finding("error", definition.name, "listed twice, with different definitions"))
    contract: Contract | None = None
    if fault is None:
        contract, fault = _contract(tool, definition, schema, findings, compare=not duplicate)
    if fault is None and input_schema is not None and calls and not duplicate:
        fault = _compared_input(tool, definition, input_schema, findings)
    return Binding(
        definition.name, definition, contract, input_schema, Report(tuple(findings)), fault, duplicate
    )


def bind_unlisted(tool: Declared, report: Report = EMPTY) -> Binding:
    """The binding of a tool without a definition: its results are decoded by type alone."""
    findings = list(report)
    contract, fault = _contract(tool, Definition(tool.name), None, findings, compare=False)
    return Binding(tool.name, None, contract, None, Report(tuple(findings)), fault)


def _output_schema(
    tool: Declared, definition: Definition, findings: list[Finding]
) -> tuple[Schema | None, Exception | None]:
    if definition.output_schema is UNSET:
        return None, None
    try:
        return parse_schema(definition.output_schema, tool.options.budget, tool=definition.name), None
    except (SchemaError, BudgetExceeded) as error:
        if tool.on_bad_schema == "type-only":
            findings.append(Finding("warning", definition.name, f"decoded by type alone: {error}"))
            return None, None
        findings.append(Finding("error", definition.name, str(error)))
        return None, error


def _input_schema(tool: Declared, definition: Definition, findings: list[Finding]) -> Schema | None:
    if definition.input_schema is UNSET:
        return None
    try:
        return parse_schema(definition.input_schema, tool.options.budget, tool=definition.name)
    except (SchemaError, BudgetExceeded) as error:
        findings.append(Finding("warning", definition.name, f"input is sent unchecked: {error}"))
        return None


def _contract(
    tool: Declared, definition: Definition, schema: Schema | None, findings: list[Finding], *, compare: bool
) -> tuple[Contract | None, Exception | None]:
    """The contract of a tool, with the residual of its schema; or the error that its type or its schema fails with."""
    try:
        contract = Contract.of(tool.output_type, definition, schema, tool.options)
    except TypeError as error:
        findings.append(Finding("error", definition.name, str(error)))
        return None, error
    if schema is None or not compare:
        return contract, None
    from typedtool.compatibility.findings import output_compatibility  # `import typedtool` is light

    try:
        found = output_compatibility(contract, schema)
    except Exception as error:  # each result is still held to the whole schema
        findings.append(not_compared(definition.name, "output", error))
        return contract, None
    findings.extend(found.findings)
    return (contract if found.residual is None else contract.with_residual(found.residual)), found.fault


def _compared_input(
    tool: Declared, definition: Definition, schema: Schema, findings: list[Finding]
) -> Exception | None:
    from typedtool.compatibility.findings import input_compatibility  # `import typedtool` is light

    try:
        found = input_compatibility(tool.input_type, definition.name, schema, tool.options.budget)
    except Exception as error:  # what is sent is still held to the schema
        findings.append(not_compared(definition.name, "input", error))
        return None
    findings.extend(found.findings)
    return found.fault


def announce(binding: Binding, *, stacklevel: int) -> None:
    """One warning for a tool that some values of its schemas do not fit."""
    found = tuple(f for f in binding.report if f.side and f.level == "warning")
    if found:
        from typedtool.compatibility.findings import summary

        warnings.warn(summary(binding.tool, found), TypedToolWarning, stacklevel=stacklevel + 1)


def bind_listed(tool: Declared, listing: Listing, *, strict: bool = False) -> Binding:
    """The binding of a tool to what a server lists, to be called. With `strict`, every finding is raised."""
    return bind_all([tool], listing, strict=strict)[0]


def bind_all(
    tools: Sequence[Declared], listing: Listing, *, strict: bool = False, calls: bool = True
) -> list[Binding]:
    """The bindings of several tools to one listing, each by itself: one bad tool never spoils the others."""
    known = {definition.name: definition for definition in reversed(read_listing(listing.tools))}
    general = _general(listing)
    if strict and listing.fault is not None:
        raise listing.fault
    bindings: list[Binding] = []
    for tool in tools:
        definition = known.get(tool.name)
        if definition is not None:
            found = bind_definition(tool, definition, tool.name in listing.conflicts, calls=calls)
        elif listing.fault is not None:
            unread = Finding("warning", tool.name, "decoded by type alone, as the listing could not be read")
            found = bind_unlisted(tool, Report((unread,)))
        else:
            missing = ToolNotFound(tool.name, _near(tool.name, known))
            found = Binding(
                tool.name, report=Report((Finding("error", tool.name, str(missing)),)), fault=missing
            )
        if strict:
            _refuse(found)
        announce(found, stacklevel=4)
        bindings.append(found)
    if general:
        bindings[0] = _with(bindings[0], general)
        warnings.warn("; ".join(str(f) for f in general), TypedToolWarning, stacklevel=4)
    return bindings


def _near(name: str, known: Collection[str]) -> tuple[str, ...]:
    from difflib import get_close_matches  # `import typedtool` is light

    return tuple(get_close_matches(name, known, 3, 0.5)) if len(known) < 2_000 else ()


def _refuse(binding: Binding) -> None:
    binding.usable()
    binding.refuse_conflict()
    for finding in binding.report:
        if finding.side:
            problems = () if finding.problem is None else (finding.problem,)
            raise Incompatible(finding.tool, problems, finding.witness, finding.side, partly=True)
        if finding.level != "note":
            raise TypedToolError(str(finding))


def _general(listing: Listing) -> tuple[Finding, ...]:
    """What is to be said of the listing as a whole."""
    if listing.fault is None:
        return ()
    why = refusal(listing.fault) or f"{type(listing.fault).__name__}: {cut(str(listing.fault), 200)}"
    return (Finding("warning", "", f"the listing failed, {why}"),)


def _with(binding: Binding, findings: tuple[Finding, ...]) -> Binding:
    return structs.replace(binding, report=Report((*findings, *binding.report)))
