"""The decode rules, one table: rules.json. Then what a table cannot say."""

from __future__ import annotations

import decimal
import enum
import json
import warnings
from pathlib import Path
from typing import Any, Literal

import msgspec
import pytest
from msgspec import UNSET, Struct

from typedtool import (
    Decoder,
    InputRequired,
    Mismatch,
    Ok,
    ToolFailed,
    TypedTool,
    TypedToolWarning,
    parse_schema,
)
from typedtool.decoding.contract import Contract, Options, Residual
from typedtool.decoding.rules import decide
from typedtool.results.definitions import Definition
from typedtool.results.result import ToolResult


class Point(Struct):
    x: int


class HasResult(Struct):
    result: int


class Failure(Struct):
    error: str


class Color(enum.Enum):
    RED = "red"


SCOPE = {
    "Any": Any,
    "Color": Color,
    "Decimal": decimal.Decimal,
    "Failure": Failure,
    "HasResult": HasResult,
    "Point": Point,
}
ROWS = json.loads((Path(__file__).with_name("rules.json")).read_text("utf-8"))


def tool_of(row: dict[str, Any]) -> Any:
    out = eval(row["out"], dict(SCOPE))
    options = {name: row[name] for name in ("text", "lax", "validate") if name in row}
    if "error" in row:
        options["error"] = SCOPE[row["error"]]
    tool = TypedTool("t", None, out, **options)
    definition = {"name": "t", **({"outputSchema": row["schema"]} if "schema" in row else {})}
    return tool.against(definition) if "schema" in row else tool


@pytest.mark.parametrize("row", ROWS, ids=[row["rule"] for row in ROWS])
def test_a_rule_gives_the_outcome_that_its_row_states(row: dict[str, Any]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TypedToolWarning)
        tool = tool_of(row)
    outcome = tool.read(row["result"])
    gives = row["gives"]
    assert outcome.result.raw is row["result"]
    if "value" in gives:
        assert isinstance(outcome, Ok), outcome
        assert msgspec.to_builtins(outcome.value, str_keys=True) in (gives["value"], _tupled(gives["value"]))
        assert outcome.source == gives.get("source", outcome.source)
        assert outcome.unwrapped == gives.get("unwrapped", outcome.unwrapped)
    elif "mismatch" in gives:
        assert isinstance(outcome, Mismatch), outcome
        assert outcome.reason == gives["mismatch"], outcome
        assert outcome.problems
        if "path" in gives:
            assert outcome.problems[0].path == gives["path"]
        kept = UNSET if outcome.value is UNSET else msgspec.to_builtins(outcome.value)
        assert kept == gives.get("kept", UNSET)
    elif "failed" in gives:
        assert isinstance(outcome, ToolFailed), outcome
        assert outcome.text == gives["failed"]
        assert (UNSET if outcome.error is UNSET else msgspec.to_builtins(outcome.error)) == gives.get(
            "error", UNSET
        )
    else:
        assert isinstance(outcome, InputRequired), outcome


