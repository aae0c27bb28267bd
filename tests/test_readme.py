"""The README is true: its Python runs as it stands, what it shows is what comes out, its commands are those of CI."""

from __future__ import annotations

import ast
import asyncio
import contextlib
import inspect
import io
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import mcp
import pytest
from msgspec import Struct

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")
SERVER = [sys.executable, "-m", "typedtool.demo_server"]

needs_client = pytest.mark.skipif(
    not hasattr(mcp, "Client"), reason="the README shows SDK 2.x, and 1.x is installed"
)


class Block(Struct, frozen=True):
    """A fenced block: its language, its text, the line that it begins on."""

    language: str
    text: str
    line: int


def blocks() -> list[Block]:
    found = re.finditer(r"^```(\w+)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    return [Block(m[1], m[2], README[: m.start()].count("\n") + 2) for m in found]


def examples() -> list[tuple[Block, str | None]]:
    """Each Python block with what is shown under it, None where nothing is."""
    known = [b for b in blocks() if b.language in ("python", "text")]
    return [
        (block, after.text if after is not None and after.language == "text" else None)
        for block, after in zip(known, [*known[1:], None])
        if block.language == "python"
    ]


async def outcome_of(block: Block, namespace: dict[str, Any]) -> str:
    """What a block prints, and the message of the error it ends with, as an interpreter would show it."""
    code = compile(
        "\n" * (block.line - 1) + block.text,
        "README.md",
        "exec",
        ast.PyCF_ALLOW_TOP_LEVEL_AWAIT,
        dont_inherit=True,
    )
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        try:
            running = eval(code, namespace)
            if inspect.isawaitable(running):
                await running
        except Exception as error:
            out.write(f"typedtool.{type(error).__name__}: {error}\n")
    return out.getvalue()


async def run_all() -> list[tuple[Block, str | None, str]]:
    from mcp import Client, StdioServerParameters, stdio_client
    from typing_extensions import reveal_type

    namespace: dict[str, Any] = {"reveal_type": reveal_type, "__name__": "readme"}
    ran = []
    parameters = StdioServerParameters(command=SERVER[0], args=SERVER[1:])
    async with Client(stdio_client(parameters)) as client:
        for block, shown in examples():
            namespace["client"] = client  # the README's own is closed where its block ends
            ran.append((block, shown, await outcome_of(block, namespace)))
    return ran


@needs_client
def test_every_python_block_runs_and_shows_what_stands_under_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", os.path.dirname(sys.executable), prepend=os.pathsep)
    ran = asyncio.run(run_all())
    assert len(ran) >= 6
    for block, shown, came in ran:
        assert came == (shown or ""), f"README.md, the block of line {block.line}"
    assert sum(shown is not None for _, shown, _ in ran) >= 4


@needs_client
def test_the_checker_sees_what_the_readme_says(tmp_path: Path) -> None:
    source = [
        "from mcp import Client",
        "from typing_extensions import reveal_type",
        "async def main(client: Client) -> None:",
    ]
    expected: list[str] = []
    for block, _ in examples():
        source += [f"    {line}" for line in block.text.splitlines()]
        expected += re.findall(r"^reveal_type\(.*\)  # (.+)$", block.text, re.MULTILINE)
    file = tmp_path / "readme.py"
    file.write_text("\n".join(source) + "\n", "utf-8")
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--strict",
        "--config-file",
        "",
        "--cache-dir",
        str(tmp_path),
        str(file),
    ]
    checked = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    revealed = [plain(text) for text in re.findall(r'Revealed type is "(.+)"', checked.stdout)]
    assert revealed == expected, checked.stdout + checked.stderr
    assert len(expected) >= 3
    assert "error:" not in checked.stdout, checked.stdout


def plain(revealed: str) -> str:
    """`builtins.list[readme.Hour@7]` as it is written: `list[Hour]`."""
    return re.sub(r"\w+\.|@\d+", "", revealed)


def commands() -> list[str]:
    return [line for block in blocks() if block.language == "sh" for line in block.text.splitlines()]


def test_the_two_commands_do_all_of_the_set_up_and_stand_first() -> None:
    demo, tests = commands()[:2]
    assert demo == "python3 -m venv .venv && .venv/bin/pip install -q -e . && .venv/bin/typedtool demo"
    assert tests == "python3 -m venv .venv && .venv/bin/pip install -q -e '.[dev]' && .venv/bin/pytest"
    assert README.index(demo) < README.index("## "), "on the first screen"


