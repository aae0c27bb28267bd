"""The command line does what its help says: every command, every exit code, and nothing but named errors."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import mcp
import pytest

from typedtool.cli.expressions import type_of
from typedtool.cli.main import main
from typedtool.cli.terminal import CommandError, json_text
from typedtool.schemas.summaries import sketch, summary
from typedtool.values.printing import line

PYTHON = shlex.quote(sys.executable)
SERVER = f"{PYTHON} -m typedtool.demo_server"
FORECAST = {
    "type": "array",
    "items": {"type": "object", "properties": {"hour": {"type": "string"}}, "required": ["hour"]},
}


class Done:
    """What a command did: its exit code, what it printed and what it said on the standard error."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    def __repr__(self) -> str:
        return f"exit code {self.code}\n{self.out}\n--- stderr\n{self.err}"


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Any:
    def run(*arguments: object) -> Done:
        try:
            code = main([str(a) for a in arguments])
        except SystemExit as stop:
            code = int(stop.code or 0)
        out, err = capfd.readouterr()
        assert "Traceback" not in err, err
        return Done(code, out, err)

    return run


@pytest.fixture
def listing(tmp_path: Path) -> Any:
    def write(*tools: object, raw: bytes | None = None) -> Path:
        path = tmp_path / "listing.json"
        path.write_bytes(json.dumps({"tools": tools}).encode() if raw is None else raw)
        return path

    return write


def tool(name: str, **more: object) -> dict[str, object]:
    return {"name": name, "inputSchema": {"type": "object"}, **more}


# --- the line itself ------------------------------------------------------------------------------------------------


def test_without_a_command_it_prints_its_help_with_every_command_and_exit_code(run: Any) -> None:
    done = run()
    assert done.code == 0
    for word in ("demo", "list", "show", "call", "doctor", "exit codes:", "130"):
        assert word in done.out


def test_an_unknown_command_is_a_usage_error(run: Any) -> None:
    done = run("frobnicate")
    assert (done.code, done.out) == (2, "")
    assert "invalid choice: 'frobnicate'" in done.err


def test_the_version_names_what_it_stands_on(run: Any) -> None:
    done = run("--version")
    assert done.code == 0
    assert done.out.startswith("typedtool ") and ", mcp " in done.out


@pytest.mark.parametrize("command", ["demo", "list", "show", "call", "doctor"])
def test_every_command_has_a_help_of_its_own(run: Any, command: str) -> None:
    done = run(command, "--help")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith(f"usage: typedtool {command} ")


def test_the_help_of_typedtool_loads_no_sdk() -> None:
    code = "import sys; from typedtool.cli.main import main; main([]); print(sorted({'mcp', 'asyncio', 'pydantic'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == "[]"


# --- which server ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", [["list"], ["show", "x"], ["call", "x"]])
def test_a_command_without_a_server_says_how_to_name_one(run: Any, command: list[str]) -> None:
    done = run(*command)
    assert done.code == 2
    assert "--stdio --url --listing is required" in done.err


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["--stdio", ""], 2, "expected a command, received nothing"),
        (["--stdio", "'open"], 2, "no closing quotation"),
        (["--stdio", "no-such-command-at-all"], 1, "cannot connect to 'no-such-command-at-all'"),
        (["--url", "ftp://x"], 2, "expected http:// or https://"),
        (["--url", "http://127.0.0.1:9/mcp"], 1, "cannot connect to 'http://127.0.0.1:9/mcp'"),
        (["--listing", "/no/such\x1b[2Jfile"], 1, r"cannot read '/no/such\\x1b[2Jfile'"),
        (["--listing", "x", "--url", "http://x"], 2, "not allowed with argument"),
        (["--listing", "x", "--timeout", "soon"], 2, "expected seconds above 0, received 'soon'"),
        (["--listing", "x", "--timeout", "nan"], 2, "expected seconds above 0"),
    ],
)
def test_a_server_that_is_none_is_a_named_error(run: Any, arguments: list[str], code: int, says: str) -> None:
    done = run("list", *arguments)
    assert (done.code, done.out) == (code, "")
    assert says in done.err


def test_what_a_server_wrote_before_it_died_is_shown_escaped(run: Any) -> None:
    script = r"import sys; sys.stderr.write('no licence\n\x1b[31mkey missing\n'); sys.exit(3)"
    done = run("list", "--stdio", f"{PYTHON} -c {shlex.quote(script)}")
    assert (done.code, done.out) == (1, "")
    assert "  | no licence\n" in done.err
    assert r"  | \x1b[31mkey missing" in done.err


