"""The dialects of JSON Schema that are supported, each as one frozen value made from the table of keywords."""

from __future__ import annotations

import re
from collections.abc import Mapping

from msgspec import Struct

from typedtool.schemas.keywords import TABLE, Role, SchemaPositions

__all__ = ["DEFAULT_DIALECT", "DIALECTS", "Dialect", "is_metaschema", "known_dialect"]


class Dialect(Struct, frozen=True):
    """One dialect of JSON Schema. `name` is the short one; `uri` the one that its metaschema has.

    subschemas: where each keyword holds schemas.
    references, anchors: the keywords that lead to a schema, and those that name one.
    """

    name: str
    uri: str
    subschemas: Mapping[str, SchemaPositions]
    references: tuple[str, ...]
    anchors: tuple[str, ...]
    id_keyword: str
    ref_hides_siblings: bool
    """Up to draft-07 nothing beside a `$ref` counts (draft-07 core, 8.3)."""

    def __repr__(self) -> str:
        return f"Dialect({self.name})"


def _dialect(name: str, uri: str, ref_hides_siblings: bool = True) -> Dialect:
    def names(role: Role) -> tuple[str, ...]:
        return tuple(keyword.name for keyword in TABLE if keyword.role == role and keyword.known_in(name))

    subschemas = {
        keyword.name: keyword.subschemas
        for keyword in TABLE
        if keyword.subschemas is not None and keyword.described_in(name)
    }
    id_keyword = "id" if name == "draft-04" else "$id"
    return Dialect(name, uri, subschemas, names("reference"), names("anchor"), id_keyword, ref_hides_siblings)


DEFAULT_DIALECT = _dialect("2020-12", "https://json-schema.org/draft/2020-12/schema", False)
"""What a schema is that declares no dialect (MCP 2026-07-28, "JSON Schema usage")."""

DIALECTS: tuple[Dialect, ...] = (
    DEFAULT_DIALECT,
    _dialect("2019-09", "https://json-schema.org/draft/2019-09/schema", False),
    _dialect("draft-07", "http://json-schema.org/draft-07/schema#"),
    _dialect("draft-06", "http://json-schema.org/draft-06/schema#"),
    _dialect("draft-04", "http://json-schema.org/draft-04/schema#"),
)

_SCHEME = re.compile(r"\Ahttps?://(?:www\.)?", re.IGNORECASE)


def _spelled(uri: str) -> str:
    """A dialect's URI without the parts whose spelling varies: the scheme, `www.`, an empty fragment."""
    return _SCHEME.sub("", uri.strip()).removesuffix("#")


_BY_SPELLING = {_spelled(dialect.uri): dialect for dialect in DIALECTS}


def known_dialect(uri: str) -> Dialect | None:
    """The dialect that a `$schema` names in any usual spelling (http or https, with or without `#`), else None.

    Example:
        >>> known_dialect("https://json-schema.org/draft-07/schema")
        Dialect(draft-07)
    """
    return _BY_SPELLING.get(_spelled(uri))


def is_metaschema(uri: str, dialect: Dialect) -> bool:
    """Whether `uri` (without fragment) is the metaschema of the dialect or a part of it: engines carry these."""
    whole = dialect.uri.removesuffix("#")
    if uri == whole:
        return True
    base, _, vocabulary = uri.rpartition("/")
    return base == whole.removesuffix("/schema") + "/meta" and vocabulary in _VOCABULARIES


_FORMAT = {"format", "format-annotation", "format-assertion"}
_VOCABULARIES = {"core", "applicator", "unevaluated", "validation", "meta-data", "content", *_FORMAT}
