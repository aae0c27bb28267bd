"""What is checked with what: a folder, the packages it imports, and how the stub or the plugin gets in."""

from __future__ import annotations

import functools
import json
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from harness.checkers import RUN, Diagnostic, Project
from harness.environments import REPOSITORY, interpreter
from harness.markers import files_for

TESTS = REPOSITORY / "typing_tests"
NAMES_FILE = "exported_names.py"
THIS_PYTHON = Path(sys.executable)


@dataclass(frozen=True)
class Setting:
    """One way to check a folder of `typing_tests/`.

    folder: its name.
    sdk: the environment that has the SDK; None is the one that runs the tests.
    stub: the stub for SDK 2.x on a path, as the README of `stubs/` says for the checker.
    plugins: mypy plugins.
    names: the exported names of the SDK are revealed too.
    strict: pyright and basedpyright are strict, not as they are by default.
    """

    folder: str
    sdk: str | None = None
    stub: Literal["path"] | None = None
    plugins: tuple[str, ...] = ()
    names: bool = False
    strict: bool = False

    def __str__(self) -> str:
        stub = self.stub and f"stub-on-a-{self.stub}"
        parts = [self.folder, self.sdk, stub, *self.plugins, "strict" if self.strict else None]
        return "+".join(part for part in parts if part)


@functools.cache
def diagnostics(checker: str, setting: Setting) -> tuple[Diagnostic, ...]:
    """All that a checker says of a folder in a setting. Each pair runs once a session."""
    python = THIS_PYTHON if setting.sdk is None else interpreter(setting.sdk)
    tool = THIS_PYTHON if checker in ("mypy", "pyright") else interpreter(checker)
    with tempfile.TemporaryDirectory(prefix="typing-tests-") as scratch:
        root = Path(scratch, "project")
        root.mkdir()
        for path in files_for(TESTS / setting.folder, checker):
            shutil.copy(path, root)
        if setting.names:
            (root / NAMES_FILE).write_text(_reveals(exported_names(python)))
        project = Project(
            root=root,
            python=python,
            cache=cache(checker, setting.sdk, setting.plugins),
            stubs=_stub_path(checker, Path(scratch)) if setting.stub else None,
            plugins=setting.plugins,
            strict=setting.strict,
        )
        project.configure()
        return tuple(RUN[checker](project, tool))


def cache(checker: str, sdk: str | None, plugins: tuple[str, ...]) -> Path:
    """Where mypy keeps what it knows of the packages of one environment, between projects and sessions."""
    return REPOSITORY / ".mypy_cache" / "typing_tests" / "+".join([checker, sdk or "here", *plugins])


def _stub_path(checker: str, scratch: Path) -> Path:
    """A folder of stubs: mypy passes over names that end in -stubs, the others know them."""
    if not checker.startswith("mypy"):
        return REPOSITORY / "stubs"
    shutil.copytree(REPOSITORY / "stubs" / "mcp_types-stubs", scratch / "typings" / "mcp_types")
    return scratch / "typings"


# --- every exported name of the SDK ---------------------------------------------------------------------

_EXPORTED = """
import importlib, json
def exported(name):
    module = importlib.import_module(name)
    return sorted(getattr(module, "__all__", None) or [n for n in vars(module) if not n.startswith("_")])
names = [f"{module}.{name}" for module in ("mcp", "mcp.types", "mcp_types") for name in exported(module)]
result = importlib.import_module("mcp_types").CallToolResult
fields = [name for name in result.model_fields if name != "structured_content"]
print(json.dumps(names + [f"mcp_types.CallToolResult(content=[]).{name}" for name in fields]))
"""


@functools.cache
def exported_names(python: Path) -> tuple[str, ...]:
    """All that SDK 2.x exports, and all that its result has beside the structured content, by full names."""
    done = subprocess.run([python, "-c", _EXPORTED], capture_output=True, text=True, check=True)
    return tuple(json.loads(done.stdout))


_HEAD = "import mcp\nimport mcp.types\nimport mcp_types\nfrom typing_extensions import reveal_type\n"


def _reveals(names: tuple[str, ...]) -> str:
    return _HEAD + "".join(f"reveal_type({name})\n" for name in names)


def revealed(checker: str, setting: Setting) -> dict[str, str]:
    """What the checker makes of each exported name."""
    python = THIS_PYTHON if setting.sdk is None else interpreter(setting.sdk)
    names = exported_names(python)
    first = _HEAD.count("\n") + 1
    said = dict.fromkeys(names, "")
    for found in diagnostics(checker, setting):
        if found.file == NAMES_FILE:
            said[names[found.line - first]] += f"{found.text}\n"
    return said
