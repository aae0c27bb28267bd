"""Real servers and real clients, each in an environment of its own: `pytest --environments`."""

from __future__ import annotations

from pathlib import Path

import pytest
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
