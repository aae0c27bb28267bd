"""Unions as msgspec takes them: `normalized(roots)`.

Members of one kind are merged. Objects are told apart by a tag, or the union is a `OneOf`.

msgspec decodes a union by the kind of the JSON value: at most one member for strings, one for integers, one
for arrays, one for objects, or several Structs with different tags.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from typedtool.codegen.type_tree import (
    ANYTHING,
    FLOAT,
    FORMATS,
    INT,
    MARK,
    NULL,
    TEXT,
    Array,
    Choice,
    Either,
    Fixed,
    Map,
    Property,
    Record,
    RecordRef,
    Scalar,
    Type,
    inner,
    records_in,
)

__all__ = ["normalized"]

_MOST_TAGS = 16
_USUAL = ("type", "kind")
_STRINGS = ("str", *FORMATS.values())


def normalized(roots: Sequence[Type], merged: Callable[[str], None]) -> tuple[Type, ...]:
    """The types, with every union in them as msgspec takes it. The records are changed in place.

    merged: told of alternatives that became one type.
    """
    return _Normalizer(merged).normalize(roots)


class _Tags(Struct):
    """How the objects of a union are told apart: the property, and the values that each object has for it."""

    field: str
    values: tuple[tuple[str | int, ...], ...]


class _Normalizer:
    def __init__(self, merged: Callable[[str], None]) -> None:
        self.merged = merged
        self.known: dict[Either, Type] = {}
        self.tagged: dict[Either, _Tags] = {}
        self.split: dict[tuple[int, str | int], Record] = {}

    def normalize(self, roots: Sequence[Type]) -> tuple[Type, ...]:
        records = list(records_in(*roots))
        for root in (*roots, *[p.type for r in records for p in r.properties]):
            for union in _unions(root):
                self.tag(union)
        found = tuple(map(self.of, roots))
        for record in (*records, *self.split.values()):
            record.properties = tuple(p for p in record.properties if p.name != record.tag_field)
            for item in record.properties:
                item.type = self.of(item.type)
        return found

    # --- tags -----------------------------------------------------------------------------------------------

    def tag(self, union: Either) -> None:
        """Tag the objects of a union, if they are all told apart by one required property."""
        records = [m.record for m in union.members if isinstance(m, RecordRef)]
        for record in records:
            record.rivals = record.rivals or tuple(r for r in records if r is not record)
        if len(records) < 2 or any(isinstance(m, Map) for m in union.members):
            return
        tags = _tags_of(records)
        if tags is None:
            return
        self.tagged[union] = tags
        for record, values in zip(records, tags.values, strict=True):
            if len(values) == 1:
                record.tag_field, record.tag = tags.field, values[0]
            for value in values if len(values) > 1 else ():
                self.split.setdefault((id(record), value), _variant(record, tags.field, value))

    def variants(self, union: Either) -> list[Type]:
        """The members of a tagged union, an object with several tags once for each."""
        found: list[Type] = []
        values = iter(self.tagged[union].values)
        for member in union.members:
            own = next(values) if isinstance(member, RecordRef) else ()
            if isinstance(member, RecordRef) and len(own) > 1:
                found += [RecordRef(self.split[id(member.record), value]) for value in own]
            else:
                found.append(member)
        return found

    def is_tagged(self, union: Either) -> bool:
        """Whether a tag tells the objects apart, and no other union has given one of them another tag since."""
        tags = self.tagged.get(union)
        records = [m.record for m in union.members if isinstance(m, RecordRef)]
        return tags is not None and all(r.tag_field in (tags.field, None) for r in records)

    # --- rewriting ------------------------------------------------------------------------------------------

    def of(self, tp: Type) -> Type:
        match tp:
            case Array():
                return Array(self.of(tp.item), tp.bounds)
            case Map():
                return Map(self.of(tp.value), tp.bounds)
            case Fixed():
                return Fixed(tuple(map(self.of, tp.items)))
            case Either():
                if tp not in self.known:
                    self.known[tp] = self.union(tp)
                return self.known[tp]
            case _:
                return tp

    def union(self, union: Either) -> Type:
        tagged = self.is_tagged(union)
        members = self.variants(union) if tagged else list(union.members)
        members = list(dict.fromkeys(map(self.of, members)))
        members = self.numbers(self.strings(members))
        members = _without_narrower(members)
        if ANYTHING in members:
            return ANYTHING
        members.sort(key=lambda member: member == NULL)
        if len(members) == 1:
            return members[0]
        arrays = sum(isinstance(m, (Array, Fixed)) for m in members)
        objects = sum(isinstance(m, (RecordRef, Map)) for m in members)
        return Either(tuple(members), native=arrays < 2 and (objects < 2 or tagged))

    def strings(self, members: list[Type]) -> list[Type]:
        """At most one kind of string: one `str`, one format, or one Literal."""
        found = [m for m in members if _is(m, *_STRINGS) or _is_choice(m, str)]
        if len(found) < 2:
            return members
        values = [v for m in found if isinstance(m, Choice) for v in m.values if isinstance(v, str)]
        if all(isinstance(m, Choice) for m in found):
            return _merged(members, found, Choice(tuple(dict.fromkeys(values))))
        if any(m != TEXT for m in found):
            self.merged(f"{len(found)} kinds of string became one str")
        return _merged(members, found, TEXT)

    def numbers(self, members: list[Type]) -> list[Type]:
        """At most one kind of integer beside one float."""
        whole = [m for m in members if _is(m, "int") or _is_choice(m, int)]
        if len(whole) > 1:
            values = [v for m in whole if isinstance(m, Choice) for v in m.values if isinstance(v, int)]
            every = all(isinstance(m, Choice) for m in whole)
            members = _merged(members, whole, Choice(tuple(dict.fromkeys(values))) if every else INT)
            if not every:
                self.merged(f"{len(whole)} kinds of integer became one int")
        floats = [m for m in members if _is(m, "float")]
        if len(floats) > 1:
            self.merged(f"{len(floats)} kinds of number became one float")
            members = _merged(members, floats, FLOAT)
        if floats and (whole or any(_is(m, "int") for m in members)):
            # beside a float, the bounds of an int would refuse what the float allows
            others = [m for m in members if _is(m, "int") or _is_choice(m, int)]
            members = _merged(members, others, INT) if others else members
        return members


def _variant(record: Record, field: str, value: str | int) -> Record:
    """A copy of the object for one value of its tag."""
    properties = tuple(
        Property(p.name, p.type, p.required, p.description, p.remarks)
        for p in record.properties
        if p.name != field
    )
    new = Record((*record.path, f"{MARK}={value}"), record.side, record.owner, record.title)
    new.definition, new.description = record.definition, record.description
    new.closed, new.rivals, new.properties = record.closed, record.rivals, properties
    new.tag_field, new.tag = field, value
    return new


def _unions(root: Type) -> list[Either]:
    found: list[Either] = []
    stack = [root]
    while stack:
        tp = stack.pop()
        stack.extend(reversed(inner(tp)))
        if isinstance(tp, Either):
            found.append(tp)
    return found


def _tags_of(records: list[Record]) -> _Tags | None:
    """The property that tells objects apart: required in all, of strings or integers that none shares."""
    candidates: list[dict[str, tuple[str | int, ...]]] = []
    for record in records:
        own = {p.name: p.type.values for p in record.properties if p.required and isinstance(p.type, Choice)}
        if record.tag_field is not None and record.tag is not None:
            own = {record.tag_field: (record.tag,)}
        candidates.append(own)
    shared = set(candidates[0]).intersection(*candidates[1:])
    for name in sorted(shared, key=lambda n: (n not in _USUAL, n)):
        values = tuple(own[name] for own in candidates)
        every = [v for own in values for v in own]
        kinds = {type(v) for v in every}
        split = max(map(len, values))
        if len(set(every)) == len(every) and split <= _MOST_TAGS and len(kinds) == 1:
            return _Tags(name, values)
    return None


def _is(tp: Type, *names: str) -> bool:
    return isinstance(tp, Scalar) and tp.name in names


def _is_choice(tp: Type, cls: type) -> bool:
    return isinstance(tp, Choice) and any(isinstance(v, cls) for v in tp.values)


def _merged(members: list[Type], found: Sequence[Type], into: Type) -> list[Type]:
    """The members with `into` in the place of the first of `found`. A Literal of both kinds keeps its values of the
    other kind."""
    kind = str if into == TEXT or _is_choice(into, str) else int
    rest: list[Type] = []
    for member in members:
        if member not in found:
            rest.append(member)
            continue
        if into not in rest:
            rest.append(into)
        others = tuple(v for v in member.values if type(v) is not kind) if isinstance(member, Choice) else ()
        rest += [Choice(others)] if others else []
    return rest


def _without_narrower(members: list[Type]) -> list[Type]:
    """Without the lists that `list[object]` includes, and the dicts that `dict[str, object]` includes."""
    open_array, open_map = Array(ANYTHING), Map(ANYTHING)
    if open_array in members:
        members = [m for m in members if not isinstance(m, (Array, Fixed)) or m == open_array]
    if open_map in members:
        members = [m for m in members if not isinstance(m, Map) or m == open_map]
    return members
