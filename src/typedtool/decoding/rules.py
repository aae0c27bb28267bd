"""From a result to an `Out`, by rules in a fixed order, each a visible step: `decide(contract, result) -> Outcome`.

    1  the tool says that it failed                                   -> ToolFailed
    2  the server asks for input                                      -> InputRequired (see `results`)
    3  structuredContent is there: unwrapped on evidence, null and JSON in a string seen to, decoded
    4  else the text: one block as JSON or as it is, several blocks as the elements of a sequence
    5  numbers: 1.0 is an integer, "5" is none (see `conversion`)
    6  the server's schema is held against the value as it is on the wire
    7  an error object in place of the value, where the tool names its type

A value that is there and wrong is a Mismatch: nothing else is tried in its place.
"""

from __future__ import annotations

import warnings
from typing import Any

from msgspec import UNSET, Struct

from typedtool.decoding.contract import Contract
from typedtool.errors import BudgetExceeded, Problem, TypedToolWarning, kind_of, named, sentence
from typedtool.results.outcomes import Mismatch, Ok, Outcome, Reason, Source, ToolFailed
from typedtool.results.result import ToolResult
from typedtool.results.text_options import alternatives
from typedtool.schemas.schema import Schema
from typedtool.types.conversion import NotFit, NotJsonValue
from typedtool.types.explaining import explain
from typedtool.types.hints import type_name
from typedtool.types.traits import elements_lost
from typedtool.values.guards import is_object
from typedtool.values.json_text import NotJson, parse, utf8

__all__ = ["decide"]


def decide(contract: Contract, result: ToolResult) -> Outcome[Any]:
    """The outcome of a result under a contract. Never raises for what the server answered."""
    return _plainly(contract, result) or _Reading(contract, result).outcome()


def _plainly(contract: Contract, result: ToolResult) -> Ok[Any] | None:
    """The common case of rule 3, and nothing else: a value that is no null and no string, and decodes.

    None sends it through the rules, which would come to the same outcome, in four times the time.
    """
    value: Any = result.structured
    unwrapped = False
    if value.__class__ is dict and len(value) == 1 and "result" in value:
        if not contract.unwraps:
            return None
        value, unwrapped = value["result"], True
    if value.__class__ not in _PLAIN or result.is_error:
        return None
    budget = contract.options.budget
    try:
        found = contract.converter.convert(value, budget)
        schema = contract.schema
        if schema is not None and not contract.holds(schema, result.structured, unwrapped=unwrapped):
            return None
    except (NotFit, NotJsonValue, BudgetExceeded):
        return None
    return Ok(found, "structured", unwrapped, (), result)


_PLAIN = frozenset({list, dict, int, float, bool})


class _Candidate(Struct, frozen=True):
    """A value that may be the one: where it came from, and in which forms the server's schema may describe it."""

    value: Any
    source: Source
    path: str = "$"
    unwrapped: bool = False
    wire: tuple[Any, ...] = ()
    data: bytes | None = None


