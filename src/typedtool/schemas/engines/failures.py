"""`Failure`: one keyword that refuses a value, as the engine that explains finds it."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

__all__ = ["Failure"]


class Failure(Struct, frozen=True):
    """One keyword that refuses a value.

    steps: the way to `instance` in the value; rule: the way to the keyword in the schema.
    schema: what holds the keyword.
    branches: what each schema of a failed `anyOf` or `oneOf` found, or that of `propertyNames` about the name.
    extra: the property or the item that is missing, or one too many.
    """

    keyword: str
    expected: Any
    instance: Any
    steps: tuple[Any, ...]
    rule: tuple[Any, ...]
    schema: Any = None
    branches: tuple[tuple[Failure, ...], ...] = ()
    extra: Any = None
