"""Decoding without a tool: `decode(result, Out) -> Out`, `Decoder(Out, schema)`, and `matches(value, T)`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Generic, TypeGuard, cast, overload

from msgspec import UNSET
from typing_extensions import TypeVar, Unpack

from typedtool.decoding.contract import Contract, DecoderOptions, Options
from typedtool.decoding.rules import decide
from typedtool.errors import BudgetExceeded
from typedtool.results.definitions import Definition
from typedtool.results.outcomes import Outcome, value_of
from typedtool.results.reading import read as read_result
from typedtool.results.result import ToolResult
from typedtool.schemas.schema import Schema, parse_schema
from typedtool.types.conversion import NotFit, NotJsonValue
from typedtool.types.hints import type_name
from typedtool.types.plan import TypePlan, plan_of
from typedtool.values.budgets import DEFAULT_BUDGET
from typedtool.values.guards import is_items, is_mapping

if TYPE_CHECKING:
    from typing_extensions import TypeForm

__all__ = ["Decoder", "decode", "matches"]

T = TypeVar("T")
Out = TypeVar("Out", covariant=True, default=object)


class Decoder(Generic[Out]):
    """Decodes results as one type, as a `TypedTool` does, without a name or a client.

    schema: the server's outputSchema, as a dict or a `Schema`. A value is validated against it in the form that it has on
        the wire.
    text, lax, error, validate, budget: as for `TypedTool`.

    Raises TypeError for a type that no JSON value can be decoded into, SchemaError for a schema that cannot be used.

    Example:
        >>> Decoder(list[int]).decode({"content": [], "structuredContent": {"result": [1, 2]}})
        [1, 2]
    """

    __slots__ = ("contract",)

    # type[Out] first: mypy before 2.2 knows no TypeForm, and would make a Decoder[Never] of it without a word
    @overload
    def __init__(
        self,
        type: type[Out],
        schema: Mapping[str, Any] | bool | Schema | None = None,
        **options: Unpack[DecoderOptions],
    ) -> None: ...
    @overload
    def __init__(
        self,
        type: TypeForm[Out],
        schema: Mapping[str, Any] | bool | Schema | None = None,
        **options: Unpack[DecoderOptions],
    ) -> None: ...
    def __init__(
        self,
        type: Any,
        schema: Mapping[str, Any] | bool | Schema | None = None,
        **options: Unpack[DecoderOptions],
    ) -> None:
        read = Options.of(**options)
        parsed = schema if schema is None or isinstance(schema, Schema) else parse_schema(schema, read.budget)
        document = UNSET if parsed is None else parsed.document
        self.contract: Contract = Contract.of(type, Definition("", output_schema=document), parsed, read)

    @classmethod
    def of(cls, contract: Contract) -> Decoder[Any]:
        """The decoder of a bound tool, whose definition is known even where its schema is not used."""
        decoder: Decoder[Any] = cls.__new__(cls)
        decoder.contract = contract
        return decoder

    def decode(self, result: object, /) -> Out:
        """The value of a result. Raises ToolFailedError, MismatchError, InputRequiredError, each with the raw result."""
        return value_of(self.read(result))

    def read(self, result: object, /) -> Outcome[Out]:
        """The outcome of a result. Never raises for what the server answered.

        result: an SDK or FastMCP result, a dict in wire form, or JSON text of a result or of a JSON-RPC response.
        """
        contract = self.contract
        reading = read_result(result, contract.options.budget, tool=contract.definition.name)
        if not isinstance(reading, ToolResult):
            return reading
        return cast("Outcome[Out]", decide(contract, reading))

    def __repr__(self) -> str:
        return f"Decoder({type_name(self.contract.type)})"


# --- the functions --------------------------------------------------------------------------------------------------


@lru_cache(maxsize=512)
def _decoder_of(plan: TypePlan) -> Decoder[Any]:
    """The decoder of a plan, kept: making one costs more than using it."""
    return Decoder(plan.type)


@overload
def decode(result: object, type: type[T], /) -> T: ...
@overload
def decode(result: object, type: TypeForm[T], /) -> T: ...
def decode(result: object, type: Any, /) -> Any:
    """The value of a result as a `type`, by type alone: no listing, no schema.

    Raises ToolFailedError, MismatchError, InputRequiredError, each with the raw result.

    Example:
        >>> decode({"content": [{"type": "text", "text": "[1, 2]"}]}, list[int])
        [1, 2]
    """
    return _decoder_of(plan_of(type)).decode(result)


@overload
def matches(value: object, type: type[T], /) -> TypeGuard[T]: ...
@overload
def matches(value: object, type: TypeForm[T], /) -> TypeGuard[T]: ...
def matches(value: object, type: Any, /) -> bool:
    """Whether `value` is a `type` already, such as a TypedDict, a Literal or a `list[int]`. Nothing is converted.

    Raw JSON never matches a Struct: decode it.

    Example:
        >>> matches([1, 2], list[int]), matches(["1"], list[int])
        (True, False)
    """
    converted: Any
    try:
        converted = plan_of(type).converter.convert(value, DEFAULT_BUDGET)
    except (NotFit, NotJsonValue, BudgetExceeded):
        return False
    return _same(converted, value)


def _same(converted: Any, value: Any) -> bool:
    """Whether two values are equal, with equal classes at each level: `1.0` is not an `int`, a Struct is not a dict."""
    if converted.__class__ is not value.__class__:
        return False
    if is_mapping(value):
        return converted.keys() == value.keys() and all(_same(converted[k], value[k]) for k in value)
    if is_items(value):
        return len(converted) == len(value) and all(map(_same, converted, value))
    return bool(converted == value)
