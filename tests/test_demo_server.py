"""The demo's server speaks every revision, survives nonsense, and needs only the standard library."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from typedtool.demo_server import MODERN, answer

SERVER = [sys.executable, "-m", "typedtool.demo_server"]
HANDSHAKE = "2025-11-25"


def request(method: str, modern: bool = True, **params: Any) -> dict[str, Any]:
    meta = {"_meta": {"io.modelcontextprotocol/protocolVersion": MODERN}} if modern else {}
    return answer({"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, **meta}})


def test_the_server_ends_by_itself_when_its_input_closes() -> None:
    server = subprocess.Popen(SERVER, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert server.stdin is not None and server.stdout is not None
    server.stdin.write(b'{"jsonrpc": "2.0", "id": 7, "method": "ping"}\n')
    server.stdin.flush()
    assert json.loads(server.stdout.readline()) == {"jsonrpc": "2.0", "id": 7, "result": {}}
    assert server.poll() is None, "it stays while its input is open"
    server.stdin.close()
    assert server.wait(10) == 0
    assert server.stdout.read() == b""
    server.stdout.close()


def test_the_server_answers_what_is_no_request_with_an_error_and_goes_on() -> None:
    lines = (
        b'nonsense\n[]\n{"method": "notifications/initialized"}\n\n'
        + b"[" * 100_000
        + b'\n{"id": 1, "method": "x"}\n'
    )
    done = subprocess.run(SERVER, input=lines, capture_output=True, timeout=20)
    codes = [json.loads(line)["error"]["code"] for line in done.stdout.splitlines()]
    assert (codes, done.returncode) == ([-32700, -32600, -32700, -32601], 0)


@pytest.mark.parametrize("asked", ["2024-11-05", "2025-03-26", "2025-06-18", HANDSHAKE])
def test_the_server_speaks_the_revisions_with_a_handshake(asked: str) -> None:
    assert request("initialize", modern=False, protocolVersion=asked)["result"]["protocolVersion"] == asked


def test_the_server_offers_its_newest_where_it_does_not_know_what_is_asked() -> None:
    assert (
        request("initialize", modern=False, protocolVersion="2099-01-01")["result"]["protocolVersion"]
        == HANDSHAKE
    )


def test_results_say_that_they_are_complete_in_the_modern_revision_only() -> None:
    for method, params in (("tools/list", {}), ("tools/call", {"name": "get-temperature"})):
        assert request(method, **params)["result"]["resultType"] == "complete"
        assert "resultType" not in request(method, modern=False, **params)["result"]
    assert request("server/discover")["result"]["supportedVersions"] == [MODERN]


def test_null_is_on_the_wire_and_text_only_answers_have_no_structured_content() -> None:
    warning = request("tools/call", name="get-warning")["result"]
    assert "structuredContent" in warning and warning["structuredContent"] is None
    assert "structuredContent" not in request("tools/call", name="get-station")["result"]
    assert request("tools/call", name="nope")["error"]["code"] == -32602
    assert request("tools/call", name=["a"])["error"]["code"] == -32602


def test_the_server_loads_nothing_but_the_standard_library() -> None:
    code = (
        "import runpy, sys, io; sys.stdin = io.TextIOWrapper(io.BytesIO());"
        "before = set(sys.modules); runpy.run_path(sys.argv[1], run_name='__main__');"
        "print(sorted({m.partition('.')[0] for m in set(sys.modules) - before} - set(sys.stdlib_module_names)))"
    )
    path = sys.modules["typedtool.demo_server"].__file__
    done = subprocess.run(
        [sys.executable, "-S", "-c", code, str(path)], capture_output=True, text=True, timeout=20
    )
    assert done.stdout.strip() == "[]", done.stderr