def _tupled(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def test_the_rules_hold_for_json_text_and_for_a_whole_response_too() -> None:
    for row in ROWS:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", TypedToolWarning)
            tool = tool_of(row)
        text = json.dumps(row["result"])
        response = json.dumps({"jsonrpc": "2.0", "id": 1, "result": row["result"]}).encode()
        first = tool.read(row["result"])
        for other in (tool.read(text), tool.read(response)):
            assert type(other) is type(first), row["rule"]
            assert str(other) == str(first), row["rule"]


def text(*texts: str) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": each} for each in texts]}


IMAGE = {"type": "image", "data": "", "mimeType": "image/png"}


def test_text_blocks_among_others_are_no_sequence_even_where_each_is_an_element() -> None:
    decoder = Decoder(list[Point])
    assert decoder.decode(text('{"x": 1}', '{"x": 2}')) == [Point(1), Point(2)]
    for result in (text('{"x": 1}', '{"x": 2}'), text('{"x": 1}')):
        result["content"].append(IMAGE)
        outcome = decoder.read(result)
        assert isinstance(outcome, Mismatch)
        assert outcome.reason == "ambiguous"
        assert outcome.problems[0].received == "text blocks among others for one sequence"


def test_json_text_that_does_not_fit_is_still_read_as_the_bare_text() -> None:
    digits: Decoder[Any] = Decoder(Literal["5", "6"])
    outcome = digits.read(text("5"))
    assert isinstance(outcome, Ok)
    assert (outcome.value, outcome.source) == ("5", "text")
    refused = digits.read(text("7"))
    assert isinstance(refused, Mismatch)
    assert refused.problems[0].received == "integer", "what is said is of the JSON"
    held: Decoder[Any] = Decoder(Literal["5", "6"], {"const": "6"})
    assert isinstance(held.read(text("6")), Ok)
    assert isinstance(held.read(text("5")), Mismatch), "the schema refuses the bare text"


WHOLE = {"properties": {"y": {"maximum": 1}, "z": {"maxLength": 1}}}
PART = {"properties": {"y": {"maximum": 1}}}


def contract(**options: Any) -> Contract:
    schema = parse_schema(WHOLE)
    made = Contract.of(Point, Definition("t", output_schema=WHOLE), schema, Options.of(**options))
    return made.with_residual(Residual(schema, {(False, False): parse_schema(PART)}))


def test_the_residual_decides_and_the_whole_schema_says_why() -> None:
    fits = {"x": 1, "y": 1, "z": "long"}
    wrong = {**fits, "y": 2}
    assert isinstance(decide(contract(), ToolResult(structured=fits)), Ok)
    outcome = decide(contract(), ToolResult(structured=wrong))
    assert isinstance(outcome, Mismatch)
    assert outcome.value == Point(1)
    assert [p.path for p in outcome.problems] == ["$.y", "$.z"]


def test_with_used_the_residual_has_the_words_too() -> None:
    outcome = decide(contract(validate="used"), ToolResult(structured={"x": 1, "y": 2, "z": "long"}))
    assert isinstance(outcome, Mismatch)
    assert [p.path for p in outcome.problems] == ["$.y"]


def test_a_value_in_a_form_without_a_residual_is_held_to_the_whole_schema() -> None:
    strings = {"x": 1, "z": "long"}
    outcome = decide(contract(), ToolResult(structured=json.dumps(strings)))
    assert isinstance(outcome, Ok), "the schema says nothing of a string"
    assert outcome.source == "json-string"
    from_text = decide(contract(), ToolResult(({"type": "text", "text": json.dumps(strings)},)))
    assert isinstance(from_text, Mismatch)
    assert [p.path for p in from_text.problems] == ["$.z"]


def blocks(*found: dict[str, Any]) -> dict[str, Any]:
    return {"content": list(found)}


@pytest.mark.parametrize(
    ("out", "options", "result", "said"),
    [
        (Point, {}, blocks(), "missing: expected Point, received no content"),
        (str, {}, blocks(IMAGE), "missing: expected a text block, received none"),
        (Point, {}, blocks(IMAGE), "missing: expected Point, received only image blocks"),
        (str, {}, text("a", "b"), "ambiguous: expected str, received 2 text blocks for one string"),
        (Point, {}, text("1", "2"), "ambiguous: expected Point, received 2 text blocks for one value"),
        (
            Point,
            {"text": "any-block"},
            text('{"x": 1}', '{"x": 2}', "a"),
            "ambiguous: expected Point, received 2 of 3 text blocks fit",
        ),
        (Point, {}, text("a"), "not_json: expected JSON text for Point, received text that is not JSON"),
        (
            list[Point],
            {},
            text('{"x": 1}', "a"),
            "not_json: expected JSON text blocks for list[Point], received text that is not JSON",
        ),
        (
            list[list[int]],
            {},
            text("[1]"),
            "ambiguous: expected list[list[int]], received one array where an array of arrays is expected",
        ),
    ],
    ids=lambda value: value.partition(":")[0] if isinstance(value, str) else None,
)
def test_what_is_no_value_is_said_in_words(out: Any, options: Any, result: Any, said: str) -> None:
    outcome = Decoder(out, **options).read(result)
    assert isinstance(outcome, Mismatch)
    (problem,) = outcome.problems
    assert (problem.code, problem.path) == (outcome.reason, "$")
    assert f"{outcome.reason}: expected {problem.expected}, received {problem.received}" == said


def test_bare_text_is_tried_for_what_is_no_json_string_only() -> None:
    quoted: Decoder[Any] = Decoder(Literal['"7"'])
    assert isinstance(quoted.read(text('"7"')), Mismatch), "a JSON string is never read again with its quotes"
    cut = text("[1,")
    assert Decoder(object).decode(cut) == "[1,"
    outcome = Decoder(object, {}).read(cut)
    assert isinstance(outcome, Mismatch)
    assert outcome.reason == "missing", "a schema is declared, and what came is JSON cut short"


def test_bare_text_that_the_schema_refuses_keeps_its_value() -> None:
    refused = Decoder(Color, {"const": "green"}).read(text("red"))
    assert isinstance(refused, Mismatch)
    assert (refused.reason, refused.value) == ("mismatch", Color.RED)
    unknown = Decoder(Color).read(text("blue"))
    assert isinstance(unknown, Mismatch)
    assert (unknown.reason, unknown.value) == ("not_json", UNSET)


def test_an_element_is_the_json_of_its_block_where_that_fits_else_its_bare_text() -> None:
    either: Decoder[Any] = Decoder(list[int | str])
    assert either.decode(text("5", "a", '"b"')) == [5, "a", "b"]
    digits: Decoder[Any] = Decoder(list[Literal["5", "6"]])
    assert digits.decode(text("5", '"6"')) == ["5", "6"]


def test_where_the_schema_demands_what_did_not_come_it_is_missing_and_said_which() -> None:
    for out, result, received in (
        (Point | None, blocks(), "no content"),
        (object, text("sunny"), "text that is not JSON"),
    ):
        outcome = Decoder(out, {"type": "object"}).read(result)  # type: ignore[arg-type]
        assert isinstance(outcome, Mismatch)
        assert (outcome.reason, outcome.value) == ("missing", UNSET)
        assert outcome.problems[0].received == received


def test_a_warning_names_the_tool_and_what_the_schema_refuses() -> None:
    with pytest.warns(TypedToolWarning, match=r"^tool 't': the server's schema refuses its value: .*\$\.y"):
        assert isinstance(decide(contract(validate="warn"), ToolResult(structured={"x": 1, "y": 2})), Ok)


def test_a_broken_json_text_in_a_string_is_a_problem_of_its_type() -> None:
    outcome = Decoder(list[int]).read({"content": [], "structuredContent": "[1, "})
    assert isinstance(outcome, Mismatch)
    assert [(p.code, p.path, p.received) for p in outcome.problems] == [
        ("type", "$", "a string with JSON that ends early")
    ]


def test_a_value_that_its_schema_takes_has_no_problems() -> None:
    wrapping = {"type": "object", "properties": {"result": {"type": "integer"}}, "required": ["result"]}
    for schema in ({"type": "integer"}, wrapping):
        outcome = Decoder(int, schema).read({"content": [{"type": "text", "text": "3"}]})
        assert isinstance(outcome, Ok)
        assert (outcome.value, outcome.problems) == (3, ())
