"""Which properties and items of a value a schema evaluates (JSON Schema 2020-12 core, 11; 2019-09 core, 9.3).

jsonschema does this too, but matches the schema's patterns with `re`, on foreign text and without a limit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from typedtool.schemas.engines.library import inside, looked_up
from typedtool.values.guards import is_dict, is_list

__all__ = ["evaluated", "is_valid"]

Matches = Callable[[str, str], bool]


def is_valid(validator: Any, instance: Any, schema: Any) -> bool:
    """Whether `instance` is valid under `schema`, a subschema of the validator's own."""
    return next(iter(validator.descend(instance, schema)), None) is None


def evaluated(
    validator: Any, instance: Any, schema: Any, matches: Matches, besides: str = ""
) -> Iterator[Any]:
    """The names or indices that `schema` evaluates in `instance`, without its keyword `besides`."""
    stack: list[tuple[Any, Any, str]] = [(validator, schema, besides)]
    while stack:
        at, held, skipped = stack.pop()
        if not is_dict(held):
            continue
        find = _names if is_dict(instance) else _indices
        yield from find(at, instance, held, matches, skipped)
        stack.extend((inner, part, "") for inner, part in _applied(at, instance, held))


def _applied(validator: Any, instance: Any, schema: dict[str, Any]) -> Iterator[tuple[Any, Any]]:
    """The subschemas in place that the instance is valid under: what they evaluate counts."""
    for keyword in ("$ref", "$dynamicRef", "$recursiveRef"):
        if keyword in schema and keyword in validator.VALIDATORS:
            resolved = looked_up(validator, keyword, schema[keyword])
            yield validator.evolve(schema=resolved.contents, _resolver=resolved.resolver), resolved.contents
    parts: list[Any] = []
    for keyword in ("allOf", "anyOf", "oneOf"):
        parts += [part for part in schema.get(keyword, ()) if is_valid(validator, instance, part)]
    if "if" in schema:
        if is_valid(validator, instance, schema["if"]):
            parts += [schema["if"], schema.get("then", True)]
        else:
            parts.append(schema.get("else", True))
    if is_dict(instance):
        parts += [part for name, part in schema.get("dependentSchemas", {}).items() if name in instance]
    for part in parts:
        if is_dict(part):
            yield inside(validator, part), part


def _names(
    validator: Any, instance: Any, schema: dict[str, Any], matches: Matches, skipped: str
) -> Iterator[str]:
    for keyword in ("additionalProperties", "unevaluatedProperties"):
        if keyword in schema and keyword != skipped:
            yield from instance
            return
    yield from (name for name in schema.get("properties", ()) if name in instance)
    for pattern in schema.get("patternProperties", ()):
        yield from (name for name in instance if matches(pattern, name))


def _indices(
    validator: Any, instance: Any, schema: dict[str, Any], matches: Matches, skipped: str
) -> Iterator[int]:
    listed = schema.get("items")
    whole = "unevaluatedItems" in schema and skipped != "unevaluatedItems"
    if (
        whole
        or is_dict(listed)
        or isinstance(listed, bool)
        or (is_list(listed) and "additionalItems" in schema)
    ):
        yield from range(len(instance))
        return
    yield from range(min(len(instance), len(listed if is_list(listed) else schema.get("prefixItems", ()))))
    if "contains" in schema and "prefixItems" in validator.VALIDATORS:  # 2019-09: contains evaluates nothing
        yield from (i for i, item in enumerate(instance) if is_valid(validator, item, schema["contains"]))
