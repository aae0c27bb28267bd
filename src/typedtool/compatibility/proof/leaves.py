"""A branch without disjunctions: whether it is empty, and a value in it, kind by kind.

Empty is answered only on proof. A value is put together as well as can be and then judged: what is wrong with it can
make the answer "not known", never a wrong one.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from msgspec import UNSET

from typedtool.compatibility.proof.answers import EMPTY, Answer
from typedtool.compatibility.proof.forms import (
    ARRAY,
    BOOLEAN,
    NULL,
    NUMBER,
    STRING,
    Distinct,
    Literal,
    Multiple,
    Text,
    Under,
    among,
    fraction,
)
from typedtool.compatibility.proof.places import explicit_names, fresh_names, name_allowed

if TYPE_CHECKING:
    from typedtool.compatibility.proof.branches import Branch
    from typedtool.compatibility.proof.solving import Solver

__all__ = ["leaf"]

_LONGEST_TEXT = 5_000
_LONGEST = 64
_UNBUILT = "no value could be put together for what it says of {}"


def leaf(solver: Solver, branch: Branch, state: frozenset[Literal]) -> Answer:
    """What a branch of atoms holds."""
    if branch.kind == NULL:
        return _one_of(solver, (None,), state)
    if branch.kind == BOOLEAN:
        return _one_of(solver, (False, True), state)
    if branch.kind == NUMBER:
        return _number(solver, branch, state)
    if branch.kind == STRING:
        return _string(solver, branch, state)
    return _array(solver, branch, state) if branch.kind == ARRAY else _object(solver, branch, state)


def _one_of(solver: Solver, values: tuple[Any, ...], state: frozenset[Literal]) -> Answer:
    """The first of these values that is in the state: there are no others."""
    best = EMPTY
    for value in values:
        verdict = solver.judge(value, state)
        if verdict:
            return Answer(value=value, sure=True)
        if verdict is None:
            best = Answer(value=value, why=solver.judging.why)
    return best


def _first(solver: Solver, values: Iterator[Any], state: frozenset[Literal], why: str) -> Answer:
    """The first of these values that is in the state; where none is, nothing is known."""
    found = _one_of(solver, tuple(values), state)
    return Answer(why=why) if found.empty else found


# --- numbers --------------------------------------------------------------------------------------------------------


def _number(solver: Solver, branch: Branch, state: frozenset[Literal]) -> Answer:
    low, low_open, high, high_open = _interval(branch)
    if low > high or (low == high and (low_open or high_open)):
        return EMPTY
    if low == high:
        return _one_of(solver, (low,), state)
    steps = [form.of for form, sign in branch.atoms if isinstance(form, Multiple) and sign]
    step = _common(steps) if steps else None
    for form, sign in branch.atoms:
        if isinstance(form, Multiple) and not sign and step is not None and (step / form.of).denominator == 1:
            return EMPTY
    if step is not None and math.isfinite(high - low) and (fraction(high) - fraction(low)) / step < _LONGEST:
        first = math.ceil(fraction(low) / step)
        last = math.floor(fraction(high) / step)
        return _one_of(solver, tuple(_as_json(i * step) for i in range(first, last + 1)), state)
    return _first(solver, _numbers(low, high, step), state, "no number could be found for its bounds")


def _interval(branch: Branch) -> tuple[Any, bool, Any, bool]:
    """The bounds, and whether each is left out."""
    low, low_open, high, high_open = -math.inf, False, math.inf, False
    for form, sign in branch.atoms:
        if (
            isinstance(form, Under)
            and sign
            and (form.limit < high or (form.limit == high and not form.inclusive))
        ):
            high, high_open = form.limit, not form.inclusive
        elif (
            isinstance(form, Under)
            and not sign
            and (form.limit > low or (form.limit == low and form.inclusive))
        ):
            low, low_open = form.limit, form.inclusive
    return low, low_open, high, high_open


def _common(steps: list[Fraction]) -> Fraction:
    """The least common multiple."""
    top, bottom = steps[0].numerator, steps[0].denominator
    for step in steps[1:]:
        top = math.lcm(top, step.numerator)
        bottom = math.gcd(bottom, step.denominator)
    return Fraction(top, bottom)


def _as_json(value: Fraction) -> Any:
    if value.denominator == 1:
        return int(value)
    try:
        return float(value)
    except OverflowError:
        return 0


def _numbers(low: Any, high: Any, step: Fraction | None) -> Iterator[Any]:
    """Numbers to try, simple ones first."""
    near = [0, 1, -1, 0.5, 1.5, -0.5, 2, 3]
    for end, inwards in ((low, 1), (high, -1)):
        if math.isfinite(end):
            whole = math.ceil(end) if inwards > 0 else math.floor(end)
            near += [end, whole, whole + inwards, whole + 2 * inwards, end + inwards / 2, end + inwards / 7]
    if math.isfinite(low) and math.isfinite(high):
        near += [
            _as_json((fraction(low) + fraction(high)) / 2),
            _as_json(fraction(low) + (fraction(high) - fraction(low)) / 3),
        ]
    yield from near
    if step is not None:
        starts = {0, *(math.floor(fraction(end) / step) for end in (low, high) if math.isfinite(end))}
        yield from (_as_json((start + i) * step) for start in starts for i in range(-12, 13))
    yield from (10, 100, 1000, -10, -100, 0.25, 1e-9, 7, 11, 13, 97)


# --- strings --------------------------------------------------------------------------------------------------------

_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"
_COMMON = (
    "",
    "a",
    "A",
    "0",
    "1",
    "x-1",
    "a1",
    "a@b.example",
    "https://a.example/",
    "2020-01-01",
    "1.5",
    "a b",
    " ",
    "-",
)


def _string(solver: Solver, branch: Branch, state: frozenset[Literal]) -> Answer:
    if branch.most == 0:
        return _one_of(solver, ("",), state)
    if branch.least > _LONGEST_TEXT:
        return Answer(why="it demands very long strings")
    texts = [form for form, _ in branch.atoms if isinstance(form, Text)]
    why = (
        f"no string could be found for {' and '.join(sorted({t.what for t in texts}))}"
        if texts
        else _UNBUILT.format("strings")
    )
    return _first(solver, _strings(branch, texts), state, why)


def _strings(branch: Branch, texts: list[Text]) -> Iterator[str]:
    """Strings to try, short ones first."""
    least, most = branch.least, branch.most
    for sample in (*(s for text in texts for s in text.samples), *_COMMON):
        yield sample
        if len(sample) < least:
            yield sample + (sample[-1:] or "a") * (least - len(sample))
        if most is not None and len(sample) > most:
            yield sample[:most]
    size = max(least, 1)
    for i in range(min(len(branch.excluded), 2_000) + 2):
        tail, left = "", i
        while left or not tail:
            tail, left = _LETTERS[left % 36] + tail, left // 36
        yield tail.rjust(size, "x")


# --- arrays ---------------------------------------------------------------------------------------------------------


def _array(solver: Solver, branch: Branch, state: frozenset[Literal]) -> Answer:
    tail = branch.fixed
    for index in range(min(branch.least, tail + 1)):
        if solver.is_empty(branch.of_item(index)):
            return EMPTY
    distinct = {sign for form, sign in branch.atoms if isinstance(form, Distinct)}
    if len(distinct) > 1:
        return EMPTY
    chosen: dict[Any, frozenset[Literal]] = {}
    for form in branch.somewhere:
        if (answer := _place(solver, branch, form, chosen)) is not None:
            return answer
    length = max(branch.least, *(i + 1 for i in chosen), 0)
    if length > _LONGEST:
        return Answer(why="it demands very long arrays")
    if distinct == {False}:
        both = branch.of_item(0) | branch.of_item(1)
        chosen[0] = chosen[1] = both | chosen.get(0, both) | chosen.get(1, both)
    items: list[Any] = []
    for index in range(length):
        part = chosen.get(index, branch.of_item(index))
        if distinct == {True} and items:
            part = part | {(among(items), False)}
        found = solver.solve(part)
        if found.value is UNSET:
            return Answer(why=found.why or _UNBUILT.format("items"))
        items.append(found.value)
    return solver.built(items, state, _UNBUILT.format("items"))


def _place(solver: Solver, branch: Branch, form: Any, chosen: dict[Any, frozenset[Literal]]) -> Answer | None:
    """Choose a place that is outside of `form`, and note what is to stand there. An answer where there is none."""
    why = ""
    for place, part in solver.places(branch, form):
        both = part | chosen.get(place, part)
        found = solver.solve(both)
        if place is not None and found.value is not UNSET:
            chosen[place] = both
            return None
        why = found.why or _UNBUILT.format("property names")
    return Answer(why=why) if why else EMPTY


# --- objects --------------------------------------------------------------------------------------------------------


def _object(solver: Solver, branch: Branch, state: frozenset[Literal]) -> Answer:
    chosen: dict[Any, frozenset[Literal]] = {}
    for name in sorted(branch.has):
        chosen[name] = branch.of_property(name)
        if solver.is_empty(chosen[name]) or not name_allowed(solver, branch, name):
            return EMPTY
    if branch.most is not None and len(chosen) > branch.most:
        return EMPTY
    for form in branch.somewhere:
        if (answer := _place(solver, branch, form, chosen)) is not None:
            return answer
    if len(chosen) < branch.least and (answer := _fill(solver, branch, chosen)) is not None:
        return answer
    value: dict[str, Any] = {}
    for name, part in chosen.items():
        found = solver.solve(part)
        if found.value is UNSET:
            return Answer(why=found.why or _UNBUILT.format("properties"))
        value[name] = found.value
    return solver.built(value, state, _UNBUILT.format("properties"))


def _fill(solver: Solver, branch: Branch, chosen: dict[Any, frozenset[Literal]]) -> Answer | None:
    """Add properties until there are enough. An answer where that cannot be."""
    if branch.least > _LONGEST:
        return Answer(why="it demands very many properties")
    possible = 0
    for name in sorted(explicit_names(branch) - branch.lacks):
        part = branch.of_property(name)
        if solver.is_empty(part) or not name_allowed(solver, branch, name):
            continue
        possible += 1
        if len(chosen) < branch.least:
            chosen.setdefault(name, part)
    others = False
    for found, part, _ in fresh_names(solver, branch):
        if solver.is_empty(part):
            continue
        others = True
        for i in range(branch.least - len(chosen)) if found.value is not UNSET else ():
            chosen.setdefault(f"{found.value}{i or ''}", part)
    if not others and possible < branch.least:
        return EMPTY
    return None if len(chosen) >= branch.least else Answer(why=_UNBUILT.format("property names"))
