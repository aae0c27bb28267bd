"""Admission of a schema: every subschema is found and every reference resolved, before any value is seen.

Nothing here recurses or fetches: a reference that leaves the documents is an error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any
from urllib.parse import unquote, urldefrag, urljoin

from msgspec import Struct

from typedtool.errors import BudgetExceeded, InvalidSchema, UnsafeSchema, UnsupportedDialect, named
from typedtool.schemas.dialects import DIALECTS, Dialect, is_metaschema, known_dialect
from typedtool.schemas.keywords import SchemaPositions
from typedtool.values.budgets import Budget
from typedtool.values.guards import is_dict, is_list
from typedtool.values.locations import escape, json_pointer, resolve

__all__ = ["Admitted", "SchemaNode", "admit", "dialect_of"]

_SUPPORTED = "supported are " + ", ".join(dialect.uri for dialect in DIALECTS)


class SchemaNode(Struct, frozen=True):
    """One schema within an admitted document.

    schema: the schema itself, a dict or a bool. Read it, never write it.
    location: where it is: `#` and a JSON Pointer, after the URI of the document where that was supplied.
    dialect: the dialect it is read in; an embedded resource may have another one than its document.
    references: the location of what each `$ref`, `$dynamicRef` and `$recursiveRef` of it leads to. That of a
        `$dynamicRef` is where it leads to when nothing overrides it. A metaschema is not in the document: it
        is left out.
    """

    schema: Any
    location: str
    dialect: Dialect
    references: Mapping[str, str]

    def location_of(self, *steps: str | int) -> str:
        """The location of a schema below this one: `node.location_of("properties", "id")`."""
        return self.location + json_pointer(steps)


class Admitted(Struct, frozen=True):
    """What `admit` found. The lists run parallel to `nodes`; edges are indices into it.

    same, named, each: the subschemas of node i for the same value, for one child value each, for every child value.
    """

    nodes: tuple[SchemaNode, ...]
    same: tuple[tuple[int, ...], ...]
    named: tuple[tuple[int, ...], ...]
    each: tuple[tuple[int, ...], ...]
    at: Mapping[str, int]
    roots: tuple[int, ...]
    """What a metaschema validates: documents, resources of another dialect, targets outside of schema positions."""
    metaschemas: frozenset[int]
    """The nodes with a reference to a metaschema, whose subschemas are not in `nodes`."""
    warnings: tuple[str, ...]


def dialect_of(declared: object, default: Dialect, tool: str = "", pointer: str = "") -> Dialect:
    """The dialect that `$schema` declares. Raises `UnsupportedDialect` where it is not a supported one."""
    if declared is None:
        return default
    if not isinstance(declared, str):
        raise InvalidSchema("$schema is not a string", "$schema", pointer, tool)
    found = known_dialect(declared)
    if found is None:
        raise UnsupportedDialect(
            f"unsupported dialect {named(declared)}", "$schema", pointer, tool, _SUPPORTED
        )
    return found


def joined(base: str, reference: str) -> str:
    """`reference` resolved against `base` (RFC 3986, 5); `urljoin` alone loses a base that is a urn."""
    if reference.startswith("#") or not reference:
        return urldefrag(base)[0] + reference
    try:
        return urljoin(base, reference)
    except ValueError:
        return "invalid:" + reference


class _Found(Struct):
    """A schema that is found and not yet read: where it is, in which resource, which values it applies to."""

    schema: Any
    location: str
    base: str
    within: str
    """The JSON Pointer from the root of its resource."""
    dialect: Dialect
    parent: int | None = None
    where: str = "nothing"
    is_root: bool = False


class _Reference(Struct):
    node: int
    keyword: str
    target: str
    base: str


class _Reader:
    """One admission: reads schemas until no more are found."""

    def __init__(self, budget: Budget, supply: Callable[[str], Any] | None, tool: str) -> None:
        self.budget = budget
        self.supply = supply
        self.tool = tool
        self.nodes: list[SchemaNode] = []
        self.references: list[dict[str, str]] = []
        self.edges: dict[str, list[list[int]]] = {"same": [], "named": [], "each": []}
        self.at: dict[str, int] = {}
        self.resources: dict[str, int] = {}
        self.positions: dict[tuple[str, str], int] = {}
        self.anchors: dict[tuple[str, str], int] = {}
        self.dynamic: dict[str, list[int]] = {}
        self.recursive: list[int] = []
        self.pending: list[_Reference] = []
        self.roots: list[int] = []
        self.metaschemas: set[int] = set()
        self.warnings: dict[str, None] = {}

    # --- reading one schema

    def read_document(self, uri: str, document: Any, default: Dialect) -> None:
        declared = document.get("$schema") if is_dict(document) else None
        location = uri + "#"
        self.read(_Found(document, location, uri, "", dialect_of(declared, default, self.tool), is_root=True))
        self.resources.setdefault(uri, self.at[location])

    def read(self, first: _Found) -> None:
        stack = [first]
        while stack:
            found = stack.pop()
            schema = found.schema
            if not (is_dict(schema) or isinstance(schema, bool)):
                raise self.invalid("a schema is an object or a boolean", "schema", found.location)
            index = self.add(found)
            if is_dict(schema):
                self.identify(found, index)
                self.note_references(found, index)
                stack.extend(self.below(found, index))

    def add(self, found: _Found) -> int:
        index = len(self.nodes)
        if index >= self.budget.subschemas:
            raise BudgetExceeded("subschemas", self.budget.subschemas, self.tool, _pointer(found.location))
        references: dict[str, str] = {}
        self.references.append(references)
        self.nodes.append(SchemaNode(found.schema, found.location, found.dialect, references))
        for edges in self.edges.values():
            edges.append([])
        if found.parent is not None and found.where != "nothing":
            self.edges[found.where][found.parent].append(index)
        self.at[found.location] = index
        self.positions[found.base, found.within] = index
        if found.is_root:
            self.roots.append(index)
        return index

    def identify(self, found: _Found, index: int) -> None:
        """Gives the node its own base, dialect and anchors, where it declares them."""
        schema, dialect = found.schema, found.dialect
        identifier = schema.get(dialect.id_keyword)
        hidden = dialect.ref_hides_siblings and "$ref" in schema
        opens = False
        if isinstance(identifier, str) and not hidden:
            uri, fragment = urldefrag(joined(found.base, identifier))
            if dialect.ref_hides_siblings and fragment:
                self.anchor(uri, fragment, index, found)
            opens = not identifier.startswith("#") and (uri != found.base or found.is_root)
            if opens:
                found.base, found.within = uri, ""
                self.open_resource(found, index)
        elif found.is_root:
            self.resources.setdefault(found.base, index)
        if "$schema" in schema and not found.is_root and not opens and not hidden:
            other = dialect_of(schema["$schema"], dialect, self.tool, _pointer(found.location))
            if other is not dialect:
                raise self.invalid(
                    f"$schema changes the dialect inside a {dialect.name} schema",
                    "$schema",
                    found.location,
                    f"give this schema an {other.id_keyword} of its own",
                )
        for keyword in () if hidden else found.dialect.anchors:
            name = schema.get(keyword)
            if isinstance(name, str):
                self.anchor(found.base, name, index, found)
                if keyword == "$dynamicAnchor":
                    self.dynamic.setdefault(name, []).append(index)
        if schema.get("$recursiveAnchor") is True:
            self.recursive.append(index)

    def open_resource(self, found: _Found, index: int) -> None:
        if found.base in self.resources and self.resources[found.base] != index:
            raise self.invalid(
                f"two schemas have the id {named(found.base)}", found.dialect.id_keyword, found.location
            )
        other = dialect_of(found.schema.get("$schema"), found.dialect, self.tool, _pointer(found.location))
        if other is not found.dialect:
            found.dialect = other
            self.nodes[index] = SchemaNode(found.schema, found.location, other, self.references[index])
            if not found.is_root:
                self.roots.append(index)
        self.resources[found.base] = index
        self.positions[found.base, ""] = index

    def anchor(self, base: str, name: str, index: int, found: _Found) -> None:
        if self.anchors.setdefault((base, name), index) != index:
            raise self.invalid(f"two schemas have the anchor {named(name)}", "$anchor", found.location)

    def note_references(self, found: _Found, index: int) -> None:
        for keyword in found.dialect.references:
            if keyword in found.schema:
                target = found.schema[keyword]
                if not isinstance(target, str):
                    raise self.invalid(f"{keyword} is not a string", keyword, found.location)
                self.pending.append(_Reference(index, keyword, target, found.base))

    def below(self, found: _Found, index: int) -> Iterator[_Found]:
        schema, dialect = found.schema, found.dialect
        hidden = dialect.ref_hides_siblings and "$ref" in schema
        for keyword in ("definitions",) if hidden else schema:
            place = dialect.subschemas.get(keyword)
            if place is None or keyword not in schema:
                continue
            for steps, child in self.children(schema[keyword], keyword, place, found):
                where = "named" if place.shape == "one-or-list" and is_list(schema[keyword]) else place.where
                yield _Found(
                    child, found.location + steps, found.base, found.within + steps, dialect, index, where
                )

    def children(
        self, value: Any, keyword: str, place: SchemaPositions, found: _Found
    ) -> Iterator[tuple[str, Any]]:
        step = "/" + escape(keyword)
        if place.shape == "one" or (place.shape == "one-or-list" and not is_list(value)):
            hint = ""
            if keyword == "items" and is_list(value):
                hint = 'a list of schemas is prefixItems in 2020-12; declare "$schema" of draft-07 for items'
            if not (is_dict(value) or isinstance(value, bool)):
                raise self.invalid(f"{keyword} is not a schema", keyword, found.location + step, hint)
            yield step, value
        elif place.shape in ("list", "one-or-list"):
            if not is_list(value):
                raise self.invalid(f"{keyword} is not an array of schemas", keyword, found.location + step)
            yield from ((f"{step}/{i}", child) for i, child in enumerate(value))
        else:
            if not is_dict(value):
                hint = (
                    "an empty object became an array: PHP's empty array is [] in JSON" if value == [] else ""
                )
                raise self.invalid(
                    f"{keyword} is not an object of schemas", keyword, found.location + step, hint
                )
            for name, child in value.items():
                if place.shape != "map-or-names" or not is_list(child):
                    yield f"{step}/{escape(name)}", child

    # --- resolving

    def resolve(self) -> None:
        while self.pending:
            reference = self.pending.pop()
            target = self.target(reference)
            if target is None:
                self.metaschemas.add(reference.node)
                continue
            edges = self.edges["same"][reference.node]
            edges.append(target)
            self.references[reference.node][reference.keyword] = self.nodes[target].location
            # Any schema with the same dynamic anchor may be the target, depending on the way there: all count.
            schema = self.nodes[target].schema
            others: list[int] = []
            if reference.keyword == "$dynamicRef" and is_dict(schema):
                name = schema.get("$dynamicAnchor")
                if isinstance(name, str) and reference.target.endswith("#" + name):
                    others = self.dynamic.get(name, [])
            elif reference.keyword == "$recursiveRef":
                others = self.recursive if is_dict(schema) and schema.get("$recursiveAnchor") is True else []
            edges.extend(i for i in others if i != target)

    def target(self, reference: _Reference) -> int | None:
        """The node that a reference leads to; None for a metaschema, which engines carry."""
        uri, fragment = urldefrag(joined(reference.base, reference.target))
        root = self.resources.get(uri)
        if root is None and is_metaschema(uri, self.nodes[reference.node].dialect):
            return None
        if root is None and self.supply is not None:
            self.read_document(uri, self.supply(uri), self.nodes[reference.node].dialect)
            root = self.resources.get(uri)
        if root is None:
            raise UnsafeSchema(
                f"reference {named(reference.target)} leads out of the document, and nothing is ever fetched",
                reference.keyword,
                _pointer(self.nodes[reference.node].location),
                self.tool,
                "supply it: parse_schema(..., documents={uri: schema})",
            )
        fragment = unquote(fragment)
        if not fragment:
            return root
        if not fragment.startswith("/"):
            found = self.anchors.get((uri, fragment))
        else:
            found = self.positions.get((uri, fragment))
            if found is None:
                found = self.elsewhere(root, uri, fragment)
        if found is None:
            location = self.nodes[reference.node].location
            raise self.invalid(
                f"reference {named(reference.target)} leads to nothing", reference.keyword, location
            )
        return found

    def elsewhere(self, root: int, uri: str, fragment: str) -> int | None:
        """The schema, read now, that a pointer reaches outside of schema positions (`#/components/schemas/X`)."""
        node = self.nodes[root]
        location = node.location + fragment
        if location in self.at:
            return self.at[location]
        try:
            value = resolve(node.schema, fragment)
        except LookupError:
            return None
        if not (is_dict(value) or isinstance(value, bool)):
            return None
        if not fragment.startswith("/$defs/"):  # no keyword before 2019-09, and often met there
            self.warnings[
                f"{named('#' + fragment)} is referred to as a schema, and is in no place for one"
            ] = None
        self.read(_Found(value, location, uri, fragment, node.dialect))
        self.roots.append(self.at[location])
        return self.at[location]

    def invalid(self, what: str, rule: str, location: str, hint: str = "") -> InvalidSchema:
        return InvalidSchema(what, rule, _pointer(location), self.tool, hint)


def _pointer(location: str) -> str:
    return location.partition("#")[2]


def admit(
    schema: Any,
    default: Dialect,
    budget: Budget,
    documents: Mapping[str, Any],
    supply: Callable[[str], Any] | None = None,
    tool: str = "",
) -> Admitted:
    """Every subschema of a schema and of the documents supplied with it, with all references resolved.

    supply: returns the document at a URI that is not among `documents`.

    Raises `InvalidSchema`, `UnsupportedDialect`, `UnsafeSchema` (a reference out of the documents) and
    `BudgetExceeded` (`subschemas`).
    """
    reader = _Reader(budget, supply, tool)
    reader.read_document("", schema, default)
    for uri, document in documents.items():
        reader.read_document(uri, document, default)
    reader.resolve()
    edges = {name: tuple(map(tuple, lists)) for name, lists in reader.edges.items()}
    return Admitted(
        tuple(reader.nodes),
        edges["same"],
        edges["named"],
        edges["each"],
        reader.at,
        tuple(reader.roots),
        frozenset(reader.metaschemas),
        tuple(reader.warnings),
    )
