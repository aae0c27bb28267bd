"""Recorded wire of ten servers (see ../shared/wire/README.md): no silently wrong value."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from typedtool import Mismatch, Ok, ToolFailed, TypedTool, TypedToolWarning, is_object
from wire_expectations import EXPECTED

WIRE = Path(__file__).parents[1] / "wire"

# The wire has lost the value: quoted text for a str keeps its quotes, as nothing tells that they are not the value's.
QUOTED = {"ret_bytes", "ret_path"}
# The wire has lost the value, and the type or the schema shows it: refused by name.
LOSSY = {"ret_list_optional", "ret_list_nested", "ret_list_bare", "ret_tuple"}
# Guesses that a tool must ask for.
OPTED = {
    "text_fenced": "fenced",
    "text_prefixed": "prefixed",
    "text_then_json": "any-block",
    "resource_json": "resource",
}
# The server sends other fields than it declares, or than it declared before: a named error is right.
OTHER_FIELDS = {"ret_aliased", "obj_extra", "ret_typeddict"}


def records() -> Iterator[tuple[str, dict[str, Any]]]:
    for path in sorted(WIRE.glob("*.jsonl")):
        for line in path.read_bytes().splitlines():
            record = json.loads(line)
            if record["tool"]["name"] in EXPECTED:
                yield path.stem, record


RECORDS = list(records())


def outcome_of(record: dict[str, Any], bound: bool, **options: Any) -> Any:
    out, _ = EXPECTED[record["tool"]["name"]]
    tool = TypedTool(record["tool"]["name"], None, out, **options)
    if not bound:
        return tool.read(record["raw"])
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore", TypedToolWarning
        )  # what some legal values do not fit is said when it is bound
        return tool.against(record["tool"]).read(record["raw"])


def answered(record: dict[str, Any]) -> bool:
    """The server answered with a value at all."""
    return "result" in record and not record["result"].get("isError")


@pytest.mark.parametrize("bound", [True, False], ids=["bound", "by type alone"])
def test_no_value_is_silently_wrong(bound: bool) -> None:
    wrong = []
    for server, record in RECORDS:
        name = record["tool"]["name"]
        outcome = outcome_of(record, bound)
        if not isinstance(outcome, Ok):
            continue
        value = EXPECTED[name][1]
        kept = name in QUOTED and outcome.value == json.dumps(value)
        marked_only = (
            not bound and name == "ret_object" and outcome.value == {"result": value}
        )  # an open type needs a mark
        if (
            not (outcome.value == value and type(outcome.value) is type(value))
            and not kept
            and not marked_only
        ):
            wrong.append((server, record["protocol"], name, outcome))
    assert wrong == []


@pytest.mark.parametrize("bound", [True, False], ids=["bound", "by type alone"])
def test_what_can_be_decoded_is(bound: bool) -> None:
    decodable = [
        (server, r) for server, r in RECORDS if answered(r) and r["tool"]["name"] not in LOSSY | set(OPTED)
    ]
    missed = [
        (server, record["tool"]["name"], outcome)
        for server, record in decodable
        if not isinstance(outcome := outcome_of(record, bound), Ok)
        and record["tool"]["name"] not in OTHER_FIELDS
    ]
    assert len(decodable) > 1_000
    assert len(missed) <= 0.02 * len(decodable), missed


def test_what_the_wire_has_lost_is_refused_where_the_type_or_the_schema_shows_it() -> None:
    lossy = [r for _, r in RECORDS if r["tool"]["name"] in LOSSY and answered(r)]
    for record in lossy:
        outcome = outcome_of(record, bound=True)
        if isinstance(outcome, Ok):
            assert outcome.value == EXPECTED[record["tool"]["name"]][1]
        else:
            assert isinstance(outcome, Mismatch), outcome
            assert outcome.reason in ("ambiguous", "mismatch", "not_json", "missing")


def test_a_server_error_is_a_failure_that_keeps_what_was_said() -> None:
    errors = [r for _, r in RECORDS if not answered(r)]
    assert errors
    for record in errors:
        outcome = outcome_of(record, bound=True)
        assert isinstance(outcome, ToolFailed), outcome
        if "error" in record:
            assert (outcome.code, outcome.text) == (record["error"]["code"], record["error"]["message"])
        else:
            assert outcome.text == record["result"]["content"][0]["text"]


@pytest.mark.parametrize("name", sorted(OPTED))
def test_a_guess_is_off_by_default_and_reads_the_value_where_a_tool_asks_for_it(name: str) -> None:
    found = [r for _, r in RECORDS if r["tool"]["name"] == name]
    assert found
    for record in found:
        assert isinstance(outcome_of(record, bound=True), Mismatch)
        guess = outcome_of(record, bound=True, text=OPTED[name])
        assert isinstance(guess, Ok), guess
        assert guess.value == EXPECTED[name][1]


def test_the_reference_servers_answers_are_named_outcomes(shared: Path) -> None:
    seen = 0
    for path in sorted((shared / "wire").glob("server-*.jsonl")):
        for line in path.read_bytes().splitlines():
            record = json.loads(line)
            for out in (object, dict, list, str):
                outcome = TypedTool[None, out](record["tool"]["name"]).read(record["raw"])  # type: ignore[valid-type]
                assert isinstance(outcome, (Ok, Mismatch, ToolFailed))
                structured = record.get("result", {}).get("structuredContent")
                if isinstance(outcome, Ok) and structured is not None:
                    assert outcome.value == structured
                    assert is_object(structured)
                seen += 1
    assert seen > 200
