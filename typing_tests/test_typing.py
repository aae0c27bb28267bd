"""Each checker, once over each folder, held to the markers; and what the stub leaves as it was."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

from harness.checkers import RUN, Project, errors_by_place
from harness.environments import REPOSITORY, interpreter
from harness.markers import compare, expected
from harness.settings import NAMES_FILE, TESTS, Setting, diagnostics, exported_names, revealed

PLUGIN = ("typedtool.mypy",)
BESIDE_PYDANTIC = ("pydantic.mypy", "typedtool.mypy")

API = Setting("api", strict=True)
BARE = Setting("sdk2", names=True)
STUB_ON_A_PATH = Setting("sdk2", stub="path", names=True)
STUB_INSTALLED = Setting("sdk2", sdk="sdk2-stubbed", names=True)
STUB_INSTALLED_STRICT = Setting("sdk2", sdk="sdk2-stubbed", strict=True)
SDK2_PLUGIN = Setting("sdk2", plugins=PLUGIN)
SDK2_PLUGIN_BESIDE_PYDANTIC = Setting("sdk2", plugins=BESIDE_PYDANTIC)
SDK2_PLUGIN_BESIDE_THE_STUB = Setting("sdk2", sdk="sdk2-stubbed", plugins=BESIDE_PYDANTIC)
PLUGIN_ALONE = Setting("plugin", plugins=BESIDE_PYDANTIC)
SDK1_PLUGIN = Setting("sdk1", sdk="sdk1", plugins=PLUGIN)
SDK1_PLUGIN_BESIDE_PYDANTIC = Setting("sdk1", sdk="sdk1", plugins=BESIDE_PYDANTIC)
SDK1_STUB = Setting("sdk1", sdk="sdk1-stubbed")

HERE = [
    ("mypy", API),
    ("pyright", API),
    ("mypy", STUB_ON_A_PATH),
    ("pyright", STUB_ON_A_PATH),
    ("mypy", SDK2_PLUGIN_BESIDE_PYDANTIC),
    ("mypy", PLUGIN_ALONE),
]
ELSEWHERE = [
    *((checker, API) for checker in ("mypy115", "basedpyright", "ty", "pyrefly")),
    *(
        (checker, STUB_INSTALLED)
        for checker in ("mypy", "mypy115", "pyright", "basedpyright", "ty", "pyrefly")
    ),
    *((checker, STUB_ON_A_PATH) for checker in ("basedpyright", "ty")),
    *((checker, STUB_INSTALLED_STRICT) for checker in ("pyright", "basedpyright")),
    ("mypy", SDK2_PLUGIN),
    ("mypy", SDK2_PLUGIN_BESIDE_THE_STUB),
    ("mypy115", SDK2_PLUGIN_BESIDE_PYDANTIC),
    ("mypy115", PLUGIN_ALONE),
    *((checker, SDK1_STUB) for checker in ("mypy", "pyright", "basedpyright", "ty", "pyrefly")),
    ("mypy", SDK1_PLUGIN),
    ("mypy115", SDK1_PLUGIN_BESIDE_PYDANTIC),
]
SDK_HERE = metadata.version("mcp")

needs_sdk2 = pytest.mark.skipif(
    SDK_HERE.startswith("1."), reason=f"mcp {SDK_HERE} is installed, this needs 2.x"
)
elsewhere = pytest.mark.environments


def _cases() -> list[object]:
    here = [pytest.param(*case, marks=[] if case[1] is API else needs_sdk2) for case in HERE]
    return [*here, *(pytest.param(*case, marks=[elsewhere, needs_sdk2]) for case in ELSEWHERE)]


@pytest.mark.timeout(300)
@pytest.mark.parametrize(("checker", "setting"), _cases(), ids=str)
def test_a_checker_reports_the_errors_that_are_marked_and_no_others(checker: str, setting: Setting) -> None:
    _prepare(setting)
    found = [d for d in diagnostics(checker, setting) if d.file != NAMES_FILE]
    problems = compare(expected(TESTS / setting.folder, checker), errors_by_place(found))
    assert not problems, "\n".join(problems)


def _prepare(setting: Setting) -> None:
    """SDK 1.x gets its stub from the command that the README gives, into its site-packages."""
    if setting is SDK1_STUB:
        python = interpreter("sdk1-stubbed")
        where = (
            "import site, sys; print(next(p for p in site.getsitepackages() if p.endswith('site-packages')))"
        )
        folder = subprocess.run(
            [python, "-c", where], capture_output=True, text=True, check=True
        ).stdout.strip()
        subprocess.run([python, "-m", "typedtool.stubs", folder], check=True, stdout=subprocess.DEVNULL)


@elsewhere
@needs_sdk2
@pytest.mark.timeout(300)
def test_the_plugin_says_the_same_with_what_mypy_remembers(tmp_path: Path) -> None:
    """A plugin that looks classes up meets modules that mypy took from its cache, whole or in part."""
    for path in (TESTS / "sdk2").glob("*.py"):
        shutil.copy(path, tmp_path)
    project = Project(tmp_path, Path(sys.executable), tmp_path / "cache", plugins=PLUGIN)
    project.configure()
    wanted = expected(TESTS / "sdk2", "mypy")
    for change in ("", "\n# one file is read anew\n", ""):
        with (tmp_path / "unguarded.py").open("a") as file:
            file.write(change)
        problems = compare(wanted, errors_by_place(RUN["mypy"](project, Path(sys.executable))))
        assert not problems, "\n".join(problems)


# --- the stub changes one thing -------------------------------------------------------------------------

WITH_AND_WITHOUT_HERE = [("mypy", STUB_ON_A_PATH)]
WITH_AND_WITHOUT_ELSEWHERE = [
    (checker, STUB_INSTALLED) for checker in ("mypy", "mypy115", "pyright", "basedpyright", "ty", "pyrefly")
]
LEAKS = [
    *(pytest.param(*case, marks=needs_sdk2) for case in WITH_AND_WITHOUT_HERE),
    *(pytest.param(*case, marks=[elsewhere, needs_sdk2]) for case in WITH_AND_WITHOUT_ELSEWHERE),
]


@pytest.mark.timeout(300)
@pytest.mark.parametrize(("checker", "stubbed"), LEAKS, ids=str)
def test_the_stub_leaves_every_exported_name_but_the_result_as_it_was(checker: str, stubbed: Setting) -> None:
    before, after = revealed(checker, BARE), revealed(checker, stubbed)
    assert before.keys() == after.keys()
    assert len(before) > 400
    assert [name for name, said in before.items() if not said] == []
    changed = {name for name in before if before[name] != after[name]}
    assert changed <= {"mcp.types.CallToolResult", "mcp_types.CallToolResult"}
    assert all("CallToolResult" in after[name] for name in changed)


@pytest.mark.timeout(300)
@pytest.mark.parametrize(("checker", "stubbed"), LEAKS, ids=str)
def test_without_the_stub_no_unguarded_use_is_reported(checker: str, stubbed: Setting) -> None:
    """So that what is reported with it is reported because of it."""
    lines = (TESTS / "sdk2" / "unguarded.py").read_text().splitlines()
    marked = {line for file, line in expected(TESTS / "sdk2", checker).must if file == "unguarded.py"}
    reported = {line for file, line in errors_by_place(diagnostics(checker, BARE)) if file == "unguarded.py"}
    assert len(marked - reported) >= 20
    assert {lines[line - 1] for line in reported if "also without the stub" not in lines[line - 1]} == set()


@needs_sdk2
def test_every_exported_name_of_the_sdk_is_compared() -> None:
    names = exported_names(Path(sys.executable))
    assert {"mcp.Client", "mcp.types.Tool", "mcp_types.CallToolResult", "mcp_types.JSONRPCError"} <= set(
        names
    )
    assert "mcp_types.CallToolResult(content=[]).is_error" in names


# --- the package itself ---------------------------------------------------------------------------------


@pytest.mark.timeout(300)
def test_mypy_strict_finds_nothing_in_the_package() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file", "pyproject.toml", "--strict", "src"],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.timeout(300)
def test_pyright_strict_finds_nothing_in_the_package() -> None:
    command = [sys.executable, "-m", "pyright", "-p", "pyproject.toml", "--pythonpath", sys.executable]
    done = subprocess.run(
        [*command, "--outputjson"], cwd=REPOSITORY, capture_output=True, text=True, check=False
    )
    answer = json.loads(done.stdout)
    assert answer["summary"]["filesAnalyzed"] > 20
    assert [
        f"{d['file']}:{d['range']['start']['line'] + 1}: {d['message']}" for d in answer["generalDiagnostics"]
    ] == []


@pytest.mark.timeout(300)
def test_every_public_type_is_known_to_those_who_import_the_package() -> None:
    # --verifytypes looks for the packages of the first `python` on the PATH, and at no option
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    done = subprocess.run(
        [sys.executable, "-m", "pyright", "--verifytypes", "typedtool", "--ignoreexternal", "--outputjson"],
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    report = json.loads(done.stdout)["typeCompleteness"]
    exported = [symbol for symbol in report["symbols"] if symbol["isExported"]]
    assert len(exported) > 100
    assert [symbol["name"] for symbol in exported if not symbol["isTypeKnown"]] == []
    assert report["completenessScore"] == 1
