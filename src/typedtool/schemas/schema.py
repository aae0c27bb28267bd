"""Schemas that are safe to use: `parse_schema(schema) -> Schema`, `Schema.validate(value) -> problems`.

A server's schema is foreign code. What is admitted here is of a known dialect, whole, closed (every reference
leads to something within it), and bounded in what it can cost. What was decided about odd things is in
`Schema.warnings`:

- `nullable` (OpenAPI) is no keyword of JSON Schema: it allows nothing, and null is refused where `type`
  refuses it.
- A boolean is a schema; so is an object without `type` or `$ref`. Keywords that no dialect knows are
  annotations.
- A property may be called `type`, `$ref` or anything else: what `properties` holds is never read as keywords.
- `items: [...]` in 2020-12 is invalid (it is `prefixItems` there), not quietly draft-07.
- `discriminator` (OpenAPI) is an annotation, wherever its mapping points.
- In patterns, Python's `(?P<name>...)` and the leniencies of ECMA-262's Annex B are understood.
- `format` is an annotation, unless `assert_formats=True`.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping
from functools import partial
from typing import Any, Protocol

import msgspec
from msgspec import Struct

from typedtool.errors import BudgetExceeded, InvalidSchema, Problem, kind_of, named
from typedtool.schemas.admission import Admitted, SchemaNode, admit, dialect_of
from typedtool.schemas.dialects import DEFAULT_DIALECT
from typedtool.schemas.validation import Validator, prepared
from typedtool.values.budgets import DEFAULT_BUDGET, Budget
from typedtool.values.guards import is_dict
from typedtool.values.locations import json_pointer, path_steps
from typedtool.values.walking import NotJsonValue, copied

__all__ = ["Fetch", "Schema", "SchemaNode", "parse_schema"]

_KEPT = 512


class Fetch(Protocol):
    """What fetches documents for `parse_schema(fetch=...)`: `typedtool.schemas.fetching.AllowHosts` is one."""

    def fetch(self, uri: str) -> Any:
        """The JSON document at `uri`, without fragment. Raises `UnsafeSchema` where it may not be fetched."""
        ...


class Schema(Struct, frozen=True, eq=False):
    """A JSON Schema that was admitted, ready to judge values, in any thread.

    document: the schema; a copy of what was given, so that later changes to that change nothing. Never write
        it.
    dialect: "2020-12", "2019-09", "draft-07", "draft-06" or "draft-04".
    warnings: what was decided about odd things in it, a sentence each.
    budget, assert_formats, documents: the options it was parsed with, and what was fetched for it.
    key: its content and options, by which it is compared, hashed and kept; never its `$id`.
    admitted, validator: how it works. They may change; `node`, `validate` and `is_valid` will not.

    It pickles and copies as what it was parsed from.

    Example:
        >>> schema = parse_schema({"type": "array", "items": {"type": "integer"}})
        >>> print(*schema.validate([1, "2"]))
        expected integer, received string at $[1]
    """

    document: Any
    dialect: str
    warnings: tuple[str, ...]
    budget: Budget
    assert_formats: bool
    key: tuple[Any, ...]
    documents: Mapping[str, Any]
    admitted: Admitted
    validator: Validator

    def validate(self, value: object) -> tuple[Problem, ...]:
        """What the schema says against a JSON value; nothing where it is valid. At most `budget.problems`.

        A NaN, a lone surrogate or a Python object where the schema looks is a problem of the code "json"
        (that a string is one is seen without a look at its text). The value as a whole is walked only where
        the schema makes that necessary (it recurses, has patterns, judges numbers without a type, ...): what
        parses JSON should refuse what is none.

        Raises `BudgetExceeded` where the value is larger or deeper than the budget allows, or takes longer.
        """
        return self.validator.problems(value)

    def is_valid(self, value: object) -> bool:
        """Whether `validate` would find nothing. Cheaper where it would. Raises `BudgetExceeded`."""
        return self.validator.is_valid(value)

    def node(self, location: str = "#") -> SchemaNode:
        """The schema at a location (`#` and a JSON Pointer): with its dialect, and where its references lead.

        Raises `KeyError` where there is none. Every schema of the document has one; those that a `$ref` hides
        have not.

        Example:
            >>> schema = parse_schema({"items": {"$ref": "#/$defs/A"}, "$defs": {"A": {"type": "string"}}})
            >>> node = schema.node("#/items")
            >>> schema.node(node.references["$ref"]).schema
            {'type': 'string'}
        """
        return self.admitted.nodes[self.admitted.at[location]]

    def __eq__(self, other: object) -> bool:
        return self.key == other.key if isinstance(other, Schema) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.key)

    def __reduce__(self) -> Any:
        return _again, (self.document, self.budget, dict(self.documents), self.assert_formats)

    def __repr__(self) -> str:
        return f"<Schema {self.dialect}, {len(self.admitted.nodes)} subschemas>"


def _again(document: Any, budget: Budget, documents: Mapping[str, Any], assert_formats: bool) -> Schema:
    return parse_schema(document, budget, documents=documents, assert_formats=assert_formats)


def parse_schema(
    schema: object,
    budget: Budget = DEFAULT_BUDGET,
    *,
    documents: Mapping[str, object] | None = None,
    fetch: Fetch | None = None,
    assert_formats: bool = False,
    tool: str = "",
) -> Schema:
    """A schema that is safe to use; the same `Schema` again for the same content and options.

    schema: a dict or a bool, as JSON gives it. Without `$schema` it is 2020-12.
    documents: schemas that its references may lead to, by URI.
    fetch: what fetches the others; without it, nothing is ever fetched.
    assert_formats: judge by `format`, too.
    tool: the name of the tool, for errors.

    Raises `InvalidSchema` (the metaschema refuses it, a local reference leads to nothing, ids collide),
    `UnsupportedDialect`, `UnsafeSchema` (a reference leads out of it, or in a circle), `BudgetExceeded`.

    Example:
        >>> parse_schema({"$ref": "https://example.com/other"})
        Traceback (most recent call last):
        ...
        typedtool.errors.UnsafeSchema: reference 'https://example.com/other' leads out of the document, ...
    """
    root = _copied(schema, budget, tool)
    known = _known(documents or {}, budget, tool)
    key = _key(root, known, budget, assert_formats)
    found = _cache.get(key)
    if found is None:
        found = _parsed(root, known, budget, fetch, assert_formats, tool, key)
        found = _cache.put(found.key, found)
    return found


def _key(root: Any, documents: Mapping[str, Any], budget: Budget, assert_formats: bool) -> tuple[Any, ...]:
    encode = partial(msgspec.json.encode, order="deterministic")
    return encode(root), encode(documents), budget, assert_formats


def _known(documents: Mapping[str, object], budget: Budget, tool: str) -> dict[str, Any]:
    """The caller's documents by URI without fragment."""
    found: dict[str, Any] = {}
    for given, document in documents.items():
        uri = given.partition("#")[0]
        if not uri or uri in found:
            raise InvalidSchema(
                f"{named(given)} is no URI for a document, or a second time the same", "documents", "", tool
            )
        found[uri] = _copied(document, budget, tool)
    return found


