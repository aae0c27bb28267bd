"""Listings by somebody who wants the generated module to do something: it compiles, and does nothing."""

from __future__ import annotations

import ast
import builtins
import json
import keyword
import sys
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from generated_modules import assigned, imported
from typedtool import Budget, TypedTool
from typedtool.codegen import compile_listing, generate, types_for
from typedtool.codegen.naming import IMPORTED, identifier

ATTACKS = [
    '"""\nimport os\nos.system("true")\n"""',
    "'''+__import__('os').system('true')+'''",
    '")\nraise SystemExit\n("',
    "x: int = __import__('os')",
    "\u2028raise SystemExit\u2029",
    "\\",
    'ends with a quote"',
    "ends with a backslash\\",
    '\\"""',
    "{0.__class__} %s {!r} $x {{",
    "\x00\x1b[2J\x7f\u202e\ufeff",
    "\ud800",
    "__class__",
    "__init_subclass__",
    "class",
    "None",
    "list",
    "Struct",
    "TypedTool",
    "annotations",
    "__future__",
    "field",
    "dt",
    "ﬁeld",
    "ª",
    "ﷺ" * 40,
    "İ",
    "𝔰𝔱𝔯",
    "a" * 3_000,
    "",
    " ",
    "1",
    "#",
    "# type: ignore",
    "lambda: 0",
    "\t\n\r\f\v",
]

texts = st.one_of(st.sampled_from(ATTACKS), st.text(max_size=12), st.text(st.characters(), max_size=5))
values = st.one_of(
    texts, st.integers(), st.booleans(), st.none(), st.floats(allow_nan=False, allow_infinity=False)
)


