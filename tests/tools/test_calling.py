"""One call: the arguments that are sent, and the outcome of whatever is answered."""

from __future__ import annotations

import decimal
import pathlib
import pickle
from typing import Any

import anyio
import pydantic
import pytest
from msgspec import UNSET
from typing_extensions import TypedDict

from connecting import KINDS, connect, text
from connecting import tool as listed
from forecasting import Hour, Query, calls, live
from typedtool import (
    InvalidArguments,
    Mismatch,
    MismatchError,
    Ok,
    Outcome,
    ToolFailed,
    ToolFailedError,
    TypedTool,
    tolerant,
)
from typedtool.tools.calling import encode


class QueryDict(TypedDict, total=False):
    place: str


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


@pytest.mark.parametrize(
    ("value", "received"),
    [
        ({"a": 1, "b": "x", "c": None, "d": True, "é": "é", "f": 1.5, "g": [1], "h": -(1 << 63)}, None),
        ({"a": float("nan")}, "NaN"),
        ({"a": [float("-inf")]}, "Infinity"),
        ({"a": "\ud800"}, "a lone surrogate"),
        ({"\ud800": 1}, "a lone surrogate"),
        ({"a": {"b": "\ud800"}}, "a lone surrogate"),
        ({"a": 1 << 20_000}, "integer of 20,001 bits"),
    ],
    ids=["JSON", "NaN", "Infinity", "surrogate", "surrogate in a name", "nested surrogate", "huge integer"],
)
def test_arguments_hold_nothing_that_no_json_text_can_carry(value: Any, received: str | None) -> None:
    if received is None:
        assert encode("f", value) == value
        return
    with pytest.raises(InvalidArguments) as caught:
        encode("f", value)
    assert [(p.code, p.received) for p in caught.value.problems] == [("json", received)]
