"""What all tests share: where the shared material lies, and which profile runs."""

from __future__ import annotations

import os
import pathlib

import pytest

ROOT = pathlib.Path(__file__).parent.parent


@pytest.fixture(scope="session")
def thorough(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--thorough"))


def find_shared() -> pathlib.Path | None:
    """The shared material (other people's, never kept here): TYPEDTOOL_SHARED, or beside the checkout."""
    places = [os.environ.get("TYPEDTOOL_SHARED"), ROOT / "../shared", ROOT / "../../shared"]
    found = [pathlib.Path(place).resolve() for place in places if place and pathlib.Path(place).is_dir()]
    return found[0] if found else None


@pytest.fixture(scope="session")
def shared() -> pathlib.Path:
    found = find_shared()
    if found is None:
        pytest.skip("the shared material is not here: set TYPEDTOOL_SHARED")
    return found
