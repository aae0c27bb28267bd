"""What `parse_schema` admits, what it refuses and how it says so."""

from __future__ import annotations

import copy
import doctest
import json
import pathlib
import pickle
import statistics
import subprocess
import sys
import threading
import time
from typing import Any

import pytest

from calibration import work_seconds, work_units
from shared_material import find_shared
from typedtool import schemas
from typedtool.errors import BudgetExceeded, InvalidSchema, SchemaError, UnsafeSchema, UnsupportedDialect
from typedtool.schemas import admission, dialects, patterns
from typedtool.schemas import schema as schema_module
from typedtool.schemas.schema import Schema, parse_schema
from typedtool.values import budgets, walking
from typedtool.values.budgets import Budget

D7 = "http://json-schema.org/draft-07/schema#"


def refused(schema: Any, **options: Any) -> SchemaError:
    with pytest.raises(SchemaError) as caught:
        parse_schema(schema, tool="t", **options)
    assert caught.value.tool == "t" and "'t'" in str(caught.value) and caught.value.rule
    return caught.value


# --- what it loads


def test_no_engine_is_loaded_before_a_schema_is_parsed_and_the_second_not_before_it_is_needed() -> None:
    program = """
import sys
heavy = ("jsonschema", "jsonschema_rs", "referencing", "http.client", "ssl")
import typedtool.schemas.schema
before = [name for name in heavy if name in sys.modules]
schema = typedtool.schemas.schema.parse_schema({"type": "object", "properties": {"a": {"type": "integer"}}})
schema.validate({"a": 1})
print(before, [name for name in heavy if name in sys.modules])
"""
    environment = {"PYTHONPATH": ":".join(sys.path), "PATH": "/usr/bin:/bin"}
    said = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, env=environment
    )
    assert said.stdout.strip() == "[] ['jsonschema_rs']"


@pytest.mark.parametrize("module", ["jsonschema", "jsonschema_rs"])
def test_each_engine_is_imported_by_one_module(module: str) -> None:
    sources = pathlib.Path(schemas.__file__).parent.rglob("*.py")
    lines = [(path.name, line.split()) for path in sources for line in path.read_text().splitlines()]
    found = {name for name, words in lines if words[:2] in (["import", module], ["from", module])}
    assert found == {{"jsonschema": "library.py", "jsonschema_rs": "rust.py"}[module]}


def test_nothing_imports_fetching() -> None:
    sources = [
        path for path in pathlib.Path(schemas.__file__).parent.rglob("*.py") if path.name != "fetching.py"
    ]
    importing = [
        path.name
        for path in sources
        for line in path.read_text().splitlines()
        if "fetching" in line and line.lstrip().startswith(("import", "from"))
    ]
    assert len(sources) > 10 and importing == []


@pytest.mark.parametrize(
    "module", [schema_module, budgets, dialects, patterns, admission, walking], ids=lambda m: m.__name__
)
def test_the_examples_run(module: Any) -> None:
    found = doctest.testmod(module, optionflags=doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL)
    assert found.failed == 0


# --- dialects

SPELLINGS = [
    (f"{scheme}://json-schema.org/{path}{end}", name)
    for scheme in ("http", "https")
    for end in ("", "#")
    for path, name in (
        ("draft/2020-12/schema", "2020-12"),
        ("draft/2019-09/schema", "2019-09"),
        ("draft-07/schema", "draft-07"),
        ("draft-06/schema", "draft-06"),
        ("draft-04/schema", "draft-04"),
    )
]


@pytest.mark.parametrize(("uri", "name"), SPELLINGS)
def test_a_dialect_is_known_in_every_usual_spelling_and_used(uri: str, name: str) -> None:
    schema = parse_schema({"$schema": uri, "type": "array", "items": {"type": "integer"}})
    assert schema.dialect == name
    assert schema.is_valid([1]) and not schema.is_valid(["1"])
    tuples = {"$schema": uri, "items": [{"type": "string"}]}
    if name == "2020-12":
        assert "prefixItems" in refused(tuples).hint
    else:
        assert not parse_schema(tuples).is_valid([1])


def test_no_dialect_declared_is_2020_12() -> None:
    schema = parse_schema({"prefixItems": [{"type": "string"}]})
    assert schema.dialect == "2020-12" and not schema.is_valid([1])


