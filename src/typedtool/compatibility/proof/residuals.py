"""The residual of a schema, what is left to check once a value has decoded: `residual_of(wire, ways) -> Residual`.

The residual and the decode together decide what the whole schema decides. It leaves out each keyword that everything
decoded satisfies, and is never larger than the schema itself.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable
from typing import Any

from typedtool.compatibility.proof.comparing import Wire, wrapping
from typedtool.compatibility.proof.forms import (
    ARRAY,
    OBJECT,
    STRING,
    All,
    Form,
    Has,
    KindIs,
    Later,
    Others,
    Property,
    Rest,
    Some,
    State,
    may,
)
from typedtool.compatibility.proof.membership import applies
from typedtool.decoding.contract import Residual
from typedtool.errors import BudgetExceeded, SchemaError
from typedtool.schemas.admission import SchemaNode
from typedtool.schemas.keywords import group_of, keywords_of_kind, keywords_of_role
from typedtool.schemas.schema import Schema, parse_schema
from typedtool.values.guards import is_dict
from typedtool.values.walking import parts

__all__ = ["residual_of"]

_OTHER_KINDS = {
    OBJECT: ["null", "boolean", "number", "string", "array"],
    ARRAY: ["null", "boolean", "number", "string", "object"],
}
_ANNOTATIONS = keywords_of_role("annotation", "definitions")
_MEANING = keywords_of_role("identifier", "anchor", "reference") - {"$ref"}
_NUMERIC = group_of("minimum") | group_of("maximum")
_OF_PROPERTIES = keywords_of_kind("object")
_DEEPEST = 24


def residual_of(wire: Wire, ways: Iterable[bool], *, used: bool = False) -> Residual:
    """Makes the residual, for unwrapped values or others as `ways` says, and for JSON in a string if the schema allows one.

    used: leaves out what the schema says of properties that the type does not read.
    """
    made: dict[tuple[bool, bool], Schema | None] = {}
    for unwrapped in sorted({*ways}):
        place = wrapping(wire.plain) if unwrapped else wire.plain
        string = wrapping(KindIs(STRING)) if unwrapped else KindIs(STRING)
        made[unwrapped, False] = _part(place, wire, used)
        if not wire.questions.ask(((wire.allowed, True), (string, True))).empty:
            made[unwrapped, True] = _part(string, wire, used)
    return Residual(wire.schema, made)


def _part(taken: Form, wire: Wire, used: bool) -> Schema | None:
    """The part of a schema that a value in `taken` can still fail, None when there is none."""
    schema, budget = wire.schema, wire.questions.budget
    try:
        rest = _Reduction(wire, used).whole(taken)
        if rest is True:
            return None
        return schema if rest is None else parse_schema(rest, budget, assert_formats=schema.assert_formats)
    except (SchemaError, BudgetExceeded, RecursionError):
        return schema  # what cannot be reduced is checked whole


class _Reduction:
    def __init__(self, wire: Wire, used: bool) -> None:
        self.schema = wire.schema
        self.questions = wire.questions
        self.used = used
        self.forms = wire.schema_forms
        self.until = time.perf_counter() + 2 * self.questions.budget.seconds

    def within(self, state: State, form: Form) -> bool:
        if time.perf_counter() > self.until:
            raise BudgetExceeded("seconds", self.questions.budget.seconds)
        return self.questions.ask(state | {(form, False)}).empty

    def whole(self, taken: Form) -> Any:
        """True: nothing is left. None: all of it. Else the schema that is left."""
        state = frozenset({(taken, True)})
        if self.within(state, self.forms.of()):
            return True
        nodes = [n.schema for n in self.schema.admitted.nodes if is_dict(n.schema)]
        if self.schema.documents or any(
            not _MEANING.isdisjoint(s) or any(k.startswith("unevaluated") for k in s) for s in nodes
        ):
            return None
        rest = self.reduced(state, self.schema.node(), 0)
        if rest is True or rest is False:
            return rest
        rest = {k: v for k, v in rest.items() if k not in _ANNOTATIONS}
        references = _references(rest)
        if references:
            held = {k: self.schema.document[k] for k in ("$defs", "definitions") if k in self.schema.document}
            if not all(
                r.startswith(("#/$defs/", "#/definitions/")) for r in (*references, *_references(held))
            ):
                return None
            rest |= held
        if "$schema" in self.schema.document:
            rest["$schema"] = self.schema.document["$schema"]
        return rest if len(json.dumps(rest)) < len(json.dumps(self.schema.document)) else None

    # --- one schema -------------------------------------------------------------------------------------------------

    def reduced(self, state: State, node: SchemaNode, depth: int) -> Any:
        """What is left of a schema for the values in a state."""
        schema: Any = node.schema
        if not is_dict(schema) or depth > _DEEPEST:
            return schema
        if not self.used and self.within(state, self.forms.of(node.location)):
            return True
        if "$ref" in schema and (node.dialect.ref_hides_siblings or set(schema) - _ANNOTATIONS == {"$ref"}):
            target = node.references.get("$ref")
            if target is None:
                return {"$ref": schema["$ref"]}
            return self.reduced(state, self.schema.node(target), depth + 1)
        rest: dict[str, Any] = {}
        apart: list[Any] = []
        for keyword in schema:
            if keyword in _ANNOTATIONS or keyword in rest:
                continue
            self.keyword(state, node, keyword, rest, apart, depth)
        if "type" in schema and not rest.keys().isdisjoint(_NUMERIC):
            # beside it, no value has to be searched for NaN before the engine sees it
            rest["type"] = schema["type"]
        if apart:
            rest["allOf"] = [*rest.get("allOf", []), *apart]
        return rest or True

    def keyword(
        self,
        state: State,
        node: SchemaNode,
        keyword: str,
        rest: dict[str, Any],
        apart: list[Any],
        depth: int,
    ) -> None:
        """Add what is left of one keyword."""
        schema: Any = node.schema
        group = group_of(keyword)
        if keyword in _OF_PROPERTIES:
            self.properties(state, node, rest, depth)
        elif keyword == "items" and is_dict(schema["items"]) and "prefixItems" not in schema:
            items, below = _items_of(state), self.schema.node(node.location_of("items"))
            kept = schema["items"] if items is None else self.reduced(items, below, depth + 1)
            if kept is not True:
                rest["items"] = kept
        elif keyword == "allOf":
            parts = (
                self.reduced(state, self.schema.node(node.location_of("allOf", i)), depth + 1)
                for i in range(len(schema["allOf"]))
            )
            apart.extend(part for part in parts if part is not True)
        elif keyword in ("anyOf", "oneOf"):
            apart.extend(self.options(state, node, keyword, depth))
        elif not self.within(state, self.alone(node, {k: schema[k] for k in group if k in schema})):
            rest.update({k: schema[k] for k in group if k in schema})

    def alone(self, node: SchemaNode, keywords: dict[str, Any]) -> Form:
        """The form of some of a schema's keywords."""
        return self.forms.read(SchemaNode(keywords, node.location, node.dialect, node.references))

    # --- alternatives -------------------------------------------------------------------------------------------------

    def options(self, state: State, node: SchemaNode, keyword: str, depth: int) -> list[Any]:
        """What is left of `anyOf` and `oneOf`: for each kind of value, of the one option that it can be in."""
        whole = [{keyword: node.schema[keyword]}]
        if not self.used and self.within(state, self.alone(node, {keyword: node.schema[keyword]})):
            return []
        members = _members(state)
        if members is None:
            return whole
        locations = [node.location_of(keyword, i) for i in range(len(node.schema[keyword]))]
        rest: list[Any] = []
        for member, kinds in members:
            possible = [
                at for at in locations if not self.questions.ask(member | {(self.forms.of(at), True)}).empty
            ]
            if len(possible) != 1:
                if self.within(member, self.alone(node, {keyword: node.schema[keyword]})):
                    continue
                return whole
            part = self.reduced(member, self.schema.node(possible[0]), depth + 1)
            if part is True:
                continue
            if len(members) > 1 and kinds not in _OTHER_KINDS:
                return whole
            rest.append(part if len(members) == 1 else {"anyOf": [{"type": _OTHER_KINDS[kinds]}, part]})
        return rest

    # --- objects ------------------------------------------------------------------------------------------------------

    def properties(self, state: State, node: SchemaNode, rest: dict[str, Any], depth: int) -> None:
        """What is left of the keywords that speak of properties."""
        schema: Any = node.schema
        if rest.keys() & _OF_PROPERTIES:
            return
        read = _of_kind(state, OBJECT)
        names = None if read is None or not self.used else _names_read(read)
        others = {k: schema[k] for k in schema if k in _OF_PROPERTIES and k not in ("required", "properties")}
        kept: dict[str, Any] = {}
        for keyword in () if names is not None else others:
            if keyword != "patternProperties" and not self.within(state, self.of_properties(node, keyword)):
                kept[keyword] = schema[keyword]
        if "patternProperties" in others and (
            names is not None
            or "additionalProperties" in kept
            or not self.within(state, self.of_properties(node, "patternProperties"))
        ):
            kept["patternProperties"] = schema["patternProperties"]
        required = [
            n
            for n in schema.get("required", ())
            if (names is None or n in names) and not self.within(state, Has(n))
        ]
        held = self.held(state, read, node, depth, names, keep="additionalProperties" in kept)
        rest.update(kept)
        if required:
            rest["required"] = required
        if held:
            rest["properties"] = held

    def of_properties(self, node: SchemaNode, keyword: str) -> Form:
        if keyword != "additionalProperties":
            return self.alone(node, {keyword: node.schema[keyword]})
        beside = ("properties", "patternProperties", keyword)
        form = self.alone(node, {k: node.schema[k] for k in beside if k in node.schema})
        return All(tuple(p for p in _parts(form) if isinstance(p, Others) and p.within is None))

    def held(
        self,
        state: State,
        read: list[Form] | None,
        node: SchemaNode,
        depth: int,
        names: frozenset[str] | None,
        keep: bool,
    ) -> dict[str, Any]:
        """What is left of the schemas of the properties. keep: a name alone matters too, to `additionalProperties`."""
        schema: Any = node.schema
        found: dict[str, Any] = {}
        for name in schema.get("properties", ()):
            if names is not None and name not in names:
                continue
            below = self.schema.node(node.location_of("properties", name))
            part = below.schema if read is None else self.reduced(_property_of(read, name), below, depth + 1)
            if part is not True or keep:
                found[name] = part
        if names is not None and "additionalProperties" in schema and "patternProperties" not in schema:
            for name in names - schema.get("properties", {}).keys():
                found[name] = schema["additionalProperties"]
        return found


