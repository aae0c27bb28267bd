"""An admitted schema as the engines get it: dialects as they spell them, patterns as they read them, costs
known.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from typedtool.errors import BudgetExceeded, InvalidSchema, UnsafeSchema, named
from typedtool.schemas.admission import Admitted, SchemaNode
from typedtool.schemas.engines import rust
from typedtool.schemas.expansion import expansion_of
from typedtool.schemas.patterns import translated
from typedtool.values.budgets import Budget
from typedtool.values.guards import is_dict, is_list
from typedtool.values.locations import escape, resolve, unescape

__all__ = ["Written", "put_at", "written"]


class Written(Struct, frozen=True):
    """An admitted schema, written for the engines: dialects as they spell them, patterns translated.

    rate, rate_back: the worst microseconds for each character of a value, and for patterns that go back.
    """

    root: Any
    documents: Mapping[str, Any]
    rate: float
    rate_back: float
    warnings: tuple[str, ...]


def written(
    copies: Mapping[str, Any],
    admitted: Admitted,
    budget: Budget,
    tool: str,
    never: Any = None,
) -> Written:
    """Rewrites `copies` (documents by URI, "" the root), which are given away, in place.

    `never` is what to write for a schema that is False, where that has to be something else.
    """
    text = 0
    warnings: dict[str, None] = {}
    rates: list[float] = []
    backs: list[float] = []
    holder = {"": dict(copies)}  # so that a root, too, has something that holds it
    for node in reversed(admitted.nodes):  # parents come before their children: what is below is done first
        rate = back = 0.0
        uri, _, pointer = node.location.partition("#")
        if is_dict(node.schema):
            schema: Any = resolve(copies[uri], pointer)
            if "$schema" in schema:
                schema["$schema"] = node.dialect.uri
            for keyword, pattern in _patterns(node):
                text += len(pattern) + 32
                if text > budget.patterns:
                    raise BudgetExceeded("patterns", budget.patterns, tool, pointer)
                new, decided, cost = _pattern(pattern, keyword, pointer, tool)
                if decided:
                    warnings[f"pattern {named(pattern, 60)}: {decided}"] = None
                if cost.backtracks:
                    back += cost.rate
                else:
                    rate += cost.rate
                if new != pattern:
                    _rewrite(schema, keyword, pattern, new)
        elif never is not None and node.schema is False:
            put_at(holder[""], uri, pointer, never)
        elif never is not None:
            put_at(holder[""], uri, pointer, {})
        rates.append(rate)
        backs.append(back)
    documents = holder[""]
    root = documents.pop("")
    return Written(
        root, documents, _spread(admitted, rates[::-1]), _spread(admitted, backs[::-1]), tuple(warnings)
    )


def _spread(admitted: Admitted, rates: list[float]) -> float:
    return float(expansion_of(admitted, rates).evaluations) if any(rates) else 0.0


def put_at(documents: dict[str, Any], uri: str, pointer: str, schema: Any) -> None:
    """Puts `schema` where a JSON Pointer leads in the document at `uri`."""
    if not pointer:
        documents[uri] = schema
        return
    above, _, last = pointer.rpartition("/")
    holder: Any = resolve(documents[uri], above)
    step = unescape(last)
    holder[int(step) if is_list(holder) else step] = schema


def _patterns(node: SchemaNode) -> list[tuple[str, str]]:
    if node.dialect.ref_hides_siblings and "$ref" in node.schema:
        return []
    found: list[tuple[str, str]] = []
    if isinstance(node.schema.get("pattern"), str):
        found.append(("pattern", node.schema["pattern"]))
    if isinstance(node.schema.get("patternProperties"), dict):
        found += [("patternProperties", pattern) for pattern in node.schema["patternProperties"]]
    return found


def _pattern(pattern: str, keyword: str, pointer: str, tool: str) -> tuple[str, str, rust.PatternCost]:
    where = f"{pointer}/{keyword}" + (f"/{escape(pattern)}" if keyword == "patternProperties" else "")
    if rust.fault() is not None:
        raise UnsafeSchema(
            f"there is no engine for patterns: {rust.fault()}",
            "pattern",
            where,
            tool,
            "install a jsonschema-rs in the range that typedtool declares",
        )
    try:
        new = translated(pattern)
        return new.text, new.decided, rust.pattern_cost(new.text)
    except ValueError as error:
        raise InvalidSchema(
            f"pattern {named(pattern, 60)} cannot be used: {error}", keyword, where, tool
        ) from None


def _rewrite(schema: dict[str, Any], keyword: str, pattern: str, new: str) -> None:
    if keyword == "pattern":
        schema["pattern"] = new
        return
    held = schema["patternProperties"]
    items = [(new if name == pattern else name, part) for name, part in held.items()]
    held.clear()
    for name, part in items:
        held[name] = {"allOf": [held[name], part]} if name in held else part