class _Reading:
    """One result under one decoder."""

    def __init__(self, contract: Contract, result: ToolResult) -> None:
        self.converter = contract.converter
        self.traits = contract.traits
        self.error = contract.error
        self.options = contract.options
        self.budget = contract.options.budget
        self.definition = contract.definition
        self.schema = contract.schema
        self.contract = contract
        self.result = result

    # --- the rules, in their order ------------------------------------------------------------------------------

    def outcome(self) -> Outcome[Any]:
        try:
            if self.result.is_error:
                return self.failed()
            outcome = self.from_structured() if self.result.structured is not UNSET else self.from_text()
        except BudgetExceeded as error:
            outcome = self.over_budget(error)
        if isinstance(outcome, Mismatch) and (soft := self.soft_error()) is not UNSET:
            return ToolFailed(self.result, self.result.text, error=soft, tool=self.definition.name)
        return outcome

    def failed(self) -> ToolFailed:
        """Rule 1. No schema is applied to an error; its type, where the tool names one, is."""
        soft = self.soft_error()
        return ToolFailed(self.result, self.result.text, error=soft, tool=self.definition.name)

    def soft_error(self) -> Any:
        """Rule 7: the error object, wherever a value could have been, or UNSET."""
        if self.error is None:
            return UNSET
        places: list[Any] = []
        structured: object = self.result.structured
        if structured is not UNSET:
            places.append(structured)
            if is_object(structured) and set(structured) == {"result"}:
                places.append(structured["result"])
            places += [inner for place in places if (inner := self.json_in(place)) is not UNSET]
        elif len(self.result.texts) == 1:
            places.append(self.json_in(self.result.texts[0], any_kind=True))
        for place in places:
            try:
                return self.error.convert(place, self.budget)
            except (NotFit, NotJsonValue, BudgetExceeded):
                continue
        return UNSET

    def json_in(self, place: Any, any_kind: bool = False) -> Any:
        """The JSON object or array in a string, or UNSET."""
        if not isinstance(place, str) or not (any_kind or place.lstrip()[:1] in ("{", "[")):
            return UNSET
        try:
            return parse(utf8(place), self.budget)
        except (NotJson, BudgetExceeded):
            return UNSET

    # --- rule 3: structuredContent ------------------------------------------------------------------------------

    def from_structured(self) -> Outcome[Any]:
        first: Outcome[Any] | None = None
        for candidate in self.unwrapped(self.result.structured):
            outcome = self.from_value(candidate)
            if isinstance(outcome, Ok) or outcome.value is not UNSET:  # type: ignore[union-attr]
                return outcome
            first = outcome if first is None else first
        assert first is not None
        return first

    def unwrapped(self, value: Any) -> tuple[_Candidate, ...]:
        """The value as it is, what stands inside of its `{"result": ...}`, or one after the other."""
        outer = _Candidate(value, "structured", wire=(value,))
        if not is_object(value) or value.keys() != {"result"}:
            return (outer,)
        inner = _Candidate(value["result"], "structured", "$.result", True, (value,))
        marked = self.definition.wraps_result or _marks(self.result)
        shown = marked or self.definition.declares_result
        if self.traits.reads_result:
            tried = marked or (self.traits.is_union and (shown or not self.declared))
            return (outer, inner) if tried else (outer,)
        if self.traits.is_open:
            return (outer,) if not shown else (inner,) if marked else (inner, outer)
        return (inner,) if shown or not self.declared else (outer,)

    @property
    def declared(self) -> bool:
        return self.definition.output_schema is not UNSET

    def from_value(self, candidate: _Candidate) -> Outcome[Any]:
        value = candidate.value
        if value is None and not self.traits.takes_null and self.result.texts:
            return self.from_text()  # old servers dump their None
        if isinstance(value, str) and not self.traits.takes_string and value.lstrip()[:1] in ("{", "["):
            return self.from_json_string(candidate)
        return self.decoded(candidate)

    def from_json_string(self, candidate: _Candidate) -> Outcome[Any]:
        """JSON inside of a string, read once: many tools that say `{"result": string}` mean it."""
        try:
            data = utf8(candidate.value)
            value = parse(data, self.budget)
        except NotJson as fault:
            problem = Problem("type", candidate.path, self.expected(), f"a string with {fault.what}")
            return self.mismatch("mismatch", (problem,))
        return self.decoded(
            _Candidate(value, "json-string", candidate.path, candidate.unwrapped, candidate.wire, data)
        )

    # --- rule 4: the text ---------------------------------------------------------------------------------------

    def from_text(self) -> Outcome[Any]:
        texts = self.result.texts
        if not self.result.blocks:
            return self.from_nothing()
        if self.traits.is_text:
            return self.from_plain_text(texts)
        if len(texts) == 1:
            return self.from_one_block(texts[0])
        resource = alternatives("", self.result, self.options.text) if not texts else ()
        if resource:
            return self.from_one_block("")
        if not texts:
            kinds = sorted({block.type[:20] for block in self.result.content})
            return self.mismatch(
                "missing", (Problem("missing", "$", self.expected(), f"only {', '.join(kinds)} blocks"),)
            )
        return self.from_blocks(texts) if self.traits.is_sequence else self.from_any_block(texts)

    def from_nothing(self) -> Outcome[Any]:
        """No content at all: None, or an empty sequence where nothing demands structured content."""
        if self.traits.takes_null:
            return self.held_to_schema(_Candidate(None, "empty"), None, refused="missing")
        if self.traits.is_sequence and not self.traits.length and not self.declared:
            return self.decoded(_Candidate([], "empty"))
        return self.mismatch("missing", (Problem("missing", "$", self.expected(), "no content"),))

    def from_plain_text(self, texts: tuple[str, ...]) -> Outcome[Any]:
        """`Out` is `str`: the one block's text, never parsed."""
        if len(texts) > 1:
            return self.ambiguous(f"{len(texts)} text blocks for one string")
        if not texts:
            return self.mismatch("missing", (Problem("missing", "$", "a text block", "none"),))
        return self.decoded(self.of_text(texts[0], None))

    def from_one_block(self, text: str) -> Outcome[Any]:
        try:
            data = utf8(text)
            value = parse(data, self.budget)
        except NotJson as fault:
            for other in alternatives(text, self.result, self.options.text):
                if (value := self.json_in(other, any_kind=True)) is not UNSET:
                    return self.from_json_text(other, value, other.encode())
            return self.from_bare_text(text, fault)
        return self.from_json_text(text, value, data)

    def from_json_text(self, text: str, value: Any, data: bytes) -> Outcome[Any]:
        first: Mismatch | None = None
        for candidate in self.unwrapped_text(value, data):
            outcome = self.decoded(candidate)
            if not isinstance(outcome, Mismatch) or outcome.value is not UNSET:
                return outcome
            first = first or outcome
        assert first is not None
        if self.traits.takes_string and not isinstance(value, str) and not self.traits.is_sequence:
            bare = self.decoded(self.of_text(text, None))
            if isinstance(bare, Ok):
                return bare
        if self.traits.is_sequence and not isinstance(value, list) and self.soft_error() is UNSET:
            return self.from_blocks((text,)) if value is not None else first
        if self.traits.is_sequence and self.traits.items_take_arrays and isinstance(value, list):
            return self.ambiguous("one array where an array of arrays is expected")
        return first

    def unwrapped_text(self, value: Any, data: bytes) -> tuple[_Candidate, ...]:
        """In text, `{"result": ...}` is unwrapped on a mark or by the schema only."""
        outer = self.of_text(value, data)
        shown = self.definition.declares_result or self.definition.wraps_result or _marks(self.result)
        if not shown or not is_object(value) or value.keys() != {"result"}:
            return (outer,)
        inner = _Candidate(value["result"], "text", "$.result", True, (value,))
        if self.traits.reads_result:
            return (outer, inner) if self.traits.is_union or _marks(self.result) else (outer,)
        return (inner, outer) if self.traits.is_open else (inner,)

    def from_bare_text(self, text: str, fault: NotJson) -> Outcome[Any]:
        """Text that is not JSON: a datetime, UUID, Enum, Decimal or Literal may come bare, and anything to `object`."""
        cut_short = fault.early and text.lstrip()[:1] in ("[", "{")
        if self.traits.takes_string and not (cut_short and self.declared):
            outcome = self.decoded(
                self.of_text(text, None), refused="missing" if self.traits.is_open else "mismatch"
            )
            if not isinstance(outcome, Mismatch) or outcome.value is not UNSET or outcome.reason == "missing":
                return outcome
        element = self.traits.is_sequence and self.traits.items_take_strings and bool(text.strip())
        if element and not cut_short and not self.declared:
            return self.from_blocks((text,))
        problem = Problem("not_json", "$", f"JSON text for {self.expected()}", fault.what)
        return self.mismatch("missing" if self.declared else "not_json", (problem,))

    def from_blocks(self, texts: tuple[str, ...]) -> Outcome[Any]:
        """A sequence, one element a block: so most Python servers flatten their lists."""
        if len(texts) != len(self.result.blocks) and len(self.result.blocks) > 1:
            return self.ambiguous("text blocks among others for one sequence")
        lost = elements_lost(self.traits, self.definition.output_schema)
        if lost:
            return self.ambiguous(
                f"one block an element, where an element may be {lost}, which blocks do not show"
            )
        elements: list[Any] = []
        broken = False
        for i, text in enumerate(texts):
            element = text if self.traits.item_is_text(i) else self.json_in(text, any_kind=True)
            if element is UNSET or not self.traits.item_fits(i, element, self.budget):
                bare = self.traits.item_fits_bare(i, text, self.budget)
                broken = broken or (element is UNSET and not bare)
                element = text if bare or element is UNSET else element
            elements.append(element)
        if broken:
            problem = Problem(
                "not_json", "$", f"JSON text blocks for {self.expected()}", "text that is not JSON"
            )
            return self.mismatch("missing" if self.declared else "not_json", (problem,))
        return self.decoded(self.of_text(elements, None, source="blocks"))

    def from_any_block(self, texts: tuple[str, ...]) -> Outcome[Any]:
        if "any-block" not in self.options.text:
            return self.ambiguous(f"{len(texts)} text blocks for one value")
        found = [o for text in texts if isinstance(o := self.from_one_block(text), Ok)]
        return (
            found[0] if len(found) == 1 else self.ambiguous(f"{len(found)} of {len(texts)} text blocks fit")
        )

    # --- rules 5 and 6: decode, and hold to the schema ----------------------------------------------------------

    def of_text(self, value: Any, data: bytes | None, source: Source = "text") -> _Candidate:
        """A value out of text. A schema that wraps describes it in the wrapped form."""
        wraps = self.definition.declares_result or self.definition.wraps_result
        return _Candidate(value, source, wire=(value, {"result": value}) if wraps else (value,), data=data)

    def decoded(self, candidate: _Candidate, refused: Reason = "mismatch") -> Outcome[Any]:
        try:
            if candidate.data is not None and not candidate.unwrapped:
                found = self.converter.read(candidate.data, candidate.value, self.budget)
            else:
                parsed = candidate.source != "structured"
                found = self.converter.convert(candidate.value, self.budget, parsed=parsed)
        except NotFit:
            shape, lax = self.converter.shape, self.options.lax
            problems = explain(shape, candidate.value, self.budget, lax=lax, path=candidate.path)
            return self.mismatch("mismatch", problems or (self.unexplained(candidate),))
        except NotJsonValue as fault:
            return self.mismatch("malformed", (fault.problem,))
        return self.held_to_schema(candidate, found, refused)

    def unexplained(self, candidate: _Candidate) -> Problem:
        return Problem("value", candidate.path, self.expected(), kind_of(candidate.value))

    def held_to_schema(self, candidate: _Candidate, found: Any, refused: Reason) -> Outcome[Any]:
        """Rule 6: the schema describes the value as it is on the wire."""
        problems: tuple[Problem, ...] = ()
        if self.schema is not None:
            try:
                problems = self.refusals(self.schema, candidate)
            except BudgetExceeded as error:
                return self.over_budget(error, found)
        if problems and self.options.validate in ("enforce", "used"):
            if refused == "missing":  # what the schema demands did not come: there is no value to keep
                received = "no content" if candidate.source == "empty" else "text that is not JSON"
                return self.mismatch("missing", (Problem("missing", "$", self.expected(), received),))
            return self.mismatch(refused, problems, found)
        if problems:
            said = f"tool {named(self.definition.name)}: the server's schema refuses its value: {sentence(problems)}"
            warnings.warn(said, TypedToolWarning, stacklevel=6)
        return Ok(found, candidate.source, candidate.unwrapped, problems, self.result)

    def refusals(self, schema: Schema, candidate: _Candidate) -> tuple[Problem, ...]:
        forms = candidate.wire
        if candidate.source == "empty":
            forms = (candidate.value, {"result": candidate.value}) if self.definition.declares_result or (
                self.definition.wraps_result) else (candidate.value,)  # fmt: skip
        if self.contract.residual is not None and candidate.source in ("structured", "json-string"):
            json_string = candidate.source == "json-string"
            unwrapped = candidate.unwrapped
            if self.contract.holds(schema, forms[0], unwrapped=unwrapped, json_string=json_string):
                return ()
            if self.options.validate == "used":  # else the whole schema has the better words for it
                schema = self.contract.residual.of(unwrapped=unwrapped, json_string=json_string) or schema
        problems: tuple[Problem, ...] = ()
        for form in forms:
            problems = schema.validate(form)
            if not problems:
                break
        return problems

    # --- outcomes without a value -------------------------------------------------------------------------------

    def expected(self) -> str:
        return type_name(self.converter.shape.type)[:120]

    def mismatch(self, reason: Reason, problems: tuple[Problem, ...], value: Any = UNSET) -> Mismatch:
        return Mismatch(reason, problems, self.result, value, tool=self.definition.name)

    def ambiguous(self, received: str) -> Mismatch:
        return self.mismatch("ambiguous", (Problem("ambiguous", "$", self.expected(), received),))

    def over_budget(self, error: BudgetExceeded, value: Any = UNSET) -> Mismatch:
        problem = Problem("over_budget", "$", f"at most {error.limit:g} {error.what}", "more")
        return self.mismatch("over_budget", (problem,), value)


def _marks(result: ToolResult) -> bool:
    """The result's own mark that its value is wrapped (FastMCP 3 and later)."""
    fastmcp = result.meta.get("fastmcp")
    marked = is_object(fastmcp) and fastmcp.get("wrap_result") is True
    return marked or result.meta.get("x-fastmcp-wrap-result") is True
