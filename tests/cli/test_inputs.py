"""Files that a command line names: a listing is read, and anything else is a named error."""

from __future__ import annotations

import json
from typing import Any

import pytest

from command_line import tool


@pytest.mark.parametrize(
    ("raw", "says"),
    [
        (b"", "not JSON: an empty text"),
        (b"{", "not JSON: JSON that ends early"),
        (b"\xff\xfe", "not JSON"),
        (b"[" * 100_000, "more than the budget allows: depth"),
        (b"5", "expected a listing"),
        (b'{"tools": 5}', "expected a listing"),
        (b'{"jsonrpc": "2.0", "id": 1, "error": {"code": 1, "message": "x"}}', "expected a listing"),
    ],
)
def test_a_file_that_is_no_listing_is_a_named_error(run: Any, listing: Any, raw: bytes, says: str) -> None:
    done = run("list", "--listing", listing(raw=raw))
    assert (done.code, done.out) == (1, "")
    assert says in done.err


def test_a_listing_may_be_a_whole_response_and_begin_with_a_byte_order_mark(run: Any, listing: Any) -> None:
    response = {"jsonrpc": "2.0", "id": 1, "result": {"tools": [tool("a")]}}
    done = run("list", "--listing", listing(raw=b"\xef\xbb\xbf" + json.dumps(response).encode()))
    assert done.code == 0
    assert done.out.splitlines()[0].split() == ["a", "no", "outputSchema"]
