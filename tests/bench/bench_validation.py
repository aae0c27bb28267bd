"""Validated decode as ratios: to bare `msgspec.convert`, and to the official client's own validation.

    python tests/bench/bench_validation.py [ROUNDS]

What is compared, and how, is in `interleaved`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, Literal, Union

import msgspec
from msgspec import Struct

from interleaved import Contender, ratios, table
from typedtool.schemas.schema import parse_schema


class Hour(Struct):
    hour: str
    temp: float
    conditions: str


class Row(Struct):
    id: int
    name: str
    price: float
    active: bool
    tag: str
    note: str | None = None


class User(Struct):
    login: str
    id: int
    admin: bool = False


class Label(Struct):
    name: str
    color: str


class Comment(Struct):
    author: User
    body: str
    reactions: dict[str, int]


class Issue(Struct):
    number: int
    title: str
    user: User
    labels: list[Label]
    assignees: list[User]
    comments: list[Comment]
    state: Literal["open", "closed"]


SHAPES = [
    msgspec.defstruct(f"Shape{i}", [("x", float), ("y", float), ("name", str)], tag=f"k{i}", tag_field="kind")
    for i in range(40)
]
Shape = Union[tuple(SHAPES)]  # type: ignore[valid-type]

USER = {
    "type": "object",
    "properties": {"login": {"type": "string"}, "id": {"type": "integer"}, "admin": {"type": "boolean"}},
    "required": ["login", "id"],
}


def objects(properties: dict[str, Any], required: list[str]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": required}


def array(items: Any) -> dict[str, Any]:
    return {"type": "array", "items": items}


STRING, NUMBER, INTEGER = {"type": "string"}, {"type": "number"}, {"type": "integer"}
HOURS = array(objects({"hour": STRING, "temp": NUMBER, "conditions": STRING}, ["hour", "temp", "conditions"]))
ROWS = array(
    objects(
        {
            "id": INTEGER,
            "name": STRING,
            "price": NUMBER,
            "active": {"type": "boolean"},
            "tag": STRING,
            "note": {"type": ["string", "null"]},
        },
        ["id", "name", "price", "active", "tag"],
    )
)
ISSUE = {
    **objects(
        {
            "number": INTEGER,
            "title": STRING,
            "user": {"$ref": "#/$defs/User"},
            "labels": array(objects({"name": STRING, "color": STRING}, ["name", "color"])),
            "assignees": array({"$ref": "#/$defs/User"}),
            "comments": array(
                objects(
                    {
                        "author": {"$ref": "#/$defs/User"},
                        "body": STRING,
                        "reactions": {"type": "object", "additionalProperties": INTEGER},
                    },
                    ["author", "body"],
                )
            ),
            "state": {"enum": ["open", "closed"]},
        },
        ["number", "title", "user", "state"],
    ),
    "$defs": {"User": USER},
}
UNION = array(
    {
        "anyOf": [
            objects(
                {"kind": {"const": f"k{i}"}, "x": NUMBER, "y": NUMBER, "name": STRING}, ["kind", "x", "y"]
            )
            for i in range(40)
        ]
    }
)


def user(i: int) -> dict[str, Any]:
    return {"login": f"user{i}", "id": i, "admin": False}


WORK: dict[str, tuple[Any, Any, Any]] = {
    "3 forecasts": (
        HOURS,
        list[Hour],
        [{"hour": f"{h}:00", "temp": 20.5 + h, "conditions": "sunny"} for h in range(3)],
    ),
    "1,000 rows": (
        ROWS,
        list[Row],
        [
            {
                "id": i,
                "name": f"name {i}",
                "price": i * 1.5,
                "active": i % 2 == 0,
                "tag": f"t{i % 7}",
                "note": None if i % 3 else "n",
            }
            for i in range(1000)
        ],
    ),
    "issue": (
        ISSUE,
        Issue,
        {
            "number": 7,
            "title": "t",
            "user": user(1),
            "labels": [{"name": f"l{i}", "color": "fff"} for i in range(8)],
            "assignees": [user(i) for i in range(10)],
            "state": "open",
            "comments": [
                {"author": user(i), "body": "text " * 5, "reactions": {"up": i, "down": 1}} for i in range(16)
            ],
        },
    ),
    "40-way union": (
        UNION,
        list[Shape],
        [{"kind": f"k{i % 40}", "x": 1.0, "y": i * 0.5, "name": "s"} for i in range(0, 90, 3)],
    ),
}


def of_sdk(schema: Any) -> Callable[[Any], Any]:
    """What mcp 2.3's `ClientSession.validate_tool_result` does with a value, its validator being cached."""
    from jsonschema.exceptions import best_match
    from jsonschema.validators import validator_for
    from referencing import Registry

    validator = validator_for(schema)({**schema}, registry=Registry())
    return lambda value: best_match(validator.iter_errors(value))


def contenders(name: str) -> dict[str, Contender]:
    """What is compared for one kind of value, bare convert first. Each raises where it comes to another answer."""
    document, kind, value = WORK[name]
    schema = parse_schema(document)
    wrapper = msgspec.defstruct("Wrapper", [("v", kind)])
    sdk = of_sdk(document)
    assert schema.validate(value) == ()
    assert sdk(value) is None

    def convert() -> Any:
        return msgspec.convert({"v": value}, wrapper).v

    def validated() -> Any:
        if schema.validate(value):
            raise AssertionError
        return convert()

    return {
        "msgspec.convert": convert,
        "validated decode": validated,
        "validation alone": lambda: schema.validate(value),
        "SDK's validation": lambda: sdk(value),
    }


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    for name in WORK:
        found = ratios(contenders(name), rounds)
        faster = found["SDK's validation"][0] / found["validation alone"][0]
        print(table(name, found) + f"\n  the SDK's validation takes {faster:.0f} times ours")


if __name__ == "__main__":
    main()
