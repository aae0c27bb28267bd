"""`compare`: verdicts are a closed union."""

from __future__ import annotations

from typing import Union

from typing_extensions import assert_never, assert_type

from typedtool import Caller, Comparison, Proved, Refuted, Unknown, compare


async def run(client: Caller) -> None:
    found = compare(list[int], {"type": "array", "items": {"type": "number"}})
    assert_type(found, Comparison)
    assert_type(found.accepts, Union[Proved, Refuted, Unknown])
    assert said(found.accepts) == "[0.5]"
    assert said(found.guarantees) == "proved"
    assert said(compare(int, True, side="input").guarantees) == "proved"


def said(verdict: Union[Proved, Refuted, Unknown]) -> str:
    match verdict:
        case Proved():
            return "proved"
        case Refuted():
            return str(verdict.witness)
        case Unknown():
            return verdict.why
        case _:
            assert_never(verdict)


def refused(found: Comparison) -> None:
    compare(int)  # E
    compare(int, True, "input")  # E
    compare(int, True, side="both")  # E
    x: bool = found.accepts  # E
    found.nope  # E
