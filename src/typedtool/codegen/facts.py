"""What several schemas say together of one value: `Facts`, merged from all that apply at a place.

A place in a document is a set of locations: a schema, what its `$ref`s lead to, the members of its `allOf`,
the branch of an `anyOf` that is being looked at. Nothing is copied: properties keep the locations of their
schemas.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from typedtool.codegen.ir import Bounds
from typedtool.schemas.schema import Schema, SchemaNode
from typedtool.values.guards import is_dict, is_list
from typedtool.values.locations import unescape

__all__ = ["Facts", "Group", "Place", "facts_at"]

ALL_KINDS = ("null", "boolean", "integer", "number", "string", "array", "object")
_KINDS_OF = {
    "object": ("properties", "required", "additionalProperties", "patternProperties", "propertyNames"),
    "array": ("items", "prefixItems", "minItems", "maxItems", "uniqueItems", "contains"),
    "string": ("pattern", "minLength", "maxLength", "format"),
    "number": ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
}
_KEPT = {
    "not": "not",
    "if": "if/then/else",
    "contains": "contains",
    "propertyNames": "propertyNames",
    "dependentRequired": "dependentRequired",
    "dependentSchemas": "dependentSchemas",
    "dependencies": "dependencies",
    "unevaluatedItems": "unevaluatedItems",
    "contentSchema": "contentSchema",
}
_ASSERTING = frozenset(
    [k for ks in _KINDS_OF.values() for k in ks]
    + [*_KEPT, "type", "enum", "const", "anyOf", "oneOf", "unevaluatedProperties", "minProperties"]
    + ["maxProperties", "additionalItems", "$dynamicRef", "$recursiveRef"]
)


class Place(Struct, frozen=True):
    """Schemas that all apply to one value, by location; without the groups of alternatives already chosen
    from."""

    locations: tuple[str, ...]
    chosen: frozenset[str] = frozenset()

    def also(self, location: str, group: str) -> Place:
        """The place inside of one branch of a group."""
        return Place((*self.locations, location), self.chosen | {group})


class Group(Struct, frozen=True):
    """An `anyOf` or `oneOf`: its own location, and those of its branches."""

    location: str
    branches: tuple[str, ...]


class Facts(Struct):
    """All that is said at a place. Locations stand for schemas.

    asserting: the locations that say anything of the value, by which a place is known again.
    stated: `type`, `enum` or `const` is among it: the kinds are not inferred.
    parts: for each schema that speaks of objects its properties, its additionalProperties (a location or
        False; None where it has none), and whether it has patternProperties.
    kept: keywords that types do not carry.
    """

    asserting: tuple[str, ...]
    kinds: frozenset[str] = frozenset(ALL_KINDS)
    stated: bool = False
    values: list[Any] | None = None
    impossible: bool = False
    opaque: str = ""
    title: str = ""
    description: str = ""
    default: tuple[Any, ...] = ()
    definition: str = ""
    deprecated: bool = False
    parts: list[tuple[dict[str, str], str | bool | None, bool]] = []
    required: set[str] = set()
    sealed: bool = False
    patterned: list[str] = []
    items: list[str] = []
    prefixes: list[tuple[str, ...]] = []
    ended: bool = False
    unique: bool = False
    bounds: dict[str, int | float] = {}
    pattern: str = ""
    format: str = ""
    groups: list[Group] = []
    kept: dict[str, None] = {}

    def meta(self, *names: tuple[str, str]) -> Bounds:
        """Bounds by the names that `Meta` has for them."""
        return tuple((meta, self.bounds[keyword]) for keyword, meta in names if keyword in self.bounds)


def facts_at(schema: Schema, place: Place) -> Facts:
    """Everything that the schemas at a place say together."""
    facts = Facts(())
    asserting: list[str] = []
    for node in _members(schema, place):
        document = node.schema
        if document is False:
            facts.impossible = True
            asserting.append(node.location)
        elif is_dict(document):
            hidden = "$ref" in document and node.dialect.ref_hides_siblings
            if not hidden and not _ASSERTING.isdisjoint(document):
                asserting.append(node.location)
            _annotate(facts, document, node)
            if not hidden:
                _Merger(facts, node, place).merge()
    facts.asserting = tuple(sorted(set(asserting)))
    if not facts.stated:
        _infer(facts)
    return facts


def _members(schema: Schema, place: Place) -> Iterator[SchemaNode]:
    """The schemas of a place with their references and `allOf` followed, each once."""
    seen: set[str] = set()
    queue = list(reversed(place.locations))
    while queue:
        location = queue.pop()
        if location in seen:
            continue
        seen.add(location)
        node = schema.node(location)
        yield node
        document = node.schema
        if not is_dict(document):
            continue
        following = [node.references["$ref"]] if "$ref" in node.references else []
        if not ("$ref" in document and node.dialect.ref_hides_siblings):
            count = len(document.get("allOf", ()))
            following += [node.location_of("allOf", i) for i in range(count)]
        queue.extend(reversed(following))


def _annotate(facts: Facts, document: dict[str, Any], node: SchemaNode) -> None:
    """Titles and descriptions: the first word counts, which is the one nearest to the use."""
    for name in ("title", "description"):
        said = document.get(name)
        if isinstance(said, str) and said.strip() and not getattr(facts, name):
            setattr(facts, name, said)
    if "default" in document and not facts.default:
        facts.default = (document["default"],)
    facts.deprecated = facts.deprecated or document.get("deprecated") is True
    steps = node.location.split("/")
    if len(steps) == 3 and steps[1] in ("$defs", "definitions") and not facts.definition:
        facts.definition = unescape(steps[2])
    if "$ref" in document and "$ref" not in node.references:
        facts.opaque = facts.opaque or "a reference to a metaschema"
    if "$dynamicRef" in document or "$recursiveRef" in document:
        facts.opaque = facts.opaque or "a dynamic reference"


def _infer(facts: Facts) -> None:
    """Without a `type`, keywords of one kind mean values of that kind: a reading, not what JSON Schema
    says."""
    guessed: set[str] = set()
    if facts.parts or facts.required or facts.patterned:
        guessed.add("object")
    if facts.items or facts.prefixes or facts.unique or {"minItems", "maxItems"} & facts.bounds.keys():
        guessed.add("array")
    if facts.pattern or facts.format or {"minLength", "maxLength"} & facts.bounds.keys():
        guessed.add("string")
    if {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"} & facts.bounds.keys():
        guessed |= {"integer", "number"}
    if guessed:
        facts.kinds = frozenset(guessed)


class _Merger:
    """Adds what one schema says."""

    def __init__(self, facts: Facts, node: SchemaNode, place: Place) -> None:
        self.facts = facts
        self.node = node
        self.document: dict[str, Any] = node.schema
        self.place = place

    def merge(self) -> None:
        self.merge_values()
        self.merge_objects()
        self.merge_arrays()
        self.merge_bounds()
        for keyword, said in _KEPT.items():
            if keyword in self.document and self.document[keyword] not in (True, {}, {"type": "string"}):
                self.facts.kept[said] = None
        for keyword in ("anyOf", "oneOf"):
            location = self.node.location_of(keyword)
            branches = self.document.get(keyword)
            if branches and location not in self.place.chosen:
                found = tuple(self.node.location_of(keyword, i) for i in range(len(branches)))
                self.facts.groups.append(Group(location, found))

    def merge_values(self) -> None:
        facts, document = self.facts, self.document
        if "type" in document:
            stated = document["type"]
            kinds = {stated} if isinstance(stated, str) else set(stated)
            facts.kinds &= kinds | ({"integer"} if "number" in kinds else set())
            facts.stated = True
            facts.impossible = facts.impossible or not facts.kinds
        for values in ([document["const"]] if "const" in document else None, document.get("enum")):
            if values is not None:
                held = values if facts.values is None else [v for v in facts.values if _among(v, values)]
                facts.values = held
                facts.impossible = facts.impossible or not held

    def merge_objects(self) -> None:
        facts, document, node = self.facts, self.document, self.node
        facts.required |= {name for name in document.get("required", ()) if isinstance(name, str)}
        for pattern in sorted(document.get("patternProperties", ())):
            facts.patterned.append(node.location_of("patternProperties", pattern))
        facts.sealed = facts.sealed or document.get("unevaluatedProperties") is False
        properties = document.get("properties", {})
        more = document.get("additionalProperties")
        if properties or more is not None or "properties" in document:
            known = {name: node.location_of("properties", name) for name in properties}
            others = (
                more if isinstance(more, bool) or more is None else node.location_of("additionalProperties")
            )
            facts.parts.append((known, others, bool(document.get("patternProperties"))))

    def merge_arrays(self) -> None:
        facts, document, node = self.facts, self.document, self.node
        facts.unique = facts.unique or document.get("uniqueItems") is True
        items = document.get("items")
        rest: Any = items
        rest_at = "items"
        prefix = document.get("prefixItems") if node.dialect.name == "2020-12" else items
        if is_list(prefix):
            keyword = "prefixItems" if prefix is not items else "items"
            facts.prefixes.append(tuple(node.location_of(keyword, i) for i in range(len(prefix))))
            if keyword == "items":
                rest, rest_at = document.get("additionalItems"), "additionalItems"
        if rest is False:
            facts.ended = True
        elif is_dict(rest):
            facts.items.append(node.location_of(rest_at))

    def merge_bounds(self) -> None:
        facts, document = self.facts, self.document
        for keyword in _LEAST:
            self.bound(keyword, max)
        for keyword in _MOST:
            self.bound(keyword, min)
        step = document.get("multipleOf")
        if isinstance(step, (int, float)) and facts.bounds.setdefault("multipleOf", step) != step:
            facts.kept["multipleOf"] = None
        for keyword in ("pattern", "format"):
            said, known = document.get(keyword), getattr(facts, keyword)
            if isinstance(said, str) and known in ("", said):
                setattr(facts, keyword, said)
            elif isinstance(said, str):
                facts.kept[keyword] = None

    def bound(self, keyword: str, stricter: Any) -> None:
        said = self.document.get(keyword)
        if isinstance(said, bool):  # draft-04: a flag that makes the bound beside it exclusive
            beside = self.document.get(keyword.removeprefix("exclusive").lower())
            said = beside if said else None
        if isinstance(said, (int, float)):
            known = self.facts.bounds.get(keyword)
            self.facts.bounds[keyword] = said if known is None else stricter(known, said)


_LEAST = ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties")
_MOST = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties")


def _among(value: Any, values: list[Any]) -> bool:
    """JSON equality: true is not 1, 1 is 1.0."""
    return any(value == v and isinstance(value, bool) == isinstance(v, bool) for v in values)
