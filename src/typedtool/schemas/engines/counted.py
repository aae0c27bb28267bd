"""jsonschema with counted steps: the engine that can be stopped, and that explains what a schema refuses.

Every rule pays before it works, so that every schema ends at its deadline, in any thread.
"""

from __future__ import annotations

import functools
import math
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from typedtool.errors import BudgetExceeded
from typedtool.schemas.engines import rust
from typedtool.schemas.engines.library import known_class, registry_of, validator_class
from typedtool.schemas.engines.rules import NEVER, rules_of
from typedtool.schemas.engines.steps import Ended, open_account
from typedtool.schemas.refusals import Failure
from typedtool.values.budgets import DEFAULT_BUDGET, Budget
from typedtool.values.locations import json_pointer

__all__ = ["NEVER", "CountedValidator", "compiled", "metaschema_fault"]


class CountedValidator(Struct, frozen=True):
    """A schema compiled for jsonschema."""

    validator: Any
    budget: Budget

    def failures(
        self,
        value: Any,
        seconds: float,
        most: int,
        steps: float = math.inf,
        clock: Callable[[], float] = time.perf_counter,
    ) -> Iterator[Failure]:
        """What refuses `value`, at most `most` failures.

        Raises `BudgetExceeded` where `seconds` of the clock or `steps` are not enough, or the budget's limits for
        depth and patterns.
        """
        open_account(seconds, self.budget.seconds, self.budget.pattern_text, steps, clock)
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


def compiled(documents: Mapping[str, Any], dialect: str, formats: bool, budget: Budget) -> CountedValidator:
    """The document at "" compiled, every reference in it being to itself, to the others or to a metaschema."""
    cls = _class(dialect, formats)
    others = {uri: document for uri, document in documents.items() if uri}
    return CountedValidator(cls(documents[""], registry=registry_of(others, cls)), budget)


def metaschema_fault(schema: Any, dialect: str) -> tuple[str, str] | None:
    """As `rust.metaschema_fault`; patterns are not judged here."""
    validator = compiled({"": known_class(dialect).META_SCHEMA}, dialect, False, DEFAULT_BUDGET)
    for failure in validator.failures(schema, 2.0, 1):
        return failure.keyword, json_pointer(failure.steps)
    return None


@functools.cache
def _class(dialect: str, formats: bool) -> Any:
    base = known_class(dialect)
    return validator_class(base, rules_of(dialect, base.VALIDATORS, formats))
