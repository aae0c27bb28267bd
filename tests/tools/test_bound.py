"""`BoundTool`: input and output are held to the server's schemas, and a change of them is found out."""

from __future__ import annotations

import pathlib
import warnings
from typing import Any

import pytest

from connecting import KINDS, logged
from connecting import tool as listed
from forecasting import Hour, Query, calls, live
from typedtool import (
    InvalidArguments,
    InvalidSchema,
    Mismatch,
    MismatchError,
    ToolFailedError,
    ToolNotFound,
    TypedTool,
    TypedToolError,
    TypedToolWarning,
    UnsupportedDialect,
)


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

    live("Client", {"tools": [listed("get-count")]}, run)


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


def test_errors_are_all_of_one_family() -> None:
    for error in (ToolFailedError, MismatchError, ToolNotFound, InvalidSchema, InvalidArguments):
        assert issubclass(error, TypedToolError)
