"""Foreign text is safe to print."""

from __future__ import annotations

from typedtool.values.printing import line


def test_a_foreign_line_is_one_line_printable_and_bounded() -> None:
    assert line("a\tb\r\nc  d") == "a b c d"
    assert line("\x1b[1m‮") == r"\x1b[1m\u202e"
    assert len(line("x" * 1_000_000, 50)) == 50
    assert line("\ud800") == r"\ud800"
