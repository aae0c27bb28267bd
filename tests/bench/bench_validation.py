"""Validated decode as ratios: to bare `msgspec.convert`, and to the official client's own validation.

    python tests/bench/bench_validation.py [ROUNDS]

All candidates run in turn within each round, and each ratio is the median of its rounds' ratios: what else
the machine does in the meantime hits them alike. Times are this thread's CPU time.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from typing import Any, Literal, Union

import msgspec
from msgspec import Struct

from typedtool.schemas import parse_schema


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


def clocked(run: Callable[[], Any], least: float) -> float:
    """Seconds for one run: of as many as take `least` seconds together."""
    count = 0
    start = time.thread_time()
    while True:
        run()
        count += 1
        took = time.thread_time() - start
        if took >= least:
            return took / count


def ratios(name: str, rounds: int, least: float = 0.004) -> dict[str, float]:
    """Medians over interleaved rounds, bare convert being 1; and the SDK's validation, ours being 1."""
    document, kind, value = WORK[name]
    schema = parse_schema(document)
    wrapper = msgspec.defstruct("Wrapper", [("v", kind)])
    sdk = of_sdk(document)
    assert schema.validate(value) == () and sdk(value) is None

    def convert() -> Any:
        return msgspec.convert({"v": value}, wrapper).v

    def both() -> Any:
        if schema.validate(value):
            raise AssertionError
        return convert()

    candidates: dict[str, Callable[[], Any]] = {
        "convert": convert,
        "validated": both,
        "validate": lambda: schema.validate(value),
        "sdk": lambda: sdk(value),
    }
    taken: dict[str, list[float]] = {key: [] for key in candidates}
    for _ in range(rounds):
        for key, run in candidates.items():
            taken[key].append(clocked(run, least))
    pairs = zip(taken["convert"], taken["validated"], taken["validate"], taken["sdk"], strict=True)
    rows = [
        (validated / bare, validate / bare, sdk / validate, bare) for bare, validated, validate, sdk in pairs
    ]
    middle = [statistics.median(column) for column in zip(*rows, strict=True)]
    return dict(
        zip(
            ("validated decode", "validation alone", "SDK validation, times ours", "convert, s"),
            middle,
            strict=True,
        )
    )


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    heads = ("validated decode", "validation alone", "SDK / ours", "convert")
    print(f"{'':14} {heads[0]:>18} {heads[1]:>18} {heads[2]:>12} {heads[3]:>12}")
    for name in WORK:
        found = list(ratios(name, rounds).values())
        print(f"{name:14} {found[0]:17.2f}x {found[1]:17.2f}x {found[2]:11.0f}x {found[3] * 1e6:9.1f} µs")


if __name__ == "__main__":
    main()
