"""Values for schemas: likely ones, drawn by walking the admitted schema, and the same with a change."""

from __future__ import annotations

import random
from typing import Any

from typedtool.schemas.schema import Schema

KINDS: dict[str, Any] = {
    "string": ["", "a", "2024-01-01", "x" * 30],
    "integer": [0, 1, -7, 2.0, 10**20],
    "number": [0.5, 1, -3.25],
    "boolean": [True, False],
    "null": [None],
    "array": [[]],
    "object": [{}],
}
ODD = (None, True, 0, 1.5, -1, "", "zzz", [], {}, [None], {"a": 1}, 10**30, "x" * 300)


class Sampler:
    """Draws values that the schema probably takes. Keywords that it does not know, it does not mind."""

    def __init__(self, schema: Schema, seed: int) -> None:
        self.of = schema
        self.random = random.Random(seed)

    def draw(self, location: str = "#", depth: int = 7) -> Any:
        node = self.of.node(location)
        schema = node.schema
        if not isinstance(schema, dict) or depth < 0:
            return self.random.choice(ODD)
        for keyword in ("$ref", "$dynamicRef"):
            if keyword in node.references:
                return self.draw(node.references[keyword], depth - 1)
        if "const" in schema:
            return schema["const"]
        if schema.get("enum"):
            return self.random.choice(schema["enum"])
        for keyword in ("anyOf", "oneOf", "allOf"):
            if schema.get(keyword):
                branch = self.random.randrange(len(schema[keyword]))
                found = self.draw(node.location_of(keyword, branch), depth - 1)
                own = self.object(node, depth) if "properties" in schema else None
                return {**own, **found} if own is not None and isinstance(found, dict) else found
        kinds = schema.get("type", "object" if "properties" in schema else list(KINDS))
        kind = self.random.choice(kinds) if isinstance(kinds, list) else kinds
        if kind == "object":
            return self.object(node, depth)
        if kind == "array":
            return self.array(node, depth)
        return self.scalar(kind, schema)

    def scalar(self, kind: str, schema: dict[str, Any]) -> Any:
        value = self.random.choice(KINDS[kind])
        if kind in ("integer", "number"):
            least = schema.get("minimum", schema.get("exclusiveMinimum"))
            if isinstance(least, (int, float)) and not isinstance(least, bool) and value < least:
                return least + self.random.choice((0, 1))
        if kind == "string":
            return value.ljust(min(schema.get("minLength", 0), 50), "m")
        return value

    def object(self, node: Any, depth: int) -> dict[str, Any]:
        required = node.schema.get("required", ())
        drawn = {
            name: self.draw(node.location_of("properties", name), depth - 1)
            for name in node.schema.get("properties", {})
            if name in required or self.random.random() < 0.5
        }
        extra = node.schema.get("additionalProperties", True)
        if extra is not False and self.random.random() < 0.3:
            location = node.location_of("additionalProperties")
            drawn["extra"] = self.draw(location, depth - 1) if isinstance(extra, dict) else 1
        return drawn

    def array(self, node: Any, depth: int) -> list[Any]:
        first = node.schema.get("prefixItems", node.schema.get("items"))
        if isinstance(first, list):
            keyword = "prefixItems" if "prefixItems" in node.schema else "items"
            return [self.draw(node.location_of(keyword, i), depth - 1) for i in range(len(first))]
        count = self.random.randint(node.schema.get("minItems", 0), 3 + node.schema.get("minItems", 0))
        if "items" not in node.schema:
            return [self.random.choice(ODD) for _ in range(count)]
        return [self.draw(node.location_of("items"), depth - 1) for _ in range(count)]


def mutated(value: Any, chance: random.Random) -> Any:
    """`value` with one thing in it changed: replaced, removed or added."""
    if isinstance(value, dict) and value and chance.random() < 0.8:
        name = chance.choice(sorted(value))
        if chance.random() < 0.25:
            return {key: item for key, item in value.items() if key != name}
        return {**value, name: mutated(value[name], chance)}
    if isinstance(value, list) and value and chance.random() < 0.8:
        index = chance.randrange(len(value))
        if chance.random() < 0.25:
            return value + value[:1]
        return [*value[:index], mutated(value[index], chance), *value[index + 1 :]]
    return chance.choice(ODD)
