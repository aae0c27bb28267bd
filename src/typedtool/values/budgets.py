"""`Budget`: the most that a schema or a value from a server may cost."""

from __future__ import annotations

from msgspec import Struct

__all__ = ["DEFAULT_BUDGET", "Budget"]


class Budget(Struct, frozen=True, kw_only=True):
    """The most that one schema or one value may cost. Every field is enforced, in any thread.

    The defaults are far above what real servers need, and low enough that the worst schema and value known take less
    than half a second. In brackets: the most that any of the 6,036 tools of the corpus needs.

    depth: levels of nesting in a value, a schema or a JSON text [25], checked before a parser or an engine runs: they
        recurse, and stay within a small stack so.
    nodes: values of any kind in one result.
    bytes: length of one JSON text, of a schema written as JSON [112 kB], and of all text in a value.
    problems: problems in one outcome. The search ends with the last of them.
    seconds: time for the validation of one value.
    subschemas: schemas in one schema, with the documents supplied for it [1,827]; and a tenth of the JSON values in it.
    expansion: size of a schema with its references written out and recursion cut [5,075]. A schema of thirty lines can
        expand to 2**30 schemas.
    work: schemas evaluated for one value, as estimated before the first engine starts, which cannot be stopped. Each
        counts 16 times where several of them recurse. A value that may need more is judged by the second engine,
        which can be stopped and takes some 200 times as long.
    patterns: characters in all patterns of one schema; each pattern counts 32 more [3,732].
    pattern_text: worst time of patterns for one value, in microseconds: length of the text times the worst cost of
        the pattern for a character. It is 0.02 for small patterns and up to 30 for large ones; a pattern with
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
