"""What a tool becomes once a server's definition is known: `Binding`, with what was found on the way."""

from __future__ import annotations

import contextlib
import difflib
import warnings
from typing import Any

from msgspec import UNSET, Struct
from typing_extensions import Self

from typedtool.clients.faults import refusal
from typedtool.clients.listing import Listing
from typedtool.compatibility.report import Finding, Report
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

__all__ = ["Binding", "announce", "bind_all", "bind_definition", "bind_listed"]


class Binding(Struct, frozen=True):
    """A tool and the server's definition of it.

    definition: None where the listing failed, or lacks the tool.
    schema, input_schema: the parsed schemas, None where there is none that can be used.
    fault: the error that this one tool fails with, when it is bound alone or first used.
    duplicate: the server lists the name twice, with different definitions.
    """

    tool: str
    definition: Definition | None = None
    schema: Schema | None = None
    input_schema: Schema | None = None
    report: Report = Report()
    fault: TypedToolError | None = None
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
    tool: Any, definition: Definition, duplicate: bool = False, *, calls: bool = False
) -> Binding:
    """The binding of a tool to one definition. Nothing is raised: a schema that cannot be used, or that never fits the
    type, is the fault.

    calls: the tool is going to be called, so its input matters too.
    """
    findings: list[Finding] = []
    fault: TypedToolError | None = None
    schema = input_schema = None
    budget = tool.options.budget
    if definition.output_schema is not UNSET:
        try:
            schema = parse_schema(definition.output_schema, budget, tool=definition.name)
        except (SchemaError, BudgetExceeded) as error:
            if tool.on_bad_schema == "type-only":
                findings.append(Finding("warning", definition.name, f"decoded by type alone: {error}"))
            else:
                findings.append(Finding("error", definition.name, str(error)))
                fault = error
    if definition.input_schema is not UNSET:
        try:
            input_schema = parse_schema(definition.input_schema, budget, tool=definition.name)
        except (SchemaError, BudgetExceeded) as error:
            findings.append(Finding("warning", definition.name, f"input is sent unchecked: {error}"))
    if duplicate:
        findings.append(Finding("error", definition.name, "listed twice, with different definitions"))
    elif fault is None:
        fits, fault = _compared(tool, definition, schema, input_schema if calls else None)
        findings.extend(fits)
    return Binding(
        definition.name, definition, schema, input_schema, Report(tuple(findings)), fault, duplicate
    )


def _compared(
    tool: Any, definition: Definition, schema: Schema | None, input_schema: Schema | None
) -> tuple[tuple[Finding, ...], TypedToolError | None]:
    """Both schemas against both types. A fault of the comparison itself is no finding: each value is still checked."""
    from typedtool.compatibility.findings import (  # `import typedtool` is light
        input_compatibility,
        output_compatibility,
    )

    findings: list[Finding] = []
    fault: TypedToolError | None = None
    options = tool.options
    with contextlib.suppress(Exception):
        if schema is not None:
            enforced = options.validate in ("enforce", "used")
            found = output_compatibility(
                tool.output_type, definition, schema, options.budget, lax=options.lax, trusted=enforced
            )
            findings.extend(found.findings)
            fault = found.fault
    with contextlib.suppress(Exception):
        if input_schema is not None:
            found = input_compatibility(tool.input_type, definition.name, input_schema, options.budget)
            findings.extend(found.findings)
            fault = fault or found.fault
    return tuple(findings), fault


def announce(binding: Binding, *, stacklevel: int) -> None:
    """One warning for a tool that some values of its schemas do not fit."""
    found = tuple(f for f in binding.report if f.side and f.level == "warning")
    if found:
        from typedtool.compatibility.findings import summary

        warnings.warn(summary(binding.tool, found), TypedToolWarning, stacklevel=stacklevel + 1)


def bind_listed(tool: Any, listing: Listing, *, strict: bool = False) -> Binding:
    """The binding of a tool to what a server lists, to be called. With `strict`, every finding is raised."""
    return bind_all([tool], listing, strict=strict)[0]


def bind_all(
    tools: list[Any], listing: Listing, *, strict: bool = False, calls: bool = True
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
            found = Binding(tool.name, report=Report((unread,)))
        else:
            near: tuple[str, ...] = (
                tuple(difflib.get_close_matches(str(tool.name), list(known), 3, 0.5))
                if len(known) < 2_000
                else ()
            )
            missing = ToolNotFound(tool.name, near)
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
    report = Report((*findings, *binding.report.findings))
    return Binding(
        binding.tool,
        binding.definition,
        binding.schema,
        binding.input_schema,
        report,
        binding.fault,
        binding.duplicate,
    )
