"""What a schema refused about a value, as `Problem`s: one vocabulary, whichever engine found it.

Words come from the keyword and from the schema, never from the value: results hold secrets.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from typedtool.errors import Problem, cut, kind_of, named
from typedtool.values.guards import is_dict, is_list
from typedtool.values.locations import json_path

__all__ = ["expected", "loosely", "problems_of", "received", "unexplained"]

_LONGEST = 160


def _count(noun: str, bound: str) -> Callable[[Any], str]:
    plural = "properties" if noun == "property" else noun + "s"

    def words(limit: Any) -> str:
        return f"{bound} {limit:g} {noun if limit == 1 else plural}"

    return words


def _number(limit: Any) -> str:
    return cut(json.dumps(limit), 30) if isinstance(limit, (int, float)) else "a number"


def _literal(value: Any) -> str:
    """A value of the schema in words: itself where it is small."""
    if is_dict(value) or is_list(value):
        return f"one {kind_of(value)}"
    return cut(json.dumps(value, ensure_ascii=False), 40)


def _one_of_values(values: Any) -> str:
    if not is_list(values) or len(values) > 1:
        return f"one of {len(values)} values"
    return _literal(values[0]) if values else "nothing at all"


_WORDS: dict[str, Callable[[Any], str]] = {
    "type": lambda types: types if isinstance(types, str) else " or ".join(map(str, types)),
    "enum": _one_of_values,
    "const": _literal,
    "minimum": lambda limit: f"at least {_number(limit)}",
    "maximum": lambda limit: f"at most {_number(limit)}",
    "exclusiveMinimum": lambda limit: f"more than {_number(limit)}",
    "exclusiveMaximum": lambda limit: f"less than {_number(limit)}",
    "multipleOf": lambda divisor: f"a multiple of {_number(divisor)}",
    "minLength": _count("character", "at least"),
    "maxLength": _count("character", "at most"),
    "minItems": _count("item", "at least"),
    "maxItems": _count("item", "at most"),
    "minProperties": _count("property", "at least"),
    "maxProperties": _count("property", "at most"),
    "pattern": lambda pattern: f"a string that matches {named(pattern, 60)}",
    "format": lambda name: f"a string of format {named(name, 40)}",
    "uniqueItems": lambda _: "items that differ",
    "contains": lambda _: "an item as contains wants it",
    "minContains": lambda least: f"at least {least} items as contains wants them",
    "maxContains": lambda most: f"at most {most} items as contains wants them",
    "not": lambda _: "a value that not refuses",
    "anyOf": lambda schemas: f"one of {len(schemas)} alternatives",
    "oneOf": lambda schemas: f"exactly one of {len(schemas)} alternatives",
    "propertyNames": lambda _: "other property names",
    "contentEncoding": lambda name: f"a string in {named(name, 40)}",
    "contentMediaType": lambda name: f"a string of {named(name, 40)}",
}
_SIZED = frozenset(["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"])
_NAMING = {
    "required": "property",
    "dependentRequired": "property",
    "dependencies": "property",
    "additionalProperties": "no property",
    "unevaluatedProperties": "no property",
    "unevaluatedItems": "no item",
}


def expected(keyword: str, held: Any, extra: Any = None) -> str:
    """What `keyword` with the value `held` in the schema expects; `extra` is the property meant."""
    if keyword in _NAMING and extra is not None:
        return f"{_NAMING[keyword]} {json.dumps(cut(str(extra), 80), ensure_ascii=False)}"
    words = _WORDS.get(keyword)
    try:
        return cut(words(held), _LONGEST) if words else f"what {keyword} allows"
    except (TypeError, ValueError):
        return f"what {keyword} allows"


def loosely(keyword: str) -> str:
    """What `keyword` expects, where its value in the schema is not known."""
    if keyword in ("anyOf", "oneOf"):
        return f"{'exactly one' if keyword == 'oneOf' else 'one'} of the alternatives"
    if keyword == "additionalProperties":
        return "no other property"
    return "nothing here" if keyword in _HOLDERS else f"what {keyword} allows"


def received(keyword: str, value: Any) -> str:
    """The kind of a value, with its size where that is what the keyword is about."""
    kind = kind_of(value)
    if keyword in _SIZED or keyword in ("required", "additionalProperties"):
        if isinstance(value, str):
            return f"{kind} of {_count('character', '')(len(value)).strip()}"
        if is_dict(value) or is_list(value):
            noun = "item" if is_list(value) else "property"
            return f"{kind} of {_count(noun, '')(len(value)).strip()}"
    return kind


def unexplained(value: Any) -> Problem:
    """What is said where the engine refuses a value and there is no time to find out why."""
    return Problem(
        "schema", "$", "a value that the schema allows (not explained within the budget)", kind_of(value)
    )


def problems_of(failure: Any, before: Sequence[Any] = ()) -> list[Problem]:
    """The problems of one failure (`engines.ticked.Failure`).

    For a failed `anyOf` or `oneOf`: those of the branch that got deepest into the value, where one did; the
    kinds that would do, where all branches only wanted another kind; else that none of so many alternatives
    fits.
    """
    steps = [*before, *failure.steps]
    if failure.branches:
        deepest = _deepest(failure.branches)
        if deepest is not None:
            return [problem for inner in deepest for problem in problems_of(inner, steps)]
    keyword = failure.keyword
    words = expected(keyword, failure.expected, failure.extra)
    if failure.branches:
        kinds = _kinds(failure.branches)
        words = " or ".join(kinds) if kinds else words
    elif keyword == "not" and failure.expected == {}:
        keyword, words = _owner(failure.rule), "nothing here"
    return [Problem(keyword, json_path(steps), words, received(keyword, failure.instance))]


def _owner(rule: Sequence[Any]) -> str:
    """The keyword that holds a schema which is False: the last one before its `not`."""
    names = [step for step in rule[:-1] if isinstance(step, str)]
    known = [name for name in names if name in _HOLDERS]
    return known[-1] if known else "false"


_HOLDERS = frozenset(
    [
        "properties",
        "patternProperties",
        "additionalProperties",
        "items",
        "prefixItems",
        "additionalItems",
        "unevaluatedItems",
        "unevaluatedProperties",
        "contains",
        "propertyNames",
        "allOf",
        "anyOf",
        "oneOf",
        "then",
        "else",
        "dependentSchemas",
        "$ref",
    ]
)


def _deepest(branches: Sequence[Sequence[Any]]) -> Sequence[Any] | None:
    """The branch whose failures lie deepest in the value, the fewest of them; None where none got anywhere.

    A branch that only fails beside its tag (a `const` or `enum` on a property of the value) is not taken for
    the one that was meant while another one's tag holds.
    """

    def reach(failure: Any) -> int:
        below = max((reach(inner) for branch in failure.branches for inner in branch), default=0)
        return len(failure.steps) + below

    def rank(branch: Sequence[Any]) -> tuple[bool, bool, int, int]:
        kind_fits = not any(f.keyword == "type" and not f.steps for f in branch)
        tag_fits = not any(f.keyword in ("const", "enum") and len(f.steps) <= 1 for f in branch)
        return kind_fits, tag_fits, max(map(reach, branch), default=0), -len(branch)

    if not branches:
        return None
    ranked = sorted(branches, key=rank, reverse=True)
    best = rank(ranked[0])
    if not best[0] or (len(ranked) > 1 and rank(ranked[1])[:3] == best[:3] and not best[2]):
        return None
    if not best[1] and sum(rank(branch)[0] for branch in ranked) > 1:
        return None  # no tag fits: which one was meant is not known
    return ranked[0]


def _kinds(branches: Sequence[Sequence[Any]]) -> list[str]:
    kinds: dict[str, None] = {}
    for branch in branches:
        if len(branch) != 1 or branch[0].keyword != "type" or branch[0].steps:
            return []
        kinds[expected("type", branch[0].expected)] = None
    return list(kinds)
