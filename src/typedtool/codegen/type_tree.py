"""Types as a tree, which source and run-time types are made from: what a schema says, as far as types can say it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias, Union

from msgspec import Struct

Side: TypeAlias = Literal["input", "output"]
Kind: TypeAlias = Literal["object", "merged", "kept", "name", "refused", "silent"]
Bounds: TypeAlias = "tuple[tuple[str, Union[int, float, str]], ...]"
"""The arguments of a `Meta`, in its order."""


class Scalar(Struct, frozen=True):
    """A type without parts, by the name that it is written with: `object`, which is anything, `None`, `bool`, `int`,
    `float`, `str`, or one of `FORMATS`."""

    name: str
    bounds: Bounds = ()


class Choice(Struct, frozen=True):
    """A `Literal` of strings and integers."""

    values: tuple[Union[str, int], ...]


class Array(Struct, frozen=True):
    """`list[item]`."""

    item: Type
    bounds: Bounds = ()


class Fixed(Struct, frozen=True):
    """A tuple of fixed length."""

    items: tuple[Type, ...]


class Map(Struct, frozen=True):
    """`dict[str, value]`."""

    value: Type
    bounds: Bounds = ()


class RecordRef(Struct, frozen=True):
    """A Struct, by its record."""

    record: Record


class Either(Struct, frozen=True):
    """A union. native: msgspec tells its members apart by itself; otherwise it is a `OneOf`."""

    members: tuple[Type, ...]
    native: bool = False


Type: TypeAlias = Union[Scalar, Choice, Array, Fixed, Map, RecordRef, Either]

ANYTHING, NULL, BOOL = Scalar("object"), Scalar("None"), Scalar("bool")
INT, FLOAT, TEXT = Scalar("int"), Scalar("float"), Scalar("str")
FORMATS = {
    "date": "dt.date",
    "uuid": "UUID",
    "decimal": "Decimal",
    "date-time": "dt.datetime",
    "time": "dt.time",
}
"""The string formats that are types, each with the name that its type is written with."""

# Steps of a path that are no property names: msgspec takes no property with a control character in its name.
MARK = "\0"
ITEMS, VALUES = MARK + "[]", MARK + "{}"


class Property(Struct, eq=False):
    """A property of a record. name: in JSON. attribute: in Python, given by `planning`."""

    name: str
    type: Type
    required: bool
    description: str = ""
    remarks: tuple[str, ...] = ()
    attribute: str = ""


class Record(Struct, eq=False):
    """An object with known properties, which becomes a Struct.

    path: the steps to it from its owner: property names, and steps that begin with `MARK`.
    owner: the definition under `$defs` that it stands in; None directly in the tool's schema.
    definition: the name under `$defs`, where it has one itself.
    rivals: the other objects of a union that it stands in.
    name: the name of its class, given by `planning`.
    """

    path: tuple[str, ...]
    side: Side
    owner: Record | None = None
    title: str = ""
    definition: str = ""
    description: str = ""
    remarks: tuple[str, ...] = ()
    properties: tuple[Property, ...] = ()
    closed: bool = False
    tag_field: str | None = None
    tag: str | int | None = None
    rivals: tuple[Record, ...] = ()
    name: str = ""


class Note(Struct, frozen=True, order=True):
    """A remark for the readers of a module.

    where: the path to it, as property names, `[]`, `{}` and `|1` (the first alternative).
    kind: "object" (a subschema fell back to `object`), "merged" (alternatives of one kind became one type), "kept" (a
        keyword that validation holds, not the type), "name" (a name that had to change), "refused" (a schema that
        cannot be used), "silent" (no outputSchema).
    """

    tool: str
    kind: Kind
    where: str
    text: str

    def __str__(self) -> str:
        return f"{self.tool}: {self.where + ': ' if self.where else ''}{self.text}"


def inner(tp: Type) -> tuple[Type, ...]:
    """The types directly inside a type; those of a record's properties are not."""
    match tp:
        case Array():
            return (tp.item,)
        case Map():
            return (tp.value,)
        case Fixed():
            return tp.items
        case Either():
            return tp.members
        case _:
            return ()


def records_in(*roots: Type) -> Iterator[Record]:
    """Every record that these types lead to, once, each before those inside of it."""
    seen: set[int] = set()
    stack: list[Type] = list(reversed(roots))
    while stack:
        tp = stack.pop()
        if not isinstance(tp, RecordRef):
            stack.extend(reversed(inner(tp)))
        elif id(tp.record) not in seen:
            seen.add(id(tp.record))
            yield tp.record
            stack.extend(p.type for p in reversed(tp.record.properties))
