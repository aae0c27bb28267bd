"""What type JSON values have in common: `Guesser().guess(values) -> Type`."""

from __future__ import annotations

import datetime
import re
import uuid
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from typedtool.codegen.reading import either, unspeakable
from typedtool.codegen.type_tree import (
    ANYTHING,
    ITEMS,
    MARK,
    VALUES,
    Array,
    Bool,
    Choice,
    Float,
    Formatted,
    Int,
    Map,
    Null,
    Property,
    Record,
    RecordRef,
    Text,
    Type,
)
from typedtool.values.guards import is_dict

__all__ = ["Guesser"]


_TAGS = ("type", "kind", "object", "op", "event", "action", "role", "__typename", "status")
_MOST_TAGS = 8
_CLASSES: tuple[type, ...] = (str, bool, int, float, list, dict, type(None))
_DATA = re.compile(r"^[0-9].*|.*[/\\@: ].*|.*\.\w+$|^[0-9a-fA-F-]{16,}$")


class Guesser:
    """Guesses types. A form of strings is recognised only where every string has it, and there are two or
    more."""

    def guess(self, values: Sequence[Any], path: tuple[str, ...] = ()) -> Type:
        """The type of all of these values; `object` of none."""
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
            members.append(Float())
        elif int in kinds:
            members.append(Int())
        if bool in kinds:
            members.append(Bool())
        if list in kinds:
            items = [item for array in kinds[list] for item in array]
            members.append(Array(self.guess(items, (*path, ITEMS))))
        if dict in kinds:
            members += self.objects(kinds[dict], path)
        if type(None) in kinds:
            members.append(Null())
        return either(members) or ANYTHING

    # --- objects --------------------------------------------------------------------------------------------

    def objects(self, objects: list[dict[str, Any]], path: tuple[str, ...]) -> list[Type]:
        """One record, a map, or a record for each value of what tells them apart."""
        if any(unspeakable(name) for name in _names(objects)) or not any(objects):
            return [Map(ANYTHING)]
        if _is_map(objects):
            values = [value for found in objects for value in found.values()]
            return [Map(self.guess(values, (*path, VALUES)))]
        tag = _tag(objects)
        if tag is None:
            return [RecordRef(self.record(objects, path))]
        groups: dict[str, list[dict[str, Any]]] = {}
        for found in objects:
            groups.setdefault(found[tag], []).append(found)
        return [
            RecordRef(self.record(groups[value], (*path, f"{MARK}|{value}"), tag)) for value in sorted(groups)
        ]

    def record(self, objects: list[dict[str, Any]], path: tuple[str, ...], tag: str | None = None) -> Record:
        """An object with the properties that any of these have; required are those that all have."""
        record = Record(path, "output")
        count = len(objects)
        record.remarks = (f"From {count} {'sample' if count == 1 else 'samples'}.",)
        properties: list[Property] = []
        for name in sorted(_names(objects), key=lambda n: (sum(n in found for found in objects) < count, n)):
            values = [found[name] for found in objects if name in found]
            tp = Choice((values[0],)) if name == tag else self.guess(values, (*path, name))
            seen, null = len(values), sum(value is None for value in values)
            remarks = [f"seen {seen} times of {count}"] if seen < count else []
            remarks += [f"null {null} times of {seen}"] if null else []
            remarks += ["JSON in a string"] if all(map(_is_json_text, values)) else []
            properties.append(Property(name, tp, seen == count, "", tuple(remarks)))
        record.properties = tuple(properties)
        return record


# --- strings ------------------------------------------------------------------------------------------------


def _text(values: Sequence[str]) -> Type:
    """A string, or its form where all of them come back from it as the same text."""
    if len(set(values)) > 1:
        for name, form in _FORMS:
            if all(_comes_back(value, form) for value in values):
                return Formatted(name)
    return Text()


_FORMS: tuple[tuple[str, Any], ...] = (
    ("UUID", uuid.UUID),
    ("date", datetime.date),
    ("datetime", datetime.datetime),
)


def _comes_back(value: str, form: Any) -> bool:
    try:
        return bool(msgspec.to_builtins(msgspec.convert(value, form)) == value)
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
