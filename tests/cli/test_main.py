"""The command line itself: its help, its exit codes, and a named error in place of every traceback."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from command_line import PYTHON, tool
from typedtool.cli.main import COMMANDS


def test_without_a_command_it_prints_its_help_with_every_command_and_exit_code(run: Any) -> None:
    done = run()
    assert done.code == 0
    for word in (*COMMANDS, "exit codes:", "130"):
        assert word in done.out


def test_an_unknown_command_is_a_usage_error(run: Any) -> None:
    done = run("frobnicate")
    assert (done.code, done.out) == (2, "")
    assert "invalid choice: 'frobnicate'" in done.err


def test_the_version_names_what_it_stands_on(run: Any) -> None:
    done = run("--version")
    assert done.code == 0
    assert done.out.startswith("typedtool ") and ", mcp " in done.out


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_a_help_of_its_own(run: Any, command: str) -> None:
    done = run(command, "--help")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith(f"usage: typedtool {command} ")


def test_the_help_of_typedtool_loads_no_sdk() -> None:
    code = "import sys; from typedtool.cli.main import main; main([]); print(sorted({'mcp', 'asyncio', 'pydantic'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == "[]"


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
