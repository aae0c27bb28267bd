from __future__ import annotations

import pytest


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("--environments"):
        for item in items:
            if "live" in item.keywords:
                item.add_marker(pytest.mark.skip(reason="needs --environments"))
