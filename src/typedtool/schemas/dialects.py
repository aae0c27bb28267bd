"""The dialects of JSON Schema that are supported, each as one frozen value: where its schemas are, what its
ids are.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

__all__ = ["DEFAULT_DIALECT", "DIALECTS", "Dialect", "Place", "is_metaschema", "known_dialect"]


class Place(Struct, frozen=True):
    """Where a keyword holds schemas.

    shape: `one` schema, a `list` of them, a `map` of them, `one-or-list`, or a `map-or-names`
        (`dependencies`).
    where: what they judge: the `same` value, its items or properties by name or position (`named`: each
        judges another one of them), or `each` of them; `nothing` where they are only kept to be referred to.
    """

    shape: Literal["one", "list", "map", "one-or-list", "map-or-names"]
    where: Literal["same", "named", "each", "nothing"]


class Dialect(Struct, frozen=True):
    """One dialect of JSON Schema. `name` is the short one; `uri` the one that its metaschema has."""

    name: str
    uri: str
    places: Mapping[str, Place]
    references: tuple[str, ...]
    anchors: tuple[str, ...]
    id_keyword: str
    ref_hides_siblings: bool
    """Up to draft-07 nothing beside a `$ref` counts (draft-07 core, 8.3)."""

    def __repr__(self) -> str:
        return f"Dialect({self.name})"


_SAME, _NAMED = Place("one", "same"), Place("map", "named")
_EACH, _KEPT = Place("one", "each"), Place("map", "nothing")

_DRAFT_04 = {
    "allOf": Place("list", "same"),
    "anyOf": Place("list", "same"),
    "oneOf": Place("list", "same"),
    "not": _SAME,
    "dependencies": Place("map-or-names", "same"),
    "properties": _NAMED,
    "patternProperties": Place("map", "each"),
    "additionalProperties": _EACH,
    "items": Place("one-or-list", "each"),
    "additionalItems": _EACH,
    "definitions": _KEPT,
}
_DRAFT_06 = {**_DRAFT_04, "contains": _EACH, "propertyNames": _EACH}
_DRAFT_07 = {**_DRAFT_06, "if": _SAME, "then": _SAME, "else": _SAME}
_DRAFT_2019 = {
    **_DRAFT_07,
    "dependentSchemas": Place("map", "same"),
    "unevaluatedItems": _EACH,
    "unevaluatedProperties": _EACH,
    "$defs": _KEPT,
    "contentSchema": Place("one", "nothing"),
}
_DRAFT_2020 = {k: v for k, v in _DRAFT_2019.items() if k != "additionalItems"} | {
    "prefixItems": Place("list", "named"),
    "items": _EACH,
}

DEFAULT_DIALECT = Dialect(
    "2020-12",
    "https://json-schema.org/draft/2020-12/schema",
    _DRAFT_2020,
    ("$ref", "$dynamicRef"),
    ("$anchor", "$dynamicAnchor"),
    "$id",
    False,
)
"""What a schema is that declares no dialect (MCP 2026-07-28, "JSON Schema usage")."""

DIALECTS: tuple[Dialect, ...] = (
    DEFAULT_DIALECT,
    Dialect(
        "2019-09",
        "https://json-schema.org/draft/2019-09/schema",
        _DRAFT_2019,
        ("$ref", "$recursiveRef"),
        ("$anchor",),
        "$id",
        False,
    ),
    Dialect("draft-07", "http://json-schema.org/draft-07/schema#", _DRAFT_07, ("$ref",), (), "$id", True),
    Dialect("draft-06", "http://json-schema.org/draft-06/schema#", _DRAFT_06, ("$ref",), (), "$id", True),
    Dialect("draft-04", "http://json-schema.org/draft-04/schema#", _DRAFT_04, ("$ref",), (), "id", True),
)

_SCHEME = re.compile(r"\Ahttps?://(?:www\.)?", re.IGNORECASE)


def _spelled(uri: str) -> str:
    """A dialect's URI without what people vary: the scheme, `www.`, the empty fragment."""
    return _SCHEME.sub("", uri.strip()).removesuffix("#")


_BY_SPELLING = {_spelled(dialect.uri): dialect for dialect in DIALECTS}


def known_dialect(uri: str) -> Dialect | None:
    """The dialect that a `$schema` names, in any usual spelling (http or https, with or without `#`); else
    None.

    Example:
        >>> known_dialect("https://json-schema.org/draft-07/schema")
        Dialect(draft-07)
    """
    return _BY_SPELLING.get(_spelled(uri))


def is_metaschema(uri: str, dialect: Dialect) -> bool:
    """Whether `uri` (without fragment) is the dialect's metaschema or a part of it, which every engine
    carries.
    """
    whole = dialect.uri.removesuffix("#")
    if uri == whole:
        return True
    base, _, vocabulary = uri.rpartition("/")
    return base == whole.removesuffix("/schema") + "/meta" and vocabulary in _VOCABULARIES


_VOCABULARIES = frozenset(
    [
        "core",
        "applicator",
        "unevaluated",
        "validation",
        "meta-data",
        "format-annotation",
        "format-assertion",
        "format",
        "content",
    ]
)
