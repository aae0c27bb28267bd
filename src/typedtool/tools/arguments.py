"""From an `In` to the arguments that are sent: `encode(input) -> dict`, with JSON names and without unset fields."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET

from typedtool.errors import InvalidArguments, kind_of, named
from typedtool.schemas.schema import Schema
from typedtool.tools.options import Declared
from typedtool.types.hooks import encode_custom
from typedtool.values.budgets import DEFAULT_BUDGET
from typedtool.values.guards import is_mapping
from typedtool.values.walking import json_problems

__all__ = ["encode", "encode_input"]


def encode(tool: str, value: Any, schema: Schema | None = None) -> dict[str, Any]:
    """The arguments that `value` stands for, in JSON's terms.

    Raises TypeError for a value that is no JSON object or holds something that JSON has no form for, and
    InvalidArguments for what no JSON text can carry (NaN) or the server's inputSchema refuses. Nothing is sent then.

    Example:
        >>> class Query(msgspec.Struct, rename="camel"):
        ...     zip_code: str
        ...     unit: str | msgspec.UnsetType = msgspec.UNSET
        >>> encode("forecast", Query("75001"))
        {'zipCode': '75001'}
    """
    if is_mapping(value):
        value = {k: v for k, v in value.items() if v is not UNSET}
    try:
        arguments: Any = msgspec.to_builtins(value, str_keys=True, enc_hook=encode_custom)
    except (TypeError, NotImplementedError, RecursionError) as error:
        raise TypeError(f"the input for tool {named(tool)} cannot be sent as JSON: {error}") from error
    if not is_mapping(arguments):
        raise TypeError(f"the input for tool {named(tool)} must be a JSON object, not {kind_of(arguments)}")
    problems = json_problems(arguments, DEFAULT_BUDGET)
    if not problems and schema is not None:
        problems = schema.validate(arguments)
    if problems:
        raise InvalidArguments(tool, problems)
    return dict(arguments)


def encode_input(tool: Declared, value: Any, schema: Schema | None = None) -> dict[str, Any] | None:
    """The arguments of a call of `tool`, None where it takes none and no schema asks for an object. Raises as `encode`."""
    if tool.input_type is None:
        if value is not None:
            raise TypeError(f"{tool!r} takes no argument, received a {type(value).__name__}")
        return {} if schema is None else encode(tool.name, {}, schema)
    return encode(tool.name, {} if value is None else value, schema)
