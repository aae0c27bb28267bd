"""Proofs about types and schemas: `compare(Out, schema) -> Comparison`.

Both sides become forms, one language for sets of JSON values (`typeforms`, `schemaforms`, `forms`). One side lies within
the other when no value is in the first and outside of the second, which a search decides (`questions`, `solving`). The
real engines check each witness before anybody sees it. Uses `decoding` and all below it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from typedtool.compatibility.proof.verdicts import Comparison, Proved, Refuted, Unknown, Verdict
from typedtool.values.budgets import DEFAULT_BUDGET, Budget

if TYPE_CHECKING:
    from typing_extensions import TypeForm

__all__ = ["Comparison", "Proved", "Refuted", "Unknown", "Verdict", "compare"]


def compare(
    type: TypeForm[Any],
    schema: object,
    *,
    side: Literal["output", "input"] = "output",
    budget: Budget = DEFAULT_BUDGET,
) -> Comparison:
    """Returns two verdicts about a type and a schema: does the type accept all that the schema allows, and the reverse.

    Each is `Proved`, `Refuted` with a witness, or `Unknown` with the reason.

    schema: a dict, a bool or a `Schema`. One that wraps (`{"result": ...}`) is compared with the wrapped type, as the
        decoder unwraps it; an object with `result` and further keys does not count. A type that would be read from JSON
        inside a string is `Unknown`.
    side: "output": what the type decodes against what a server may send. "input": what a value of the type is sent as
        (without unset fields, with defaults) against the server's inputSchema.

    Numbers beyond the range of a double do not count. `guarantees` leaves out what is taken from text, from JSON inside a
    string, or out of a second `{"result": ...}` by a type that has a `result` itself. Raises SchemaError for a schema that
    cannot be used, TypeError for a type that no JSON value can be decoded into.

    Example:
        >>> compare(int, {"type": "number"})
        Comparison(accepts=Refuted(0.5), guarantees=Proved())
    """
    from typedtool.compatibility.proof.comparing import compared  # `import typedtool` is light

    return compared(type, schema, side, budget)
