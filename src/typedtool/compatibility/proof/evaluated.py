"""`unevaluatedProperties` and `unevaluatedItems` (JSON Schema core, 11): written out as the cases of which schemas beside
them hold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

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
from typedtool.compatibility.proof.texts import pattern_text
from typedtool.values.guards import is_dict, is_list

if TYPE_CHECKING:
    from typedtool.compatibility.proof.schemaforms import SchemaForms
    from typedtool.schemas.schema import SchemaNode

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


def unevaluated(forms: SchemaForms, node: SchemaNode, keyword: str) -> Form:
    """The form of an `unevaluated*` keyword of a schema."""
    kind = OBJECT if keyword == "unevaluatedProperties" else ARRAY
    try:
        cases = _cases(forms, node, keyword, 0, own=False)
    except _TooMany:
        return Opaque(kind, f"{keyword} beside many alternatives")
    rest = forms.of(node.location_of(keyword))
    parts: list[Form] = [KindIs(EVERY & ~kind)]
    for case in cases:
        if case.every:
            parts.append(All(case.conditions))
        elif kind == OBJECT:
            parts.append(All((*case.conditions, Others(case.names, case.patterns, rest))))
        else:
            parts.append(All((*case.conditions, Rest(case.count, rest))))
    return Some(tuple(parts))


def _cases(forms: SchemaForms, node: SchemaNode, keyword: str, depth: int, own: bool = True) -> list[_Case]:
    """What a schema that holds evaluates, case by case. own: its own `unevaluated*` counts too."""
    schema: Any = node.schema
    if not is_dict(schema):
        return [_Case()]
    if depth > _DEEPEST or "$dynamicRef" in schema or "$recursiveRef" in schema:
        raise _TooMany
    if own and keyword in schema:
        return [_Case(every=True)]
    cases = [_own_properties(schema) if keyword == "unevaluatedProperties" else _own_items(node, schema)]
    for options in _beside(forms, node, keyword, depth):
        cases = [case.joined(option) for case in cases for option in options]
        if len(cases) > _MOST_CASES:
            raise _TooMany
    return cases


def _own_properties(schema: dict[str, Any]) -> _Case:
    patterns = tuple(pattern_text(p) for p in schema.get("patternProperties", ()))
    return _Case((), frozenset(schema.get("properties", ())), patterns, 0, "additionalProperties" in schema)


def _own_items(node: SchemaNode, schema: dict[str, Any]) -> _Case:
    if "contains" in schema and node.dialect.name == "2020-12":
        raise _TooMany  # which items it evaluates depends on each of them
    if node.dialect.name == "2020-12":
        return _Case(count=len(schema.get("prefixItems", ())), every="items" in schema)
    items = schema.get("items", ())
    if is_list(items) or items == ():
        return _Case(count=len(items), every="additionalItems" in schema and "items" in schema)
    return _Case(every=True)


def _beside(forms: SchemaForms, node: SchemaNode, keyword: str, depth: int) -> list[list[_Case]]:
    """For each schema that judges the same value: its cases, and those in which it does not hold."""
    schema: Any = node.schema
    found: list[list[_Case]] = []

    def cases(location: str, *more: Form) -> list[_Case]:
        inner = _cases(forms, forms.schema.node(location), keyword, depth + 1)
        return [_Case(more).joined(case) for case in inner]

    if "$ref" in schema:
        target = node.references.get("$ref")
        if target is None:
            raise _TooMany
        found.append(cases(target))
    found += [cases(node.location_of("allOf", i)) for i in range(len(schema.get("allOf", ())))]
    for group in ("anyOf", "oneOf"):
        for i in range(len(schema.get(group, ()))):
            location = node.location_of(group, i)
            form = forms.of(location)
            found.append([*cases(location, form), _Case((Not(form),))])
    if "if" in schema:
        test = forms.of(node.location_of("if"))
        holds = cases(node.location_of("if"), test)
        then = cases(node.location_of("then")) if "then" in schema else [_Case()]
        other = cases(node.location_of("else"), Not(test)) if "else" in schema else [_Case((Not(test),))]
        found.append([a.joined(b) for a in holds for b in then] + other)
    for name in schema.get("dependentSchemas", ()):
        location = node.location_of("dependentSchemas", name)
        there = Some((KindIs(EVERY & ~OBJECT), Has(name)))
        found.append([*cases(location, there), _Case((Not(there),))])
    return found
