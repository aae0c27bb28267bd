"""What changed between two generated modules."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from generated_modules import (
    WEATHER,
    listing,
    obj,
    tool,
)
from typedtool.codegen import generate
from typedtool.codegen.checking import changes


def test_a_required_field_that_is_new_breaks_code_only_where_it_is_sent() -> None:
    old = {"tools": [tool(obj("a", a={}), obj("a", a={}))]}
    new = {"tools": [tool(obj("a b", a={}, b={}), obj("a b", a={}, b={}))]}
    found = {change.what: change.breaking for change in changes(generate(old), generate(new))}
    assert found == {"LookUpIn.b is new and required": True, "LookUpOut.b is new and required": False}


def test_a_module_that_a_formatter_went_over_has_not_changed(tmp_path: Path) -> None:
    long = {"type": "string", "enum": [f"a rather long value number {i}" for i in range(9)]}
    source = generate(
        listing(
            tool(obj("a b", a=long, b={"anyOf": [long, {"type": "null"}]}), obj(c=long)), *WEATHER["tools"]
        )
    )
    module = tmp_path / "module.py"
    module.write_text(source, "utf-8")
    ruff = [sys.executable, "-m", "ruff", "format", "--isolated", "--line-length", "140", str(module)]
    subprocess.run(ruff, capture_output=True, check=True)
    formatted = module.read_text("utf-8")
    assert formatted != source
    assert changes(formatted, source) == ()


def test_what_is_no_module_may_hold_anything() -> None:
    [change] = changes("def f(:", generate(WEATHER))
    assert str(change) == "breaking: what is there is not a generated module"
    assert {c.breaking for c in changes("x = 1", generate(WEATHER))} == {False}


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (obj("a", a={}), obj(a={}), ["breaking: LookUpOut.a is object = UNSET, not object"]),
        (obj(a={}), obj(b={}), ["breaking: LookUpOut.a is gone", "harmless: LookUpOut.b is new"]),
        (
            obj(a={}),
            {**obj(a={}), "additionalProperties": False},
            [
                "breaking: class LookUpOut is made with (kw_only=True, forbid_unknown_fields=True), not (kw_only=True)"
            ],
        ),
        (
            obj(a={}),
            {"type": "integer"},
            ["breaking: class LookUpOut is gone", "breaking: tool 'look-up' gives int, not LookUpOut"],
        ),
    ],
)
def test_each_change_is_named_the_breaking_ones_first(old: Any, new: Any, said: list[str]) -> None:
    assert [str(c) for c in changes(generate(listing(tool(old))), generate(listing(tool(new))))] == said
