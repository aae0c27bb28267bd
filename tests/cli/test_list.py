"""`typedtool list`: a line for each tool, safe to print whatever the server chose."""

from __future__ import annotations

import json
from typing import Any

import pytest

from calibration import work_units
from command_line import SERVER, tool


def test_list_has_a_line_for_each_tool_and_counts_what_their_schemas_say(run: Any) -> None:
    done = run("list", "--stdio", SERVER)
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    said = {text.split("  ")[0]: text[17:50].strip() for text in lines[:-1]}
    assert said["get-forecast"] == "array of {hour, temp, conditions}"
    assert said["get-warning"] == "{level, text} | null"
    assert said["list-stations"] == "array of {name, altitude}"
    assert said["get-station"] == "no outputSchema"
    assert said["get-pressure"] == "unusable outputSchema"
    assert lines[-1] == ("11 tools: 8 whose outputSchema says something, 2 without, 1 unusable")


def test_list_tells_a_schema_that_says_nothing(run: Any, listing: Any) -> None:
    loose = [{}, True, {"type": "object"}, {"type": "array"}, {"type": "array", "items": {}}]
    wrapped = {"type": "object", "properties": {"result": {}}, "required": ["result"]}
    done = run(
        "list",
        "--listing",
        listing(*(tool(f"t{i}", outputSchema=s) for i, s in enumerate([*loose, wrapped]))),
    )
    assert done.out.splitlines()[-1] == "6 tools: 6 with one that says nothing"
    assert run("list", "--listing", listing()).out == "the server lists no tools\n"


HOSTILE = "\x1b[2J\x1b]0;owned\x07‮evil\u200b\ud800\r\n" + "x" * 10_000


@pytest.mark.parametrize("command", [["list"], ["show", HOSTILE], ["doctor"]])
def test_what_a_server_chose_is_printed_cut_and_escaped(run: Any, listing: Any, command: list[str]) -> None:
    schema = {
        "type": "object",
        "properties": {HOSTILE: {"enum": [HOSTILE]}},
        "description": HOSTILE,
        "required": 5,
    }
    sound = {**schema, "required": [HOSTILE], "additionalProperties": False}
    raw = json.dumps(
        {
            "tools": [
                tool(HOSTILE, description=HOSTILE, inputSchema=sound, outputSchema=s) for s in (sound, schema)
            ]
        }
    )
    path = listing(raw=raw.replace("\\ud800", "\\ufffe").encode())
    done = run(*[part.replace("\ud800", "\ufffe") for part in command], "--listing", path)
    assert done.code in (0, 1)
    printed = done.out + done.err
    assert [c for c in printed if not c.isprintable() and c != "\n"] == []
    assert "x1b" in printed or "u001b" in printed
    assert max(map(len, printed.splitlines())) < 500
    assert len(printed) < 10_000


def test_a_schema_that_goes_round_or_blows_up_is_shown_all_the_same(run: Any, listing: Any) -> None:
    bomb = {
        "$defs": {f"d{i}": {"anyOf": [{"$ref": f"#/$defs/d{i + 1}"}] * 9} for i in range(40)},
        "$ref": "#/$defs/d0",
    }
    bomb["$defs"]["d40"] = {"type": "string"}  # type: ignore[index]
    loop = {"anyOf": [{"$ref": "#"}, {"type": "array", "items": {"$ref": "#"}}]}
    deep: dict[str, object] = {"type": "string"}
    for _ in range(50):
        deep = {"type": "array", "items": deep}
    path = listing(*(tool(f"t{i}", outputSchema=s) for i, s in enumerate([bomb, loop, deep])))

    def listed_and_shown() -> None:
        assert run("list", "--listing", path).code == 0
        for name in ("t0", "t1", "t2"):
            assert run("show", name, "--listing", path).code == 0

    assert work_units(listed_and_shown) < 500
