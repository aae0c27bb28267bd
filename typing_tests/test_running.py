"""The files that the checkers look at are imported and run, so that types and values cannot drift apart."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import mcp
import pytest
from mcp.client.stdio import stdio_client
from mcp.types import CallToolResult

import typedtool
from harness.environments import REPOSITORY
from harness.running import SCRIPT, fits, loaded
from typedtool import TypedToolError

TESTS = REPOSITORY / "typing_tests"
SERVER = REPOSITORY / "tests" / "servers" / "scripted.py"
SDK = "sdk2" if "structured_content" in CallToolResult.model_fields else "sdk1"
VALUES: list[object] = [
    None,
    True,
    0,
    21.5,
    "x",
    "",
    [],
    [1],
    [{"temp": 21.5}],
    {},
    {"temp": 21.5},
    {"hours": []},
]


async def _with_a_session(use: Callable[[Any], Any]) -> None:
    server = mcp.StdioServerParameters(command=sys.executable, args=[str(SERVER), json.dumps(SCRIPT)])
    async with stdio_client(server) as streams, mcp.ClientSession(*streams) as session:
        await (session.discover() if SDK == "sdk2" else session.initialize())
        await use(session)


def _runs(module: ModuleType) -> list[Callable[[Any], Any]]:
    return [use for name, use in vars(module).items() if name == "run" or name.startswith("run_")]


@pytest.mark.parametrize("path", sorted((TESTS / "api").glob("*.py")), ids=lambda path: path.stem)
def test_what_a_checker_is_told_of_a_value_is_so_when_it_runs(path: Path) -> None:
    with loaded(path) as module:
        runs = _runs(module)
        assert runs or path.stem == "models"
        for use in runs:
            asyncio.run(_with_a_session(use))


def test_every_public_name_has_a_typing_test() -> None:
    text = "\n".join(path.read_text(encoding="utf-8") for path in (TESTS / "api").glob("*.py"))
    assert [name for name in typedtool.__all__ if not re.search(rf"\b{name}\b", text)] == []


def _result(value: object) -> CallToolResult:
    return CallToolResult.model_validate({"content": [], "structuredContent": value})


def _uses(module: ModuleType) -> dict[str, Callable[[CallToolResult], object]]:
    """The functions of a module that take a result and nothing else."""
    return {
        name: use
        for name, use in vars(module).items()
        if getattr(use, "__module__", "") == module.__name__
        and getattr(use, "__annotations__", {}).get("result") == "CallToolResult"
    }


@pytest.mark.skipif(SDK == "sdk1", reason="mcp 1.x refuses what is no object itself")
def test_every_unguarded_use_fails_for_some_value_that_a_server_may_send() -> None:
    with loaded(TESTS / SDK / "unguarded.py") as module:
        uses = _uses(module)
        assert len(uses) >= 20
        survived = [name for name, use in uses.items() if not any(_breaks(use, value) for value in VALUES)]
    # a lie about the type fails only where the value is used
    assert survived == ["returned"]


def _breaks(use: Callable[[CallToolResult], object], value: object) -> bool:
    try:
        use(_result(value))
    except (TypeError, KeyError, IndexError, AttributeError, ValueError):
        return True
    except AssertionError:  # its own, of what it did think of
        return False
    return False


@pytest.mark.skipif(SDK == "sdk1", reason="mcp 1.x refuses what is no object itself")
def test_no_guarded_use_fails_but_with_an_error_of_typedtool_or_a_missing_key() -> None:
    with loaded(TESTS / SDK / "guarded.py") as module:
        uses = _uses(module)
        assert len(uses) >= 20
        for name in ("still_refused", "said_by_hand", "not_a_use"):
            del uses[name]
        for name, use in uses.items():
            for value in VALUES:
                problem = _unexpected(use, value)
                assert problem is None, f"{name} of {value!r}: {problem!r}"


def _unexpected(use: Callable[[CallToolResult], object], value: object) -> Exception | None:
    try:
        use(_result(value))
    except (TypedToolError, KeyError, IndexError, ValueError):
        return None
    except Exception as error:
        return error
    return None


@pytest.mark.parametrize(
    ("value", "hint", "expected"),
    [
        ([1], list[int], True),
        (["1"], list[int], False),
        ((1, "a"), tuple[int, str], True),
        ((1,), tuple[int, str], False),
        ({"a": 1}, dict[str, int], True),
        ({"a": "1"}, dict[str, int], False),
        (None, None, True),
        (0, None, False),
        (None, int | None, True),
        (1.5, int | None, False),
        (1, bool, False),
    ],
)
def test_the_assertion_at_run_time_can_fail(value: object, hint: object, expected: bool) -> None:
    assert fits(value, hint) is expected
