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


# --- words and costs ---------------------------------------------------------------------------------------------


def _kinds(types: Any) -> str:
    return types if isinstance(types, str) else " or ".join(map(str, types))


def _enumerated(values: Sequence[Any]) -> str:
    return listed(values) if values else "no value"


def _alternatives(schemas: Sized) -> str:
    return f"one of {len(schemas)} alternatives"


def _exactly_one(schemas: Sized) -> str:
    return f"exactly {_alternatives(schemas)}"


def _always(words: str) -> Callable[[Any], str]:
    return lambda held: words


def _of_name(words: str) -> Callable[[Any], str]:
    return lambda name: f"a string {words} {named(name, 40)}"


def _of_count(words: str) -> Callable[[Any], str]:
    return lambda count: f"{words} {counted(count, 'item')} that contains allows"


def _length(held: Any) -> int:
    return len(held) if is_dict(held) or is_list(held) else 0


def _values(held: Any) -> int:
    return sum(1 for _ in parts(held))


# --- the table ---------------------------------------------------------------------------------------------------

_ONE, _LIST, _MAP = (
    SchemaPositions("one", "same"),
    SchemaPositions("list", "same"),
    SchemaPositions("map", "same"),
)
_EACH, _EACH_OF_MAP = SchemaPositions("one", "each"), SchemaPositions("map", "each")
_BY_NAME, _BY_PLACE = SchemaPositions("map", "named"), SchemaPositions("list", "named")
_KEPT, _MAP_KEPT = SchemaPositions("one", "nothing"), SchemaPositions("map", "nothing")
_ITEMS_07, _DEPENDENCIES = SchemaPositions("one-or-list", "each"), SchemaPositions("map-or-names", "same")

_assertion, _annotation = partial(Keyword, role="assertion"), partial(Keyword, role="annotation")


def _applicator(name: str, kind: Kind, subschemas: SchemaPositions, **more: Any) -> Keyword:
    return Keyword(name, "applicator", kind, subschemas=subschemas, **more)


def _bound(name: str, kind: Kind, group: str = "") -> Keyword:
    return Keyword(name, "assertion", kind, group=group, words=partial(limit, name))


TABLE: tuple[Keyword, ...] = (
    Keyword("id", "identifier", until=4),
    Keyword("$id", "identifier", since=6),
    Keyword("$recursiveAnchor", "identifier", since=19, until=19),
    Keyword("$anchor", "anchor", since=19),
    Keyword("$dynamicAnchor", "anchor", since=20),
    Keyword("$ref", "reference"),
    Keyword("$dynamicRef", "reference", since=20),
    Keyword("$recursiveRef", "reference", since=19, until=19),
    Keyword("definitions", "definitions", until=7, lasts=True, subschemas=_MAP_KEPT),
    Keyword("$defs", "definitions", since=19, subschemas=_MAP_KEPT),
    # any value
    _assertion("type", words=_kinds),
    _assertion("enum", words=_enumerated, cost=_values),
    _assertion("const", since=6, words=lambda value: listed([value]), cost=_values),
    _assertion("format", words=_of_name("of format")),
    _applicator("allOf", "any", _LIST),
    _applicator("anyOf", "any", _LIST, words=_alternatives),
    _applicator("oneOf", "any", _LIST, words=_exactly_one, inverts=True),
    _applicator("not", "any", _ONE, words=_always("a value that the schema of not refuses"), inverts=True),
    _applicator("if", "any", _ONE, since=7, group="if", inverts=True),
    _applicator("then", "any", _ONE, since=7, group="if"),
    _applicator("else", "any", _ONE, since=7, group="if"),
    # objects
    _assertion("required", kind="object", cost=_length),
    _assertion("dependentRequired", kind="object", since=19, cost=_length),
    _bound("minProperties", "object"),
    _bound("maxProperties", "object"),
    _applicator("properties", "object", _BY_NAME, cost=_length),
    _applicator("patternProperties", "object", _EACH_OF_MAP),
    _applicator("additionalProperties", "object", _EACH),
    _applicator("propertyNames", "object", _EACH, since=6),
    _applicator("unevaluatedProperties", "object", _EACH, since=19, repeats=2),
    _applicator("dependentSchemas", "object", _MAP, since=19, cost=_length),
    _applicator("dependencies", "object", _DEPENDENCIES, until=7, lasts=True, cost=_length),
    # arrays
    _bound("minItems", "array"),
    _bound("maxItems", "array"),
    # each item is hashed and kept
    _assertion(
        "uniqueItems",
        kind="array",
        words=_always("items that differ"),
        inverts=True,
        cost=lambda held: 80 if held is True else 0,
    ),
    _applicator("prefixItems", "array", _BY_PLACE, since=20, group="items"),
    _applicator("items", "array", _ITEMS_07, until=19, group="items"),
    _applicator("items", "array", _EACH, since=20, group="items"),
    _applicator("additionalItems", "array", _EACH, until=19, group="items"),
    _applicator("unevaluatedItems", "array", _EACH, since=19, repeats=2),
    _applicator(
        "contains",
        "array",
        _EACH,
        since=6,
        group="contains",
        words=_always("an item that contains allows"),
        inverts=True,
    ),
    _assertion("minContains", kind="array", since=19, group="contains", words=_of_count("at least")),
    _assertion("maxContains", kind="array", since=19, group="contains", words=_of_count("at most")),
    # numbers
    _bound("minimum", "number", "minimum"),
    _bound("exclusiveMinimum", "number", "minimum"),
    _bound("maximum", "number", "maximum"),
    _bound("exclusiveMaximum", "number", "maximum"),
    # exactly, not as floats
    _assertion(
        "multipleOf", kind="number", words=partial(limit, "multipleOf"), inverts=True, cost=lambda _: 200
    ),
    # strings
    _bound("minLength", "string"),
    _bound("maxLength", "string"),
    _bound("pattern", "string"),
    _assertion("contentEncoding", kind="string", since=7, words=_of_name("in")),
    _assertion("contentMediaType", kind="string", since=7, words=_of_name("of")),
    Keyword("contentSchema", "annotation", "string", since=19, subschemas=_KEPT),
    # for people and for tools
    *map(_annotation, ("$schema", "title", "description", "default")),
    _annotation("examples", since=6),
    *(_annotation(name, since=7) for name in ("$comment", "readOnly", "writeOnly")),
    _annotation("deprecated", since=19),
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
