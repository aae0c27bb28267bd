"""From an admitted schema to types: `Reader(schema, ...).read(location) -> Type`.

What a type cannot carry is noted, never dropped in silence. Objects are read one after the other from a
queue, so that no schema nests the reader; what nests without objects is cut at `DEEPEST`.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any, Literal, TypeAlias

from msgspec import Struct

from typedtool.codegen.facts import Facts, Group, Place, facts_at
from typedtool.codegen.ir import (
    ANYTHING,
    ITEMS,
    MARK,
    VALUES,
    Anything,
    Array,
    Bool,
    Either,
    Fixed,
    Float,
    Int,
    Made,
    Map,
    Note,
    Null,
    Property,
    Record,
    Side,
    Type,
)
from typedtool.codegen.remarks import remarks_on
from typedtool.codegen.scalars import float_bounds, int_bounds, lengths, text, values
from typedtool.schemas.schema import Schema
from typedtool.values.guards import is_dict
from typedtool.values.locations import json_pointer

__all__ = ["Formats", "Reader", "either", "unspeakable"]

Formats: TypeAlias = Literal["none", "exact", "all"]
"""Which string formats become types: "exact" where every well-formed value round-trips to the same text
(`date`, `uuid`, `decimal`), "all" with `date-time` and `time`, "none"."""

DEEPEST = 12
WIDEST = 256
MOST = 5_000

_FORMS = {"date": "date", "uuid": "UUID", "decimal": "Decimal"}
_MORE_FORMS = {"date-time": "datetime", "time": "time"}
_ORDER = ("string", "integer", "number", "boolean", "array", "object", "null")


class _At(Struct, frozen=True):
    """Where the reader is: for names, for notes, against endless nesting."""

    path: tuple[str, ...] = ()
    owner: Record | None = None
    depth: int = 0
    open: frozenset[tuple[Any, ...]] = frozenset()

    def down(self, step: str) -> _At:
        return _At((*self.path, step), self.owner, self.depth + 1, self.open)

    def branch(self, number: int) -> _At:
        return _At((*self.path, f"{MARK}|{number}"), self.owner, self.depth, self.open)

    def inside(self, key: tuple[Any, ...]) -> _At:
        return _At(self.path, self.owner, self.depth, self.open | {key})

    def __str__(self) -> str:
        definition = [] if self.owner is None else [self.owner.definition]
        return ".".join((*definition, *(step.removeprefix(MARK) for step in self.path)))


class Reader:
    """Reads the types of one schema. The records found are complete once `finish` has run."""

    def __init__(self, schema: Schema, tool: str, side: Side, formats: Formats) -> None:
        self.schema = schema
        self.tool = tool
        self.side: Side = side
        self.forms: dict[str, Any] = {
            **(_FORMS if formats != "none" else {}),
            **(_MORE_FORMS if formats == "all" else {}),
        }
        self.notes: dict[Note, None] = {}
        self.nodes: int = 0
        self._facts: dict[Place, Facts] = {}
        self._records: dict[tuple[Any, ...], Record] = {}
        self._queue: deque[tuple[Record, Facts, Place]] = deque()

    def read(self, location: str) -> Type:
        """The type of the schema at a location."""
        found = self.type_at(Place((location,)), _At())
        while self._queue:
            self.fill(*self._queue.popleft())
        return found

    # --- notes ----------------------------------------------------------------------------------------------

    def note(self, kind: Literal["object", "merged", "kept"], at: _At, text: str) -> None:
        self.notes[Note(self.tool, kind, f"{self.side} {at}".strip(), text)] = None

    def fallback(self, at: _At, why: str) -> Anything:
        self.note("object", at, why)
        return ANYTHING

    def keeper(self, at: _At) -> Callable[[str], None]:
        return lambda text: self.note("kept", at, text)

    # --- one place ------------------------------------------------------------------------------------------

    def facts(self, place: Place) -> Facts:
        if place not in self._facts:
            self._facts[place] = facts_at(self.schema, place)
        return self._facts[place]

    def type_at(self, place: Place, at: _At) -> Type:
        """The type at a place; `object` with a note where no value is allowed."""
        found = self.possible(place, at)
        return self.fallback(at, "no value is allowed") if found is None else found

    def possible(self, place: Place, at: _At) -> Type | None:
        """The type at a place, None where no value is allowed."""
        self.nodes += 1
        if self.nodes > MOST:
            return self.fallback(at, f"more than {MOST} nodes")
        facts = self.facts(place)
        if facts.impossible:
            return None
        if facts.opaque:
            return self.fallback(at, facts.opaque)
        key = (facts.asserting, place.chosen)
        if key in at.open:
            return self.fallback(at, "recursion without an object")
        if at.depth > DEEPEST:
            return self.fallback(at, f"nested deeper than {DEEPEST} without an object")
        within = at.inside(key)
        self.keep(facts, at)
        if facts.values is not None:
            return either(values(facts, self.keeper(at)))
        groups = [g for g in facts.groups if self.speaks(g, facts)]
        if len(groups) < len(facts.groups):
            self.note("kept", at, "alternatives of requirements")
        return self.alternatives(place, groups[0], within) if groups else self.by_kind(facts, place, within)

    def keep(self, facts: Facts, at: _At) -> None:
        for keyword in facts.kept:
            self.note("kept", at, keyword)
        if facts.unique:
            self.note("kept", at, "uniqueItems")

    def speaks(self, group: Group, facts: Facts) -> bool:
        """Whether a group tells types apart. Some only say which properties are required together."""
        silent = {"required", "not", "title", "description", "$comment", "dependentRequired"}
        silent |= {"type"} if set(facts.kinds) == {"object"} else set()
        documents = [self.schema.node(branch).schema for branch in group.branches]
        return any(is_dict(document) and not silent.issuperset(document) for document in documents)

    # --- alternatives ---------------------------------------------------------------------------------------

    def alternatives(self, place: Place, group: Group, at: _At) -> Type | None:
        if math.prod(len(g.branches) for g in self.facts(place).groups) > WIDEST:
            return self.fallback(at, f"more than {WIDEST} alternatives")
        members: list[Type] = []
        for i, branch in enumerate(group.branches):
            found = self.possible(place.also(branch, group.location), at.branch(i + 1))
            if found is not None:
                members.append(found)
        return either(members)

    def by_kind(self, facts: Facts, place: Place, at: _At) -> Type:
        kinds = facts.kinds
        if len(kinds) == 7:
            return ANYTHING
        members = [
            self.of_kind(k, facts, place, at) for k in _ORDER if k in kinds and not self.covered(k, facts)
        ]
        return either([m for m in members if m is not None]) or self.fallback(at, "no value is allowed")

    def covered(self, kind: str, facts: Facts) -> bool:
        return kind == "integer" and "number" in facts.kinds

    def of_kind(self, kind: str, facts: Facts, place: Place, at: _At) -> Type | None:
        match kind:
            case "null":
                return Null()
            case "boolean":
                return Bool()
            case "integer":
                return Int(int_bounds(facts, self.keeper(at)))
            case "number":
                return Float(float_bounds(facts, self.keeper(at)))
            case "string":
                return text(facts, self.forms, self.keeper(at))
            case "array":
                return self.array(facts, at)
            case _:
                return self.object(facts, place, at)

    # --- arrays ---------------------------------------------------------------------------------------------

    def array(self, facts: Facts, at: _At) -> Type:
        if facts.prefixes:
            return self.positions(facts, at)
        bounds = lengths(facts.meta(("minItems", "min_length"), ("maxItems", "max_length")))
        if facts.ended:
            return Array(ANYTHING, (("max_length", 0),))
        item = self.type_at(Place(tuple(facts.items)), at.down(ITEMS)) if facts.items else ANYTHING
        return Array(item, bounds)

    def positions(self, facts: Facts, at: _At) -> Type:
        """A tuple where the length is fixed; otherwise a list of what may stand anywhere in it."""
        count = max(map(len, facts.prefixes))
        columns = [Place(tuple(p[i] for p in facts.prefixes if i < len(p))) for i in range(count)]
        items = [self.type_at(place, at.down(f"{MARK}[{i}]")) for i, place in enumerate(columns)]
        least, most = facts.bounds.get("minItems", 0), facts.bounds.get("maxItems", math.inf)
        if least >= count and (facts.ended or most <= count) and 0 < count <= 64:
            return Fixed(tuple(items))
        self.note("kept", at, "prefixItems of no fixed length")
        bounds = lengths(facts.meta(("minItems", "min_length"), ("maxItems", "max_length")))
        if facts.ended:
            bounds = lengths((*[b for b in bounds if b[0] != "max_length"], ("max_length", min(count, most))))
        elif not facts.items:
            return Array(ANYTHING, bounds)
        else:
            items.append(self.type_at(Place(tuple(facts.items)), at.down(ITEMS)))
        return Array(either(items) or ANYTHING, bounds)

    # --- objects --------------------------------------------------------------------------------------------

    def object(self, facts: Facts, place: Place, at: _At) -> Type:
        names = self.names(facts)
        if any(unspeakable(name) for name in names):
            self.note("object", at, "a property name that msgspec refuses: an object of any properties")
            return Map(ANYTHING)
        if not names and not self.is_empty(facts):
            return self.map(facts, at)
        key = ("object", facts.asserting, place.chosen)
        if key not in self._records:
            record = self._records[key] = Record(at.path, self.side, at.owner, facts.title)
            record.definition = self.definition(facts)
            record.description = facts.description
            record.closed = self.is_closed(facts)
            self._queue.append((record, facts, place))
            self.note_extras(facts, at)
        return Made(self._records[key])

    def definition(self, facts: Facts) -> str:
        """The name under `$defs`, where the object is that definition and nothing more."""
        for keyword in ("$defs", "definitions"):
            location = "#" + json_pointer((keyword, facts.definition))
            try:
                alone = self.facts(Place((location,)))
            except KeyError:
                continue
            if alone.asserting == facts.asserting:
                return facts.definition
        return ""

    def names(self, facts: Facts) -> list[str]:
        """The properties that are known and allowed: the required ones first, each by its name."""
        known = {name for properties, _, _ in facts.parts for name in properties} | facts.required
        for properties, others, patterned in facts.parts:
            if others is False and not patterned:
                known &= properties.keys()
        return sorted(known, key=lambda name: (name not in facts.required, name))

    def is_closed(self, facts: Facts) -> bool:
        return not facts.patterned and (facts.sealed or any(others is False for _, others, _ in facts.parts))

    def is_empty(self, facts: Facts) -> bool:
        """No property is allowed at all."""
        return self.is_closed(facts)

    def note_extras(self, facts: Facts, at: _At) -> None:
        extras = [others for _, others, _ in facts.parts if isinstance(others, str)]
        typed = any(self.facts(Place((location,))).asserting for location in extras)
        if typed or facts.patterned:
            self.note("kept", at, "properties beside those that are named: read them from the raw result")
        for keyword in ("minProperties", "maxProperties"):
            if keyword in facts.bounds:
                self.note("kept", at, keyword)

    def map(self, facts: Facts, at: _At) -> Type:
        others = [location for _, location, _ in facts.parts if isinstance(location, str)]
        bounds = lengths(facts.meta(("minProperties", "min_length"), ("maxProperties", "max_length")))
        below = at.down(VALUES)
        if facts.patterned:
            self.note("kept", at, "patternProperties")
            shut = any(location is False for _, location, _ in facts.parts)
            if not shut and not others:
                return Map(ANYTHING, bounds)
            places = [Place((location,)) for location in (*facts.patterned, *others)]
            return Map(either([self.type_at(place, below) for place in places]) or ANYTHING, bounds)
        return Map(self.type_at(Place(tuple(others)), below) if others else ANYTHING, bounds)

    def fill(self, record: Record, facts: Facts, place: Place) -> None:
        """Read the properties of a record."""
        found: list[Property] = []
        at = _At((), record) if record.definition else _At(record.path, record.owner)
        for name in self.names(facts):
            below = at.down(name)
            inside = self.property_place(facts, name)
            said = self.facts(inside)
            tp = self.possible(inside, below) if inside.locations else ANYTHING
            if tp is None:
                self.note("object" if name in facts.required else "kept", below, "no value is allowed")
                if name not in facts.required:
                    continue
            remarks = remarks_on(said)
            found.append(Property(name, tp or ANYTHING, name in facts.required, said.description, remarks))
        record.properties = tuple(found)

    def property_place(self, facts: Facts, name: str) -> Place:
        """All that is said of one property: by its name, or as one of the others."""
        locations: list[str] = []
        for properties, others, patterned in facts.parts:
            if name in properties:
                locations.append(properties[name])
            elif isinstance(others, str) and not patterned:
                locations.append(others)
        return Place(tuple(locations))


# --- small questions ----------------------------------------------------------------------------------------


def either(members: Iterable[Type]) -> Type | None:
    """A union, flattened and without repetition; None of nothing. What it becomes is settled later
    (`unions`)."""
    flat: dict[Type, None] = {}
    for member in members:
        flat.update(dict.fromkeys(member.members if isinstance(member, Either) else (member,)))
    if not flat:
        return None
    if ANYTHING in flat:
        return ANYTHING
    return next(iter(flat)) if len(flat) == 1 else Either(tuple(flat))


def unspeakable(name: str) -> bool:
    """Whether msgspec refuses it as the name of a field."""
    return any(c in '"\\' or c < " " for c in name)
