"""The two engines agree, in every verdict; and either does without the other."""

from __future__ import annotations

import json
import os
import pathlib
import random
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from schema_samples import Sampler, mutated
from typedtool.errors import BudgetExceeded, SchemaError
from typedtool.schemas.engines import rust
from typedtool.schemas.schema import Schema, parse_schema


def verdicts(schema: Schema, value: Any) -> tuple[bool, bool]:
    first = schema.validator.rust
    assert first is not None
    return first.is_valid(value), not list(schema.validator.counted().failures(value, 5.0, 1))


NAMES = st.sampled_from(["a", "b", "c", "type", "$ref"])
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.sampled_from([0.5, 1.0, -2.0, 1e300, 10**30]),
    st.sampled_from(["", "a", "ab", "aa1", "é", "😀", "a\n"]),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES, inner, max_size=4),
    max_leaves=12,
)
PATTERNS = st.sampled_from(["^a", "a$", r"\d", r"^\w+$", "^(?!b)", "", "^[ab]{1,2}$", r"^\p{L}*$"])
SMALL = st.integers(0, 3)
LEAVES = st.one_of(
    st.booleans(),
    st.builds(
        lambda t: {"type": t},
        st.sampled_from(["string", "integer", "number", "array", "object", "null", "boolean"]),
    ),
    st.builds(lambda v: {"const": v}, VALUES),
    st.builds(lambda v: {"enum": v}, st.lists(VALUES, min_size=1, max_size=3)),
    st.builds(
        lambda k, n: {k: n},
        st.sampled_from(
            [
                "minimum",
                "maximum",
                "exclusiveMinimum",
                "exclusiveMaximum",
                "minLength",
                "maxLength",
                "minItems",
                "maxItems",
                "minProperties",
                "maxProperties",
            ]
        ),
        SMALL,
    ),
    st.builds(lambda n: {"multipleOf": n}, st.sampled_from([1, 2, 0.5, 0.1, 1.5])),
    st.builds(lambda p: {"pattern": p}, PATTERNS),
    st.just({"uniqueItems": True}),
    st.builds(lambda n: {"required": n}, st.lists(NAMES, max_size=2, unique=True)),
    st.builds(lambda a, b: {"dependentRequired": {a: [b]}}, NAMES, NAMES),
    st.sampled_from([{"$ref": "#/$defs/x"}, {"$ref": "#y"}]),
)


