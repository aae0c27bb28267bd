"""The pages that come with the migration are run: each pair of "Coming from v1" is what the migration does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

pytest.importorskip("libcst", reason="the extra typedtool[migrate] is not installed")

from typedtool import migration
from typedtool.migration.findings import Changed, Settings, Unchanged
from typedtool.migration.migrating import migrate_text

PAGE = (Path(migration.__file__).parent / "COMING_FROM_V1.md").read_text("utf-8")
PRELUDE = re.findall(r"```python prelude\n(.*?)```", PAGE, re.DOTALL)[0]
PAIRS = re.findall(
    r"```python before( --to-typed)?\n(.*?)```\n\n```python after(?: --to-typed)?\n(.*?)```", PAGE, re.DOTALL
)
IMPORTS_ONLY = re.compile(r"(?:(?:from [\w.]+ )?import [^\n]+\n|\n)+\Z")


def test_every_block_of_the_page_is_one_of_a_pair() -> None:
    assert len(PAIRS) >= 16
    assert PAGE.count("```python") == 1 + 2 * len(PAIRS)


@pytest.mark.parametrize(("option", "before", "after"), PAIRS)
def test_a_pattern_becomes_what_the_page_says(option: str, before: str, after: str) -> None:
    outcome = migrate_text(f"{PRELUDE}\n\n{before}", Settings(typed=bool(option)))
    assert isinstance(outcome, Changed)
    assert outcome.text.endswith(f"\n\n\n{after}")
    assert IMPORTS_ONLY.match(outcome.text.removesuffix(after))
    assert isinstance(migrate_text(outcome.text, Settings(typed=bool(option))), Unchanged)
