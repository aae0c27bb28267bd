"""Every `>>>` in the package runs and gives what stands under it; those that await do so against a server that answers.

The names that examples share (`Query`, `Hour`, `Weather`, `forecast`, `client`, ...) are in `shared_names`. The client
is any object with `call_tool` and `list_tools`, which is all that `Caller` asks for: it answers in wire dicts. Examples
that would need a transport (`COMPILED`) are compiled only.
"""

from __future__ import annotations

import ast
import asyncio
import contextlib
import doctest
import importlib
import inspect
import io
import itertools
import pkgutil
import sys
import traceback
import warnings
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest
from msgspec import Struct

import typedtool
from typedtool.types.reading import shape_of

COMPILED = {"typedtool.clients.transports.tolerant", "typedtool.tools.staleness.ListChanges"}
HOURS = [{"hour": "09:00", "temp": 7.5, "conditions": "rain"}]


class Query(Struct):
    location: str


class Hour(Struct):
    hour: str
    temp: float
    conditions: str


class Person(Struct):
    name: str


class Film(Struct):
    title: str


class Client:
    """A client of a weather server, as far as `Caller` goes."""

    answers: dict[str, object] = {"get-weather-forecast": HOURS, "get-count": 3, "list-cities": ["Paris"]}  # noqa: RUF012

    async def call_tool(self, name: str, arguments: dict[str, Any] | None = None) -> Any:
        return {"content": [], "structuredContent": self.answers[name]}

    async def list_tools(self) -> Any:
        return {"tools": [{"name": name, "inputSchema": {"type": "object"}} for name in self.answers]}


def shared_names() -> dict[str, Any]:
    forecast = typedtool.TypedTool[Query, list[Hour]]("get-weather-forecast")
    return {
        **{name: getattr(typedtool, name) for name in typedtool.__all__},
        "Query": Query,
        "Hour": Hour,
        "Person": Person,
        "Film": Film,
        "client": Client(),
        "forecast": forecast,
        "bound": asyncio.run(forecast.bind(Client())),
        "decoder": typedtool.Decoder(list[int]),
        "shape_of": shape_of,
    }


def modules() -> Iterator[ModuleType]:
    yield typedtool
    for found in pkgutil.walk_packages(typedtool.__path__, "typedtool.", onerror=lambda name: None):
        if found.name.endswith(".__main__"):  # importing it runs it
            continue
        try:
            yield importlib.import_module(found.name)
        except ModuleNotFoundError as error:
            assert error.name in ("libcst", "mypy"), f"{found.name}: {error}"


def alias_docs(module: ModuleType) -> Iterator[doctest.DocTest]:
    """The strings under assignments, where Sphinx and checkers look for the docs of an alias."""
    body = ast.parse(inspect.getsource(module)).body
    for before, after in itertools.pairwise(body):
        if isinstance(before, ast.AnnAssign) and isinstance(before.target, ast.Name) and is_text(after):
            name = f"{module.__name__}.{before.target.id}"
            yield doctest.DocTestParser().get_doctest(
                text_of(after), vars(module), name, module.__file__, after.lineno
            )


def is_text(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def text_of(node: ast.stmt) -> str:
    assert isinstance(node, ast.Expr)
    return inspect.cleandoc(ast.literal_eval(node.value))


def documented() -> dict[str, doctest.DocTest]:
    finder = doctest.DocTestFinder(exclude_empty=True)
    found: dict[str, doctest.DocTest] = {}
    for module in modules():
        tests = [*finder.find(module, module.__name__, module=module), *alias_docs(module)]
        found.update({test.name: test for test in tests if test.examples})
    return found


DOCUMENTED = documented()
NAMES = shared_names()
EXAMPLES = "examples_of_docstrings"


async def run(test: doctest.DocTest) -> list[str]:
    """What came otherwise than it stands there."""
    module = ModuleType(
        EXAMPLES
    )  # one that can be found: the annotations of an example's classes are resolved in it
    sys.modules[EXAMPLES] = module
    vars(module).update({**test.globs, **NAMES, "__name__": EXAMPLES})
    faults: list[str] = []
    for example in test.examples:
        code = compile(example.source, test.name, "single", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
        if test.name in COMPILED:
            continue
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            try:
                running = eval(code, vars(module))
                if inspect.isawaitable(running):
                    await running
            except Exception as error:
                qualified = traceback.format_exception_only(error)[-1]
                out.write(f"Traceback (most recent call last):\n...\n{qualified}")
        if not doctest.OutputChecker().check_output(
            plain(example.want), plain(out.getvalue()), doctest.ELLIPSIS
        ):
            faults.append(
                f"{test.name}: {example.source.strip()}\n  gave {out.getvalue()!r}, not {example.want!r}"
            )
    return faults


def plain(text: str) -> str:
    """Without the frames of a traceback, which stand as `...` in a docstring."""
    head, mark, rest = text.partition("Traceback (most recent call last):")
    return head + mark + "\n" + rest.rstrip().rpartition("\n")[2] + "\n" if mark else text


@pytest.fixture(autouse=True, scope="module")
def the_module_of_the_examples() -> Iterator[None]:
    yield
    sys.modules.pop(EXAMPLES, None)


@pytest.mark.parametrize("name", sorted(DOCUMENTED))
def test_the_example_gives_what_stands_under_it(name: str) -> None:
    with warnings.catch_warnings():
        assert asyncio.run(run(DOCUMENTED[name])) == []


def test_an_example_that_is_wrong_is_found() -> None:
    source = (
        '>>> 1 + 1\n3\n>>> await client.call_tool("get-count")\n5\n>>> int("x")\n>>> is_null(None)\nTrue\n'
    )
    faults = asyncio.run(run(doctest.DocTestParser().get_doctest(source, {}, "wrong", None, 0)))
    assert [fault.splitlines()[0] for fault in faults] == [
        "wrong: 1 + 1",
        'wrong: await client.call_tool("get-count")',
        'wrong: int("x")',
    ]


@pytest.mark.parametrize("name", typedtool.__all__)
def test_every_public_name_has_a_docstring_with_an_example(name: str) -> None:
    examples = [test for key, test in DOCUMENTED.items() if key.rpartition(".")[2] == name]
    assert examples, f"typedtool.{name} has no example"
    assert any(test.docstring.strip().splitlines()[0].strip() for test in examples)
