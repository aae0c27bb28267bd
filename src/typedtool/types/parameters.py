"""The arguments that a generic class got: what `TypedTool[Query, list[Hour]]("x")` knows of Query and list[Hour]."""

from __future__ import annotations

import typing
from typing import Any, ForwardRef, Literal, get_args, get_origin

from typing_extensions import TypeVar, get_original_bases

from typedtool.types.shapes import substituted, type_name, unalias

__all__ = ["checked", "type_arguments"]


def type_arguments(instance: Any, base: type) -> tuple[Any, ...]:
    """The arguments that `base` has in the type of `instance`, through subclasses, however they were made.

    `Generic` sets `__orig_class__` after `__init__`, so this cannot be asked there.
    """
    declared: Any = getattr(instance, "__orig_class__", None)
    found = _arguments(instance.__class__ if declared is None else declared, base)
    if found is None:
        name = type(instance).__name__
        raise TypeError(f"{instance!r} has no types: write {name}[Input, Output]({instance._name!r})")
    return (*found, object) if len(found) == 1 else found  # Python 3.10 leaves the default of Out out


def _arguments(alias: Any, base: type) -> tuple[Any, ...] | None:
    origin, args = get_origin(alias) or alias, get_args(alias)
    if origin is base:
        return args or None
    env = dict(zip(getattr(origin, "__parameters__", ()), args))
    for parent in get_original_bases(origin):
        cls = get_origin(parent) or parent
        if (
            isinstance(cls, type)
            and issubclass(cls, base)
            and (found := _arguments(parent, base)) is not None
        ):
            return tuple(substituted(a, env) for a in found)
    return None


def checked(tool: Any, types: tuple[Any, ...]) -> tuple[Any, Any]:
    """`(In, Out)`, with aliases resolved and `None` for no input. TypeError for what only a checker could resolve."""
    input, output = types
    for what, tp in (("input", input), ("output", output)):
        if (why := _unresolved(tp)) is not None:
            raise TypeError(f"{tool!r}: the {what} type {type_name(tp)} holds {why}: write the type itself")
    return (None if input is None or input is type(None) else unalias(input)), output


def _unresolved(tp: Any) -> str | None:
    if isinstance(tp, (TypeVar, typing.TypeVar)):
        return f"the type variable {tp}"
    if isinstance(tp, (str, ForwardRef)):
        return f"the string {tp!r}"
    origin = get_origin(tp)
    if origin is Literal:
        return None
    args = get_args(tp)[:1] if origin is typing.Annotated else get_args(tp)
    return next((why for a in args if (why := _unresolved(a)) is not None), None)
