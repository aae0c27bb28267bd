"""What is said of a property beyond its type, in a few words each: for docstrings."""

from __future__ import annotations

import json

from typedtool.codegen.facts import Facts
from typedtool.codegen.patterns import same_in_python

__all__ = ["remarks_on"]

_TYPED = frozenset({"date", "uuid", "decimal"})
_LONGEST = 60


def remarks_on(facts: Facts) -> tuple[str, ...]:
    """A default, a format, what only validation holds.

    Example:
        >>> remarks_on(Facts((), default=(10,)))
        ('default 10',)
    """
    found: list[str] = []
    if facts.default and facts.default[0] is not None:
        shown = json.dumps(facts.default[0], sort_keys=True, ensure_ascii=False)
        found.append(f"default {shown}" if len(shown) <= _LONGEST else "a default")
    if facts.format and facts.format not in _TYPED:
        found.append(f"format {facts.format[:_LONGEST]}")
    if facts.pattern and not same_in_python(facts.pattern):
        found.append(f"pattern {facts.pattern}" if len(facts.pattern) <= _LONGEST else "a pattern")
    if facts.unique:
        found.append("no item twice")
    if facts.deprecated:
        found.append("deprecated")
    return (*found, *facts.kept)
