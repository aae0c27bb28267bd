"""Guards: functions that narrow a value to the kind of JSON value it is.

`is_object` and its like are public, and narrow an `object` no further than they must: what is inside stays `object`.
`isinstance(x, dict)` would give `dict[Any, Any]`, and with it the unchecked values that SEP-2106 brought. A value
with a narrower type is narrowed by `isinstance`.

`is_dict` and its like are for the inside, where a value is `Any` and stays so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias, TypeGuard, Union

from typing_extensions import TypeIs

__all__ = [
    "JsonValue",
    "is_array",
    "is_boolean",
    "is_dict",
    "is_integer",
    "is_items",
    "is_list",
    "is_mapping",
    "is_null",
    "is_number",
    "is_object",
    "is_string",
    "is_tuple",
]

JsonValue: TypeAlias = Union[None, bool, int, float, str, "list[JsonValue]", "dict[str, JsonValue]"]
"""For annotations only: msgspec cannot decode a recursive alias. Narrow it with isinstance, not with the guards.

Example:
    >>> settings: JsonValue = {"cities": ["Paris"], "days": 3}
"""


def is_object(value: object, /) -> TypeIs[dict[str, object]]:
    """True for a JSON object; its values stay `object`.

    Example:
        >>> is_object({"a": 1}), is_object([1])
        (True, False)
    """
    return isinstance(value, dict)


def is_array(value: object, /) -> TypeIs[list[object]]:
    """True for a JSON array; its items stay `object`.

    Example:
        >>> is_array([1]), is_array("ab")
        (True, False)
    """
    return isinstance(value, list)


def is_string(value: object, /) -> TypeIs[str]:
    """True for a JSON string.

    Example:
        >>> is_string("5"), is_string(5)
        (True, False)
    """
    return isinstance(value, str)


def is_number(value: object, /) -> TypeIs[Union[int, float]]:
    """True for a JSON number; true and false are none. NaN and Infinity are not JSON.

    Example:
        >>> is_number(1.5), is_number(True), is_number(float("nan"))
        (True, False, False)
    """
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value - value == 0


def is_integer(value: object, /) -> TypeIs[int]:
    """True for a Python int that is a JSON integer. `1.0` is an integer to JSON Schema, but a float to Python.

    Example:
        >>> is_integer(1), is_integer(True), is_integer(1.0)
        (True, False, False)
    """
    return isinstance(value, int) and not isinstance(value, bool)


def is_boolean(value: object, /) -> TypeIs[bool]:
    """True for true and false.

    Example:
        >>> is_boolean(False), is_boolean(0)
        (True, False)
    """
    return isinstance(value, bool)


def is_null(value: object, /) -> TypeIs[None]:
    """True for null. An absent value is `msgspec.UNSET`, and not null.

    Example:
        >>> is_null(None), is_null(0)
        (True, False)
    """
    return value is None


# --- for the inside -------------------------------------------------------------------------------------------------


def is_dict(value: Any) -> TypeIs[dict[str, Any]]:
    """True for a dict, as a JSON object is once it has been read."""
    return isinstance(value, dict)


def is_list(value: Any) -> TypeIs[list[Any]]:
    """True for a list, as a JSON array is once it has been read."""
    return isinstance(value, list)


def is_tuple(value: Any) -> TypeIs[tuple[Any, ...]]:
    """True for a tuple, which is written as a JSON array."""
    return isinstance(value, tuple)


def is_mapping(value: object, /) -> TypeGuard[Mapping[Any, Any]]:
    """True for a mapping of any class."""
    return isinstance(value, (dict, Mapping))  # dict first: an abstract class takes five times as long to ask


def is_items(value: object, /) -> TypeGuard[Sequence[Any]]:
    """True for a list or a tuple."""
    return isinstance(value, (list, tuple))
