"""A conjunction without clauses: whether it is empty, and a witness in it, kind by kind.

Empty is answered only on proof. A witness is put together as well as it can be and then checked: what is wrong with it
can make the answer "not known", never a wrong one.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from msgspec import UNSET

from typedtool.compatibility.proof.conjunction import Conjunction
from typedtool.compatibility.proof.forms import (
    ARRAY,
    BOOLEAN,
    NULL,
    NUMBER,
    STRING,
    Distinct,
    Form,
    Multiple,
    State,
    Text,
    Under,
    among,
    canonical,
    fraction,
)
from typedtool.compatibility.proof.positions import (
    explicit_names,
    fresh_names,
    name_allowed,
    positions_outside,
)
from typedtool.compatibility.proof.search import EMPTY, Answer, Search

__all__ = ["witness"]

_LONGEST_TEXT = 5_000
_LONGEST = 64
_UNBUILT = "no value could be put together for what it says of {}"


def witness(search: Search, conjunction: Conjunction, state: State) -> Answer:
    """Whether a conjunction without clauses is empty, or a value of the state that is in it."""
    if conjunction.among:
        return _enumerated(search, conjunction, state)
    if conjunction.kind == NULL:
        return _one_of(search, (None,), state)
    if conjunction.kind == BOOLEAN:
        return _one_of(search, (False, True), state)
    if conjunction.kind == NUMBER:
        return _number(search, conjunction, state)
    if conjunction.kind == STRING:
        return _string(search, conjunction, state)
    if conjunction.kind == ARRAY:
        return _array(search, conjunction, state)
    return _object(search, conjunction, state)


def _enumerated(search: Search, conjunction: Conjunction, state: State) -> Answer:
    """The conjunction is one of a few values: each is checked."""
    first, *others = conjunction.among
    keys = first.keys - conjunction.excluded
    for form in others:
        keys &= form.keys
    return _one_of(search, tuple(v for v in first.values if canonical(v) in keys), state)


def _one_of(search: Search, values: tuple[Any, ...], state: State) -> Answer:
    """The first of these values that is in the state: there are no others."""
    best = EMPTY
    for value in values:
        search.spend()
        found = search.is_in(value, state)
        if found:
            return Answer(value=value, sure=True)
        if found is None:
            best = Answer(value=value, why=search.membership.why)
    return best


def _first(search: Search, values: Iterator[Any], state: State, why: str) -> Answer:
    """The first of these values that is in the state; when none is, nothing is known."""
    found = _one_of(search, tuple(values), state)
    return Answer(why=why) if found.empty else found


# --- numbers --------------------------------------------------------------------------------------------------------


def _number(search: Search, conjunction: Conjunction, state: State) -> Answer:
    low, low_open, high, high_open = _interval(conjunction)
    if low > high or (low == high and (low_open or high_open)):
        return EMPTY
    if low == high:
        return _one_of(search, (low,), state)
    steps = [form.of for form, sign in conjunction.atoms if isinstance(form, Multiple) and sign]
    step = _common(steps) if steps else None
    for form, sign in conjunction.atoms:
        if isinstance(form, Multiple) and not sign and step is not None and (step / form.of).denominator == 1:
            return EMPTY
    if step is not None and math.isfinite(high - low) and (fraction(high) - fraction(low)) / step < _LONGEST:
        first = math.ceil(fraction(low) / step)
        last = math.floor(fraction(high) / step)
        return _one_of(search, tuple(_as_json(i * step) for i in range(first, last + 1)), state)
    return _first(search, _numbers(low, high, step), state, "no number could be found for its bounds")


def _interval(conjunction: Conjunction) -> tuple[Any, bool, Any, bool]:
    """The bounds, and whether each is left out."""
    low, low_open, high, high_open = -math.inf, False, math.inf, False
    for form, sign in conjunction.atoms:
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


def _string(search: Search, conjunction: Conjunction, state: State) -> Answer:
    if conjunction.most == 0:
        return _one_of(search, ("",), state)
    if conjunction.least > _LONGEST_TEXT:
        return Answer(why="it demands very long strings")
    texts = [form for form, _ in conjunction.atoms if isinstance(form, Text)]
    why = (
        f"no string could be found for {' and '.join(sorted({t.what for t in texts}))}"
        if texts
        else _UNBUILT.format("strings")
    )
    return _first(search, _strings(conjunction, texts), state, why)


def _strings(conjunction: Conjunction, texts: list[Text]) -> Iterator[str]:
    """Strings to try, short ones first."""
    least, most = conjunction.least, conjunction.most
    for sample in (*(s for text in texts for s in text.samples), *_COMMON):
        yield sample
        if len(sample) < least:
            yield sample + (sample[-1:] or "a") * (least - len(sample))
        if most is not None and len(sample) > most:
            yield sample[:most]
    size = max(least, 1)
    for i in range(min(len(conjunction.excluded), 2_000) + 2):
        tail, left = "", i
        while left or not tail:
            tail, left = _LETTERS[left % 36] + tail, left // 36
        yield tail.rjust(size, "x")


# --- arrays ---------------------------------------------------------------------------------------------------------


def _array(search: Search, conjunction: Conjunction, state: State) -> Answer:
    tail = conjunction.fixed
    for index in range(min(conjunction.least, tail + 1)):
        if search.is_empty(conjunction.of_item(index)):
            return EMPTY
    distinct = {sign for form, sign in conjunction.atoms if isinstance(form, Distinct)}
    if len(distinct) > 1:
        return EMPTY
    chosen: dict[Any, State] = {}
    for form in conjunction.somewhere:
        if (answer := _choose(search, conjunction, form, chosen)) is not None:
            return answer
    length = max(conjunction.least, *(i + 1 for i in chosen), 0)
    if length > _LONGEST:
        return Answer(why="it demands very long arrays")
    if distinct == {False}:
        both = conjunction.of_item(0) | conjunction.of_item(1)
        chosen[0] = chosen[1] = both | chosen.get(0, both) | chosen.get(1, both)
    items: list[Any] = []
    for index in range(length):
        part = chosen.get(index, conjunction.of_item(index))
        if distinct == {True} and items:
            part = part | {(among(items), False)}
        found = search.solve(part)
        if found.value is UNSET:
            return Answer(why=found.why or _UNBUILT.format("items"))
        items.append(found.value)
    return search.built(items, state, _UNBUILT.format("items"))


def _choose(search: Search, conjunction: Conjunction, form: Form, chosen: dict[Any, State]) -> Answer | None:
    """Choose a position that is outside of `form`, and note the state of what is there. An answer when there is none."""
    why = ""
    for position, part in positions_outside(search, conjunction, form):
        both = part | chosen.get(position, part)
        found = search.solve(both)
        if position is not None and found.value is not UNSET:
            chosen[position] = both
            return None
        why = found.why or _UNBUILT.format("property names")
    return Answer(why=why) if why else EMPTY


# --- objects --------------------------------------------------------------------------------------------------------


def _object(search: Search, conjunction: Conjunction, state: State) -> Answer:
    chosen: dict[Any, State] = {}
    for name in sorted(conjunction.has):
        chosen[name] = conjunction.of_property(name)
        if search.is_empty(chosen[name]) or not name_allowed(search, conjunction, name):
            return EMPTY
    if conjunction.most is not None and len(chosen) > conjunction.most:
        return EMPTY
    for form in conjunction.somewhere:
        if (answer := _choose(search, conjunction, form, chosen)) is not None:
            return answer
    if len(chosen) < conjunction.least and (answer := _fill(search, conjunction, chosen)) is not None:
        return answer
    value: dict[str, Any] = {}
    for name, part in chosen.items():
        found = search.solve(part)
        if found.value is UNSET:
            return Answer(why=found.why or _UNBUILT.format("properties"))
        value[name] = found.value
    return search.built(value, state, _UNBUILT.format("properties"))


def _fill(search: Search, conjunction: Conjunction, chosen: dict[Any, State]) -> Answer | None:
    """Add properties until there are enough. An answer when that is impossible."""
    if conjunction.least > _LONGEST:
        return Answer(why="it demands very many properties")
    possible = 0
    for name in sorted(explicit_names(conjunction) - conjunction.lacks):
        part = conjunction.of_property(name)
        if search.is_empty(part) or not name_allowed(search, conjunction, name):
            continue
        possible += 1
        if len(chosen) < conjunction.least:
            chosen.setdefault(name, part)
    others = False
    for found, part, _ in fresh_names(search, conjunction):
        if search.is_empty(part):
            continue
        others = True
        for i in range(conjunction.least - len(chosen)) if found.value is not UNSET else ():
            chosen.setdefault(f"{found.value}{i or ''}", part)
    if not others and possible < conjunction.least:
        return EMPTY
    return None if len(chosen) >= conjunction.least else Answer(why=_UNBUILT.format("property names"))
