"""`Budget`: the most that a schema or a value from a server may cost."""

from __future__ import annotations

from msgspec import Struct

__all__ = ["DEFAULT_BUDGET", "Budget"]


class Budget(Struct, frozen=True, kw_only=True):
    """The most that one schema or one value may cost. Every field is enforced, in any thread.

    depth: levels of nesting of a value or a JSON text, before any parser or decoder sees it.
    nodes: values (of any kind) in one result that are walked.
    bytes: length of one JSON text, and of a schema written as JSON.
    problems: problems listed in one outcome; the search ends with the last of them.
    seconds: time for the validation of one value.

    Example:
        >>> Budget(depth=64, seconds=0.1).depth
        64
    """

    depth: int = 128
    nodes: int = 2_000_000
    bytes: int = 64_000_000
    problems: int = 20
    seconds: float = 0.5


DEFAULT_BUDGET = Budget()
