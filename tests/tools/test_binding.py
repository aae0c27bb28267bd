"""What a bind makes of a definition, what it refuses, and what it goes on with."""

from __future__ import annotations

import warnings
from typing import Any, Optional, Union

import pytest
from msgspec import Struct

from typedtool import Incompatible, Mismatch, Ok, Toolset, TypedTool, TypedToolWarning, compare
from typedtool.compatibility.proof.questions import Questions
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


def test_strict_refuses_what_is_otherwise_a_warning() -> None:
    class Tools(Toolset):
        f = TypedTool[None, Hour]()

    with pytest.raises(Incompatible, match="do not fit for every value") as caught:
        Tools.against({"tools": [entry(obj(hour=STR, temp=NUM))]}, strict=True)
    assert caught.value.partly
    with pytest.warns(TypedToolWarning):
        assert Tools.against({"tools": [entry(obj(hour=STR, temp=NUM))]}).report


def test_one_incompatible_tool_spoils_no_other() -> None:
    class Tools(Toolset):
        good = TypedTool[None, Hour]()
        bad = TypedTool[None, int]()

    tools = Tools.against({"tools": [entry(FITS, "good"), entry(obj(("result",), result=STR), "bad")]})
    assert tools.good.decode({"content": [], "structuredContent": {"hour": "1", "temp": 2}}) == Hour("1", 2.0)
    with pytest.raises(Incompatible):
        tools.bad.decode({"content": [], "structuredContent": {"result": 1}})
    assert [f.level for f in tools.report] == ["error"]


def test_an_input_matters_only_where_the_tool_can_be_called() -> None:
    definition = read_definition(entry(inputSchema=obj(("city",), city=INT)))
    tool = TypedTool[Query, object]("f")
    assert bind_definition(tool, definition).fault is None
    fault = bind_definition(tool, definition, calls=True).fault
    assert isinstance(fault, Incompatible) and fault.side == "input"
    assert "$.city" in str(fault)


def test_binding_goes_on_where_nothing_is_known() -> None:
    class Picky(Struct):
        a: int

        def __post_init__(self) -> None:
            if self.a < 0:
                raise ValueError("negative")

    assert (
        not TypedTool[None, Union[Picky, None]]("f")
        .against(entry({"anyOf": [obj(("a",), a=INT), {"type": "null"}]}))
        .report
    )


# --- what is made at bind, and what is done where that fails ---------------------------------------------------------


WRAPPED = {**obj(("result",), result={"type": "array", "items": FITS}), "x-fastmcp-wrap-result": True}
ROW = {"hour": "09:00", "temp": 7.5}


class Wrapper(Struct):
    result: int


CLOSED = {**FITS, "additionalProperties": False}


@pytest.mark.parametrize(
    ("tp", "schema", "value"),
    [
        (list[Hour], {"type": "array", "items": FITS}, [ROW]),
        (list[Hour], WRAPPED, {"result": [ROW]}),
        (Hour, CLOSED, ROW),
        (Hour, obj(("hour", "unit"), hour=STR, unit=STR), {**ROW, "unit": "C"}),
        (Hour, STR, '{"hour": "09:00", "temp": 7.5}'),
        (list[Hour], {**obj(("result",), result=STR)}, {"result": '[{"hour": "09:00", "temp": 7.5}]'}),
        (Optional[Hour], {"anyOf": [FITS, {"type": "null"}]}, None),
        (dict[str, Any], WRAPPED, {"result": {"a": 1}}),
        (dict[str, Any], obj(("result",), result=INT), {"result": 1}),
        (Union[Wrapper, int], obj(("result",), result=INT), {"result": 1}),
    ],
)
def test_the_first_result_asks_the_prover_nothing(
    tp: Any, schema: Any, value: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Any] = []
    ask = Questions.ask

    def counted(self: Questions, literals: Any) -> Any:
        asked.append(literals)
        return ask(self, literals)

    monkeypatch.setattr(Questions, "ask", counted)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TypedToolWarning)
        bound = TypedTool("f", None, tp).against(entry(schema))
    assert asked
    asked.clear()
    bound.read({"content": [], "structuredContent": value})
    assert asked == []


