"""Foreign text is safe to print."""

from __future__ import annotations

from typedtool.values.printing import line, printable_json


def test_a_foreign_line_is_one_line_printable_and_bounded() -> None:
    assert line("a\tb\r\nc  d") == "a b c d"
    assert line("\x1b[1m‮") == r"\x1b[1m\u202e"
    assert len(line("x" * 1_000_000, 50)) == 50
    assert line("\ud800") == r"\ud800"


def test_a_line_of_the_limit_is_whole_and_a_longer_one_ends_in_dots() -> None:
    assert line("x" * 200) == "x" * 200
    assert line("x" * 201) == "x" * 197 + "..."
    assert line("abcdef", 6) == "abcdef"
    assert line("abcdefg", 6) == "abc..."
    assert line("\x1b" * 3, 12) == r"\x1b\x1b\x1b"
    assert line(" " * 50 + "abc", 10) == ""


def test_json_is_printed_with_what_no_terminal_shows_escaped_as_json() -> None:
    value = {"é\x1b": ["\u202e", "a\nb", 1.5, None]}
    assert printable_json(value) == r'{"é\u001b": ["\u202e", "a\nb", 1.5, null]}'
    assert printable_json([1], indent=2) == "[\n  1\n]"
    assert printable_json("\U0001f600\x7f\u2028") == '"\U0001f600' + r'\u007f\u2028"'
