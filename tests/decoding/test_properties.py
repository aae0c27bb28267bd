"""Promises that hold for drawn types, values and results."""

from __future__ import annotations

import json
import pickle
import warnings
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from typedtool import (
    Budget,
    Decoder,
    Incompatible,
    InputRequired,
    Mismatch,
    Ok,
    SchemaError,
    ToolFailed,
    TypedTool,
    TypedToolError,
    TypedToolWarning,
    parse_schema,
)
from typedtool.results.outcomes import error_of
from typedtool.types.conversion import Converter, NotFit
from typedtool.types.explaining import explain
from types_with_values import Tree, anything, results, trees, types

EXAMPLES = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
OUTCOMES = (Ok, ToolFailed, Mismatch, InputRequired)


def sent(value: Any) -> Any:
    """A value as JSON carries it."""
    return json.loads(msgspec.json.encode(value))


def text_result(data: str) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": data}]}


@EXAMPLES
@given(st.data())
def test_a_type_decodes_what_its_values_encode_to_wherever_it_stands(data: st.DataObject) -> None:
    out, values = data.draw(types())
    value = data.draw(values)
    wire = sent(value)
    decoder = Decoder(out)
    structured = decoder.read({"content": [], "structuredContent": wire})
    if not isinstance(structured, Ok):
        # {"result": ...} may be taken for a wrapper where the type does not read a key of that name
        assert isinstance(wire, dict), structured
        assert set(wire) == {"result"}, structured
        return
    assert structured.value == value
    if structured.unwrapped:
        return
    if out is not str:
        assert decoder.decode(text_result(json.dumps(wire))) == value
    wrapped = {
        "content": [],
        "structuredContent": {"result": wire},
        "_meta": {"fastmcp": {"wrap_result": True}},
    }
    if not (wire is None or (isinstance(wire, str) and wire.lstrip()[:1] in ("{", "["))):
        outcome = decoder.read(wrapped)
        assert isinstance(outcome, Ok), outcome
        assert outcome.value == value or not outcome.unwrapped


@EXAMPLES
@given(trees())
def test_a_recursive_type_with_an_untagged_union_decodes_what_it_encodes_to(tree: Tree) -> None:
    assert Decoder(Tree).decode({"content": [], "structuredContent": sent(tree)}) == tree
    assert Decoder(Tree).decode(text_result(json.dumps(sent(tree)))) == tree


@EXAMPLES
@given(st.data(), anything())
def test_an_explanation_never_disagrees_with_the_decoder(data: st.DataObject, other: Any) -> None:
    out, values = data.draw(types())
    wire = _mutated(data, sent(data.draw(values)), other)
    converter = Converter(out)
    try:
        converter.convert(wire, Budget())
    except NotFit:
        assert converter.shape is not None
        assert explain(converter.shape, wire, Budget()), (out, wire)
    else:
        assert not explain(converter.shape, wire, Budget()), (out, wire)


def _mutated(data: st.DataObject, wire: Any, other: Any) -> Any:
    """The value with one part replaced, left out or added."""
    if isinstance(wire, dict) and wire and data.draw(st.booleans()):
        key = data.draw(st.sampled_from(sorted(wire)))
        if data.draw(st.booleans()):
            return {k: v for k, v in wire.items() if k != key}
        return {**wire, key: _mutated(data, wire[key], other)}
    if isinstance(wire, list) and wire and data.draw(st.booleans()):
        i = data.draw(st.integers(0, len(wire) - 1))
        return [*wire[:i], _mutated(data, wire[i], other), *wire[i + 1 :]]
    return other


@EXAMPLES
@given(st.lists(st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False), max_size=5))
def test_integral_floats_are_integers_and_no_other_float_is(numbers: list[float]) -> None:
    outcome = Decoder(list[int]).read({"content": [], "structuredContent": numbers})
    if all(float(n).is_integer() for n in numbers):
        assert isinstance(outcome, Ok)
        assert outcome.value == numbers
        assert all(type(n) is int for n in outcome.value)
    else:
        assert isinstance(outcome, Mismatch)


OUTS = [
    int,
    str,
    list[int],
    list[str],
    dict[str, int],
    object,
    Tree,
    Tree | None,
    tuple[int, str],
    float | list[Tree],
]


@settings(EXAMPLES, max_examples=400)
@given(
    st.sampled_from(OUTS),
    results() | anything() | st.binary(max_size=60) | st.text(max_size=60),
    st.booleans(),
)
def test_read_gives_an_outcome_for_anything_and_its_words_are_bounded(
    out: Any, source: Any, bound: bool
) -> None:
    tool = TypedTool[None, out]("t")  # type: ignore[valid-type]
    schema = {
        "type": "object",
        "properties": {"result": {"type": "array", "maxItems": 2}},
        "required": ["result"],
    }
    outcome = (_bound(tool, schema) if bound else tool).read(source)
    assert isinstance(outcome, OUTCOMES)
    assert outcome.result.raw is source
    assert max(len(str(outcome)), len(repr(outcome)), len(repr(outcome.result))) <= 2_000
    if not isinstance(outcome, Ok):
        error = error_of(outcome)
        copied = pickle.loads(pickle.dumps(error))
        assert (type(copied), str(copied)) == (type(error), str(error))
        assert max(len(str(error)), len(repr(error))) <= 2_000


def _bound(tool: TypedTool[None, Any], schema: Any) -> Any:
    """The tool, bound to the schema where its type may fit it at all."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TypedToolWarning)
        try:
            return tool.against({"name": "t", "outputSchema": schema})
        except Incompatible:
            return tool


@settings(EXAMPLES, max_examples=100)
@given(anything())
def test_any_schema_is_admitted_or_refused_by_name(schema: Any) -> None:
    try:
        parsed = parse_schema(schema)
    except TypedToolError as error:
        assert isinstance(error, SchemaError)
        assert len(str(error)) <= 2_000
    else:
        assert isinstance(parsed.validate({"a": 1}), tuple)


class Hostile:
    """An object that answers everything with an exception."""

    def __getattr__(self, name: str) -> Any:
        raise RuntimeError(name)


@pytest.mark.parametrize(
    "source",
    [
        None,
        5,
        object(),
        Hostile(),
        [],
        [1],
        {"content": Hostile()},
        {"content": [Hostile()]},
        b"\xff\xfe",
        "",
        "null",
        memoryview(b"{}"),
    ],
    ids=repr,
)
def test_what_is_no_result_is_malformed(source: Any) -> None:
    outcome = Decoder(object).read(source)
    assert isinstance(outcome, Mismatch)
    assert outcome.reason == "malformed"


def test_50000_levels_of_anything_end_in_a_bounded_outcome() -> None:
    deep: Any = {"x": 1}
    for _ in range(50_000):
        deep = {"result": deep}
    text = '{"content": [], "structuredContent": ' + "[" * 50_000 + "]" * 50_000 + "}"
    for out in OUTS:
        for source in (
            deep,
            {"content": [], "structuredContent": deep},
            {"content": [], "structuredContent": deep, "isError": True},
            text,
        ):
            outcome = Decoder(out).read(source)
            assert isinstance(outcome, (Mismatch, ToolFailed)), outcome
            assert max(len(str(outcome)), len(repr(outcome)), len(repr(outcome.result))) <= 2_000
    _undo(deep)


def _undo(deep: Any) -> None:
    """Take a deep value apart from the outside: its own destruction would recurse."""
    while isinstance(deep, dict) and "result" in deep:
        deep = deep.pop("result")
