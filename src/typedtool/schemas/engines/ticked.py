"""jsonschema, counted: the second engine, and the one that explains what a schema refuses.

Every keyword pays before it works, so that every schema ends at its deadline, in any thread.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from typedtool.errors import BudgetExceeded
from typedtool.schemas.engines import rust
from typedtool.schemas.engines.keywords import NEVER, Ended, keywords_of, library, open_account
from typedtool.values.budgets import DEFAULT_BUDGET, Budget
from typedtool.values.locations import json_pointer

__all__ = ["NEVER", "Failure", "Ticked", "compiled", "metaschema_fault"]


class Failure(Struct, frozen=True):
    """One keyword that refuses a value.

    steps: the way to `instance` in the value; rule: the way to the keyword in the schema.
    branches: for a failed `anyOf` or `oneOf`, what each of its schemas found.
    """

    keyword: str
    expected: Any
    instance: Any
    steps: tuple[Any, ...]
    rule: tuple[Any, ...]
    schema: Any = None
    branches: tuple[tuple[Failure, ...], ...] = ()
    extra: Any = None


class Ticked(Struct, frozen=True):
    """A schema compiled by the second engine."""

    validator: Any
    budget: Budget

    def failures(self, value: Any, seconds: float, most: int) -> Iterator[Failure]:
        """What refuses `value`, at most `most` failures.

        Raises `BudgetExceeded` where `seconds` are not enough, or the budget's limits for depth and patterns.
        """
        open_account(seconds, self.budget.seconds, self.budget.pattern_text)
        try:
            for error, _ in zip(self.validator.iter_errors(value), range(most), strict=False):
                yield _failure(error)
        except Ended as end:
            raise BudgetExceeded(end.what, end.limit) from None
        except rust.Exhausted:
            raise BudgetExceeded("pattern_text", self.budget.pattern_text) from None
        except RecursionError:
            raise BudgetExceeded("depth", self.budget.depth) from None


def _failure(error: Any, depth: int = 4) -> Failure:
    branches: dict[int, list[Failure]] = {}
    if depth:
        for inner in list(error.context)[:200]:
            branches.setdefault(inner.schema_path[0], []).append(_failure(inner, depth - 1))
    return Failure(
        str(error.validator),
        error.validator_value,
        error.instance,
        tuple(error.path),
        tuple(error.schema_path),
        error.schema,
        tuple(tuple(branch) for _, branch in sorted(branches.items())),
        getattr(error, "extra", None),
    )


def compiled(
    schema: Any, dialect: str, documents: Mapping[str, Any], formats: bool, budget: Budget
) -> Ticked:
    """The schema compiled, every reference in it being to itself, to `documents` or to a metaschema."""
    from jsonschema_specifications import REGISTRY  # type: ignore[import-untyped]
    from referencing import Resource
    from referencing.jsonschema import specification_with

    cls = _class(dialect, formats)
    default = specification_with(cls.META_SCHEMA["$schema"])
    registry: Any = REGISTRY.with_resources(
        (uri, Resource.from_contents(document, default_specification=default))
        for uri, document in documents.items()
    )
    return Ticked(cls(schema, registry=registry), budget)


def metaschema_fault(schema: Any, dialect: str) -> tuple[str, str] | None:
    """As `rust.metaschema_fault`; patterns are not judged here."""
    cls = _class(dialect, False)
    validator = compiled(cls.META_SCHEMA, dialect, {}, False, DEFAULT_BUDGET)
    for failure in validator.failures(schema, 2.0, 1):
        return failure.keyword, json_pointer(failure.steps)
    return None


@functools.cache
def _class(dialect: str, formats: bool) -> Any:
    known = library()
    base: Any = {
        "2020-12": known.Draft202012Validator,
        "2019-09": known.Draft201909Validator,
        "draft-07": known.Draft7Validator,
        "draft-06": known.Draft6Validator,
        "draft-04": known.Draft4Validator,
    }[dialect]
    return known.validators.extend(base, keywords_of(dialect, base.VALIDATORS, formats))