@pytest.mark.parametrize(
    "uri",
    [
        "https://json-schema.org/v1",
        "http://json-schema.org/draft-03/schema#",
        "urn:x",
        "",
        "http://json‑schema.org/draft‑07/schema#",
    ],
)
def test_an_unknown_dialect_is_refused_by_name_wherever_it_is_declared(uri: str) -> None:
    for schema in ({"$schema": uri}, {"$defs": {"a": {"$id": "urn:a", "$schema": uri}}}):
        error = refused(schema)
        assert isinstance(error, UnsupportedDialect)
        assert error.rule == "$schema" and "2020-12" in error.hint and "draft-04" in error.hint


def test_an_embedded_resource_may_have_a_dialect_of_its_own() -> None:
    inner = {"$id": "urn:a", "$schema": D7, "items": [{"type": "string"}]}
    schema = parse_schema({"$ref": "urn:a", "$defs": {"a": inner}})
    assert schema.node("#/$defs/a").dialect.name == "draft-07"
    assert not schema.is_valid([1]) and schema.is_valid(["x"])
    bad = refused({"$defs": {"a": {"$schema": D7}}})
    assert isinstance(bad, InvalidSchema) and bad.pointer == "/$defs/a" and "$id" in bad.hint
    assert refused({"$defs": {"a": {**inner, "type": "nope"}}}).pointer == "/$defs/a/type"


# --- references


@pytest.mark.parametrize(
    ("schema", "pointer"),
    [
        ({"$ref": "#/$defs/nope"}, ""),
        ({"anyOf": [True, {"$ref": "#/$defs/nope"}]}, "/anyOf/1"),
        ({"$defs": {"unreached": {"items": {"$ref": "#nope"}}}}, "/$defs/unreached/items"),
        ({"properties": {"a/b": {"$ref": "#/properties/a/b"}}}, "/properties/a~1b"),
        ({"properties": {"a": {"$dynamicRef": "#nope"}}}, "/properties/a"),
    ],
)
def test_a_local_reference_to_nothing_is_invalid_whether_reached_or_not(schema: Any, pointer: str) -> None:
    error = refused(schema)
    assert isinstance(error, InvalidSchema) and error.pointer == pointer and "leads to nothing" in error.what


@pytest.mark.parametrize(
    "target",
    [
        "http://127.0.0.1:9/s",
        "https://example.com/s.json",
        "file:///etc/hostname",
        "other.json",
        "./x",
        "/x",
        "urn:uuid:1",
        "ftp://x/y",
        "data:application/json,{}",
        "//example.com/x",
        "http://[bad",
    ],
)
def test_a_reference_out_of_the_document_is_unsafe(target: str) -> None:
    error = refused({"properties": {"a": {"$ref": target}}})
    assert isinstance(error, UnsafeSchema) and error.pointer == "/properties/a" and "documents=" in error.hint


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#"},
        {"not": {"$ref": "#"}},
        {"$defs": {"a": {"anyOf": [{"$ref": "#/$defs/b"}]}, "b": {"if": {"$ref": "#/$defs/a"}}}},
        {"$dynamicAnchor": "n", "$dynamicRef": "#n"},
        {"$schema": "https://json-schema.org/draft/2019-09/schema", "$recursiveRef": "#"},
        {"$schema": D7, "definitions": {"a": {"$ref": "#/definitions/a"}}},
    ],
)
def test_a_loop_on_the_same_value_is_unsafe(schema: Any) -> None:
    error = refused(schema)
    assert isinstance(error, UnsafeSchema) and "without end" in error.what


def test_recursion_that_goes_down_into_the_value_is_no_loop() -> None:
    schema = parse_schema({"type": "object", "additionalProperties": {"$ref": "#"}})
    assert schema.is_valid({"a": {"b": {}}}) and not schema.is_valid({"a": {"b": 1}})


@pytest.mark.parametrize(
    "pair",
    [
        ({"$id": "http://e.com/x"}, {"$id": "http://e.com/x"}),
        ({"$anchor": "x"}, {"$anchor": "x"}),
        ({"$anchor": "x"}, {"$dynamicAnchor": "x"}),
    ],
)
def test_two_schemas_of_one_name_are_refused(pair: tuple[Any, Any]) -> None:
    error = refused({"$defs": {"a": pair[0], "b": pair[1]}})
    assert isinstance(error, InvalidSchema) and error.what.startswith("two schemas have the")


