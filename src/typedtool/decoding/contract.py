"""What decoding depends on: `Options`, and the `Contract` of a tool, made once and used for each of its results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias, TypedDict

import msgspec
from msgspec import Struct

from typedtool.decoding.unwrapping import Unwrapping
from typedtool.results.definitions import Definition
from typedtool.results.text_options import TextOption, text_options
from typedtool.schemas.schema import Schema
from typedtool.types.conversion import Converter
from typedtool.types.plan import plan_of
from typedtool.types.traits import Traits
from typedtool.values.budgets import DEFAULT_BUDGET, Budget

__all__ = ["Contract", "DecoderOptions", "Options", "Residual", "Validate"]

Validate: TypeAlias = Literal["enforce", "used", "warn", "off"]


class DecoderOptions(TypedDict, total=False):
    """The options of `Decoder`: see `TypedTool`."""

    text: TextOption | Sequence[TextOption] | None
    lax: bool
    error: Any
    validate: Validate
    budget: Budget


class Options(Struct, frozen=True):
    """How results are decoded, beyond the type: `DecoderOptions` as given, checked."""

    text: tuple[TextOption, ...] = ()
    lax: bool = False
    error: Any = None
    validate: Validate = "enforce"
    budget: Budget = DEFAULT_BUDGET

    def __post_init__(self) -> None:
        if self.validate not in ("enforce", "used", "warn", "off"):
            raise ValueError(f'validate={self.validate!r}: expected "enforce", "used", "warn" or "off"')

    @staticmethod
    def of(
        *,
        text: TextOption | Sequence[TextOption] | None = None,
        lax: bool = False,
        error: Any = None,
        validate: Validate = "enforce",
        budget: Budget = DEFAULT_BUDGET,
    ) -> Options:
        """The options given as keywords. Raises ValueError for a value that an option does not have."""
        return Options(text_options(text), lax, error, validate, budget)


class Residual(Struct, frozen=True):
    """What of a schema is left to be checked once a value has decoded, by the form in which the value came.

    parts: made at bind, by (unwrapped, json_string); None where decoding shows all (see `compatibility.proof.residuals`).
    """

    schema: Schema
    parts: Mapping[tuple[bool, bool], Schema | None]

    def of(self, *, unwrapped: bool, json_string: bool) -> Schema | None:
        """The part to check; the whole schema for a form that no part was made for.

        unwrapped: the value was inside of `{"result": ...}`. json_string: it was JSON inside of a string there.
        """
        return self.parts.get((unwrapped, json_string), self.schema)


class Contract(Struct, frozen=True):
    """All that decoding a result depends on: the type, the tool's definition and schema, and the options.

    residual: what of the schema decoding does not show by itself; None: all of it is checked.
    """

    type: Any
    converter: Converter
    traits: Traits
    error: Converter | None
    options: Options
    definition: Definition
    schema: Schema | None
    unwrapping: Unwrapping
    residual: Residual | None = None

    @staticmethod
    def of(tp: Any, definition: Definition, schema: Schema | None, options: Options) -> Contract:
        """The contract of a type. Raises TypeError for a type that no JSON value can be decoded into."""
        plan = plan_of(tp, lax=options.lax)
        converter, traits = plan.converter, plan.traits
        error = None if options.error is None else plan_of(options.error, lax=options.lax).converter
        unwrapping = Unwrapping.of(traits, definition)
        held = None if options.validate == "off" else schema
        return Contract(tp, converter, traits, error, options, definition, held, unwrapping)

    def with_residual(self, residual: Residual) -> Contract:
        """The same contract, with the residual of its schema."""
        return msgspec.structs.replace(self, residual=residual)
