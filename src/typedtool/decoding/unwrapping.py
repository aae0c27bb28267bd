"""The one rule on `{"result": value}`: is the object itself the value, or the value inside of it?

Servers wrap what is no object, and say so in different places: in a mark of the schema, in a mark of the result, in a
schema that declares nothing but `result`, or nowhere. The decode rules and the prover both ask `Unwrapping`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from msgspec import UNSET, Struct

from typedtool.results.definitions import Definition
from typedtool.types.traits import Traits
from typedtool.values.guards import is_object

__all__ = ["Unwrapping", "Ways", "is_marked"]

Ways: TypeAlias = tuple[bool, ...]
"""The ways to read a `{"result": value}`, in the order to try: True unwraps it, False takes it as it is."""

AS_IS: Ways = (False,)
UNWRAPPED: Ways = (True,)
AS_IS_FIRST: Ways = (False, True)
UNWRAPPED_FIRST: Ways = (True, False)


class Unwrapping(Struct, frozen=True):
    """How a type and a definition read a `{"result": value}`, by where it came from.

    structured: in structuredContent. marked: the same, where the result carries the mark. text, marked_text: in text.
    declared: the schema describes the wrapped form, so a value from text is held to it wrapped too.
    """

    structured: Ways
    marked: Ways
    text: Ways
    marked_text: Ways
    declared: bool

    @staticmethod
    def of(traits: Traits, definition: Definition) -> Unwrapping:
        """The ways for a type with these traits and a tool of this definition."""
        by_mark = definition.wraps_result
        by_schema = by_mark or definition.declares_result
        by_default = definition.output_schema is UNSET
        return Unwrapping(
            _in_structured(traits, by_mark, by_schema, by_default),
            _in_structured(traits, True, True, by_default),
            _in_text(traits, by_schema, False),
            _in_text(traits, True, True),
            by_schema,
        )


def _in_structured(traits: Traits, by_mark: bool, by_schema: bool, by_default: bool) -> Ways:
    if traits.reads_result:
        # the type has an object with a field `result`: only a mark, or a union with other members, speaks against it
        return AS_IS_FIRST if by_mark or (traits.is_union and (by_schema or by_default)) else AS_IS
    if traits.is_open:
        # any object fits: it takes a mark or a schema to unwrap it, and only a mark excludes that it is meant as it is
        return UNWRAPPED if by_mark else UNWRAPPED_FIRST if by_schema else AS_IS
    return UNWRAPPED if by_schema or by_default else AS_IS


def _in_text(traits: Traits, by_schema: bool, by_result: bool) -> Ways:
    if not by_schema:
        return AS_IS
    if traits.reads_result:
        return AS_IS_FIRST if traits.is_union or by_result else AS_IS
    return UNWRAPPED_FIRST if traits.is_open else UNWRAPPED


def is_marked(meta: Mapping[str, object]) -> bool:
    """Whether the `_meta` of a result says that its value is wrapped (FastMCP 3 and later)."""
    fastmcp = meta.get("fastmcp")
    marked = is_object(fastmcp) and fastmcp.get("wrap_result") is True
    return marked or meta.get("x-fastmcp-wrap-result") is True
