"""Classes that msgspec leaves to a hook, and users need: pydantic models, paths, addresses, deques and the like."""

from __future__ import annotations

import collections
import re
from collections.abc import Callable
from typing import Any, TypeAlias, get_args, get_origin

import msgspec

from typedtool.errors import Problem, kind_of
from typedtool.types.hints import type_name
from typedtool.types.integers import integral
from typedtool.types.words import BOUNDS, bound_keyword
from typedtool.values.guards import is_items, is_mapping
from typedtool.values.locations import path_segment
from typedtool.values.wording import limit, sized

__all__ = ["Hook", "collection_type", "convert_custom", "custom_problems", "encode_custom", "is_supported"]

Hook: TypeAlias = Callable[[Any, Any], Any]

_STRING_CLASSES = {"pathlib", "pathlib._local", "ipaddress"}
_COLLECTIONS = (collections.deque, collections.OrderedDict, collections.defaultdict, collections.Counter)


def is_supported(cls: Any) -> bool:
    """Whether `convert_custom` makes a `cls` from JSON."""
    return _is_pydantic(cls) or _is_string_class(cls) or cls in _COLLECTIONS or cls is re.Pattern


def _is_pydantic(cls: Any) -> bool:
    return hasattr(cls, "model_validate_json") and hasattr(cls, "__pydantic_validator__")


def _is_string_class(cls: Any) -> bool:
    return any(base.__module__ in _STRING_CLASSES for base in cls.__mro__)


def convert_custom(tp: Any, value: Any, hook: Hook, *, lax: bool = False) -> Any:
    """Returns `value` converted to `tp`; a string such as `"5"` is a number only where lax. Raises ValueError."""
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
    """Validates in JSON mode, which reads datetimes and enums even where strict; falls back to integers for `1.0`."""
    try:
        return cls.model_validate_json(msgspec.json.encode(value), strict=not lax)
    except ValueError:
        whole = integral(value)
        if whole is value:
            raise
        return cls.model_validate_json(msgspec.json.encode(whole), strict=not lax)


def _collection(tp: Any, cls: Any, value: Any, hook: Hook) -> Any:
    made: Any = cls
    found: Any = msgspec.convert(value, collection_type(tp), str_keys=True, dec_hook=hook)
    return made(None, found) if cls is collections.defaultdict else made(found)


def collection_type(tp: Any) -> Any:
    """The list or dict that a class of `collections` is made from, or None for another class."""
    cls, args = get_origin(tp) or tp, get_args(tp)
    if cls not in _COLLECTIONS:
        return None
    if cls is collections.deque:
        return list[args[0] if args else Any]  # type: ignore[misc]
    key, item = (args[0], int) if cls is collections.Counter and args else (args or (Any, Any))
    return dict[key, item]  # type: ignore[valid-type]


def encode_custom(value: Any) -> Any:
    """Returns JSON for a value that msgspec cannot encode. Raises NotImplementedError where it has no JSON form."""
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


# --- what is wrong with a value -------------------------------------------------------------------------------------

_PYDANTIC_KINDS = {
    "int": "integer",
    "float": "number",
    "bool": "boolean",
    "string": "string",
    "list": "array",
    "set": "array",
    "frozen_set": "array",
    "tuple": "array",
    "dict": "object",
    "model": "object",
    "dataclass": "object",
}
_PYDANTIC_FORMATS = {
    "datetime": "a date-time",
    "date": "a date",
    "time": "a time",
    "time_delta": "a duration",
    "uuid": "a UUID",
    "decimal": "a decimal number",
    "url": "a URL",
}


def custom_problems(tp: Any, value: Any, error: ValueError, path: str) -> list[Problem]:
    """What `convert_custom` refused, from its error: each of pydantic's errors, or one problem.

    Words come from the type of an error, never from its message: that may quote the value.
    """
    listed: Any = getattr(error, "errors", None)
    if callable(listed):
        errors: Any = listed(include_url=False)
        return [_pydantic_problem(tp, value, each, path) for each in errors]
    if not isinstance(value, str):
        return [Problem("type", path, "string", kind_of(value))]
    words = "a regular expression" if (get_origin(tp) or tp) is re.Pattern else type_name(tp)
    return [Problem("format", path, words, sized(value))]


def _pydantic_problem(tp: Any, value: Any, error: dict[str, Any], path: str) -> Problem:
    kind, held = error["type"], error["input"]
    where = path + "".join(map(path_segment, _steps(value, error["loc"], kind == "missing")))
    if kind == "missing":
        return Problem("required", where, "a value", "nothing")
    if kind == "extra_forbidden":
        return Problem("additionalProperties", where, "no such property", kind_of(held))
    about, _, what = kind.rpartition("_")
    if what in ("type", "parsing") and about in _PYDANTIC_KINDS:
        return Problem("type", where, _PYDANTIC_KINDS[about], kind_of(held))
    about = about.partition("_from_")[0]
    if what == "parsing" and about in _PYDANTIC_FORMATS:
        return Problem("format", where, _PYDANTIC_FORMATS[about], sized(held))
    context = error.get("ctx", {})
    if kind in ("enum", "literal_error") and "expected" in context:
        return Problem("enum", where, str(context["expected"])[:200], sized(held))
    for bound in BOUNDS:
        if bound in context:
            keyword = bound_keyword(bound, held)
            return Problem(keyword, where, limit(keyword, context[bound]), sized(held))
    words = f"a value that {type_name(tp)} accepts" if kind.endswith("_error") else f"what {kind} allows"
    return Problem("type", where, words, sized(held))


def _steps(value: Any, location: tuple[Any, ...], missing: bool) -> list[Any]:
    """The steps of a location that lead through the value: between them pydantic names members of unions."""
    steps: list[Any] = []
    for at, step in enumerate(location):
        if (
            is_mapping(value)
            and step in value
            or is_items(value)
            and isinstance(step, int)
            and step < len(value)
        ):
            value = value[step]
        elif not (missing and at == len(location) - 1):
            continue
        steps.append(step)
    return steps
