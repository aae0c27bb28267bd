"""TypedTool, BoundTool and Toolset: declaring, calling, binding."""

from __future__ import annotations

import copy
import decimal
import json
import pathlib
import pickle
import warnings
from collections.abc import Awaitable, Callable
from typing import Annotated, Any, Generic, Literal, Optional, TypeVar

import anyio
import msgspec
import pydantic
import pytest
from msgspec import UNSET, Meta, Struct, UnsetType
from typing_extensions import TypedDict

from connecting import ANY, KINDS, connect, logged, text
from connecting import tool as listed
from typedtool import (
    InvalidArguments,
    InvalidSchema,
    Mismatch,
    MismatchError,
    Ok,
    Outcome,
    ToolFailed,
    ToolFailedError,
    ToolNotFound,
    Toolset,
    TypedTool,
    TypedToolError,
    TypedToolWarning,
    UnsupportedDialect,
    tolerant,
    tool,
)

T = TypeVar("T")


class Query(Struct, rename="camel"):
    place_name: str
    unit: str | UnsetType = UNSET
    days: int = 1


class Hour(Struct):
    hour: str
    temp: float


class QueryDict(TypedDict, total=False):
    place: str


class Forecast(TypedTool[Query, list[Hour]]):
    pass


class ListTool(TypedTool[None, list[T]], Generic[T]):
    pass


class OptionalListTool(TypedTool[Optional[Query], Optional[list[T]]], Generic[T]):
    pass


HOURS = {"content": [], "structuredContent": [{"hour": "1", "temp": 2}]}
# module level, so that they pickle
PICKLED = [
    TypedTool[Query, list[Hour]]("f"),
    TypedTool("f", None, int, lax=True),
    tool("f", Query, Hour),
    Forecast("f"),
    ListTool[Hour]("f"),
]

Run = Callable[[Callable[[], Awaitable[None]]], None]


# --- declaring ------------------------------------------------------------------------------------------------------


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


# --- arguments ------------------------------------------------------------------------------------------------------


def calls(
    run: Callable[[Any], Awaitable[Any]], tmp_path: pathlib.Path, *tools: dict[str, Any], answer: Any = None
) -> list[Any]:
    """What `run(client)` sends as the arguments of its calls."""
    log = tmp_path / "log"
    answers = {"f": answer or {"result": HOURS}}
    script = {"tools": list(tools) or [listed("f")], "answers": answers, "log": str(log)}

    async def connected() -> None:
        async with connect("Client", script, protocol="2026-07-28") as client:
            await run(client)

    anyio.run(connected)
    return [params.get("arguments") for params in logged(log, "tools/call")]


class ModelInput(pydantic.BaseModel):
    place: str = pydantic.Field(alias="placeName")
    unit: str = "C"


@pytest.mark.parametrize(
    ("input", "given", "sent"),
    [
        (Query, Query("Paris"), {"placeName": "Paris", "days": 1}),
        (Query, Query("Paris", "F"), {"placeName": "Paris", "unit": "F", "days": 1}),
        (QueryDict, {"place": "Paris"}, {"place": "Paris"}),
        (
            dict[str, object],
            {"a": pathlib.PurePosixPath("/x"), "b": decimal.Decimal("1.5"), "c": UNSET},
            {"a": "/x", "b": "1.5"},
        ),
        (ModelInput, ModelInput(placeName="Paris"), {"placeName": "Paris"}),
        (Query | None, None, {}),
    ],
    ids=["struct", "struct with all", "typed dict", "dict", "pydantic", "optional"],
)
def test_an_input_is_sent_with_its_json_names_and_without_unset_fields(
    input: Any, given: Any, sent: Any, tmp_path: pathlib.Path
) -> None:
    declared = TypedTool("f", input, list[Hour])

    async def run(client: Any) -> None:
        assert await declared(client, given) == [Hour("1", 2.0)]

    assert calls(run, tmp_path) == [sent]


