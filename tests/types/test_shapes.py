"""The tree of a type's nodes."""

from __future__ import annotations

import decimal
from typing import Literal

from type_samples import Row
from typedtool.types.reading import shape_of
from typedtool.types.shapes import kinds


def test_kinds_are_those_of_the_values_that_fit() -> None:
    assert kinds(shape_of(decimal.Decimal | None)) == {"string", "integer", "number", "null"}
    assert kinds(shape_of(list[int] | dict[str, int])) == {"array", "object"}
    assert kinds(shape_of(Row)) == {"array"}
    assert kinds(shape_of(Literal["a", 1, None])) == {"string", "integer", "null"}
