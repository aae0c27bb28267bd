"""A tool's type, drafted from results that it gave: `draft(definition, results) -> Draft`.

For the many tools whose schema says nothing. The results are read by the decode rules, and the type is tried
on all of them before it is given away. What it says is a guess: how many samples stand behind it is in the
docstrings.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from typedtool.codegen.building import build
from typedtool.codegen.guessing import Guesser
from typedtool.codegen.tool_types import ToolTypes, read_tool
from typedtool.codegen.type_tree import ANYTHING, Array, Note, Text, Type
from typedtool.codegen.unions import normalized
from typedtool.decoding.contract import Contract, Options
from typedtool.decoding.decoder import Decoder
from typedtool.errors import BudgetExceeded, SchemaError
from typedtool.results.definitions import Definition
from typedtool.results.outcomes import Ok
from typedtool.values.budgets import DEFAULT_BUDGET
from typedtool.values.json_text import NotJson, parse, utf8

__all__ = ["Draft", "draft", "reads"]

_OPTIONS = Options(validate="off")
_PLAIN: tuple[tuple[Any, Type], ...] = (
    (object, ANYTHING),
    (list[object], Array(ANYTHING)),
    (list[str], Array(Text())),
)


class Draft(Struct, frozen=True):
    """A drafted type. samples: the results that it was drafted from; those that failed, or gave no value,
    are not among them."""

    types: ToolTypes
    samples: tuple[object, ...]


def draft(definition: Definition, results: Sequence[object]) -> Draft:
    """The types of a tool: what it gives from its results, what it takes from its schema.

    results: as for `TypedTool.read`. Results of failed calls are left out, and of those that cannot be read
    in one way (some as a value, some as one block an element) the fewer.

    The drafted type decodes every sample; where none better does, it is `object`, or a list of it.
    """
    taken = read_tool(definition)
    notes = [note for note in taken.notes if note.where.startswith("input")]
    types = ToolTypes(taken.name, taken.description, taken.input, ANYTHING, tuple(notes))
    plain, samples, values = _read(definition, results)
    count = len(samples)
    said = (
        f"drafted from {count} {'result' if count == 1 else 'results'}: a guess, no promise of the server's"
    )
    types.notes += (
        Note(taken.name, "silent", "output", said if samples else "no result to draft a type from"),
    )
    if samples:
        types.output = normalized((_guess(values),), lambda text: None)[0]
    if not samples or plain == Array(Text()) or not all(reads(types, definition, samples)):
        types.output = plain
    return Draft(types, samples)


def _read(definition: Definition, results: Sequence[object]) -> tuple[Type, tuple[object, ...], list[Any]]:
    """The plain type that reads most results, with those and their values."""
    best: tuple[Type, tuple[object, ...], list[Any]] = (ANYTHING, (), [])
    for tp, plain in _PLAIN:
        decoder = _decoder(tp, definition)
        pairs = [(r, outcome.value) for r in results if isinstance(outcome := decoder.read(r), Ok)]
        if len(pairs) > len(best[1]):
            best = (plain, tuple(r for r, _ in pairs), [value for _, value in pairs])
    return best


def reads(types: ToolTypes, definition: Definition, results: Sequence[object]) -> list[bool]:
    """Of each result, whether it decodes as the drafted type."""
    decoder = _decoder(build(types)[1], definition)
    return [isinstance(decoder.read(result), Ok) for result in results]


def _decoder(tp: Any, definition: Definition) -> Decoder[Any]:
    """The decoder of a tool that is bound to this definition, and holds no value to its schema."""
    return Decoder.of(Contract.of(tp, definition, None, _OPTIONS))


def _guess(values: list[Any]) -> Type:
    return Guesser().guess(_looked_into(values))


def _looked_into(values: list[Any]) -> list[Any]:
    """The values; where all of them are strings of JSON objects or arrays, what those hold."""
    if not all(isinstance(value, str) and value.lstrip()[:1] in ("{", "[") for value in values):
        return values
    try:
        return [parse(utf8(value), DEFAULT_BUDGET) for value in values]
    except (NotJson, BudgetExceeded, SchemaError):
        return values
