"""Typed modules from listings: what each thing that JSON Schema says becomes."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from generated_modules import WEATHER, assigned, imported, obj, structure, tool
from typedtool import Decoder, Mismatch, Ok, OneOf, TypedTool
from typedtool.codegen import ServerInfo, compile_listing, generate, types_for

EXPECTED = '''\
"""The tools of weather 1.2, typed. Made by typedtool: do not edit.

Listing: 3 tools
Digest: sha256:DIGEST
Command: typedtool generate
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType
from typedtool import Toolset, TypedTool

get_count = TypedTool[None, int]("get-count")


class GetWeatherForecastIn(Struct, kw_only=True, rename="camel"):
    location: Annotated[str, Meta(min_length=1)]
    hours_ahead: Annotated[int, Meta(ge=1, le=48)] | UnsetType = UNSET
    """Default 12."""


class GetWeatherForecastItem(Struct, kw_only=True):
    hour: str
    """Format date-time."""
    temp: float | None
    """In degrees Celsius"""
    conditions: Literal["sun", "rain"] | UnsetType = UNSET


get_weather_forecast = TypedTool[GetWeatherForecastIn, list[GetWeatherForecastItem]](
    "get-weather-forecast"
)
"""The forecast for a place,
hour by hour.
"""

shout = TypedTool[None, object]("shout")
"""The server declares no outputSchema."""


class WeatherTools(Toolset):
    """The tools of this module, bound by one listing."""

    get_count = get_count
    get_weather_forecast = get_weather_forecast
    shout = shout
