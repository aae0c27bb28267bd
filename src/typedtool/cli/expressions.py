"""Types on the command line: `list[dict[str, int] | None]`, or `package.module:Name` for one of the user's."""

from __future__ import annotations

import ast
import builtins
import datetime
import decimal
import typing
import uuid
from typing import Any

from typedtool.cli.inputs import imported
from typedtool.cli.terminal import USAGE, CommandError
from typedtool.values.printing import line

__all__ = ["type_of"]

_NAMES: dict[str, Any] = {
    **{
        name: getattr(builtins, name)
        for name in ("bool", "bytes", "dict", "float", "frozenset", "int", "list", "set", "str", "tuple")
    },
    **{name: getattr(datetime, name) for name in ("date", "datetime", "time", "timedelta")},
    "Any": Any,
    "object": Any,
    "None": None,
    "Decimal": decimal.Decimal,
    "UUID": uuid.UUID,
    "Literal": typing.Literal,
    "Optional": typing.Optional,
    "Union": typing.Union,
}


def type_of(expression: str) -> Any:
    """The type that the expression names. The expression is parsed, never evaluated.

    Raises CommandError: it is no type expression, or the module or the name does not exist.

    Example:
        >>> type_of("dict[str, list[int]]")
        dict[str, list[int]]
    """
    module, colon, name = expression.partition(":")
    if colon and all(part.isidentifier() for part in module.split(".")) and name.isidentifier():
        return imported(expression, "--as: ")
    try:
        return _read(ast.parse(expression.strip(), mode="eval").body)
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError):
        raise CommandError(
            f"--as: expected a type such as list[int] or mymodule:MyStruct, received {line(expression, 80)!r}",
            USAGE,
        ) from None


def _read(node: ast.expr) -> Any:
    match node:
        case ast.Constant(value=None):
            return None
        case ast.Name(id=name) if name in _NAMES:
            return _NAMES[name]
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return _NAMES["Union"][_read(left), _read(right)]
        case ast.Subscript(value=ast.Name(id="Literal"), slice=inner):
            return _NAMES["Literal"][_literals(inner)]
        case ast.Subscript(value=ast.Name(id=name), slice=inner) if name in _NAMES:
            parts = inner.elts if isinstance(inner, ast.Tuple) else [inner]
            arguments = [... if isinstance(p, ast.Constant) and p.value is ... else _read(p) for p in parts]
            return _NAMES[name][arguments[0] if len(arguments) == 1 else tuple(arguments)]
        case _:
            raise ValueError


def _literals(node: ast.expr) -> Any:
    parts = node.elts if isinstance(node, ast.Tuple) else [node]
    return tuple(ast.literal_eval(part) for part in parts)
