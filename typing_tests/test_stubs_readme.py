"""The lines that the README of `stubs/` gives for each checker do what it says."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from harness.checkers import RUN, Project, errors_by_place
from harness.environments import REPOSITORY, create, interpreter
from harness.markers import CHECKERS, compare, expected
from harness.settings import cache
from test_typing import PLUGIN, elsewhere, needs_sdk2

STUBS = REPOSITORY / "stubs"
README = (STUBS / "README.md").read_text(encoding="utf-8")

CODE = """
from mcp import Client
from mcp.types import CallToolResult


async def use(client: Client, result: CallToolResult) -> None:
    result.structured_content["temp"]  # E
    (await client.call_tool("get-weather")).structured_content["temp"]  # E
    print(result.is_error, result.structured_content)
"""


def block(title: str) -> str:
    """The block of the README whose first line is the comment `title`."""
    found = re.findall(rf"^```\w+\n((?:#|//) {re.escape(title)}\n.*?)^```$", README, re.MULTILINE | re.DOTALL)
    assert len(found) == 1, title
    return str(found[0])


CASES = [
    # checker, block, the name that mcp_types-stubs/ has in typings/
    pytest.param("mypy", "mypy.ini", "mcp_types", marks=[elsewhere, needs_sdk2]),
    pytest.param("pyright", "pyrightconfig.json", "mcp_types-stubs", marks=[elsewhere, needs_sdk2]),
    pytest.param("mypy", "mypy.ini (plugin)", None, marks=[elsewhere, needs_sdk2]),
    pytest.param("pyright", None, "mcp_types-stubs", marks=[elsewhere, needs_sdk2]),
    pytest.param("basedpyright", "pyrightconfig.json", "mcp_types-stubs", marks=[elsewhere, needs_sdk2]),
    pytest.param("basedpyright", None, "mcp_types-stubs", marks=[elsewhere, needs_sdk2]),
    pytest.param("ty", "ty.toml", "mcp_types-stubs", marks=[elsewhere, needs_sdk2]),
    pytest.param("pyrefly", "pyrefly.toml", "mcp_types-stubs", marks=[elsewhere, needs_sdk2]),
]


@pytest.mark.timeout(300)
@pytest.mark.parametrize(("checker", "title", "name"), CASES)
def test_the_lines_for_a_path_work(checker: str, title: str | None, name: str | None, tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    (project / "app.py").write_text(CODE)
    if name is not None:
        shutil.copytree(STUBS / "mcp_types-stubs", project / "typings" / name)
    config = "pyrightconfig.json" if title is None else title.partition(" ")[0]
    (project / config).write_text("{}" if title is None else block(title))
    python: Path | None = Path(sys.executable)
    if checker == "pyrefly":
        create(project / ".venv", ("mcp>=2,<3",))
        python = None
    tool = Path(sys.executable) if checker in ("mypy", "pyright") else interpreter(checker)
    kept = cache(checker, None, PLUGIN if title == "mypy.ini (plugin)" else ())
    checked = Project(project, python, kept, files=("app.py",))
    found = errors_by_place(RUN[checker](checked, tool))
    source = tmp_path / "source"
    source.mkdir()
    shutil.copy(project / "app.py", source)
    problems = compare(expected(source, checker), found)
    assert not problems, "\n".join(problems)


@elsewhere
@needs_sdk2
@pytest.mark.timeout(300)
@pytest.mark.parametrize("checker", [name for name in CHECKERS if name != "mypy115"])
def test_installed_it_needs_no_configuration_but_the_one_line_for_pyrefly(
    checker: str, tmp_path: Path
) -> None:
    project = tmp_path / "project"
    project.mkdir()
    (project / "app.py").write_text(CODE)
    for config, text in (("mypy.ini", "[mypy]\n"), ("pyrightconfig.json", "{}"), ("ty.toml", "")):
        (project / config).write_text(text)
    if checker == "pyrefly":
        (project / "pyrefly.toml").write_text(block("pyrefly.toml (installed)"))
    tool = Path(sys.executable) if checker in ("mypy", "pyright") else interpreter(checker)
    kept = cache(checker, "sdk2-stubbed", ())
    checked = Project(project, interpreter("sdk2-stubbed"), kept, files=("app.py",))
    found = errors_by_place(RUN[checker](checked, tool))
    assert found.keys() == {("app.py", 7), ("app.py", 8)}


@elsewhere
def test_the_wheel_holds_the_stub_and_nothing_else(tmp_path: Path) -> None:
    folder = tmp_path / "stubs"
    shutil.copytree(STUBS, folder)
    subprocess.run(
        [interpreter("build"), "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path],
        cwd=folder,
        check=True,
        capture_output=True,
    )
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
        metadata = next(name for name in archive.namelist() if name.endswith("METADATA"))
        assert "Requires-Dist: mcp-types<3,>=2" in archive.read(metadata).decode()
    assert names == {f"mcp_types-stubs/{name}" for name in ("__init__.pyi", "_unknown.pyi", "py.typed")}