'''


def listing(*tools: dict[str, Any]) -> dict[str, Any]:
    return {"tools": list(tools)}


def output_of(schema: Any) -> Any:
    return types_for(tool(schema))[1]


def decoded(schema: Any, value: Any) -> Any:
    """The value as the generated type, by type alone: without the schema."""
    outcome = Decoder(output_of(schema)).read({"content": [], "structuredContent": value})
    return outcome.value if isinstance(outcome, Ok) else outcome


def refused(schema: Any, value: Any) -> bool:
    return isinstance(decoded(schema, value), Mismatch)


# --- the module ---------------------------------------------------------------------------------------------


def test_a_module_reads_as_a_person_would_have_written_it() -> None:
    made = compile_listing(WEATHER)
    assert made.source == EXPECTED.replace("DIGEST", made.digest)


def test_a_module_is_what_ruff_format_leaves(tmp_path: Path) -> None:
    long = {
        "type": "string",
        "enum": [f"a rather long value number {i}" for i in range(9)],
        "default": "x" * 99,
    }
    odd = obj("p", p={"anyOf": [obj("a", a={}), obj("b", b={}), {"type": "array", "items": long}]}, q=long)
    text = (
        'It said: "no".\n\n\n    Indented by "four"\n\t\tand a tab \\ and """ in it. ' + "word " * 60 + 'end"'
    )
    tools = [tool(odd, odd, name=f"tool {i} " + "long " * i, description=text[i * 7 :]) for i in range(12)]
    (tmp_path / "module.py").write_text(generate(listing(*tools)), "utf-8")
    ruff = [sys.executable, "-m", "ruff", "format", "--isolated", "--diff", str(tmp_path)]
    found = subprocess.run(ruff, capture_output=True, text=True, check=False)
    assert (found.returncode, found.stdout) == (0, "")


def test_the_same_listing_gives_the_same_bytes_whatever_its_order() -> None:
    chance = random.Random(3)

    def shuffled(value: Any) -> Any:
        if isinstance(value, dict):
            items = list(value.items())
            chance.shuffle(items)
            return {k: shuffled(v) for k, v in items}
        return [shuffled(v) for v in value] if isinstance(value, list) else value

    once = generate(WEATHER)
    for _ in range(10):
        again = shuffled(WEATHER)
        chance.shuffle(again["tools"])
        assert generate(again) == once


def test_the_tools_of_a_module_are_called_and_bound() -> None:
    module = imported(generate(WEATHER))
    bound = module.WeatherTools.against(WEATHER)
    assert not [f for f in bound.report if f.level == "error"]
    assert bound.get_count.decode({"content": [], "structuredContent": 3}) == 3
    sent = {"result": [{"hour": "2026-11-30T10:00:00Z", "temp": None}]}
    [hour] = bound.get_weather_forecast.decode({"content": [], "structuredContent": sent})
    assert (hour.temp, hour.conditions) == (None, msgspec.UNSET)
    assert msgspec.to_builtins(module.GetWeatherForecastIn(location="Paris", hours_ahead=3)) == {
        "location": "Paris",
        "hoursAhead": 3,
    }


def test_a_refused_schema_leaves_the_tool_in_the_module_and_the_others_as_they_are() -> None:
    made = compile_listing(
        listing(tool({"$ref": "file:///etc/passwd"}, name="bad"), tool({"type": "integer"}))
    )
    module = imported(made.source)
    assert (module.bad.input_type, module.bad.output_type) == (None, object)
    assert module.look_up.output_type is int
    assert [n.kind for n in made.notes if n.tool == "bad"] == ["refused"]
    assert "leads out of the document" in made.source
    input, _ = types_for({"name": "x", "inputSchema": {"type": 5}})
    assert input == dict[str, object]


def test_types_at_run_time_are_those_of_the_module() -> None:
    module = imported(generate(WEATHER))
    for entry, made in zip(WEATHER["tools"], (module.get_weather_forecast, module.get_count, module.shout)):
        input, output = types_for(entry)
        assert structure(output) == structure(made.output_type)
        assert (input is None) == (made.input_type is None)
        assert input is None or structure(input) == structure(made.input_type)


def test_a_tool_is_made_from_its_definition() -> None:
    made = TypedTool.from_definition(WEATHER["tools"][0])
    [hour] = made.decode({"content": [], "structuredContent": {"result": [{"hour": "10", "temp": 1}]}})
    assert (made.name, hour.temp) == ("get-weather-forecast", 1.0)


def test_a_listing_may_come_as_a_response_or_as_its_entries() -> None:
    assert generate(WEATHER["tools"], server=ServerInfo("weather", "1.2")) == generate(WEATHER)
    with pytest.raises(TypeError):
        generate({"no": "tools"})


# --- objects ------------------------------------------------------------------------------------------------


def test_absent_and_null_stay_apart() -> None:
    schema = obj(
        "a b", a={"type": ["string", "null"]}, b={"type": "integer"}, c={"type": ["integer", "null"]}, d={}
    )
    value = decoded(schema, {"a": None, "b": 1})
    assert (value.a, value.c, value.d) == (None, msgspec.UNSET, msgspec.UNSET)
    assert msgspec.to_builtins(value) == {"a": None, "b": 1}
    assert decoded(schema, {"a": "x", "b": 1, "c": None}).c is None
    assert refused(schema, {"b": 1})
    assert refused(schema, {"a": None, "b": None})


def test_a_default_is_told_and_not_put_into_the_value() -> None:
    schema = obj(limit={"type": "integer", "default": 10})
    assert msgspec.to_builtins(decoded(schema, {})) == {}
    assert '"""Default 10."""' in generate(listing(tool(schema)))


def test_a_closed_object_refuses_other_properties_and_an_open_one_does_not() -> None:
    assert refused({**obj(a={}), "additionalProperties": False}, {"a": 1, "b": 2})
    assert decoded(obj(a={}), {"a": 1, "b": 2}).a == 1


def test_an_object_of_any_properties_is_a_dict() -> None:
    assert output_of({"type": "object", "additionalProperties": {"type": "integer"}}) == dict[str, int]
    assert output_of({"type": "object"}) == dict[str, object]
    assert output_of({"type": "object", "patternProperties": {"^a": {"type": "integer"}}, "additionalProperties": False}) == dict[str, int]  # fmt: skip


def test_properties_beside_a_map_are_fields_and_the_rest_is_noted() -> None:
    schema = {**obj("n", n={"type": "integer"}), "additionalProperties": {"type": "string"}}
    assert decoded(schema, {"n": 1, "x": "y"}).n == 1
    made = compile_listing(listing(tool(schema)))
    assert [n.text for n in made.notes] == [
        "properties beside those that are named: read them from the raw result"
    ]
    assert "properties beside those that are named" in made.source


def test_all_of_is_one_object() -> None:
    schema = {
        "allOf": [{"$ref": "#/$defs/Base"}, obj("b", b={"type": "string"})],
        "$defs": {"Base": obj("a", a={"type": "integer"})},
    }
    value = decoded(schema, {"a": 1, "b": "x"})
    assert (value.a, value.b) == (1, "x")
    assert refused(schema, {"b": "x"})


def test_objects_may_hold_themselves() -> None:
    schema = {
        "$ref": "#/$defs/Node",
        "$defs": {"Node": obj("kids", kids={"type": "array", "items": {"$ref": "#/$defs/Node"}})},
    }
    assert decoded(schema, {"kids": [{"kids": []}]}).kids[0].kids == []
    made = compile_listing(listing(tool({"type": "array", "items": {"$ref": "#"}})))
    assert [n.text for n in made.notes if n.kind == "object"] == ["recursion without an object"]


def test_a_property_that_msgspec_cannot_name_leaves_an_open_object() -> None:
    schema = obj("k", **{'a"b': {"type": "integer"}, "k": {}})
    assert output_of(schema) == dict[str, object]
    assert [n.kind for n in compile_listing(listing(tool(schema))).notes] == ["object"]


# --- unions -------------------------------------------------------------------------------------------------

CAT = obj("kind lives", kind={"const": "cat"}, lives={"type": "integer"})
DOG = obj("kind name", kind={"const": "dog"}, name={"type": "string"})


def test_objects_told_apart_by_a_required_constant_are_tagged() -> None:
    schema = {"type": "array", "items": {"oneOf": [CAT, DOG]}}
    cat, dog = decoded(schema, [{"kind": "cat", "lives": 9}, {"kind": "dog", "name": "Rex"}])
    assert (cat.lives, dog.name) == (9, "Rex")
    assert msgspec.to_builtins(dog) == {"kind": "dog", "name": "Rex"}
    assert type(cat).__name__ == "LookUpItemCat"
    assert refused(schema, [{"kind": "cow", "name": "x"}])
    assert "OneOf" not in generate(listing(tool(schema)))


def test_an_object_with_several_tags_is_split() -> None:
    pet = obj("kind", kind={"enum": ["bird", "fish"]}, legs={"type": "integer"})
    bird, fish, dog = decoded(
        {"type": "array", "items": {"anyOf": [pet, DOG]}},
        [{"kind": "bird", "legs": 2}, {"kind": "fish"}, {"kind": "dog", "name": "Rex"}],
    )
    assert [type(v).__name__ for v in (bird, fish, dog)] == [
        "LookUpItemBird",
        "LookUpItemFish",
        "LookUpItemDog",
    ]
    assert msgspec.to_builtins(fish) == {"kind": "fish"}


def test_a_tag_that_is_not_required_is_none() -> None:
    loose = obj("name", kind={"const": "dog"}, name={"type": "string"})
    schema = {"type": "object", "properties": {"pet": {"oneOf": [CAT, loose]}}, "required": ["pet"]}
    assert decoded(schema, {"pet": {"name": "Rex"}}).pet.name == "Rex"
    assert "OneOf[" in generate(listing(tool(schema)))


def test_objects_without_a_tag_are_one_of() -> None:
    schema = obj("hit", hit={"anyOf": [obj("title", title={"type": "string"}), obj("error", error={"type": "string"}), {"type": "null"}]})  # fmt: skip
    assert decoded(schema, {"hit": {"error": "gone"}}).hit.error == "gone"
    assert decoded(schema, {"hit": {"title": "Alien"}}).hit.title == "Alien"
    assert decoded(schema, {"hit": None}).hit is None
    assert refused(schema, {"hit": {}})


def test_a_record_that_two_unions_tag_differently_is_still_decoded() -> None:
    both = obj("a b", a={"const": "x"}, b={"const": "y"})
    defs = {"Both": both, "A": obj("a", a={"const": "z"}), "B": obj("b", b={"const": "w"})}
    ref = {name: {"$ref": f"#/$defs/{name}"} for name in defs}
    schema = {
        **obj("p q", p={"oneOf": [ref["Both"], ref["A"]]}, q={"oneOf": [ref["Both"], ref["B"]]}),
        "$defs": defs,
    }
    value = decoded(schema, {"p": {"a": "z"}, "q": {"a": "x", "b": "y"}})
    assert msgspec.to_builtins(value) == {"p": {"a": "z"}, "q": {"a": "x", "b": "y"}}


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": ["string", "null"]}, str | None),
        ({"type": ["integer", "number"]}, float),
        ({"anyOf": [{"type": "integer"}, {"type": "number"}]}, int | float),
        ({"anyOf": [{"const": "a"}, {"const": "b"}]}, None),
        ({"anyOf": [{"type": "string", "maxLength": 3}, {"type": "string", "format": "uuid"}]}, str),
        ({"oneOf": [{"type": "array", "items": {"type": "integer"}}, {"type": "array", "items": {"type": "string"}}]}, OneOf[list[int], list[str]]),
        ({"enum": [True, False]}, bool),
        ({"const": 1.5}, float),
        ({"enum": ["a", None]}, None),
        (True, object),
        ({"not": {}}, object),
        ({"minLength": 2}, None),
    ],
)  # fmt: skip
def test_scalars_and_their_unions(schema: Any, expected: Any) -> None:
    made = structure(output_of(schema))
    if expected is None:
        assert made in ("('a', 'b')", "('a',) | NullShape", "StrShapemsgspec.Meta(min_length=2)")
    else:
        assert made == structure(expected)


def test_constraints_are_held_by_the_type() -> None:
    schema = obj(
        n={"type": "integer", "exclusiveMinimum": 0, "maximum": 9.5, "multipleOf": 3},
        x={"type": "number", "exclusiveMaximum": 1},
        s={"type": "string", "maxLength": 2, "pattern": "^[a-z]+$"},
        a={"type": "array", "minItems": 1},
        m={"type": "object", "maxProperties": 1},
    )
    fits = {"n": 3, "x": 0.5, "s": "ab", "a": [1], "m": {"k": 1}}
    assert msgspec.to_builtins(decoded(schema, fits)) == fits
    for bad in (
        {"n": 0},
        {"n": 4},
        {"n": 12},
        {"x": 1},
        {"s": "abc"},
        {"s": "A"},
        {"a": []},
        {"m": {"a": 1, "b": 1}},
    ):
        assert refused(schema, bad), bad


def test_a_pattern_that_could_hang_is_left_to_validation() -> None:
    schema = {"type": "string", "pattern": "^(a+)+$"}
    assert output_of(schema) is str
    bound = TypedTool.from_definition(tool(schema)).against(tool(schema))
    assert isinstance(bound.read({"content": [], "structuredContent": "b"}), Mismatch)


def test_tuples_have_a_fixed_length_or_are_lists() -> None:
    pair = {"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}], "minItems": 2}
    assert output_of({**pair, "maxItems": 2}) == tuple[str, int]
    assert structure(output_of({**pair, "items": False})) == structure(tuple[str, int])
    assert decoded(pair, ["a", 1, None]) == ["a", 1, None]
    old = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "type": "array",
        "minItems": 2,
        "additionalItems": False,
    }
    assert output_of({**old, "items": pair["prefixItems"]}) == tuple[str, int]


def test_formats_are_types_only_where_values_come_back_as_the_same_text() -> None:
    schema = obj(day={"format": "date", "type": "string"}, id={"format": "uuid", "type": "string"}, at={"format": "date-time", "type": "string"})  # fmt: skip
    value = {"day": "2026-11-30", "id": "123e4567-e89b-12d3-a456-426614174000", "at": "0000-01-01T00:00:60Z"}
    assert msgspec.to_builtins(decoded(schema, value)) == value
    assert decoded(schema, value).day.year == 2026
    entry = tool(schema)
    assert structure(types_for(entry, formats="all")[1]).count("datetime.datetime") == 1
    assert "dt.date" not in generate(listing(entry), formats="none")


# --- the wrapper and the input ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        (obj("result", result={"type": "integer"}), int),
        ({**obj("result", result={"type": "integer"}), "x-fastmcp-wrap-result": True}, int),
        ({**obj(result={"type": "integer"}), "x-fastmcp-wrap-result": True}, int),
        (obj("result", result={"type": "array", "items": {"type": "string"}}), list[str]),
    ],
)
def test_the_wrapper_is_generated_as_what_is_in_it(schema: Any, expected: Any) -> None:
    assert output_of(schema) == expected
    value = {"result": 5 if expected is int else ["a"]}
    bound = TypedTool.from_definition(tool(schema)).against(tool(schema))
    assert bound.decode({"content": [], "structuredContent": value}) == value["result"]


def test_what_only_looks_like_the_wrapper_is_an_object() -> None:
    assert decoded(obj(result={"type": "integer"}), {"result": 1}).result == 1
    assert decoded(obj("result", result={"type": "integer"}, more={}), {"result": 1}).result == 1


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": "object"}, None),
        ({"type": "object", "properties": {}}, None),
        ({"type": "object", "properties": {}, "additionalProperties": False}, None),
        ({"type": "object", "additionalProperties": True}, dict[str, object]),
        ({"type": "object", "additionalProperties": {"type": "integer"}}, dict[str, int]),
    ],
)
def test_a_tool_without_arguments_takes_none(schema: Any, expected: Any) -> None:
    assert types_for({"name": "x", "inputSchema": schema})[0] == expected


# --- names --------------------------------------------------------------------------------------------------


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


def test_only_some_tools_and_no_inputs() -> None:
    source = generate(WEATHER, only=lambda name: name.startswith("get"), inputs=False)
    assert "shout" not in source
    assert imported(source).get_weather_forecast.input_type == dict[str, object]


def test_a_tool_listed_twice_is_there_once_and_it_is_said() -> None:
    twice = [tool({"type": "integer"}), tool({"type": "string"})]
    made = compile_listing(listing(*twice))
    assert made.source == compile_listing(listing(*reversed(twice))).source
    assert [n.text for n in made.notes] == [
        "the server lists the tool twice, with different definitions: binding to it fails"
    ]
