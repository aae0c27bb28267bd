"""What all tests share: the fixtures for the shared material and for larger samples."""

from __future__ import annotations

import pathlib

import pytest

from shared_material import find_shared


@pytest.fixture(scope="session")
def thorough(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--thorough"))


@pytest.fixture(scope="session")
def shared() -> pathlib.Path:
    found = find_shared()
    if found is None:
        pytest.skip("the shared material is not here: set TYPEDTOOL_SHARED")
    return found