def test_tool_takes_the_fields_of_its_input_as_keywords(tmp_path: pathlib.Path) -> None:
    declared = tool("f", Query, list[Hour])

    async def run(client: Any) -> None:
        await declared(client, place_name="Paris")
        await declared(client, Query("Rome"))
        bound = await declared.bind(client)
        await bound("Oslo", days=2)
        await bound.call(Query("Bonn"))

    assert [c["placeName"] for c in calls(run, tmp_path)] == ["Paris", "Rome", "Oslo", "Bonn"]


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({"a": float("nan")}, InvalidArguments),
        ({"a": object()}, TypeError),
        ([1], TypeError),
        (5, TypeError),
    ],
    ids=["NaN", "object", "array", "number"],
)
def test_an_input_that_cannot_be_sent_is_refused_and_nothing_is_sent(
    given: Any, error: type[Exception], tmp_path: pathlib.Path
) -> None:
    declared: Any = TypedTool("f", Any, list[Hour])
    no_input: Any = TypedTool[None, int]("f")

    async def run(client: Any) -> None:
        with pytest.raises(error):
            await declared(client, given)
        with pytest.raises(TypeError, match="takes no argument"):
            await no_input(client, given)

    assert calls(run, tmp_path) == []


def test_a_bound_tool_holds_the_input_to_the_servers_schema(tmp_path: pathlib.Path) -> None:
    entry = {
        "name": "f",
        "inputSchema": {"type": "object", "properties": {"days": {"maximum": 5}}, "required": ["placeName"]},
    }

    async def run(client: Any) -> None:
        with pytest.warns(TypedToolWarning, match=r"input at \$\.days: the type may send integer"):
            bound = await TypedTool[Query, list[Hour]]("f").bind(client)
        with pytest.raises(InvalidArguments, match=r"\$\.days") as caught:
            await bound(Query("Paris", days=9))
        assert caught.value.problems[0].path == "$.days"
        await bound(Query("Paris", days=5))

    assert [c["days"] for c in calls(run, tmp_path, entry)] == [5]


# --- calling --------------------------------------------------------------------------------------------------------


def live(
    kind: str, script: dict[str, Any], run: Callable[[Any], Awaitable[None]], protocol: str = "2026-07-28"
) -> None:
    async def connected() -> None:
        async with connect(kind, script, protocol=protocol) as client:
            await run(client)

    anyio.run(connected)


@pytest.mark.parametrize("kind", KINDS)
def test_a_call_gives_each_of_the_outcomes(kind: str) -> None:
    script = {
        "tools": [listed(n) for n in ("ok", "failed", "mismatch", "rpc")],
        "answers": {
            "ok": {"result": {"content": [], "structuredContent": 5}},
            "failed": {"result": {**text("no"), "isError": True}},
            "mismatch": {"result": text("five")},
            "rpc": {"error": {"code": -32099, "message": "not today", "data": {"retry": 5}}},
        },
    }
    seen: list[tuple[str, Outcome[object]]] = []

    async def run(client: Any) -> None:
        def declared(name: str) -> TypedTool[None, int]:
            return TypedTool[None, int](name, on_outcome=lambda tool, outcome: seen.append((tool, outcome)))

        ok = await declared("ok").call(client)
        assert isinstance(ok, Ok)
        assert (ok.value, ok.source) == (5, "structured")
        failed = await declared("failed").call(client)
        assert isinstance(failed, ToolFailed)
        assert (failed.text, failed.code) == ("no", None)
        mismatch = await declared("mismatch").call(client)
        assert isinstance(mismatch, Mismatch)
        assert mismatch.reason == "not_json"
        assert mismatch.result.text == "five"
        rpc = await declared("rpc").call(client)
        assert isinstance(rpc, ToolFailed)
        assert (rpc.code, rpc.text, rpc.data) == (-32099, "not today", {"retry": 5})
        with pytest.raises(ToolFailedError, match="not today") as caught:
            await declared("rpc")(client)
        assert caught.value.__cause__ is caught.value.outcome.cause
        assert caught.value.code == -32099
        assert pickle.loads(pickle.dumps(caught.value)).code == -32099
        with pytest.raises(MismatchError, match=r"five|not JSON"):
            await declared("mismatch")(client)

    live(kind, script, run)
    assert [name for name, _ in seen] == ["ok", "failed", "mismatch", "rpc", "rpc", "mismatch"]


