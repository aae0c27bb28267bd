"""What the decode rules ask of a type."""

from __future__ import annotations

import datetime
from typing import Annotated, Any, Optional

import pytest
from msgspec import Meta, Struct

from type_samples import A, B, Named, Row
from typedtool import Budget
from typedtool.types.plan import plan_of
from typedtool.types.traits import Traits, elements_lost


class HasResult(Struct):
    result: int


class Tagged(Struct, tag_field="result", tag="x"):
    a: int


def traits(tp: Any) -> Traits:
    return plan_of(tp).traits


ASKED = ("takes_null", "takes_string", "is_text", "is_open", "reads_result", "is_union", "is_sequence")


@pytest.mark.parametrize(
    ("tp", "said"),
    [
        (int, ""),
        (str, "takes_string is_text"),
        (Annotated[str, Meta(min_length=1)], "takes_string is_text"),
        (datetime.date, "takes_string"),
        (str | None, "takes_null takes_string is_union"),
        (None, "takes_null"),
        (Any, "takes_null takes_string is_open"),
        (object, "takes_null takes_string is_open"),
        (dict[str, int], "is_open"),
        (dict[str, int] | int, "is_open is_union"),
        (A, ""),
        (HasResult, "reads_result"),
        (HasResult | None, "takes_null reads_result is_union"),
        (Tagged, "reads_result"),
        (list[int], "is_sequence"),
        (set[int] | None, "takes_null is_union is_sequence"),
        (tuple[int, str], "is_sequence"),
        (Row, "is_sequence"),
        (Named, "is_sequence"),
        (list[int] | dict[str, int], "is_open is_union"),
        (list[int] | str, "takes_string is_union"),
    ],
)
def test_a_type_says_what_the_rules_ask(tp: Any, said: str) -> None:
    assert [name for name in ASKED if getattr(traits(tp), name)] == said.split()


@pytest.mark.parametrize(
    ("tp", "length", "items"),
    [
        (int, None, []),
        (list[int], None, [int]),
        (Optional[list[A]], None, [A]),
        (tuple[int, str], 2, [int, str]),
        (tuple[()], 0, []),
        (Row, 2, [int, str]),
        (list[int] | set[str], None, []),
    ],
)
def test_a_sequence_has_a_converter_for_its_elements(tp: Any, length: int | None, items: list[Any]) -> None:
    found = traits(tp)
    assert found.length == length
    assert [c.shape.type for c in found.items] == items


def test_elements_of_a_list_are_alike_and_those_of_a_tuple_have_their_own_types() -> None:
    assert traits(list[int]).item(7) is traits(list[int]).items[0]
    pair = traits(tuple[int, str])
    assert (pair.item(0), pair.item(1), pair.item(2)) == (*pair.items, None)
    assert [pair.item_is_text(i) for i in range(3)] == [False, True, False]
    assert traits(list[str]).item_is_text(5)


def test_an_element_fits_where_it_decodes() -> None:
    pair, budget = traits(tuple[int, str]), Budget()
    assert pair.item_fits(0, 1.0, budget)
    assert not pair.item_fits(0, "a", budget)
    assert pair.item_fits(2, "a", budget)  # past the end: the count of the blocks is what is wrong
    deep: Any = []
    for _ in range(2_000):
        deep = [deep]
    assert not traits(list[A | B]).item_fits(0, deep, budget)


@pytest.mark.parametrize(
    ("tp", "text", "fits"),
    [
        (list[str], "a", True),
        (list[datetime.date], "2026-01-02", True),
        (list[datetime.date], "soon", False),
        (list[int], "5", False),
        (list[Any], "a", False),
        (list[object | None], "a", False),
        (tuple[str], "a", True),
    ],
)
def test_bare_text_is_an_element_only_of_a_string_kind(tp: Any, text: str, fits: bool) -> None:
    assert traits(tp).item_fits_bare(0, text, Budget()) is fits
    assert not traits(tuple[str]).item_fits_bare(1, text, Budget())


@pytest.mark.parametrize(
    ("tp", "strings", "arrays", "null"),
    [
        (int, False, False, False),
        (list[int], False, False, False),
        (list[str], True, False, False),
        (list[str | None], True, False, True),
        (list[Any], False, False, False),
        (list[list[int]], False, True, False),
        (list[Row | None], False, True, True),
        (tuple[str, None], True, False, False),
        (tuple[list[int], str], False, False, False),
    ],
)
def test_the_kinds_of_the_elements_are_known_as_far_as_the_type_says(
    tp: Any, strings: bool, arrays: bool, null: bool
) -> None:
    found = traits(tp)
    assert (found.items_take_strings, found.items_take_arrays, found.items_take_null) == (
        strings,
        arrays,
        null,
    )


def array(items: Any) -> dict[str, Any]:
    return {"type": "array", "items": items}


def nested(depth: int) -> Any:
    return {"type": "null"} if depth == 0 else {"anyOf": [nested(depth - 1)]}


@pytest.mark.parametrize(
    ("tp", "schema", "lost"),
    [
        (list[int], None, ""),
        (list[int], True, ""),
        (list[int], array({"type": "integer"}), ""),
        (list[int], array({"type": ["integer", "null"]}), "null"),
        (list[int | None], array({"type": "integer"}), "null"),
        (list[list[int]], None, "an array"),
        (list[Any], array({"type": "array"}), "an array"),
        (list[Any], array({"type": ["array", "null"]}), "null"),
        (list[Any], array({"anyOf": [{"type": "string"}, {"type": "null"}]}), "null"),
        (list[Any], array({"oneOf": [{"type": "string"}, {"type": "array"}]}), "an array"),
        (list[Any], array({"anyOf": [{"type": "string"}] * 20 + [{"type": "null"}]}), ""),
        (list[Any], array(nested(7)), "null"),
        (list[Any], array(nested(8)), ""),
        (list[Any], array(True), ""),
        (list[Any], {"properties": {"result": array({"type": "null"})}}, "null"),
        (list[Any], {"properties": {"result": array({"type": "null"}), "more": {}}}, ""),
        (list[Any], {"anyOf": [{"type": "null"}, array({"type": "null"})]}, "null"),
        (list[Any], {"oneOf": [{"type": "null"}, array({"type": "array"})]}, "an array"),
        (list[Any], {"anyOf": [array({"type": "null"}), array({"type": "null"})]}, ""),
        (list[Any], {"anyOf": "text"}, ""),
        (
            list[Any],
            {"$ref": "#/$defs/a", "$defs": {"a": array({"$ref": "#/$defs/b"}), "b": {"type": "null"}}},
            "null",
        ),
        (tuple[int, None], array({"type": "null"}), ""),
    ],
)
def test_elements_that_one_block_each_cannot_show_are_named(tp: Any, schema: Any, lost: str) -> None:
    assert elements_lost(traits(tp), schema) == lost
