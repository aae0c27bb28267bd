"""What `typedtool generate` writes is clean under the checkers that are not in the default environment."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from harness.checkers import RUN, Project
from harness.environments import REPOSITORY, interpreter
from typedtool.codegen import generate

pytestmark = [pytest.mark.environments, pytest.mark.timeout(300)]

SERVERS = (
    "time",
    "git",
    "memory",
    "filesystem",
    "playwright",
    "sentry",
    "aws-pricing",
    "agent-device",
    "lean-lsp",
    "snap-github",
)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """The modules of real servers of every kind, in a folder of their own."""
    places = [os.environ.get("TYPEDTOOL_SHARED"), REPOSITORY / "../shared", REPOSITORY / "../../shared"]
    corpus = next((Path(p) / "corpus" for p in places if p and (Path(p) / "corpus").is_dir()), None)
    if corpus is None:
        pytest.skip("the shared material is not here: set TYPEDTOOL_SHARED")
    root = tmp_path_factory.mktemp("generated")
    for name in SERVERS:
        listing = json.loads((corpus / f"{name}.json").read_text("utf-8"))
        (root / f"{name.replace('-', '_')}_tools.py").write_text(generate(listing), "utf-8")
    made = Project(root, Path(sys.executable), root / ".cache")
    made.configure()
    return made


@pytest.mark.parametrize("checker", ["ty", "pyrefly", "basedpyright"])
def test_generated_modules_are_clean(checker: str, project: Project) -> None:
    found = RUN[checker](project, interpreter(checker))
    assert [str(d) for d in found if d.error] == []


@pytest.mark.parametrize("checker", ["ty", "pyrefly", "basedpyright"])
def test_a_wrong_line_in_a_generated_module_is_found(checker: str, project: Project) -> None:
    """The checkers do look at these modules."""
    wrong = project.root / "wrong_tools.py"
    source = (project.root / "time_tools.py").read_text("utf-8")
    wrong.write_text(f"{source}\n\nwrong: int = GetCurrentTimeOut(timezone=5)\n", "utf-8")
    try:
        found = RUN[checker](project, interpreter(checker))
    finally:
        wrong.unlink()
    assert {d.file for d in found if d.error} == {"wrong_tools.py"}