@pytest.mark.parametrize("kind", KINDS)
def test_what_the_sdk_refuses_on_a_2025_session_is_malformed_with_the_way_out(kind: str) -> None:
    script = {
        "tools": [listed("f")],
        "answers": {"f": {"result": {"content": [], "structuredContent": [1, 2]}}},
    }

    async def run() -> None:
        async with connect(kind, script, protocol="2025-11-25") as client:
            outcome = await TypedTool[None, list[int]]("f").call(client)
            assert isinstance(outcome, Mismatch)
            assert outcome.reason == "malformed"
            assert "typedtool.tolerant" in str(outcome)
            with pytest.raises(MismatchError, match="tolerant") as caught:
                await TypedTool[None, list[int]]("f")(client)
            assert caught.value.__cause__ is caught.value.outcome.cause
            assert type(caught.value.__cause__).__name__ == "ValidationError"
            assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
        async with connect(kind, script, protocol="2025-11-25", wrap=tolerant) as client:
            assert await TypedTool[None, list[int]]("f")(client) == [1, 2]

    anyio.run(run)


# --- binding --------------------------------------------------------------------------------------------------------

WRAPPED = {"type": "object", "properties": {"result": {"type": "integer"}}, "required": ["result"]}


class Tools(Toolset):
    count = TypedTool[None, int]("get-count")
    forecast = tool("f", Query, list[Hour])
    nameless = TypedTool[None, str]()


class MoreTools(Tools):
    extra = TypedTool[None, int]("extra")


LISTING = {
    "tools": [
        {"name": "get-count", "inputSchema": ANY, "outputSchema": WRAPPED},
        {"name": "f", "inputSchema": ANY},
        {"name": "nameless", "inputSchema": ANY},
        {"name": "ex-tra", "inputSchema": ANY},
    ]
}


def test_a_toolset_binds_all_its_tools_by_one_listing(tmp_path: pathlib.Path) -> None:
    log = tmp_path / "log"
    script = {
        **LISTING,
        "log": str(log),
        "answers": {
            "get-count": {"result": {"content": [], "structuredContent": {"result": 3}}},
            "f": {"result": HOURS},
        },
    }
    seen: list[str] = []

    async def run(client: Any) -> None:
        tools = await MoreTools.bind(client, on_outcome=lambda name, outcome: seen.append(name))
        assert await tools.count() == 3
        assert await tools.forecast(place_name="Paris") == [Hour("1", 2.0)]
        assert tools.count is tools.count
        with pytest.raises(ToolNotFound, match="did you mean 'ex-tra'"):
            await tools.extra()
        assert [(f.level, f.tool) for f in tools.report] == [("error", "extra")]

    live("Client", script, run)
    assert len(logged(log, "tools/list")) == 1
    assert seen == ["get-count", "f"]


def test_a_toolset_against_a_listing_decodes_and_does_not_call() -> None:
    tools = Tools.against(LISTING)
    assert tools.count.decode({"content": [], "structuredContent": {"result": 3}}) == 3
    assert tools.nameless.decode(text("x")) == "x"
    assert Tools.count.name == "get-count", "the class itself gives the tool"
    assert len(tools.report) == 0

    async def run() -> None:
        with pytest.raises(TypeError, match="without a client"):
            await tools.count()

    anyio.run(run)
    with pytest.raises(TypeError, match="expected a listing"):
        Tools.against(5)


def test_strict_refuses_what_the_report_would_say() -> None:
    with pytest.raises(ToolNotFound):
        MoreTools.against(LISTING, strict=True)
    bad = {"tools": [{"name": "get-count", "outputSchema": {"type": "nope"}}, *LISTING["tools"][1:]]}
    with pytest.raises(InvalidSchema):
        Tools.against(bad, strict=True)
    Tools.against(LISTING, strict=True)


def test_a_schema_that_cannot_be_used_fails_its_tool_or_leaves_the_type_alone() -> None:
    entry = {"name": "f", "outputSchema": {"$schema": "https://example.test/dialect", "type": "object"}}
    with pytest.raises(UnsupportedDialect, match="'f'"):
        TypedTool[None, int]("f").against(entry)
    bound = TypedTool[None, int]("f", on_bad_schema="type-only").against(entry)
    assert bound.decode({"content": [], "structuredContent": 5}) == 5
    assert [f.level for f in bound.report] == ["warning"]


def test_an_input_schema_that_cannot_be_used_is_reported_and_stops_nothing() -> None:
    bound = TypedTool[None, int]("f").against(
        {"name": "f", "inputSchema": {"type": "object", "properties": []}}
    )
    assert bound.decode({"content": [], "structuredContent": 5}) == 5
    assert "unchecked" in str(bound.report)


