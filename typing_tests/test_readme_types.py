"""The README's Python type-checks, and `reveal_type(x)  # T` says what the checkers say."""

from __future__ import annotations

import re
import sys
import textwrap
from pathlib import Path

import pytest

from harness.checkers import RUN, Project
from harness.environments import REPOSITORY
from harness.settings import cache
from test_typing import needs_sdk2


def readme_as_a_module() -> str:
    """The Python blocks in their order, in one async function: they await."""
    text = (REPOSITORY / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    body = textwrap.indent("\n".join(blocks), "    ")
    return f"from typing_extensions import reveal_type\n\n\nasync def readme() -> None:\n{body}"


@needs_sdk2
@pytest.mark.timeout(300)
@pytest.mark.parametrize("checker", ["mypy", pytest.param("pyright", marks=pytest.mark.environments)])
def test_the_readme_type_checks_and_reveals_what_it_says(checker: str, tmp_path: Path) -> None:
    module = readme_as_a_module()
    (tmp_path / "readme.py").write_text(module, encoding="utf-8")
    project = Project(
        tmp_path, Path(sys.executable), cache(checker, None, ()), strict=False, files=("readme.py",)
    )
    project.configure()
    found = RUN[checker](project, Path(sys.executable))
    assert [f"{d.line}: {d.text}" for d in found if d.error] == []
    lines = module.splitlines()
    claims = {
        i: m[1] for i, line in enumerate(lines, 1) if (m := re.search(r"reveal_type\(.*\)  # (.+)$", line))
    }
    assert claims
    for line, claim in claims.items():
        (said,) = [d.text for d in found if d.line == line]
        revealed = re.sub(r"\b(?:\w+\.)+(\w+)(?:@\d+)?", r"\1", said)
        assert f'"{claim}"' in revealed.replace("@", "").replace("`", ""), said