def test_the_same_anchor_in_two_resources_is_two_names() -> None:
    both = {"a": {"$id": "urn:a", "$anchor": "x", "type": "string"}, "b": {"$id": "urn:b", "$anchor": "x"}}
    assert not parse_schema({"$ref": "urn:a#x", "$defs": both}).is_valid(1)


def test_a_schema_outside_of_schema_positions_can_be_referred_to_and_is_checked() -> None:
    document = {"$ref": "#/components/schemas/A", "components": {"schemas": {"A": {"type": "integer"}}}}
    schema = parse_schema(document)
    assert not schema.is_valid("x") and "in no place for one" in schema.warnings[0]
    document["components"]["schemas"]["A"]["type"] = "float"  # type: ignore[index, call-overload]
    assert refused(document).pointer == "/components/schemas/A/type"


def test_documents_of_the_caller_resolve_and_are_judged_like_the_schema() -> None:
    documents = {
        "https://e.com/a": {"type": "array", "items": {"$ref": "b#/$defs/x"}},
        "https://e.com/b": {"$defs": {"x": {"type": "integer"}}},
    }
    schema = parse_schema({"$ref": "https://e.com/a"}, documents=documents)
    assert schema.is_valid([1])
    assert [str(problem) for problem in schema.validate(["x"])] == [
        "expected integer, received string at $[0]"
    ]
    assert isinstance(
        refused({"$ref": "https://e.com/a"}, documents={"https://e.com/a": documents["https://e.com/a"]}),
        UnsafeSchema,
    )
    assert isinstance(refused({"$ref": "u:a"}, documents={"u:a": {"type": "no"}}), InvalidSchema)
    assert isinstance(refused({"$ref": "u:a"}, documents={"u:a": {"$ref": "u:a"}}), UnsafeSchema)


def test_a_document_needs_a_uri_of_its_own() -> None:
    for documents in ({"": True}, {"#": True}, {"u:a": True, "u:a#": False}):
        assert refused({}, documents=documents).rule == "documents"


def test_a_node_shows_a_schema_with_its_dialect_and_where_its_references_lead() -> None:
    schema = parse_schema(
        {
            "$id": "https://e.com/r",
            "properties": {"a/b": {"$ref": "#x"}, "m": {"$ref": "d"}},
            "$defs": {"x": {"$anchor": "x", "type": "string"}},
        },
        documents={"https://e.com/d": {"$schema": D7, "type": "null"}},
    )
    node = schema.node("#/properties/a~1b")
    assert schema.node().location_of("properties", "a/b") == node.location
    assert node.references == {"$ref": "#/$defs/x"}
    assert schema.node(node.references["$ref"]).schema == {"$anchor": "x", "type": "string"}
    other = schema.node(schema.node("#/properties/m").references["$ref"])
    assert (other.location, other.dialect.name, other.schema["type"]) == (
        "https://e.com/d#",
        "draft-07",
        "null",
    )
    with pytest.raises(KeyError):
        schema.node("#/properties/none")


# --- odd things, decided


def test_nullable_allows_nothing_and_is_warned_of() -> None:
    schema = parse_schema({"properties": {"price": {"type": "number", "nullable": True}}})
    assert not schema.is_valid({"price": None}) and schema.is_valid({"price": 1})
    assert schema.warnings == (
        "nullable is no keyword of JSON Schema: it does not allow null (at '#/properties/price')",
    )


def test_a_discriminator_is_an_annotation_wherever_it_points() -> None:
    schema = parse_schema(
        {"oneOf": [{"type": "string"}], "discriminator": {"propertyName": "k", "mapping": {"a": "#/nowhere"}}}
    )
    assert schema.is_valid("x") and "discriminator" in schema.warnings[0]


def test_properties_may_have_the_names_of_keywords() -> None:
    names = ("type", "$ref", "$id", "$schema", "$anchor", "items", "pattern", "enum", "$defs")
    schema = parse_schema({"properties": {name: {"type": "string"} for name in names}, "required": ["type"]})
    assert schema.warnings == ()
    assert schema.is_valid(dict.fromkeys(names, "urn:nothing"))
    assert {problem.path for problem in schema.validate({"type": 1, "$ref": 2})} == {"$.type", '$["$ref"]'}


