"""Draws a hostile schema with a value that suits it: recursion, bombs, patterns and loops, by number."""

from __future__ import annotations

import random
from typing import Any

PATTERNS = (
    "^(a+)+$",
    "^(a|aa)+$",
    "(.*,){9}P",
    r"^(a+)+\1b$",
    r"^(?=(a+)+$)a",
    r"\s+$",
    "[01]*1[01]{20}x",
    "(?=.*a)(?=.*b)x",
    r"(?=[01]*1[01]{12}x)q",
    "^[a-z]{1,40}$",
    r"^\p{L}+$",
    r"[\w-.]+@",
    "(a?){60}a{60}",
)


class Draw:
    def __init__(self, number: int) -> None:
        self.random = random.Random(number)
        self.defs = self.random.choice((1, 2, 4, 6, 8, 10, 14))

    def ref(self) -> dict[str, Any]:
        return {"$ref": f"#/$defs/d{self.random.randrange(self.defs)}"}

    def leaf(self) -> Any:
        return self.random.choice(
            (
                True,
                {"type": "integer", "minimum": 1},
                {"type": "string", "pattern": self.random.choice(PATTERNS)},
                {"enum": [1, "a", None]},
                {"uniqueItems": True},
                {"multipleOf": 0.01},
                {"propertyNames": {"pattern": self.random.choice(PATTERNS)}},
                {"patternProperties": {self.random.choice(PATTERNS): True}, "additionalProperties": False},
            )
        )

    def below(self) -> Any:
        keyword = self.random.choice(
            (
                "items",
                "contains",
                "additionalProperties",
                "unevaluatedItems",
                "unevaluatedProperties",
                "properties",
            )
        )
        if keyword == "properties":
            return {keyword: {name: self.ref() for name in "abcd"[: self.random.randint(1, 4)]}}
        return {keyword: self.ref()}

    def schema(self, depth: int) -> Any:
        pick = self.random.random()
        if depth == 0 or pick < 0.2:
            return self.leaf() if self.random.random() < 0.4 else self.below()
        if pick < 0.3:
            return self.ref()  # on the same value: a bomb or a loop
        if pick < 0.4:
            return {**self.below(), **(self.below())}
        if pick < 0.5:
            return {"not": self.schema(depth - 1)}
        if pick < 0.6:
            return {"if": self.schema(depth - 1), "then": self.schema(depth - 1), "else": self.ref()}
        keyword = self.random.choice(("anyOf", "allOf", "oneOf"))
        return {keyword: [self.schema(depth - 1) for _ in range(self.random.randint(1, 4))]}

    def value(self) -> Any:
        text = self.random.choice(
            ("a" * 50 + "!", "01" * 2000, ",," * 100, " " * 20_000 + "x", "ab" * 10_000)
        )
        value: Any = self.random.choice((1, text, None, {}, 19.99, [text] * 100, float("nan")))
        for _ in range(self.random.choice((1, 4, 16, 64, 120, 2000))):
            width = self.random.choice((1, 1, 1, 2)) if self.random.random() < 0.1 else 1
            value = [value] * width if self.random.random() < 0.6 else {"abcd"[width]: value, "a": value}
            if width == 2 or isinstance(value, dict):
                self.budget = getattr(self, "budget", 12) - 1
                if self.budget < 0:  # shared parts multiply: enough of them
                    value = [value["a"]] if isinstance(value, dict) else value[:1]
        return value


def drawn(number: int) -> tuple[Any, Any]:
    draw = Draw(number)
    schema = {"$ref": "#/$defs/d0", "$defs": {f"d{i}": draw.schema(3) for i in range(draw.defs)}}
    return schema, draw.value()
