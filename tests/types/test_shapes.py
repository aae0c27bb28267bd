"""The tree of a type's nodes, and what is asked of it."""

from __future__ import annotations

import datetime
import decimal
import enum
import pathlib
from typing import Any, Literal

import pytest
from msgspec import Struct, UnsetType

from type_samples import A, Cat, Dog, Row
from typedtool.types.reading import shape_of
from typedtool.types.shapes import UnionShape, children, kinds, members, nodes_of, tag_field_of

EVERY = {"null", "boolean", "integer", "number", "string", "array", "object"}


class Level(enum.Enum):
    LOW = 0
    HALF = 0.5


class Bird(Struct, tag_field="kind", tag="bird"):
    wings: int


@pytest.mark.parametrize(
    ("tp", "found"),
    [
        (None, {"null"}),
        (bool, {"boolean"}),
        (int, {"integer"}),
        (float, {"integer", "number"}),
        (str, {"string"}),
        (datetime.date, {"string"}),
        (decimal.Decimal | None, {"string", "integer", "number", "null"}),
        (Literal["a", 1, None, True], {"string", "integer", "null", "boolean"}),
        (Level, {"integer", "number"}),
        (list[int] | dict[str, int], {"array", "object"}),
        (tuple[int], {"array"}),
        (Row, {"array"}),
        (A, {"object"}),
        (UnsetType, set()),
        (Any, EVERY),
        (pathlib.Path, EVERY),
    ],
)
def test_kinds_are_those_of_the_values_that_fit(tp: Any, found: set[str]) -> None:
    assert kinds(shape_of(tp)) == found


def test_children_are_the_shapes_directly_inside() -> None:
    for tp, count in (
        (int, 0),
        (list[int], 1),
        (tuple[int, str], 2),
        (dict[str, int], 2),
        (int | str, 2),
        (Dog, 2),
    ):
        assert len(children(shape_of(tp))) == count


def test_every_node_is_met_once_however_often_it_is_referred_to() -> None:
    nodes = list(nodes_of(shape_of(dict[str, Dog])))
    assert len({id(n) for n in nodes}) == len(nodes)
    assert [type(n).__name__ for n in nodes].count("ObjectShape") == 2


def test_the_members_of_what_is_no_union_are_itself() -> None:
    shape, union = shape_of(int), shape_of(int | None)
    assert members(shape) == (shape,)
    assert isinstance(union, UnionShape)
    assert members(union) == union.members


@pytest.mark.parametrize(
    ("tp", "tag"),
    [
        (Cat | Dog, "type"),
        (Cat | Dog | None, "type"),
        (Cat | None, None),
        (Cat | A, None),
        (Cat | Bird, None),
    ],
)
def test_a_union_is_tagged_where_one_field_tells_all_its_objects_apart(tp: Any, tag: str | None) -> None:
    union = shape_of(tp)
    assert isinstance(union, UnionShape)
    assert tag_field_of(union) == tag
