"""Each type checker, run once over a project, in the form that a machine reads."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from harness.markers import HarnessError, Place


@dataclass(frozen=True)
class Diagnostic:
    """What a checker says about one line. `error` is False for what it only reveals or remarks."""

    file: str
    line: int
    error: bool
    text: str


@dataclass(frozen=True)
class Project:
    """A folder to check, with the configuration of each checker in it.

    root: the folder; paths in diagnostics are relative to it.
    python: the interpreter whose packages the code imports; None leaves it to the configuration.
    cache: where mypy may keep what it knows of those packages.
    stubs: a folder of stubs on the path, where there is one.
    plugins: mypy plugins.
    strict: whether pyright and basedpyright are strict.
    """

    root: Path
    python: Path | None
    cache: Path
    stubs: Path | None = None
    plugins: tuple[str, ...] = ()
    strict: bool = True
    files: tuple[str, ...] = field(default=(".",))

    def configure(self) -> None:
        """Write the configuration of every checker: never what some folder above happens to say."""
        stubs = [] if self.stubs is None else [str(self.stubs)]
        plugins = f"plugins = {', '.join(self.plugins)}\n" if self.plugins else ""
        path = f"mypy_path = {self.stubs}\n" if stubs else ""
        pyright = {
            "typeCheckingMode": "strict" if self.strict else "standard",
            "include": list(self.files),
            **({"stubPath": stubs[0]} if stubs else {"stubPath": ".no-stubs"}),
            **dict.fromkeys(_BESIDE_THE_POINT, False),
        }
        (self.root / "mypy.ini").write_text(f"[mypy]\nstrict = True\n{plugins}{path}")
        (self.root / "pyrightconfig.json").write_text(json.dumps(pyright))
        (self.root / "ty.toml").write_text(f"[environment]\nextra-paths = {json.dumps(stubs)}\n")
        search = json.dumps([".", *stubs])
        (self.root / "pyrefly.toml").write_text(f'preset = "strict"\nsearch-path = {search}\n')


_BESIDE_THE_POINT = (
    # What pyright strict says of a test because it is a test. With these on, an error that is expected for
    # its type would also be found where the type is not known at all.
    "reportUnusedExpression",
    "reportUnusedVariable",
    "reportUnusedFunction",
    "reportUnusedCoroutine",
    "reportUnusedCallResult",
    "reportUnnecessaryIsInstance",
    "reportUnnecessaryComparison",
    "reportUnnecessaryContains",
    "reportUnnecessaryCast",
)

Checker = Callable[[Project, Path], list[Diagnostic]]
"""Runs over a project; the path is the interpreter of the environment that the checker is installed in."""


def mypy(project: Project, tool: Path) -> list[Diagnostic]:
    """mypy as `tool -m mypy`; plugins are imported by `tool`."""
    command = [str(tool), "-m", "mypy", "--config-file", "mypy.ini", "--output", "json"]
    command += [*_packages_of("--python-executable", project), "--cache-dir", str(project.cache)]
    out = _run([*command, *project.files], project.root)
    found = [json.loads(line) for line in out.splitlines() if line.startswith("{")]
    return [
        Diagnostic(
            _relative(project, d["file"]),
            d["line"],
            d["severity"] == "error",
            f"{d['message']} [{d['code']}]",
        )
        for d in found
    ]


def pyright(project: Project, tool: Path) -> list[Diagnostic]:
    """pyright as `tool -m pyright`."""
    return _pyright(project, [str(tool), "-m", "pyright"])


def basedpyright(project: Project, tool: Path) -> list[Diagnostic]:
    """basedpyright from the environment of `tool`; its warnings are its own taste, its errors count."""
    return _pyright(project, [str(tool.parent / "basedpyright")])


def _pyright(project: Project, command: list[str]) -> list[Diagnostic]:
    command += ["--outputjson", *_packages_of("--pythonpath", project), "-p", "pyrightconfig.json"]
    found: list[dict[str, Any]] = json.loads(_run(command, project.root))["generalDiagnostics"]
    return [
        Diagnostic(
            _relative(project, d["file"]),
            d["range"]["start"]["line"] + 1,
            d["severity"] == "error",
            f"{d['message']} [{d.get('rule', '')}]",
        )
        for d in found
    ]


def ty(project: Project, tool: Path) -> list[Diagnostic]:
    """ty from the environment of `tool`."""
    command = [str(tool.parent / "ty"), "check", "--config-file", "ty.toml", "--output-format", "gitlab"]
    command += [*_packages_of("--python", project), *project.files]
    found: list[dict[str, Any]] = json.loads(_run(command, project.root))
    return [
        Diagnostic(
            _relative(project, d["location"]["path"]),
            d["location"]["positions"]["begin"]["line"],
            d["severity"] in ("major", "critical", "blocker"),
            f"{d['description']} [{d['check_name']}]",
        )
        for d in found
    ]


def pyrefly(project: Project, tool: Path) -> list[Diagnostic]:
    """pyrefly from the environment of `tool`, with its strict preset: its default reports next to nothing."""
    command = [str(tool.parent / "pyrefly"), "check", "--output-format", "json", "--min-severity", "info"]
    command += [*_packages_of("--python-interpreter-path", project), *project.files]
    found: list[dict[str, Any]] = json.loads(_run(command, project.root))["errors"]
    return [
        Diagnostic(
            _relative(project, d["path"]),
            d["line"],
            d["severity"] == "error",
            f"{d['description']} [{d['name']}]",
        )
        for d in found
    ]


RUN: Mapping[str, Checker] = {
    "mypy": mypy,
    "mypy115": mypy,
    "pyright": pyright,
    "basedpyright": basedpyright,
    "ty": ty,
    "pyrefly": pyrefly,
}


def _packages_of(option: str, project: Project) -> list[str]:
    return [] if project.python is None else [option, str(project.python)]


def errors_by_place(found: Iterable[Diagnostic]) -> dict[Place, list[str]]:
    """The errors among what was found, by file and line."""
    places: dict[Place, list[str]] = {}
    for diagnostic in found:
        if diagnostic.error:
            places.setdefault((diagnostic.file, diagnostic.line), []).append(diagnostic.text)
    return places


def _run(command: Sequence[str], folder: Path) -> str:
    """The output of a checker. 0 and 1 are its two answers; anything else is a checker that did not run."""
    quiet = {k: v for k, v in os.environ.items() if not k.startswith(("PYRIGHT_", "MYPY", "PYTHONPATH"))}
    done = subprocess.run(
        command, cwd=folder, env={**quiet, "NO_COLOR": "1"}, capture_output=True, text=True, check=False
    )
    if done.returncode not in (0, 1) or not (done.stdout or done.returncode == 0):
        said = f"{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
        raise HarnessError(f"{' '.join(command[:3])} ended with {done.returncode}:\n{said}")
    return done.stdout


def _relative(project: Project, file: str) -> str:
    path = Path(file)
    root = project.root.resolve()
    whole = (path if path.is_absolute() else project.root / path).resolve()
    return whole.relative_to(root).as_posix() if whole.is_relative_to(root) else whole.as_posix()
