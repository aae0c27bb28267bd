"""Types, schemas and values to draw, of one small vocabulary, so that they meet.

`cases()` is a Hypothesis strategy whose every draw is one seed: types, schemas and values of this depth are drawn from
it by plain code, thirty times as fast as strategies of strategies would.
"""

from __future__ import annotations

import datetime
import decimal
import enum
import random
import uuid
from typing import Annotated, Any, Literal, NamedTuple, Optional, TypedDict, Union

import msgspec
from hypothesis import strategies as st
from msgspec import Meta, Struct
from typing_extensions import NotRequired

from typedtool import OneOf

NAMES = ("a", "b", "c")
TEXTS = (
    "",
    "a",
    "b",
    "ab",
    "abc",
    "1",
    "2020-01-01",
    "a\n",
    "2020-01-01T00:00:00Z",
    "00000000-0000-4000-8000-000000000000",
)
NUMBERS = (0, 1, 2, 3, -1, 5, 1.0, 0.5, 1.5, 2.0, 10**20, 2**53, 2**53 + 1, 1e300)
PATTERNS = ("^a", "^a$", "b", "^[a-b]+", r"^\d", "^(a|b)", ".")


class Color(enum.Enum):
    A = "a"
    B = "b"


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


class Lenient(enum.Enum):
    A = "a"

    @classmethod
    def _missing_(cls, value: object) -> Any:
        return cls.A if value == "b" else None


class Checked(Struct):
    a: int

    def __post_init__(self) -> None:
        if self.a == 1:
            raise ValueError("never 1")


class Node(Struct):
    a: int
    b: Optional[Node] = None
    c: list[Node] = []


class Pair(NamedTuple):
    a: int
    b: str = ""


class Row(Struct, array_like=True):
    a: int
    b: str = ""


class Strict(Struct, array_like=True, forbid_unknown_fields=True):
    a: int


class Dict(TypedDict):
    a: int
    b: NotRequired[str]


class CatA(Struct, tag="a"):
    b: int


class CatB(Struct, tag="b"):
    b: str = ""


class One(Struct, tag=1, tag_field="a"):
    b: int = 0


class Two(Struct, tag=2, tag_field="a"):
    b: str = ""


LEAVES: tuple[Any, ...] = (
    int,
    float,
    str,
    bool,
    None,
    Any,
    datetime.date,
    datetime.datetime,
    uuid.UUID,
    decimal.Decimal,
    bytes,
    Color,
    Level,
    Lenient,
    Checked,
    Node,
    Pair,
    Row,
    Strict,
    Dict,
    CatA,
    Optional[CatA],
    Union[CatA, CatB],
    Union[CatA, CatB, None],
    Union[One, Two],
    OneOf[CatA, CatB],
    OneOf[CatA, Dict],
    Literal["a", "b"],
    Literal["a", 1, None],
    Union[int, str],
    Union[float, str, None],
    Optional[int],
    Union[int, float],
    OneOf[list[int], list[str]],
    Annotated[int, Meta(ge=0)],
    Annotated[int, Meta(gt=0, le=5)],
    Annotated[int, Meta(multiple_of=2)],
    Annotated[float, Meta(ge=0.5, lt=3)],
    Annotated[float, Meta(le=2**53)],
    Annotated[str, Meta(min_length=1)],
    Annotated[str, Meta(max_length=2)],
    Annotated[str, Meta(pattern="^a$")],
    Annotated[str, Meta(pattern="^a")],
    Annotated[str, Meta(pattern="^[a-b]+")],
    dict[int, int],
    dict[Literal["a", "b"], int],
    dict[Annotated[str, Meta(min_length=1)], Any],
    tuple[int, str],
)


