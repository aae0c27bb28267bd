"""What a schema refuses about a value, as `Problem`s: one vocabulary, whichever engine found it.

Words come from the keyword and from the schema, never from the value: results hold secrets.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from typedtool.errors import Problem, kind_of
from typedtool.schemas.keywords import HOLDERS, KEYWORDS, expected
from typedtool.values.guards import is_dict
from typedtool.values.locations import json_path
from typedtool.values.wording import sized

__all__ = ["Failure", "problem_told", "problems_of", "unexplained"]

_MISSING = frozenset(["required", "dependentRequired", "dependencies"])
_EXTRA = frozenset(["additionalProperties", "unevaluatedProperties", "unevaluatedItems"])


class Failure(Struct, frozen=True):
    """One keyword that refuses a value.

    steps: the way to `instance` in the value; rule: the way to the keyword in the schema.
    schema: what holds the keyword.
    branches: what each schema of a failed `anyOf` or `oneOf` found, or that of `propertyNames` about the name.
    extra: the property or the item that is missing, or one too many.
    """

    keyword: str
    expected: Any
    instance: Any
    steps: tuple[Any, ...]
    rule: tuple[Any, ...]
    schema: Any = None
    branches: tuple[tuple[Failure, ...], ...] = ()
    extra: Any = None


def unexplained(value: Any) -> Problem:
    """The problem of a refused value whose explanation would exceed the budget."""
    expected = "a value that the schema allows (not explained within the budget)"
    return Problem("schema", "$", expected, kind_of(value))


def problems_of(failure: Failure, before: Sequence[Any] = ()) -> list[Problem]:
    """The problems of one failure.

    For a failed `anyOf` or `oneOf`: those of the branch that got deepest into the value, where one did; else the
    kinds that would do, where every branch only refuses the kind; else that none of so many alternatives fits.
    """
    steps = [*before, *failure.steps]
    keyword, value = failure.keyword, failure.instance
    if keyword == "propertyNames" and failure.branches:
        return [_name_problem(failure, steps)]
    if failure.branches:
        deepest = _deepest(failure.branches)
        if deepest is not None:
            return [problem for inner in deepest for problem in problems_of(inner, steps)]
        if kinds := _kinds(failure.branches):
            return [Problem("type", json_path(steps), " or ".join(kinds), kind_of(value))]
    if failure.extra is not None and keyword in _MISSING:
        wanted = _words_of_property(failure.schema, failure.extra)
        return [Problem(keyword, json_path([*steps, failure.extra]), wanted, "nothing")]
    if failure.extra is not None and keyword in _EXTRA:
        below = value[failure.extra]
        return [Problem(keyword, json_path([*steps, failure.extra]), _nothing(keyword), kind_of(below))]
    if keyword == "not" and failure.expected == {}:
        keyword = _holder(failure.rule)
        return [Problem(keyword, json_path(steps), _nothing(keyword), kind_of(value))]
    return [
        Problem(keyword, json_path(steps), expected(keyword, failure.expected), _received(keyword, value))
    ]


def problem_told(told: Any, value: Any) -> Problem:
    """The problem of one error of jsonschema-rs (`engines.rust.Told`), which tells less than a `Failure`."""
    at = value
    for step in told.path:
        at = at[step]
    keyword, extra, steps = told.keyword, told.extra, list(told.path)
    if extra is not None and keyword in _MISSING:
        return Problem(keyword, json_path([*steps, extra]), "a value", "nothing")
    if told.refuses_all and keyword == "additionalProperties" and is_dict(at):
        extra = next(iter(at), None)  # no property is known: each is one too many
    if keyword in _EXTRA and is_dict(at) and extra in at:
        return Problem(keyword, json_path([*steps, extra]), _nothing(keyword), kind_of(at[extra]))
    if told.refuses_all or keyword in _EXTRA:
        return Problem(keyword, json_path(steps), _nothing(keyword), kind_of(at))
    if told.held is not None:
        words = expected(keyword, told.held)
    elif keyword in ("anyOf", "oneOf"):
        words = f"{'exactly one' if keyword == 'oneOf' else 'one'} of the alternatives"
    else:
        words = f"what {keyword} allows"
    return Problem(keyword, json_path(steps), words, _received(keyword, at))


def _received(keyword: str, value: Any) -> str:
    return kind_of(value) if keyword == "type" else sized(value)


def _nothing(keyword: str) -> str:
    """What a keyword expects whose schema is False."""
    known = KEYWORDS.get(keyword)
    judged = known.subschemas.where if known is not None and known.subschemas is not None else "same"
    if known is None or judged == "same":
        return "no value"
    return "no such item" if known.kind == "array" else "no such property"


def _words_of_property(schema: Any, name: Any) -> str:
    """The `type` of a property in words, where `properties` gives it."""
    properties = schema.get("properties") if is_dict(schema) else None
    held = properties.get(name) if is_dict(properties) else None
    return expected("type", held["type"]) if is_dict(held) and "type" in held else "a value"


def _name_problem(failure: Failure, steps: Sequence[Any]) -> Problem:
    name = failure.extra
    inner = problems_of(failure.branches[0][0])[0]
    where = json_path([*steps, name])
    if inner.code not in KEYWORDS:  # `propertyNames: false`
        return Problem("propertyNames", where, _nothing("propertyNames"), kind_of(failure.instance[name]))
    return Problem("propertyNames", where, f"{inner.expected} as the property's name", sized(name))


def _holder(rule: Sequence[Any]) -> str:
    """The keyword whose schema is False (and written as `not: {}`): the last one on the way."""
    found = [step for step in rule[:-1] if isinstance(step, str) and step in HOLDERS]
    return found[-1] if found else "false"


# --- the branch that was meant -----------------------------------------------------------------------------------


def _deepest(branches: Sequence[Sequence[Failure]]) -> Sequence[Failure] | None:
    """The branch that was meant: the one that failed deepest in the value, with the fewest failures; None if unclear.

    A branch whose tag (a `const` or `enum` on a property) is refused ranks behind one whose tag holds.
    """
    ranked = sorted(branches, key=_rank, reverse=True)
    best = _rank(ranked[0])
    if not best[0] or (len(ranked) > 1 and _rank(ranked[1])[:3] == best[:3] and not best[2]):
        return None
    if not best[1] and sum(_rank(branch)[0] for branch in ranked) > 1:
        return None  # no tag fits: which one was meant is not known
    return ranked[0]


def _rank(branch: Sequence[Failure]) -> tuple[bool, bool, int, int]:
    kind_fits = not any(f.keyword == "type" and not f.steps for f in branch)
    tag_fits = not any(f.keyword in ("const", "enum") and len(f.steps) <= 1 for f in branch)
    return kind_fits, tag_fits, max(map(_reach, branch), default=0), -len(branch)


def _reach(failure: Failure) -> int:
    below = max((_reach(inner) for branch in failure.branches for inner in branch), default=0)
    return len(failure.steps) + below


def _kinds(branches: Sequence[Sequence[Failure]]) -> list[str]:
    kinds: dict[str, None] = {}
    for branch in branches:
        if len(branch) != 1 or branch[0].keyword != "type" or branch[0].steps:
            return []
        kinds[expected("type", branch[0].expected)] = None
    return list(kinds)
