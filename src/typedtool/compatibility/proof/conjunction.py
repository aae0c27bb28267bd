"""A conjunction of literals about one kind of value: what the search builds up, branch by branch.

`push` adds a literal, and returns False when nothing is left. A disjunction that it cannot decide becomes a clause.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from typedtool.compatibility.proof.forms import (
    All,
    Always,
    Among,
    Distinct,
    Form,
    Has,
    Item,
    KindIs,
    Later,
    Literal,
    Names,
    Never,
    Not,
    Opaque,
    Others,
    Property,
    Rest,
    Sized,
    Some,
    State,
    Text,
    atom_kinds,
)
from typedtool.compatibility.proof.membership import applies

__all__ = ["Conjunction"]


class Conjunction:
    """What is known of the values of one kind. It calls `spend` for each literal.

    among: sets of values that it must be in. excluded: the keys of values that it is not. least, most: its size.
    atoms: the other literals. texts, opaque: the signs of those that are compared by identity.
    clauses: disjunctions not yet decided, each with whether it came from a positive form.
    has, lacks: names of properties that are there, that are not. parts: what each property or item is in.
    rules: what holds of all parts. somewhere: what does not hold of all.
    """

    def __init__(self, kind: int, spend: Callable[[], None]) -> None:
        self.kind = kind
        self.spend = spend
        self.among: list[Among] = []
        self.excluded: set[Any] = set()
        self.least: int = 0
        self.most: int | None = None
        self.atoms: list[Literal] = []
        self.texts: dict[Any, bool] = {}
        self.opaque: dict[Form, bool] = {}
        self.clauses: list[tuple[bool, tuple[Literal, ...]]] = []
        self.has: set[str] = set()
        self.lacks: set[str] = set()
        self.parts: dict[Any, State] = {}
        self.rules: list[Form] = []
        self.somewhere: list[Form] = []

    def copy(self) -> Conjunction:
        new = Conjunction.__new__(Conjunction)
        new.kind, new.spend, new.least, new.most = self.kind, self.spend, self.least, self.most
        new.among, new.excluded, new.atoms = self.among[:], self.excluded.copy(), self.atoms[:]
        new.texts, new.opaque, new.clauses = self.texts.copy(), self.opaque.copy(), self.clauses[:]
        new.has, new.lacks, new.parts = self.has.copy(), self.lacks.copy(), self.parts.copy()
        new.rules, new.somewhere = self.rules[:], self.somewhere[:]
        return new

    def push(self, form: Form, sign: bool) -> bool:
        """Add a literal; False when nothing is left."""
        stack: list[Literal] = [(form, sign)]
        while stack:
            self.spend()
            form, sign = stack.pop()
            if isinstance(form, Later):
                stack.append((form.get(), sign))
            elif isinstance(form, Not):
                stack.append((form.part, not sign))
            elif isinstance(form, (All, Some)):
                literals = tuple((part, sign) for part in form.parts)
                if isinstance(form, All) == sign:
                    stack.extend(reversed(literals))
                elif len(literals) == 1:
                    stack.append(literals[0])
                elif not literals:
                    return False
                elif (open_ := self.possible(literals)) is not None:
                    if len(open_) < 2:
                        stack.extend(open_)
                    else:
                        self.clauses.append((sign, open_))
                    if not open_:
                        return False
            elif (decided := self.plain(form, sign)) is not None:
                if not decided:
                    return False
            elif not self.atom(form, sign):
                return False
        return True

    def possible(self, literals: tuple[Literal, ...]) -> tuple[Literal, ...] | None:
        """The literals of a disjunction that this kind leaves open, None when it makes one of them true."""
        found: list[Literal] = []
        for form, sign in literals:
            decided = self.plain(form.part, not sign) if isinstance(form, Not) else self.plain(form, sign)
            if decided:
                return None
            if decided is None:
                found.append((form, sign))
        return tuple(found)

    def plain(self, form: Form, sign: bool) -> bool | None:
        """Whether a literal is true or false by the kind alone; None when that depends on the value."""
        if isinstance(form, KindIs):
            return bool(form.kinds & self.kind) == sign
        if isinstance(form, (Always, Never)):
            return isinstance(form, Always) == sign
        if isinstance(form, (All, Some, Later, Not)):
            return None
        return sign if not atom_kinds(form) & self.kind else None

    def atom(self, form: Form, sign: bool) -> bool:
        match form:
            case Among():
                if sign:
                    self.among.append(form)
                else:
                    self.excluded |= form.keys
            case Sized():
                return self.size(form.least, sign)
            case Text():
                if self.texts.setdefault(form.key, sign) != sign:
                    return False
                self.atoms.append((form, sign))
            case Opaque():
                if self.opaque.setdefault(form, sign) != sign:
                    return False
                self.atoms.append((form, sign))
            case Has() | Property() | Names() | Others():
                return self.object_atom(form, sign)
            case Item() | Rest() | Distinct():
                return self.array_atom(form, sign)
            case _:
                self.atoms.append((form, sign))
        return True

    def size(self, least: int, sign: bool) -> bool:
        if sign:
            self.least = max(self.least, least)
        else:
            self.most = least - 1 if self.most is None else min(self.most, least - 1)
        return self.most is None or self.least <= self.most

    def object_atom(self, form: Form, sign: bool) -> bool:
        match form:
            case Has(name):
                (self.has if sign else self.lacks).add(name)
                return name not in self.has or name not in self.lacks
            case Property(name, part):
                self.parts[name] = self.parts.get(name, _NONE) | {(part, sign)}
                if not sign:
                    self.has.add(name)
                return name not in self.has or name not in self.lacks
            case _:
                (self.rules if sign else self.somewhere).append(form)
                return sign or self.size(1, True)

    def array_atom(self, form: Form, sign: bool) -> bool:
        match form:
            case Item(index, part):
                self.parts[index] = self.parts.get(index, _NONE) | {(part, sign)}
                return sign or self.size(index + 1, True)
            case Rest(start, _):
                (self.rules if sign else self.somewhere).append(form)
                return sign or self.size(start + 1, True)
            case _:
                self.atoms.append((form, sign))
                return sign or self.size(2, True)

    # --- what is known of a part ------------------------------------------------------------------------------------

    def of_property(self, name: str) -> State:
        """The state of the property of a name, if it is there."""
        known = self.parts.get(name, _NONE)
        more = [(r.form, True) for r in self.rules if isinstance(r, Others) and applies(r, name)]
        return known.union(more) if more else known

    def of_item(self, index: int) -> State:
        """The state of the item at an index, if it is there."""
        known = self.parts.get(index, _NONE)
        more = [(r.form, True) for r in self.rules if isinstance(r, Rest) and r.start <= index]
        return known.union(more) if more else known

    @property
    def fixed(self) -> int:
        """From this index on, all items are in the same."""
        starts = [r.start for r in (*self.rules, *self.somewhere) if isinstance(r, Rest)]
        return max([*(i + 1 for i in self.parts), *starts], default=0)


_NONE: State = frozenset()
