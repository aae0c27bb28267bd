"""The environments of the live tests: one virtual environment for each SDK line, and the servers from npm.

They are made under .envs/ at the top of the repository, and kept. An environment is made again where what it
should hold has changed.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from importlib.metadata import requires
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ENVS = ROOT / ".envs"

SDKS = {"mcp1": "mcp==1.30.0", "mcp2": "mcp==2.3.0", "fastmcp4": "fastmcp==4.2.3"}
"""The SDK lines that the matrix runs, as servers and as clients."""

ALSO = {"fastmcp3": "fastmcp==3.4.11"}
"""One more client, which is on mcp 1.x: the tests of the call path run on it."""
TESTING = ("pytest>=8", "pytest-timeout>=2.3.1", "hypothesis>=6.100", "trio>=0.31")
NPM = {
    "everything": "@modelcontextprotocol/server-everything@2026.8.31",
    "filesystem": "@modelcontextprotocol/server-filesystem@2026.8.31",
    "memory": "@modelcontextprotocol/server-memory@2026.8.31",
    "sep834": "@olaservo/mcp-server-everything-sep834@1.1.0-sep834.1",
}


class Missing(Exception):
    """What a live test needs is not on this machine."""


def python(line: str) -> str:
    """The interpreter of the environment of one SDK line."""
    home = ENVS / line
    interpreter = home / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    # typedtool itself comes from src/ (see `environment`); what it stands on comes from its own metadata.
    needs = [r for r in requires("typedtool") or () if "extra ==" not in r and not r.startswith("mcp")]
    wanted = [{**SDKS, **ALSO}[line], *needs, *TESTING]
    if _is_there(home, wanted):
        return str(interpreter)
    uv = shutil.which("uv")
    if uv:
        _run([uv, "venv", "--quiet", "--clear", "--python", sys.executable, str(home)])
        _run([uv, "pip", "install", "--quiet", "--python", str(interpreter), *wanted])
    else:
        _run([sys.executable, "-m", "venv", "--clear", str(home)])
        _run([str(interpreter), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *wanted])
    _is_made(home, wanted)
    return str(interpreter)


def npm_server(name: str) -> list[str]:
    """The command that starts a server from npm. Raises `Missing` where node or npm is."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        raise Missing(f"{'node' if node is None else 'npm'} is not installed")
    # Each in a place of its own: sep834 brings its own fork of the SDK under the SDK's name.
    home = ENVS / f"npm-{name}"
    package = NPM[name].rpartition("@")[0]
    if not _is_there(home, [NPM[name]]):
        shutil.rmtree(home, ignore_errors=True)
        home.mkdir(parents=True)
        _run([npm, "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(home), NPM[name]])
        if name == "sep834":
            # Its fork was published without this file, so that node takes ES modules for CommonJS.
            esm = home / "node_modules/@modelcontextprotocol/sdk/dist/esm"
            (esm / "package.json").write_text('{"type": "module"}\n')
        _is_made(home, [NPM[name]])
    return [node, str(home / "node_modules" / package / "dist/index.js")]


def environment() -> dict[str, str]:
    """The variables under which a driver runs: with typedtool from this repository."""
    return {**os.environ, "PYTHONPATH": str(ROOT / "src"), "PYTHONWARNINGS": "default", "NO_COLOR": "1"}


def _is_there(home: Path, wanted: list[str]) -> bool:
    made = home / "made.json"
    return made.exists() and json.loads(made.read_text("utf-8")) == [sys.version, *wanted]


def _is_made(home: Path, wanted: list[str]) -> None:
    (home / "made.json").write_text(json.dumps([sys.version, *wanted]))


def _run(command: list[str]) -> None:
    ran = subprocess.run(command, capture_output=True, text=True, timeout=600)
    if ran.returncode:
        raise RuntimeError(f"{Path(command[0]).name} {command[1]} failed: {ran.stderr.strip()[-300:]}")
