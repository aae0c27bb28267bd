"""Virtual environments for the checkers and SDKs that cannot live together, built under `.envs/` and kept."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import venv
from collections.abc import Sequence
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]
FOLDER = REPOSITORY / ".envs"

# Of each checker the version that the markers were written for; the SDKs are whatever is newest.
REQUIREMENTS: dict[str, tuple[str, ...]] = {
    "mypy115": ("mypy==1.15.0", "mcp>=2,<3", "pydantic>=2.11", "-e", str(REPOSITORY)),
    "basedpyright": ("basedpyright==1.40.2",),
    "ty": ("ty==0.0.108",),
    "pyrefly": ("pyrefly==1.5.0",),
    "build": ("hatchling>=1.27",),
    "sdk2-stubbed": ("mcp>=2,<3", str(REPOSITORY / "stubs"), "-e", str(REPOSITORY)),
    "sdk1": ("mcp>=1.10,<2", "-e", str(REPOSITORY)),
    "sdk1-stubbed": ("mcp>=1.10,<2", "-e", str(REPOSITORY)),
}


def interpreter(name: str) -> Path:
    """The Python of the environment `name`, which is built where it is missing or out of date."""
    folder = FOLDER / f"typing-{name}"
    stamp = folder / "requirements.sha256"
    wanted = _fingerprint(REQUIREMENTS[name])
    if not (_python(folder).exists() and stamp.exists() and stamp.read_text() == wanted):
        shutil.rmtree(folder, ignore_errors=True)
        create(folder, REQUIREMENTS[name])
        stamp.write_text(wanted)
    return _python(folder)


def create(folder: Path, requirements: Sequence[str]) -> None:
    """A new environment in `folder`, by uv where it is there: a second instead of half a minute."""
    if uv := shutil.which("uv"):
        _do([uv, "venv", "--quiet", "--python", sys.executable, str(folder)])
        _do([uv, "pip", "install", "--quiet", "--python", str(_python(folder)), *requirements])
    else:
        venv.create(folder, with_pip=True)
        _do([str(_python(folder)), "-m", "pip", "install", "--quiet", *requirements])


def _python(folder: Path) -> Path:
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def _do(command: Sequence[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)} ended with {done.returncode}:\n{done.stderr[-3000:]}")


def _fingerprint(requirements: Sequence[str]) -> str:
    """Changes with the requirements, and with what is installed from this repository."""
    digest = hashlib.sha256("\n".join([sys.version, *requirements]).encode())
    for path in [REPOSITORY / "pyproject.toml", *sorted((REPOSITORY / "stubs").rglob("*.*"))]:
        if path.is_file():
            digest.update(path.read_bytes())
    return digest.hexdigest()
