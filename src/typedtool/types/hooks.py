"""Classes that msgspec leaves to a hook, and users need: pydantic models, paths, addresses, deques and the like."""

from __future__ import annotations

import collections
import re
from collections.abc import Callable
from typing import Any, TypeAlias, get_args, get_origin

import msgspec

from typedtool.types.integers import integral

__all__ = ["Hook", "convert_custom", "encode_custom", "is_supported"]

Hook: TypeAlias = Callable[[Any, Any], Any]

_STRING_CLASSES = {"pathlib", "pathlib._local", "ipaddress"}
_COLLECTIONS = (collections.deque, collections.OrderedDict, collections.defaultdict, collections.Counter)


def is_supported(cls: Any) -> bool:
    """Whether `convert_custom` knows how to make a `cls`."""
    return _is_pydantic(cls) or _is_string_class(cls) or cls in _COLLECTIONS or cls is re.Pattern


def _is_pydantic(cls: Any) -> bool:
    return hasattr(cls, "model_validate_json") and hasattr(cls, "__pydantic_validator__")


def _is_string_class(cls: Any) -> bool:
    return any(base.__module__ in _STRING_CLASSES for base in cls.__mro__)


def convert_custom(tp: Any, value: Any, hook: Hook, *, lax: bool = False) -> Any:
    """`value` as a `tp`. ValueError says why not; strict, so that `"5"` is no number to a pydantic model either."""
    cls = get_origin(tp) or tp
    if _is_pydantic(cls):
        return _pydantic(cls, value, lax)
    if cls in _COLLECTIONS:
        return _collection(tp, cls, value, hook)
    if not isinstance(value, str):
        raise ValueError(f"expected a string for {cls.__name__}")
    try:
        return re.compile(value) if cls is re.Pattern else cls(value)
    except re.error as error:
        raise ValueError(f"not a regular expression: {error}") from error


def _pydantic(cls: Any, value: Any, lax: bool) -> Any:
    """JSON mode is the strict mode that reads datetimes and enums; an integral float is tried as the integer it is."""
    try:
        return cls.model_validate_json(msgspec.json.encode(value), strict=not lax)
    except ValueError:
        whole = integral(value)
        if whole is value:
            raise
        return cls.model_validate_json(msgspec.json.encode(whole), strict=not lax)


def _collection(tp: Any, cls: Any, value: Any, hook: Hook) -> Any:
    args = get_args(tp)
    inner: Any
    made: Any = cls
    if cls is collections.deque:
        inner = list[args[0] if args else Any]  # type: ignore[misc]
    else:
        key, item = (args[0], int) if cls is collections.Counter and args else (args or (Any, Any))
        inner = dict[key, item]  # type: ignore[valid-type]
    found: Any = msgspec.convert(value, inner, str_keys=True, dec_hook=hook)
    return made(None, found) if cls is collections.defaultdict else made(found)


def encode_custom(value: Any) -> Any:
    """A value that msgspec cannot encode, as JSON would carry it. NotImplementedError for what has no JSON form."""
    if _is_pydantic(type(value)):
        return value.model_dump(mode="json", by_alias=True, exclude_unset=True)
    if _is_string_class(type(value)):
        return str(value)
    cls: Any = value.__class__
    if cls is re.Pattern:
        return value.pattern
    if cls is collections.deque:
        return list(value)
    raise NotImplementedError(f"a {type(value).__name__} has no JSON form")
