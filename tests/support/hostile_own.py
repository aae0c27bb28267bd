"""Attacks by schema and value: name, what makes the pair, and what has to become of it."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

Case = tuple[Callable[[], tuple[Any, Any]], str]
ELSEWHERE = f"http://127.0.0.1:{os.environ.get('HPORT', '1')}/schema"


def bomb(keyword: str, leaf: Any = True, levels: int = 30) -> Any:
    """Two references a level: 2**levels schemas, written out."""
    definitions: dict[str, Any] = {
        f"d{i}": {keyword: [{"$ref": f"#/$defs/d{i + 1}"}] * 2} for i in range(levels)
    }
    return {"$ref": "#/$defs/d0", "$defs": {**definitions, f"d{levels}": leaf}}


def nested(levels: int, wrap: Callable[[Any], Any], leaf: Any) -> Any:
    for _ in range(levels):
        leaf = wrap(leaf)
    return leaf


def pattern(text: str, value: str) -> Callable[[], tuple[Any, Any]]:
    return lambda: ({"pattern": text}, value)


def loop(keyword: str) -> Callable[[], tuple[Any, Any]]:
    held: Any = {"$ref": "#"}
    return lambda: (
        {keyword: held if keyword in ("not", "if", "unevaluatedProperties") else [held]},
        {"a": 1},
    )


ATTACKS: dict[str, Case] = {
    "nested quantifiers": (pattern("^(a+)+$", "a" * 50 + "!"), "invalid"),
    "overlapping alternatives": (pattern("^(b|bb)+$", "b" * 70 + "!"), "invalid"),
    "many wildcards": (pattern("^(.*;){12}Q", ";" * 70), "invalid"),
    "spaces before the end": (pattern(r"\s+$", " " * 90_000 + "x"), "invalid"),
    "repetitions of repetitions": (pattern("^((c{1,200}){1,200}){1,200}$", "c" * 99), "InvalidSchema"),
    "a megabyte of pattern": (pattern("|".join(f"q{i}" for i in range(160_000)), "x"), "BudgetExceeded"),
    "a pattern of groups": (pattern("(" * 4000 + "a" + ")" * 4000, "a"), "InvalidSchema"),
    "a pattern of names": (
        lambda: ({"propertyNames": {"pattern": "^(a+)+$"}}, {"a" * 50 + "!": 1}),
        "invalid",
    ),
    "a bomb of allOf": (lambda: (bomb("allOf"), 1), "BudgetExceeded"),
    "a bomb of anyOf": (lambda: (bomb("anyOf", False), 1), "BudgetExceeded"),
    "a bomb of oneOf": (lambda: (bomb("oneOf", {"type": "string"}), 1), "BudgetExceeded"),
    "a reference to itself": (lambda: ({"$ref": "#"}, 1), "UnsafeSchema"),
    "two that refer to each other": (
        lambda: ({"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}}, 1),
        "UnsafeSchema",
    ),
    "a loop of allOf": (loop("allOf"), "UnsafeSchema"),
    "a loop of anyOf": (loop("anyOf"), "UnsafeSchema"),
    "a loop of not": (loop("not"), "UnsafeSchema"),
    "a loop of if": (loop("if"), "UnsafeSchema"),
    "a reference over http": (lambda: ({"$ref": ELSEWHERE}, 1), "UnsafeSchema"),
    "a dynamic reference over http": (lambda: ({"$dynamicRef": ELSEWHERE}, 1), "UnsafeSchema"),
    "an id over http": (lambda: ({"$id": ELSEWHERE, "$ref": "other"}, 1), "UnsafeSchema"),
    "a dialect over http": (lambda: ({"$schema": ELSEWHERE}, 1), "UnsupportedDialect"),
    "a reference to a file": (lambda: ({"$ref": "file:///etc/hostname"}, 1), "UnsafeSchema"),
    "a reference to nothing": (lambda: ({"$ref": "#/$defs/none"}, 1), "InvalidSchema"),
    "a deep schema": (lambda: (nested(5000, lambda below: {"not": below}, {}), 1), "BudgetExceeded"),
    "a deep value": (
        lambda: ({"items": {"$ref": "#"}}, nested(50_000, lambda below: [below], 1)),
        "BudgetExceeded",
    ),
    "a deep value beside a plain schema": (
        lambda: ({"type": "array"}, nested(50_000, lambda below: [below], 1)),
        "valid",
    ),
    "deep objects to differ": (
        lambda: ({"uniqueItems": True}, [nested(3000, lambda below: {"a": below}, 1)] * 2),
        "BudgetExceeded",
    ),
    "evaluated by every branch": (
        lambda: (
            nested(
                14,
                lambda below: {"anyOf": [below, below], "unevaluatedProperties": False},
                {"properties": {"a": {}}},
            ),
            {"a": 1, "b": 2},
        ),
        "BudgetExceeded",
    ),
    "a lone surrogate": (lambda: ({"type": "string", "maxLength": 1}, "\ud800"), "invalid"),
    "an integer of ten thousand digits": (lambda: ({"type": "integer", "minimum": 0}, 10**10_000), "invalid"),
    "NaN under not": (lambda: ({"not": {"type": "number"}}, float("nan")), "invalid"),
}
