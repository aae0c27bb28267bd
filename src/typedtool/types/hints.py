"""Type hints before they are read: aliases, generic arguments, names to print, and `OneOf`."""

from __future__ import annotations

import types
import typing
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, ForwardRef, Literal, Union, get_args, get_origin

import typing_extensions
from typing_extensions import TypeAliasType, get_original_bases

__all__ = [
    "QUALIFIERS",
    "TYPE_VARIABLES",
    "OneOf",
    "checked",
    "is_one_of",
    "substituted",
    "type_arguments",
    "type_name",
    "unalias",
]

if TYPE_CHECKING:
    from typing import Union as OneOf  # the static half of the class below
else:

    class _OneOfMeta(type):
        def __instancecheck__(cls, value: object) -> bool:
            return True

        def __repr__(cls) -> str:
            return f"OneOf[{', '.join(map(type_name, cls.__options__))}]" if cls.__options__ else "OneOf"

    class OneOf(metaclass=_OneOfMeta):
        """A union whose members need no tag: `OneOf[A, B]`, also inside the fields of a Struct.

        Checkers see `typing.Union`. The member is chosen that takes the value and leaves out the fewest of its
        keys; among equals the first. Of the kinds of string, `str` comes last.

        Example:
            >>> from msgspec import Struct
            >>> class Page(Struct):
            ...     hit: OneOf[Person, Film]
            >>> decode({"structuredContent": {"hit": {"title": "Alien"}}}, Page)
            Page(hit=Film(title='Alien'))
        """

        __options__: ClassVar[tuple[Any, ...]] = ()
        __choice__: ClassVar[Any] = None

        def __class_getitem__(cls, options: Any) -> Any:
            options = options if isinstance(options, tuple) else (options,)
            return _OneOfMeta("OneOf", (cls,), {"__options__": options})


QUALIFIERS = tuple(
    getattr(module, name)
    for module in (typing, typing_extensions)
    for name in ("Final", "ClassVar", "Required", "NotRequired", "ReadOnly")
    if hasattr(module, name)
)
TYPE_VARIABLES = (typing.TypeVar, typing_extensions.TypeVar)
_ALIASES = tuple({TypeAliasType, getattr(typing, "TypeAliasType", TypeAliasType)})
_NEW_TYPES = tuple({typing.NewType, typing_extensions.NewType})


def unalias(tp: Any) -> Any:
    """Returns the type that an alias, a NewType or a qualified hint (`Required[int]`) stands for."""
    for _ in range(100):
        # First: on Python 3.10, a generic alias with arguments is an instance of what its origin is.
        if isinstance(get_origin(tp), _ALIASES):
            alias: Any = get_origin(tp)
            tp = substituted(alias.__value__, dict(zip(alias.__type_params__, get_args(tp))))
        elif isinstance(tp, _ALIASES):
            tp = tp.__value__
        elif isinstance(tp, _NEW_TYPES):
            new_type: Any = tp
            tp = new_type.__supertype__
        elif get_origin(tp) in QUALIFIERS:
            tp = get_args(tp)[0]
        else:
            return tp
    raise TypeError(f"{type_name(tp)} is an alias of itself")


def substituted(tp: Any, env: dict[Any, Any]) -> Any:
    """Returns `tp` with its type variables replaced."""
    if isinstance(tp, TYPE_VARIABLES):
        return env.get(tp, tp)
    parameters = getattr(tp, "__parameters__", ())
    if not parameters or (isinstance(tp, type) and get_origin(tp) is None):
        return tp
    generic: Any = tp
    return generic[tuple(env.get(p, p) for p in parameters)]


def type_name(tp: Any) -> str:
    """A type as its author would write it, cut to a readable length."""
    if tp is None or tp is type(None):
        return "None"
    if is_one_of(tp):
        return repr(tp)
    if isinstance(tp, type) and get_origin(tp) is None:
        return tp.__qualname__.rpartition("<locals>.")[2]
    origin, args = get_origin(tp), get_args(tp)
    if origin in (Union, types.UnionType):
        return " | ".join(map(type_name, args))
    if origin is Annotated:
        return type_name(args[0])
    if origin is Literal:
        return f"Literal[{', '.join(repr(a)[:40] for a in args[:6])}]"
    if origin is not None and args:
        listed = ", ".join("..." if a is Ellipsis else type_name(a) for a in args)
        return f"{getattr(origin, '__name__', origin)}[{listed}]"[:200]
    return str(getattr(tp, "__name__", tp))[:200]


def is_one_of(tp: Any) -> bool:
    """Whether a type is `OneOf[...]`."""
    return isinstance(tp, type(OneOf)) and tp is not OneOf


def type_arguments(instance: Any, base: type) -> tuple[Any, ...]:
    """Returns the type arguments of `base` in the type of `instance`, through any subclasses.

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
    """Returns `(In, Out)`, with In's aliases resolved and None for no input.

    Raises TypeError for a type variable or a string, which only a checker could resolve.
    """
    input, output = types
    for what, tp in (("input", input), ("output", output)):
        if (why := _unresolved(tp)) is not None:
            raise TypeError(f"{tool!r}: the {what} type {type_name(tp)} holds {why}: write the type itself")
    return (None if input is None or input is type(None) else unalias(input)), output


def _unresolved(tp: Any) -> str | None:
    if isinstance(tp, TYPE_VARIABLES):
        return f"the type variable {tp}"
    if isinstance(tp, (str, ForwardRef)):
        return f"the string {tp!r}"
    origin = get_origin(tp)
    if origin is Literal:
        return None
    args = get_args(tp)[:1] if origin is typing.Annotated else get_args(tp)
    return next((why for a in args if (why := _unresolved(a)) is not None), None)
