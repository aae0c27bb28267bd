"""What a reading goes by: `Options`, how a tool's results are read, and `Contract`, all that is known of the tool."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from msgspec import UNSET, Struct

from typedtool.budgets import DEFAULT_BUDGET, Budget
from typedtool.conversion import Converter
from typedtool.definitions import Definition
from typedtool.readings import TextOption
from typedtool.schemas import Schema
from typedtool.traits import Traits

__all__ = ["Contract", "Options", "Validate"]

Validate: TypeAlias = Literal["enforce", "warn", "off"]


class Options(Struct, frozen=True):
    """How a tool's results are read, beyond its type: see `TypedTool`."""

    text: tuple[TextOption, ...] = ()
    lax: bool = False
    error: Any = None
    validate: Validate = "enforce"
    budget: Budget = DEFAULT_BUDGET

    def __post_init__(self) -> None:
        if self.validate not in ("enforce", "warn", "off"):
            raise ValueError(f'validate={self.validate!r}: expected "enforce", "warn" or "off"')


class Contract(Struct, frozen=True):
    """All that a reading goes by: the type, what is known of the tool, and how its results are read."""

    type: Any
    converter: Converter
    traits: Traits
    error: Converter | None
    options: Options
    definition: Definition
    schema: Schema | None
    unwraps: bool

    @staticmethod
    def of(tp: Any, definition: Definition, schema: Schema | None, options: Options) -> Contract:
        """The contract of a type. Raises TypeError for a type that no JSON value can be decoded into."""
        converter = Converter(tp, lax=options.lax)
        error = None if options.error is None else Converter(options.error, lax=options.lax)
        traits = Traits.of(converter.shape)
        declared = definition.output_schema is not UNSET
        shown = definition.wraps_result or definition.declares_result or not declared
        unwraps = shown and not traits.reads_result and not traits.is_open
        held = None if options.validate == "off" else schema
        return Contract(tp, converter, traits, error, options, definition, held, unwraps)
