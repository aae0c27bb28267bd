"""jsonschema-rs: the one module that knows its API. It holds the GIL and cannot be stopped.

It gets only admitted schemas, and `is_valid` is asked first. Every validator has a retriever that refuses: without one
jsonschema-rs fetches.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from typedtool.schemas.keywords import HOLDERS
from typedtool.values.guards import is_list
from typedtool.values.locations import json_pointer

__all__ = [
    "Exhausted",
    "PatternCost",
    "Refusal",
    "RustValidator",
    "compiled",
    "fault",
    "matcher",
    "metaschema_fault",
    "pattern_cost",
]

_BACKTRACKS = 10_000
"""The most steps back of one match. Past them the text does not match, also under `not`."""

_MASK = "..."

_CLASSES: tuple[tuple[int, float], ...] = (
    (1 << 10, 0.02),
    (1 << 11, 0.6),
    (1 << 12, 0.8),
    (1 << 14, 2.0),
    (1 << 16, 7.0),
    (1 << 18, 31.0),
)
"""Sizes of compiled patterns, each with the worst microseconds a character that was measured for it."""


class Exhausted(Exception):
    """A match took more steps back than `_BACKTRACKS`: its result is unknown."""


class Refusal(Exception):
    """The engine refuses a schema: `keyword`, and the JSON Pointer into the schema."""

    def __init__(self, keyword: str, pointer: str) -> None:
        super().__init__(keyword, pointer)
        self.keyword = keyword
        self.pointer = pointer


class PatternCost(Struct, frozen=True):
    """The worst that a pattern costs: `rate` microseconds a character; `backtracks` where it may go back."""

    rate: float
    backtracks: bool

    def of(self, length: int) -> float:
        """Microseconds, at worst, for one text of this length."""
        if not self.backtracks:
            return 1 + self.rate * length
        # Each step back may run over the whole text once more.
        return 1 + self.rate * length * (1 + min(length, _BACKTRACKS))


class Told(Struct, frozen=True):
    """One error as this engine tells it.

    held: the keyword's value in the schema, None where that is not told; extra: the property that is meant.
    refuses_all: the keyword holds a schema which is False.
    """

    keyword: str
    path: tuple[Any, ...]
    held: Any = None
    extra: Any = None
    refuses_all: bool = False


class RustValidator(Struct, frozen=True):
    """A schema compiled for jsonschema-rs."""

    is_valid: Callable[[Any], bool]
    """Raises ValueError or UnicodeEncodeError for what is no JSON, or too deep."""
    first_error: Callable[[Any], Told | None]
    """One error. Never ask it of a recursive schema: it is not bounded there."""


@functools.cache
def _library() -> Any:
    """jsonschema_rs, once it has shown that it does what this module needs of it."""
    import jsonschema_rs

    return jsonschema_rs


@functools.cache
def fault() -> str | None:
    """What is wrong with the engine, or None. The first call tries everything that this module uses."""
    try:
        valid = compiled({"": {"items": {"type": "integer", "pattern": r"^\p{L}\d$"}}}, "2020-12", False)
        told = valid.first_error([1, "x"])
        dated = compiled({"": {"format": "ipv4", "type": "string"}}, "draft-07", True)
        refused: tuple[str, str] | None = None
        try:
            compiled({"": {"$ref": "urn:x"}}, "2020-12", False)
        except Refusal as error:
            refused = (error.keyword, error.pointer)
        found = (
            valid.is_valid([1, 2]),
            valid.is_valid(["x"]),
            told is not None and told.keyword == "type" and told.held == "integer" and told.path == (1,),
            dated.is_valid("127.0.0.1") and not dated.is_valid("127.0.0"),
            refused is not None,
            metaschema_fault({"type": 1}, "draft-07") is not None
            and metaschema_fault({}, "draft-04") is None,
            matcher("^a$")("a") and not matcher("^a$")("a\n"),
            pattern_cost("(?=a)b").backtracks and not pattern_cost("ab").backtracks,
        )
        wrong = found != (True, False, *[True] * 6)
    except Exception as error:
        return f"jsonschema-rs does not work as known: {type(error).__name__}"
    return "jsonschema-rs answers otherwise than known" if wrong else None


def _classes() -> dict[str, Any]:
    library = _library()
    return {
        "2020-12": library.Draft202012Validator,
        "2019-09": library.Draft201909Validator,
        "draft-07": library.Draft7Validator,
        "draft-06": library.Draft6Validator,
        "draft-04": library.Draft4Validator,
    }


def _validator(schema: Any, dialect: str, documents: Mapping[str, Any], formats: bool, patterns: Any) -> Any:
    def retrieve(uri: str) -> Any:
        if uri and uri in documents:
            return documents[uri]
        raise ValueError("nothing is fetched")

    return _classes()[dialect](
        schema, validate_formats=formats, retriever=retrieve, mask=_MASK, pattern_options=patterns
    )


def _options(size: int) -> Any:
    return _library().FancyRegexOptions(backtrack_limit=_BACKTRACKS, size_limit=size)


def compiled(documents: Mapping[str, Any], dialect: str, formats: bool) -> RustValidator:
    """The document at "" compiled, with the others to refer to. Raises `Refusal`.

    Give it only what was admitted: it may hang on other things.
    """
    library = _library()
    try:
        validator = _validator(documents[""], dialect, documents, formats, _options(_CLASSES[-1][0]))
    except library.ValidationError as error:
        raise Refusal(_keyword(error), json_pointer(error.instance_path)) from None
    except (ValueError, library.ReferencingError) as error:
        raise Refusal("$ref" if isinstance(error, library.ReferencingError) else "schema", "") from None
    return RustValidator(
        validator.is_valid, functools.partial(_first_error, validator, library.ValidationError)
    )


def _first_error(validator: Any, kind: type[Exception], value: Any) -> Told | None:
    try:
        validator.validate(value)
    except kind as error:
        found: Any = error
        held = next((getattr(found.kind, name) for name in _HELD if hasattr(found.kind, name)), None)
        if is_list(held) and len(held) == 1 and hasattr(found.kind, "types"):
            held = held[0]
        extra = getattr(found.kind, "property", None)
        if extra is None and _keyword(found) != "unevaluatedItems":  # which tells the item itself
            extra = next(iter(getattr(found.kind, "unexpected", ())), None)
        return Told(_keyword(found), tuple(found.instance_path), held, extra, _refuses_all(found))
    return None


_HELD = ("types", "limit", "multiple_of", "pattern", "format", "options")
"""Where the kinds of error keep the value of their keyword."""


def _keyword(error: Any) -> str:
    """The keyword that refused; that which holds a schema which is False."""
    steps = [step for step in error.schema_path if isinstance(step, str)]
    if type(error.kind).__name__.endswith("PropertyNames"):
        return "propertyNames"
    if _refuses_all(error):
        steps = [step for step in steps if step in HOLDERS]
    return steps[-1] if steps else "false"


def _refuses_all(error: Any) -> bool:
    return type(error.kind).__name__.endswith("FalseSchema")


@functools.cache
def metaschema(dialect: str) -> RustValidator:
    uri = {
        "2020-12": "https://json-schema.org/draft/2020-12/schema",
        "2019-09": "https://json-schema.org/draft/2019-09/schema",
    }.get(dialect, f"http://json-schema.org/{dialect}/schema#")
    return compiled({"": {"$ref": uri}}, dialect, False)


def metaschema_fault(schema: Any, dialect: str) -> tuple[str, str] | None:
    """The keyword of the metaschema that refuses `schema`, and the JSON Pointer to where; or None."""
    known = metaschema(dialect)
    if known.is_valid(schema):
        return None
    told = known.first_error(schema) or Told("schema", ())
    return told.keyword, json_pointer(told.path)


@functools.lru_cache(maxsize=1024)
def pattern_cost(pattern: str) -> PatternCost:
    """What a pattern costs. Raises ValueError where it is no pattern, or a huge one."""
    library = _library()
    for size, rate in _CLASSES:
        try:
            _validator({"pattern": pattern}, "2020-12", {}, False, _options(size))
        except ValueError:
            continue
        try:
            _validator({"pattern": pattern}, "2020-12", {}, False, library.RegexOptions(size_limit=size))
        except ValueError:
            return PatternCost(max(rate, 0.01), True)
        return PatternCost(rate, False)
    raise ValueError("it is not a regular expression of ECMA-262, or too large")


@functools.lru_cache(maxsize=1024)
def matcher(pattern: str) -> Callable[[str], bool]:
    """Whether a string matches, as this engine and ECMA-262 say. Raises `Exhausted` where it cannot tell."""
    library = _library()
    validator = _validator({"pattern": pattern}, "2020-12", {}, False, _options(_CLASSES[-1][0]))
    is_valid: Callable[[str], bool] = validator.is_valid
    if not pattern_cost(pattern).backtracks:
        return is_valid

    def matches(text: str) -> bool:
        if is_valid(text):
            return True
        try:
            validator.validate(text)
        except library.ValidationError as error:
            if "Backtrack" in type(error.kind).__name__:
                raise Exhausted from None
        return False

    return matches


@functools.lru_cache(maxsize=256)
def format_checker(name: str, dialect: str) -> Callable[[Any], bool]:
    """Whether a value has a format, as this engine says."""
    is_valid: Callable[[Any], bool] = _validator(
        {"format": name}, dialect, {}, True, _options(1 << 16)
    ).is_valid
    return is_valid
