"""JSON Schema's keywords, one table for every room: dialects, subschemas, kinds of value, words.

A new keyword is a line here, its rule in `engines.rules`, and its meaning in `compatibility.proof.schemaforms`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Sized
from functools import partial
from typing import Any, Literal

from msgspec import Struct

from typedtool.errors import cut, named
from typedtool.values.guards import is_dict, is_list
from typedtool.values.walking import parts
from typedtool.values.wording import counted, limit, listed

__all__ = [
    "AGES",
    "HOLDERS",
    "KEYWORDS",
    "TABLE",
    "Keyword",
    "SchemaPositions",
    "expected",
    "keywords_of_kind",
]

AGES = {"draft-04": 4, "draft-06": 6, "draft-07": 7, "2019-09": 19, "2020-12": 20}
"""The dialects by name, numbered in their order."""

Role = Literal["identifier", "reference", "anchor", "definitions", "assertion", "applicator", "annotation"]
Kind = Literal["object", "array", "string", "number", "any"]


class SchemaPositions(Struct, frozen=True):
    """Where a keyword holds schemas.

    shape: `one` schema, a `list` of them, a `map` of them, `one-or-list`, or a `map-or-names` (`dependencies`).
    where: the values that they apply to: the `same` value, one item or property each (`named`), `each` item or
        property, or `nothing` where they are only kept for references.
    """

    shape: Literal["one", "list", "map", "one-or-list", "map-or-names"]
    where: Literal["same", "named", "each", "nothing"]


class Keyword(Struct, frozen=True):
    """One keyword of JSON Schema, in the dialects from `since` to `until`.

    kind: the kind of value that it applies to; every other kind is valid under it.
    subschemas: where it holds schemas, None where it holds none.
    lasts: later metaschemas still describe it, so that its schemas are read there too.
    group: names the keywords that are read together.
    words: what it expects of a value, by its own value.
    inverts: a value may be valid because a subschema refuses or two values differ: an engine must not meet a NaN.
    cost: its own work in eighths of an evaluation; repeats: how often it evaluates the subschemas in place again.
    """

    name: str
    role: Role
    kind: Kind = "any"
    since: int = 4
    until: int = 20
    subschemas: SchemaPositions | None = None
    lasts: bool = False
    group: str = ""
    words: Callable[[Any], str] | None = None
    inverts: bool = False
    cost: Callable[[Any], int] | None = None
    repeats: int = 0

    def known_in(self, dialect: str) -> bool:
        """Whether the dialect of this name defines the keyword."""
        return self.since <= AGES[dialect] <= self.until

    def described_in(self, dialect: str) -> bool:
        """Whether the metaschema of the dialect of this name describes the keyword."""
        return self.since <= AGES[dialect] and (self.lasts or AGES[dialect] <= self.until)


def _kinds(types: Any) -> str:
    return types if isinstance(types, str) else " or ".join(map(str, types))


def _alternatives(schemas: Sized) -> str:
    return f"one of {len(schemas)} alternatives"


def _enumerated(values: Sequence[Any]) -> str:
    return listed(values) if values else "no value"


def _length(held: Any) -> int:
    return len(held) if is_dict(held) or is_list(held) else 0


def _values(held: Any) -> int:
    return sum(1 for _ in parts(held))


_ONE_SAME, _LIST_SAME = SchemaPositions("one", "same"), SchemaPositions("list", "same")
_ONE_EACH, _ONE_KEPT = SchemaPositions("one", "each"), SchemaPositions("one", "nothing")
_MAP_NAMED, _MAP_KEPT = SchemaPositions("map", "named"), SchemaPositions("map", "nothing")


def _bound(name: str, kind: Kind, since: int = 4, group: str = "") -> Keyword:
    return Keyword(name, "assertion", kind, since, group=group, words=partial(limit, name))


TABLE: tuple[Keyword, ...] = (
    Keyword("$schema", "annotation"),
    Keyword("id", "identifier", until=4),
    Keyword("$id", "identifier", since=6),
    Keyword("$anchor", "anchor", since=19),
    Keyword("$dynamicAnchor", "anchor", since=20),
    Keyword("$recursiveAnchor", "identifier", since=19, until=19),
    Keyword("$ref", "reference"),
    Keyword("$dynamicRef", "reference", since=20),
    Keyword("$recursiveRef", "reference", since=19, until=19),
    Keyword("definitions", "definitions", subschemas=_MAP_KEPT, until=7, lasts=True),
    Keyword("$defs", "definitions", since=19, subschemas=_MAP_KEPT),
    # any value
    Keyword("type", "assertion", words=_kinds),
    Keyword("enum", "assertion", words=_enumerated, cost=_values),
    Keyword("const", "assertion", since=6, words=lambda value: listed([value]), cost=_values),
    Keyword("allOf", "applicator", subschemas=_LIST_SAME),
    Keyword("anyOf", "applicator", subschemas=_LIST_SAME, words=_alternatives),
    Keyword(
        "oneOf",
        "applicator",
        subschemas=_LIST_SAME,
        words=lambda schemas: f"exactly {_alternatives(schemas)}",
        inverts=True,
    ),
    Keyword(
        "not",
        "applicator",
        subschemas=_ONE_SAME,
        words=lambda _: "a value that the schema of not refuses",
        inverts=True,
    ),
    Keyword("if", "applicator", since=7, subschemas=_ONE_SAME, group="if", inverts=True),
    Keyword("then", "applicator", since=7, subschemas=_ONE_SAME, group="if"),
    Keyword("else", "applicator", since=7, subschemas=_ONE_SAME, group="if"),
    # objects
    Keyword("required", "assertion", "object", cost=_length),
    Keyword("properties", "applicator", "object", subschemas=_MAP_NAMED, cost=_length),
    Keyword("patternProperties", "applicator", "object", subschemas=SchemaPositions("map", "each")),
    Keyword("additionalProperties", "applicator", "object", subschemas=_ONE_EACH),
    Keyword("propertyNames", "applicator", "object", since=6, subschemas=_ONE_EACH),
    Keyword("unevaluatedProperties", "applicator", "object", since=19, subschemas=_ONE_EACH, repeats=2),
    _bound("minProperties", "object"),
    _bound("maxProperties", "object"),
    Keyword("dependentRequired", "assertion", "object", since=19, cost=_length),
    Keyword(
        "dependentSchemas",
        "applicator",
        "object",
        since=19,
        subschemas=SchemaPositions("map", "same"),
        cost=_length,
    ),
    Keyword(
        "dependencies",
        "applicator",
        "object",
        until=7,
        lasts=True,
        subschemas=SchemaPositions("map-or-names", "same"),
        cost=_length,
    ),
    # arrays
    Keyword(
        "prefixItems",
        "applicator",
        "array",
        since=20,
        subschemas=SchemaPositions("list", "named"),
        group="items",
    ),
    Keyword(
        "items",
        "applicator",
        "array",
        until=19,
        subschemas=SchemaPositions("one-or-list", "each"),
        group="items",
    ),
    Keyword("items", "applicator", "array", since=20, subschemas=_ONE_EACH, group="items"),
    Keyword("additionalItems", "applicator", "array", until=19, subschemas=_ONE_EACH, group="items"),
    Keyword("unevaluatedItems", "applicator", "array", since=19, subschemas=_ONE_EACH, repeats=2),
    Keyword(
        "contains",
        "applicator",
        "array",
        since=6,
        subschemas=_ONE_EACH,
        group="contains",
        words=lambda _: "an item that contains allows",
        inverts=True,
    ),
    Keyword(
        "minContains",
        "assertion",
        "array",
        since=19,
        group="contains",
        words=lambda least: f"at least {counted(least, 'item')} that contains allows",
    ),
    Keyword(
        "maxContains",
        "assertion",
        "array",
        since=19,
        group="contains",
        words=lambda most: f"at most {counted(most, 'item')} that contains allows",
    ),
    _bound("minItems", "array"),
    _bound("maxItems", "array"),
    Keyword(
        "uniqueItems",
        "assertion",
        "array",
        words=lambda _: "items that differ",
        inverts=True,
        cost=lambda held: 80 if held is True else 0,  # each item is hashed and kept
    ),
    # numbers
    _bound("minimum", "number", group="minimum"),
    _bound("exclusiveMinimum", "number", group="minimum"),
    _bound("maximum", "number", group="maximum"),
    _bound("exclusiveMaximum", "number", group="maximum"),
    Keyword(
        "multipleOf",
        "assertion",
        "number",
        words=partial(limit, "multipleOf"),
        inverts=True,
        cost=lambda _: 200,  # exactly, not as floats
    ),
    # strings
    _bound("minLength", "string"),
    _bound("maxLength", "string"),
    _bound("pattern", "string"),
    Keyword("format", "assertion", words=lambda name: f"a string of format {named(name, 40)}"),
    Keyword(
        "contentEncoding", "assertion", "string", since=7, words=lambda name: f"a string in {named(name, 40)}"
    ),
    Keyword(
        "contentMediaType",
        "assertion",
        "string",
        since=7,
        words=lambda name: f"a string of {named(name, 40)}",
    ),
    Keyword("contentSchema", "annotation", "string", since=19, subschemas=_ONE_KEPT),
    # for people
    Keyword("title", "annotation"),
    Keyword("description", "annotation"),
    Keyword("default", "annotation"),
    Keyword("examples", "annotation", since=6),
    Keyword("$comment", "annotation", since=7),
    Keyword("readOnly", "annotation", since=7),
    Keyword("writeOnly", "annotation", since=7),
    Keyword("deprecated", "annotation", since=19),
)

KEYWORDS: dict[str, Keyword] = {keyword.name: keyword for keyword in TABLE}
"""The keywords by name, each as the last dialect has it."""

HOLDERS = frozenset(
    keyword.name for keyword in TABLE if keyword.role == "applicator" and keyword.name not in ("not", "if")
) | {"$ref"}
"""The keywords whose schema may be False: then they are what refuses."""


DEFINED: dict[str, frozenset[str]] = {
    dialect: frozenset(keyword.name for keyword in TABLE if keyword.known_in(dialect)) for dialect in AGES
}
"""The keywords that each dialect defines, by the name of the dialect."""


def keywords_of_role(*roles: Role) -> frozenset[str]:
    """The keywords of some roles, in any dialect."""
    return frozenset(keyword.name for keyword in TABLE if keyword.role in roles)


def group_of(keyword: str) -> frozenset[str]:
    """The keywords that one is read together with, itself included."""
    known = KEYWORDS.get(keyword)
    if known is None or not known.group:
        return frozenset([keyword])
    return frozenset(other.name for other in TABLE if other.group == known.group)


def keywords_of_kind(kind: Kind) -> frozenset[str]:
    """The keywords that apply to values of one kind."""
    return frozenset(keyword.name for keyword in TABLE if keyword.kind == kind)


def expected(keyword: str, held: Any) -> str:
    """What `keyword` with the value `held` in a schema expects of a value. `held` is foreign."""
    known = KEYWORDS.get(keyword)
    try:
        if known is not None and known.words is not None:
            return cut(known.words(held), 160)
    except (TypeError, ValueError, KeyError):
        pass
    return f"what {keyword} allows"
