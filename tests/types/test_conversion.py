"""Values of JSON, and JSON text, as values of a type."""

from __future__ import annotations

import decimal
import types
from typing import Annotated, Any, Generic, TypeVar

import msgspec
import pytest
from msgspec import Meta, Struct

from type_samples import DECODED, A, B, Model, Page
from typedtool import Budget, BudgetExceeded, Ok
from typedtool.decoding.decoder import Decoder
from typedtool.types.conversion import Converter, NotFit
from typedtool.types.hints import type_name

T = TypeVar("T")


class Holder(Struct, Generic[T]):
    value: T


@pytest.mark.parametrize(
    ("out", "wire", "value"), DECODED, ids=[f"{type_name(o)}-{i}" for i, (o, _, _) in enumerate(DECODED)]
)
def test_a_value_decodes_to_its_type_from_structured_content_and_from_text(
    out: Any, wire: Any, value: Any
) -> None:
    decoder = Decoder(out)
    outcome = decoder.read({"content": [], "structuredContent": wire})
    assert isinstance(outcome, Ok), outcome
    assert outcome.value == value
    assert type(outcome.value) is type(value)
    text = msgspec.json.encode(wire).decode()
    if not isinstance(wire, str):
        assert decoder.decode({"content": [{"type": "text", "text": text}]}) == value


def test_numbers_in_text_keep_their_digits_for_a_decimal() -> None:
    result = {"content": [{"type": "text", "text": '{"price": 1.10}'}]}
    assert Decoder(dict[str, decimal.Decimal]).decode(result) == {"price": decimal.Decimal("1.10")}
    assert str(Decoder(dict[str, decimal.Decimal]).decode(result)["price"]) == "1.10"


class Tree(Struct):
    kids: list[Tree] = []


class Recursive(Struct):
    held: dict[str, Recursive] | None = None
    model: Model | None = None


def test_a_value_is_not_changed_by_decoding() -> None:
    for out, wire, _ in DECODED:
        before = repr(wire)
        Converter(out).convert(wire, Budget())
        assert repr(wire) == before


def test_a_type_that_holds_another_one_twice_is_not_recursive() -> None:
    assert not Converter(tuple[A, A, list[A]]).recursive


def test_only_a_type_that_nests_without_end_is_walked_first() -> None:
    """A class of a hook may hold anything."""
    recursive = [
        out for out in (int, A, list[A], Tree, Recursive, list[Tree], Model, Page) if Converter(out).recursive
    ]
    assert recursive == [Tree, Recursive, list[Tree], Model, Page]


@pytest.mark.parametrize("parsed", [True, False])
def test_a_value_too_deep_for_its_type_is_over_budget(parsed: bool) -> None:
    value: Any = {}
    for _ in range(200_000):
        value = {"kids": [value]}
    with pytest.raises(BudgetExceeded) as caught:
        Converter(Tree).convert(value, Budget(depth=7), parsed=parsed)
    assert (caught.value.what, caught.value.limit) == ("depth", 7)


def test_a_type_that_msgspec_cannot_decode_is_an_error_that_names_it() -> None:
    with pytest.raises(TypeError, match="int cannot be decoded from JSON: Can only set `min_length`"):
        Converter(Annotated[int, Meta(min_length=1)])


def test_strings_count_as_numbers_only_where_lax() -> None:
    assert Converter(list[int], lax=True).convert(["5", 2.0], Budget()) == [5, 2]
    assert Converter(list[int], lax=True).read(b'["5", 2.0]', ["5", 2.0], Budget()) == [5, 2]
    assert Converter(A, lax=True).convert({"x": "5"}, Budget()) == A(5)
    for tp, wire in ((list[int], ["5"]), (A, {"x": "5"})):
        with pytest.raises(NotFit):
            Converter(tp).convert(wire, Budget())
        with pytest.raises(NotFit):
            Converter(tp).read(msgspec.json.encode(wire), wire, Budget())


def test_text_is_read_once_where_msgspec_takes_it_and_as_its_value_where_a_hook_is_needed() -> None:
    assert Converter(A).read(b'{"x": 1}', None, Budget()) == A(1)
    assert Converter(Model).read(b"ignored", {"i": 1}, Budget()) == Model(i=1)
    assert Converter(A | B).read(b"ignored", {"x": 1, "y": 2}, Budget()) == B(1, 2)


def test_a_mapping_of_another_class_is_read_as_an_object() -> None:
    value = types.MappingProxyType({"x": 1})
    assert Converter(A).convert(value, Budget()) == A(1)
    assert Converter(dict[str, int]).convert(value, Budget()) == {"x": 1}


def test_keys_that_are_no_strings_are_read_from_strings() -> None:
    assert Converter(dict[int, int]).convert({"1": 2.0}, Budget()) == {1: 2}
    assert Converter(Holder[dict[int, int]]).convert({"value": {"1": 2}}, Budget()) == Holder({1: 2})
