"""Whether one JSON value is in a form: `Membership(spend).is_in(value, form)`, in three values."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from typedtool.compatibility.proof.forms import (
    ALWAYS,
    NEVER,
    All,
    Among,
    Distinct,
    Form,
    Has,
    Item,
    KindIs,
    Later,
    Multiple,
    Names,
    Not,
    Opaque,
    Others,
    Property,
    Rest,
    Sized,
    Some,
    Text,
    Under,
    atom_kinds,
    canonical,
    fraction,
    kind_bit,
)

__all__ = ["Membership", "applies"]


class Membership:
    """Decides whether values are in forms. It calls `spend` at each step, which raises when none are left.

    why: the reason of the last form that did not know.
    """

    def __init__(self, spend: Callable[[], None]) -> None:
        self.spend = spend
        self.why: str = ""

    def is_in(self, value: Any, form: Form) -> bool | None:
        """Whether the value is in the form; None when the form does not know."""
        self.spend()
        if not atom_kinds(form) & kind_bit(value):
            return True
        match form:
            case All():
                return self.all(self.is_in(value, part) for part in form.parts)
            case Some():
                found = self.all(_flip(self.is_in(value, part)) for part in form.parts)
                return _flip(found)
            case Not():
                return _flip(self.is_in(value, form.part))
            case Later():
                return self.is_in(value, form.get())
            case KindIs():
                return bool(form.kinds & kind_bit(value))
            case Among():
                return canonical(value) in form.keys
            case Opaque():
                found = None if form.test is None else form.test(value)
                self.why = self.why if found is not None else form.why
                return found
            case _:
                return self.atom(value, form)

    def all(self, verdicts: Iterable[bool | None]) -> bool | None:
        """False when one is, else None when one is, else True."""
        known: bool | None = True
        for verdict in verdicts:
            if verdict is False:
                return False
            known = known if verdict else None
        return known

    def atom(self, value: Any, form: Form) -> bool | None:
        match form:
            case Under():
                return bool(value <= form.limit if form.inclusive else value < form.limit)
            case Multiple():
                return (fraction(value) / form.of).denominator == 1
            case Sized():
                return len(value) >= form.least
            case Text():
                found = form.test(value)
                self.why = self.why if found is not None else form.what
                return found
            case Item():
                return self.is_in(value[form.index], form.form) if form.index < len(value) else True
            case Rest():
                return self.all(self.is_in(item, form.form) for item in value[form.start :])
            case Distinct():
                return len(set(map(canonical, value))) == len(value)
            case Has():
                return form.name in value
            case Property():
                return self.is_in(value[form.name], form.form) if form.name in value else True
            case Names():
                return self.all(self.is_in(name, form.form) for name in value)
            case Others():
                return self.others(value, form)
            case _:
                return form is not NEVER if form in (ALWAYS, NEVER) else None

    def others(self, value: dict[str, Any], form: Others) -> bool | None:
        known: bool | None = True
        for name, part in value.items():
            there = applies(form, name)
            if there is False:
                continue
            found = self.is_in(part, form.form)
            if found is False and there:
                return False
            if found is not True:
                known = None
        return known


def _flip(verdict: bool | None) -> bool | None:
    return None if verdict is None else not verdict


def applies(form: Others, name: str) -> bool | None:
    """Whether the form applies to the property of this name; None when a pattern cannot tell."""
    if name in form.names:
        return False
    known: bool | None = True
    for pattern in form.patterns:
        found = pattern.test(name)
        if found:
            return False
        known = known if found is False else None
    if form.within is not None:
        found = form.within.test(name)
        if not found:
            return found
    return known