class Draw(random.Random):
    """Draws, smaller things more often."""

    def some(self, options: Any, least: int, most: int) -> list[Any]:
        """Between `least` and `most` different options."""
        return self.sample(list(options), min(len(options), self.randint(least, most)))

    # --- types ------------------------------------------------------------------------------------------------------

    def type(self, depth: int = 3) -> Any:
        """A type; some do not go together, and are refused when a decoder is made."""
        if depth == 0 or self.random() < 0.35:
            return self.choice(LEAVES)
        inner = self.type(depth - 1)
        size = self.choice((Meta(min_length=1), Meta(max_length=2), Meta(min_length=2, max_length=3)))
        made = self.randrange(14)
        if made < 6:
            return self.struct(depth)
        options: tuple[Any, ...] = (
            lambda: list[inner],
            lambda: dict[str, inner],
            lambda: Annotated[list[inner], size],
            lambda: Annotated[dict[str, inner], size],
            lambda: Annotated[self.choice((set[int], frozenset[str], set[Union[int, str]])), size],
            lambda: tuple[self.choice(((inner, ...), (inner, self.type(depth - 1))))],
            lambda: OneOf[inner, self.type(depth - 1)],
            lambda: Any if inner is Any else Optional[inner],
        )
        return options[made - 6]()

    def struct(self, depth: int) -> Any:
        fields: list[Any] = []
        for name in self.some(NAMES, 0, 3):
            tp = self.type(depth - 1)
            made = self.randrange(4)
            if made < 2 or tp is Any:
                fields.append((name, tp))
            else:
                fields.append(
                    (name, Union[tp, msgspec.UnsetType], msgspec.UNSET)
                    if made == 2
                    else (name, Optional[tp], None)
                )
        return msgspec.defstruct("Drawn", fields, kw_only=True, forbid_unknown_fields=self.random() < 0.4)

    # --- values -----------------------------------------------------------------------------------------------------

    def value(self, depth: int = 3) -> Any:
        made = self.randrange(8 if depth else 5)
        if made < 2:
            return self.choice(NUMBERS)
        if made < 4:
            return self.choice(TEXTS)
        if made == 4:
            return self.choice((None, True, False))
        if made == 5:
            return [self.value(depth - 1) for _ in range(self.randint(0, 3))]
        return {name: self.value(depth - 1) for name in self.some(KEYS, 0, 3)}

    def varied(self, value: Any, depth: int = 4) -> Any:
        """A value, changed somewhere."""
        if isinstance(value, dict) and value and depth and self.random() < 0.8:
            name = self.choice(list(value))
            changed = dict(value)
            made = self.randrange(4)
            if made == 0:
                del changed[name]
            elif made == 1:
                changed[self.choice(KEYS)] = self.value(1)
            else:
                changed[name] = self.varied(value[name], depth - 1)
            return changed
        if isinstance(value, list) and value and depth and self.random() < 0.8:
            at = self.randrange(len(value))
            made = self.randrange(4)
            if made == 0:
                return value[:at] + value[at + 1 :]
            return (
                [*value, value[at]]
                if made == 1
                else [*value[:at], self.varied(value[at], depth - 1), *value[at + 1 :]]
            )
        if isinstance(value, int) and not isinstance(value, bool) and self.random() < 0.3:
            return float(value) if abs(value) < 2**60 else value
        return self.value(1)

    # --- schemas ----------------------------------------------------------------------------------------------------

    def schema(self, near: Any = None) -> Any:
        """A schema of any dialect. near: a schema that it resembles, where that is not None."""
        draft = self.choice((20, 20, 20, 19, 7, 6, 4))
        schema = self.keywords(draft, 2)
        if near is not None:
            held = {"definitions": near["definitions"]} if "definitions" in near else {}
            own = {k: v for k, v in near.items() if k != "definitions"}
            mixed = (
                {"allOf": [own, schema]},
                {"anyOf": [own, schema]},
                {**own, **schema},
                {"oneOf": [own, schema]},
                own,
                own,
            )
            schema = {**self.relaxed(self.choice(mixed)), **held}
        if "#/definitions/" in repr(schema):
            schema["definitions"] = {
                **schema.get("definitions", {}),
                "x": self.choice(HELD),
                "y": self.choice(HELD),
            }
        return schema if DIALECTS[draft] is None else {**schema, "$schema": DIALECTS[draft]}

    def relaxed(self, schema: Any) -> Any:
        """A schema with a keyword changed here and there."""
        if isinstance(schema, list):
            return [self.relaxed(s) for s in schema]
        if not isinstance(schema, dict):
            return schema
        return {
            k: self.relaxed(v)
            for k, v in schema.items()
            if k in ("$ref", "definitions") or self.random() > 0.04
        }

    def piece(self, draft: int, depth: int) -> Any:
        made = self.random()
        if made < 0.4:
            return {"type": self.choice(KINDS)}
        if made < 0.5:
            return {} if draft == 4 else self.random() < 0.5
        if made < 0.6:
            return {"$ref": f"#/definitions/{self.choice('xy')}"}
        return self.keywords(draft, depth - 1) if depth else {"type": self.some(KINDS, 1, 3)}

    def keywords(self, draft: int, depth: int) -> dict[str, Any]:
        known = [k for k, (since, until, _) in KEYWORDS.items() if since <= draft <= until]
        made = {k: KEYWORDS[k][2](self, draft, depth) for k in self.some(known, 0, 4)}
        if not isinstance(made.get("items"), list):
            made.pop("additionalItems", None)  # the reference stumbles over it beside `items: true`
        for bound in ("Minimum", "Maximum"):
            if draft == 4 and f"exclusive{bound}" in made:
                made.setdefault(bound.lower(), 1)
                made[f"exclusive{bound}"] = self.random() < 0.5
        return made