def test_what_the_sdk_logs_of_a_noisy_server_is_a_note_and_no_traceback() -> None:
    noise = "print('Starting \\x1b[31m ...', flush=True); print('again', flush=True)"
    serve = "import runpy; runpy.run_module('typedtool.demo_server', run_name='__main__')"
    server = f"{PYTHON} -c {shlex.quote(f'{noise}; {serve}')}"
    command = [sys.executable, "-m", "typedtool", "list", "--stdio", server]
    done = subprocess.run(command, capture_output=True, text=True, timeout=30)
    assert (done.returncode, len(done.stdout.splitlines())) == (0, 12), done
    assert done.stderr == "note: Failed to parse JSONRPC message from server\n"


def test_a_server_that_never_answers_is_left_after_the_timeout(run: Any) -> None:
    began = time.monotonic()
    done = run("list", "--timeout", "1", "--stdio", f"{PYTHON} -c 'import sys; sys.stdin.read()'")
    assert (done.code, done.out) == (1, "")
    assert "did not answer within 1 seconds" in done.err
    assert time.monotonic() - began < 15


@pytest.mark.parametrize(
    ("raw", "says"),
    [
        (b"", "not JSON: an empty text"),
        (b"{", "not JSON: JSON that ends early"),
        (b"\xff\xfe", "not JSON"),
        (b"[" * 100_000, "more than the budget allows: depth"),
        (b"5", "expected a listing"),
        (b'{"tools": 5}', "expected a listing"),
        (b'{"jsonrpc": "2.0", "id": 1, "error": {"code": 1, "message": "x"}}', "expected a listing"),
    ],
)
def test_a_file_that_is_no_listing_is_a_named_error(run: Any, listing: Any, raw: bytes, says: str) -> None:
    done = run("list", "--listing", listing(raw=raw))
    assert (done.code, done.out) == (1, "")
    assert says in done.err


def test_a_listing_may_be_a_whole_response_and_begin_with_a_byte_order_mark(run: Any, listing: Any) -> None:
    response = {"jsonrpc": "2.0", "id": 1, "result": {"tools": [tool("a")]}}
    done = run("list", "--listing", listing(raw=b"\xef\xbb\xbf" + json.dumps(response).encode()))
    assert done.code == 0
    assert done.out.splitlines()[0].split() == ["a", "no", "outputSchema"]


# --- list and show --------------------------------------------------------------------------------------------------


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
    began = time.process_time()
    assert run("list", "--listing", path).code == 0
    for name in ("t0", "t1", "t2"):
        assert run("show", name, "--listing", path).code == 0
    assert time.process_time() - began < 5


# --- call -----------------------------------------------------------------------------------------------------------


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


# --- types on the command line --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("int", int),
        ("None", None),
        ("list[int]", list[int]),
        ("list[dict[str, int | None]]", list[dict[str, "int | None"]]),
        ("tuple[int, ...]", tuple[int, ...]),
        ("Literal['a', 1]", 'Literal["a", 1]'),
        ("collections:OrderedDict", "OrderedDict"),
    ],
)
def test_a_type_expression_is_the_type_that_python_would_read(expression: str, expected: object) -> None:
    found = type_of(expression)
    if expression.startswith(("Literal", "collections")):
        assert str(expected).split("[")[0] in str(found)
    elif "None]" in expression:
        assert found.__args__[0].__args__[1] == (int | None)
    else:
        assert found == expected


@pytest.mark.parametrize(
    "expression",
    [
        "",
        "int()",
        "a",
        "int, str",
        "list[x]",
        "1",
        "'int'",
        "tuple[()][",
        "int[3]",
        "a" * 100_000,
        "(" * 5_000,
    ],
)
def test_what_is_no_type_expression_is_refused_and_never_evaluated(expression: str) -> None:
    with pytest.raises(CommandError, match="--as: expected a type") as caught:
        type_of(expression)
    assert caught.value.code == 2


# --- doctor ---------------------------------------------------------------------------------------------------------


def test_doctor_names_the_versions_and_finds_nothing_wrong_here(run: Any) -> None:
    done = run("doctor")
    assert done.code == 0, done
    found = {text.split()[0]: text.split()[1] for text in done.out.splitlines() if text.strip()}
    assert found["Python"] == ".".join(map(str, sys.version_info[:3]))
    for name in ("typedtool", "msgspec", "mcp", "jsonschema-rs", "jsonschema", "pydantic"):
        assert found[name][0].isdigit(), name
    assert done.out.endswith("no problem found\n")


