"""`typedtool doctor` finds what is missing, outdated or broken."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from command_line import SERVER


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
