"""Options of the whole test run."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("typedtool")
    group.addoption(
        "--environments",
        action="store_true",
        help="build virtual environments under .envs/ (other SDKs, other checkers) and test in them too",
    )
    group.addoption("--thorough", action="store_true", help="larger samples of properties and suites")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    unless = {"live": "--environments", "environments": "--environments", "thorough": "--thorough"}
    for item in items:
        for keyword, option in unless.items():
            if keyword in item.keywords and not config.getoption(option):
                item.add_marker(pytest.mark.skip(reason=f"needs {option}"))
