"""Recorded results in files: what `draft` and `generate --sample` draft types from."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from typedtool.cli.terminal import CommandError
from typedtool.errors import BudgetExceeded
from typedtool.results.definitions import Definition, read_definition
from typedtool.values.budgets import DEFAULT_BUDGET
from typedtool.values.guards import is_dict, is_list
from typedtool.values.json_text import NotJson, parse, utf8
from typedtool.values.printing import line

__all__ = ["Recorded", "read_recorded", "records_in"]


class Recorded(Struct):
    """A tool and the results that it gave."""

    definition: Definition
    results: list[object]


def records_in(path: str, option: str) -> list[object]:
    """The records of a file: one JSON object, a JSON array of them, or a line of JSON each. Raises CommandError.

    option: what named the file, for the message.
    """
    try:
        data = Path(path).read_bytes()
        whole = _whole(data)
        if whole is not None:
            return whole
        return [parse(utf8(text), DEFAULT_BUDGET) for text in data.splitlines() if text.strip()]
    except OSError as error:
        raise CommandError(f"{option}: cannot read {line(path, 120)!r}: {error.strerror}") from error
    except NotJson as error:
        raise CommandError(f"{option}: {line(path, 120)!r} is not JSON: {error.what}") from error
    except BudgetExceeded as error:
        raise CommandError(f"{option}: {line(path, 120)!r}: {error}") from error


def _whole(data: bytes) -> list[object] | None:
    """The records of a file that is one JSON text, None for one of several lines."""
    try:
        whole = parse(utf8(data), DEFAULT_BUDGET)
    except NotJson:
        return None
    return whole if is_list(whole) else [whole]


def read_recorded(records: list[object], listed: Mapping[str, Definition]) -> dict[str, Recorded]:
    """Results by the names of their tools. What is no record of a result is left out.

    listed: the server's definitions; they count before those in the records.
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
