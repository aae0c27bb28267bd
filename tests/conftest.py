"""What all tests share: where the shared material lies, the thorough profile, the environments."""

from __future__ import annotations

import os
import pathlib

import pytest

ROOT = pathlib.Path(__file__).parent.parent

_WANTED = {
    "thorough": ("--thorough", "a larger sample: run with --thorough"),
    "live": ("--environments", "needs --environments"),
}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--thorough", action="store_true", help="larger samples of every property and suite")
    parser.addoption(
        "--environments",
        action="store_true",
        help="also run the tests marked `live`: they build one virtual environment for each SDK line, and the"
        " npm servers, under .envs/ (kept between runs; needs the network the first time)",
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for keyword, (option, reason) in _WANTED.items():
        if not config.getoption(option):
            for item in items:
                if keyword in item.keywords:
                    item.add_marker(pytest.mark.skip(reason=reason))


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
