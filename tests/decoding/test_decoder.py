"""`decode`, `Decoder` and `matches`: a result, a whole response, a schema, a budget."""

from __future__ import annotations

import decimal
from typing import Any

import pytest
from msgspec import Struct

from typedtool import (
    Budget,
    Decoder,
    InputRequiredError,
    InvalidSchema,
    Mismatch,
    MismatchError,
    Ok,
    ToolFailed,
    ToolFailedError,
    TypedToolWarning,
    decode,
    matches,
    parse_schema,
)


class Point(Struct):
    x: int


def test_decode_raises_the_error_of_the_outcome_with_the_raw_result() -> None:
    wrong = {"content": [], "structuredContent": {"x": "a"}}
    with pytest.raises(MismatchError, match=r"expected integer, received string at \$\.x") as mismatch:
        decode(wrong, Point)
    assert mismatch.value.result.raw is wrong
    assert mismatch.value.problems[0].path == "$.x"
    failed = {"content": [{"type": "text", "text": "no"}], "isError": True}
    with pytest.raises(ToolFailedError, match="the tool failed: no") as failure:
        decode(failed, Point)
    assert failure.value.result.raw is failed
    with pytest.raises(InputRequiredError):
        decode({"resultType": "input_required"}, Point)


def test_a_json_rpc_error_is_a_failure_with_its_code() -> None:
    outcome = Decoder(Point).read(
        '{"jsonrpc": "2.0", "id": 1, "error": {"code": -32602, "message": "no such tool"}}'
    )
    assert isinstance(outcome, ToolFailed)
    assert (outcome.code, outcome.text) == (-32602, "no such tool")


def test_a_decoder_holds_the_value_to_a_schema_given_as_dict_or_schema() -> None:
    document = {"type": "object", "properties": {"x": {"maximum": 3}}}
    for schema in (document, parse_schema(document)):
        decoder = Decoder(Point, schema)
        assert decoder.decode({"content": [], "structuredContent": {"x": 3}}) == Point(3)
        outcome = decoder.read({"content": [], "structuredContent": {"x": 4}})
        assert isinstance(outcome, Mismatch)
        assert outcome.value == Point(4)
        assert [p.path for p in outcome.problems] == ["$.x"]


def test_a_schema_that_cannot_be_used_is_refused_when_the_decoder_is_made() -> None:
    with pytest.raises(InvalidSchema):
        Decoder(Point, {"type": "objekt"})


def test_warn_gives_the_value_its_problems_and_a_warning() -> None:
    decoder = Decoder(Point, {"properties": {"x": {"maximum": 3}}}, validate="warn")
    with pytest.warns(TypedToolWarning, match=r"\$\.x"):
        outcome = decoder.read({"content": [], "structuredContent": {"x": 4}})
    assert isinstance(outcome, Ok)
    assert outcome.value == Point(4)
    assert [p.path for p in outcome.problems] == ["$.x"]


@pytest.mark.parametrize("deep", ["[" * 400 + "]" * 400, '{"a":' * 400 + "1" + "}" * 400])
def test_text_deeper_than_the_budget_is_not_given_to_the_parser(deep: str) -> None:
    text = {"content": [{"type": "text", "text": deep}]}
    string = {"content": [], "structuredContent": {"result": deep}}
    for result in (text, string):
        outcome = Decoder(list[Point]).read(result)
        assert isinstance(outcome, Mismatch)
        assert outcome.reason == "over_budget"


@pytest.mark.parametrize(
    "value", [float("nan"), float("inf"), [1.0, float("nan")]], ids=["NaN", "Infinity", "inside"]
)
def test_nan_and_infinity_in_a_python_value_are_no_json(value: Any) -> None:
    for out in (float | list[float], object):
        outcome = Decoder(out).read({"content": [], "structuredContent": value})
        assert isinstance(outcome, Mismatch)
        assert outcome.reason == "malformed"


def test_a_deep_python_value_is_over_budget_where_the_type_takes_anything() -> None:
    value: Any = 1
    for _ in range(50_000):
        value = [value]
    outcome = Decoder(object).read({"content": [], "structuredContent": value})
    assert isinstance(outcome, Mismatch)
    assert outcome.reason == "over_budget"
    assert len(str(outcome)) + len(repr(outcome)) < 4_000


def test_the_budget_of_a_decoder_is_its_own() -> None:
    result = {"content": [{"type": "text", "text": "[[[1]]]"}]}
    assert Decoder(Any).decode(result) == [[[1]]]
    outcome = Decoder(Any, budget=Budget(depth=2)).read(result)
    assert isinstance(outcome, Mismatch)
    assert outcome.reason == "over_budget"


def test_a_type_that_no_json_value_decodes_into_is_refused_when_the_decoder_is_made() -> None:
    for out in (complex, "Point", list["Point"], type, None | complex):
        with pytest.raises(TypeError):
            Decoder(out).decode({"content": [], "structuredContent": []})  # type: ignore[arg-type]


def test_unknown_options_are_refused_by_name() -> None:
    with pytest.raises(ValueError, match="any-block"):
        Decoder(Point, text="fence")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="enforce"):
        Decoder(Point, validate="maybe")  # type: ignore[arg-type]


def test_matches_is_true_of_a_value_that_is_of_the_type_already() -> None:
    assert matches([1, 2], list[int])
    assert matches({"a": 1}, dict[str, int])
    assert matches(None, int | None)
    assert not matches([1.0], list[int])
    assert not matches({"x": 1}, Point)
    assert not matches("2026-01-01", decimal.Decimal)
    assert not matches(float("nan"), float)


def test_of_several_problems_each_has_its_exact_path_up_to_the_bound() -> None:
    class Row(Struct):
        id: int
        tags: dict[str, int]

    rows = [{"id": str(i), "tags": {'a "b"': None}} for i in range(50)]
    outcome = Decoder(list[Row]).read({"content": [], "structuredContent": rows})
    assert isinstance(outcome, Mismatch)
    assert [p.path for p in outcome.problems[:3]] == ["$[0].id", '$[0].tags["a \\"b\\""]', "$[1].id"]
    assert len(outcome.problems) == Budget().problems
    assert "'0'" not in str(outcome), "values stay out of messages"
