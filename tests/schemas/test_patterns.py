"""A pattern means what ECMA-262 says, and a pattern that is none is refused at its place."""

from __future__ import annotations

from typing import Any

import pytest

from typedtool.errors import InvalidSchema, SchemaError
from typedtool.schemas.patterns import translated
from typedtool.schemas.schema import parse_schema


def refused(schema: Any, **options: Any) -> SchemaError:
    with pytest.raises(SchemaError) as caught:
        parse_schema(schema, tool="t", **options)
    assert caught.value.tool == "t" and "'t'" in str(caught.value) and caught.value.rule
    return caught.value


UNDERSTOOD = [
    (r"^(?P<kind>wf)-[0-9]+$", "wf-12", "wf-"),
    (r"^https\:\/\/", "https://e", "http://e"),
    (r"^(?<y>\d)\k<y>$", "11", "12"),
    (r"^(?P<y>\d)(?P=y)$", "11", "12"),
    (r"^[^]$", "\n", ""),
    (r"^a{,3}$", "a{,3}", "aa"),
    (r"^[\w-.]+@x$", "a-b.c@x", "a b@x"),
    (r"^[a-\d]$", "-", "b"),
    (r"^[[a&&b]$", "&", "]"),
    (r"^[\b]$", "\x08", "b"),
    (r"^\p{L}+$", "é", "1"),
    (r"^\w$", "a", "é"),
    (r"^\d$", "1", "߀"),
    (r"^a$", "a", "a\n"),
    (r"^.$", "a", "\u2028"),
    (r"^\cC$", "\x03", "C"),
    (r"^(?!^[-+.]*$)[+-]?0*\d*\.?\d*$", "123.45", "+"),
    (r"^\_\@\#\ $", "_@# ", "_@#"),
    (r"^{a}$", "{a}", "a"),
]


@pytest.mark.parametrize(("pattern", "match", "other"), UNDERSTOOD)
def test_a_pattern_means_what_ecma_262_says(pattern: str, match: str, other: str) -> None:
    for schema in (parse_schema({"pattern": pattern}), parse_schema({"propertyNames": {"pattern": pattern}})):
        wrap = (lambda text: text) if "pattern" in schema.document else (lambda text: {text: 1})
        assert schema.is_valid(wrap(match)) and not schema.is_valid(wrap(other))
        second = schema.validator.counted()
        assert [bool(list(second.failures(wrap(text), 1.0, 1))) for text in (match, other)] == [False, True]


@pytest.mark.parametrize(
    "pattern",
    ["(", "[a", r"^a\Z", r"\A", r"a\z", r"\k<none>", r"\q", "a**", "(?<n>a)(?<n>b)", "^(a{1,1000}){1,1000}$"],
)
def test_what_is_no_pattern_is_invalid_at_its_place_used_or_not(pattern: str) -> None:
    error = refused({"properties": {"unused": {"pattern": pattern}}})
    assert isinstance(error, InvalidSchema) and error.pointer == "/properties/unused/pattern"
    assert isinstance(refused({"patternProperties": {pattern: True}}), InvalidSchema)


def test_a_python_group_is_understood_and_said() -> None:
    assert "(?P<name>...)" in parse_schema({"pattern": "^(?P<a>b)$"}).warnings[0]
    assert translated("^(?<a>b)$").decided == ""


@pytest.mark.parametrize("draft", ["draft-04", "draft-06", "draft-07"])
def test_a_python_group_is_understood_in_older_dialects_too(draft: str) -> None:
    schema = {"$schema": f"http://json-schema.org/{draft}/schema#", "pattern": "^(?P<a>b)$"}
    assert parse_schema(schema).is_valid("b") and not parse_schema(schema).is_valid("c")
    assert translated("(?P<a>b)(?:c)").text == "(?<a>b)(?:c)"


def test_a_group_of_other_engines_is_named_by_its_beginning() -> None:
    said = "is not ECMA-262: it is read as Python and Rust read it"
    assert translated("(?i)ab").decided == f"'(?i)ab' {said}"
    assert translated("x(?s)abcdefgh").decided == f"'(?s)abcd' {said}"
