"""What is found of types and schemas: an error where no value could pass, a warning for each part that can fail."""

from __future__ import annotations

import datetime
import pickle
import warnings
from typing import Annotated, Any, Literal, Optional, Union

import pytest
from msgspec import UNSET, Meta, Struct, UnsetType, defstruct

from typedtool import Incompatible, Mismatch, Ok, TypedTool, TypedToolWarning
from typedtool.results.definitions import read_definition
from typedtool.tools.binding import bind_definition


class Hour(Struct):
    hour: str
    temp: float


class Query(Struct):
    city: str
    days: int = 1


def entry(output: Any = None, name: str = "f", **more: Any) -> dict[str, Any]:
    return {"name": name, **({} if output is None else {"outputSchema": output}), **more}


def obj(required: tuple[str, ...] = (), **properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(required)}


STR, NUM, INT = {"type": "string"}, {"type": "number"}, {"type": "integer"}
FITS = obj(("hour", "temp"), hour=STR, temp=NUM)


@pytest.fixture(autouse=True)
def no_warning_unasked() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def test_a_tool_whose_types_fit_has_nothing_to_report() -> None:
    assert not TypedTool[None, Hour]("f").against(entry(FITS)).report


@pytest.mark.parametrize(
    ("out", "schema", "said"),
    [
        (Hour, obj(("hour", "temp"), hour=STR, temp=STR), "expected number, received string at $.temp"),
        (int, obj(("result",), result=STR), "expected integer, received string at $.result"),
        (list[Hour], FITS, "expected array, received object at $"),
        (Literal["a", "b"], obj(("result",), result={"enum": ["c", "d"]}), "at $.result"),
        (Annotated[int, Meta(gt=5)], obj(("result",), result={**INT, "maximum": 5}), "at $.result"),
        (Optional[int], obj(("result",), result={"type": "boolean"}), "received boolean at $.result"),
    ],
)
def test_a_schema_of_which_no_value_could_be_decoded_is_refused_with_a_value(
    out: Any, schema: Any, said: str
) -> None:
    with pytest.raises(Incompatible) as caught:
        TypedTool("f", None, out).against(entry(schema))
    error = caught.value
    assert said in str(error)
    assert error.side == "output" and not error.partly
    outcome = TypedTool("f", None, out).read({"content": [], "structuredContent": error.witness})
    assert isinstance(outcome, Mismatch), "the witness is one that the type refuses"
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


@pytest.mark.parametrize(
    ("out", "schema"),
    [
        (list[Hour], obj(("result",), result=STR)),  # JSON inside of the string
        (Hour, obj(("result",), result=STR)),
        (int, {"type": "null"}),  # old servers dump their None beside the text
        (list[int], {"type": "object"}),  # a result may say by itself that it is wrapped
        (Optional[Hour], obj(("result",), result={"type": ["null", "string"]})),
    ],
)
def test_nothing_is_refused_that_could_be_read_another_way(out: Any, schema: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TypedToolWarning)
        TypedTool("f", None, out).against(entry(schema))


def test_some_legal_values_that_fail_are_one_warning_and_a_line_each() -> None:
    schema = obj(("hour",), hour={"type": ["string", "null"]}, temp={"anyOf": [NUM, STR]})
    with pytest.warns(TypedToolWarning) as caught:
        bound = TypedTool[None, Hour]("f").against(entry(schema))
    assert len(caught) == 1
    lines = str(bound.report).splitlines()
    assert lines == [
        'warning: \'f\': output at $.temp: the server may leave it out, the type demands number, for example {"hour": ""}',
        "warning: 'f': output at $.hour: the server may send null, the type takes string, for example "
        '{"hour": null, "temp": 0}',
        "warning: 'f': output at $.temp: the server may send string, the type takes number, for example "
        '{"hour": "", "temp": ""}',
    ]
    assert isinstance(bound.read({"content": [], "structuredContent": {"hour": "1", "temp": 2}}), Ok)


def test_a_schema_that_says_nothing_is_a_note_and_no_warning() -> None:
    bound = TypedTool[None, Hour]("f").against(entry({"type": "object"}))
    assert {finding.level for finding in bound.report} == {"note"}


def test_a_renamed_field_is_a_warning() -> None:
    with pytest.warns(TypedToolWarning, match=r"\$\.temp: the server may leave it out"):
        TypedTool[None, Hour]("f").against(entry(obj(("hour", "temperature"), hour=STR, temperature=NUM)))


