"""Schemas that are safe to use: `parse_schema(schema) -> Schema`, `Schema.validate(value) -> problems`."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from typedtool.budgets import DEFAULT_BUDGET, Budget
from typedtool.errors import InvalidSchema, Problem, kind_of, path_segment

__all__ = ["Schema", "parse_schema"]


class Schema(Struct, frozen=True):
    """A JSON Schema that was admitted: `document` is it as it came."""

    document: Any
    _validator: Any
    _limit: int

    def validate(self, value: object) -> tuple[Problem, ...]:
        """What the schema says against `value`; nothing where it is valid."""
        problems: list[Problem] = []
        for error in self._validator.iter_errors(value):
            path = "$" + "".join(map(path_segment, error.absolute_path))
            problems.append(
                Problem(str(error.validator), path, f"what {error.validator} says", kind_of(error.instance))
            )
            if len(problems) == self._limit:
                break
        return tuple(problems)


def parse_schema(schema: object, budget: Budget = DEFAULT_BUDGET, *, tool: str = "") -> Schema:
    """Admit a schema of dialect 2020-12, with an empty registry."""
    import jsonschema
    from referencing import Registry

    try:
        jsonschema.Draft202012Validator.check_schema(schema)  # type: ignore[arg-type]
    except jsonschema.SchemaError as error:
        pointer = "".join(f"/{step}" for step in error.absolute_path)
        raise InvalidSchema("the metaschema refuses it", str(error.validator), pointer, tool) from error
    validator: Any = jsonschema.Draft202012Validator(schema, registry=Registry())  # type: ignore[arg-type]
    return Schema(schema, validator, budget.problems)
