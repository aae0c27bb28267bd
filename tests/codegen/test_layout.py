"""The text of a module: laid out as formatters leave it, whatever is in it."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from generated_modules import (
    listing,
    obj,
    tool,
)
from typedtool.codegen import generate
from typedtool.codegen.layout import docstring, same_tree, source_of


def test_a_module_is_what_ruff_format_leaves(tmp_path: Path) -> None:
    long = {
        "type": "string",
        "enum": [f"a rather long value number {i}" for i in range(9)],
        "default": "x" * 99,
    }
    odd = obj("p", p={"anyOf": [obj("a", a={}), obj("b", b={}), {"type": "array", "items": long}]}, q=long)
    text = (
        'It said: "no".\n\n\n    Indented by "four"\n\t\tand a tab \\ and """ in it. ' + "word " * 60 + 'end"'
    )
    tools = [tool(odd, odd, name=f"tool {i} " + "long " * i, description=text[i * 7 :]) for i in range(12)]
    (tmp_path / "module.py").write_text(generate(listing(*tools)), "utf-8")
    ruff = [sys.executable, "-m", "ruff", "format", "--isolated", "--diff", str(tmp_path)]
    found = subprocess.run(ruff, capture_output=True, text=True, check=False)
    assert (found.returncode, found.stdout) == (0, "")


def test_lines_have_88_columns_where_their_words_allow_it() -> None:
    words = {"type": "string", "description": "word " * 99, "enum": [f"value {i}" for i in range(40)]}
    made = generate(
        listing(tool(obj("a", a={"anyOf": [words, obj(b=words), {"type": "null"}]}), description="w " * 99))
    )
    assert max(map(len, made.splitlines())) <= 88


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("x = f(1)", "x = f(1)"),
        (f"x: {'A' * 50} | {'B' * 50}", f"x: (\n    {'A' * 50}\n    | {'B' * 50}\n)"),
        (f"x: list[{'A' * 90}]", f"x: list[\n    {'A' * 90}\n]"),
        (f"x: d[{'A' * 50}, {'B' * 50}]", f"x: d[\n    {'A' * 50},\n    {'B' * 50},\n]"),
        (f"x = T[{'A' * 90}]('x')", f'x = T[\n    {"A" * 90}\n]("x")'),
        (f"x = f('{'a' * 82}')", f'x = f(\n    "{"a" * 82}"\n)'),
        (f"xyz = {'A' * 84}", f"xyz = (\n    {'A' * 84}\n)"),
        (f"x: {'A' * 79} = UNSET", f"x: {'A' * 79} = (\n    UNSET\n)"),
        ("x = -1.5", "x = -1.5"),
        ("x = 'a\"b'", "x = 'a\"b'"),
        ("x = '\\u202e\\n'", 'x = "\\u202e\\n"'),
    ],
)
def test_what_does_not_fit_goes_one_item_a_line(expression: str, expected: str) -> None:
    source = source_of(ast.parse(expression))
    assert source == expected + "\n"
    assert same_tree(ast.parse(source), ast.parse(expression))


def test_only_what_codegen_writes_has_a_layout() -> None:
    for source in ("import os, sys", "x = lambda: 0", "del x", "x = a and b"):
        with pytest.raises(AssertionError):
            source_of(ast.parse(source))


def test_trees_that_say_different_things_are_told_apart() -> None:
    for left, right in (
        ("x = 0", "x = False"),
        ("x = 1", "x = 1.0"),
        ("x: int", "x: int = 0"),
        ("f(a)", "f(a, a)"),
    ):
        assert not same_tree(ast.parse(left), ast.parse(right))
    assert same_tree(ast.parse("x = [\n1,\n]"), ast.parse("x = [1]"))


def test_a_docstring_keeps_the_lines_of_its_text_and_shows_every_character() -> None:
    assert docstring(["", " "], 0) is None
    assert docstring(["One."], 4) == "One."
    assert docstring(['"Quoted"'], 0) == ' "Quoted" '
    assert docstring(["a\n\n\n    b\n      c", "d\x1b"], 4) == "a\n\n    b\n      c\n\n    d\\x1b\n    "
