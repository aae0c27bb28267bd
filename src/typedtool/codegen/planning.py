"""Names for everything that a module defines: `plan(tools) -> Plan`.

A name depends on its own tool alone, so tools that a server adds later rename nothing: a class is called after its tool
and its property. A definition under `$defs` keeps its own name and is made once, as long as all tools of the server mean
the same by it; otherwise each tool has its own.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from typing import Literal, Optional, TypeAlias

import msgspec
from msgspec import Struct

from typedtool.codegen.naming import IN_CLASSES, Scope, class_name, identifier, singular, words
from typedtool.codegen.tool_types import ToolTypes
from typedtool.codegen.type_tree import (
    ITEMS,
    MARK,
    VALUES,
    Array,
    Choice,
    Either,
    Fixed,
    Map,
    Note,
    Property,
    Record,
    RecordRef,
    Type,
    inner,
    records_in,
)

__all__ = ["Plan", "PlannedTool", "plan", "rename_of"]

Style: TypeAlias = Optional[Literal["camel", "pascal", "kebab", "upper"]]
_STYLES: tuple[Style, ...] = (None, "camel", "pascal", "kebab", "upper")

_TOOLSET = frozenset({"bind", "against", "report"})
_SUFFIXES = {"input": "In", "output": "Out"}


class PlannedTool(Struct):
    """A tool with its constant, and the records that are defined with it."""

    constant: str
    types: ToolTypes
    records: tuple[Record, ...]


class Plan(Struct):
    """A module before its text. shared: the definitions that several tools use, or may use."""

    toolset: str
    tools: tuple[PlannedTool, ...]
    shared: tuple[Record, ...]
    notes: tuple[Note, ...]


def plan(tools: Sequence[ToolTypes], server: str = "") -> Plan:
    """Name the tools, which are sorted by name, and all their records."""
    return _Planner(tools).plan(server)


class _Planner:
    def __init__(self, tools: Sequence[ToolTypes]) -> None:
        self.tools = tools
        self.scope = Scope.of_module()
        self.notes: list[Note] = []
        self.shared: list[Record] = []
        self.fingerprints: dict[int, str] = {}
        self.classes: dict[str, str] = {}

    def plan(self, server: str) -> Plan:
        toolset = self.scope.claim(class_name(server, "Tools"))
        # Names that are identifiers already come first, so that no other tool takes them.
        by_claim = sorted(self.tools, key=lambda t: (identifier(t.name, "snake", "tool") != t.name, t.name))
        constants = {types.name: self.constant(types.name) for types in by_claim}
        scope = Scope()
        bases = {t.name: scope.claim(class_name(t.name) if words(t.name) else "Tool") for t in by_claim}
        for types in self.tools:
            for side, root in (("In", types.input), ("Out", types.output)):
                if isinstance(root, RecordRef) and not root.record.path:
                    self.name(root.record, (class_name(bases[types.name], side),), types.name)
        self.definitions()
        for types in self.tools:
            self.name_inner(types, bases[types.name])
        for types in self.tools:
            for record in records_in(*types.roots):
                self.name_attributes(types.name, record)
        emitted: set[str] = {record.name for record in self.shared}
        inside = [p.type for r in self.shared for p in r.properties]
        shared = (*self.shared, *_fresh(inside, emitted))
        planned = [
            PlannedTool(constants[types.name], types, tuple(_fresh(types.roots, emitted)))
            for types in self.tools
        ]
        return Plan(toolset, tuple(planned), shared, tuple(self.notes))

    def constant(self, tool: str) -> str:
        made = identifier(tool, "snake", "tool")
        found = self.scope.claim(made + "_" if made in _TOOLSET else made)
        if found != made:
            self.notes.append(Note(tool, "name", "", f"is {found} in Python"))
        return found

    # --- records --------------------------------------------------------------------------------------------

    def name(self, record: Record, candidates: Iterable[str], within: str) -> None:
        """Name a record with the first candidate that is free, or that means the same object in the same tool already.

        within: the tool, or the definition that the record stands in.
        """
        if record.name:
            return
        tried = tuple(candidates)
        meant = f"{within} {self.fingerprint(record)}"
        for candidate in tried:
            if self.classes.get(candidate) == meant:
                record.name = candidate
                return
            if self.scope.free(candidate):
                break
        record.name = self.scope.claim(*tried)
        self.classes[record.name] = meant

    def fingerprint(self, record: Record) -> str:
        if id(record) not in self.fingerprints:
            self.fingerprints[id(record)] = _fingerprint(record)
        return self.fingerprints[id(record)]

    def definitions(self) -> None:
        """A definition keeps its name where it means one thing in the whole module."""
        meant: dict[str, dict[str, Record]] = {}
        users: dict[str, list[tuple[ToolTypes, Record]]] = {}
        for types in self.tools:
            for record in records_in(*types.roots):
                if record.definition and not record.name:
                    plain = class_name(*_variant_of(record, record.definition))
                    meant.setdefault(plain, {}).setdefault(self.fingerprint(record), record)
                    users.setdefault(plain, []).append((types, record))
        for plain in sorted(meant):
            if len(meant[plain]) == 1 and self.scope.free(plain):
                name = self.scope.claim(plain)
                self.shared.append(users[plain][0][1])
                for _, record in users[plain]:
                    record.name = name
            else:
                self.apart(plain, users[plain])

    def apart(self, plain: str, users: Sequence[tuple[ToolTypes, Record]]) -> None:
        """Give each tool its own class for a definition that tools mean differently."""
        for types, record in users:
            candidates = (
                class_name(types.name, plain),
                class_name(types.name, _SUFFIXES[record.side], plain),
            )
            self.name(record, candidates, types.name)
            said = f"another tool means something else by {plain}: the class is {record.name}"
            self.notes.append(Note(types.name, "name", record.side, said))

    def name_inner(self, types: ToolTypes, base: str) -> None:
        for record in records_in(*types.roots):
            if record.name:
                continue
            if record.owner is None:
                self.name(record, _candidates(record, base, _SUFFIXES[record.side]), types.name)
            else:
                owner = record.owner.name or base
                self.name(record, _candidates(record, owner, ""), f"definition {owner}")

    def name_attributes(self, tool: str, record: Record) -> None:
        if record.properties and not record.properties[0].attribute:
            for name, attribute in _attributes(record.properties, Scope(IN_CLASSES)):
                self.notes.append(Note(tool, "name", record.name, f"property {name!r} is {attribute}"))


def _fresh(roots: Iterable[Type], emitted: set[str]) -> Iterable[Record]:
    """The records of one tool that no other has defined yet, by their names."""
    queue = deque(roots)
    seen: set[str] = set()
    while queue:
        tp = queue.popleft()
        if not isinstance(tp, RecordRef):
            queue.extend(inner(tp))
        elif tp.record.name not in seen and tp.record.name not in emitted:
            seen.add(tp.record.name)
            queue.extend(p.type for p in tp.record.properties)
            yield tp.record
    emitted |= seen


# --- candidates for names -----------------------------------------------------------------------------------


def _candidates(record: Record, base: str, side: str) -> tuple[str, ...]:
    """Names for an object without one, the shortest first: after its title, its property, all its path."""
    label, labels = "", [""]
    for step in record.path:
        if step == ITEMS:
            label = singular(label) or "item"
        elif step == VALUES:
            label = singular(label) or "value"
        elif step.startswith(MARK + "["):
            label = f"{label} item"
        elif not step.startswith(MARK):
            label = step
            labels.append(label)
        labels[-1] = label
    own = _variant_of(record, label)
    title = _title(record, base)
    found = [class_name(base, *_variant_of(record, title))] if title else []
    if any(words(part) for part in own):
        found += [class_name(base, *own), class_name(base, side, *own)]
    found.append(class_name(base, side, *labels[:-1], *own))
    return tuple(found)


def _title(record: Record, base: str) -> str:
    """The title, where it can be a name: a few words, without those that the class begins with anyway."""
    found = words(record.title)
    start = words(base)
    if found[: len(start)] == start:
        found = found[len(start) :]
    return " ".join(found) if 0 < len(found) <= 4 and sum(map(len, found)) <= 40 else ""


def _variant_of(record: Record, label: str) -> tuple[str, ...]:
    """The label, and what distinguishes the object from the others of its union."""
    last = record.path[-1] if record.path else ""
    if last.startswith(MARK + "="):
        return (label, str(record.tag))
    if not last.startswith(MARK + "|") or record.definition or (record.title and _title(record, "") in label):
        return (label,)
    if record.tag_field is not None:
        return (label, str(record.tag))
    return (label, _distinctive(record))


def _distinctive(record: Record) -> str:
    """What an object has that no other of its union has: a constant, or the name of a property."""
    own = sorted(record.properties, key=lambda p: (not p.required, p.name))
    taken = {(p.name, p.type) for rival in record.rivals for p in rival.properties}
    for item in own:
        if (
            isinstance(item.type, Choice)
            and len(item.type.values) == 1
            and (item.name, item.type) not in taken
        ):
            return str(item.type.values[0])
    names = {name for name, _ in taken}
    return next((p.name for p in own if record.rivals and p.name not in names), "")


# --- structure ----------------------------------------------------------------------------------------------


def _fingerprint(root: Record) -> str:
    """A text that is the same for records of the same structure. Descriptions do not count."""
    numbers = {id(root): 0}
    queue = deque([root])
    parts: list[str] = []

    def of(tp: Type) -> str:
        match tp:
            case RecordRef():
                if id(tp.record) not in numbers:
                    numbers[id(tp.record)] = len(numbers)
                    queue.append(tp.record)
                return f"#{numbers[id(tp.record)]}"
            case Array() | Map():
                return f"{type(tp).__name__}{tp.bounds}[{of(inner(tp)[0])}]"
            case Fixed() | Either():
                return f"{type(tp).__name__}[{', '.join(map(of, inner(tp)))}]"
            case _:
                return repr(tp)

    while queue:
        record = queue.popleft()
        head = f"{record.tag_field!r}={record.tag!r} {record.closed}"
        fields = [f"{p.name!r}{'!' if p.required else '?'}{of(p.type)}" for p in record.properties]
        parts.append(f"{head}{{{', '.join(fields)}}}")
    return "; ".join(parts)


# --- attributes ---------------------------------------------------------------------------------------------


def _attributes(properties: Sequence[Property], scope: Scope) -> list[tuple[str, str]]:
    """Name the attributes of a class. Returns the properties whose attribute nobody could guess, with it.

    A property whose name is its attribute already comes first, so that no other takes that.
    """
    made = {p.name: identifier(p.name, "snake", "field") for p in properties}
    surprising: list[tuple[str, str]] = []
    for item in sorted(properties, key=lambda p: (made[p.name] != p.name, p.name)):
        item.attribute = scope.claim(made[item.name])
        if item.attribute.rstrip("_") != made[item.name].rstrip("_") or not item.name.strip():
            surprising.append((item.name, item.attribute))
    return surprising


def rename_of(record: Record) -> tuple[Style, dict[str, str]]:
    """The `rename=` of a Struct that gives most JSON names, and the other JSON names by attribute."""
    names = [p.attribute for p in record.properties]
    if all(p.attribute == p.name for p in record.properties):
        return None, {}
    best: tuple[Style, dict[str, str]] | None = None
    for style in _STYLES:
        encoded = _encoded(names, style)
        rest = {
            p.attribute: p.name for p, name in zip(record.properties, encoded, strict=False) if p.name != name
        }
        if encoded and (best is None or len(rest) < len(best[1])):
            best = (style, rest)
    assert best is not None
    return best


def _encoded(names: Sequence[str], style: Style) -> tuple[str, ...]:
    """The JSON names that msgspec makes of attributes; none where two of them would be the same."""
    try:
        twin = msgspec.defstruct("Names", [(name, object) for name in names], rename=style)
    except ValueError:
        return ()
    return twin.__struct_encode_fields__