KINDS = ("null", "boolean", "integer", "number", "string", "array", "object")
KEYS = (*NAMES, "d", "type", "1", "ab")
SOME_NAMES = (*NAMES, "type")
LIMITS = (0, 1, 2, -1, 0.5, 1.5, 2**53, 5)
HELD: tuple[Any, ...] = (
    {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"$ref": "#/definitions/x"}}},
    {
        "type": "object",
        "properties": {"a": {"type": "integer"}},
        "required": ["a"],
        "additionalProperties": False,
    },
    {"type": "array", "items": {"$ref": "#/definitions/y"}},
    {"type": ["integer", "null"]},
    {"type": "string"},
)
DIALECTS = {
    20: None,
    19: "https://json-schema.org/draft/2019-09/schema",
    7: "http://json-schema.org/draft-07/schema#",
    6: "http://json-schema.org/draft-06/schema#",
    4: "http://json-schema.org/draft-04/schema#",
}


def _one(d: Draw, draft: int, depth: int) -> Any:
    return d.piece(draft, depth)


def _several(d: Draw, draft: int, depth: int) -> Any:
    return [d.piece(draft, depth) for _ in range(d.randint(1, 3))]


def _by_name(d: Draw, draft: int, depth: int) -> Any:
    return {name: d.piece(draft, depth) for name in d.some(SOME_NAMES, 0, 3)}


def _dependencies(d: Draw, draft: int, depth: int) -> Any:
    return {
        name: d.piece(draft, depth) if d.random() < 0.5 else d.some(SOME_NAMES, 1, 2)
        for name in d.some(SOME_NAMES, 0, 2)
    }


def _items(d: Draw, draft: int, depth: int) -> Any:
    return _several(d, draft, depth) if draft < 20 and d.random() < 0.3 else _one(d, draft, depth)


def _small(d: Draw, draft: int, depth: int) -> Any:
    return d.randint(0, 3)


def _limit(d: Draw, draft: int, depth: int) -> Any:
    return d.choice(LIMITS)


def _enum(d: Draw, draft: int, depth: int) -> Any:
    found = [d.value(1) for _ in range(d.randint(1, 3))]
    return [v for i, v in enumerate(found) if not any(v == w for w in found[:i])]


KEYWORDS: dict[str, tuple[int, int, Any]] = {
    "type": (4, 20, lambda d, _, __: d.choice(KINDS) if d.random() < 0.7 else d.some(KINDS, 1, 3)),
    "enum": (4, 20, _enum),
    "const": (6, 20, lambda d, _, __: d.value(1)),
    "properties": (4, 20, _by_name),
    "patternProperties": (4, 20, lambda d, s, n: {p: d.piece(s, n) for p in d.some(PATTERNS, 1, 2)}),
    "additionalProperties": (4, 20, _one),
    "propertyNames": (6, 20, _one),
    "required": (4, 20, lambda d, _, __: d.some(SOME_NAMES, 1, 3)),
    "minProperties": (4, 20, _small),
    "maxProperties": (4, 20, _small),
    "items": (4, 20, _items),
    "additionalItems": (4, 19, _one),
    "prefixItems": (20, 20, _several),
    "contains": (6, 20, _one),
    "minContains": (19, 20, _small),
    "maxContains": (19, 20, _small),
    "minItems": (4, 20, _small),
    "maxItems": (4, 20, _small),
    "uniqueItems": (4, 20, lambda d, _, __: d.random() < 0.7),
    "minLength": (4, 20, _small),
    "maxLength": (4, 20, _small),
    "pattern": (4, 20, lambda d, _, __: d.choice(PATTERNS)),
    "format": (4, 20, lambda d, _, __: d.choice(("date", "email"))),
    "multipleOf": (4, 20, lambda d, _, __: d.choice((1, 2, 0.5, 3))),
    "minimum": (4, 20, _limit),
    "maximum": (4, 20, _limit),
    "exclusiveMinimum": (4, 20, _limit),
    "exclusiveMaximum": (4, 20, _limit),
    "allOf": (4, 20, _several),
    "anyOf": (4, 20, _several),
    "oneOf": (4, 20, _several),
    "not": (4, 20, _one),
    "if": (7, 20, _one),
    "then": (7, 20, _one),
    "else": (7, 20, _one),
    "dependencies": (4, 7, _dependencies),
    "dependentSchemas": (19, 20, _by_name),
    "dependentRequired": (
        19,
        20,
        lambda d, _, __: {n: d.some(SOME_NAMES, 0, 2) for n in d.some(SOME_NAMES, 0, 2)},
    ),
    "unevaluatedProperties": (19, 20, _one),
    "unevaluatedItems": (19, 20, _one),
}


def schema_of(tp: Any) -> Any:
    """msgspec's own schema of a type, None where it has none: not what the type takes, but near it."""
    try:
        (schema,), held = msgspec.json.schema_components([tp], ref_template="#/definitions/{name}")
    except Exception:  # OneOf and classes of one's own
        return None
    return {**schema, "definitions": held} if held else schema


def cases() -> st.SearchStrategy[Draw]:
    """What draws a type, a schema and values, one seed a case."""
    return st.integers(0, 2**40).map(Draw)
