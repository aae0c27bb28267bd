"""From a result to its outcome, by rules in a fixed order: `decide(contract, result) -> Outcome`.

    rule                                                                              function
    1  the tool says that it failed                 -> ToolFailed                     failed
    2  the server asks for input                    -> InputRequired                  `results.reading`
    3  structuredContent is there
         `{"result": value}` is unwrapped on evidence                                 structured, `unwrapping`
         null where the type takes none             -> rule 4, if there is text       structured_value
         a string that the type does not take       -> its JSON, read once            json_string
    4  else the text
         no content at all                          -> None or an empty sequence      no_content
         the type is `str`                          -> the text as it is              plain_text
         one text block                             -> its JSON, else the bare text   one_block, json_text, bare_text
         several blocks for a sequence              -> one element a block            blocks
         several blocks for one value               -> the only one that decodes      any_block (`text="any-block"`)
    5  the value is decoded as the type                                               decoded, `types.conversion`
    6  the value as it is on the wire is held to the server's schema                  held, refusals
    7  an error object in place of the value        -> ToolFailed                     soft_error (`error=`)

A value that is there and wrong is a Mismatch: nothing else is tried in its place.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias, Union

from msgspec import UNSET, Struct

from typedtool.decoding.contract import Contract
from typedtool.decoding.unwrapping import Ways, is_marked
from typedtool.errors import BudgetExceeded, Problem, TypedToolWarning, kind_of, named, sentence
from typedtool.results.outcomes import Mismatch, Ok, Outcome, Reason, Source, ToolFailed
from typedtool.results.result import ToolResult
from typedtool.results.text_options import alternatives
from typedtool.schemas.schema import Schema
from typedtool.types.conversion import NotFit, NotJsonValue
from typedtool.types.explaining import explain
from typedtool.types.hints import type_name
from typedtool.types.traits import Traits, elements_lost
from typedtool.values.budgets import Budget
from typedtool.values.json_text import NotJson, parse, utf8

__all__ = ["decide"]

Decided: TypeAlias = Union[Ok[Any], Mismatch]


def decide(contract: Contract, result: ToolResult) -> Outcome[Any]:
    """The outcome of a result under a contract. Never raises for what the server answered."""
    rules = _Rules(contract, result, contract.traits, contract.options.budget)
    if result.is_error:
        return rules.failed(rules.soft_error())
    try:
        outcome = rules.structured() if result.structured is not UNSET else rules.text()
    except BudgetExceeded as error:
        outcome = rules.over_budget(error)
    if isinstance(outcome, Mismatch) and (error_object := rules.soft_error()) is not UNSET:
        return rules.failed(error_object)
    return outcome


class _Candidate(Struct, frozen=True):
    """A value that may be the one that the tool means.

    path: where it stands. wire: the forms in which the server's schema may describe it. data: its JSON text, if it was read
    from one.
    """

    value: Any
    source: Source
    wire: tuple[Any, ...]
    path: str = "$"
    unwrapped: bool = False
    data: bytes | None = None


class _Rules(Struct):
    """The rules, for one result under one contract."""

    contract: Contract
    result: ToolResult
    traits: Traits
    budget: Budget

    # --- rules 1 and 7: the tool failed --------------------------------------------------------------------------

    def failed(self, error: Any) -> ToolFailed:
        """Rule 1. An error is held to no schema, only to the type that the tool names for it."""
        return ToolFailed(self.result, self.result.text, error=error, tool=self.contract.definition.name)

    def soft_error(self) -> Any:
        """Rule 7: the error object, from wherever a value could be, or UNSET."""
        if self.contract.error is None:
            return UNSET
        for value in self.error_objects():
            try:
                return self.contract.error.convert(value, self.budget)
            except (NotFit, NotJsonValue, BudgetExceeded):
                continue
        return UNSET

    def error_objects(self) -> Iterator[Any]:
        value: Any = self.result.structured
        if value is UNSET:
            if len(self.result.texts) == 1 and (found := self.json_of(self.result.texts[0])) is not UNSET:
                yield found
            return
        values = [value, value["result"]] if _is_wrapped(value) else [value]
        yield from values
        for value in values:
            if _holds_json(value) and (found := self.json_of(value)) is not UNSET:
                yield found

    # --- rule 3: structuredContent ------------------------------------------------------------------------------

    def structured(self) -> Decided:
        """Rule 3: `{"result": value}` is unwrapped on evidence, in the order that `unwrapping` gives."""
        value: Any = self.result.structured
        outer = _Candidate(value, "structured", (value,))
        if not _is_wrapped(value):
            return self.structured_value(outer)
        unwrapping = self.contract.unwrapping
        return _first(self.structured_value, self.candidates(outer, unwrapping.structured, unwrapping.marked))

    def candidates(self, outer: _Candidate, ways: Ways, marked_ways: Ways) -> list[_Candidate]:
        """A value as it is, or what its `{"result": ...}` holds, or one after the other."""
        if not _is_wrapped(outer.value):
            return [outer]
        if self.result.meta and is_marked(self.result.meta):
            ways = marked_ways
        inner = _Candidate(outer.value["result"], outer.source, (outer.value,), "$.result", True)
        return [inner if unwrap else outer for unwrap in ways]

    def structured_value(self, candidate: _Candidate) -> Decided:
        value = candidate.value
        if value is None:
            if not self.traits.takes_null and self.result.texts:
                return self.text()  # old servers dump their None
        elif isinstance(value, str) and not self.traits.takes_string and _holds_json(value):
            return self.json_string(candidate)
        return self.decoded(candidate)

    def json_string(self, candidate: _Candidate) -> Decided:
        """JSON inside of a string, read once: many tools that say `{"result": string}` mean it."""
        try:
            data = utf8(candidate.value)
            value = parse(data, self.budget)
        except NotJson as fault:
            problem = Problem("type", candidate.path, self.expected(), f"a string with {fault.what}")
            return self.mismatch("mismatch", (problem,))
        return self.decoded(
            _Candidate(value, "json-string", candidate.wire, candidate.path, candidate.unwrapped, data)
        )

    # --- rule 4: the text ---------------------------------------------------------------------------------------

    def text(self) -> Decided:
        """Rule 4."""
        texts = self.result.texts
        if not self.result.blocks:
            return self.no_content()
        if self.traits.is_text:
            return self.plain_text(texts)
        if len(texts) == 1:
            return self.one_block(texts[0])
        if texts:
            return self.blocks(texts) if self.traits.is_sequence else self.any_block(texts)
        if alternatives("", self.result, self.contract.options.text):
            return self.one_block("")
        kinds = sorted({block.type[:20] for block in self.result.content})
        return self.missing(f"only {', '.join(kinds)} blocks")

    def no_content(self) -> Decided:
        """No content at all: None, or an empty sequence where nothing demands structured content."""
        if self.traits.takes_null:
            return self.held(self.of_text(None, source="empty"), None, refused="missing")
        if self.traits.is_sequence and not self.traits.length and not self.declared:
            return self.decoded(self.of_text([], source="empty"))
        return self.missing("no content")

    def plain_text(self, texts: tuple[str, ...]) -> Decided:
        """The type is `str`: the one block's text, never parsed."""
        if len(texts) > 1:
            return self.ambiguous(f"{len(texts)} text blocks for one string")
        return (
            self.decoded(self.of_text(texts[0])) if texts else self.missing("none", expected="a text block")
        )

    def one_block(self, text: str) -> Decided:
        try:
            data = utf8(text)
            value = parse(data, self.budget)
        except NotJson as fault:
            for other in alternatives(text, self.result, self.contract.options.text):
                if (value := self.json_of(other)) is not UNSET:
                    return self.json_text(other, value, other.encode())
            return self.bare_text(text, fault)
        return self.json_text(text, value, data)

    def json_text(self, text: str, value: Any, data: bytes) -> Decided:
        """JSON of one block. What does not fit may still be meant as a bare text, or as the only element of a sequence."""
        unwrapping = self.contract.unwrapping
        candidates = self.candidates(self.of_text(value, data), unwrapping.text, unwrapping.marked_text)
        first = _first(self.decoded, candidates)
        if isinstance(first, Ok) or first.value is not UNSET:
            return first
        if not self.traits.is_sequence:
            if self.traits.takes_string and not isinstance(value, str):
                bare = self.decoded(self.of_text(text))
                return bare if isinstance(bare, Ok) else first
            return first
        if not isinstance(value, list):
            return first if value is None or self.soft_error() is not UNSET else self.blocks((text,))
        if self.traits.items_take_arrays:
            return self.ambiguous("one array where an array of arrays is expected")
        return first

    def bare_text(self, text: str, fault: NotJson) -> Decided:
        """Text that is not JSON: a datetime, UUID, Enum, Decimal or Literal may come bare, and anything to `object`."""
        cut_short = fault.early and _holds_json(text)
        if self.traits.takes_string and not (cut_short and self.declared):
            refused: Reason = "missing" if self.traits.is_open else "mismatch"
            outcome = self.decoded(self.of_text(text), refused)
            if isinstance(outcome, Ok) or outcome.value is not UNSET or outcome.reason == "missing":
                return outcome
        element = self.traits.is_sequence and self.traits.items_take_strings and bool(text.strip())
        if element and not cut_short and not self.declared:
            return self.blocks((text,))
        return self.not_json(f"JSON text for {self.expected()}", fault.what)

    def blocks(self, texts: tuple[str, ...]) -> Decided:
        """A sequence, one element a block: so most Python servers flatten their lists."""
        if len(texts) != len(self.result.blocks) and len(self.result.blocks) > 1:
            return self.ambiguous("text blocks among others for one sequence")
        lost = elements_lost(self.traits, self.contract.definition.output_schema)
        if lost:
            return self.ambiguous(
                f"one block an element, where an element may be {lost}, which blocks do not show"
            )
        elements = [self.element(i, text) for i, text in enumerate(texts)]
        if UNSET in elements:
            return self.not_json(f"JSON text blocks for {self.expected()}", "text that is not JSON")
        return self.decoded(self.of_text(elements, source="blocks"))

    def element(self, i: int, text: str) -> Any:
        """Element `i` of a sequence: the block's JSON, or its bare text; UNSET where it is neither."""
        if self.traits.item_is_text(i):
            return text
        value = self.json_of(text)
        if value is not UNSET and self.traits.item_fits(i, value, self.budget):
            return value
        return text if self.traits.item_fits_bare(i, text, self.budget) else value

    def any_block(self, texts: tuple[str, ...]) -> Decided:
        """Several blocks for one value: the only one that decodes, where the tool says `text="any-block"`."""
        if "any-block" not in self.contract.options.text:
            return self.ambiguous(f"{len(texts)} text blocks for one value")
        found = [o for text in texts if isinstance(o := self.one_block(text), Ok)]
        if len(found) == 1:
            return found[0]
        return self.ambiguous(f"{len(found)} of {len(texts)} text blocks fit")

    # --- rules 5 and 6: decode, and hold to the schema ----------------------------------------------------------

    def decoded(self, candidate: _Candidate, refused: Reason = "mismatch") -> Decided:
        """Rule 5, and rule 6 for what decodes."""
        converter = self.contract.converter
        try:
            if candidate.data is not None and not candidate.unwrapped:
                value = converter.read(candidate.data, candidate.value, self.budget)
            else:
                parsed = candidate.source != "structured"
                value = converter.convert(candidate.value, self.budget, parsed=parsed)
        except NotFit:
            lax = self.contract.options.lax
            problems = explain(converter.shape, candidate.value, self.budget, lax=lax, path=candidate.path)
            unexplained = Problem("type", candidate.path, self.expected(), kind_of(candidate.value))
            return self.mismatch("mismatch", problems or (unexplained,))
        except NotJsonValue as fault:
            return self.mismatch("malformed", (fault.problem,))
        return self.held(candidate, value, refused)

    def held(self, candidate: _Candidate, value: Any, refused: Reason) -> Decided:
        """Rule 6: the schema describes the value as it is on the wire."""
        contract = self.contract
        if contract.schema is None:
            return Ok(value, candidate.source, candidate.unwrapped, (), self.result)
        try:
            problems = self.refusals(contract.schema, candidate)
        except BudgetExceeded as error:
            return self.over_budget(error, value)
        if problems and contract.options.validate in ("enforce", "used"):
            if refused == "missing":  # what the schema demands did not come: there is no value to keep
                return self.missing("no content" if candidate.source == "empty" else "text that is not JSON")
            return self.mismatch(refused, problems, value)
        if problems:
            name = named(contract.definition.name)
            said = f"tool {name}: the server's schema refuses its value: {sentence(problems)}"
            warnings.warn(said, TypedToolWarning, stacklevel=2)
        return Ok(value, candidate.source, candidate.unwrapped, problems, self.result)

    def refusals(self, schema: Schema, candidate: _Candidate) -> tuple[Problem, ...]:
        """Why the schema refuses a value: the residual decides, and the whole schema has the better words for it."""
        residual = self.contract.residual
        if residual is not None and candidate.source in ("structured", "json-string"):
            rest = residual.parts.get((candidate.unwrapped, candidate.source == "json-string"), schema)
            if rest is None or (rest is not schema and rest.is_valid(candidate.wire[0])):
                return ()
            if self.contract.options.validate == "used":
                schema = rest
        problems: tuple[Problem, ...] = ()
        for form in candidate.wire:
            problems = schema.validate(form)
            if not problems:
                break
        return problems

    # --- what the rules share -----------------------------------------------------------------------------------

    def of_text(self, value: Any, data: bytes | None = None, source: Source = "text") -> _Candidate:
        """A value out of text, in the wrapped form too where the schema describes that one."""
        wire = (value, {"result": value}) if self.contract.unwrapping.declared else (value,)
        return _Candidate(value, source, wire, data=data)

    def json_of(self, text: str) -> Any:
        """The value of a JSON text, or UNSET."""
        try:
            return parse(utf8(text), self.budget)
        except (NotJson, BudgetExceeded):
            return UNSET

    @property
    def declared(self) -> bool:
        return self.contract.definition.output_schema is not UNSET

    def expected(self) -> str:
        return type_name(self.contract.converter.shape.type)[:120]

    def mismatch(self, reason: Reason, problems: tuple[Problem, ...], value: Any = UNSET) -> Mismatch:
        return Mismatch(reason, problems, self.result, value, tool=self.contract.definition.name)

    def missing(self, received: str, expected: str = "") -> Mismatch:
        return self.mismatch("missing", (Problem("missing", "$", expected or self.expected(), received),))

    def not_json(self, expected: str, received: str) -> Mismatch:
        """Text that is not JSON: the value is missing where a schema declares one."""
        problem = Problem("not_json", "$", expected, received)
        return self.mismatch("missing" if self.declared else "not_json", (problem,))

    def ambiguous(self, received: str) -> Mismatch:
        return self.mismatch("ambiguous", (Problem("ambiguous", "$", self.expected(), received),))

    def over_budget(self, error: BudgetExceeded, value: Any = UNSET) -> Mismatch:
        return self.mismatch("over_budget", (error.problem,), value)


def _first(decide: Callable[[_Candidate], Decided], candidates: list[_Candidate]) -> Decided:
    """The first value that decodes, also where the schema refuses it; else what is wrong with the first one."""
    if len(candidates) == 1:
        return decide(candidates[0])
    first: Decided | None = None
    for candidate in candidates:
        outcome = decide(candidate)
        if isinstance(outcome, Ok) or outcome.value is not UNSET:
            return outcome
        first = first or outcome
    assert first is not None
    return first


def _is_wrapped(value: Any) -> bool:
    return issubclass(value.__class__, dict) and len(value) == 1 and "result" in value


def _holds_json(value: Any) -> bool:
    return isinstance(value, str) and value.lstrip()[:1] in ("{", "[")
