"""`parse_schema` and `Schema`."""

from __future__ import annotations

from typing_extensions import assert_type

from typedtool import Budget, Caller, Problem, Schema, parse_schema

DOCUMENT: dict[str, object] = {"type": "integer"}


async def run(client: Caller) -> None:
    schema = parse_schema(DOCUMENT)
    assert_type(schema, Schema)
    assert_type(schema.validate(1), tuple[Problem, ...])
    assert schema.validate(1) == ()
    assert [problem.path for problem in schema.validate("1")] == ["$"]
    assert_type(parse_schema(DOCUMENT, Budget(depth=8)), Schema)


def refused(schema: Schema) -> None:
    parse_schema()  # E
    parse_schema(DOCUMENT, 8)  # E
    schema.validate()  # E
    x: bool = schema.validate(1)  # E
    schema.nope  # E
