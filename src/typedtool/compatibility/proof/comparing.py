"""A type against a schema: `compared(Out, schema) -> Comparison`, with checked witnesses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from msgspec import Struct

from typedtool.compatibility.proof.forms import (
    ALWAYS,
    NEVER,
    NULL,
    OBJECT,
    STRING,
    All,
    Form,
    Has,
    KindIs,
    Not,
    Opaque,
    Others,
    Property,
    Some,
)
from typedtool.compatibility.proof.patterns import longest_for_python
from typedtool.compatibility.proof.questions import JSON_IN_STRING, Questions
from typedtool.compatibility.proof.schemaforms import SchemaForms
from typedtool.compatibility.proof.sendforms import SendForms, sends
from typedtool.compatibility.proof.typeforms import TypeForms
from typedtool.compatibility.proof.verdicts import Comparison, Verdict
from typedtool.decoding.decoder import Decoder
from typedtool.decoding.unwrapping import Unwrapping
from typedtool.errors import Problem
from typedtool.results.definitions import Definition
from typedtool.results.outcomes import Mismatch, Ok, Outcome
from typedtool.schemas.schema import Schema, parse_schema
from typedtool.types.reading import shape_of
from typedtool.types.shapes import Shape, StrShape, kinds, nodes_of
from typedtool.types.traits import Traits
from typedtool.values.budgets import Budget
from typedtool.values.guards import is_dict, is_list

__all__ = ["Wire", "compared", "wrapping"]

_ANY_LENGTH = 1 << 60


def compared(tp: Any, schema: object, side: Literal["output", "input"], budget: Budget) -> Comparison:
    """What `proof.compare` returns."""
    parsed = schema if isinstance(schema, Schema) else parse_schema(schema, budget)
    wire = Wire.sent(tp, parsed, budget) if side == "input" else Wire.of(tp, parsed, budget)
    return Comparison(wire.accepts(), wire.guarantees())


class Wire(Struct, frozen=True, eq=False):
    """A type and a schema, both as forms of the value on the wire.

    questions: what is asked of the two, each question once. schema_forms, plain: the schema and the type as they are.
    takes: what decodes. gives: the part of it that `guarantees` is about. might: what decodes with the help of something
    beside the value, such as text or a mark. allowed: what the schema allows; of a wrapper, only the key `result`.
    """

    type: Any
    schema: Schema
    questions: Questions
    schema_forms: SchemaForms
    plain: Form
    takes: Form
    gives: Form
    might: Form
    allowed: Form
    decodes: Callable[[Any], bool]
    problems: Callable[[Any], tuple[Problem, ...]]

    @staticmethod
    def of(
        tp: Any, schema: Schema, budget: Budget, definition: Definition | None = None, *, lax: bool = False
    ) -> Wire:
        """The wire of an output. definition: the tool's, when it is known. lax: as the tool decodes."""
        decoder: Decoder[Any] = Decoder(tp, schema, validate="off", budget=budget, lax=lax)
        shape = decoder.contract.converter.shape
        known = Definition("", output_schema=schema.document) if definition is None else definition
        plain = TypeForms().of(shape)
        takes, gives, might, only = _wire_forms(shape, decoder.contract.traits, plain, known)
        patterns = [
            n.bounds.pattern for n in nodes_of(shape) if isinstance(n, StrShape) and n.bounds is not None
        ]
        limit = min((longest_for_python(p) for p in patterns if p is not None), default=_ANY_LENGTH)

        def read(value: Any) -> Outcome[Any]:
            if limit < _ANY_LENGTH and _longest(value) > limit:
                raise ValueError("a long text under a pattern")
            return decoder.read({"content": [], "structuredContent": value})

        def problems(value: Any) -> tuple[Problem, ...]:
            outcome = read(value)
            return outcome.problems if isinstance(outcome, Mismatch) else ()

        def decodes(value: Any) -> bool:
            return isinstance(read(value), Ok)

        forms = SchemaForms(schema)
        allowed = All((forms.of(), Some((Not(KindIs(OBJECT)), only))))
        ask = Questions(budget)
        return Wire(tp, schema, ask, forms, plain, takes, gives, might, allowed, decodes, problems)

    @staticmethod
    def sent(tp: Any, schema: Schema, budget: Budget) -> Wire:
        """The wire of an input: what a value of the type is sent as. None is sent as `{}`."""
        nothing = Others(frozenset(), (), NEVER)
        form = All((KindIs(OBJECT), nothing if tp is None else SendForms().of(shape_of(tp))))

        def decodes(value: Any) -> bool:
            return value == {} if tp is None else sends(tp, value)

        ask, forms = Questions(budget), SchemaForms(schema)
        return Wire(tp, schema, ask, forms, form, form, form, form, forms.of(), decodes, schema.validate)

    def accepts(self) -> Verdict:
        """Whether the type takes every value that the schema allows."""
        literals = ((self.allowed, True), (self.takes, False))
        return self.questions.verdict(literals, lambda v: self.schema.is_valid(v) and not self.decodes(v))

    def guarantees(self) -> Verdict:
        """Whether the schema allows every value that the type takes."""
        literals = ((self.gives, True), (self.allowed, False))
        return self.questions.verdict(literals, lambda v: self.decodes(v) and not self.schema.is_valid(v))

    def meets(self) -> Verdict:
        """Whether no value at all is allowed by the schema and taken by the type: Refuted shows one that is both."""
        literals = ((self.allowed, True), (self.might, True))
        return self.questions.verdict(literals, lambda v: self.decodes(v) and self.schema.is_valid(v))

    def allows(self) -> Verdict:
        """Whether the schema allows no value at all: Refuted shows one."""
        return self.questions.verdict(((self.allowed, True),), self.schema.is_valid)


def _longest(value: Any) -> int:
    """The length of the longest string in a value."""
    if isinstance(value, str):
        return len(value)
    parts = [*value, *value.values()] if is_dict(value) else value if is_list(value) else []
    return max(map(_longest, parts), default=0)


# --- the type on the wire -------------------------------------------------------------------------------------------


def _wire_forms(
    shape: Shape, traits: Traits, plain: Form, definition: Definition
) -> tuple[Form, Form, Form, Form]:
    """By the rules of `decoding` for structured content: what decodes, the part of it that is the type itself, what might
    decode, and which objects count at all."""
    place = plain if traits.takes_string else Some((plain, _json_in_string(shape)))
    with_text = Some((place, KindIs(NULL)))  # old servers dump their None beside a text
    might = Some((with_text, wrapping(with_text)))  # a result may say by itself that it is wrapped
    wrapped = wrapping(place)
    match Unwrapping.of(traits, definition).structured:
        case (False,):
            return place, plain, might, ALWAYS
        case (False, True):
            return Some((place, wrapped)), plain, might, ALWAYS
        case (True, False):
            return Some((place, wrapped)), Some((plain, wrapping(plain))), might, ALWAYS
        case _:
            inner = Some((wrapped, All((Not(wrapping(ALWAYS)), place))))
            return inner, wrapping(plain), might, wrapping(ALWAYS)


def wrapping(form: Form) -> Form:
    """Exactly `{"result": value}`, the value in `form`."""
    return All(
        (KindIs(OBJECT), Has("result"), Property("result", form), Others(frozenset({"result"}), (), NEVER))
    )


def _json_in_string(shape: Shape) -> Form:
    if not kinds(shape) & {"array", "object"}:
        return NEVER
    return All((KindIs(STRING), Opaque(STRING, JSON_IN_STRING)))
