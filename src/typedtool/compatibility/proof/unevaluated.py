"""Forms of `unevaluatedProperties` and `unevaluatedItems` (JSON Schema core, 11): a case for each combination of the
adjacent subschemas that are valid."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from typedtool.compatibility.proof.forms import (
    ARRAY,
    EVERY,
    OBJECT,
    All,
    Form,
    Has,
    KindIs,
    Not,
    Opaque,
    Others,
    Rest,
    Some,
    Text,
)
from typedtool.compatibility.proof.patterns import pattern_text
from typedtool.schemas.admission import SchemaNode
from typedtool.schemas.schema import Schema
from typedtool.values.guards import is_dict, is_list

__all__ = ["unevaluated"]

_MOST_CASES = 32
_DEEPEST = 10


class _Case(Struct, frozen=True, eq=False):
    """What has been evaluated where the conditions hold. `every`: all of it."""

    conditions: tuple[Form, ...] = ()
    names: frozenset[str] = frozenset()
    patterns: tuple[Text, ...] = ()
    count: int = 0
    every: bool = False

    def joined(self, other: _Case) -> _Case:
        return _Case(
            (*self.conditions, *other.conditions),
            self.names | other.names,
            (*self.patterns, *other.patterns),
            max(self.count, other.count),
            self.every or other.every,
        )


class _TooMany(Exception):
    pass


def unevaluated(schema: Schema, form_of: Callable[[str], Form], node: SchemaNode, keyword: str) -> Form:
    """The form of an `unevaluated*` keyword at a node. form_of: gives the form of the subschema at a location."""
    kind = OBJECT if keyword == "unevaluatedProperties" else ARRAY
    try:
        cases = _Evaluated(schema, form_of, keyword).cases(node, 0, own=False)
    except _TooMany:
        return Opaque(kind, f"{keyword} beside many alternatives")
    rest = form_of(node.location_of(keyword))
    parts: list[Form] = [KindIs(EVERY & ~kind)]
    for case in cases:
        if case.every:
            parts.append(All(case.conditions))
        elif kind == OBJECT:
            parts.append(All((*case.conditions, Others(case.names, case.patterns, rest))))
        else:
            parts.append(All((*case.conditions, Rest(case.count, rest))))
    return Some(tuple(parts))


class _Evaluated:
    """What the schemas of a document evaluate, for one `unevaluated*` keyword."""

    def __init__(self, schema: Schema, form_of: Callable[[str], Form], keyword: str) -> None:
        self.schema = schema
        self.form_of = form_of
        self.keyword = keyword

    def cases(self, node: SchemaNode, depth: int, own: bool = True) -> list[_Case]:
        """What a schema that holds evaluates, case by case. own: its own `unevaluated*` counts too."""
        schema: Any = node.schema
        if not is_dict(schema):
            return [_Case()]
        if depth > _DEEPEST or "$dynamicRef" in schema or "$recursiveRef" in schema:
            raise _TooMany
        if own and self.keyword in schema:
            return [_Case(every=True)]
        cases = [_properties(schema) if self.keyword == "unevaluatedProperties" else _items(node, schema)]
        for options in self.beside(node, depth):
            cases = [case.joined(option) for case in cases for option in options]
            if len(cases) > _MOST_CASES:
                raise _TooMany
        return cases

    def beside(self, node: SchemaNode, depth: int) -> list[list[_Case]]:
        """For each subschema of the same instance: its cases, and those in which it does not hold."""
        schema: Any = node.schema
        found: list[list[_Case]] = []

        def cases(location: str, *more: Form) -> list[_Case]:
            return [_Case(more).joined(case) for case in self.cases(self.schema.node(location), depth + 1)]

        if "$ref" in schema:
            target = node.references.get("$ref")
            if target is None:
                raise _TooMany
            found.append(cases(target))
        found += [cases(node.location_of("allOf", i)) for i in range(len(schema.get("allOf", ())))]
        for group in ("anyOf", "oneOf"):
            for i in range(len(schema.get(group, ()))):
                location = node.location_of(group, i)
                form = self.form_of(location)
                found.append([*cases(location, form), _Case((Not(form),))])
        if "if" in schema:
            test = self.form_of(node.location_of("if"))
            holds = cases(node.location_of("if"), test)
            then = cases(node.location_of("then")) if "then" in schema else [_Case()]
            other = cases(node.location_of("else"), Not(test)) if "else" in schema else [_Case((Not(test),))]
            found.append([a.joined(b) for a in holds for b in then] + other)
        for name in schema.get("dependentSchemas", ()):
            location = node.location_of("dependentSchemas", name)
            there = Some((KindIs(EVERY & ~OBJECT), Has(name)))
            found.append([*cases(location, there), _Case((Not(there),))])
        return found


def _properties(schema: dict[str, Any]) -> _Case:
    patterns = tuple(pattern_text(p) for p in schema.get("patternProperties", ()))
    return _Case((), frozenset(schema.get("properties", ())), patterns, 0, "additionalProperties" in schema)


def _items(node: SchemaNode, schema: dict[str, Any]) -> _Case:
    if "contains" in schema and node.dialect.name == "2020-12":
        raise _TooMany  # which items it evaluates depends on each of them
    if node.dialect.name == "2020-12":
        return _Case(count=len(schema.get("prefixItems", ())), every="items" in schema)
    items = schema.get("items", ())
    if is_list(items) or items == ():
        return _Case(count=len(items), every="additionalItems" in schema and "items" in schema)
    return _Case(every=True)
