"""The positions in an object or an array where a property, a name or an item can be outside of a form."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from msgspec import UNSET

from typedtool.compatibility.proof.conjunction import Conjunction
from typedtool.compatibility.proof.forms import (
    OBJECT,
    STRING,
    Form,
    KindIs,
    Literal,
    Names,
    Others,
    Rest,
    State,
    Text,
    among,
)
from typedtool.compatibility.proof.membership import applies
from typedtool.compatibility.proof.search import Answer, Search

__all__ = ["explicit_names", "fresh_names", "name_allowed", "positions_outside"]

Position = tuple[Any, State]
"""A name or an index, and the state of what is there. The name None stands for one that could not be made up."""

_STRINGS = KindIs(STRING)
_MOST_PATTERNS = 4


def positions_outside(search: Search, conjunction: Conjunction, form: Form) -> Iterator[Position]:
    """The positions whose value, or name, can be outside of what `form` demands of all."""
    if conjunction.kind == OBJECT and isinstance(form, Others):
        return _properties_outside(search, conjunction, form)
    if conjunction.kind == OBJECT and isinstance(form, Names):
        return _names_outside(search, conjunction, form)
    return _items_outside(search, conjunction, form) if isinstance(form, Rest) else iter(())


def explicit_names(conjunction: Conjunction) -> set[str]:
    """The names that the conjunction mentions one by one."""
    names: set[str] = set(conjunction.parts) | conjunction.has | conjunction.lacks
    for form in (*conjunction.rules, *conjunction.somewhere):
        if isinstance(form, Others):
            names |= form.names
    return names


def name_allowed(search: Search, conjunction: Conjunction, name: str) -> bool:
    """Whether the conjunction allows a property of this name; true when that is not known."""
    return all(
        search.membership.is_in(name, rule.form) is not False
        for rule in conjunction.rules
        if isinstance(rule, Names)
    )


def fresh_names(
    search: Search, conjunction: Conjunction, form: Form | None = None, named: State = frozenset()
) -> Iterator[tuple[Answer, State, frozenset[Any] | None]]:
    """All other names, by the patterns that they match: one such name, the state of its property, and the keys of those
    patterns (None when there are too many to tell).

    form: a further form whose patterns count. named: a further state of the name.
    """
    rules = [r for r in conjunction.rules if isinstance(r, Others)]
    patterns: dict[Any, Text] = {}
    for rule in (*rules, *((form,) if isinstance(form, Others) else ())):
        for text in (*rule.patterns, *((rule.within,) if rule.within is not None else ())):
            patterns[text.key] = text
    texts = tuple(patterns.values())
    if len(texts) > _MOST_PATTERNS:
        yield Answer(why="there are too many patterns for property names"), frozenset(), None
        return
    named |= frozenset((r.form, True) for r in conjunction.rules if isinstance(r, Names))
    outside = (among(sorted(explicit_names(conjunction))), False)
    for signs in product((False, True), repeat=len(texts)):
        keys = frozenset(text.key for text, sign in zip(texts, signs) if sign)
        name = search.solve(named | {(_STRINGS, True), outside, *zip(texts, signs)})
        if not name.empty:
            yield name, frozenset((r.form, True) for r in rules if _covers(r, keys)), keys


def _covers(rule: Others, keys: frozenset[Any]) -> bool:
    """Whether a rule applies to the names that match these patterns and no others."""
    return not any(p.key in keys for p in rule.patterns) and (rule.within is None or rule.within.key in keys)


def _properties_outside(search: Search, conjunction: Conjunction, form: Others) -> Iterator[Position]:
    """The properties that can be outside of the form of their values."""
    wanted: Literal = (form.form, False)
    for name in sorted(explicit_names(conjunction) | form.names):
        if (
            name in conjunction.lacks
            or applies(form, name) is False
            or not name_allowed(search, conjunction, name)
        ):
            continue
        state = conjunction.of_property(name) | {wanted}
        if not search.is_empty(state):
            yield name, state
    for found, state, keys in fresh_names(search, conjunction, form):
        if (keys is None or _covers(form, keys)) and not search.is_empty(state | {wanted}):
            yield (None if found.value is UNSET else found.value), state | {wanted}


def _names_outside(search: Search, conjunction: Conjunction, form: Names) -> Iterator[Position]:
    """The names that can be outside of the form of names."""
    for name in sorted(explicit_names(conjunction)):
        if name in conjunction.lacks or search.membership.is_in(name, form.form) is True:
            continue
        if name_allowed(search, conjunction, name) and not search.is_empty(conjunction.of_property(name)):
            yield name, conjunction.of_property(name)
    for name_found, state, _ in fresh_names(search, conjunction, named=frozenset({(form.form, False)})):
        if not search.is_empty(state):
            yield (None if name_found.value is UNSET else name_found.value), state


def _items_outside(search: Search, conjunction: Conjunction, form: Rest) -> Iterator[Position]:
    """The indices at which an item can be outside of the form of items."""
    last = max(conjunction.fixed, form.start)
    for index in range(last + 1):
        if conjunction.most is not None and index >= conjunction.most:
            return
        state = conjunction.of_item(index)
        if index >= form.start and not search.is_empty(state | {(form.form, False)}):
            yield index, state | {(form.form, False)}
        if search.is_empty(state):
            return
