"""One conjunction of atoms about one kind of value: what the search builds up, branch by branch.

`push` adds a literal, and is False where the branch became empty. `status` says of a literal, without adding it,
whether it is impossible here (False), true already (True) or open (None): that is what keeps the search from trying
every way in which one object can differ from forty others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from typedtool.compatibility.proof.forms import (
    OBJECT,
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
    Text,
    atom_kinds,
)
from typedtool.compatibility.proof.judging import applies

if TYPE_CHECKING:
    from typedtool.compatibility.proof.solving import Solver

__all__ = ["Branch"]


class Branch:
    """What is known of the values of one kind.

    among: the values it may still be, None where that is open. least, most: their size.
    atoms: the other literals. choices: disjunctions not yet decided, each with whether it came from a positive form.
    has, lacks: names of properties that are there, that are not. parts: what each property or item is in.
    """

    def __init__(self, solver: Solver, kind: int) -> None:
        self.solver: Solver = solver
        self.kind = kind
        self.among: list[Among] = []
        self.excluded: set[Any] = set()
        self.least: int = 0
        self.most: int | None = None
        self.atoms: list[Literal] = []
        self.texts: dict[Any, bool] = {}
        self.opaque: dict[Form, bool] = {}
        self.choices: list[tuple[bool, tuple[Literal, ...]]] = []
        self.has: set[str] = set()
        self.lacks: set[str] = set()
        self.parts: dict[Any, frozenset[Literal]] = {}
        self.rules: list[Form] = []
        self.somewhere: list[Form] = []

    def copy(self) -> Branch:
        new = Branch.__new__(Branch)
        new.solver, new.kind, new.least, new.most = self.solver, self.kind, self.least, self.most
        new.among, new.excluded, new.atoms = self.among[:], self.excluded.copy(), self.atoms[:]
        new.texts, new.opaque, new.choices = self.texts.copy(), self.opaque.copy(), self.choices[:]
        new.has, new.lacks, new.parts = self.has.copy(), self.lacks.copy(), self.parts.copy()
        new.rules, new.somewhere = self.rules[:], self.somewhere[:]
        return new

    # --- adding -------------------------------------------------------------------------------------------------

    def push(self, form: Form, sign: bool) -> bool:
        """Add a literal; False where nothing is left."""
        stack: list[Literal] = [(form, sign)]
        while stack:
            self.solver.spend()
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
                elif (left := self.possible(literals)) is not None:
                    if len(left) < 2:
                        stack.extend(left)
                    else:
                        self.choices.append((sign, left))
                    if not left:
                        return False
            elif (decided := self.plain(form, sign)) is not None:
                if not decided:
                    return False
            elif not self.atom(form, sign):
                return False
        return True

    def possible(self, literals: tuple[Literal, ...]) -> tuple[Literal, ...] | None:
        """The options that this kind leaves, None where it makes one of them true."""
        left: list[Literal] = []
        for form, sign in literals:
            decided = self.plain(form.part, not sign) if isinstance(form, Not) else self.plain(form, sign)
            if decided:
                return None
            if decided is None:
                left.append((form, sign))
        return tuple(left)

    def plain(self, form: Form, sign: bool) -> bool | None:
        """What a literal says by its kind alone; None where it has more to say."""
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

    def of_property(self, name: str) -> frozenset[Literal]:
        """What the property of a name is in, where it is there."""
        known = self.parts.get(name, _NONE)
        more = [(r.form, True) for r in self.rules if isinstance(r, Others) and applies(r, name)]
        return known.union(more) if more else known

    def of_item(self, index: int) -> frozenset[Literal]:
        """What the item at an index is in, where it is there."""
        known = self.parts.get(index, _NONE)
        more = [(r.form, True) for r in self.rules if isinstance(r, Rest) and r.start <= index]
        return known.union(more) if more else known

    @property
    def fixed(self) -> int:
        """From this index on, all items are in the same."""
        starts = [r.start for r in (*self.rules, *self.somewhere) if isinstance(r, Rest)]
        return max([*(i + 1 for i in self.parts), *starts], default=0)

    # --- asking ---------------------------------------------------------------------------------------------------

    def status(self, form: Form, sign: bool) -> bool | None:
        """False: impossible here; True: so already; None: open."""
        self.solver.spend()
        match form:
            case Later():
                return self.status(form.get(), sign)
            case Not():
                return self.status(form.part, not sign)
            case All() | Some():
                every = isinstance(form, All) == sign
                known: bool | None = every
                for part in form.parts:
                    found = self.status(part, sign)
                    if found is not None and found != every:
                        return found
                    known = known if found is not None else None
                return known
            case Has():
                return self.status_of_has(form.name, sign)
            case Property() if self.kind == OBJECT:
                return self.status_of_property(form, sign)
            case _:
                return self.status_of_atom(form, sign)

    def status_of_atom(self, form: Form, sign: bool) -> bool | None:
        decided = self.plain(form, sign)
        if decided is not None:
            return decided
        match form:
            case Text():
                known = self.texts.get(form.key)
                return None if known is None else known == sign
            case Opaque():
                known = self.opaque.get(form)
                return None if known is None else known == sign
            case Sized():
                if self.least >= form.least:
                    return sign
                return not sign if self.most is not None and self.most < form.least else None
            case Item(index, part):
                return self.status_of_item(index, part, sign)
            case Rest() | Others() | Names() if not sign:
                return None if self.solver.somewhere(self, form) else False
            case _:
                return None

    def status_of_has(self, name: str, sign: bool) -> bool | None:
        if self.kind != OBJECT:
            return sign
        if name in self.has:
            return sign
        if name in self.lacks or self.solver.is_empty(self.of_property(name)):
            return not sign
        return None

    def status_of_property(self, form: Property, sign: bool) -> bool | None:
        name = form.name
        if name in self.lacks:
            return sign
        known = self.of_property(name)
        if self.solver.is_empty(known | {(form.form, False)}):
            return sign
        if name in self.has and self.solver.is_empty(known | {(form.form, True)}):
            return not sign
        return None

    def status_of_item(self, index: int, part: Form, sign: bool) -> bool | None:
        if self.most is not None and self.most <= index:
            return sign
        known = self.of_item(index)
        if self.solver.is_empty(known | {(part, False)}):
            return sign
        if self.least > index and self.solver.is_empty(known | {(part, True)}):
            return not sign
        return None


_NONE: frozenset[Literal] = frozenset()
