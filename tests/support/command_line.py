"""What the tests of the command line share: the demo server as a command, what a command did, a tools/list entry."""

from __future__ import annotations

import shlex
import sys

PYTHON = shlex.quote(sys.executable)
SERVER = f"{PYTHON} -m typedtool.demo_server"


class Done:
    """What a command did: its exit code, what it printed and what it said on the standard error."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    def __repr__(self) -> str:
        return f"exit code {self.code}\n{self.out}\n--- stderr\n{self.err}"


def tool(name: str, **more: object) -> dict[str, object]:
    return {"name": name, "inputSchema": {"type": "object"}, **more}
