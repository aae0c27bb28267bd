"""Sets of JSON values as forms: what a type takes and what a schema allows, said in one language.

Every atom constrains one kind of value and holds all others, as the keywords of JSON Schema do. `membership` decides
whether one value is in a form, in three values: None where the form itself does not know (`Opaque`).
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any, TypeAlias, Union

from msgspec import Struct

NULL, BOOLEAN, STRING, NUMBER, ARRAY, OBJECT = 1, 2, 4, 8, 16, 32
KINDS = (NULL, BOOLEAN, STRING, NUMBER, ARRAY, OBJECT)
EVERY = 63


class Form(Struct, frozen=True, eq=False):
    """A set of JSON values. Told apart by identity, so that a state of the search is a set of forms."""


class Always(Form, frozen=True, eq=False):
    """Every value."""


class Never(Form, frozen=True, eq=False):
    """No value."""


ALWAYS, NEVER = Always(), Never()


class All(Form, frozen=True, eq=False):
    """The values in every part."""

    parts: tuple[Form, ...]


class Some(Form, frozen=True, eq=False):
    """The values in at least one part."""

    parts: tuple[Form, ...]


class Not(Form, frozen=True, eq=False):
    """The values that are not in the part."""

    part: Form


class Later(Form, frozen=True, eq=False):
    """A form that is made when it is needed: what recursion refers to. `get` gives the same form every time."""

    get: Callable[[], Form]


class KindIs(Form, frozen=True, eq=False):
    """The values of some kinds, a sum of the constants above."""

    kinds: int


class Among(Form, frozen=True, eq=False):
    """These values. `keys` are their canonical forms."""

    values: tuple[Any, ...]
    keys: frozenset[Any]


class Under(Form, frozen=True, eq=False):
    """Numbers below a limit, or at it where it is inclusive."""

    limit: Any
    inclusive: bool


class Multiple(Form, frozen=True, eq=False):
    """Numbers that are a multiple of another; integers are the multiples of 1."""

    of: Fraction


class Sized(Form, frozen=True, eq=False):
    """Strings, arrays or objects of at least so many characters, items or properties."""

    kind: int
    least: int


class Text(Form, frozen=True, eq=False):
    """Strings that a test takes: a pattern, a format. Two of the same `key` are the same set.

    test: None for "cannot be told". samples: strings to try.
    """

    key: Any
    test: Callable[[str], Union[bool, None]]
    samples: tuple[str, ...]
    what: str


class Item(Form, frozen=True, eq=False):
    """Arrays whose item at `index`, where there is one, is in `form`."""

    index: int
    form: Form


class Rest(Form, frozen=True, eq=False):
    """Arrays whose items from `start` on are all in `form`."""

    start: int
    form: Form


class Distinct(Form, frozen=True, eq=False):
    """Arrays without equal items."""


class Has(Form, frozen=True, eq=False):
    """Objects with a property of this name."""

    name: str


class Property(Form, frozen=True, eq=False):
    """Objects whose property of this name, where there is one, is in `form`."""

    name: str
    form: Form


class Others(Form, frozen=True, eq=False):
    """Objects whose properties that `names` and `patterns` leave over are all in `form`.

    within: only the properties whose names it takes.
    """

    names: frozenset[str]
    patterns: tuple[Text, ...]
    form: Form
    within: Text | None = None


class Names(Form, frozen=True, eq=False):
    """Objects whose property names are all in `form`."""

    form: Form


class Opaque(Form, frozen=True, eq=False):
    """A set that is not understood, of values of some kinds; all others are in it. `why` says what it is.

    test: judges one value, where that can be done.
    """

    kinds: int
    why: str
    test: Callable[[Any], Union[bool, None]] | None = None


Literal: TypeAlias = "tuple[Form, bool]"
"""A form, or with False its complement."""
State: TypeAlias = "frozenset[Literal]"
"""A conjunction of literals: the values in all of them."""


# --- values ---------------------------------------------------------------------------------------------------------


def kind_bit(value: Any) -> int:
    """The kind of a JSON value, as one of the constants above."""
    if value is None:
        return NULL
    if isinstance(value, bool):
        return BOOLEAN
    if isinstance(value, (int, float)):
        return NUMBER
    if isinstance(value, str):
        return STRING
    return OBJECT if isinstance(value, dict) else ARRAY


def canonical(value: Any) -> Any:
    """A hashable stand-in, equal where JSON Schema calls two values equal: 1 and 1.0, but never 1 and true."""
    kind = kind_bit(value)
    if kind == ARRAY:
        return (kind, tuple(map(canonical, value)))
    if kind == OBJECT:
        return (kind, frozenset((k, canonical(v)) for k, v in value.items()))
    return (kind, value)


def among(values: Any) -> Among:
    """The form of exactly these values."""
    values = tuple(values)
    return Among(values, frozenset(map(canonical, values)))


def fraction(value: Any) -> Fraction:
    """A JSON number as it is written: 0.1 is a tenth."""
    return Fraction(value) if isinstance(value, int) else Fraction(Decimal(repr(value)))


# --- which kinds a form can speak of --------------------------------------------------------------------------------

_KIND_OF: dict[type[Form], int] = {
    Under: NUMBER,
    Multiple: NUMBER,
    Text: STRING,
    Item: ARRAY,
    Rest: ARRAY,
    Distinct: ARRAY,
    Has: OBJECT,
    Property: OBJECT,
    Others: OBJECT,
    Names: OBJECT,
}


def atom_kinds(form: Form) -> int:
    """The kinds that an atom judges; it holds for all others."""
    if isinstance(form, Sized):
        return form.kind
    if isinstance(form, Opaque):
        return form.kinds
    return _KIND_OF.get(type(form), EVERY)


def may(form: Form, sign: bool = True, depth: int = 8) -> int:
    """The kinds of values that may be in the form, or with False outside of it; never too few."""
    match form:
        case KindIs():
            return form.kinds if sign else EVERY & ~form.kinds
        case Among() if sign:
            return sum({kind_bit(value) for value in form.values})
        case All() | Some() if isinstance(form, All) == sign:
            kinds = EVERY
            for part in form.parts[:50] if depth else ():
                kinds &= may(part, sign, depth - 1)
            return kinds
        case All() | Some():
            kinds = 0
            for part in form.parts:
                kinds |= may(part, sign, depth - 1) if depth else EVERY
                if kinds == EVERY:
                    break
            return kinds
        case Not():
            return may(form.part, not sign, depth - 1) if depth else EVERY
        case Later():
            return may(form.get(), sign, depth - 1) if depth else EVERY
        case Always() | Never():
            return EVERY if isinstance(form, Always) == sign else 0
        case _:
            return EVERY if sign else atom_kinds(form)
