"""Every server with every client that can talk to it, through `TypedTool`: what the live tests check.

    cd tests && python -m live.matrix

prints it as a table in Markdown.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from live.environments import SDKS, Missing, environment, npm_server, python

SERVERS = Path(__file__).resolve().parents[1] / "servers"
DRIVER = Path(__file__).with_name("driver.py")

CLIENTS = {
    "mcp1-session": "mcp1",
    "mcp2-session": "mcp2",
    "mcp2-client": "mcp2",
    "fastmcp4-client": "fastmcp4",
}
"""The clients, each with the environment in which it runs."""

FAILS = object()
"""The tool says that it failed."""

REFUSED = object()
"""The arguments do not fit the inputSchema: the tool says so, or nothing is sent where the tool is bound."""


@dataclass(frozen=True)
class Call:
    """A tool, its arguments, the type that is asked for, and the value (or a test of it) that is right."""

    tool: str
    out: str
    right: Any
    arguments: dict[str, Any] = field(default_factory=dict)

    def is_right(self, outcome: dict[str, Any], bound: bool = False) -> bool:
        if self.right is REFUSED and bound:
            return outcome.get("raised") == "InvalidArguments"
        if self.right in (FAILS, REFUSED):
            return outcome.get("no") == "ToolFailed"
        if "ok" not in outcome:
            return False
        return bool(self.right(outcome["ok"])) if callable(self.right) else outcome["ok"] == self.right


POINT, TWO = {"x": 1, "label": "a"}, [{"x": 1, "label": "a"}, {"x": 2, "label": "b"}]
OF_AN_SDK = [
    Call("an_object", "Point", POINT),
    Call("a_list", "list[Point]", TWO),
    Call("a_list_of_one", "list[Point]", [POINT]),
    Call("no_list", "list[Point]", []),
    Call("a_number", "int", 7),
    Call("nothing", "None", None),
    Call("perhaps", "Point | None", POINT, {"there": True}),
    Call("perhaps", "Point | None", None, {"there": False}),
    Call("text_only", "Point", POINT),
    Call("fails", "Point", FAILS),
]
NEW_YORK = {"location": "New York"}
WEATHER = {"temperature": 33, "conditions": "Cloudy", "humidity": 82}
ENTITY = {"name": "a", "entityType": "t", "observations": ["o"]}


def calls_of(server: str, scratch: Path) -> list[Call]:
    there = str(scratch / "a.txt")
    return {
        "everything": [
            Call("get-structured-content", "Weather", WEATHER, NEW_YORK),
            Call("get-sum", "str", "The sum of 1 and 2 is 3.", {"a": 1, "b": 2}),
            Call("echo", "str", "Echo: 007", {"message": "007"}),
            Call("get-sum", "str", REFUSED, {"a": "x", "b": 2}),
        ],
        "filesystem": [
            Call("read_text_file", "Content", {"content": "hello\n"}, {"path": there}),
            Call("list_directory", "Content", {"content": "[FILE] a.txt"}, {"path": str(scratch)}),
            Call("read_text_file", "Content", FAILS, {"path": str(scratch / "no such file")}),
        ],
        "memory": [
            Call(
                "create_entities", "Graph", lambda g: g["entities"] in ([ENTITY], []), {"entities": [ENTITY]}
            ),
            Call("read_graph", "Graph", {"entities": [ENTITY], "relations": []}),
            Call("search_nodes", "Graph", {"entities": [], "relations": []}, {"query": "nothing like it"}),
        ],
        "sep834": [
            Call("get-weather-forecast", "list[Hour]", lambda hours: len(hours) == 3, {"hours": 3}),
            Call("get-count", "int", lambda count: count > 0, {"collection": "users"}),
            Call("find-by-id-or-name", "Found", {"resource": None, "searchedBy": "none"}),
            Call("get-structured-content", "Weather", WEATHER, NEW_YORK),
        ],
    }.get(server, OF_AN_SDK)


ALL_SERVERS = ("everything", "filesystem", "memory", "sep834", *SDKS)


def command_of(server: str, scratch: Path) -> list[str] | Missing:
    """The command that starts the server, which is installed where it is not yet; or why it cannot be had."""
    try:
        if server in SDKS:
            return [python(server), str(SERVERS / "shapes.py"), server]
        return [*npm_server(server), *([str(scratch)] if server == "filesystem" else [])]
    except Missing as why:
        return why


def job_of(server: str, command: list[str], client: str, scratch: Path, tolerant: bool) -> dict[str, Any]:
    """A job for the driver: one connection to the server. The memory server has a new memory for each."""
    calls = [{"tool": c.tool, "arguments": c.arguments, "out": c.out} for c in calls_of(server, scratch)]
    memory = {"MEMORY_FILE_PATH": str(scratch.with_name(f"{scratch.name}-{client}-{tolerant}.jsonl"))}
    return {"server": command, "tolerant": tolerant, "calls": calls, "env": {**environment(), **memory}}


def drive(client: str, jobs: list[dict[str, Any]], interpreter: str | None = None) -> dict[str, Any]:
    """What came of the jobs with this client: `{"outcomes": [...], "warnings": [...]}`."""
    ran = subprocess.run(
        [interpreter or python(CLIENTS[client]), str(DRIVER), client],
        input=json.dumps(jobs),
        capture_output=True,
        text=True,
        env=environment(),
        timeout=300,
    )
    if ran.returncode:
        raise RuntimeError(f"the driver of {client} ended with {ran.returncode}: {ran.stderr[-2000:]}")
    told: dict[str, Any] = json.loads(ran.stdout)
    return told


@dataclass(frozen=True)
class Cell:
    """What one client made of one server, without and with `tolerant`; or why it could not be tried."""

    plain: dict[str, Any] = field(default_factory=dict)
    tolerant: dict[str, Any] = field(default_factory=dict)
    missing: str = ""

    def wrong(self, calls: list[Call], wrapped: bool) -> list[str]:
        """Each call that did not give what is right, with what it gave instead."""
        told = self.tolerant if wrapped else self.plain
        if "failed" in told:
            return [told["failed"]]
        return [
            f"{call.tool} ({name}): {outcome.get('why', outcome.get('ok'))}"
            for call, answers in zip(calls, told["calls"], strict=True)
            for name, outcome in answers.items()
            if not call.is_right(outcome, name == "bound")
        ]

    def summary(self, calls: list[Call]) -> str:
        if self.missing:
            return f"not tried: {self.missing}"
        protocol = self.plain.get("protocol") or "2025-11-25"
        if self.wrong(calls, wrapped=True):
            return f"FAILS: {self.wrong(calls, wrapped=True)[0]}"
        if not self.wrong(calls, wrapped=False):
            return f"typed ({protocol})"
        tools = {wrong.partition(" ")[0] for wrong in self.wrong(calls, wrapped=False)}
        return f"typed with `tolerant` ({protocol}; without it: {', '.join(sorted(tools))})"


def collect(scratch: Path, progress: Callable[[str], None] = lambda _: None) -> dict[tuple[str, str], Cell]:
    """Every cell of the matrix. `scratch` is a directory for the servers to read."""
    (scratch / "a.txt").write_text("hello\n")
    commands = {server: command_of(server, scratch) for server in ALL_SERVERS}
    ready = {server: command for server, command in commands.items() if not isinstance(command, Missing)}
    for line in set(CLIENTS.values()):  # before the threads: two clients share one environment
        python(line)

    def of_client(client: str) -> dict[str, Any]:
        progress(client)
        return drive(
            client,
            [
                job_of(server, command, client, scratch, tolerant)
                for server, command in ready.items()
                for tolerant in (False, True)
            ],
        )

    with ThreadPoolExecutor(2) as pool:
        told = dict(zip(CLIENTS, pool.map(of_client, CLIENTS), strict=True))
    cells = {
        (server, client): Cell(missing=str(why))
        for server, why in commands.items()
        if isinstance(why, Missing)
        for client in CLIENTS
    }
    for client, answer in told.items():
        if answer["warnings"]:
            raise AssertionError(f"typedtool warned on {client}: {answer['warnings']}")
        for number, server in enumerate(ready):
            plain, wrapped = answer["outcomes"][2 * number : 2 * number + 2]
            cells[server, client] = Cell(plain, wrapped)
    return cells


def table(cells: dict[tuple[str, str], Cell], scratch: Path) -> str:
    rows = [f"| server | {' | '.join(CLIENTS)} |", f"| --- |{' --- |' * len(CLIENTS)}"]
    for server in ALL_SERVERS:
        calls = calls_of(server, scratch)
        rows.append(f"| {server} | {' | '.join(cells[server, c].summary(calls) for c in CLIENTS)} |")
    return "\n".join(rows)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as directory:
        place = Path(directory).resolve()
        print(table(collect(place, lambda client: print(f"... {client}", file=sys.stderr)), place))
