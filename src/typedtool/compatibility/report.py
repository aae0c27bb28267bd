"""What a bind found: `Report`, one line for each `Finding`, to be read in a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from msgspec import UNSET, Struct

from typedtool.errors import Problem, cut, named
from typedtool.values.guards import is_array, is_object
from typedtool.values.locations import escape

__all__ = ["Finding", "Report", "describe_change", "not_compared"]

_DIFFERENCES = 5


class Finding(Struct, frozen=True):
    """One thing that a bind found. `level`: `"error"`, the tool cannot be used; `"warning"`, it may fail; `"note"`.

    side, problem, witness: for a type and a schema that do not fit, the `"output"` or the `"input"`, a JSON value that
    one of them allows and the other refuses, and what is wrong with it.

    Example:
        >>> print(Finding("warning", "now", "decoded by type alone"))
        warning: 'now': decoded by type alone
    """

    level: Literal["error", "warning", "note"]
    tool: str
    message: str
    side: Literal["output", "input", ""] = ""
    problem: Problem | None = None
    witness: object = UNSET

    def __str__(self) -> str:
        name = named(self.tool)
        of = f" {name}:" if self.tool and name not in self.message else ""
        return cut(f"{self.level}:{of} {self.message}", 600)


class Report(Struct, frozen=True):
    """The findings of one bind, in the order of the tools. True when there is one.

    Example:
        >>> print(Report((Finding("error", "get-count", "the server lists no such tool"),)))
        error: 'get-count': the server lists no such tool
    """

    findings: tuple[Finding, ...] = ()

    def __str__(self) -> str:
        return "\n".join(map(str, self.findings)) or "nothing to report"

    def __len__(self) -> int:
        return len(self.findings)

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)


def not_compared(tool: str, side: Literal["output", "input"], error: Exception) -> Finding:
    """The entry of the report for a fault of typedtool's own comparison. The tests turn it into a failure."""
    why = f"{type(error).__name__}: {cut(str(error), 200)}"
    message = (
        f"typedtool could not compare the {side}Schema with the type ({why}): each value is still validated"
    )
    return Finding("warning", tool, message)


def describe_change(old: object, new: object) -> str | None:
    """How a schema changed, as JSON Pointers with what happened there; None when it did not.

    UNSET stands for a schema that is not declared: `"added"`, `"withdrawn"`.

    Example:
        >>> describe_change({"type": "object"}, {"type": "array"})
        'changed at #/type'
    """
    if old == new:
        return None
    if old is UNSET or new is UNSET:
        return "added" if old is UNSET else "withdrawn"
    differences: list[str] = []
    stack: list[tuple[object, object, str]] = [(old, new, "#")]
    while stack and len(differences) <= _DIFFERENCES:
        before, after, at = stack.pop()
        if is_object(before) and is_object(after):
            inner: list[tuple[object, object, str]] = []
            for key in sorted({*before, *after}, key=str):
                step = f"{at}/{escape(cut(str(key), 60))}"
                if key not in after:
                    differences.append(f"removed at {step}")
                elif key not in before:
                    differences.append(f"added at {step}")
                elif before[key] != after[key]:
                    inner.append((before[key], after[key], step))
            stack.extend(reversed(inner))
        elif is_array(before) and is_array(after) and len(before) == len(after):
            stack.extend((b, a, f"{at}/{i}") for i, (b, a) in enumerate(zip(before, after)) if b != a)
        else:
            differences.append(f"changed at {at}")
    shown = differences[:_DIFFERENCES]
    return ", ".join([*shown, "..."] if len(differences) > len(shown) else shown)