# --- what a state of a type says of its parts ---------------------------------------------------------------------------


def _parts(form: Form) -> list[Form]:
    if isinstance(form, Later):
        return _parts(form.get())
    return [p for part in form.parts for p in _parts(part)] if isinstance(form, All) else [form]


def _members(state: State) -> list[tuple[State, int]] | None:
    """The alternatives of a type with their kinds, None where two are of one kind."""
    forms = [part for form, _ in state for part in _parts(form)]
    unions = [form for form in forms if isinstance(form, Some)]
    if not unions:
        kinds = 63
        for form in forms:
            kinds &= may(form)
        return [(state, kinds)]
    if len(forms) != 1:
        return None
    found = [(frozenset({(part, True)}), may(part)) for part in unions[0].parts]
    seen = 0
    for _, kinds in found:
        if seen & kinds:
            return None
        seen |= kinds
    return found


def _of_kind(state: State, kind: int) -> list[Form] | None:
    """The atoms of the one alternative that takes values of a kind; None where there is not exactly one."""
    members = _members(state)
    if members is None:
        return None
    fitting = [member for member, kinds in members if kinds & kind]
    if len(fitting) != 1:
        return None
    atoms = [part for form, _ in fitting[0] for part in _parts(form)]
    return None if any(isinstance(atom, Some) for atom in atoms) and len(members) > 1 else atoms


def _property_of(atoms: list[Form], name: str) -> State:
    found = [a.form for a in atoms if isinstance(a, Property) and a.name == name]
    found += [a.form for a in atoms if isinstance(a, Others) and applies(a, name)]
    return frozenset((form, True) for form in found)


def _items_of(state: State) -> State | None:
    atoms = _of_kind(state, ARRAY)
    if atoms is None:
        return None
    return frozenset((a.form, True) for a in atoms if isinstance(a, Rest) and a.start == 0)


def _names_read(atoms: list[Form]) -> frozenset[str] | None:
    """The names that a type reads, None for a map, which reads all."""
    if any(isinstance(a, Others) and not a.names for a in atoms):
        return None
    names = frozenset(a.name for a in atoms if isinstance(a, Property))
    return names or None


def _references(value: Any) -> list[str]:
    return [part["$ref"] for part in parts(value) if is_dict(part) and isinstance(part.get("$ref"), str)]
