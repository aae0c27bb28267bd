"""Forms, and whether a value is in one."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from typedtool.compatibility.proof.forms import (
    ALWAYS,
    ARRAY,
    NEVER,
    NULL,
    NUMBER,
    OBJECT,
    STRING,
    All,
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
    Under,
    among,
    canonical,
    fraction,
    kind_bit,
    may,
)
from typedtool.compatibility.proof.membership import Membership
from typedtool.compatibility.proof.patterns import pattern_text

VALUES: list[Any] = [
    None, True, False, 0, 1, 1.0, -2, 0.5, 3, "", "a", "ab", [], [1], [1, 1.0], ["a", 1], [[]], {}, {"a": 1}, {"b": "x"},
    {"a": None, "b": 2},
]  # fmt: skip
INTEGER = All((KindIs(NUMBER), Multiple(fraction(1))))
ATOMS: dict[str, tuple[Form, list[Any]]] = {
    "any value": (ALWAYS, []),
    "no value": (NEVER, VALUES),
    "null or strings": (KindIs(NULL | STRING), [v for v in VALUES if v is not None and not isinstance(v, str)]),
    "one of these": (among([1, "a"]), [v for v in VALUES if canonical(v) not in map(canonical, (1, "a"))]),
    "numbers below 1": (Under(1, False), [1, 1.0, 3]),
    "numbers of at most 1": (Under(1, True), [3]),
    "integers": (INTEGER, [v for v in VALUES if isinstance(v, bool) or not isinstance(v, (int, float)) or v == 0.5]),
    "arrays of an item": (Sized(ARRAY, 1), [[]]),
    "strings with an a": (pattern_text("a"), [""]),
    "arrays with a number first": (Item(0, KindIs(NUMBER)), [["a", 1], [[]]]),
    "arrays of numbers": (Rest(0, KindIs(NUMBER)), [["a", 1], [[]]]),
    "arrays of numbers but for the first": (Rest(1, KindIs(NUMBER)), []),
    "arrays without equal items": (Distinct(), [[1, 1.0]]),
    "objects with an a": (Has("a"), [{}, {"b": "x"}]),
    "objects whose a is a number": (Property("a", KindIs(NUMBER)), [{"a": None, "b": 2}]),
    "objects of numbers but for a": (Others(frozenset({"a"}), (), KindIs(NUMBER)), [{"b": "x"}]),
    "objects whose names hold an a": (Names(pattern_text("a")), [{"b": "x"}, {"a": None, "b": 2}]),
}  # fmt: skip
FORMS = [form for form, _ in ATOMS.values()] + [Opaque(OBJECT, "a class"), Later(lambda: INTEGER)]


def is_in(value: Any, form: Form) -> bool | None:
    return Membership(lambda: None).is_in(value, form)


@pytest.mark.parametrize("name", ATOMS)
def test_an_atom_constrains_one_kind_and_holds_all_others(name: str) -> None:
    form, outside = ATOMS[name]
    assert [v for v in VALUES if not is_in(v, form)] == outside
    assert [v for v in VALUES if is_in(v, Not(form))] == outside


def test_conjunctions_and_disjunctions_are_decided_in_three_values() -> None:
    opaque = Opaque(OBJECT, "a class")
    for form in (All((ALWAYS, opaque)), Some((NEVER, opaque)), Not(opaque)):
        assert is_in({}, form) is None
    assert is_in({}, All((opaque, NEVER))) is False and is_in({}, Some((opaque, ALWAYS))) is True
    membership = Membership(lambda: None)
    membership.is_in({}, opaque)
    assert membership.why == "a class"


def test_the_kinds_that_may_be_in_a_form_or_outside_of_it_are_never_too_few() -> None:
    pairs = list(itertools.combinations(FORMS, 2))
    forms = [*FORMS, *map(All, pairs), *map(Some, pairs), *(Not(All(pair)) for pair in pairs)]
    for form, value in itertools.product(forms, VALUES):
        found = is_in(value, form)
        assert found is False or kind_bit(value) & may(form), (form, value)
        assert found is True or kind_bit(value) & may(form, False), (form, value)


def test_the_kinds_are_as_few_as_the_parts_say() -> None:
    number, string = KindIs(NUMBER), KindIs(STRING)
    assert (may(All((number, string))), may(Some((number, string)))) == (0, NUMBER | STRING)
    assert may(Not(Some((Not(number), string)))) == NUMBER
    assert (may(NEVER), may(ALWAYS, False)) == (0, 0)
    assert (may(among([1, "a", 2])), may(Sized(ARRAY, 1), False)) == (NUMBER | STRING, ARRAY)


def test_equal_json_values_have_one_canonical_form() -> None:
    assert canonical(1) == canonical(1.0) != canonical(True)
    assert canonical([{"a": 1, "b": []}]) == canonical([{"b": [], "a": 1.0}])
    assert canonical([]) != canonical({}) and canonical("1") != canonical(1)
