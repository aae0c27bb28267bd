"""A tool's type, drafted from results that it gave: `draft(definition, results) -> Draft`.

For the many tools whose schema says nothing. The decode rules read the results, and the drafted type has to decode all
of them. It is a guess: the docstrings say how many samples stand behind it.
"""

from __future__ import annotations

import datetime
import re
import uuid
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from typedtool.codegen.building import build
from typedtool.codegen.reading import either, unspeakable
from typedtool.codegen.tool_types import ToolTypes, read_tool
from typedtool.codegen.type_tree import (
    ANYTHING,
    BOOL,
    FLOAT,
    INT,
    ITEMS,
    MARK,
    NULL,
    TEXT,
    VALUES,
    Array,
    Choice,
    Map,
    Note,
    Property,
    Record,
    RecordRef,
    Scalar,
    Type,
)
from typedtool.codegen.unions import normalized
from typedtool.decoding.contract import Contract, Options
from typedtool.decoding.decoder import Decoder
from typedtool.errors import BudgetExceeded, SchemaError
from typedtool.results.definitions import Definition
from typedtool.results.outcomes import Ok
from typedtool.values.budgets import DEFAULT_BUDGET
from typedtool.values.guards import is_dict
from typedtool.values.json_text import NotJson, parse, utf8

__all__ = ["Draft", "draft", "reads"]

_OPTIONS = Options(validate="off")
_PLAIN: tuple[tuple[Any, Type], ...] = (
    (object, ANYTHING),
    (list[object], Array(ANYTHING)),
    (list[str], Array(TEXT)),
)

_FORMATTED: dict[str, Any] = {"UUID": uuid.UUID, "dt.date": datetime.date, "dt.datetime": datetime.datetime}
_TAGS = ("type", "kind", "object", "op", "event", "action", "role", "__typename", "status")
_MOST_TAGS = 8
_CLASSES: tuple[type, ...] = (str, bool, int, float, list, dict, type(None))
_DATA = re.compile(r"^[0-9].*|.*[/\\@: ].*|.*\.\w+$|^[0-9a-fA-F-]{16,}$")


class Draft(Struct, frozen=True):
    """A drafted type. samples: the results that it was drafted from; those that failed, or gave no value,
    are not among them."""

    types: ToolTypes
    samples: tuple[object, ...]


def draft(definition: Definition, results: Sequence[object]) -> Draft:
    """The types of a tool: the output drafted from its results, the input read from its schema.

    results: as for `TypedTool.read`. Results of failed calls are left out, and of those that cannot be read
    in one way (some as a value, some as one block an element) the fewer.

    The drafted type decodes every sample; where none better does, it is `object`, or a list of it.
    """
    types = read_tool(definition)
    plain, samples, values = _read(definition, results)
    count = len(samples)
    said = f"drafted from {count} {'result' if count == 1 else 'results'}: a guess that the server does not promise"
    silent = Note(types.name, "silent", "output", said if samples else "no result to draft a type from")
    types.notes = (*(note for note in types.notes if note.where.startswith("input")), silent)
    types.output, types.unwrapped, types.nodes = ANYTHING, False, 0
    if samples:
        types.output = normalized((_guess(_looked_into(values)),), lambda text: None)[0]
    if not samples or plain == Array(TEXT) or not all(reads(types, definition, samples)):
        types.output = plain
    return Draft(types, samples)


def _read(definition: Definition, results: Sequence[object]) -> tuple[Type, tuple[object, ...], list[Any]]:
    """The plain type that reads most results, with those and their values."""
    best: tuple[Type, tuple[object, ...], list[Any]] = (ANYTHING, (), [])
    for tp, plain in _PLAIN:
        decoder = _decoder(tp, definition)
        pairs = [(r, outcome.value) for r in results if isinstance(outcome := decoder.read(r), Ok)]
        if len(pairs) > len(best[1]):
            best = (plain, tuple(r for r, _ in pairs), [value for _, value in pairs])
    return best


def reads(types: ToolTypes, definition: Definition, results: Sequence[object]) -> list[bool]:
    """Of each result, whether it decodes as the drafted type."""
    decoder = _decoder(build(types)[1], definition)
    return [isinstance(decoder.read(result), Ok) for result in results]


def _decoder(tp: Any, definition: Definition) -> Decoder[Any]:
    """The decoder of a tool that is bound to this definition, and holds no value to its schema."""
    return Decoder.of(Contract.of(tp, definition, None, _OPTIONS))


# --- guessing ----------------------------------------------------------------------------------------------


def _looked_into(values: list[Any]) -> list[Any]:
    """The values; where all of them are strings of JSON objects or arrays, what those hold."""
    if not all(isinstance(value, str) and value.lstrip()[:1] in ("{", "[") for value in values):
        return values
    try:
        return [parse(utf8(value), DEFAULT_BUDGET) for value in values]
    except (NotJson, BudgetExceeded, SchemaError):
        return values