@pytest.mark.parametrize(
    ("schema", "takes", "refuses"), [(True, [1, {}, None], []), ({}, [1, {}, None], []), (False, [], [1, {}])]
)
def test_booleans_and_typeless_roots_are_schemas(schema: Any, takes: list[Any], refuses: list[Any]) -> None:
    parsed = parse_schema(schema)
    assert [parsed.is_valid(value) for value in takes + refuses] == [True] * len(takes) + [False] * len(
        refuses
    )


@pytest.mark.parametrize(
    "given",
    [
        None,
        1,
        "string",
        [],
        (),
        object(),
        {1: 2},
        {"a": {1}},
        {"a": "\ud800"},
        {"\ud800": 1},
        {"minimum": float("nan")},
        {"enum": [float("inf")]},
        {"const": 10**5000},
    ],
)
def test_what_is_no_json_object_is_invalid(given: Any) -> None:
    assert isinstance(refused(given), InvalidSchema)


@pytest.mark.parametrize(
    ("schema", "pointer"),
    [
        ({"properties": {"n": {"type": "integr"}}}, "/properties/n/type"),
        ({"type": "float"}, "/type"),
        ({"required": "abc"}, "/required"),
        ({"multipleOf": 0}, "/multipleOf"),
        ({"$defs": {"unused": {"minLength": "1"}}}, "/$defs/unused/minLength"),
        ({"properties": []}, "/properties"),
        ({"items": [{}]}, "/items"),
        ({"$schema": D7, "properties": {"a": {"$ref": "#", "type": 5}}}, "/properties/a/type"),
    ],
)
def test_what_the_metaschema_refuses_is_invalid_at_its_place_used_or_not(schema: Any, pointer: str) -> None:
    error = refused(schema)
    assert isinstance(error, InvalidSchema) and error.pointer == pointer


# --- identity


def test_a_schema_is_known_by_its_content_and_options_not_by_its_id() -> None:
    one = {"$id": "urn:example:reply", "type": "integer"}
    other = {"$id": "urn:example:reply", "type": "string"}
    assert parse_schema(one) is parse_schema({"type": "integer", "$id": "urn:example:reply"})
    assert parse_schema(one) != parse_schema(other)
    assert parse_schema(one).is_valid(1) and not parse_schema(other).is_valid(1)
    assert parse_schema(one) != parse_schema(one, Budget(depth=64))
    assert parse_schema(one) != parse_schema(one, assert_formats=True)
    assert parse_schema({"const": 1}) != parse_schema({"const": True})
    assert len({parse_schema(one), parse_schema(one), parse_schema(other)}) == 2


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda s: pickle.loads(pickle.dumps(s))])
def test_a_schema_copies_and_pickles(again: Any) -> None:
    schema = parse_schema(
        {"$ref": "u:a"}, Budget(depth=50), documents={"u:a": {"type": "integer"}}, assert_formats=True
    )
    copied = again(schema)
    assert copied == schema and hash(copied) == hash(schema)
    assert copied.is_valid(1) and not copied.is_valid("x")


def test_later_changes_to_what_was_given_change_nothing() -> None:
    given = {"type": "object", "properties": {"a": {"type": "string"}}}
    schema = parse_schema(given)
    given["properties"]["a"]["type"] = "integer"  # type: ignore[index]
    assert schema.is_valid({"a": "x"}) and schema.document["properties"]["a"] == {"type": "string"}
    assert not parse_schema(given).is_valid({"a": "x"})


def test_only_so_many_schemas_are_kept() -> None:
    for number in range(600):
        parse_schema({"const": number})
    assert len(schema_module._cache.kept) == 512


