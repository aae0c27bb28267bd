"""Large hostile schemas and values, near the limits of the default budget: by name, built when asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def fan(levels: int, keyword: str, leaf: Any) -> Any:
    refs = {f"a{i}": {keyword: [{"$ref": f"#/$defs/a{i + 1}"}] * 2} for i in range(levels)}
    return {"items": {"$ref": "#/$defs/a0"}, "$defs": {**refs, f"a{levels}": leaf}}


def mutual(count: int, keyword: str) -> Any:
    def all_of_them() -> list[Any]:
        return [{"type": "array", "items": {"$ref": f"#/$defs/d{i}"}} for i in range(count)]

    return {"$ref": "#/$defs/d0", "$defs": {f"d{i}": {keyword: all_of_them()} for i in range(count)}}


def deep(levels: int, leaf: Any, width: int = 1) -> Any:
    for _ in range(levels):
        leaf = [leaf] * width
    return leaf


def names(count: int, value: Any) -> dict[str, Any]:
    return {f"p{i}": value for i in range(count)}


MANY = 40_000
WIDE: dict[str, Callable[[], tuple[Any, Any]]] = {
    "fan of allOf over items": lambda: (fan(11, "allOf", {"type": "integer"}), [1] * 2000),
    "4,900 alternatives": lambda: ({"anyOf": [{"const": i} for i in range(4900)]}, "x"),
    "4,900 properties": lambda: ({"properties": names(4900, {"type": "string"})}, {"p1": "x"}),
    "330 patterns": lambda: (
        {"patternProperties": {f"^p{i}(x|y)*z$": True for i in range(330)}},
        names(2000, 1),
    ),
    "enum of 40,000": lambda: ({"items": {"enum": list(range(MANY))}}, [-1] * 20_000),
    "enum of 16,000 objects": lambda: (
        {"items": {"enum": [{"k": i} for i in range(16_000)]}},
        [{"k": -1}] * 2000,
    ),
    "a huge const": lambda: ({"items": {"const": list(range(MANY))}}, [list(range(MANY))] * 20),
    "40,000 required": lambda: ({"items": {"required": list(names(MANY, 1))}}, [names(MANY, 1)] * 20),
    "40,000 dependent": lambda: (
        {"items": {"dependentRequired": {"p1": list(names(MANY, 1))}}},
        [{"p1": 1}] * 2000,
    ),
    "1.9 million integers": lambda: ({"type": "array", "items": {"type": "integer"}}, [1] * 1_900_000),
    "the last is wrong": lambda: ({"type": "array", "items": {"type": "integer"}}, [*[1] * 1_900_000, "x"]),
    "the first is wrong": lambda: ({"type": "array", "items": {"type": "integer"}}, ["x", *[1] * 1_900_000]),
    "1.9 million to differ": lambda: ({"uniqueItems": True}, list(range(1_900_000))),
    "80,000 objects to differ": lambda: (
        {"uniqueItems": True},
        [{"a": i, "b": [i, i]} for i in range(80_000)],
    ),
    "a million texts": lambda: ({"items": {"pattern": "^a"}}, ["abc"] * 1_000_000),
    "a million multiples": lambda: ({"items": {"multipleOf": 0.01}}, [19.99] * 1_000_000),
    "huge integers": lambda: (
        {"items": {"type": "integer", "minimum": 7}},
        [10**4000 + i for i in range(20_000)],
    ),
    "huge multiples": lambda: ({"items": {"multipleOf": 7}}, [7 * 10**4000] * 20_000),
    "half a million names": lambda: (
        {"additionalProperties": {"type": "integer"}, "properties": names(400, True)},
        names(500_000, 1),
    ),
    "1.5 million to contain": lambda: ({"items": {"contains": {"const": "zz"}}}, [["a"] * 1000] * 1500),
    "15 alternatives, a million times": lambda: (
        {"items": {"anyOf": [{"type": "string", "minLength": i} for i in range(15, 0, -1)]}},
        ["a"] * 1_000_000,
    ),
    "evaluated again": lambda: (
        {
            "items": {
                "anyOf": [{"properties": {f"a{i}": True}} for i in range(12)],
                "unevaluatedProperties": False,
            }
        },
        [{"a1": 1, "b": 2}] * 50_000,
    ),
    "mutual recursion of 4": lambda: (mutual(4, "allOf"), deep(120, [])),
    "mutual recursion of 6": lambda: (mutual(6, "anyOf"), deep(120, "x")),
    "mutual recursion of 8": lambda: (mutual(8, "oneOf"), deep(120, "x")),
    "mutual recursion, wide": lambda: (mutual(3, "anyOf"), deep(13, "x", 2)),
    "not not, deep": lambda: ({"not": {"not": {"items": {"$ref": "#"}}}}, deep(127, 1)),
    "lookaheads over long text": lambda: ({"items": {"pattern": "(?=.*a)(?=.*b)x"}}, ["a" * 20_000] * 5),
    "lookaheads over many texts": lambda: (
        {"items": {"pattern": r"^(?=(a+)+$)a"}},
        ["a" * 40 + "!"] * 20_000,
    ),
    "a costly pattern over long text": lambda: ({"pattern": "[01]*1[01]{400}x"}, "0110100" * 40_000),
}