def test_ci_runs_the_readmes_test_command_word_for_word() -> None:
    script = (ROOT / ".ci/run").read_text("utf-8")
    assert [line.strip() for line in script.splitlines()].count(commands()[1]) == 1
    assert os.access(ROOT / ".ci/run", os.X_OK)
    assert subprocess.run(["bash", "-n", str(ROOT / ".ci/run")]).returncode == 0


def test_ci_fails_where_any_of_its_runs_fails_and_passes_where_none_does(tmp_path: Path) -> None:
    """The script itself, with commands in place of uv, python3, pip and pytest that only say what they were asked."""
    assert run_ci(tmp_path / "good", failing="") == (0, True)
    assert run_ci(tmp_path / "install", failing="pip") == (1, False)
    assert run_ci(tmp_path / "tests", failing="pytest") == (1, True)
    assert run_ci(tmp_path / "quick", failing="quick-3.10") == (1, True)


def run_ci(place: Path, failing: str) -> tuple[int, bool]:
    """The exit code of .ci/run in a copy of the layout, and whether it came to the README's pytest."""
    fake = f"""#!/bin/sh
case "$0 $*" in
    *version_info*) exit 0 ;;
    *"-m venv"*|*"/uv venv"*) for last; do :; done; mkdir -p "$last/bin"
        for name in python pip pytest; do cp "$0" "$last/bin/$name"; done; exit 0 ;;
esac
echo "$0 $* [$PYTEST_ADDOPTS]" >> "{place}/log"
case "$0" in *"{failing or "no such"}"*) exit 1 ;; esac
"""
    (place / "bin").mkdir(parents=True)
    (place / ".ci").mkdir()
    (place / ".ci/run").write_bytes((ROOT / ".ci/run").read_bytes())
    (place / ".ci/run").chmod(0o755)
    for name in ("uv", "python3", "python3.10", "python3.13", "python3.14", "python3.15"):
        (place / "bin" / name).write_text(fake, "utf-8")
        (place / "bin" / name).chmod(0o755)
    environment = {"PATH": f"{place}/bin:{os.environ['PATH']}", "HOME": str(place), "PYTEST_ADDOPTS": ""}
    done = subprocess.run(
        ["bash", str(place / ".ci/run")], env=environment, capture_output=True, text=True, timeout=30
    )
    return done.returncode, ".venv/bin/pytest  [--environments]" in (place / "log").read_text("utf-8")


def test_the_shell_lines_do_what_they_say(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", os.path.dirname(sys.executable), prepend=os.pathsep)
    lines = [line for line in commands() if line.startswith("typedtool ")]
    assert len(lines) >= 2
    for line in lines:
        done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, timeout=30)
        assert done.returncode == 0, done
        assert "forecast" in done.stdout or "rain" in done.stdout


def test_every_option_and_source_that_there_is_stands_in_the_readme() -> None:
    from typing import get_args

    from typedtool.results.outcomes import Source
    from typedtool.tools.options import ToolOptions

    options = [*ToolOptions.__optional_keys__, *ToolOptions.__required_keys__]
    assert options and get_args(Source)
    assert [name for name in options if f"| `{name}=` |" not in README] == []
    assert [source for source in get_args(Source) if f'| `"{source}"` |' not in README] == []


def test_every_command_that_there_is_stands_in_the_readme() -> None:
    from typedtool.cli.main import COMMANDS

    assert [
        name for name in COMMANDS if f"`{name}" not in README and f"`typedtool {name}" not in README
    ] == []


def test_nothing_in_the_readme_is_of_one_machine() -> None:
    assert not re.search(r"/(home|root|work|Users|tmp)/", README)


@pytest.mark.parametrize("page", ["README.md", "src/typedtool/README.md"])
def test_every_file_that_a_page_names_is_there(page: str) -> None:
    named = re.findall(r"`((?:[\w.]+/)*\w+\.(?:py|json|md)|(?:\w+/)+)`", (ROOT / page).read_text("utf-8"))
    assert len(named) >= 10
    places = (ROOT, ROOT / "src/typedtool")
    assert [path for path in named if not any((place / path).exists() for place in places)] == []