@pytest.mark.parametrize("kind", KINDS)
def test_a_listing_that_fails_is_survived_and_said(kind: str) -> None:
    script = {
        "list_pages": [{"error": {"code": -32603, "message": "out of order"}}],
        "answers": {"f": {"result": {"content": [], "structuredContent": 5}}},
    }

    async def run(client: Any) -> None:
        with pytest.warns(TypedToolWarning, match="out of order"):
            bound = await TypedTool[None, int]("f").bind(client)
        assert await bound() == 5
        assert bound.definition is None
        assert "by type alone" in str(bound.report)
        with pytest.raises(Exception, match="out of order"):
            await TypedTool[None, int]("f").bind(client, strict=True)

    live(kind, script, run)


def test_a_missing_tool_is_not_found_at_bind() -> None:
    async def run(client: Any) -> None:
        with pytest.raises(ToolNotFound) as caught:
            await TypedTool[None, int]("get-counts").bind(client)
        assert caught.value.near == ("get-count",)

    live("Client", LISTING, run)


def test_two_definitions_of_one_name_are_ambiguous_and_the_tool_is_not_called(tmp_path: pathlib.Path) -> None:
    log = tmp_path / "log"
    script = {"tools": [listed("f", {"type": "integer"}), listed("f", {"type": "string"})], "log": str(log)}

    async def run(client: Any) -> None:
        bound = await TypedTool[None, int]("f").bind(client)
        outcome = bound.read({"content": [], "structuredContent": 5})
        assert isinstance(outcome, Mismatch)
        assert outcome.reason == "ambiguous"
        with pytest.raises(InvalidSchema, match="twice"):
            await bound()

    live("Client", script, run)
    assert logged(log, "tools/call") == []


def test_after_the_first_mismatch_the_tools_are_listed_once_more_and_never_again(
    tmp_path: pathlib.Path,
) -> None:
    log = tmp_path / "log"
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}}
    script = {
        "tools": [listed("f", schema)],
        "log": str(log),
        "answers": {"f": {"result": {"content": [], "structuredContent": {"n": "x"}}}},
    }

    async def run(client: Any) -> None:
        bound = await TypedTool[None, dict[str, int]]("f").bind(client)
        for _ in range(3):
            outcome = await bound.call()
            assert isinstance(outcome, Mismatch)
            assert outcome.changed is None

    live("Client", script, run)
    assert len(logged(log, "tools/list")) == 2
    assert len(logged(log, "tools/call")) == 3


def test_refresh_binds_to_what_is_listed_now() -> None:
    script = {
        "list_pages": [{"tools": [listed("f", {"type": "string"})]}],
        "list_pages_after": [{"tools": [listed("f", {"type": "integer"})]}],
        "answers": {"f": {"result": {"content": [], "structuredContent": 5}}},
    }

    async def run(client: Any) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", TypedToolWarning)
            bound = await TypedTool[None, object]("f").bind(client)
        changed = await bound.call()
        assert isinstance(changed, Mismatch)
        assert changed.changed is not None
        assert "/type" in changed.changed
        assert await (await bound.refresh())() == 5

    live("Client", script, run)


def test_a_bad_type_in_a_toolset_is_refused_when_the_class_is_made() -> None:
    with pytest.raises(TypeError, match="string"):

        class _Broken(Toolset):
            f = TypedTool["Query", int]("f")


def test_a_tool_in_any_other_class_is_the_tool() -> None:
    class Holder:
        f = TypedTool[None, int]("f")

    assert Holder().f is Holder.f


def test_errors_are_all_of_one_family() -> None:
    for error in (ToolFailedError, MismatchError, ToolNotFound, InvalidSchema, InvalidArguments):
        assert issubclass(error, TypedToolError)


def test_literal_and_annotated_outs_work_in_all_forms() -> None:
    result = {"content": [], "structuredContent": "a"}
    assert TypedTool[None, Literal["a", "b"]]("f").decode(result) == "a"
    assert TypedTool("f", None, Annotated[str, Meta(max_length=1)]).decode(result) == "a"
    assert json.loads(msgspec.json.encode(tool("f", None, Any).decode(result))) == "a"
