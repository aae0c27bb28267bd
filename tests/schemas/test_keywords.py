"""Each keyword of each dialect, judged by both engines; and none of them can go missing without a test that notices."""

from __future__ import annotations

import json
import pathlib
from collections.abc import Iterator
from typing import Any

import pytest

from typedtool.schemas.compiling import compiled_schema
from typedtool.schemas.dialects import DIALECTS, Dialect
from typedtool.schemas.engines import counted, evaluated
from typedtool.schemas.engines.library import known_class, validator_class
from typedtool.schemas.engines.rules import NEVER, RULES, rules_of
from typedtool.schemas.keywords import AGES, HOLDERS, KEYWORDS, TABLE
from typedtool.schemas.schema import parse_schema
from typedtool.values.budgets import DEFAULT_BUDGET

# The first and the last dialect, a schema, values that it takes, values that it refuses.
ROWS: list[list[Any]] = json.loads(pathlib.Path(__file__).with_name("keywords.json").read_text())


def rows_of(dialect: Dialect) -> Iterator[tuple[Any, list[Any], list[Any]]]:
    for since, until, schema, valid, invalid in ROWS:
        if since <= AGES[dialect.name] <= until:
            yield {"$schema": dialect.uri, **schema}, valid, invalid


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.name)
def test_both_engines_judge_each_keyword_as_its_dialect_defines_it(dialect: Dialect) -> None:
    wrong = []
    for document, valid, invalid in rows_of(dialect):
        validator = parse_schema(document).validator
        for value, verdict in [*((v, True) for v in valid), *((v, False) for v in invalid)]:
            if validator.is_valid(value) is not verdict:
                wrong.append(("as parsed", document, value))
            if validator.rust is not None and validator.rust.is_valid(value) is not verdict:
                wrong.append(("jsonschema-rs", document, value))
            if bool(list(validator.counted().failures(value, 5.0, 1))) is verdict:
                wrong.append(("counted", document, value))
    assert wrong == []


def test_jsonschema_rs_does_not_judge_what_it_is_known_to_misread() -> None:
    old = {"$schema": "https://json-schema.org/draft/2019-09/schema"}
    both = {"contains": {"type": "string"}, "unevaluatedItems": False}
    assert parse_schema({**old, **both}).validator.rust is None
    assert not parse_schema({**old, **both}).is_valid(["a"])
    assert parse_schema(both).validator.rust is not None and parse_schema(both).is_valid(["a"])
    for keyword, held in both.items():
        assert parse_schema({**old, keyword: held}).validator.rust is not None


def noticed(dialect: Dialect, keyword: str, rules: dict[str, Any]) -> bool:
    """Whether a row that has the keyword fails under these rules."""
    cls = validator_class(known_class(dialect.name), rules)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(counted, "_class", lambda name, formats: cls)
        for document, valid, invalid in rows_of(dialect):
            if f'"{keyword}"' not in json.dumps(document):
                continue
            admitted = parse_schema(document).admitted
            written = compiled_schema({"": document}, admitted, DEFAULT_BUDGET, never=NEVER)
            validator = counted.compiled(written.documents, dialect.name, False, DEFAULT_BUDGET)
            for values, refused in ((valid, False), (invalid, True)):
                if any(bool(list(validator.failures(value, 5.0, 1))) is not refused for value in values):
                    return True
    return False


def rules_in(dialect: Dialect) -> dict[str, Any]:
    return rules_of(dialect.name, known_class(dialect.name).VALIDATORS, False)


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.name)
def test_a_keyword_whose_rule_finds_nothing_is_noticed(dialect: Dialect) -> None:
    rules = rules_in(dialect)
    unnoticed = [
        keyword
        for keyword in rules
        if keyword != "format" and not noticed(dialect, keyword, {**rules, keyword: lambda *_: iter(())})
    ]
    assert unnoticed == []
    assert len(rules) > 20 and not noticed(dialect, "type", rules)


EVALUATING = {"$ref", "allOf", "anyOf", "oneOf", "if", "then", "else", "dependentSchemas"}
EVALUATING |= {"properties", "patternProperties", "additionalProperties", "unevaluatedProperties"}
EVALUATING |= {"items", "unevaluatedItems"}


