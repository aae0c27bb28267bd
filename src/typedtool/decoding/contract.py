"""What a reading goes by: `Options`, how a tool's results are read, and `Contract`, all that is known of the tool."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias

import msgspec
from msgspec import Struct
from typing_extensions import TypedDict

from typedtool.decoding.unwrapping import Unwrapping
from typedtool.results.definitions import Definition
from typedtool.results.text_options import TextOption, text_options
from typedtool.schemas.schema import Schema
from typedtool.types.conversion import Converter
from typedtool.types.plan import plan_of
from typedtool.types.traits import Traits
from typedtool.values.budgets import DEFAULT_BUDGET, Budget

__all__ = ["Arrival", "Contract", "DecoderOptions", "Options", "Validate"]

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
        """The options given as keywords. Raises ValueError for a value that none of them has."""
        return Options(text_options(text), lax, error, validate, budget)


Arrival: TypeAlias = tuple[bool, bool]
"""How a value came in structuredContent: whether it was unwrapped, and whether it was JSON in a string."""


class Contract(Struct, frozen=True):
    """All that a reading goes by: the type, what is known of the tool, and how its results are read.

    residuals: what of the schema decoding does not show by itself, None for nothing. A value that came in no way named here
        is held to the whole schema.
    """

    type: Any
    converter: Converter
    traits: Traits
    error: Converter | None
    options: Options
    definition: Definition
    schema: Schema | None
    unwrapping: Unwrapping
    residuals: Mapping[Arrival, Schema | None] = {}

    @staticmethod
    def of(tp: Any, definition: Definition, schema: Schema | None, options: Options) -> Contract:
        """The contract of a type. Raises TypeError for a type that no JSON value can be decoded into."""
        plan = plan_of(tp, lax=options.lax)
        converter, traits = plan.converter, plan.traits
        error = None if options.error is None else plan_of(options.error, lax=options.lax).converter
        unwrapping = Unwrapping.of(traits, definition)
        held = None if options.validate == "off" else schema
        return Contract(tp, converter, traits, error, options, definition, held, unwrapping)

    def with_residuals(self, residuals: Mapping[Arrival, Schema | None]) -> Contract:
        """The same contract, with the residuals of its schema."""
        return msgspec.structs.replace(self, residuals=residuals)
