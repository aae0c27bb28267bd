"""Recorded results: JSON text to records, and records to the results of each tool."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from typedtool.results.definitions import Definition, read_definition
from typedtool.values.budgets import DEFAULT_BUDGET, Budget
from typedtool.values.guards import is_dict, is_list
from typedtool.values.json_text import NotJson, parse, utf8

__all__ = ["Recorded", "read_recorded", "records_of"]


class Recorded(Struct):
    """A tool and the results that it gave."""

    definition: Definition
    results: list[object]


def records_of(data: bytes, budget: Budget = DEFAULT_BUDGET) -> list[object]:
    """The records of a text: one JSON value, the elements of a JSON array, or a JSON value a line.

    Raises NotJson for a text or a line that is not JSON, BudgetExceeded for one that is too large or too deep.

    Example:
        >>> records_of(b'{"tool": "now"}\\n{"tool": "then"}')
        [{'tool': 'now'}, {'tool': 'then'}]
    """
    try:
        whole = parse(utf8(data), budget)
    except NotJson:
        return [parse(utf8(text), budget) for text in data.splitlines() if text.strip()]
    return whole if is_list(whole) else [whole]


def read_recorded(records: Iterable[object], listed: Mapping[str, Definition]) -> dict[str, Recorded]:
    """The results by the names of their tools. A record without a tool or a result is left out.

    listed: the server's definitions. They come before those in the records.
    """
    found: dict[str, Recorded] = {}
    for record in records:
        if not is_dict(record) or record.get("result") is None:
            continue
        entry = record.get("tool")
        try:
            definition = Definition(entry) if isinstance(entry, str) else read_definition(entry)
        except TypeError:
            continue
        known = listed.get(definition.name, definition)
        found.setdefault(definition.name, Recorded(known, [])).results.append(record["result"])
    return found
