"""Field cases: each built after one public report (see cases/README.md), run through the public API."""

from __future__ import annotations

import datetime
import decimal
import enum
import json
import re
import sys
import types
import typing
import uuid
import warnings
from pathlib import Path
from typing import Any

import anyio
import msgspec
import pytest

from connecting import connect
from typedtool import (
    BudgetExceeded,
    Incompatible,
    InvalidSchema,
    Mismatch,
    Ok,
    Outcome,
    SchemaChanged,
    ToolFailed,
    Toolset,
    TypedTool,
    TypedToolError,
    UnsafeSchema,
    UnsupportedDialect,
)

CASES = {
    path.stem: json.loads(path.read_text("utf-8"))
    for path in sorted((Path(__file__).parents[1] / "cases").glob("*.json"))
}
ELICITATION = {name for name, case in CASES.items() if case["kind"] == "elicitation"}
LISTING = {
    name
    for name, case in CASES.items()
    if case["kind"].startswith("listing_") or case["kind"] == "schema_drift"
}

# Where another outcome than the expected one is the better product decision, and why.
DECIDED: dict[str, tuple[str, str]] = {}


def scope(case: dict[str, Any]) -> Any:
    """The Out type of a case, its definitions in a module of their own."""
    module = types.ModuleType(f"field_case_{case['id']}")
    sys.modules[module.__name__] = module
    names = vars(module)
    names.update({name: getattr(typing, name) for name in typing.__all__})
    names.update(msgspec=msgspec, Struct=msgspec.Struct, Meta=msgspec.Meta)
    names.update(datetime=datetime, decimal=decimal, uuid=uuid, enum=enum)
    defs = case.get("defs", "")
    if sys.version_info < (3, 11):  # neither typing nor msgspec looks for a string inside of list[...] there
        defs = re.sub(r"list\['(\w+)'\]", r"'list[\1]'", defs)
    exec(defs, names)
    return eval(case["out_type"], names)


def word(outcome: Outcome[Any] | TypedToolError) -> dict[str, Any]:
    """An outcome in the terms of the cases."""
    match outcome:
        case Ok(value):
            return {"value": json.loads(msgspec.json.encode(value))}
        case Mismatch(reason="malformed"):
            return {"error": "malformed_result"}
        case Mismatch(reason=reason):
            return {"error": reason}
        case ToolFailed():
            return {"error": "tool_error"}
        case InvalidSchema():
            return {"error": "schema_invalid"}
        case UnsafeSchema() | BudgetExceeded():
            return {"error": "schema_unsafe"}
        case UnsupportedDialect():
            return {"error": "unsupported_dialect"}
        case SchemaChanged():
            return {"error": "schema_drift"}
        case Incompatible():  # counts as right where no legal value of the schema could be decoded
            return {"error": "mismatch"}
        case _:
            return {"error": repr(outcome)}


def expected(case: dict[str, Any]) -> dict[str, Any]:
    said = case["expected"]
    return {"value": said["value"]} if "value" in said else {"error": said["error"]}


def same(got: dict[str, Any], wanted: dict[str, Any]) -> bool:
    return got == wanted or (wanted == {"error": "schema_unsafe"} and got == {"error": "over_budget"})


@pytest.mark.parametrize("name", sorted(set(CASES) - ELICITATION - LISTING))
def test_a_result_read_against_its_definition_has_the_expected_outcome(name: str) -> None:
    case = CASES[name]
    out = scope(case)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter(
                "ignore"
            )  # a type that some legal values do not fit is reported by a warning
            bound = TypedTool[None, out](case["tool"]["name"]).against(case["tool"])  # type: ignore[valid-type]
        got = word(bound.read(case.get("result_raw") or case["result"]))
    except TypedToolError as error:
        got = word(error)
    if name in DECIDED:
        assert got == {"error": DECIDED[name][0]}, DECIDED[name][1]
    else:
        assert same(got, expected(case)), case["summary"]


def script_of(case: dict[str, Any]) -> dict[str, Any]:
    """The scripted server of a case about listing: what it lists, before and after the call, and what it answers."""
    tools = [case["tool"], *case.get("other_tools", ())]
    pages = case.get("list_pages") or [{"tools": tools}]
    script = {"list_pages": pages, "answers": {case["tool"]["name"]: {"result": case["result"]}}}
    if "list_pages_after" in case:
        script["list_pages_after"] = case["list_pages_after"]
    return script


@pytest.mark.parametrize("kind", ["Client", "ClientSession"])
@pytest.mark.parametrize("name", sorted(LISTING))
def test_a_tool_bound_to_a_live_listing_has_the_expected_outcome(name: str, kind: str) -> None:
    case = CASES[name]

    async def run() -> dict[str, Any]:
        from typedtool import tolerant

        async with connect(kind, script_of(case), wrap=tolerant) as client:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                bound = await TypedTool[None, scope(case)](case["tool"]["name"]).bind(client)  # type: ignore[misc]
            if bound._binding.duplicate:  # it is not called: which schema its result is held to is open
                with pytest.raises(InvalidSchema, match="twice"):
                    await bound.call()
                return word(bound.read(case["result"]))
            outcome = await bound.call()
            if isinstance(outcome, Mismatch) and outcome.changed is not None:
                return {"error": "schema_drift"}
            return word(outcome)

    assert same(anyio.run(run), expected(case)), case["summary"]


def test_drift_raises_schema_changed_and_calls_the_tool_once(tmp_path: Path) -> None:
    case = next(case for case in CASES.values() if case["kind"] == "schema_drift")
    log = tmp_path / "log"

    async def run() -> None:
        async with connect("Client", {**script_of(case), "log": str(log)}) as client:
            bound = await TypedTool[None, scope(case)](case["tool"]["name"]).bind(client)  # type: ignore[misc]
            with pytest.raises(SchemaChanged) as caught:
                await bound()
            assert "outputSchema" in caught.value.changed
            assert caught.value.result.text == case["result"]["content"][0]["text"]

    anyio.run(run)
    calls = [line for line in log.read_text().splitlines() if json.loads(line).get("method") == "tools/call"]
    assert len(calls) == 1


def test_one_bad_definition_spoils_no_other_tool_of_a_listing() -> None:
    class Good(msgspec.Struct):
        v: int

    listing = {
        "tools": [
            {
                "name": "good",
                "outputSchema": {
                    "type": "object",
                    "properties": {"v": {"type": "integer"}},
                    "required": ["v"],
                },
            },
            {"name": "bad", "outputSchema": {"type": "objekt"}},
            {"name": "unsafe", "outputSchema": {"$ref": "https://example.test/s.json"}},
        ]
    }

    class Tools(Toolset):
        good = TypedTool[None, Good]()
        bad = TypedTool[None, Good]()
        unsafe = TypedTool[None, Good]()

    tools = Tools.against(listing)
    result = {"content": [], "structuredContent": {"v": 1}}
    assert tools.good.decode(result) == Good(1)
    with pytest.raises(InvalidSchema):
        tools.bad.decode(result)
    with pytest.raises(UnsafeSchema):
        tools.unsafe.decode(result)
    assert [finding.tool for finding in tools.report if finding.level == "error"] == ["bad", "unsafe"]


def test_at_least_98_percent_of_the_cases_are_decided_as_expected() -> None:
    assert len(DECIDED) <= 0.02 * len(CASES)
