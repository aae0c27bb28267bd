"""Untagged unions: which of them msgspec refuses, and which member reads a value best."""

from __future__ import annotations

import datetime
import decimal
import itertools
import pathlib
import uuid
from typing import Annotated, Any, Literal, Optional, Union

import msgspec
import pytest
from msgspec import Meta

from type_samples import A, B, Cat, Data, Dictionary, Dog, Named, Row
from typedtool import Mismatch, OneOf
from typedtool.decoding.decoder import Decoder
from typedtool.types.conversion import Converter
from typedtool.types.reading import shape_of
from typedtool.types.shapes import UnionShape
from typedtool.types.unions import is_mixed, is_opaque, is_refused, loss, needs_hook, rank

MEMBERS = [
    A, B, Cat, Dog, Row, Named, Dictionary, Data, int, float, bool, str, None, list[int], set[int],
    tuple[int, str], dict[str, int], datetime.datetime, uuid.UUID, decimal.Decimal, bytes, Literal["x"],
    Literal[1], Any, pathlib.Path,
]  # fmt: skip


def test_every_union_that_msgspec_refuses_is_known() -> None:
    """Too much may be lowered (it costs time), never too little (it would be a TypeError)."""
    for pair in itertools.combinations(MEMBERS, 2):
        shape = shape_of(Union[pair])
        if not isinstance(shape, UnionShape):
            continue
        try:
            msgspec.json.Decoder(Union[pair])
        except TypeError:
            if Data in pair or Dictionary in pair or Named in pair:
                continue  # refused for what is inside of them
            assert is_refused(shape), pair
        Converter(Union[pair])


@pytest.mark.parametrize(
    "union",
    [
        A | None,
        A | int | str | list[int],
        Cat | Dog,
        Cat | Dog | None | str,
        int | float,
        int | decimal.Decimal,
        Literal["a"] | Literal["b", 1],
        Any | A,
        pathlib.Path | None,
        tuple[int, str] | None,
        Annotated[list[int], Meta(min_length=1)] | None,
    ],
)
def test_a_union_that_msgspec_takes_stays_with_msgspec(union: Any) -> None:
    shape = shape_of(union)
    assert isinstance(shape, UnionShape)
    assert not is_refused(shape)
    msgspec.json.Decoder(union, dec_hook=lambda tp, value: value)


@pytest.mark.parametrize(
    ("tp", "opaque", "mixed", "hooked"),
    [
        (OneOf[A, B], True, False, True),
        (Optional[OneOf[A, B]], True, True, True),
        (Union[OneOf[A, B], int], False, True, True),
        (A | B, False, False, True),
        (Cat | Dog, False, False, False),
    ],
)
def test_a_one_of_is_left_to_the_hook(tp: Any, opaque: bool, mixed: bool, hooked: bool) -> None:
    shape = shape_of(tp)
    assert isinstance(shape, UnionShape)
    assert (is_opaque(shape), is_mixed(shape), needs_hook(shape)) == (opaque, mixed, hooked)


def test_only_unions_and_custom_classes_need_the_hook() -> None:
    assert needs_hook(shape_of(pathlib.Path))
    assert not needs_hook(shape_of(A))


def test_the_narrowest_member_is_tried_first() -> None:
    order = [
        Literal["a"],
        int,
        datetime.date,
        float,
        decimal.Decimal,
        pathlib.Path,
        dict[str, int],
        bytes,
        str,
        Any,
    ]
    assert [rank(shape_of(tp)) for tp in order] == [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
    assert rank(shape_of(A)) == rank(shape_of(list[int])) == rank(shape_of(bool)) == 1


@pytest.mark.parametrize(
    ("tp", "value", "unread"),
    [
        (A, {"x": 1}, (0, 0)),
        (A, {"x": 1, "y": 2, "z": 3}, (0, 2)),
        (B, {"z": 1}, (2, 1)),
        (B, {}, (0, 0)),
        (Cat, {"type": "cat"}, (0, 0)),
        (dict[str, int], {"x": 1}, (1, 0)),
        (Any, {"x": 1}, (3, 0)),
        (list[A], [{"x": 1, "y": 1}, {"z": 1}], (2, 2)),
        (list[A | B], [{"x": 1, "y": 1}], (0, 0)),
        (list[A], [{"y": 1}] * 200, (200, 100)),
        (tuple[A, A], [{"z": 1}], (0, 0)),
        (int, 5, (0, 0)),
    ],
)
def test_a_member_loses_the_keys_that_it_does_not_read(tp: Any, value: Any, unread: tuple[int, int]) -> None:
    assert loss(shape_of(tp), value) == unread


@pytest.mark.parametrize(
    "bounded",
    [
        Annotated[int, Meta(ge=0)],
        Annotated[str, Meta(min_length=1)],
        Annotated[dict[str, int], Meta(max_length=2)],
    ],
)
def test_a_tuple_beside_a_member_with_bounds_is_kept_from_msgspec_which_would_corrupt_memory(
    bounded: Any,
) -> None:
    union = Union[tuple[int, str], bounded]
    holder = msgspec.defstruct("Holder", [("value", Optional[union], None)])
    for out, wire in ((union, lambda v: v), (holder, lambda v: {"value": v})):
        outcome = Decoder(out).read({"content": [], "structuredContent": wire([1])})
        assert isinstance(outcome, Mismatch)
        assert "expected at least 2 items, received array of 1 item" in str(outcome)
        fits = Decoder(out).decode({"content": [], "structuredContent": wire([1, "x"])})
        assert fits in ((1, "x"), holder((1, "x")))
    shape = shape_of(union)
    assert isinstance(shape, UnionShape)
    assert is_refused(shape)
