"""Values of JSON, and JSON text, as values of a type."""

from __future__ import annotations

import decimal
from typing import Any

import msgspec
import pytest

from type_samples import DECODED
from typedtool import Ok
from typedtool.decoding.decoder import Decoder
from typedtool.types.hints import type_name


@pytest.mark.parametrize(
    ("out", "wire", "value"), DECODED, ids=[f"{type_name(o)}-{i}" for i, (o, _, _) in enumerate(DECODED)]
)
def test_a_value_decodes(out: Any, wire: Any, value: Any) -> None:
    decoder = Decoder(out)
    outcome = decoder.read({"content": [], "structuredContent": wire})
    assert isinstance(outcome, Ok), outcome
    assert outcome.value == value
    assert type(outcome.value) is type(value)
    text = msgspec.json.encode(wire).decode()
    if not isinstance(wire, str):
        assert decoder.decode({"content": [{"type": "text", "text": text}]}) == value


def test_numbers_in_text_keep_their_digits_for_a_decimal() -> None:
    result = {"content": [{"type": "text", "text": '{"price": 1.10}'}]}
    assert Decoder(dict[str, decimal.Decimal]).decode(result) == {"price": decimal.Decimal("1.10")}
    assert str(Decoder(dict[str, decimal.Decimal]).decode(result)["price"]) == "1.10"
