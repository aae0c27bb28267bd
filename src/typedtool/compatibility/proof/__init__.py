"""Compatibility of types and schemas, proved: `compare(Out, schema) -> Comparison`.

Both sides become forms, one language for sets of JSON values (`typeforms`, `schemaforms`, `forms`); whether the one lies
within the other is whether the one without the other is empty, which a search decides (`solving`). A witness is checked
by the real engines before anybody sees it.
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
    """Whether a type and a schema fit, both ways, each `Proved`, `Refuted` with a witness or `Unknown` with the reason.

    schema: a dict, a bool or a `Schema`. One that wraps (`{"result": ...}`) is compared with the wrapped type, as the
        decoder unwraps it: an object with `result` and more keys than that is left out of account. Where the type would
        be read from JSON inside a string, that is `Unknown`.
    side: "output": what the type decodes against what a server may send. "input": what a value of the type is sent as
        (unset fields left out, defaults sent) against the server's inputSchema.

    Numbers beyond the range of a double are left out of account. What is taken from text, from JSON inside a string, or
    out of a second `{"result": ...}` by a type that has a `result` itself, is not part of `guarantees`. Raises SchemaError for a schema that cannot be used, TypeError for a type that no JSON
    value can be decoded into.

    Example:
        >>> compare(int, {"type": "number"})
        Comparison(accepts=Refuted(0.5), guarantees=Proved())
    """
    from typedtool.compatibility.proof.comparing import compared  # `import typedtool` is light

    return compared(type, schema, side, budget)