def _guess(values: Sequence[Any], path: tuple[str, ...] = ()) -> Type:
    """The type that JSON values have in common; `object` of none."""
    if not values or len(path) > 40:
        return ANYTHING
    members: list[Type] = []
    kinds: dict[type, list[Any]] = {}
    for value in values:
        kind = next((cls for cls in _CLASSES if isinstance(value, cls)), object)
        kinds.setdefault(kind, []).append(value)
    if str in kinds:
        members.append(_text(kinds[str]))
    if float in kinds:
        members.append(FLOAT)
    elif int in kinds:
        members.append(INT)
    if bool in kinds:
        members.append(BOOL)
    if list in kinds:
        items = [item for array in kinds[list] for item in array]
        members.append(Array(_guess(items, (*path, ITEMS))))
    if dict in kinds:
        members += _objects(kinds[dict], path)
    if type(None) in kinds:
        members.append(NULL)
    return either(members) or ANYTHING


def _objects(objects: list[dict[str, Any]], path: tuple[str, ...]) -> list[Type]:
    """One record, a map, or a record for each value of what tells them apart."""
    if any(unspeakable(name) for name in _names(objects)) or not any(objects):
        return [Map(ANYTHING)]
    if _is_map(objects):
        values = [value for found in objects for value in found.values()]
        return [Map(_guess(values, (*path, VALUES)))]
    tag = _tag(objects)
    if tag is None:
        return [RecordRef(_record(objects, path))]
    groups: dict[str, list[dict[str, Any]]] = {}
    for found in objects:
        groups.setdefault(found[tag], []).append(found)
    return [RecordRef(_record(groups[value], (*path, f"{MARK}|{value}"), tag)) for value in sorted(groups)]


def _record(objects: list[dict[str, Any]], path: tuple[str, ...], tag: str | None = None) -> Record:
    """An object with the properties that any of these have; required are those that all have."""
    record = Record(path, "output")
    count = len(objects)
    record.remarks = (f"From {count} {'sample' if count == 1 else 'samples'}.",)
    properties: list[Property] = []
    for name in sorted(_names(objects), key=lambda n: (sum(n in found for found in objects) < count, n)):
        values = [found[name] for found in objects if name in found]
        tp = Choice((values[0],)) if name == tag else _guess(values, (*path, name))
        seen, null = len(values), sum(value is None for value in values)
        remarks = [f"in {seen} of {count}"] if seen < count else []
        remarks += [f"null in {null} of {seen}"] if null else []
        remarks += ["JSON in a string"] if all(map(_is_json_text, values)) else []
        properties.append(Property(name, tp, seen == count, "", tuple(remarks)))
    record.properties = tuple(properties)
    return record


# --- strings ------------------------------------------------------------------------------------------------


def _text(values: Sequence[str]) -> Type:
    """A string, or its format where two or more values are there and all come back from it as the same text."""
    if len(set(values)) > 1:
        for name, tp in _FORMATTED.items():
            if all(_comes_back(value, tp) for value in values):
                return Scalar(name)
    return TEXT


def _comes_back(value: str, tp: Any) -> bool:
    try:
        return bool(msgspec.to_builtins(msgspec.convert(value, tp)) == value)
    except msgspec.ValidationError:
        return False


def _is_json_text(value: object) -> bool:
    if not isinstance(value, str) or value.lstrip()[:1] not in ("{", "["):
        return False
    try:
        msgspec.json.decode(value)
    except (msgspec.DecodeError, RecursionError):
        return False
    return True


# --- objects told from maps, and from one another -----------------------------------------------------------


def _is_map(objects: list[dict[str, Any]]) -> bool:
    """Whether the keys are data: all look like it, or they vary from object to object while the values do
    not."""
    filled = [found for found in objects if found]
    every = [name for found in filled for name in found]
    values = [value for found in filled for value in found.values()]
    if not _alike(values):
        return False
    if len(every) > 1 and all(map(_DATA.match, every)):
        return True
    names = set(every)
    common = set(filled[0]).intersection(*filled[1:])
    return len(filled) > 2 and not common and len(names) > 2 * len(every) / len(filled)


def _alike(values: Iterable[Any]) -> bool:
    """Values of one kind; objects that share most of their keys."""
    found = [value for value in values if value is not None]
    if found and not all(isinstance(value, type(found[0])) for value in found):
        return False
    keys = [frozenset[str](value) for value in found if is_dict(value)]
    every = frozenset[str]().union(*keys)
    return not keys or sum(map(len, keys)) * 2 >= len(every) * len(keys)


def _tag(objects: list[dict[str, Any]]) -> str | None:
    """The property that tells objects of different properties apart: a string in all, few values, usual
    names."""
    for name in _TAGS:
        values = [found.get(name) for found in objects]
        distinct = set(map(str, values))
        if not all(isinstance(value, str) for value in values) or not 1 < len(distinct) <= _MOST_TAGS:
            continue
        keys = {frozenset(_names([o for o in objects if o[name] == tag])) for tag in distinct}
        if len(keys) == len(distinct):
            return name
    return None


def _names(objects: Iterable[dict[str, Any]]) -> set[str]:
    return {name for found in objects for name in found}
