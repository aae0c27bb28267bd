"""What a command line points to: JSON in files, JSON in arguments, and modules of the user's."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from typedtool.cli.terminal import USAGE, CommandError
from typedtool.errors import BudgetExceeded
from typedtool.results.definitions import Definition, read_listing
from typedtool.results.recordings import records_of
from typedtool.values.budgets import DEFAULT_BUDGET
from typedtool.values.guards import is_object
from typedtool.values.json_text import NotJson, parse, utf8
from typedtool.values.printing import line

__all__ = ["imported", "json_file", "json_object", "listing_file", "records_file"]

T = TypeVar("T")


def json_file(path: str, option: str, code: int = 1) -> object:
    """The JSON value of a file, read within the default budget.

    option: the option that named the file, for the message. code: the exit code of the error.

    Raises CommandError: the file cannot be read, is not JSON, or is beyond the budget.
    """
    return _read(path, option, code, lambda data: parse(utf8(data), DEFAULT_BUDGET))


def records_file(path: str, option: str) -> list[object]:
    """The records of a file, as `results.recordings` reads them. Raises CommandError, as `json_file`."""
    return _read(path, option, 1, records_of)


def _read(path: str, option: str, code: int, made_of: Callable[[bytes], T]) -> T:
    try:
        with Path(path).open("rb") as file:
            return made_of(file.read(DEFAULT_BUDGET.bytes + 1))
    except OSError as error:
        raise CommandError(f"{option}: cannot read {line(path, 120)!r}: {error.strerror}", code) from error
    except NotJson as error:
        raise CommandError(f"{option}: {line(path, 120)!r} is not JSON: {error.what}", code) from error
    except BudgetExceeded as error:
        raise CommandError(f"{option}: {line(path, 120)!r}: {error}", code) from error


def listing_file(path: str, option: str, code: int = 1) -> tuple[Definition, ...]:
    """The tools of a tools/list result in a file. Raises CommandError, as `json_file`, and where it is no listing."""
    try:
        return read_listing(json_file(path, option, code))
    except (TypeError, BudgetExceeded) as error:
        raise CommandError(f"{option}: {line(path, 120)!r}: {error}", code) from error


def json_object(text: str) -> dict[str, Any]:
    """The arguments of a tool, a JSON object on the command line. Raises CommandError."""
    try:
        value = parse(utf8(text), DEFAULT_BUDGET)
    except (NotJson, BudgetExceeded) as error:
        raise CommandError(f"the arguments are not JSON: {error}", USAGE) from error
    if not is_object(value):
        raise CommandError('the arguments must be a JSON object, such as \'{"city": "Paris"}\'', USAGE)
    return value


def imported(target: str, option: str = "") -> Any:
    """The module or the object that `package.module` or `package.module:name` names.

    Modules of the working directory are found too. Raises CommandError, whatever the import raises.
    """
    module, _, name = target.partition(":")
    sys.path.insert(0, "")
    try:
        found = importlib.import_module(module)
        return getattr(found, name) if name else found
    except Exception as error:
        reason = f"{type(error).__name__}: {line(str(error))}"
        raise CommandError(f"{option}cannot import {line(target, 80)}: {reason}", USAGE) from error
    finally:
        sys.path.remove("")
