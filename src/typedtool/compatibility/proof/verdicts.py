"""What a comparison answers: `Verdict = Proved | Refuted | Unknown`, a closed union of frozen values."""

from __future__ import annotations

from typing import Any, TypeAlias, Union

from msgspec import Struct
from typing_extensions import final

from typedtool.errors import brief, cut

__all__ = ["Comparison", "Proved", "Refuted", "Unknown", "Verdict"]


@final
class Proved(Struct, frozen=True):
    """The statement holds for every value.

    Example:
        >>> compare(list[int], {"type": "array", "items": {"type": "integer"}}).accepts
        Proved()
    """


@final
class Refuted(Struct, frozen=True):
    """The statement does not hold: `witness` is a JSON value that shows it, checked by a real validation and decode.

    Example:
        >>> compare(list[int], {"type": "array"}).accepts
        Refuted([None])
    """

    witness: Any

    def __repr__(self) -> str:
        return f"Refuted({brief(self.witness)})"


@final
class Unknown(Struct, frozen=True):
    """Neither was proved, and `why` says why. It is never rounded to one of the others.

    Example:
        >>> isinstance(compare(list[int], {"type": "string"}).accepts, Unknown)
        True
    """

    why: str

    def __repr__(self) -> str:
        return f"Unknown({cut(self.why, 200)!r})"


Verdict: TypeAlias = Union[Proved, Refuted, Unknown]


class Comparison(Struct, frozen=True):
    """A type against a schema, both ways.

    accepts: the type takes every value that the schema allows.
    guarantees: the schema allows every value that the type takes.

    Example:
        >>> fit = compare(int, {"type": "integer", "minimum": 0})
        >>> fit.accepts, fit.guarantees
        (Proved(), Refuted(-1))
    """

    accepts: Verdict
    guarantees: Verdict
