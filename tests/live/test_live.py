"""Real servers and real clients, each in an environment of its own: `pytest --environments`."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from live.environments import ROOT, environment, python
from live.matrix import ALL_SERVERS, CLIENTS, Cell, calls_of, collect, table

pytestmark = [pytest.mark.live, pytest.mark.timeout(600)]


@pytest.fixture(scope="session")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("scratch").resolve()


@pytest.fixture(scope="session")
def cells(scratch: Path) -> dict[tuple[str, str], Cell]:
    found = collect(scratch)
    print(table(found, scratch))
    return found


NEEDS_TOLERANT = {("sep834", "mcp2-session"), ("sep834", "mcp2-client"), ("sep834", "fastmcp4-client")}
"""SDK 2.x refuses its array, its number and its listing: the server speaks 2025-11-25."""


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize("server", ALL_SERVERS)
def test_every_call_is_typed(
    cells: dict[tuple[str, str], Cell], scratch: Path, server: str, client: str
) -> None:
    cell, calls = cells[server, client], calls_of(server, scratch)
    if cell.missing:
        pytest.skip(cell.missing)
    assert cell.wrong(calls, wrapped=True) == []
    if (server, client) in NEEDS_TOLERANT:
        refused = cell.wrong(calls, wrapped=False)
        assert len(refused) == 4  # should an SDK stop to refuse them, `tolerant` is not needed here
        assert all("wrap the transport with typedtool.tolerant" in why for why in refused)
    else:
        assert cell.wrong(calls, wrapped=False) == []


@pytest.mark.parametrize(
    ("line", "tests"),
    [
        ("mcp1", ["clients/test_clients.py"]),
        ("fastmcp3", ["clients/test_clients.py"]),
        ("fastmcp4", ["clients/test_clients.py", "clients/test_transports.py"]),
    ],
)
def test_the_tests_of_the_call_path_pass_on_the_other_sdks(line: str, tests: list[str]) -> None:
    """The same tests that run on the installed SDK, with mcp 1.x and with FastMCP's client as well."""
    ran = subprocess.run(
        [python(line), "-m", "pytest", "-q", "-p", "no:cacheprovider", *(f"tests/{name}" for name in tests)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**environment(), "PYTHONWARNINGS": ""},
        timeout=300,
    )
    assert ran.returncode == 0, ran.stdout[-3000:]
    assert " passed" in ran.stdout