@pytest.mark.parametrize("validate", ["warn", "off"])
def test_a_schema_that_is_not_enforced_refuses_nothing(validate: Literal["warn", "off"]) -> None:
    tool: TypedTool[None, int] = TypedTool("f", None, int, validate=validate)
    with pytest.warns(TypedToolWarning, match="never fit"):
        bound = tool.against(entry(obj(("result",), result=STR)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TypedToolWarning)
        assert isinstance(bound.read({"content": [], "structuredContent": {"result": 1}}), Ok)


def test_a_lax_tool_is_told_only_what_it_refuses_too() -> None:
    tool: TypedTool[None, int] = TypedTool("f", None, int, lax=True)
    with pytest.warns(TypedToolWarning):
        bound = tool.against(entry(obj(("result",), result=STR)))
    assert bound.decode({"content": [], "structuredContent": {"result": "5"}}) == 5


class Asked(Struct):
    city: str
    unit: Union[str, UnsetType] = UNSET


@pytest.mark.parametrize(
    ("required", "unit", "said"),
    [
        (("city", "unit"), STR, "the type may leave it out, the server demands string"),
        (
            ("city",),
            {**STR, "maxLength": 3},
            "the type may send string of 4 characters, the server takes at most 3 characters",
        ),
        (("city",), None, "the type may send it, the server takes no such property"),
    ],
)
def test_an_input_that_the_server_may_refuse_is_a_warning(required: Any, unit: Any, said: str) -> None:
    held = {"city": STR, **({} if unit is None else {"unit": unit})}
    schema = {**obj(required, **held), "additionalProperties": False}
    found = bind_definition(
        TypedTool("f", Asked, object), read_definition(entry(inputSchema=schema)), calls=True
    )
    (finding,) = found.report
    assert finding.level == "warning" and finding.message.startswith(f"input at $.unit: {said}, for example ")


def test_an_input_that_the_server_always_refuses_is_an_error() -> None:
    schema = {**obj(("city",), city=STR), "additionalProperties": False}
    found = bind_definition(
        TypedTool("f", Query, object), read_definition(entry(inputSchema=schema)), calls=True
    )
    assert isinstance(found.fault, Incompatible) and found.fault.side == "input"
    assert "no such property, received integer at $.days" in str(found.fault), "a default is always sent"


def test_an_input_without_a_type_is_not_warned_of() -> None:
    definition = read_definition(entry(inputSchema=obj(("city",), city=STR)))
    assert not bind_definition(TypedTool("f", dict[str, Any], object), definition, calls=True).report


def test_a_tool_without_input_is_refused_where_the_server_demands_some() -> None:
    found = bind_definition(
        TypedTool[None, object]("f"), read_definition(entry(inputSchema=obj(("city",), city=STR))), calls=True
    )
    assert isinstance(found.fault, Incompatible)


def notes(tp: Any, schema: Any) -> list[str]:
    report = TypedTool("f", None, tp).against(entry(schema)).report
    assert {finding.level for finding in report} == {"note"}
    return [finding.message for finding in report]


def test_a_part_of_which_the_schema_says_nothing_is_a_note() -> None:
    assert notes(Hour, obj(("hour", "temp"), hour=STR, temp={})) == [
        "output at $.temp: the schema says nothing of it, the type takes number"
    ]


def test_a_format_that_is_an_annotation_is_a_note() -> None:
    schema = obj(("result",), result={**STR, "format": "date"})
    assert notes(datetime.date, schema) == [
        "output at $.result: the schema says it by format only, which is an annotation, the type takes a date"
    ]
    with pytest.warns(TypedToolWarning, match=r"the type takes a date"):
        TypedTool("f", None, datetime.date).against(entry(obj(("result",), result=STR)))


def test_another_key_beside_the_wrapper_is_a_note() -> None:
    assert notes(dict[str, int], obj(("result",), result={"type": "object", "additionalProperties": INT}))


def test_at_most_eight_parts_are_found_of_one_schema() -> None:
    names = [f"x{i}" for i in range(12)]
    wide = defstruct("Wide", [(name, int) for name in names])
    schema = obj(tuple(names), **{name: {"type": ["integer", "null"]} for name in names})
    with pytest.warns(TypedToolWarning, match="and 5 more in the report"):
        assert len(TypedTool("f", None, wide).against(entry(schema)).report) == 8
