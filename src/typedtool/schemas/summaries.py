"""Summaries of schemas, for people: `{city: string, days?: integer}`. Bounds, patterns and conditions are left out."""

from __future__ import annotations

import json
import re
from typing import Any, TypeAlias

from msgspec import Struct

from typedtool.values.guards import is_array, is_object, is_string
from typedtool.values.locations import dereferenced
from typedtool.values.printing import line, printable_json

__all__ = ["ANY", "outline", "summary"]

ANY = "anything"
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_DEPTH, _NODES, _FIELDS, _VALUES, _NAME, _LEVELS = 6, 300, 30, 8, 60, 3


class _Group(Struct, frozen=True):
    """Brackets around parts, each with a label, which may be empty."""

    open: str
    parts: tuple[tuple[str, Any], ...]
    close: str


_Part: TypeAlias = Any  # a str or a _Group


def outline(schema: object, columns: int = 76) -> str:
    """The values that a schema allows: one line where it fits in `columns`, else indented. Foreign text is escaped.

    Example:
        >>> outline({"type": "array", "items": {"type": "object", "properties": {"id": {"type": "integer"}}}})
        '[{id?: integer}, ...]'
    """
    return _rendered(_Outline(schema, _DEPTH).of(schema), columns, 0)


def summary(document: object, part: object) -> str:
    """The values that `part` of a schema allows, in a few words: properties by name only.

    Example:
        >>> summary({}, {"type": "array", "items": {"type": "object", "properties": {"id": {}, "name": {}}}})
        'array of {id, name}'
    """
    return _summary(document, part, 0)


def _summary(document: object, part: object, level: int) -> str:
    schema = _Outline(document, 1).resolved(part)
    if level > _LEVELS:
        return "..."
    if not is_object(schema):
        return ANY if schema is True else "nothing"
    kind, properties = schema.get("type"), schema.get("properties")
    if is_object(properties) and properties:
        names = [line(name, 24) for name in list(properties)[:4]]
        return "{" + ", ".join([*names, "..."] if len(properties) > len(names) else names) + "}"
    if kind == "object":
        more = schema.get("additionalProperties", True)
        return "any object" if more is True or more == {} else "object"
    if kind == "array":
        items = _Outline(document, 1).resolved(schema.get("items", True))
        if is_object(items) and items.get("type") == "array":
            return "array of arrays"
        said = _summary(document, items, level + 1)
        return "any array" if said == ANY else f"array of {said.removeprefix('any ')}"
    for keyword in ("anyOf", "oneOf"):
        if is_array(members := schema.get(keyword)) and members:
            return " | ".join(
                dict.fromkeys(_summary(document, each, level + 1) for each in members[:_VALUES])
            )
    return _flat(_Outline(document, 2).of(schema))


class _Outline:
    """One schema, walked to a bounded depth."""

    def __init__(self, document: object, depth: int) -> None:
        self.document = document
        self.depth = depth
        self.nodes = 0

    def of(self, schema: object, level: int = 0) -> _Part:
        self.nodes += 1
        schema = self.resolved(schema)
        if schema is True or schema == {}:
            return ANY
        if not is_object(schema):
            return "nothing"
        if self.nodes > _NODES or level > self.depth:
            return "..."
        if "const" in schema:
            return _literal(schema["const"])
        if is_array(values := schema.get("enum")):
            return " | ".join([_literal(v) for v in values[:_VALUES]] + ["..."] * (len(values) > _VALUES))
        for keyword, between in (("anyOf", "|"), ("oneOf", "|"), ("allOf", "&")):
            if is_array(members := schema.get(keyword)) and members:
                return self.joined(members, between, level)
        return self.typed(schema, level)

    def joined(self, members: list[object], between: str, level: int) -> _Part:
        shapes = [self.of(m, level + 1) for m in members[:_VALUES]]
        if all(isinstance(s, str) for s in shapes):
            return f" {between} ".join(dict.fromkeys(shapes))
        labels = ["", *[f"{between} "] * (len(shapes) - 1)]
        return _Group("(", tuple(zip(labels, shapes)), ")")

    def typed(self, schema: dict[str, object], level: int) -> _Part:
        kind = schema.get("type")
        if is_array(kind):
            return self.joined([{**schema, "type": each} for each in kind if is_string(each)], "|", level)
        if kind == "object" or (kind is None and "properties" in schema):
            return self.fields(schema, level)
        if kind == "array" or (kind is None and ("items" in schema or "prefixItems" in schema)):
            first = schema.get("prefixItems")
            parts = [self.of(item, level + 1) for item in first[:_VALUES]] if is_array(first) else []
            if schema.get("items", True) is not False:
                parts += [self.of(schema.get("items", True), level + 1), "..."]
            return _Group("[", tuple(("", part) for part in parts), "]")
        if not is_string(kind):
            return ANY
        form = schema.get("format")
        return f"{line(kind, 20)} ({line(form, 20)})" if is_string(form) else line(kind, 20)

    def fields(self, schema: dict[str, object], level: int) -> _Part:
        found, required = schema.get("properties"), schema.get("required")
        properties = found if is_object(found) else {}
        needed = required if is_array(required) else []
        parts = [
            (f"{_key(name)}{'' if name in needed else '?'}: ", self.of(inner, level + 1))
            for name, inner in list(properties.items())[:_FIELDS]
        ]
        if len(properties) > _FIELDS:
            parts.append(("", f"... {len(properties) - _FIELDS} more"))
        more = schema.get("additionalProperties", True)
        if is_object(more) and more:
            parts.append(("*: ", self.of(more, level + 1)))
        elif not properties and more is not False:
            parts.append(("", "..."))
        return _Group("{", tuple(parts), "}")

    def resolved(self, schema: object) -> object:
        """The target of a local `$ref`; a schema for any value where it has none."""
        found = dereferenced(schema, self.document)
        return {} if found is None else found


def _key(name: str) -> str:
    return name if _IDENTIFIER.match(name) and len(name) <= _NAME else json.dumps(line(name, _NAME))


def _literal(value: object) -> str:
    return line(printable_json(value), 40)


def _flat(shape: _Part) -> str:
    if not isinstance(shape, _Group):
        return str(shape)
    between = " " if shape.open == "(" else ", "
    return shape.open + between.join(label + _flat(part) for label, part in shape.parts) + shape.close


def _rendered(shape: _Part, columns: int, indent: int) -> str:
    flat = _flat(shape)
    if not isinstance(shape, _Group) or indent + len(flat) <= columns:
        return flat
    inner = indent + 2
    between = "" if shape.open == "(" else ","
    lines = [f"{' ' * inner}{label}{_rendered(part, columns, inner)}" for label, part in shape.parts]
    return f"{shape.open}\n" + f"{between}\n".join(lines) + f"\n{' ' * indent}{shape.close}"