def test_doctor_finds_what_is_missing_too_old_too_new_or_broken(
    run: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from typedtool.cli import doctor

    (tmp_path / "broken_package.py").write_text("raise RuntimeError('does not go with pydantic')", "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    packages = (
        doctor.Package("no-such-package", "x", "1", why="decodes"),
        doctor.Package("msgspec", "msgspec", "99"),
        doctor.Package("mcp", "mcp", "1.0", "1.1"),
        doctor.Package("jsonschema", "broken_package", "4"),
    )
    monkeypatch.setattr(doctor, "PACKAGES", packages)
    done = run("doctor")
    assert done.code == 1
    for says in (
        "decodes: pip install 'no-such-package>=1'",
        "too old: 99 or later",
        "below 1.1",
        "cannot be imported: RuntimeError: does not go",
    ):
        assert says in done.out
    assert done.out.endswith("4 problems found\n")


def test_doctor_says_what_a_server_speaks_and_which_schemas_cannot_be_used(run: Any) -> None:
    done = run("doctor", "--stdio", SERVER)
    assert done.code == 1, "one schema cannot be used"
    lines = [text.split() for text in done.out.splitlines()]
    assert ["server", "typedtool-demo", "1"] in lines
    assert ["tools", "11"] in lines
    assert ["unusable", "get-pressure"] in lines
    assert any(words[0] == "protocol" and words[1].startswith("202") for words in lines if words)


def test_doctor_says_that_a_server_cannot_be_reached(run: Any) -> None:
    done = run("doctor", "--stdio", "no-such-command-at-all")
    assert done.code == 1
    assert "server  not reached" in done.out
    assert "FileNotFoundError" in done.out


# --- as a process ---------------------------------------------------------------------------------------------------


def test_interrupting_it_is_clean_and_ends_the_server(tmp_path: Path) -> None:
    mark = tmp_path / "pid"
    script = f"import os, sys; open({str(mark)!r}, 'w').write(str(os.getpid())); sys.stdin.read()"
    command = [sys.executable, "-m", "typedtool", "list", "--stdio", f"{PYTHON} -c {shlex.quote(script)}"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    ends = time.monotonic() + 20
    while not (mark.exists() and mark.read_text()) and time.monotonic() < ends:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert (process.returncode, out, err) == (130, "", "typedtool: interrupted\n")
    with pytest.raises(ProcessLookupError):
        os.kill(int(mark.read_text()), 0)


def test_a_reader_that_leaves_early_is_no_error(listing: Any) -> None:
    path = listing(*(tool(f"tool-{i}", description="words " * 20) for i in range(3_000)))
    command = (
        f"{PYTHON} -m typedtool list --listing {shlex.quote(str(path))} | head -1; echo ${{PIPESTATUS[0]}}"
    )
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=30)
    assert done.stdout.splitlines()[-1] == "0"
    assert done.stderr == ""


def test_a_terminal_that_knows_no_unicode_is_no_error(listing: Any) -> None:
    path = listing(tool("wetter", description="Das Wetter für Köln ☔"))
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    command = [sys.executable, "-m", "typedtool", "list", "--listing", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert done.returncode == 0
    assert r"f\xfcr K\xf6ln" in done.stdout


# --- words ----------------------------------------------------------------------------------------------------------


def test_a_foreign_line_is_one_line_printable_and_bounded() -> None:
    assert line("a\tb\r\nc  d") == "a b c d"
    assert line("\x1b[1m‮") == r"\x1b[1m\u202e"
    assert len(line("x" * 1_000_000, 50)) == 50
    assert line("\ud800") == r"\ud800"


@pytest.mark.parametrize("value", ["\x1b", "‮a\u200b", "\ud800", "é☔😀", {"\x07": ["\x9b"]}])
def test_json_for_a_terminal_is_printable_and_still_the_same_json(value: object) -> None:
    text = json_text(value)
    assert text.isprintable()
    assert json.loads(text) == value


def test_a_sketch_shows_optional_fields_unions_literals_and_open_objects() -> None:
    schema = {
        "type": "object",
        "properties": {
            "id": {"type": ["integer", "null"]},
            "kind": {"enum": ["a", "b"]},
            "when": {"type": "string", "format": "date-time"},
            "pair": {"type": "array", "prefixItems": [{"const": 1}, {}], "items": False},
            "more words": {"type": "object", "additionalProperties": {"$ref": "#/$defs/n"}},
        },
        "required": ["id"],
        "$defs": {"n": {"type": "number"}},
    }
    assert sketch(schema, 200) == (
        '{id: integer | null, kind?: "a" | "b", when?: string (date-time), pair?: [1, anything], '
        '"more words"?: {*: number}}'
    )
    assert sketch(schema, 40).splitlines()[:3] == ["{", "  id: integer | null,", '  kind?: "a" | "b",']
    assert summary({}, schema) == "{id, kind, when, pair, ...}"
