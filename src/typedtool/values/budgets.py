"""`Budget`: the most that a schema or a value from a server may cost."""

from __future__ import annotations

from msgspec import Struct

__all__ = ["DEFAULT_BUDGET", "Budget"]


class Budget(Struct, frozen=True, kw_only=True):
    """The most that one schema or one value may cost. Every field is enforced, in any thread.

    The defaults are far above what real servers need (in brackets: the most that any of the 6,036 tools of
    the corpus asks for), and low enough that the worst schema and value known stay under half a second.

    depth: levels of nesting of a value, a schema or a JSON text, before any parser or engine sees it [25].
        Engines
        and parsers recurse: this keeps them off the end of a small stack.
    nodes: values (of any kind) in one result that are walked.
    bytes: length of one JSON text, and of a schema written as JSON [112 kB].
    problems: problems listed in one outcome; the search ends with the last of them.
    seconds: time for the validation of one value.
    subschemas: schemas within one schema, supplied documents included [1,827]; and a tenth of the JSON values
        in it.
    expansion: size of a schema with its references written out, recursion cut [5,075]. A schema of thirty
        lines can expand to 2**30: no count of lines stops it, this does.
    work: schemas evaluated for one value, at most, as estimated before the engine starts (it cannot be
        stopped); each counts 16 times where several schemas in it recurse. What may be more goes to the
        engine that can be stopped, which takes some 200 times as long.
    patterns: characters in all patterns of one schema, each counting 32 more [3,732].
    pattern_text: worst work of patterns over one value, in microseconds: text put under a pattern times the
        worst that the pattern costs for a character. Small patterns cost 0.02, large ones up to 30; one with
        lookaround or a backreference is charged by the square of its text.

    Example:
        >>> Budget(depth=64, seconds=0.1).depth
        64
    """

    depth: int = 128
    nodes: int = 2_000_000
    bytes: int = 64_000_000
    problems: int = 20
    seconds: float = 0.5
    subschemas: int = 5_000
    expansion: int = 10_000
    work: int = 5_000_000
    patterns: int = 16_384
    pattern_text: int = 250_000


DEFAULT_BUDGET = Budget()