def above(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    some = st.lists(inner, min_size=1, max_size=3)
    named = st.dictionaries(NAMES, inner, min_size=1, max_size=3)
    one = st.one_of(
        st.builds(lambda k, s: {k: s}, st.sampled_from(["allOf", "anyOf", "oneOf", "prefixItems"]), some),
        st.builds(
            lambda k, s: {k: s},
            st.sampled_from(
                [
                    "not",
                    "items",
                    "contains",
                    "additionalProperties",
                    "propertyNames",
                    "unevaluatedItems",
                    "unevaluatedProperties",
                ]
            ),
            inner,
        ),
        st.builds(lambda k, s: {k: s}, st.sampled_from(["properties", "dependentSchemas"]), named),
        st.builds(lambda p, s: {"patternProperties": {p: s}}, PATTERNS, inner),
        st.builds(lambda a, b, c: {"if": a, "then": b, "else": c}, inner, inner, inner),
        st.builds(lambda s, a, b: {"contains": s, "minContains": a, "maxContains": b}, inner, SMALL, SMALL),
    )
    return st.builds(
        lambda parts: {k: v for part in parts for k, v in part.items()}, st.lists(one, min_size=1, max_size=4)
    )


SCHEMAS = st.recursive(LEAVES, above, max_leaves=10)


def drawn(body: Any, x: Any, y: Any) -> Any:
    anchored = {"$anchor": "y", **y} if isinstance(y, dict) else {"$anchor": "y", "not": {"not": y}}
    return {"allOf": [body], "$defs": {"x": x, "y": anchored}, "$comment": "drawn"}


def check_agreement(document: Any, values: list[Any]) -> int:
    try:
        schema = parse_schema(document)
    except (SchemaError, BudgetExceeded):
        return 0  # a loop
    for value in values:
        first, second = verdicts(schema, value)
        assert first is second, (first, document, value)
        assert bool(schema.validate(value)) is not first
    return len(values)


@pytest.mark.timeout(600)
@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(st.builds(drawn, SCHEMAS, SCHEMAS, SCHEMAS), st.lists(VALUES, min_size=1, max_size=8))
def test_both_engines_agree_on_drawn_schemas_and_values(document: Any, values: list[Any]) -> None:
    check_agreement(document, values)


@pytest.mark.thorough
@pytest.mark.timeout(900)
@settings(max_examples=8000, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.builds(drawn, SCHEMAS, SCHEMAS, SCHEMAS), st.lists(VALUES, min_size=1, max_size=8))
def test_both_engines_agree_on_very_many_drawn_schemas(document: Any, values: list[Any]) -> None:
    check_agreement(document, values)


def corpus(shared: pathlib.Path) -> list[Any]:
    found: dict[str, Any] = {}
    for path in sorted((shared / "corpus").glob("*.json")):
        for tool in json.loads(path.read_text())["tools"]:
            for side in ("inputSchema", "outputSchema"):
                if side in tool:
                    found.setdefault(json.dumps(tool[side], sort_keys=True), tool[side])
    return list(found.values())


def test_both_engines_agree_over_the_corpus(shared: pathlib.Path, thorough: bool) -> None:
    schemas = corpus(shared)
    step, each = (1, 6) if thorough else (8, 3)
    valid = invalid = 0
    for number, document in enumerate(schemas[::step]):
        schema = parse_schema(document)
        chance = random.Random(number)
        for seed in range(each):
            value = Sampler(schema, seed).draw()
            for candidate in (value, mutated(value, chance), mutated(value, chance)):
                first, second = verdicts(schema, candidate)
                assert first is second, (document, candidate)
                valid += first
                invalid += not first
    assert len(schemas) > 4000
    assert valid > len(schemas) // step and invalid > len(schemas) // step, (valid, invalid)


# --- without the other

ALONE = """
import sys
class Nothing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == {missing!r}:
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Nothing())
from typedtool.schemas.schema import parse_schema
from typedtool.errors import TypedToolError
number = {{"x": {{"type": "integer"}}}}
schema = parse_schema({{"type": "array", "items": {{"$ref": "#/$defs/x"}}, "$defs": number}})
print(schema.is_valid([1]), *schema.validate([1, "x"]))
for bad in ({{"pattern": "^a"}}, {{"type": "float"}}):
    try:
        parse_schema(bad)
        print("taken")
    except TypedToolError as error:
        print(type(error).__name__, error.pointer)
"""


def alone(missing: str) -> list[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-W", "error", "-c", ALONE.format(missing=missing)]
    return subprocess.run(
        command, capture_output=True, text=True, env=environment, check=True
    ).stdout.splitlines()


def test_without_the_first_engine_the_second_judges_and_patterns_are_refused() -> None:
    assert alone("jsonschema_rs") == [
        "True expected integer, received string at $[1]",
        "UnsafeSchema /pattern",
        "InvalidSchema /type",
    ]


def test_the_first_engine_is_as_it_is_known() -> None:
    assert rust.fault() is None


def test_an_engine_that_answers_otherwise_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    import jsonschema_rs

    monkeypatch.delattr(jsonschema_rs, "FancyRegexOptions")
    caches = (rust.fault, rust.metaschema, rust.pattern_cost, rust.matcher)
    for cache in caches:
        cache.cache_clear()
    try:
        assert "does not work as known" in (rust.fault() or "")
        schema = parse_schema({"type": "object", "required": ["moved"]})
        assert schema.validator.rust is None
        assert [problem.code for problem in schema.validate({})] == ["required"]
    finally:
        monkeypatch.undo()
        for cache in caches:
            cache.cache_clear()


@pytest.mark.live
@pytest.mark.thorough
@pytest.mark.timeout(600)
@pytest.mark.parametrize("version", ["LOWEST", "NEWEST"])
def test_the_engine_works_at_both_ends_of_its_range(version: str, shared: pathlib.Path) -> None:
    """Opt-in: `TYPEDTOOL_RS_LOWEST` and `..._NEWEST` are Pythons that have that version of jsonschema-rs."""
    python = os.environ.get(f"TYPEDTOOL_RS_{version}")
    if python is None:
        pytest.skip(f"set TYPEDTOOL_RS_{version} to a Python that has this version of jsonschema-rs")
    root = pathlib.Path(__file__).parents[2]
    environment = {**os.environ, "PYTHONPATH": str(root / "src"), "TYPEDTOOL_SHARED": str(shared)}
    tests = [
        "tests/schemas/test_suite.py",
        "tests/schemas/test_engines.py",
        "tests/schemas/test_validation.py",
        "tests/schemas/test_hostile.py",
    ]
    child = subprocess.run(
        [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests],
        cwd=root,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert child.returncode == 0, child.stdout[-3000:]


def test_what_the_engine_refuses_is_named_by_its_keyword() -> None:
    with pytest.raises(rust.Refusal) as caught:
        rust.compiled({"": {"items": {"pattern": "("}}}, "2020-12", False)
    assert (caught.value.keyword, caught.value.pointer) == ("pattern", "/items/pattern")
