"""Where in an object or an array a property or an item could be that is outside of a form."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import TYPE_CHECKING, Any

from msgspec import UNSET

from typedtool.compatibility.proof.answers import Answer
from typedtool.compatibility.proof.forms import (
    STRING,
    Form,
    KindIs,
    Literal,
    Names,
    Others,
    Rest,
    Text,
    among,
)
from typedtool.compatibility.proof.judging import applies

if TYPE_CHECKING:
    from typedtool.compatibility.proof.branches import Branch
    from typedtool.compatibility.proof.solving import Solver

__all__ = ["Place", "explicit_names", "fresh_names", "places_of_item", "places_of_name", "places_of_property"]

Place = tuple[Any, frozenset[Literal]]
"""A name or an index, and what stands there is in. A name of None is one that could not be made up."""

_STRINGS = KindIs(STRING)
_MOST_PATTERNS = 4


def explicit_names(branch: Branch) -> set[str]:
    """The names that the branch speaks of one by one."""
    names: set[str] = set(branch.parts) | branch.has | branch.lacks
    for form in (*branch.rules, *branch.somewhere):
        if isinstance(form, Others):
            names |= form.names
    return names


def name_allowed(solver: Solver, branch: Branch, name: str) -> bool:
    """Whether what the branch says of names leaves this one; true where that is not known."""
    return all(
        solver.judging.holds(name, rule.form) is not False for rule in branch.rules if isinstance(rule, Names)
    )


def fresh_names(
    solver: Solver, branch: Branch, form: Form | None = None, named: frozenset[Literal] = frozenset()
) -> Iterator[tuple[Answer, frozenset[Literal], frozenset[Any] | None]]:
    """All other names, by the patterns that they match: one such name, what its property is in, and the keys of those
    patterns (None where there are too many to tell).

    form: a further form whose patterns count. named: what else the name is in.
    """
    rules = [r for r in branch.rules if isinstance(r, Others)]
    patterns: dict[Any, Text] = {}
    for rule in (*rules, *((form,) if isinstance(form, Others) else ())):
        for text in (*rule.patterns, *((rule.within,) if rule.within is not None else ())):
            patterns[text.key] = text
    texts = tuple(patterns.values())
    if len(texts) > _MOST_PATTERNS:
        yield Answer(why="there are too many patterns for property names"), frozenset(), None
        return
    named |= frozenset((r.form, True) for r in branch.rules if isinstance(r, Names))
    outside = (among(sorted(explicit_names(branch))), False)
    for signs in product((False, True), repeat=len(texts)):
        keys = frozenset(text.key for text, sign in zip(texts, signs) if sign)
        name = solver.solve(named | {(_STRINGS, True), outside, *zip(texts, signs)})
        if not name.empty:
            yield name, frozenset((r.form, True) for r in rules if covers(r, keys)), keys


def covers(rule: Others, keys: frozenset[Any]) -> bool:
    """Whether a rule speaks of the names that match these patterns and no others."""
    return not any(p.key in keys for p in rule.patterns) and (rule.within is None or rule.within.key in keys)


def places_of_property(solver: Solver, branch: Branch, form: Others) -> Iterator[Place]:
    """The properties that could be outside of what `form` says of them."""
    wanted: Literal = (form.form, False)
    for name in sorted(explicit_names(branch) | form.names):
        if name in branch.lacks or applies(form, name) is False or not name_allowed(solver, branch, name):
            continue
        state = branch.of_property(name) | {wanted}
        if not solver.is_empty(state):
            yield name, state
    for found, state, keys in fresh_names(solver, branch, form):
        if (keys is None or covers(form, keys)) and not solver.is_empty(state | {wanted}):
            yield (None if found.value is UNSET else found.value), state | {wanted}


def places_of_name(solver: Solver, branch: Branch, form: Names) -> Iterator[Place]:
    """The names that could be outside of what `form` says of names."""
    for name in sorted(explicit_names(branch)):
        if name in branch.lacks or solver.judging.holds(name, form.form) is True:
            continue
        if name_allowed(solver, branch, name) and not solver.is_empty(branch.of_property(name)):
            yield name, branch.of_property(name)
    for name_found, state, _ in fresh_names(solver, branch, named=frozenset({(form.form, False)})):
        if not solver.is_empty(state):
            yield (None if name_found.value is UNSET else name_found.value), state


def places_of_item(solver: Solver, branch: Branch, form: Rest) -> Iterator[Place]:
    """The indices at which an item could be outside of what `form` says of it."""
    last = max(branch.fixed, form.start)
    for index in range(last + 1):
        if branch.most is not None and index >= branch.most:
            return
        state = branch.of_item(index)
        if index >= form.start and not solver.is_empty(state | {(form.form, False)}):
            yield index, state | {(form.form, False)}
        if solver.is_empty(state):
            return
