"""`typedtool show`: what one tool takes and returns."""

from __future__ import annotations

import json
from typing import Any

from command_line import SERVER, tool

FORECAST = {
    "type": "array",
    "items": {"type": "object", "properties": {"hour": {"type": "string"}}, "required": ["hour"]},
}


def test_show_has_what_a_tool_takes_gives_and_its_schemas(run: Any) -> None:
    done = run("show", "get-forecast", "--stdio", SERVER)
    assert (done.code, done.err) == (0, "")
    assert "takes  {city: string}\n" in done.out
    assert "gives  [{hour: string, temp: number, conditions: string}, ...]\n" in done.out
    assert done.out.index("inputSchema\n") < done.out.index("outputSchema\n")
    assert json.loads(done.out.split("outputSchema\n")[1])["type"] == "array"


def test_show_tells_a_wrapped_an_absent_and_an_unusable_schema(run: Any, listing: Any) -> None:
    wrapped = {"type": "object", "properties": {"result": FORECAST}, "required": ["result"]}
    path = listing(
        tool("w", outputSchema=wrapped), tool("n"), tool("u", outputSchema={"type": "hectopascal"})
    )
    assert 'in "result": typedtool unwraps it' in run("show", "w", "--listing", path).out
    assert "no outputSchema is declared" in run("show", "n", "--listing", path).out
    unusable = run("show", "u", "--listing", path)
    assert unusable.code == 0
    assert "gives  the metaschema" in unusable.out


def test_show_names_what_is_near_to_a_tool_that_there_is_not(run: Any, listing: Any) -> None:
    done = run("show", "get-forcast", "--listing", listing(tool("get-forecast")))
    assert (done.code, done.out) == (1, "")
    assert "no tool 'get-forcast': did you mean 'get-forecast'?" in done.err


def test_show_cuts_a_long_schema_unless_it_is_asked_for_all(run: Any, listing: Any) -> None:
    path = listing(tool("t", outputSchema={"enum": [f"value {i}" for i in range(500)]}))
    cut, full = run("show", "t", "--listing", path), run("show", "t", "--full", "--listing", path)
    assert "more lines: --full" in cut.out
    assert len(cut.out.splitlines()) < 90 and "value 499" not in cut.out
    assert '"value 499"' in full.out


def test_show_says_that_several_tools_have_the_name(run: Any, listing: Any) -> None:
    path = listing(tool("t", description="the first"), tool("t", description="the second"))
    done = run("show", "t", "--listing", path)
    assert "the first" in done.out and "the second" not in done.out
    assert "the server lists 2 tools of this name" in done.err
