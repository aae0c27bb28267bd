"""Names of tools, classes and fields: each its own, and the same whatever else the server lists."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec

from generated_modules import (
    assigned,
    decoded,
    imported,
    listing,
    obj,
    tool,
)
from typedtool import Ok, TypedTool
from typedtool.codegen import compile_listing, generate


def test_tools_that_become_one_name_get_different_ones_and_it_is_said() -> None:
    names = [
        "foo-bar",
        "foo_bar",
        "fooBar",
        "class",
        "",
        "!!",
        "list",
        "2fa",
        "bind",
        "Struct",
        "dt",
        "été",
        "天气",
    ]
    made = compile_listing(listing(*[tool({"type": "integer"}, name=name) for name in names]))
    assert dict(made.tools) == {
        "foo_bar": "foo_bar",
        "foo-bar": "foo_bar_2",
        "fooBar": "foo_bar_3",
        "class": "class_",
        "": "tool",
        "!!": "tool_2",
        "list": "list_",
        "2fa": "tool_2fa",
        "bind": "bind_",
        "Struct": "struct",
        "dt": "dt_",
        "été": "ete",
        "天气": "天气",
    }
    assert {n.tool for n in made.notes if n.kind == "name"} >= {
        "foo-bar",
        "fooBar",
        "!!",
        "list",
        "bind",
        "dt",
    }
    module = imported(made.source)
    assert all(getattr(module, constant).name == name for name, constant in made.tools.items())
    assert set(vars(module.Tools)) >= set(made.tools.values())


def test_properties_that_become_one_name_keep_their_json_names() -> None:
    names = [
        "foo-bar",
        "foo_bar",
        "",
        " ",
        "fooBar",
        "from",
        "list",
        "_id",
        "id",
        "2fa",
        "fields[users]",
        "$ref",
    ]
    schema = obj("foo_bar", **{name: {"type": "integer"} for name in names})
    value = decoded(schema, dict.fromkeys(names, 1))
    assert msgspec.to_builtins(value) == dict.fromkeys(names, 1)
    assert {f.name for f in msgspec.structs.fields(type(value))} == {
        *("foo_bar", "foo_bar_2", "foo_bar_3", "field_", "field_2", "from_", "list_", "id", "id_2"),
        *("field_2fa", "fields_users", "ref"),
    }


def test_names_do_not_change_when_an_unrelated_tool_is_added() -> None:
    def entities(**extra: Any) -> dict[str, Any]:
        return obj(
            "entities", entities={"type": "array", "items": obj("name", name={"type": "string"}, **extra)}
        )

    ours = tool(entities(), entities(), name="read_graph")
    others = [tool(entities(age={"type": "integer"}), name=name) for name in ("a_tool", "zz", "read graphs")]
    alone = generate(listing(ours)).partition("\n\n\n")[2].partition("class Tools")[0]
    assert "class ReadGraphEntity(" in alone
    assert alone in generate(listing(*others, ours))


def test_a_definition_is_made_once_where_all_tools_mean_the_same_by_it() -> None:
    def using(entity: dict[str, Any]) -> dict[str, Any]:
        return {**obj("e", e={"$ref": "#/$defs/Entity"}), "$defs": {"Entity": entity}}

    same, other = obj("a", a={"type": "integer"}), obj("a", a={"type": "string"})
    shared = generate(listing(tool(using(same), name="one"), tool(using(same), using(same), name="two")))
    assert shared.count("class Entity(") == 1
    apart = compile_listing(listing(tool(using(same), name="one"), tool(using(other), name="two")))
    assert {"OneEntity", "TwoEntity"} <= assigned(apart.source).keys()
    assert "Entity" not in assigned(apart.source)
    assert [n.kind for n in apart.notes if "Entity" in n.text] == ["name", "name"]


def test_field_cases_of_names() -> None:
    for path in sorted((Path(__file__).parents[1] / "cases").glob("*.json")):
        case = json.loads(path.read_text("utf-8"))
        if case["kind"] != "codegen_names":
            continue
        entry = case["tool"]
        module = imported(generate(listing(entry)))
        [made] = [v for v in vars(module).values() if isinstance(v, TypedTool)]
        outcome = made.against(entry).read(case["result"])
        structured = case["result"].get("structuredContent")
        if structured is not None:
            assert isinstance(outcome, Ok)
            assert msgspec.to_builtins(outcome.value) == structured
        if case["id"] == "149":
            sent = made.input_type(fields_users=["a"])
            assert msgspec.to_builtins(sent) == {"fields[users]": ["a"]}
