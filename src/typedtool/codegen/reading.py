"""From an admitted schema to types: `Reader(schema, ...).read(location) -> Type`.

What a type cannot carry becomes a note. Objects are read one after the other from a queue, so that no schema nests the
reader; what nests without objects is cut at `DEEPEST`.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterable

from msgspec import Struct

from typedtool.codegen.conjunction import KINDS, Alternatives, Conjunction, Subschemas, conjunction_of
from typedtool.codegen.scalars import Formats, float_bounds, int_bounds, remarks_on, text, values
from typedtool.codegen.type_tree import (
    ANYTHING,
    BOOL,
    ITEMS,
    MARK,
    NULL,
    VALUES,
    Array,
    Either,
    Fixed,
    Kind,
    Map,
    Note,
    Property,
    Record,
    RecordRef,
    Scalar,
    Side,
    Type,
)
from typedtool.schemas.schema import Schema
from typedtool.values.guards import is_dict
from typedtool.values.locations import json_pointer

__all__ = ["Reader", "either", "unspeakable"]

DEEPEST = 12
WIDEST = 256
MOST = 5_000


class _At(Struct, frozen=True):
    """Where the reader is: for names, for notes, against endless nesting."""

    path: tuple[str, ...] = ()
    owner: Record | None = None
    depth: int = 0
    open: frozenset[tuple[object, ...]] = frozenset()

    def down(self, step: str) -> _At:
        return _At((*self.path, step), self.owner, self.depth + 1, self.open)

    def branch(self, number: int) -> _At:
        return _At((*self.path, f"{MARK}|{number}"), self.owner, self.depth, self.open)

    def inside(self, key: tuple[object, ...]) -> _At:
        return _At(self.path, self.owner, self.depth, self.open | {key})

    def __str__(self) -> str:
        definition = [] if self.owner is None else [self.owner.definition]
        return ".".join((*definition, *(step.removeprefix(MARK) for step in self.path)))


class Reader:
    """Reads the types of one schema. `notes` says what they do not carry, `nodes` how many subschemas were read."""

    def __init__(self, schema: Schema, tool: str, side: Side, formats: Formats) -> None:
        self.schema = schema
        self.tool = tool
        self.side: Side = side
        self.formats: Formats = formats
        self.notes: dict[Note, None] = {}
        self.nodes: int = 0
        self._conjunctions: dict[Subschemas, Conjunction] = {}
        self._records: dict[tuple[object, ...], Record] = {}
        self._queue: deque[tuple[Record, Conjunction]] = deque()

    def read(self, location: str) -> Type:
        """The type of the subschema at a location."""
        found = self.type_at((location,), _At())
        while self._queue:
            self.fill(*self._queue.popleft())
        return found

    # --- notes ----------------------------------------------------------------------------------------------

    def note(self, kind: Kind, at: _At, text: str) -> None:
        self.notes[Note(self.tool, kind, f"{self.side} {at}".strip(), text)] = None

    def fallback(self, at: _At, why: str) -> Type:
        self.note("object", at, why)
        return ANYTHING

    def keeper(self, at: _At) -> Callable[[str], None]:
        return lambda text: self.note("kept", at, text)

    # --- one value ------------------------------------------------------------------------------------------

    def conjunction(self, subschemas: Subschemas) -> Conjunction:
        if subschemas not in self._conjunctions:
            self._conjunctions[subschemas] = conjunction_of(self.schema, subschemas)
        return self._conjunctions[subschemas]

    def type_at(self, locations: Iterable[str], at: _At) -> Type:
        """The type of what the subschemas at these locations allow; `object` with a note where they allow nothing."""
        found = self.possible(Subschemas(tuple(locations)), at)
        return self.fallback(at, "no value is allowed") if found is None else found

    def possible(self, subschemas: Subschemas, at: _At) -> Type | None:
        """The type of what these subschemas allow, None where they allow nothing."""
        self.nodes += 1
        if self.nodes > MOST:
            return self.fallback(at, f"more than {MOST} nodes")
        joint = self.conjunction(subschemas)
        if joint.impossible:
            return None
        if joint.opaque:
            return self.fallback(at, joint.opaque)
        if joint.key in at.open:
            return self.fallback(at, "recursion without an object")
        if at.depth > DEEPEST:
            return self.fallback(at, f"nested deeper than {DEEPEST} without an object")
        within = at.inside(joint.key)
        for keyword in (*joint.kept, *(["uniqueItems"] if joint.unique else [])):
            self.note("kept", at, keyword)
        if joint.values is not None:
            return either(values(joint, self.keeper(at)))
        telling = [found for found in joint.alternatives if self.tells_types_apart(found, joint)]
        if len(telling) < len(joint.alternatives):
            self.note("kept", at, "alternatives that differ only in what they require")
        return self.branches(joint, telling[0], within) if telling else self.by_kind(joint, within)

    def tells_types_apart(self, alternatives: Alternatives, joint: Conjunction) -> bool:
        """Some alternatives only say which properties are required together."""
        silent = {"required", "not", "title", "description", "$comment", "dependentRequired"}
        silent |= {"type"} if set(joint.kinds) == {"object"} else set()
        documents = [self.schema.node(branch).schema for branch in alternatives.branches]
        return any(is_dict(document) and not silent.issuperset(document) for document in documents)

    def branches(self, joint: Conjunction, chosen: Alternatives, at: _At) -> Type | None:
        if math.prod(len(found.branches) for found in joint.alternatives) > WIDEST:
            return self.fallback(at, f"more than {WIDEST} alternatives")
        members = [
            self.possible(joint.subschemas.also(branch, chosen.location), at.branch(i + 1))
            for i, branch in enumerate(chosen.branches)
        ]
        return either(member for member in members if member is not None)

    def by_kind(self, joint: Conjunction, at: _At) -> Type:
        kinds = joint.kinds
        if len(kinds) == len(KINDS):
            return ANYTHING
        wanted = [k for k in KINDS if k in kinds and not (k == "integer" and "number" in kinds)]
        return either(self.of_kind(kind, joint, at) for kind in wanted) or self.fallback(
            at, "no value is allowed"
        )

    def of_kind(self, kind: str, joint: Conjunction, at: _At) -> Type:
        match kind:
            case "null":
                return NULL
            case "boolean":
                return BOOL
            case "integer":
                return Scalar("int", int_bounds(joint, self.keeper(at)))
            case "number":
                return Scalar("float", float_bounds(joint, self.keeper(at)))
            case "string":
                return text(joint, self.formats, self.keeper(at))
            case "array":
                return self.array(joint, at)
            case _:
                return self.object(joint, at)

    # --- arrays ---------------------------------------------------------------------------------------------

    def array(self, joint: Conjunction, at: _At) -> Type:
        if joint.prefixes:
            return self.positions(joint, at)
        if joint.ended:
            return Array(ANYTHING, (("max_length", 0),))
        item = self.type_at(joint.items, at.down(ITEMS)) if joint.items else ANYTHING
        return Array(item, joint.lengths("Items"))

    def positions(self, joint: Conjunction, at: _At) -> Type:
        """A tuple where the length is fixed; otherwise a list of what may stand anywhere in it."""
        count = max(map(len, joint.prefixes))
        columns = [[p[i] for p in joint.prefixes if i < len(p)] for i in range(count)]
        items = [self.type_at(column, at.down(f"{MARK}[{i}]")) for i, column in enumerate(columns)]
        least, most = joint.bounds.get("minItems", 0), joint.bounds.get("maxItems", math.inf)
        if least >= count and (joint.ended or most <= count) and 0 < count <= 64:
            return Fixed(tuple(items))
        self.note("kept", at, "prefixItems of no fixed length")
        if joint.ended:
            joint.bounds["maxItems"] = min(count, most)
        elif not joint.items:
            return Array(ANYTHING, joint.lengths("Items"))
        else:
            items.append(self.type_at(joint.items, at.down(ITEMS)))
        return Array(either(items) or ANYTHING, joint.lengths("Items"))

    # --- objects --------------------------------------------------------------------------------------------

    def object(self, joint: Conjunction, at: _At) -> Type:
        names = joint.names()
        if any(unspeakable(name) for name in names):
            self.note("object", at, "msgspec refuses the name of a property: an object of any properties")
            return Map(ANYTHING)
        if not names and not joint.closed:
            return self.map(joint, at)
        if joint.key not in self._records:
            record = self._records[joint.key] = Record(at.path, self.side, at.owner, joint.title)
            record.definition = self.definition(joint)
            record.description = joint.description
            record.closed = joint.closed
            self._queue.append((record, joint))
            self.note_extras(joint, at)
        return RecordRef(self._records[joint.key])

    def definition(self, joint: Conjunction) -> str:
        """The name under `$defs`, where the object is that definition and nothing more."""
        for keyword in ("$defs", "definitions"):
            location = "#" + json_pointer((keyword, joint.definition))
            try:
                alone = self.conjunction(Subschemas((location,)))
            except KeyError:
                continue
            if alone.asserting == joint.asserting:
                return joint.definition
        return ""

    def note_extras(self, joint: Conjunction, at: _At) -> None:
        extras = [others for _, others, _ in joint.parts if isinstance(others, str)]
        typed = any(self.conjunction(Subschemas((location,))).asserting for location in extras)
        if typed or joint.patterned:
            self.note("kept", at, "properties beside the named ones: read them from the raw result")
        for keyword in ("minProperties", "maxProperties"):
            if keyword in joint.bounds:
                self.note("kept", at, keyword)

    def map(self, joint: Conjunction, at: _At) -> Type:
        others = [location for _, location, _ in joint.parts if isinstance(location, str)]
        bounds = joint.lengths("Properties")
        below = at.down(VALUES)
        if not joint.patterned:
            return Map(self.type_at(others, below) if others else ANYTHING, bounds)
        self.note("kept", at, "patternProperties")
        shut = any(location is False for _, location, _ in joint.parts)
        if not shut and not others:
            return Map(ANYTHING, bounds)
        found = [self.type_at((location,), below) for location in (*joint.patterned, *others)]
        return Map(either(found) or ANYTHING, bounds)

    def fill(self, record: Record, joint: Conjunction) -> None:
        """Read the properties of a record."""
        found: list[Property] = []
        at = _At((), record) if record.definition else _At(record.path, record.owner)
        for name in joint.names():
            below = at.down(name)
            required = name in joint.required
            inside = joint.property(name)
            said = self.conjunction(inside)
            tp = self.possible(inside, below) if inside.locations else ANYTHING
            if tp is None:
                self.note("object" if required else "kept", below, "no value is allowed")
                if not required:
                    continue
            found.append(Property(name, tp or ANYTHING, required, said.description, remarks_on(said)))
        record.properties = tuple(found)


# --- small questions ----------------------------------------------------------------------------------------


def either(members: Iterable[Type]) -> Type | None:
    """A union, flattened and without repetition; None of nothing. What it becomes is normalized later
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
