"""JSON text under a budget."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from typedtool import Budget, BudgetExceeded
from typedtool.values.json_text import NotJson, depth_of, is_unicode, parse, utf8

TRICKY = st.text(alphabet='[]{}"\\ a\u2028\u00e9', max_size=8)
VALUES = st.recursive(
    st.none() | st.integers() | TRICKY,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TRICKY, inner, max_size=3),
    max_leaves=20,
)


def nesting(value: Any) -> int:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return 0 if inner is None else 1 + max(map(nesting, inner), default=0)


@settings(max_examples=300, deadline=None)
@given(VALUES, st.booleans())
def test_the_depth_of_a_text_is_that_of_its_value(value: Any, ascii_only: bool) -> None:
    data = json.dumps(value, ensure_ascii=ascii_only).encode()
    assert depth_of(data) == nesting(value)
    assert parse(data, Budget()) == value


@pytest.mark.parametrize(
    ("data", "what", "early"),
    [
        (b"", "an empty text", False),
        (b" \n", "an empty text", False),
        (b'{"a": ', "JSON that ends early", True),
        (b'{"a": 1', "JSON that ends early", True),
        (b'"\\ud83', "JSON that ends early", True),
        (b"hello", "text that is not JSON", False),
        (b"[NaN]", "text that is not JSON", True),
        (b" {'a': 1}", "text that is not JSON", True),
        (b"-Infinity", "text that is not JSON", False),
        (b'"\\ud83d"', "a lone surrogate", False),
        (b'["\\uD83D"]', "a lone surrogate", False),
        (b'"\xff"', "bytes that are not UTF-8", False),
        (b"[1e999]", "a number that is out of range", False),
        (b"1" * 4_301, "a number that is out of range", False),
        (b"1 2", "text that is not JSON", False),
    ],
)
def test_what_is_not_json_is_told_apart(data: bytes, what: str, early: bool) -> None:
    with pytest.raises(NotJson) as caught:
        parse(data, Budget())
    assert (caught.value.what, str(caught.value), caught.value.early) == (what, what, early)


def test_a_lone_surrogate_has_no_utf8_and_a_byte_order_mark_is_passed_over() -> None:
    with pytest.raises(NotJson) as caught:
        utf8("\ud83d")
    assert (caught.value.what, caught.value.early) == ("a lone surrogate", False)
    for text in ("é", b"\xc3\xa9", bytearray(b"\xef\xbb\xbf\xc3\xa9"), memoryview(b"\xc3\xa9")):
        assert utf8(text) == b"\xc3\xa9"
    assert is_unicode("é") and is_unicode("") and not is_unicode("a\ud83d")
    assert parse(utf8("\ufeff[1]"), Budget()) == [1]


def test_integers_are_exact() -> None:
    assert parse(b"[9007199254740993, 1180591620717411303424]", Budget()) == [2**53 + 1, 2**70]


@pytest.mark.parametrize(
    "data", [b"[" * 10_000_000, b'{"a":' * 1_000_000, b'["\\"' * 500_000, b"[" * 129 + b"]" * 129]
)
def test_depth_and_length_are_known_before_the_parser_runs(data: bytes) -> None:
    with pytest.raises(BudgetExceeded) as caught:
        parse(data, Budget())
    assert caught.value.what == "depth"
    with pytest.raises(BudgetExceeded) as caught:
        parse(data, Budget(bytes=100))
    assert caught.value.what == "bytes"


def test_the_limits_of_a_text_belong_to_what_is_allowed() -> None:
    assert parse(b"[[1]]", Budget(depth=2, bytes=5)) == [[1]]
    for budget, what, limit in ((Budget(depth=1), "depth", 1), (Budget(bytes=4), "bytes", 4)):
        with pytest.raises(BudgetExceeded) as caught:
            parse(b"[[1]]", budget)
        assert (caught.value.what, caught.value.limit) == (what, limit)
    assert parse(b'["[[[["]', Budget(depth=1)) == ["[[[["]
    assert parse(b"[[], [], {}, {}]", Budget(depth=2)) == [[], [], {}, {}]
    for data in (b'{"a": {"a": 1}}', b'[{"a": 1}]', b'{"a": [1]}'):
        assert parse(data, Budget(depth=2))
        with pytest.raises(BudgetExceeded):
            parse(data, Budget(depth=1))


@pytest.mark.parametrize(
    ("data", "depth"),
    [
        (b"1", 0),
        (b'"[["', 0),
        (b"[]", 1),
        (b"[{}, []]", 2),
        (b'["[", "]]", [{"a": "{"}]]', 3),
        (b'["\\"[[", [1]]', 2),
        (b'["\\\\", [1], "\\\\\\"["]', 2),
        (b'["", "\\n[", [[]], ""]', 3),
        (b"[" * 200, 200),
    ],
)
def test_brackets_in_strings_and_after_escapes_do_not_nest(data: bytes, depth: int) -> None:
    assert depth_of(data) == depth