@pytest.mark.parametrize(
    ("dialect", "keyword"),
    [
        (dialect, keyword)
        for dialect, more in (
            (DIALECTS[0], {"$dynamicRef", "prefixItems", "contains"}),
            (DIALECTS[1], {"$recursiveRef", "additionalItems"}),
        )
        for keyword in sorted(EVALUATING | more)
    ],
    ids=str,
)
def test_a_keyword_that_evaluates_nothing_is_noticed(
    dialect: Dialect, keyword: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def without(find: Any, at: int) -> Any:
        def found(*given: Any) -> Any:
            held = {name: value for name, value in given[at].items() if name != keyword}
            return find(*given[:at], held, *given[at + 1 :])

        return found

    assert not noticed(dialect, keyword, rules_in(dialect))
    for name in ("_applied", "_names", "_indices"):
        monkeypatch.setattr(evaluated, name, without(getattr(evaluated, name), 2))
    assert noticed(dialect, keyword, rules_in(dialect))


@pytest.mark.parametrize("keyword", sorted(RULES))
def test_a_rule_of_ours_is_in_use(keyword: str) -> None:
    """jsonschema's own in its place gives the same verdicts: it costs more, and puts the value into its message."""
    found = [rule for dialect in DIALECTS if (rule := rules_in(dialect).get(keyword)) is not None]
    assert any(RULES[keyword] in [cell.cell_contents for cell in rule.__closure__] for rule in found)


# --- the table


def test_every_rule_has_its_line_in_the_table() -> None:
    for dialect in DIALECTS:
        known = {k.name for k in TABLE if k.described_in(dialect.name)}
        assert rules_in(dialect).keys() - known - {"dependencies"} == set()


def test_every_keyword_that_asserts_has_a_row() -> None:
    shown = {key for _, _, schema, _, _ in ROWS for key in _keys(schema)}
    asserting = {k.name for k in TABLE if k.role in ("assertion", "applicator", "reference")}
    assert asserting - shown == set()


def _keys(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, held in value.items():
            yield key
            yield from _keys(held)
    elif isinstance(value, list):
        for held in value:
            yield from _keys(held)


def test_the_dialects_differ_where_their_specifications_do() -> None:
    by_name = {dialect.name: dialect for dialect in DIALECTS}
    held = {name: set(dialect.subschemas) for name, dialect in by_name.items()}
    assert held["draft-06"] - held["draft-04"] == {"contains", "propertyNames"}
    assert held["draft-07"] - held["draft-06"] == {"if", "then", "else"}
    assert held["2019-09"] - held["draft-07"] == {
        "dependentSchemas",
        "unevaluatedItems",
        "unevaluatedProperties",
        "$defs",
        "contentSchema",
    }
    assert held["2020-12"] ^ held["2019-09"] == {"prefixItems", "additionalItems"}
    assert [by_name[name].subschemas["items"].shape for name in ("2019-09", "2020-12")] == [
        "one-or-list",
        "one",
    ]
    assert by_name["2019-09"].references == ("$ref", "$recursiveRef")
    assert by_name["2020-12"].references == ("$ref", "$dynamicRef")
    assert by_name["2020-12"].anchors == ("$anchor", "$dynamicAnchor")
    assert by_name["draft-07"].anchors == ()


def test_a_keyword_belongs_to_the_dialects_that_define_it() -> None:
    assert [KEYWORDS["dependencies"].known_in(name) for name in ("draft-07", "2019-09")] == [True, False]
    assert KEYWORDS["dependencies"].described_in("2020-12")
    assert not KEYWORDS["additionalItems"].described_in("2020-12")
    assert "not" not in HOLDERS and {"properties", "$ref", "then"} <= HOLDERS


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.name)
def test_both_engines_assert_a_format_where_that_is_asked_for(dialect: Dialect) -> None:
    document = {"$schema": dialect.uri, "format": "ipv4"}
    asserted, annotated = parse_schema(document, assert_formats=True), parse_schema(document)
    for value, verdict in (("127.0.0.1", True), ("127.0.0", False), (5, True)):
        assert asserted.is_valid(value) is verdict and annotated.is_valid(value)
        assert bool(list(asserted.validator.counted().failures(value, 5.0, 1))) is not verdict
        assert list(annotated.validator.counted().failures(value, 5.0, 1)) == []
