"""Types drafted from results: what was seen, no more."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import msgspec

from generated_modules import (
    text,
)
from shared_material import find_shared
from typedtool import Ok, TypedTool
from typedtool.codegen.building import build
from typedtool.codegen.drafting import Draft, draft, reads
from typedtool.codegen.type_tree import ANYTHING
from typedtool.results.definitions import read_definition, read_listing
from typedtool.results.recordings import read_recorded


def drafted(*results: Any, **entry: Any) -> tuple[Any, Draft]:
    definition = read_definition({"name": "look-up", "inputSchema": {"type": "object"}, **entry})
    found = draft(definition, results)
    assert all(reads(found.types, definition, found.samples))
    return build(found.types)[1], found


def value_of(tp: Any, result: Any) -> Any:
    outcome = TypedTool("look-up", None, tp).read(result)
    assert isinstance(outcome, Ok), outcome
    return outcome.value


def test_fields_are_required_optional_or_null_as_they_were_seen() -> None:
    samples = [
        text({"id": 1, "note": None}),
        text({"id": 2, "note": "x", "more": True}),
        text({"id": 3.5, "note": "y"}),
    ]
    tp, found = drafted(*samples)
    value = value_of(tp, samples[0])
    assert (value.id, value.note, value.more) == (1.0, None, msgspec.UNSET)
    assert {p.name: (p.required, p.remarks) for p in found.types.output.record.properties} == {
        "id": (True, ()),
        "note": (True, ("null in 1 of 3",)),
        "more": (False, ("in 1 of 3",)),
    }


def test_formats_are_recognised_only_where_every_sample_has_them() -> None:
    one = {
        "day": "2026-11-30",
        "id": "123e4567-e89b-12d3-a456-426614174000",
        "odd": "2026-11-30",
        "only": "5",
    }
    two = {"day": "2026-12-01", "id": "123e4567-e89b-12d3-a456-426614174001", "odd": "soon", "only": "6"}
    value = value_of(drafted(text(one), text(two))[0], text(one))
    assert (value.day.month, value.id.version, value.odd, value.only) == (11, 1, "2026-11-30", "5")
    assert value_of(drafted(text(one))[0], text(one)).day == "2026-11-30"


def test_maps_are_told_from_objects() -> None:
    tp, _ = drafted(*[text({f"2026-11-{10 + i}": {"n": i}, f"2026-12-{10 + i}": {"n": 1}}) for i in range(3)])
    assert tp.__origin__ is dict
    tp, _ = drafted(*[text({"total": i, "name": "x"}) for i in range(3)])
    assert issubclass(tp, msgspec.Struct)


def test_objects_of_different_properties_are_kept_apart_by_their_tag() -> None:
    events = [{"type": "add", "item": 1}, {"type": "drop", "reason": "x"}, {"type": "add", "item": 2}]
    tp, _ = drafted(text(events))
    add, drop, _ = value_of(tp, text(events))
    assert (type(add).__name__, add.item, drop.reason) == ("LookUpItemAdd", 1, "x")


def test_json_in_a_string_is_looked_into() -> None:
    wrapped = {"content": [], "structuredContent": {"result": '{"a": 1}'}}
    schema = {"type": "object", "properties": {"result": {"type": "string"}}, "required": ["result"]}
    tp, _ = drafted(wrapped, outputSchema=schema)
    assert value_of(tp, wrapped).a == 1


def test_results_of_one_block_an_element_are_lists() -> None:
    blocks = {"content": [*text({"n": 1})["content"], *text({"n": 2})["content"]]}
    tp, _ = drafted(blocks)
    assert [v.n for v in value_of(tp, blocks)] == [1, 2]


def test_failed_calls_are_left_out() -> None:
    tp, found = drafted({"content": [], "isError": True}, text([1]))
    assert (tp, len(found.samples)) == (list[int], 1)
    assert drafted({"content": [], "isError": True})[0] is object


SHARED = find_shared()


# The samples of one half lack what the other half has: no draft could know.
MISSED = {"echo_args", "list_noschema", "null_noschema"}


def test_recorded_results_decode_as_the_types_drafted_from_them() -> None:
    """Recorded from the SDKs; and from real servers, where the shared material is."""
    tools: list[Any] = []
    for path in sorted((SHARED / "corpus" / "results").glob("*.json")) if SHARED else ():
        listed = {d.name: d for d in read_listing(json.loads((path.parents[1] / path.name).read_bytes()))}
        tools += read_recorded(json.loads(path.read_bytes()), listed).values()
    for path in sorted((Path(__file__).parents[1] / "wire").glob("*.jsonl")):
        groups: dict[str, list[Any]] = {}
        for line in path.read_bytes().splitlines():
            record = json.loads(line)
            groups.setdefault(json.dumps(record["tool"], sort_keys=True), []).append(record)
        tools += [found for group in groups.values() for found in read_recorded(group, {}).values()]
    typed = known = total = 0
    missed: set[str] = set()
    for recorded in tools:
        found = draft(recorded.definition, recorded.results)
        assert all(reads(found.types, recorded.definition, found.samples)), recorded.definition
        typed += found.types.output != ANYTHING
        samples = list(found.samples)
        if len(samples) < 3:
            continue
        random.Random(1).shuffle(samples)
        half, rest = samples[: len(samples) // 2], samples[len(samples) // 2 :]
        right = reads(draft(recorded.definition, half).types, recorded.definition, rest)
        known, total = known + sum(right), total + len(right)
        missed |= set() if all(right) else {recorded.definition.name}
    least = 300 if SHARED else 150
    assert (typed > least, total > least) == (True, True), (typed, total)
    assert known / total >= 0.9
    assert missed <= MISSED
