"""`typedtool draft`: modules from recorded results, or from one call."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from generated_modules import (
    imported,
    text,
)
from typedtool.cli.main import main

DEMO = f"{sys.executable} -m typedtool.demo_server"


def test_draft_reads_lines_and_arrays_and_writes_a_module(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    records = [{"tool": "look-up", "result": text({"n": i})} for i in range(3)] + [
        {"tool": 5},
        7,
        {"tool": "x"},
    ]
    lines, array = tmp_path / "lines.jsonl", tmp_path / "array.json"
    lines.write_text("\n".join(map(json.dumps, records)), "utf-8")
    array.write_text(json.dumps(records), "utf-8")
    assert main(["draft", "--results", str(lines)]) == 0
    printed = capsys.readouterr().out
    assert main(["draft", "--results", str(array), "-o", str(tmp_path / "made.py")]) == 0
    assert (tmp_path / "made.py").read_text("utf-8") == printed
    module = imported(printed)
    assert module.look_up.decode(text({"n": 5})).n == 5
    assert "Drafted from 3 results: a guess" in printed
    assert main(["draft"]) == 2


def test_draft_calls_a_tool_once_and_shows_what_it_sends(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["draft", "get-forecast", "--call", '{"city": "Oslo"}', "--stdio", DEMO]) == 0
    printed = capsys.readouterr()
    assert """calling 'get-forecast' with {"city": "Oslo"}""" in printed.err
    assert "class GetForecastItem(Struct" in printed.out
