"""SEP-2106: new and old servers with new and old clients, for each kind of value that a result can hold.

A new server speaks 2026-07-28 and, to an old client, 2025-11-25, where it wraps what is no object, as the
TypeScript SDK 2.x does. An old server speaks 2025-11-25 and wraps, as Python servers do, or sends the bare
value, as the SEP's own demo does, which SDK 2.x clients need `tolerant` for.
"""

from __future__ import annotations

import json
import sys
from functools import cache
from typing import Any

import pytest

from live.matrix import CLIENTS, SERVERS, Call, drive

POINT = {"x": 1, "label": "a"}
OF_POINT = {
    "type": "object",
    "properties": {"x": {"type": "integer"}, "label": {"type": "string"}},
    "required": ["x", "label"],
}
VALUES: dict[str, tuple[str, Any, Any]] = {
    # kind: (the type asked for, its schema, the value)
    "object": ("Point", OF_POINT, POINT),
    "array": ("list[int]", {"type": "array", "items": {"type": "integer"}}, [1, 2]),
    "primitive": ("int", {"type": "integer"}, 7),
    "null": ("None", {"type": "null"}, None),
}
TEXT = {"content": [{"type": "text", "text": json.dumps(POINT)}]}
CASES = {
    **{kind: Call(kind, out, value) for kind, (out, _, value) in VALUES.items()},
    "text with a schema": Call("text with a schema", "Point", POINT),
    "text without a schema": Call("text without a schema", "Point", POINT),
}


def script(wrapping: bool) -> dict[str, Any]:
    tools, answers = [], {}
    for kind, (_, schema, value) in VALUES.items():
        text = [{"type": "text", "text": json.dumps(value)}]
        if wrapping and kind != "object":
            schema = {"type": "object", "properties": {"result": schema}, "required": ["result"]}
            value = {"result": value}
        tools.append({"name": kind, "inputSchema": {"type": "object"}, "outputSchema": schema})
        answers[kind] = {"result": {"content": text, "structuredContent": value}}
    tools.append({"name": "text with a schema", "inputSchema": {"type": "object"}, "outputSchema": OF_POINT})
    tools.append({"name": "text without a schema", "inputSchema": {"type": "object"}})
    answers.update({name: {"result": TEXT} for name in CASES if name.startswith("text")})
    return {"tools": tools, "answers": answers}


SCRIPTS = {
    "new": {"protocols": ["2025-11-25", "2026-07-28"], **script(False), "legacy": script(True)},
    "old, wrapping": script(True),
    "old, bare": script(False),
}


@cache
def outcomes(client: str, interpreter: str | None) -> dict[str, dict[str, Any]]:
    """What came of every case of every server with this client, by server and case."""
    calls = [{"tool": call.tool, "arguments": {}, "out": call.out} for call in CASES.values()]
    jobs = [
        {
            "server": [sys.executable, str(SERVERS / "scripted.py"), json.dumps(each)],
            "tolerant": server == "old, bare",
            "calls": calls,
        }
        for server, each in SCRIPTS.items()
    ]
    told = drive(client, jobs, interpreter)
    assert told["warnings"] == []
    assert not [o["failed"] for o in told["outcomes"] if "failed" in o]
    protocols = {"new": "2026-07-28"} if client in ("mcp2-client", "fastmcp4-client") else {}
    for server, outcome in zip(SCRIPTS, told["outcomes"], strict=True):
        assert outcome["protocol"] in (None, protocols.get(server, "2025-11-25"))
    return {
        server: dict(zip(CASES, outcome["calls"], strict=True))
        for server, outcome in zip(SCRIPTS, told["outcomes"], strict=True)
    }


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("server", SCRIPTS)
@pytest.mark.parametrize(
    "client", [pytest.param(c, marks=() if c.startswith("mcp2") else pytest.mark.live) for c in CLIENTS]
)
def test_every_value_is_typed(client: str, server: str, case: str, request: pytest.FixtureRequest) -> None:
    # Without --environments the clients of the SDK that is installed run where it is.
    interpreter = None if request.config.getoption("--environments") else sys.executable
    for name, outcome in outcomes(client, interpreter)[server][case].items():
        assert CASES[case].is_right(outcome), f"{name}: {outcome}"
