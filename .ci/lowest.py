"""Print what pyproject.toml asks for at the lowest versions that it allows, one requirement a line.

python .ci/lowest.py               # mcp at its lowest, of SDK 1.x
python .ci/lowest.py mcp==2.1      # another version of one of them
"""

from __future__ import annotations

import pathlib
import re
import sys

import tomllib

PROJECT = tomllib.loads((pathlib.Path(__file__).parents[1] / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS = ("migrate", "mypy", "dev")
REQUIREMENT = re.compile(r"(?P<name>[\w.-]+)(?P<extras>\[[^]]*\])?(?P<versions>.*)")


def lowest(chosen: list[str]) -> list[str]:
    found: dict[str, tuple[tuple[int, ...], str]] = {}
    optional = PROJECT["optional-dependencies"]
    for requirement in [*PROJECT["dependencies"], *(each for extra in EXTRAS for each in optional[extra])]:
        parts = REQUIREMENT.fullmatch(requirement)
        if parts is None or parts["name"] == PROJECT["name"]:
            continue
        least = parts["versions"].split(",")[0]
        assert least.startswith(">="), f"{requirement}: the lowest version comes first"
        version = tuple(map(int, least[2:].split(".")))
        pinned = f"{parts['name']}{parts['extras'] or ''}=={least[2:]}"
        # mypy is asked for twice: as the plugin's, and as what checks this repository
        found[parts["name"]] = max(found.get(parts["name"], ((), "")), (version, pinned))
    for requirement in chosen:
        found[requirement.partition("==")[0]] = ((), requirement)
    return [pinned for _, pinned in found.values()]


if __name__ == "__main__":
    print("\n".join(lowest(sys.argv[1:])))
