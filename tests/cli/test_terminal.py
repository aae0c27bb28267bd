"""Output to a terminal is printable."""

from __future__ import annotations

import json

import pytest

from typedtool.cli.terminal import json_text


@pytest.mark.parametrize("value", ["\x1b", "‮a\u200b", "\ud800", "é☔😀", {"\x07": ["\x9b"]}])
def test_json_for_a_terminal_is_printable_and_still_the_same_json(value: object) -> None:
    text = json_text(value)
    assert text.isprintable()
    assert json.loads(text) == value
