"""What a bound tool still checks once a value has decoded, and that nothing is lost by it."""

from __future__ import annotations

import warnings
from typing import Any, Optional, Union

import pytest
from msgspec import Struct

from typedtool import Budget, Mismatch, Ok, Schema, TypedTool, parse_schema
from typedtool.compatibility.proof.comparing import Wire
from typedtool.compatibility.proof.residuals import residual_of


class Hour(Struct):
    hour: str
    temp: float


class Closed(Struct, forbid_unknown_fields=True):
    hour: str


def obj(required: tuple[str, ...] = (), **properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(required)}


STR, NUM, INT = {"type": "string"}, {"type": "number"}, {"type": "integer"}
ROWS = {"type": "array", "items": obj(("hour", "temp"), hour=STR, temp=NUM)}


def left(
    tp: Any, schema: Any, *, used: bool = False, unwrapped: bool = False, json_string: bool = False
) -> Any:
    residual = residual_of(Wire.of(tp, parse_schema(schema), Budget()), [unwrapped], used=used)
    found = residual.of(unwrapped=unwrapped, json_string=json_string)
    return None if found is None else found.document


@pytest.mark.parametrize(
    ("tp", "schema", "rest"),
    [
        (list[Hour], ROWS, None),
        (Hour, obj(("hour",), hour=STR, temp=NUM), None),
        (
            Hour,
            obj(("hour",), hour={**STR, "minLength": 1}, temp=NUM),
            {"properties": {"hour": {"minLength": 1}}},
        ),
        (
            Hour,
            obj(("hour", "unit"), hour=STR, temp=NUM, unit=STR),
            {"required": ["unit"], "properties": {"unit": STR}},
        ),
        (
            Hour,
            obj(("hour",), hour=STR, temp={**NUM, "minimum": 0}),
            {"properties": {"temp": {**NUM, "minimum": 0}}},
        ),
        (list[Hour], {**ROWS, "minItems": 1, "description": "rows"}, {"minItems": 1}),
        (Optional[Hour], {"anyOf": [obj(hour={**STR, "maxLength": 9}), {"type": "null"}]}, ...),
        (
            Closed,
            {**obj(("hour",), hour={**STR, "maxLength": 9}), "additionalProperties": False},
            {"properties": {"hour": {"maxLength": 9}}},
        ),
        (
            dict[str, int],
            {"type": "object", "additionalProperties": {**INT, "minimum": 0}, "minProperties": 1},
            ...,
        ),
        (int, {"minimum": 0}, {"minimum": 0}),
    ],
)
def test_what_decoding_shows_is_left_out(tp: Any, schema: Any, rest: Any) -> None:
    found = left(tp, schema)
    assert found is not None if rest is ... else found == rest


def test_a_residual_that_would_be_larger_is_the_schema() -> None:
    schema = {"anyOf": [obj(a=INT), obj(b=STR)]}
    assert left(Hour, schema) == schema


def test_each_form_on_the_wire_has_a_residual_of_its_own() -> None:
    schema = obj(("result",), result=ROWS)
    assert left(list[Hour], schema, unwrapped=True) is None
    assert not parse_schema(left(list[Hour], schema)).is_valid([]), "what came bare is refused"
    assert left(list[Hour], obj(("result",), result=STR), unwrapped=True, json_string=True) is None


def test_a_form_that_was_not_foreseen_is_held_to_the_whole_schema() -> None:
    schema = parse_schema(ROWS)
    residual = residual_of(Wire.of(list[Hour], schema, Budget()), [False])
    assert residual.of(unwrapped=False, json_string=False) is None
    assert residual.of(unwrapped=True, json_string=False) is schema
    assert residual.of(unwrapped=False, json_string=True) is schema, "the schema allows no string"


def test_what_the_type_ignores_counts_unless_only_what_is_used_counts() -> None:
    schema = {**obj(("hour", "unit"), hour=STR, temp=NUM, unit=STR), "additionalProperties": False}
    assert left(Hour, schema)["additionalProperties"] is False
    assert left(Hour, schema, used=True) is None
    strict = obj(("hour", "unit"), hour={**STR, "minLength": 1}, unit=STR)
    assert left(Hour, strict, used=True) == {"properties": {"hour": {"minLength": 1}}}


ENTRY = {
    "name": "f",
    "outputSchema": {**obj(("hour", "unit"), hour={**STR, "minLength": 1}, temp=NUM, unit=STR)},
}


def result(**value: Any) -> dict[str, Any]:
    return {"content": [], "structuredContent": value}


@pytest.fixture
def quiet() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@pytest.mark.usefixtures("quiet")
def test_a_bound_tool_refuses_what_the_schema_refuses_of_values_that_the_type_ignores() -> None:
    bound = TypedTool[None, Hour]("f").against(ENTRY)
    outcome = bound.read(result(hour="1", temp=2, unit=3))
    assert isinstance(outcome, Mismatch) and outcome.value == Hour("1", 2.0)
    assert outcome.problems[0].path == "$.unit"
    assert isinstance(bound.read(result(hour="1", temp=2, unit="C")), Ok)


@pytest.mark.usefixtures("quiet")
def test_with_validate_used_it_does_not_and_still_refuses_the_rest() -> None:
    tool: TypedTool[None, Hour] = TypedTool("f", None, Hour, validate="used")
    bound = tool.against(ENTRY)
    assert isinstance(bound.read(result(hour="1", temp=2, unit=3)), Ok)
    assert isinstance(bound.read(result(hour="1", temp=2)), Ok)
    refused = bound.read(result(hour="", temp=2, unit=3))
    assert isinstance(refused, Mismatch) and [p.path for p in refused.problems] == ["$.hour"]


@pytest.mark.usefixtures("quiet")
def test_where_all_is_proved_no_schema_is_asked_and_numbers_are_still_finite(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bound = TypedTool[None, Union[list[Hour], None]]("f").against(
        {"name": "f", "outputSchema": {"anyOf": [ROWS, {"type": "null"}]}}
    )
    rows = [{"hour": "1", "temp": 2}]
    bound.read({"content": [], "structuredContent": rows})
    asked: list[Any] = []
    monkeypatch.setattr(Schema, "is_valid", lambda self, value: asked.append(value) or True)
    monkeypatch.setattr(Schema, "validate", lambda self, value: asked.append(value) or ())
    assert isinstance(bound.read({"content": [], "structuredContent": rows}), Ok)
    assert asked == []
    outcome = bound.read({"content": [], "structuredContent": [{"hour": "1", "temp": float("nan")}]})
    assert isinstance(outcome, Mismatch) and outcome.reason == "malformed"


@pytest.mark.usefixtures("quiet")
def test_a_value_from_text_is_held_to_the_whole_schema_in_the_form_that_it_describes() -> None:
    schema = obj(("result",), result={**INT, "minimum": 5})
    bound = TypedTool[None, int]("f").against({"name": "f", "outputSchema": schema})
    assert isinstance(bound.read({"content": [{"type": "text", "text": "7"}]}), Ok)
    assert isinstance(bound.read({"content": [{"type": "text", "text": "3"}]}), Mismatch)
    assert isinstance(bound.read({"content": [], "structuredContent": {"result": 3}}), Mismatch)
    assert isinstance(bound.read({"content": [], "structuredContent": {"result": 7}}), Ok)
    assert isinstance(bound.read({"content": [], "structuredContent": 7}), Mismatch)
