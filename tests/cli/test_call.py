"""`typedtool call`: the value, or a named outcome with its own exit code."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from typing import Any

import mcp
import pytest

from command_line import SERVER, tool


@pytest.mark.parametrize(
    ("arguments", "value", "source"),
    [
        (["get-temperature"], 8, "structured"),
        (["get-warning"], None, "structured"),
        (
            ["list-stations"],
            [{"name": "Montsouris", "altitude": 75}, {"name": "Orly", "altitude": 89}],
            "structured, unwrapped",
        ),
        (["list-cities", "--as", "list[str]"], ["Paris", "Lyon", "Nice"], "blocks"),
        (["get-station"], {"name": "Montsouris", "altitude": 75}, "text"),
        (
            ["get-bulletin", "--as", "typedtool.cli.demo:Bulletin"],
            {"title": "Rain, then sun", "day": "2026-11-30"},
            "json-string, unwrapped",
        ),
        (["get-pressure", "--no-schema", "--as", "int"], 1013, "structured"),
    ],
)
def test_call_prints_the_value_as_json_and_its_source_beside_it(
    run: Any, arguments: list[str], value: object, source: str
) -> None:
    done = run("call", *arguments, "--stdio", SERVER)
    assert done.code == 0, done
    assert json.loads(done.out) == value
    assert done.err == f"source: {source}\n"


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["get-tide", '{"city": "Paris"}'], 3, "ToolFailed: tool 'get-tide' failed: Paris has no sea"),
        (["no-such-tool", "--no-schema"], 3, "JSON-RPC error -32602"),
        (
            ["get-humidity", "--as", "int"],
            4,
            "Mismatch: tool 'get-humidity': the value does not fit: expected at most 100",
        ),
        (["get-temperature", "--as", "str"], 1, "Incompatible: the outputSchema of tool 'get-temperature'"),
        (["get-temperature", "--as", "str", "--no-schema"], 4, "expected string, received integer at $"),
        (["get-forecast"], 1, "InvalidArguments: the arguments for tool 'get-forecast' do not fit"),
        (["get-pressure"], 1, "InvalidSchema: schema of tool 'get-pressure'"),
        (
            ["get-temprature"],
            1,
            "ToolNotFound: the server lists no tool 'get-temprature': did you mean 'get-temperature'",
        ),
    ],
)
def test_call_names_every_other_outcome_and_has_an_exit_code_for_it(
    run: Any, arguments: list[str], code: int, says: str
) -> None:
    done = run("call", *arguments, "--stdio", SERVER)
    assert (done.code, done.out) == (code, ""), done
    assert says in done.err


def test_call_shows_what_came_where_it_did_not_fit(run: Any) -> None:
    assert "received: 104\n" in run("call", "get-humidity", "--as", "int", "--stdio", SERVER).err
    assert (
        "received: Paris | Lyon | Nice\n" in run("call", "list-cities", "--as", "int", "--stdio", SERVER).err
    )


@pytest.mark.skipif(not hasattr(mcp, "Client"), reason="SDK 1.x does not speak the revision that has it")
def test_call_has_an_exit_code_for_a_server_that_asks_for_input(run: Any) -> None:
    asks = {"result": {"resultType": "input_required", "inputRequests": {}, "requestState": "s"}}
    script = {"protocols": ["2026-07-28"], "tools": [tool("ask")], "answers": {"ask": asks}}
    server = Path(__file__).parents[1] / "servers/scripted.py"
    done = run("call", "ask", "--stdio", shlex.join([sys.executable, str(server), json.dumps(script)]))
    assert (done.code, done.out) == (5, ""), done
    assert "InputRequired: tool 'ask' asks for input" in done.err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["x", "{"], "the arguments are not JSON: JSON that ends early"),
        (["x", "[1]"], "the arguments must be a JSON object"),
        (["x", "[" * 1000], "the arguments are not JSON: more than the budget allows: depth"),
        (["x", "--as", "list[", "{}"], "--as: expected a type such as list[int]"),
        (["x", "--as", "__import__('os').system('false')"], "--as: expected a type such as list[int]"),
        (
            ["x", "--as", "no.such.module:Name"],
            "--as: cannot import no.such.module:Name: ModuleNotFoundError",
        ),
        (["x", "--as", "json:nothing"], "--as: cannot import json:nothing: AttributeError"),
        (["x", "--as", "json:loads"], "--as: "),
    ],
)
def test_a_wrong_call_is_a_usage_error_before_anything_is_started(
    run: Any, arguments: list[str], says: str, tmp_path: Path
) -> None:
    mark = tmp_path / "started"
    done = run("call", *arguments, "--stdio", f"touch {shlex.quote(str(mark))}")
    assert (done.code, done.out) == (2, ""), done
    assert says in done.err
    assert not mark.exists()


def test_a_listing_cannot_be_called(run: Any, listing: Any) -> None:
    done = run("call", "t", "--listing", listing(tool("t")))
    assert (done.code, done.out) == (2, "")
    assert "a file cannot be called" in done.err


def test_a_value_goes_whole_into_a_pipe(run: Any) -> None:
    many = list(range(5_000))
    script = {
        "tools": [tool("many")],
        "answers": {"many": {"result": {"content": [], "structuredContent": {"many": many}}}},
    }
    server = Path(__file__).parents[1] / "servers/scripted.py"
    done = run("call", "many", "--stdio", shlex.join([sys.executable, str(server), json.dumps(script)]))
    assert json.loads(done.out) == {"many": many}
