"""JSON Pointers and JSONPaths: written, read, followed."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from typedtool.values.locations import (
    dereferenced,
    escape,
    json_path,
    json_pointer,
    path_segment,
    path_steps,
    pointer_steps,
    resolve,
    unescape,
)

# The document of RFC 6901, section 5, with the values that its pointers lead to.
RFC_6901 = {
    "foo": ["bar", "baz"],
    "": 0,
    "a/b": 1,
    "c%d": 2,
    "e^f": 3,
    "g|h": 4,
    "i\\j": 5,
    'k"l': 6,
    " ": 7,
    "m~n": 8,
}
NAMES = st.text(alphabet="ab~/01\"\\ .[]'é\n", max_size=8)


@pytest.mark.parametrize(
    ("pointer", "value"),
    [
        ("", RFC_6901),
        ("/foo", ["bar", "baz"]),
        ("/foo/0", "bar"),
        ("/foo/1", "baz"),
        ("/", 0),
        ("/a~1b", 1),
        ("/c%d", 2),
        ("/e^f", 3),
        ("/g|h", 4),
        ("/i\\j", 5),
        ('/k"l', 6),
        ("/ ", 7),
        ("/m~0n", 8),
    ],
)
def test_a_pointer_leads_where_the_rfc_says(pointer: str, value: Any) -> None:
    assert resolve(RFC_6901, pointer) == value


@pytest.mark.parametrize(
    "pointer",
    ["/bar", "/foo/2", "/foo/-", "/foo/-1", "/foo/00", "/foo/1x", "/foo/١", "/a~1b/c", "/foo/" + "9" * 5_000],
)
def test_a_pointer_to_nothing_is_a_lookup_error(pointer: str) -> None:
    with pytest.raises(LookupError) as caught:
        resolve(RFC_6901, pointer)
    assert caught.value.args[0] in (pointer.rpartition("/")[2], "list index out of range")


@given(NAMES)
def test_an_escaped_step_is_one_token_and_reads_back(name: str) -> None:
    assert "/" not in escape(name)
    assert unescape(escape(name)) == name


def test_an_escaped_tilde_before_a_one_stays_a_tilde() -> None:
    assert (escape("~1"), unescape("~01")) == ("~01", "~1")


@given(st.lists(NAMES, max_size=4))
def test_a_pointer_reads_back_as_its_steps(steps: list[str]) -> None:
    assert pointer_steps(json_pointer(steps)) == steps


@given(st.lists(NAMES | st.integers(0, 300), max_size=4))
def test_a_path_reads_back_as_its_steps(steps: list[str | int]) -> None:
    assert path_steps(json_path(steps)) == steps


@pytest.mark.parametrize(
    ("key", "segment"),
    [
        ("a", ".a"),
        ("_a1", "._a1"),
        ("a b", '["a b"]'),
        ('q"x', '["q\\"x"]'),
        ("", '[""]'),
        ("a\n", '["a\\n"]'),
        ("é", '["\\u00e9"]'),
        (3, "[3]"),
        ("3", '["3"]'),
        ("x y" * 100, '["' + ("x y" * 100)[:97] + " ... " + ("x y" * 100)[-97:] + '"]'),
    ],
)
def test_a_key_is_a_segment_of_a_json_path(key: Any, segment: str) -> None:
    assert path_segment(key) == segment


DOCUMENT: dict[str, Any] = {
    "$defs": {
        "id": {"type": "integer"},
        "alias": {"$ref": "#/$defs/id"},
        "loop": {"$ref": "#/$defs/loop"},
        "a/b c": {"type": "null"},
        "list": {"prefixItems": [{"type": "string"}]},
    }
}


@pytest.mark.parametrize(
    ("schema", "found"),
    [
        ({"type": "string"}, {"type": "string"}),
        (True, True),
        ({"$ref": "#"}, DOCUMENT),
        ({"$ref": "#/$defs/id", "title": "Id"}, {"type": "integer"}),
        ({"$ref": "#/$defs/alias"}, {"type": "integer"}),
        ({"$ref": "#/$defs/a~1b%20c"}, {"type": "null"}),
        ({"$ref": "#/$defs/list/prefixItems/0"}, {"type": "string"}),
        ({"$ref": "#/$defs/none"}, None),
        ({"$ref": "#/$defs/loop"}, None),
        ({"$ref": "https://example.com/other"}, {"$ref": "https://example.com/other"}),
        ({"$ref": "#anchor"}, {"$ref": "#anchor"}),
        ({"$ref": 5}, {"$ref": 5}),
    ],
)
def test_a_local_reference_is_followed_to_what_it_names(schema: Any, found: Any) -> None:
    assert dereferenced(schema, DOCUMENT) == found


def test_a_chain_of_references_is_followed_a_few_steps_far_and_no_further() -> None:
    chain = {str(i): {"$ref": f"#/{i + 1}"} for i in range(20)} | {"20": {"type": "null"}}
    assert dereferenced(chain["13"], chain) == {"type": "null"}
    assert dereferenced(chain["12"], chain) is None
