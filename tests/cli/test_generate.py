"""`typedtool generate`: modules from listings, files and servers, and whether they are still right."""

from __future__ import annotations

import copy
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from generated_modules import (
    WEATHER,
    imported,
    obj,
    text,
    tool,
)
from typedtool import TypedTool
from typedtool.cli.main import main
from typedtool.codegen import generate

DEMO = f"{sys.executable} -m typedtool.demo_server"


@pytest.fixture
def listing(tmp_path: Path) -> Path:
    path = tmp_path / "listing.json"
    path.write_text(json.dumps(WEATHER), "utf-8")
    return path


def test_generate_writes_what_generate_gives(
    listing: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["generate", "--listing", str(listing)]) == 0
    printed = capsys.readouterr()
    assert printed.out == generate(WEATHER, command="typedtool generate --listing listing.json")
    assert "3 tools" in printed.err and "1 tools without an outputSchema" in printed.err
    assert str(tmp_path) not in printed.out
    target = tmp_path / "made" / "weather.py"
    assert main(["generate", "--listing", str(listing), "-o", str(target)]) == 0
    assert target.read_text("utf-8") == printed.out


STATION = {
    "tools": [
        {"name": "get-station", "inputSchema": {"type": "object"}},
        {"name": "get-count", "inputSchema": {"type": "object"}, "outputSchema": {"type": "integer"}},
    ]
}


@pytest.mark.parametrize("form", ["object", "array", "lines"])
def test_a_sample_gives_a_tool_without_a_schema_a_type_that_is_marked_as_a_guess(
    form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answers = [{"name": "Orly", "altitude": 89}, {"name": "Roissy", "altitude": 119, "closed": True}]
    records = [
        {"tool": "get-station", "result": text(answer)} for answer in answers[: 1 if form == "object" else 2]
    ]
    counted = {"tool": "get-count", "result": text("not a number")}  # what has a schema is not drafted
    written = {
        "object": json.dumps(records[0], indent=2),
        "array": json.dumps([*records, counted]),
        "lines": "\n".join(map(json.dumps, [*records, counted])),
    }
    listed, sample = tmp_path / "listing.json", tmp_path / "sample.json"
    listed.write_text(json.dumps(STATION), "utf-8")
    sample.write_text(written[form], "utf-8")
    assert main(["generate", "--listing", str(listed), "--sample", str(sample)]) == 0
    printed = capsys.readouterr()
    module = imported(printed.out)
    for answer, record in zip(answers, records, strict=False):
        found = module.get_station.decode(record["result"])
        assert (found.name, found.altitude) == (answer["name"], answer["altitude"])
    assert f"Drafted from {len(records)} result" in printed.out and "a guess" in printed.out
    assert module.get_count.output_type is int
    assert "--sample=sample.json" in printed.out
    samples = {"get-station": [record["result"] for record in records]}
    command = "typedtool generate --listing listing.json --sample=sample.json"
    assert generate(STATION, command=command, samples=samples) == printed.out


def test_a_sample_that_cannot_be_read_is_a_named_error(
    listing: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text("{", "utf-8")
    for path, said in ((tmp_path / "none.json", "cannot read"), (broken, "is not JSON")):
        assert main(["generate", "--listing", str(listing), "--sample", str(path)]) == 1
        printed = capsys.readouterr()
        assert printed.out == "" and f"--sample: {said}" in printed.err.replace(repr(str(path)) + " ", "")


def test_only_and_exclude_take_globs(listing: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["generate", "--listing", str(listing), "--only", "get-*", "--exclude", "*count", "--no-inputs"]
    assert main(command) == 0
    source = capsys.readouterr().out
    module = imported(source)
    assert [v.name for v in vars(module).values() if isinstance(v, TypedTool)] == ["get-weather-forecast"]
    assert "--only=get-* --exclude=*count --no-inputs" in " ".join(source.replace("'", "").split())


def test_check_says_nothing_of_a_module_that_is_right(listing: Path, tmp_path: Path) -> None:
    target = tmp_path / "weather.py"
    command = ["generate", "--listing", str(listing), "--output", str(target)]
    assert main(command) == 0
    assert main([*command, "--check"]) == 0


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda tools: tools.pop(1), "breaking: tool 'get-count' is gone"),
        (lambda tools: tools.append({"name": "new", "inputSchema": {}}), "harmless: tool 'new' is new"),
        (
            lambda tools: tools[1].update(outputSchema={"type": "string"}),
            "breaking: tool 'get-count' gives str, not int",
        ),
        (lambda tools: tools[2].update(description="Louder."), "harmless: only descriptions"),
        (
            lambda tools: tools[0]["inputSchema"]["properties"].update(unit={"type": "string"}),
            "harmless: GetWeatherForecastIn.unit is new",
        ),
        (
            lambda tools: tools[0]["inputSchema"].update(required=["location", "hoursAhead"]),
            "breaking: GetWeatherForecastIn.hours_ahead is",
        ),
    ],
)
def test_check_says_what_changed_and_whether_it_can_break_code(
    change: Any, said: str, listing: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "weather.py"
    command = ["generate", "--listing", str(listing), "--output", str(target)]
    assert main(command) == 0
    before = target.read_text("utf-8")
    later = copy.deepcopy(WEATHER)
    change(later["tools"])
    listing.write_text(json.dumps(later), "utf-8")
    capsys.readouterr()
    assert main([*command, "--check"]) == 1
    assert said in capsys.readouterr().err
    assert target.read_text("utf-8") == before


def test_check_needs_a_file_that_is_there(listing: Path, tmp_path: Path) -> None:
    assert main(["generate", "--listing", str(listing), "--check"]) == 2
    assert main(["generate", "--listing", str(listing), "--check", "-o", str(tmp_path / "none.py")]) == 1


def test_generate_from_a_running_server_names_it_and_calls_nothing(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["generate", "--stdio", DEMO]) == 0
    source = capsys.readouterr().out
    assert source.startswith('"""The tools of typedtool-demo 1, typed.')
    assert "Command: typedtool generate --stdio ..." in source
    assert sys.executable not in source
    module = imported(source)
    assert module.get_humidity.name == "get-humidity"


def test_split_gives_a_module_a_tool_and_shares_definitions(tmp_path: Path) -> None:
    entity = {**obj("e", e={"$ref": "#/$defs/Entity"}), "$defs": {"Entity": obj("a", a={"type": "integer"})}}
    tools = [tool(entity, entity, name=f"tool {i}") for i in range(9)]
    listing, package = tmp_path / "listing.json", tmp_path / "server_tools"
    listing.write_text(json.dumps({"tools": [*tools, *WEATHER["tools"]]}), "utf-8")
    command = ["generate", "--listing", str(listing), "-o", str(package), "--split"]
    assert main(command) == 0
    assert main([*command, "--check"]) == 0
    assert (package / "_shared.py").read_text("utf-8").count("class Entity(") == 1
    script = "import server_tools as s; print(len(s.__all__), s.tool_3.output_type.__name__, s.Tools.get_count.name)"
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.stdout == "13 Tool3Out get-count\n", done.stderr
    ruff = [sys.executable, "-m", "ruff", "format", "--isolated", "--check", "server_tools"]
    ran = subprocess.run(ruff, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    (package / "tool_3_tool.py").write_text("", "utf-8")
    assert main([*command, "--check"]) == 1
