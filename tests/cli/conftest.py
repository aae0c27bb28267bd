"""Fixtures of the command line: run a command in this process, write a listing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from command_line import Done
from typedtool.cli.main import main


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
