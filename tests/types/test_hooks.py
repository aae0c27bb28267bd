"""Classes that msgspec leaves to a hook: made from JSON, and back."""

from __future__ import annotations

import collections
import datetime
import decimal
import ipaddress
import pathlib
import re
from typing import Annotated, Any

import pydantic
import pytest
from pydantic_core import PydanticCustomError

from type_samples import A, Model
from typedtool.types.conversion import Converter
from typedtool.types.hooks import (
    collection_type,
    convert_custom,
    custom_problems,
    encode_custom,
    is_supported,
)


class Aliased(pydantic.BaseModel):
    inner: int = pydantic.Field(alias="outer")
    unset: int = 0
    when: datetime.date | None = None


def hook(tp: Any, value: Any) -> Any:
    raise AssertionError("no class of a hook is inside")


@pytest.mark.parametrize(
    "cls",
    [
        Model, pathlib.Path, pathlib.PurePosixPath, ipaddress.IPv4Address, ipaddress.IPv6Network, re.Pattern,
        collections.deque, collections.OrderedDict, collections.defaultdict, collections.Counter,
    ],
)  # fmt: skip
def test_the_classes_that_users_need_are_supported(cls: Any) -> None:
    assert is_supported(cls)


@pytest.mark.parametrize("cls", [complex, range, object, collections.ChainMap, type])
def test_a_class_that_nobody_knows_is_refused_with_the_way_out(cls: Any) -> None:
    assert not is_supported(cls)
    if cls is not object:
        with pytest.raises(
            TypeError, match=f"{cls.__name__} cannot be decoded from JSON: use a msgspec Struct"
        ):
            Converter(list[cls])


@pytest.mark.parametrize(
    ("tp", "value", "made"),
    [
        (pathlib.PurePosixPath, "/a", pathlib.PurePosixPath("/a")),
        (re.Pattern, "a+", re.compile("a+")),
        (re.Pattern[str], "a+", re.compile("a+")),
        (collections.deque[int], [1], collections.deque([1])),
        (collections.deque, [1, "a"], collections.deque([1, "a"])),
        (collections.OrderedDict[str, int], {"a": 1}, collections.OrderedDict(a=1)),
        (collections.OrderedDict, {"a": "b"}, collections.OrderedDict(a="b")),
        (collections.Counter[str], {"a": 1}, collections.Counter(a=1)),
        (collections.Counter, {"a": 1}, collections.Counter(a=1)),
        (collections.defaultdict[str, list[int]], {"a": [1]}, collections.defaultdict(None, a=[1])),
        (Model, {"i": 1}, Model(i=1)),
        (Model, {"i": 1.0}, Model(i=1)),
        (Aliased, {"outer": 1, "when": "2026-01-02"}, Aliased(outer=1, when=datetime.date(2026, 1, 2))),
    ],
)
def test_a_value_becomes_an_object_of_its_class(tp: Any, value: Any, made: Any) -> None:
    found = convert_custom(tp, value, hook)
    assert found == made
    assert type(found) is type(made)


@pytest.mark.parametrize(
    ("tp", "value", "message"),
    [
        (pathlib.PurePosixPath, 5, "expected a string for PurePosixPath"),
        (re.Pattern, "(", "not a regular expression"),
        (collections.deque[int], ["a"], "Expected `int`"),
        (collections.Counter[str], {"a": "b"}, "Expected `int`"),
        (collections.OrderedDict[int, int], {"a": 1}, "Expected `int`"),
        (Model, {"i": "5"}, "valid integer"),
        (Model, {"i": 1.5}, "valid integer"),
        (ipaddress.IPv4Address, "a", "4 octets"),
    ],
)
def test_a_value_that_does_not_fit_is_a_value_error(tp: Any, value: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        convert_custom(tp, value, hook)


def test_a_model_reads_numbers_from_strings_only_where_it_may() -> None:
    assert convert_custom(Model, {"i": "5"}, hook, lax=True) == Model(i=5)
    assert convert_custom(Model, {"i": "5", "f": 1.0}, hook, lax=True) == Model(i=5, f=1)
    assert convert_custom(Model, {"i": 1.0, "f": "0.5"}, hook, lax=True) == Model(i=1, f=0.5)


def test_classes_of_collections_are_made_from_lists_and_dicts() -> None:
    assert collection_type(collections.deque[int]) == list[int]
    assert collection_type(collections.deque) == list[Any]
    assert collection_type(collections.Counter[str]) == dict[str, int]
    assert collection_type(collections.Counter) == dict[Any, Any]
    assert collection_type(collections.OrderedDict[str, A]) == dict[str, A]
    assert collection_type(pathlib.Path) is None


@pytest.mark.parametrize(
    ("value", "encoded"),
    [
        (Model(i=1), {"i": 1}),
        (Aliased(outer=1, when=datetime.date(2026, 1, 2)), {"outer": 1, "when": "2026-01-02"}),
        (pathlib.PurePosixPath("/a"), "/a"),
        (ipaddress.IPv4Address("10.0.0.1"), "10.0.0.1"),
        (re.compile("a+"), "a+"),
        (collections.deque([1]), [1]),
    ],
)
def test_an_object_is_encoded_as_it_came(value: Any, encoded: Any) -> None:
    assert encode_custom(value) == encoded


def test_what_has_no_json_form_is_said_by_the_name_of_its_class() -> None:
    with pytest.raises(NotImplementedError, match="a complex has no JSON form"):
        encode_custom(1j)


def test_a_place_inside_a_union_of_a_model_leads_through_the_value() -> None:
    class Either(pydantic.BaseModel):
        parts: list[int | Model]

    value = {"parts": [1, {"i": "x"}]}
    with pytest.raises(ValueError) as caught:
        convert_custom(Either, value, hook)
    problems = custom_problems(Either, value, caught.value, "$.a")
    assert [p.path for p in problems] == ["$.a.parts[1]", "$.a.parts[1].i"]


class Odd(pydantic.BaseModel):
    """Errors that pydantic and its users give with bounds, inputs and contexts of any kind."""

    price: decimal.Decimal = pydantic.Field(decimal.Decimal(5), gt=decimal.Decimal("1.5"))
    day: datetime.date = pydantic.Field(datetime.date(2026, 1, 2), ge=datetime.date(2020, 1, 1))
    parts: Annotated[collections.deque[int], pydantic.Field(min_length=1)] = collections.deque([1])
    other: int = 0

    @pydantic.field_validator("other")
    @classmethod
    def refuse(cls, value: int) -> int:
        if value:
            raise PydanticCustomError("enum", "secret")
        return value


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (
            {"price": "1.0"},
            "exclusiveMinimum: expected more than 1.5, received string of 3 characters at $.price",
        ),
        (
            {"day": "2000-01-01"},
            "minimum: expected at least 2020-01-01, received string of 10 characters at $.day",
        ),
        ({"parts": []}, "minItems: expected at least 1 item, received array of 0 items at $.parts"),
        ({"other": 1}, "type: expected what enum allows, received integer at $.other"),
    ],
)
def test_a_bound_of_any_class_is_said(value: Any, said: str) -> None:
    with pytest.raises(ValueError) as caught:
        convert_custom(Odd, value, hook)
    (problem,) = custom_problems(Odd, value, caught.value, "$")
    assert f"{problem.code}: {problem}" == said


def test_a_missing_field_is_placed_where_it_should_be() -> None:
    with pytest.raises(ValueError) as caught:
        convert_custom(Aliased, {}, hook)
    (problem,) = custom_problems(Aliased, {}, caught.value, "$")
    assert (problem.code, problem.path, problem.received) == ("required", "$.outer", "nothing")
