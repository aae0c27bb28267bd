"""A tool's entry of tools/list, read once: `read_definition(entry) -> Definition`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import UNSET, Struct

from typedtool.errors import cut, kind_of
from typedtool.values.guards import is_items, is_mapping, is_object
from typedtool.values.keys import INPUT_KEY, SCHEMA_KEY, field_of

__all__ = ["Definition", "read_definition", "read_listing"]


class Definition(Struct, frozen=True):
    """A tool as the server lists it (MCP 2026-07-28, server/tools, "Tool").

    input_schema, output_schema: as they came, UNSET where the server gives none (null counts as none).
    raw: the entry itself, an SDK model or a dict.
    """

    name: str
    description: str = ""
    input_schema: object = UNSET
    output_schema: object = UNSET
    meta: Mapping[str, object] = {}
    raw: object = None

    @property
    def wraps_result(self) -> bool:
        """Whether the schema is marked for a value that is sent as `{"result": value}` (FastMCP)."""
        schema = self.output_schema
        return is_object(schema) and schema.get("x-fastmcp-wrap-result") is True

    @property
    def declares_result(self) -> bool:
        """Whether the schema declares exactly the required property `result`, as where a server wraps unmarked."""
        schema = self.output_schema
        if not is_object(schema) or schema.get("type", "object") != "object":
            return False
        properties, required = schema.get("properties"), schema.get("required")
        return is_object(properties) and set(properties) == {"result"} and required == ["result"]

    @property
    def describes_wrapper(self) -> bool:
        """The schema describes the value as `{"result": value}`: its mark says so, or it declares nothing else."""
        return self.wraps_result or self.declares_result

    def __repr__(self) -> str:
        return f"Definition({cut(self.name, 80)!r})"


def read_definition(entry: object) -> Definition:
    """The definition of an entry of tools/list: an SDK's `Tool`, a dict in wire form, or a Definition.

    Raises TypeError for anything else.

    Example:
        >>> read_definition({"name": "now", "inputSchema": {"type": "object"}}).output_schema
        UNSET
    """
    if isinstance(entry, Definition):
        return entry
    name, description = field_of(entry, "name"), field_of(entry, "description")
    meta = field_of(entry, "_meta" if is_mapping(entry) else "meta")
    input_schema = field_of(entry, "input_schema", "inputSchema")
    output_schema = field_of(entry, "output_schema", "outputSchema")
    if not isinstance(name, str):
        raise TypeError(
            f"expected a tool of tools/list (an SDK Tool, or a dict with a name), received {kind_of(entry)}"
        )
    found: Mapping[str, Any] = meta if is_mapping(meta) else {}
    return Definition(
        name,
        description if isinstance(description, str) else "",
        _present(found.get(INPUT_KEY, input_schema)),
        _present(found.get(SCHEMA_KEY, output_schema)),
        found,
        entry,
    )


def _present(schema: object) -> object:
    return UNSET if schema is None else schema


def read_listing(listing: object) -> tuple[Definition, ...]:
    """The tools of a listing: a tools/list result (SDK model or wire dict), or a sequence of entries.

    Entries without a name are left out: a bad tool does not spoil the others. Raises TypeError for anything else.

    Example:
        >>> [d.name for d in read_listing({"tools": [{"name": "a"}, {"name": "b"}]})]
        ['a', 'b']
    """
    entries: object
    if is_mapping(listing):
        inner: object = listing.get("result", listing)
        entries = inner.get("tools") if is_mapping(inner) else None
    else:
        entries = getattr(listing, "tools", listing)
    if not is_items(entries):
        raise TypeError(f'expected a listing such as {{"tools": [...]}}, received {kind_of(listing)}')
    found: list[Definition] = []
    for entry in entries:
        try:
            found.append(read_definition(entry))
        except TypeError:
            continue
    return tuple(found)
