"""`typedtool check`: exit codes and formats."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any, Literal

import pytest
from msgspec import Struct

from typedtool import Toolset, TypedTool
from typedtool.cli.main import main

SERVER = Path(__file__).parents[1] / "servers" / "scripted.py"


class Query(Struct):
    city: str
    days: int = 3


class Hour(Struct):
    hour: str
    temp: float


class Station(Struct):
    name: str
    kind: Literal["airport", "ship"]


class Weather(Toolset):
    forecast = TypedTool[Query, list[Hour]]("get-forecast")
    station = TypedTool[None, Station]("get-station")
    count = TypedTool[None, int]("get-count")
    rain = TypedTool[Query, float]("get-rain")
    alerts = TypedTool[None, list[str]]("get-alerts")


STR, NUM, INT = {"type": "string"}, {"type": "number"}, {"type": "integer"}


def obj(*required: str, **properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(required)}


def wrapped(schema: Any) -> dict[str, Any]:
    return obj("result", result=schema)


def listing(**changed: Any) -> dict[str, Any]:
    """What the server lists: by attribute, (name, inputSchema, outputSchema)."""
    query, kinds = obj("city", city=STR, days=INT), {"enum": ["airport", "ship"]}
    tools: dict[str, Any] = {
        "forecast": (
            "get-forecast",
            query,
            wrapped({"type": "array", "items": obj("hour", "temp", hour=STR, temp=NUM)}),
        ),
        "station": ("get-station", obj(), obj("name", "kind", name=STR, kind=kinds)),
        "count": ("get-count", obj(), wrapped(INT)),
        "rain": ("get-rain", query, wrapped(NUM)),
        "alerts": ("get-alerts", obj(), wrapped({"type": "array", "items": STR})),
    }
    tools.update(changed)
    return {"tools": [{"name": n, "inputSchema": i, "outputSchema": o} for n, i, o in tools.values()]}


DRIFTED = {
    "forecast": (
        "get-forecast",
        obj("city", city=STR, days=INT),
        wrapped({"type": "array", "items": obj("hour", hour=STR, temp=NUM)}),
    ),
    "station": (
        "get-station",
        obj(),
        obj("name", "kind", name=STR, kind={"enum": ["airport", "ship", "buoy"]}),
    ),
    "count": ("get-count", obj(), wrapped(STR)),
    "rain": ("get-rain", obj("city", "units", city=STR, days=INT, units=STR), wrapped(NUM)),
    "alerts": ("list-alerts", obj(), wrapped({"type": "array", "items": STR})),
}
TARGET = f"{__name__}:Weather"


def check(tmp_path: Path, tools: dict[str, Any], *options: str) -> int:
    path = tmp_path / "listing.json"
    path.write_text(json.dumps(tools), encoding="utf-8")
    return main(["check", TARGET, "--listing", str(path), *options])


@pytest.fixture(autouse=True)
def importable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, __name__, sys.modules[Weather.__module__])


def test_types_that_fit_exit_with_0(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check(tmp_path, listing(), "--strict") == 0
    assert capsys.readouterr().out.splitlines()[-1] == "5 tools: 5 fit"


def test_a_warning_exits_with_0_and_with_strict_with_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one = listing(station=DRIFTED["station"])
    assert check(tmp_path, one) == 0
    assert check(tmp_path, one, "--strict") == 1
    assert '"kind": "buoy"' in capsys.readouterr().out


@pytest.mark.parametrize("what", ["count", "rain", "alerts"])
def test_an_incompatible_tool_exits_with_2(
    what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert check(tmp_path, listing(**{what: DRIFTED[what]})) == 2
    assert "INCOMPATIBLE  get-" + what in capsys.readouterr().out


def test_a_server_that_cannot_be_reached_exits_with_3(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", TARGET, "--stdio", "no-such-command-anywhere"]) == 3
    assert main(["check", TARGET, "--listing", "/nowhere/at/all.json"]) == 3
    assert "cannot" in capsys.readouterr().err


@pytest.mark.parametrize("target", ["no_such_module:Weather", f"{__name__}:Nothing", "json"])
def test_a_target_that_is_none_is_a_usage_error(
    target: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", target, "--listing", str(tmp_path / "x.json")]) == 2
    assert "typedtool:" in capsys.readouterr().err


def test_a_server_that_drifted_in_five_ways(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved = tmp_path / "saved.json"
    assert check(tmp_path, listing(), "--save", str(saved)) == 0
    capsys.readouterr()
    script = tmp_path / "script.json"
    script.write_text(json.dumps(listing(**DRIFTED)), encoding="utf-8")
    server = f"{sys.executable} {SERVER} {script}"
    assert main(["check", TARGET, "--stdio", server, "--since", str(saved)]) == 2
    said = capsys.readouterr().out
    for expected in (
        "may fail  get-forecast",
        "the server may leave it out, the type demands number",
        "give the field 'temp' of your type a default",
        "may fail  get-station",
        "INCOMPATIBLE  get-count",
        "change the type at $.result to take string",
        "INCOMPATIBLE  get-rain",
        "add what the server demands to the input type",
        "the server lists no tool 'get-alerts': did you mean 'list-alerts'",
        "5 tools: 2 may fail, 3 incompatible",
    ):
        assert expected in said, said
    assert said.count("breaking change of the outputSchema") == 3
    assert said.count("breaking change of the inputSchema") == 1


def test_json_says_all_of_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    check(tmp_path, listing(**DRIFTED), "--format", "json")
    said = json.loads(capsys.readouterr().out)
    by_name = {tool["name"]: tool for tool in said["tools"]}
    assert by_name["get-count"]["level"] == "error"
    (finding,) = by_name["get-forecast"]["findings"]
    assert finding["path"] == "$.result[0].temp"
    assert finding["witness"] == {"result": [{"hour": ""}]}
    assert finding["advice"]


def test_github_gets_an_annotation_for_each_finding(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    check(tmp_path, listing(**DRIFTED), "--format", "github")
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 5
    assert all(re.match(r"::(error|warning) title=typedtool check%3A [\w-]+::\S", line) for line in lines), (
        lines
    )


def test_save_compares_with_what_was_saved_before(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved = str(tmp_path / "saved.json")
    check(tmp_path, listing(), "--save", saved)
    check(tmp_path, listing(station=DRIFTED["station"]), "--save", saved)
    assert "breaking change of the outputSchema" in capsys.readouterr().out
    check(tmp_path, listing(station=DRIFTED["station"]), "--save", saved)
    assert "breaking" not in capsys.readouterr().out