def test_threads_that_parse_the_same_get_the_same() -> None:
    found: list[Schema] = []
    threads = [
        threading.Thread(target=lambda: found.append(parse_schema({"title": "race", "type": "integer"})))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8 and len(set(map(id, found))) == 1


# --- budgets


def nested(levels: int) -> Any:
    schema: Any = {"type": "string"}
    for _ in range(levels):
        schema = {"properties": {"a": schema}}
    return schema


def bomb(levels: int) -> Any:
    refs = {f"a{i}": {"allOf": [{"$ref": f"#/$defs/a{i + 1}"}] * 2} for i in range(levels)}
    return {"$ref": "#/$defs/a0", "$defs": {**refs, f"a{levels}": True}}


@pytest.mark.parametrize(
    ("schema", "what", "enough"),
    [
        (nested(30), "depth", 61),
        ({"anyOf": [True] * 50}, "subschemas", 51),
        ({"description": "x" * 2000}, "bytes", 3000),
        (bomb(8), "expansion", 2000),
        ({"pattern": "a" * 300}, "patterns", 400),
    ],
)
def test_every_limit_of_a_schema_is_enforced_and_can_be_raised(schema: Any, what: str, enough: int) -> None:
    parse_schema(schema, Budget(**{what: enough}))
    with pytest.raises(BudgetExceeded) as caught:
        parse_schema(schema, Budget(**{what: enough // 2}), tool="t")
    assert (caught.value.what, caught.value.limit, caught.value.tool) == (what, enough // 2, "t")


@pytest.mark.parametrize("levels", [200, 1_000, 100_000])
def test_depth_is_refused_without_recursion(levels: int) -> None:
    with pytest.raises(BudgetExceeded, match="depth"):
        parse_schema(nested(levels))
    cyclic: dict[str, Any] = {}
    cyclic["not"] = cyclic
    with pytest.raises(BudgetExceeded, match="depth"):
        parse_schema(cyclic)


def test_a_bomb_is_refused_at_once() -> None:
    def admitted() -> None:
        with pytest.raises(BudgetExceeded, match="expansion"):
            parse_schema(bomb(30))

    assert work_units(admitted) < 20


# --- the corpus and the field cases


def test_every_schema_of_the_corpus_is_admitted_in_a_fifth_of_a_unit_at_the_median(
    shared: pathlib.Path,
) -> None:
    took: list[float] = []
    unit = work_seconds()
    seen: set[str] = set()
    faults: list[str] = []
    for path in sorted((shared / "corpus").glob("*.json")):
        for tool in json.loads(path.read_text())["tools"]:
            for side in ("inputSchema", "outputSchema"):
                key = json.dumps(tool.get(side), sort_keys=True)
                if side not in tool or key in seen:
                    continue
                seen.add(key)
                start = time.thread_time()
                try:
                    parse_schema(tool[side], tool=tool["name"])
                except (SchemaError, BudgetExceeded) as error:
                    faults.append(f"{path.name}: {error}")
                took.append(time.thread_time() - start)
    assert faults == []
    assert len(took) > 4000
    assert statistics.median(took) < 0.2 * max(unit, work_seconds())


CASES = pathlib.Path(__file__).parents[1] / "cases"
KINDS = (
    "schema_dialect",
    "schema_invalid",
    "ref_",
    "boolean_schema",
    "pattern",
    "schema_bomb",
    "format",
    "nullable",
)
ERRORS: dict[str, tuple[type[Exception], ...]] = {
    "schema_invalid": (InvalidSchema,),
    "schema_unsafe": (UnsafeSchema, BudgetExceeded),
    "unsupported_dialect": (UnsupportedDialect,),
}


def test_the_field_cases_of_schemas_come_out_as_expected() -> None:
    met = 0
    shared = find_shared()
    folders = [CASES, *([shared / "cases"] if shared else [])]
    for path in sorted(path for folder in folders for path in folder.glob("*.json")):
        case = json.loads(path.read_text())
        if not case["kind"].startswith(KINDS) or "outputSchema" not in case["tool"]:
            continue
        met += 1
        word = case["expected"].get("error", "value")
        if word in ERRORS:
            with pytest.raises(ERRORS[word]):
                parse_schema(case["tool"]["outputSchema"], tool=case["tool"]["name"])
        else:
            schema = parse_schema(case["tool"]["outputSchema"])
            problems = schema.validate(case["result"]["structuredContent"])
            assert bool(problems) is (word == "mismatch"), path.name
    assert met >= 20


def test_a_schema_has_at_most_ten_values_for_each_subschema_of_the_budget() -> None:
    parse_schema(
        {"enum": list(range(28))}, Budget(subschemas=3)
    )  # 30 values, the object and the array counted
    with pytest.raises(BudgetExceeded) as caught:
        parse_schema({"enum": list(range(29))}, Budget(subschemas=3))
    assert (caught.value.what, caught.value.pointer) == ("subschemas", "/enum")