def objects(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.fixed_dictionaries(
        {"type": st.just("object"), "properties": st.dictionaries(texts, inner, max_size=5)},
        optional={
            "required": st.lists(texts, max_size=3, unique=True),
            "additionalProperties": st.one_of(st.booleans(), inner),
            "title": texts,
            "description": texts,
            "patternProperties": st.dictionaries(st.sampled_from(["^a", "(a+)+$"]), inner, max_size=1),
        },
    )


leaves = st.one_of(
    st.fixed_dictionaries({"const": values}),
    st.fixed_dictionaries({"enum": st.lists(values, min_size=1, max_size=4)}),
    st.fixed_dictionaries(
        {"type": st.sampled_from(["string", "integer", "number", "boolean", "null"])},
        optional={
            "title": texts,
            "description": texts,
            "default": values,
            "pattern": st.sampled_from(["^[a-z]+$", "(a+)+$", '^"[^"]*"$', "^\\d{2}$", "^'\"+$"]),
            "format": st.one_of(texts, st.sampled_from(["date", "date-time", "uuid"])),
            "minimum": st.one_of(st.integers(), st.floats(allow_nan=False, allow_infinity=False)),
            "maxLength": st.integers(0, 10**12),
            "x-python-import": st.just({"module": "subprocess", "name": "Popen"}),
            "customTypePath": st.just("subprocess.Popen"),
        },
    ),
    st.fixed_dictionaries(
        {"$ref": st.sampled_from(["#", "#/$defs/a", "#/$defs/Struct", "file:///etc/passwd", "#/no"])}
    ),
    st.booleans(),
)
schemas = st.recursive(
    leaves,
    lambda inner: st.one_of(
        objects(inner),
        st.fixed_dictionaries({"type": st.just("array"), "items": inner}),
        st.fixed_dictionaries({"anyOf": st.lists(inner, min_size=1, max_size=3)}),
        st.fixed_dictionaries({"allOf": st.lists(inner, min_size=1, max_size=2)}),
        st.fixed_dictionaries(
            {"type": st.just("array"), "prefixItems": st.lists(inner, min_size=1, max_size=2)}
        ),
    ),
    max_leaves=8,
)
with_definitions = st.builds(
    lambda schema, one, two: (
        {**schema, "$defs": {"a": one, "Struct": two}} if isinstance(schema, dict) else schema
    ),
    schemas,
    schemas,
    schemas,
)
tools = st.fixed_dictionaries(
    {"name": texts, "inputSchema": with_definitions},
    optional={"description": texts, "title": texts, "outputSchema": with_definitions},
)
listings = st.fixed_dictionaries(
    {"tools": st.lists(tools, max_size=5)},
    optional={"serverInfo": st.fixed_dictionaries({"name": texts, "version": texts})},
)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(listings)
def test_a_module_defines_what_it_should_and_nothing_else(listing: Any) -> None:
    check(listing)


@pytest.mark.thorough
@pytest.mark.timeout(600)
@settings(max_examples=2_000, deadline=None, suppress_health_check=list(HealthCheck))
@given(listings)
def test_a_module_defines_what_it_should_and_nothing_else_thoroughly(listing: Any) -> None:
    check(listing)


def check(listing: Any) -> None:
    made = compile_listing(listing)
    found = assigned(made.source)
    names = {entry["name"] for entry in listing["tools"]}
    assert set(made.tools) == names
    for name in found:
        assert name.isidentifier() and not keyword.iskeyword(name) and not name.startswith("_")
        assert name not in IMPORTED and not hasattr(builtins, name)
    assert_calls_nothing(made.source)
    module = imported(made.source)
    for name, constant in made.tools.items():
        built = getattr(module, constant)
        assert isinstance(built, TypedTool) and built.name == name
        built._decoding()
    assert compile_listing(listing).source == made.source


def assert_calls_nothing(source: str) -> None:
    """The only calls are those that codegen makes, and no name is read that is not the module's own."""
    tree = ast.parse(source)
    allowed = (
        IMPORTED | set(assigned(source)) | {"str", "int", "float", "bool", "list", "dict", "tuple", "object"}
    )
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            called = node.func.value if isinstance(node.func, ast.Subscript) else node.func
            assert isinstance(called, ast.Name) and called.id in ("TypedTool", "Meta", "field")
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            assert node.id in allowed
        if isinstance(node, ast.Attribute):
            assert isinstance(node.value, ast.Name) and node.value.id == "dt"
        assert not isinstance(
            node, (ast.Lambda, ast.FunctionDef, ast.JoinedStr, ast.comprehension, ast.Delete)
        )
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            module = node.module if isinstance(node, ast.ImportFrom) else node.names[0].name
            assert module in ("__future__", "datetime", "decimal", "typing", "uuid", "msgspec", "typedtool")


@pytest.mark.parametrize("attack", ATTACKS, ids=range(len(ATTACKS)))
def test_an_attack_everywhere_at_once(attack: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every place that takes a text gets it, in all schemas that still are schemas then."""

    def ran(*_: object, **__: object) -> None:
        raise AssertionError("a generated module ran something")

    plain = {"type": "string", "title": attack, "description": attack, "default": attack, "format": attack}
    schema = {
        "type": "object",
        "title": attack,
        "description": attack,
        "properties": {
            attack: plain,
            "a": {"enum": [attack, "x"]},
            "b": {"const": attack},
            "c": {"$ref": "#/$defs/d"},
        },
        "required": ["b"],
        "$defs": {"d": {"type": "object", "title": attack, "properties": {attack: {"const": attack}}}},
    }
    entry = {
        "name": attack,
        "title": attack,
        "description": attack,
        "inputSchema": schema,
        "outputSchema": schema,
    }
    listing = {"tools": [entry], "serverInfo": {"name": attack, "version": attack}}
    source = generate(listing, command=f"typedtool generate --listing {attack}")
    assert_calls_nothing(source)
    assigned(source)
    source.encode()
    monkeypatch.setattr("os.system", ran)
    monkeypatch.setattr("subprocess.Popen", ran)
    module = imported(source)
    assert [t.name for t in vars(module).values() if isinstance(t, TypedTool)] == [attack]
    types_for(entry)


@pytest.mark.parametrize("attack", ATTACKS, ids=range(len(ATTACKS)))
@pytest.mark.parametrize("style", ["snake", "pascal"])
def test_an_identifier_is_one_whatever_it_is_made_from(attack: str, style: str) -> None:
    made = identifier(attack, style, "Type" if style == "pascal" else "field")
    assert made.isidentifier() and not keyword.iskeyword(made) and not made.startswith("_")
    assert len(made) <= 64
    [target] = ast.parse(made).body
    assert isinstance(target, ast.Expr) and isinstance(target.value, ast.Name)
    assert target.value.id == made  # Python does not read another name there


@given(st.text(), st.sampled_from(["snake", "pascal"]))
def test_any_text_gives_an_identifier(text: str, style: str) -> None:
    test_an_identifier_is_one_whatever_it_is_made_from(text, style)


def nested(depth: int, wrap: Any) -> Any:
    schema: Any = {"type": "integer"}
    for _ in range(depth):
        schema = wrap(schema)
    return schema


def in_object(schema: Any) -> Any:
    return {"type": "object", "properties": {"next": schema}, "required": ["next"]}


@pytest.mark.parametrize("depth", [20, 60, 300, 2_000])
@pytest.mark.parametrize(
    "wrap",
    [
        in_object,
        lambda s: {"type": "array", "items": s},
        lambda s: {"anyOf": [s, {"type": "null"}]},
        lambda s: {"allOf": [s]},
        lambda s: {"type": "object", "additionalProperties": s},
    ],
    ids=["objects", "arrays", "alternatives", "allOf", "maps"],
)
def test_deep_schemas_are_generated_or_noted(depth: int, wrap: Any) -> None:
    entry = {
        "name": "deep",
        "inputSchema": in_object(nested(depth, wrap)),
        "outputSchema": nested(depth, wrap),
    }
    made = compile_listing({"tools": [entry]})
    module = imported(made.source)
    module.deep._decoding()
    types_for(entry)
    if depth >= 300:
        assert "refused" in {note.kind for note in made.notes}
    wide = Budget(depth=3_000)
    limit = sys.getrecursionlimit()
    assert (
        compile_listing({"tools": [entry]}, budget=wide) if depth <= 60 else limit == sys.getrecursionlimit()
    )


def test_ten_thousand_properties_are_refused_by_default_and_generated_within_a_wider_budget() -> None:
    names = [f"{'a-_'[i % 3]}{'-_ '[i % 2]}{i // 6}" for i in range(10_000)]
    schema = {"type": "object", "properties": {name: {"type": "integer"} for name in names}}
    entry = {"name": "wide", "inputSchema": {}, "outputSchema": schema}
    refused = compile_listing({"tools": [entry]})
    assert [n.kind for n in refused.notes] == ["refused"]  # the budget of a schema
    made = compile_listing({"tools": [entry]}, budget=Budget(subschemas=20_000, expansion=50_000))
    module = imported(made.source)
    fields = msgspec.structs.fields(module.WideOut)
    assert {f.encode_name for f in fields} == set(names)
    assert len({f.name for f in fields}) == len(set(names))


@pytest.mark.parametrize("bound", [-0.0, 0, 1e-320, -1e300, 2**53, -(10**400), 1e16, -5])
@pytest.mark.parametrize("kind", ["number", "integer"])
def test_odd_bounds_give_a_module_that_imports(bound: float, kind: str) -> None:
    schema = {"type": kind, "minimum": bound, "exclusiveMaximum": bound, "multipleOf": abs(bound) or 1}
    check({"tools": [{"name": "x", "inputSchema": {}, "outputSchema": schema}]})


def test_alternatives_that_multiply_are_cut() -> None:
    many = {"anyOf": [{"type": "object", "properties": {f"p{i}": {}}} for i in range(8)]}
    entry = {"name": "x", "inputSchema": {}, "outputSchema": {"allOf": [many] * 6}}
    made = compile_listing({"tools": [entry]})
    assert any("more than" in note.text for note in made.notes)


def test_a_listing_of_odd_entries_loses_none_that_has_a_name() -> None:
    odd: list[Any] = [
        {"name": "a"},
        {"name": "b", "inputSchema": 5},
        {"name": "c", "outputSchema": [1]},
        {"no": 1},
        7,
    ]
    odd.append({"name": "d", "description": 5, "inputSchema": {"type": "object"}, "outputSchema": "x"})
    assert sorted(compile_listing({"tools": odd}).tools) == ["a", "b", "c", "d"]
    assert json.dumps(odd)