def test_a_binding_asks_the_prover_no_question_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    searched: list[frozenset[Any]] = []
    search = Questions._searched

    def counted(self: Questions, state: frozenset[Any]) -> Any:
        searched.append(state)
        return search(self, state)

    monkeypatch.setattr(Questions, "_searched", counted)
    TypedTool("f", None, list[Hour]).against(entry(WRAPPED))
    assert len(searched) == len(set(searched)) > 1


def test_a_type_that_nothing_decodes_into_is_refused_at_bind() -> None:
    with pytest.raises(TypeError, match="complex cannot be decoded from JSON"):
        TypedTool("f", None, complex).against(entry(FITS))

    class Tools(Toolset):
        good = TypedTool[None, Hour]("f")
        bad = TypedTool("g", None, complex)

    tools = Tools.against({"tools": [entry(FITS), entry(FITS, "g")]})
    assert [(f.tool, f.level) for f in tools.report] == [("g", "error")]
    assert tools.good.decode({"content": [], "structuredContent": ROW}) == Hour("09:00", 7.5)
    with pytest.raises(TypeError, match="complex cannot be decoded from JSON"):
        tools.bad.decode({"content": [], "structuredContent": ROW})


@pytest.mark.parametrize(
    "broken",
    [
        "typedtool.compatibility.findings.output_compatibility",
        "typedtool.compatibility.findings.residual_of",
    ],
)
def test_a_fault_of_the_comparison_is_in_the_report_and_each_result_is_validated_whole(
    broken: str, monkeypatch: pytest.MonkeyPatch, ours_fails: None
) -> None:
    def fails(*_: object, **__: object) -> Any:
        raise ZeroDivisionError("a fault of ours")

    monkeypatch.setattr(broken, fails)
    bound = TypedTool("f", None, Hour).against(entry(CLOSED))
    (finding,) = bound.report
    assert (finding.level, finding.side) == ("warning", "")
    assert finding.message == (
        "typedtool could not compare the outputSchema with the type (ZeroDivisionError: a fault of ours): "
        "each value is still validated"
    )
    assert isinstance(bound.read({"content": [], "structuredContent": ROW}), Ok)
    refused = bound.read({"content": [], "structuredContent": {**ROW, "unit": "C"}})
    assert isinstance(refused, Mismatch) and refused.value == Hour("09:00", 7.5)


def test_a_fault_of_the_comparison_of_inputs_is_in_the_report(
    monkeypatch: pytest.MonkeyPatch, ours_fails: None
) -> None:
    def fails(*_: object, **__: object) -> Any:
        raise ZeroDivisionError("a fault of ours")

    monkeypatch.setattr("typedtool.compatibility.findings.input_compatibility", fails)
    binding = bind_definition(
        TypedTool("f", Query, Hour), read_definition({**entry(), "inputSchema": obj(city=STR)}), calls=True
    )
    (finding,) = binding.report
    assert "could not compare the inputSchema with the type (ZeroDivisionError" in finding.message


def test_a_fault_of_the_prover_is_in_the_report_and_an_unknown_of_a_comparison(
    monkeypatch: pytest.MonkeyPatch, ours_fails: None
) -> None:
    def fails(*_: object) -> Any:
        raise ZeroDivisionError

    monkeypatch.setattr("typedtool.compatibility.proof.questions.Solver.solve", fails)
    assert str(compare(Hour, FITS).accepts) == "Unknown('the prover failed: ZeroDivisionError')"
    bound = TypedTool("f", None, Hour).against(entry(CLOSED))
    (finding,) = bound.report
    assert "typedtool could not compare the outputSchema with the type (ZeroDivisionError" in finding.message
    assert isinstance(bound.read({"content": [], "structuredContent": {**ROW, "unit": "C"}}), Mismatch)


def test_a_fault_of_ours_fails_the_tests_that_do_not_ask_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object, **__: object) -> Any:
        raise ZeroDivisionError

    monkeypatch.setattr("typedtool.compatibility.findings.output_compatibility", fails)
    with pytest.raises(ZeroDivisionError):
        TypedTool("f", None, Hour).against(entry(FITS))
