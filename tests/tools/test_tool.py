"""`TypedTool`: how it is declared, and what a declaration knows at run time."""

from __future__ import annotations

import copy
import json
import pickle
from typing import Annotated, Any, Generic, Literal, Optional, TypeVar

import msgspec
import pytest
from msgspec import Meta
from typing_extensions import TypedDict

from forecasting import HOURS, Hour, Query
from typedtool import (
    Decoder,
    TypedTool,
    tool,
)

T = TypeVar("T")


class QueryDict(TypedDict, total=False):
    place: str


class Forecast(TypedTool[Query, list[Hour]]):
    pass


class ListTool(TypedTool[None, list[T]], Generic[T]):
    pass


class OptionalListTool(TypedTool[Optional[Query], Optional[list[T]]], Generic[T]):
    pass


PICKLED = [
    TypedTool[Query, list[Hour]]("f"),
    TypedTool("f", None, int, lax=True),
    tool("f", Query, Hour),
    Forecast("f"),
    ListTool[Hour]("f"),
]


@pytest.mark.parametrize(
    ("declared", "types"),
    [
        (TypedTool[Query, list[Hour]]("f"), (Query, list[Hour])),
        (TypedTool("f", Query, list[Hour]), (Query, list[Hour])),
        (tool("f", Query, list[Hour]), (Query, list[Hour])),
        (tool("f", None, int), (None, int)),
        (TypedTool[None, int]("f"), (None, int)),
        (TypedTool("f", None, Hour | None), (None, Hour | None)),
        (TypedTool[Query | None, int]("f"), (Query | None, int)),
        (TypedTool[Query]("f"), (Query, object)),
        (Forecast("f"), (Query, list[Hour])),
        (ListTool[Hour]("f"), (None, list[Hour])),
        (OptionalListTool[Hour]("f"), (Optional[Query], Optional[list[Hour]])),
    ],
    ids=repr,
)
def test_the_types_of_a_declaration_are_known_at_run_time(
    declared: TypedTool[Any, Any], types: tuple[Any, Any]
) -> None:
    assert (declared.input_type, declared.output_type) == types
    assert declared.name == "f"


def test_a_declaration_without_types_is_refused_with_the_way_out() -> None:
    with pytest.raises(TypeError, match=r"write TypedTool\[Input, Output\]\('f'\)"):
        _ = TypedTool("f").output_type
    annotated: TypedTool[Query, int] = TypedTool("f")
    with pytest.raises(TypeError, match="has no types"):
        annotated.read(HOURS)


def test_types_that_only_a_checker_could_resolve_are_refused() -> None:
    with pytest.raises(TypeError, match="string"):
        _ = TypedTool["Query", "list[Hour]"]("f").output_type
    with pytest.raises(TypeError, match="string"):
        TypedTool("f", None, list["Hour"])
    with pytest.raises(TypeError, match="type variable"):
        _ = ListTool("f").output_type
    with pytest.raises(TypeError, match="cannot be decoded"):
        TypedTool("f", None, complex).read(HOURS)


def test_unknown_options_are_refused_when_the_tool_is_declared() -> None:
    for options in ({"text": "nope"}, {"validate": "nope"}, {"on_bad_schema": "nope"}):
        with pytest.raises(ValueError, match="nope"):
            TypedTool("f", None, int, **options)
        with pytest.raises(ValueError, match="nope"):
            tool("f", None, int, **options)


def test_tools_copy_and_pickle() -> None:
    for declared in PICKLED:
        assert copy.copy(declared) is declared
        assert copy.deepcopy(declared) is declared
        loaded = pickle.loads(pickle.dumps(declared))
        assert type(loaded) is type(declared)
        assert (loaded.name, loaded.input_type, loaded.output_type) == (
            "f",
            declared.input_type,
            declared.output_type,
        )
        assert loaded.options == declared.options


def test_a_tool_without_a_name_says_so() -> None:
    nameless = TypedTool[None, int]()
    assert nameless.decode({"content": [], "structuredContent": 1}) == 1
    with pytest.raises(TypeError, match="has no name"):
        _ = nameless.name


def test_a_tool_in_any_other_class_is_the_tool() -> None:
    class Holder:
        f = TypedTool[None, int]("f")

    assert Holder().f is Holder.f


def test_literal_and_annotated_outs_work_in_all_forms() -> None:
    result = {"content": [], "structuredContent": "a"}
    assert TypedTool[None, Literal["a", "b"]]("f").decode(result) == "a"
    assert TypedTool("f", None, Annotated[str, Meta(max_length=1)]).decode(result) == "a"
    assert json.loads(msgspec.json.encode(tool("f", None, Any).decode(result))) == "a"


def test_a_keyword_that_is_no_option_is_refused() -> None:
    wrong: Any = {"relaxed": True}
    for declare in (TypedTool[None, int], tool):
        with pytest.raises(TypeError, match="relaxed"):
            declare("f", *(() if declare is not tool else (None, int)), **wrong)
    with pytest.raises(TypeError, match="relaxed"):
        Decoder(int, **wrong)
