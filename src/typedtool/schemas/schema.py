"""Schemas that are safe to use: `parse_schema(schema) -> Schema`, `Schema.validate(value) -> problems`.

A server's schema is foreign code. An admitted one has a known dialect, conforms to its metaschema, refers only to
itself and to supplied documents, and has a bounded cost. `Schema.warnings` names what is unusual in it:

- `nullable` and `discriminator` (OpenAPI) are no keywords of JSON Schema: they assert nothing.
- Booleans and objects without `type` are schemas. A keyword that no dialect defines is an annotation.
- The names under `properties` are never read as keywords, `type` and `$ref` included.
- `items: [...]` is invalid in 2020-12, where it is `prefixItems`.
- Patterns may use Python's `(?P<name>...)` and the leniencies of ECMA-262's Annex B.
- `format` is an annotation, unless `assert_formats=True`.
"""

from __future__ import annotations

from _thread import allocate_lock  # what threading calls Lock: `import typedtool` is light
from collections import OrderedDict
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

import msgspec
from msgspec import Struct

from typedtool.errors import BudgetExceeded, InvalidSchema, Problem, kind_of, named
from typedtool.values.budgets import DEFAULT_BUDGET, Budget
from typedtool.values.guards import is_dict
from typedtool.values.locations import json_pointer, path_steps
from typedtool.values.walking import NotJsonValue, copied

if TYPE_CHECKING:
    from typedtool.schemas.admission import Admitted, SchemaNode
    from typedtool.schemas.validation import Validator

__all__ = ["Fetch", "Schema", "parse_schema"]

_KEPT = 512


class Fetch(Protocol):
    """Fetches documents for `parse_schema(fetch=...)`, as `typedtool.fetching.AllowHosts` does."""

    def fetch(self, uri: str) -> Any:
        """The JSON document at `uri`, which has no fragment. Raises `UnsafeSchema` where it is not allowed."""
        ...


class Schema(Struct, frozen=True, eq=False):
    """An admitted JSON Schema: validates values, in any thread.

    document: the schema, a copy of what was given. Do not change it.
    dialect: "2020-12", "2019-09", "draft-07", "draft-06" or "draft-04".
    warnings: what is unusual in it, and how it is read; a sentence each.
    budget, assert_formats, documents: the options of `parse_schema`, and the documents that were fetched.
    key: its content and options, which identify it; its `$id` does not.
    admitted, validator: its subschemas with their references, and its compiled form. Not part of the public API.

    Pickling and copying keep what it was parsed from.

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
        """The problems of a JSON value under the schema, at most `budget.problems`; empty where it is valid.

        A NaN, a lone surrogate or a Python object is a problem of the code `json` where the schema evaluates it.
        The value as a whole is walked only where the schema requires it (it recurses, has patterns, bounds numbers
        without a type, ...): who parses JSON refuses what is none.

        Raises `BudgetExceeded` where the value exceeds the size, depth, work or seconds of the budget.
        """
        return self.validator.problems(value)

    def is_valid(self, value: object) -> bool:
        """Whether the value is valid; an invalid one is not explained. Raises `BudgetExceeded` as `validate` does."""
        return self.validator.is_valid(value)

    def node(self, location: str = "#") -> SchemaNode:
        """The subschema at a location (`#` and a JSON Pointer), with its dialect and the targets of its references.

        Raises `KeyError` where the location holds no schema, and where a `$ref` beside it hides the schema.

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
    """The schema, safe to use; the same object for the same content and options.

    schema: a dict or a bool, as JSON gives it. Without `$schema` its dialect is 2020-12.
    documents: other schemas that it may refer to, by URI.
    fetch: fetches documents that are not among them; by default, nothing is fetched.
    assert_formats: `format` is an assertion.
    tool: the name of the tool, for errors.

    Raises `InvalidSchema` where the metaschema refuses it, a local reference has no target or ids collide;
    `UnsupportedDialect`; `UnsafeSchema` where a reference leaves the documents or never ends; `BudgetExceeded`.

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
    """The caller's documents, copied, by URI without fragment."""
    found: dict[str, Any] = {}
    for given, document in documents.items():
        uri = given.partition("#")[0]
        if not uri or uri in found:
            raise InvalidSchema(
                f"{named(given)} is not the URI of a document, or repeats one", "documents", "", tool
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
    # what reads a schema is imported with the first one: `import typedtool` is light
    from typedtool.schemas.admission import admit, dialect_of
    from typedtool.schemas.dialects import DEFAULT_DIALECT
    from typedtool.schemas.validation import prepared

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
    """What is unusual in a schema, and how it is read."""
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
    "nullable": "nullable is no keyword of JSON Schema: it does not allow null",
    "discriminator": "discriminator is no keyword of JSON Schema: it is an annotation",
}


class _Cache:
    """The last schemas that were parsed, by key. Its lock is never held while a schema is parsed."""

    def __init__(self) -> None:
        self.lock = allocate_lock()
        self.kept: OrderedDict[Any, Schema] = OrderedDict()

    def get(self, key: Any) -> Schema | None:
        with self.lock:
            found = self.kept.get(key)
            if found is not None:
                self.kept.move_to_end(key)
            return found

    def put(self, key: Any, schema: Schema) -> Schema:
        """Keeps a schema and returns it, or the one that another thread has put before."""
        with self.lock:
            kept = self.kept.setdefault(key, schema)
            while len(self.kept) > _KEPT:
                self.kept.popitem(last=False)
            return kept


_cache = _Cache()
