"""One call, from an input to an outcome: `call`. `arguments_of` makes what is sent, `changed_since` asks what changed meanwhile."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET, Struct
from typing_extensions import Unpack

from typedtool.clients.calls import call_tool
from typedtool.clients.faults import refusal, rpc_error
from typedtool.clients.listing import list_tools
from typedtool.compatibility.report import describe_change
from typedtool.decoding.contract import Contract
from typedtool.decoding.rules import decide
from typedtool.errors import InvalidArguments, Problem, kind_of, named
from typedtool.results.definitions import Definition, read_listing
from typedtool.results.outcomes import Mismatch, Outcome, ToolFailed
from typedtool.results.reading import read
from typedtool.results.result import ToolResult
from typedtool.schemas.schema import Schema
from typedtool.tools.options import CallOptions
from typedtool.types.hooks import encode_custom
from typedtool.values.budgets import DEFAULT_BUDGET
from typedtool.values.guards import is_dict, is_mapping
from typedtool.values.walking import json_problems

__all__ = ["arguments_of", "call", "changed_since", "encode", "outcome_of"]


async def call(
    client: object, contract: Contract, arguments: dict[str, Any], /, **options: Unpack[CallOptions]
) -> Outcome[Any]:
    """The outcome of one call. Never raises for what the server answered.

    A JSON-RPC error that the server answered with is a ToolFailed, an answer that the SDK refuses before it can be read is a
    Mismatch; everything else that the SDK raises passes through.
    """
    name = contract.definition.name
    try:
        result = await call_tool(client, name, arguments, **options)
    except Exception as error:
        answered = rpc_error(error)
        if answered is not None:
            empty = ToolResult(raw=error)
            return ToolFailed(empty, answered.message, answered.code, answered.data, tool=name, cause=error)
        if (why := refusal(error, client)) is None:
            raise
        problem = Problem("malformed", "$", "an answer that the MCP SDK accepts", "one that it refuses")
        return Mismatch("malformed", (problem,), ToolResult(raw=error), tool=name, hint=why, cause=error)
    return outcome_of(contract, result)


def outcome_of(contract: Contract, source: object) -> Outcome[Any]:
    """The outcome of a result, whatever it came as."""
    result = read(source, contract.options.budget, tool=contract.definition.name)
    return decide(contract, result) if isinstance(result, ToolResult) else result


# --- arguments --------------------------------------------------------------------------------------------------------


def arguments_of(tool: str, input_type: Any, value: Any, schema: Schema | None = None) -> dict[str, Any]:
    """The arguments of a call: `{}` for no input. Raises as `encode` does, and TypeError for an input that the tool does not take."""
    if input_type is None and value is not None:
        raise TypeError(f"tool {named(tool)} takes no argument, received a {type(value).__name__}")
    return encode(tool, {} if value is None else value, schema)


def encode(tool: str, value: Any, schema: Schema | None = None) -> dict[str, Any]:
    """The arguments that an input is sent as: with JSON names, without unset fields.

    Raises TypeError for a value that is no JSON object or holds something that has no JSON form, and InvalidArguments for
    what no JSON text can carry (NaN) or the server's inputSchema refuses. Nothing is sent then.

    Example:
        >>> class Query(msgspec.Struct, rename="camel"):
        ...     zip_code: str
        ...     unit: str | msgspec.UnsetType = msgspec.UNSET
        >>> encode("forecast", Query("75001"))
        {'zipCode': '75001'}
    """
    if not isinstance(value, Struct) and is_mapping(value):
        value = {k: v for k, v in value.items() if v is not UNSET}
    try:
        arguments: Any = msgspec.to_builtins(value, str_keys=True, enc_hook=encode_custom)
    except (TypeError, NotImplementedError, RecursionError) as error:
        raise TypeError(f"the input for tool {named(tool)} cannot be sent as JSON: {error}") from error
    if arguments.__class__ is not dict and not is_dict(arguments):
        raise TypeError(f"the input for tool {named(tool)} must be a JSON object, not {kind_of(arguments)}")
    problems = () if _is_plain(arguments) else json_problems(arguments, DEFAULT_BUDGET)
    if not problems and schema is not None:
        problems = schema.validate(arguments)
    if problems:
        raise InvalidArguments(tool, problems)
    return arguments


_PLAIN = frozenset((bool, type(None)))
_LONG = 1 << 63


def _is_plain(arguments: dict[str, Any]) -> bool:
    """Whether the arguments are flat and of kinds in which nothing can be wrong: the common case needs no walk."""
    for name, value in arguments.items():
        kind = value.__class__
        plain = (
            value.isascii() if kind is str else kind in _PLAIN or (kind is int and -_LONG <= value < _LONG)
        )
        if not plain or not name.isascii():
            return False
    return True


# --- after a mismatch -------------------------------------------------------------------------------------------------


async def changed_since(client: object, bound: Definition) -> str | None:
    """How the tool's schema changed since it was bound: lists the tools once more. None where it did not, or that failed."""
    listing = await list_tools(client, refresh=True)
    if listing.fault is not None:
        return None
    now = next((d for d in read_listing(listing.tools) if d.name == bound.name), None)
    if now is None:
        return "it is no longer listed"
    change = describe_change(bound.output_schema, now.output_schema)
    return None if change is None else f"its outputSchema was {change}"
