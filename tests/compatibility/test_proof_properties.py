"""Drawn types, schemas and values: what `compare` says, no value contradicts."""

from __future__ import annotations

import warnings
from collections import Counter
from typing import Any

import jsonschema
import jsonschema_rs
import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from referencing import Registry

from proof_draws import Draw, cases, schema_of
from typedtool import Budget, Decoder, Ok, SchemaError, parse_schema
from typedtool.compatibility.proof import Comparison, Proved, Refuted, Unknown, compare
from typedtool.compatibility.proof.comparing import Wire
from typedtool.compatibility.proof.questions import Questions
from typedtool.compatibility.proof.residuals import residual_of
from typedtool.tools.calling import encode
from typedtool.types.conversion import Converter, NotFit, NotJsonValue

BUDGET = Budget()


def reference(schema: Any) -> Any:
    """The reference implementation, which none of our code is part of.

    jsonschema judges a schema under `unevaluatedProperties` of 2019-09 wrongly (`{"unevaluatedProperties": {"type":
    "integer"}}` takes `{"a": "x"}`); there the reference is jsonschema-rs, which the suite finds right.
    """
    if "2019-09" in str(schema) and "unevaluatedProperties" in str(schema):
        return jsonschema_rs.validator_for(schema, offline=True)
    cls: Any = jsonschema.validators.validator_for(schema, default=jsonschema.Draft202012Validator)
    return cls(schema, registry=Registry())


def drawn(draw: Draw) -> tuple[Any, Any]:
    tp = draw.type()
    near = schema_of(tp) if draw.random() < 0.7 else None
    return tp, draw.schema(near)


def around(draw: Draw, tp: Any, schema: Any, *witnesses: Any) -> list[Any]:
    """Values that are likely to tell: of the type, of the schema, of both, the witnesses, and variations of all these."""
    wire = Wire.of(tp, parse_schema(schema), BUDGET)
    states: Any = (((wire.allowed, True),), ((wire.takes, True),), ((wire.allowed, True), (wire.takes, True)))
    bases = [*witnesses, *(Questions(BUDGET).ask(state).value for state in states)]
    found = [draw.value() for _ in range(8)]
    for base in bases:
        if base is msgspec.UNSET:
            continue
        value = base
        for _ in range(6):
            found.append(value)
            value = draw.varied(base if draw.random() < 0.4 else value)
    return found


def witnesses(comparison: Comparison) -> list[Any]:
    return [v.witness for v in (comparison.accepts, comparison.guarantees) if isinstance(v, Refuted)]


def check_output(draw: Draw, seen: Counter[str]) -> None:
    tp, schema = drawn(draw)
    try:
        decoder = Decoder(tp, schema, validate="off")
    except (TypeError, SchemaError):
        seen["refused"] += 1
        return
    comparison = compare(tp, schema)
    seen[f"accepts {type(comparison.accepts).__name__}"] += 1
    seen[f"guarantees {type(comparison.guarantees).__name__}"] += 1
    validator = reference(schema)

    def decodes(value: Any) -> bool:
        return isinstance(decoder.read({"content": [], "structuredContent": value}), Ok)

    if isinstance(comparison.accepts, Refuted):
        assert validator.is_valid(comparison.accepts.witness), "the schema refuses the witness"
        assert not decodes(comparison.accepts.witness), "the type takes the witness"
    if isinstance(comparison.guarantees, Refuted):
        assert decodes(comparison.guarantees.witness), "the type refuses the witness"
        assert not validator.is_valid(comparison.guarantees.witness), "the schema allows the witness"
    for value in around(draw, tp, schema, *witnesses(comparison)):
        allowed, taken = validator.is_valid(value), decodes(value)
        assert not (isinstance(comparison.accepts, Proved) and allowed and not taken), value
        assert not (isinstance(comparison.guarantees, Proved) and taken and not allowed), value


def check_input(draw: Draw, seen: Counter[str]) -> None:
    tp, schema = drawn(draw)
    try:
        converter = Converter(tp)
        comparison = compare(tp, schema, side="input")
        values = around(draw, tp, schema, *witnesses(comparison))
    except (TypeError, SchemaError):
        seen["refused"] += 1
        return
    seen[f"input {type(comparison.guarantees).__name__}"] += 1
    validator = reference(schema)
    if isinstance(comparison.guarantees, Refuted):
        assert not validator.is_valid(comparison.guarantees.witness), "the schema allows the witness"
    for value in values:
        try:
            made = encode("", converter.convert(value, BUDGET))
            sent = msgspec.json.decode(msgspec.json.encode(made))  # as it is on the wire: tuples are arrays
        except (NotFit, NotJsonValue, TypeError):
            continue
        assert not (isinstance(comparison.guarantees, Proved) and not validator.is_valid(sent)), sent


def check_residual(draw: Draw, seen: Counter[str]) -> None:
    tp, schema = drawn(draw)
    try:
        decoder = Decoder(tp, schema, validate="off")
        parsed = parse_schema(schema)
    except (TypeError, SchemaError):
        seen["refused"] += 1
        return
    residual = residual_of(Wire.of(tp, parsed, BUDGET), (False, True))
    validator = reference(schema)
    for value in around(draw, tp, schema):
        outcome = decoder.read({"content": [], "structuredContent": value})
        if not isinstance(outcome, Ok) or outcome.source != "structured":
            continue
        left = residual.of(unwrapped=outcome.unwrapped, json_string=False)
        seen["nothing" if left is None else "all" if left is parsed else "part"] += 1
        valid = left is None or reference(left.document).is_valid(value)
        assert valid == validator.is_valid(value), (value, None if left is None else left.document)


def run(check: Any, examples: int) -> Counter[str]:
    seen: Counter[str] = Counter()

    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )
    @given(cases())
    def each(draw: Draw) -> None:
        check(draw, seen)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of jsonschema, about the drawn schemas
        each()
    return seen


def test_no_value_contradicts_a_proof_and_every_witness_holds() -> None:
    seen = run(check_output, 1_000)
    for verdict in (Proved, Refuted, Unknown):
        assert seen[f"accepts {verdict.__name__}"] and seen[f"guarantees {verdict.__name__}"], seen
    assert seen["accepts Unknown"] + seen["guarantees Unknown"] < 0.25 * seen.total(), (
        "an honest answer, not the usual one"
    )


def test_decode_and_residual_say_what_decode_and_schema_say() -> None:
    seen = run(check_residual, 400)
    assert seen["nothing"] and seen["part"] and seen["all"], seen


def test_nothing_that_is_sent_contradicts_a_proof_about_an_input() -> None:
    seen = run(check_input, 300)
    assert seen["input Proved"] and seen["input Refuted"], seen


@pytest.mark.thorough
@pytest.mark.timeout(3_600)
def test_no_value_contradicts_a_proof_thorough() -> None:
    assert run(check_output, 20_000).total() > 20_000


@pytest.mark.thorough
@pytest.mark.timeout(3_600)
def test_nothing_that_is_sent_contradicts_a_proof_thorough() -> None:
    assert run(check_input, 5_000).total() >= 5_000


@pytest.mark.thorough
@pytest.mark.timeout(3_600)
def test_decode_and_residual_say_what_decode_and_schema_say_thorough() -> None:
    assert run(check_residual, 10_000)["part"] > 1_000
