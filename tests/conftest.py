from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--environments",
        action="store_true",
        help="also run the tests marked `live`: they build one virtual environment for each SDK line, and the"
        " npm servers, under .envs/ (kept between runs; needs the network the first time)",
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("--environments"):
        for item in items:
            if "live" in item.keywords:
                item.add_marker(pytest.mark.skip(reason="needs --environments"))
