"""Which of a server's patterns may be given to Python's `re`: `same_in_python(pattern)`.

A pattern in a type runs without a budget. So only those are carried that are the same in both languages
(ECMA-262 is what JSON Schema means), or laxer in Python, and that cannot take long on any text; validation
holds the others.
"""

from __future__ import annotations

import re

__all__ = ["same_in_python"]

_LONGEST = 120
_ESCAPE = r"\\[dw.\-/+*?()\[\]{}|^$]"
_ATOM = rf"(?:{_ESCAPE}|[A-Za-z0-9_ :@#%&=~,;<>!'\"/-]|\[(?:{_ESCAPE}|[A-Za-z0-9_ .:@#%&=~,;+*?/()-])+\])"
_TIMES = r"(?:\{(?P<least>\d{1,3})(?P<upto>,\d{0,3})?\}|(?P<sign>[+*?]))?"
_STEP = re.compile(_ATOM + _TIMES)


def same_in_python(pattern: str) -> bool:
    """Whether a pattern is a plain sequence from the start of the text on, with at most one open repetition.

    Example:
        >>> same_in_python(r"^[a-z]{2}-\\d+$"), same_in_python("(a+)+$")
        (True, False)
    """
    if not pattern.startswith("^") or len(pattern) > _LONGEST:
        return False
    end = len(pattern) - 1 if pattern.endswith("$") and not pattern.endswith("\\$") else len(pattern)
    at, open_ended, varying = 1, 0, 0
    while at < end:
        step = _STEP.match(pattern, at, end)
        if step is None:
            return False
        upto = step["upto"]
        open_ended += step["sign"] in ("+", "*") or upto == ","
        varying += step["sign"] is not None or upto is not None
        at = step.end()
    if open_ended > 1 or varying > 2:
        return False
    try:
        re.compile(pattern)
    except (re.error, OverflowError):
        return False
    return True
