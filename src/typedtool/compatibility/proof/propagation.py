"""Unit propagation: the clauses of a conjunction, made smaller by what is known already.

`status` says of a literal, without adding it, whether it is impossible (False), true already (True) or open (None).
That keeps the search from trying each way in which one object can differ from forty others.
"""

from __future__ import annotations

from typedtool.compatibility.proof.conjunction import Conjunction
from typedtool.compatibility.proof.forms import (
    OBJECT,
    All,
    Form,
    Has,
    Item,
    Later,
    Literal,
    Names,
    Not,
    Opaque,
    Others,
    Property,
    Rest,
    Sized,
    Some,
    Text,
)
from typedtool.compatibility.proof.positions import positions_outside
from typedtool.compatibility.proof.search import Search

__all__ = ["propagate"]


def propagate(search: Search, conjunction: Conjunction) -> bool:
    """Drop the clauses that hold already and the literals that cannot; False when a clause has no literal left."""
    positive = any(sign for sign, _ in conjunction.clauses)
    changed = True
    while changed:
        changed = False
        clauses, conjunction.clauses = conjunction.clauses, []
        for i, (sign, literals) in enumerate(clauses):
            if positive and not sign:
                conjunction.clauses.append((sign, literals))
                continue
            open_ = _open(search, conjunction, literals)
            if open_ is None:
                continue
            if len(open_) > 1:
                conjunction.clauses.append((sign, open_))
                continue
            if not open_ or not conjunction.push(*open_[0]):
                return False
            conjunction.clauses.extend(clauses[i + 1 :])
            changed = True
            break
        was, positive = positive, any(sign for sign, _ in conjunction.clauses)
        changed = changed or was != positive
    return True


def _open(
    search: Search, conjunction: Conjunction, literals: tuple[Literal, ...]
) -> tuple[Literal, ...] | None:
    """The literals that are still possible, None when one of them is true already."""
    found: list[Literal] = []
    for form, sign in literals:
        known = status(search, conjunction, form, sign)
        if known:
            return None
        if known is None:
            found.append((form, sign))
    return tuple(found)


def status(search: Search, conjunction: Conjunction, form: Form, sign: bool) -> bool | None:
    """False: the literal is impossible; True: it holds already; None: it is open."""
    search.spend()
    match form:
        case Later():
            return status(search, conjunction, form.get(), sign)
        case Not():
            return status(search, conjunction, form.part, not sign)
        case All() | Some():
            every = isinstance(form, All) == sign
            known: bool | None = every
            for part in form.parts:
                found = status(search, conjunction, part, sign)
                if found is not None and found != every:
                    return found
                known = known if found is not None else None
            return known
        case Has():
            return _of_has(search, conjunction, form.name, sign)
        case Property() if conjunction.kind == OBJECT:
            return _of_property(search, conjunction, form, sign)
        case _:
            return _of_atom(search, conjunction, form, sign)


def _of_atom(search: Search, conjunction: Conjunction, form: Form, sign: bool) -> bool | None:
    decided = conjunction.plain(form, sign)
    if decided is not None:
        return decided
    match form:
        case Text():
            known = conjunction.texts.get(form.key)
            return None if known is None else known == sign
        case Opaque():
            known = conjunction.opaque.get(form)
            return None if known is None else known == sign
        case Sized():
            if conjunction.least >= form.least:
                return sign
            return not sign if conjunction.most is not None and conjunction.most < form.least else None
        case Item():
            return _of_item(search, conjunction, form, sign)
        case Rest() | Others() | Names() if not sign:
            return None if any(True for _ in positions_outside(search, conjunction, form)) else False
        case _:
            return None


def _of_has(search: Search, conjunction: Conjunction, name: str, sign: bool) -> bool | None:
    if conjunction.kind != OBJECT or name in conjunction.has:
        return sign
    if name in conjunction.lacks or search.is_empty(conjunction.of_property(name)):
        return not sign
    return None


def _of_property(search: Search, conjunction: Conjunction, form: Property, sign: bool) -> bool | None:
    if form.name in conjunction.lacks:
        return sign
    known = conjunction.of_property(form.name)
    if search.is_empty(known | {(form.form, False)}):
        return sign
    if form.name in conjunction.has and search.is_empty(known | {(form.form, True)}):
        return not sign
    return None


def _of_item(search: Search, conjunction: Conjunction, form: Item, sign: bool) -> bool | None:
    if conjunction.most is not None and conjunction.most <= form.index:
        return sign
    known = conjunction.of_item(form.index)
    if search.is_empty(known | {(form.form, False)}):
        return sign
    if conjunction.least > form.index and search.is_empty(known | {(form.form, True)}):
        return not sign
    return None