def _copied(schema: object, budget: Budget, tool: str) -> Any:
    if not (is_dict(schema) or isinstance(schema, bool)):
        raise InvalidSchema(f"a schema is an object or a boolean, not {kind_of(schema)}", "schema", "", tool)
    try:
        return copied(schema, budget, 10 * budget.subschemas)
    except NotJsonValue as error:
        pointer = json_pointer(path_steps(error.problem.path))
        what = f"it is not JSON: expected {error.problem.expected}, received {error.problem.received}"
        raise InvalidSchema(what, "json", pointer, tool) from None
    except BudgetExceeded as error:
        raise BudgetExceeded(error.what, error.limit, tool, error.pointer) from None


def _parsed(
    root: Any,
    documents: dict[str, Any],
    budget: Budget,
    fetch: Fetch | None,
    assert_formats: bool,
    tool: str,
    key: tuple[Any, ...],
) -> Schema:
    declared = root.get("$schema") if is_dict(root) else None
    dialect = dialect_of(declared, DEFAULT_DIALECT, tool)

    def supply(uri: str) -> Any:
        documents[uri] = _copied(fetch.fetch(uri), budget, tool) if fetch is not None else None
        return documents[uri]

    admitted = admit(root, dialect, budget, dict(documents), supply if fetch is not None else None, tool)

    validator = prepared({"": root, **documents}, admitted, dialect, budget, assert_formats, tool)
    if fetch is not None:  # what was fetched is part of it now
        key = _key(root, documents, budget, assert_formats)
    warnings = (*admitted.warnings, *_decided(admitted), *validator.compiled.warnings)
    return Schema(root, dialect.name, warnings, budget, assert_formats, key, documents, admitted, validator)


def _decided(admitted: Admitted) -> list[str]:
    """What is odd in a schema, and what it is taken for."""
    found: dict[str, None] = {}
    for node in admitted.nodes:
        if is_dict(node.schema):
            for keyword, sentence in _ODD.items():
                if keyword in node.schema:
                    found.setdefault(f"{sentence} (at {named(node.location, 120)})")
            if len(found) >= 20:
                break
    return list(found)


_ODD = {
    "nullable": "nullable is no keyword of JSON Schema: null is not allowed by it",
    "discriminator": "discriminator is no keyword of JSON Schema: it is an annotation",
}


class _Cache:
    """The schemas parsed last, by content. Its lock is never held while a schema is parsed."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.kept: OrderedDict[Any, Schema] = OrderedDict()

    def get(self, key: Any) -> Schema | None:
        with self.lock:
            found = self.kept.get(key)
            if found is not None:
                self.kept.move_to_end(key)
            return found

    def put(self, key: Any, schema: Schema) -> Schema:
        """Keeps a schema; where another thread was first, that one's is the one."""
        with self.lock:
            kept = self.kept.setdefault(key, schema)
            while len(self.kept) > _KEPT:
                self.kept.popitem(last=False)
            return kept


_cache = _Cache()
