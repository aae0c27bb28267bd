"""The server that a command line names: how it is reached, and what is said where it cannot be."""

from __future__ import annotations

import shlex
import subprocess
import sys
from typing import Any

import pytest

from command_line import PYTHON


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
    done = run("list", "--timeout", "1", "--stdio", f"{PYTHON} -c 'import sys; sys.stdin.read()'")
    assert (done.code, done.out) == (1, "")
    assert "did not answer within 1 seconds" in done.err
