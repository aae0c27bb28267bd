"""What several subschemas say together of one value: `conjunction_of(schema, subschemas) -> Conjunction`.

To one value apply a subschema, what its `$ref`s lead to, the members of its `allOf`, and the branch of an `anyOf` that
is being read. Nothing is copied: locations stand for subschemas.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from typedtool.codegen.type_tree import Bounds
from typedtool.schemas.admission import SchemaNode
from typedtool.schemas.keywords import keywords_of_role
from typedtool.schemas.schema import Schema
from typedtool.values.guards import is_dict, is_list
from typedtool.values.locations import unescape

__all__ = ["KINDS", "Alternatives", "Conjunction", "Subschemas", "conjunction_of"]

# The types of JSON Schema, in the order in which the members of a union are written.
KINDS = ("string", "integer", "number", "boolean", "array", "object", "null")
# What types do not carry. `if` stands for `then` and `else` too.
_KEPT = (
    *("not", "if", "contains", "propertyNames", "dependentRequired", "dependentSchemas", "dependencies"),
    *("unevaluatedItems", "contentSchema"),
)
_LEAST = ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties")
_MOST = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties")
_ASSERTING = keywords_of_role("assertion", "applicator", "reference").union(_KEPT) - {
    "allOf",  # its members and what `$ref` leads to are subschemas of the conjunction themselves
    "$ref",
    "contentEncoding",
    "contentMediaType",
}


class Subschemas(Struct, frozen=True):
    """Subschemas that all apply to one value, by location. chosen: the `anyOf` and `oneOf` of which a branch is among
    them."""

    locations: tuple[str, ...]
    chosen: frozenset[str] = frozenset()

    def also(self, branch: str, chosen: str) -> Subschemas:
        """With one branch of an `anyOf` or `oneOf`."""
        return Subschemas((*self.locations, branch), self.chosen | {chosen})


class Alternatives(Struct, frozen=True):
    """An `anyOf` or `oneOf`: its own location, and those of its branches."""

    location: str
    branches: tuple[str, ...]


class Conjunction(Struct):
    """What subschemas say together.

    asserting: the locations that say anything of the value, by which a conjunction is known again.
    stated: `type` is among the keywords: the kinds are not inferred.
    parts: for each subschema that speaks of objects its properties, its additionalProperties (a location or a
        boolean; None where it has none), and whether it has patternProperties.
    kept: keywords that types do not carry.
    """

    subschemas: Subschemas = Subschemas(())
    asserting: tuple[str, ...] = ()
    kinds: frozenset[str] = frozenset(KINDS)
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
    alternatives: list[Alternatives] = []
    kept: dict[str, None] = {}

    @property
    def key(self) -> tuple[object, ...]:
        """The same for the same subschemas, wherever they are read."""
        return (self.asserting, self.subschemas.chosen)

    @property
    def closed(self) -> bool:
        """No property is allowed but those that are named."""
        return not self.patterned and (self.sealed or any(others is False for _, others, _ in self.parts))

    def names(self) -> list[str]:
        """The properties that are known and allowed: the required ones first, each by its name."""
        known = {name for properties, _, _ in self.parts for name in properties} | self.required
        for properties, others, patterned in self.parts:
            if others is False and not patterned:
                known &= properties.keys()
        return sorted(known, key=lambda name: (name not in self.required, name))

    def property(self, name: str) -> Subschemas:
        """The subschemas that apply to a property: by its name, or as one of the others."""
        found: list[str] = []
        for properties, others, patterned in self.parts:
            if name in properties:
                found.append(properties[name])
            elif isinstance(others, str) and not patterned:
                found.append(others)
        return Subschemas(tuple(found))

    def lengths(self, of: str) -> Bounds:
        """`minItems` and the like as `Meta` takes them: integers that fit. A least length of 0 says nothing.

        of: "Length", "Items" or "Properties".
        """
        found = [(end, self.bounds.get(f"{end}{of}")) for end in ("min", "max")]
        whole = [(f"{end}_length", int(v)) for end, v in found if v is not None and abs(v) < 2**31]
        return tuple(bound for bound in whole if bound != ("min_length", 0))


def conjunction_of(schema: Schema, subschemas: Subschemas) -> Conjunction:
    """Everything that these subschemas say together."""
    joint = Conjunction(subschemas)
    asserting: set[str] = set()
    for node in _members(schema, subschemas):
        document = node.schema
        if document is False:
            joint.impossible = True
            asserting.add(node.location)
        elif is_dict(document):
            _annotate(joint, document, node)
            if not _is_hidden(node):
                if not _ASSERTING.isdisjoint(document):
                    asserting.add(node.location)
                _Merger(joint, node).merge()
    joint.asserting = tuple(sorted(asserting))
    if not joint.stated:
        _infer(joint)
    return joint


def _is_hidden(node: SchemaNode) -> bool:
    """A `$ref` hides the keywords beside it, before 2019-09."""
    return "$ref" in node.schema and node.dialect.ref_hides_siblings


def _members(schema: Schema, subschemas: Subschemas) -> Iterator[SchemaNode]:
    """The subschemas with their references and `allOf` followed, each once."""
    seen: set[str] = set()
    queue = list(reversed(subschemas.locations))
    while queue:
        location = queue.pop()
        if location in seen:
            continue
        seen.add(location)
        node = schema.node(location)
        yield node
        if not is_dict(node.schema):
            continue
        following = [node.references["$ref"]] if "$ref" in node.references else []
        if not _is_hidden(node):
            following += [node.location_of("allOf", i) for i in range(len(node.schema.get("allOf", ())))]
        queue.extend(reversed(following))


def _annotate(joint: Conjunction, document: dict[str, Any], node: SchemaNode) -> None:
    """Annotations: of several titles and descriptions the first counts, which is the one nearest to the use."""
    for name in ("title", "description"):
        said = document.get(name)
        if isinstance(said, str) and said.strip() and not getattr(joint, name):
            setattr(joint, name, said)
    if "default" in document and not joint.default:
        joint.default = (document["default"],)
    joint.deprecated = joint.deprecated or document.get("deprecated") is True
    steps = node.location.split("/")
    if len(steps) == 3 and steps[1] in ("$defs", "definitions") and not joint.definition:
        joint.definition = unescape(steps[2])
    if "$ref" in document and "$ref" not in node.references:
        joint.opaque = joint.opaque or "a reference to a metaschema"
    if "$dynamicRef" in document or "$recursiveRef" in document:
        joint.opaque = joint.opaque or "a dynamic reference"


def _infer(joint: Conjunction) -> None:
    """Without `type`, take keywords of one kind to mean values of that kind. JSON Schema does not say so; authors do."""
    guessed: set[str] = set()
    if joint.parts or joint.required or joint.patterned:
        guessed.add("object")
    if joint.items or joint.prefixes or joint.unique or {"minItems", "maxItems"} & joint.bounds.keys():
        guessed.add("array")
    if joint.pattern or joint.format or {"minLength", "maxLength"} & joint.bounds.keys():
        guessed.add("string")
    if {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"} & joint.bounds.keys():
        guessed |= {"integer", "number"}
    if guessed:
        joint.kinds = frozenset(guessed)


class _Merger:
    """Adds what one subschema says."""

    def __init__(self, joint: Conjunction, node: SchemaNode) -> None:
        self.joint = joint
        self.node = node
        self.document: dict[str, Any] = node.schema

    def merge(self) -> None:
        self.merge_values()
        self.merge_objects()
        self.merge_arrays()
        self.merge_bounds()
        for keyword in _KEPT:
            if keyword in self.document and self.document[keyword] not in (True, {}, {"type": "string"}):
                self.joint.kept["if/then/else" if keyword == "if" else keyword] = None
        for keyword in ("anyOf", "oneOf"):
            location = self.node.location_of(keyword)
            branches = self.document.get(keyword)
            if branches and location not in self.joint.subschemas.chosen:
                found = tuple(self.node.location_of(keyword, i) for i in range(len(branches)))
                self.joint.alternatives.append(Alternatives(location, found))

    def merge_values(self) -> None:
        joint, document = self.joint, self.document
        if "type" in document:
            stated = document["type"]
            kinds = {stated} if isinstance(stated, str) else set(stated)
            joint.kinds &= kinds | ({"integer"} if "number" in kinds else set())
            joint.stated = True
            joint.impossible = joint.impossible or not joint.kinds
        for values in ([document["const"]] if "const" in document else None, document.get("enum")):
            if values is not None:
                held = values if joint.values is None else [v for v in joint.values if _is_among(v, values)]
                joint.values = held
                joint.impossible = joint.impossible or not held

    def merge_objects(self) -> None:
        joint, document, node = self.joint, self.document, self.node
        joint.required |= {name for name in document.get("required", ()) if isinstance(name, str)}
        for pattern in sorted(document.get("patternProperties", ())):
            joint.patterned.append(node.location_of("patternProperties", pattern))
        joint.sealed = joint.sealed or document.get("unevaluatedProperties") is False
        others = document.get("additionalProperties")
        if others is not None or "properties" in document:
            known = {name: node.location_of("properties", name) for name in document.get("properties", {})}
            if is_dict(others):
                others = node.location_of("additionalProperties")
            joint.parts.append((known, others, bool(document.get("patternProperties"))))

    def merge_arrays(self) -> None:
        joint, document, node = self.joint, self.document, self.node
        joint.unique = joint.unique or document.get("uniqueItems") is True
        items = document.get("items")
        rest: Any = items
        rest_at = "items"
        prefix = document.get("prefixItems") if node.dialect.name == "2020-12" else items
        if is_list(prefix):
            keyword = "prefixItems" if prefix is not items else "items"
            joint.prefixes.append(tuple(node.location_of(keyword, i) for i in range(len(prefix))))
            if keyword == "items":
                rest, rest_at = document.get("additionalItems"), "additionalItems"
        if rest is False:
            joint.ended = True
        elif is_dict(rest):
            joint.items.append(node.location_of(rest_at))

    def merge_bounds(self) -> None:
        joint, document = self.joint, self.document
        for keyword in _LEAST:
            self.bound(keyword, max)
        for keyword in _MOST:
            self.bound(keyword, min)
        step = document.get("multipleOf")
        if isinstance(step, (int, float)) and joint.bounds.setdefault("multipleOf", step) != step:
            joint.kept["multipleOf"] = None
        for keyword in ("pattern", "format"):
            said, known = document.get(keyword), getattr(joint, keyword)
            if isinstance(said, str) and known in ("", said):
                setattr(joint, keyword, said)
            elif isinstance(said, str):
                joint.kept[keyword] = None

    def bound(self, keyword: str, stricter: Any) -> None:
        said = self.document.get(keyword)
        if isinstance(said, bool):  # draft-04: a flag that makes the bound beside it exclusive
            beside = self.document.get(keyword.removeprefix("exclusive").lower())
            said = beside if said else None
        if isinstance(said, (int, float)):
            known = self.joint.bounds.get(keyword)
            self.joint.bounds[keyword] = said if known is None else stricter(known, said)


def _is_among(value: Any, values: list[Any]) -> bool:
    """JSON equality: true is not 1, 1 is 1.0."""
    return any(value == v and isinstance(value, bool) == isinstance(v, bool) for v in values)
