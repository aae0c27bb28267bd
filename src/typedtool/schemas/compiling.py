"""The compiled schema, which the engines get: dialects in their spelling, patterns translated, costs known."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct

from typedtool.errors import BudgetExceeded, InvalidSchema, UnsafeSchema, named
from typedtool.schemas.admission import Admitted, SchemaNode
from typedtool.schemas.engines import rust
from typedtool.schemas.expansion import expansion_of
from typedtool.schemas.patterns import translated
from typedtool.values.budgets import Budget
from typedtool.values.guards import is_dict, is_list
from typedtool.values.locations import escape, resolve, unescape

__all__ = ["CompiledSchema", "Rewritten", "compiled_schema"]


class CompiledSchema(Struct, frozen=True):
    """An admitted schema, rewritten for an engine.

    documents: the schema by the URI "", and those supplied with it. A document without changes is not copied.
    rate, rate_back: the worst microseconds a character of a value, of patterns that do not and that do backtrack.
    """

    documents: Mapping[str, Any]
    rate: float
    rate_back: float
    warnings: tuple[str, ...]


class Rewritten:
    """Documents by URI, each copied at its first change."""

    def __init__(self, documents: Mapping[str, Any]) -> None:
        self.documents: dict[str, Any] = dict(documents)
        self.copied: set[str] = set()

    def at(self, uri: str, pointer: str) -> Any:
        """The part that a JSON Pointer leads to, for a change."""
        if uri not in self.copied:
            self.copied.add(uri)
            self.documents[uri] = msgspec.json.decode(msgspec.json.encode(self.documents[uri]))
        return resolve(self.documents[uri], pointer)

    def put(self, uri: str, pointer: str, schema: Any) -> None:
        """Puts `schema` where a JSON Pointer leads."""
        if not pointer:
            self.documents[uri] = schema
            return
        above, _, last = pointer.rpartition("/")
        holder, step = self.at(uri, above), unescape(last)
        holder[int(step) if is_list(holder) else step] = schema


def compiled_schema(
    documents: Mapping[str, Any], admitted: Admitted, budget: Budget, tool: str = "", never: Any = None
) -> CompiledSchema:
    """The documents (by URI, "" being the schema itself) as an engine needs them; the given ones do not change.

    never: the replacement of a schema that is False, for an engine that needs one.

    Raises `InvalidSchema` for an invalid pattern, `UnsafeSchema` where no engine for patterns is there, and
    `BudgetExceeded` (`patterns`).
    """
    text = 0
    warnings: dict[str, None] = {}
    rates: list[float] = []
    backs: list[float] = []
    rewritten = Rewritten(documents)
    for node in reversed(admitted.nodes):  # children first: a rewritten pattern changes their locations
        rate = back = 0.0
        uri, _, pointer = node.location.partition("#")
        if is_dict(node.schema):
            if node.schema.get("$schema", node.dialect.uri) != node.dialect.uri:
                rewritten.at(uri, pointer)["$schema"] = node.dialect.uri
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
                    _rewrite(rewritten.at(uri, pointer), keyword, pattern, new)
        elif never is not None:
            rewritten.put(uri, pointer, {} if node.schema else never)
        rates.append(rate)
        backs.append(back)
    rate, back = _spread(admitted, rates[::-1]), _spread(admitted, backs[::-1])
    return CompiledSchema(rewritten.documents, rate, back, tuple(warnings))


def _spread(admitted: Admitted, rates: list[float]) -> float:
    return float(expansion_of(admitted, rates).evaluations) if any(rates) else 0.0


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
