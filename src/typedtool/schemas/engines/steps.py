"""What one validation may still spend, in its thread: steps, seconds and text under patterns."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

__all__ = ["Ended", "open_account", "pay", "pay_for_text"]

_A_LOOK = 64
"""Steps between two looks at the clock."""


class _Account(threading.local):
    deadline: float = 0.0
    seconds: float = 0.0
    clock: Callable[[], float] = staticmethod(time.perf_counter)
    until_look: int = 0
    steps: float = 0
    text_limit: int = 0


_account = _Account()


class Ended(BaseException):
    """The budget is used up. A BaseException: nothing on the way catches it."""

    def __init__(self, what: str, limit: float) -> None:
        super().__init__(what, limit)
        self.what = what
        self.limit = limit


def open_account(
    seconds: float, of_budget: float, text_limit: int, steps: float, clock: Callable[[], float]
) -> None:
    """Begins a validation of at most `seconds` and `steps` in this thread. `of_budget` is what an error names."""
    _account.clock = clock
    _account.deadline = clock() + seconds
    _account.seconds = of_budget
    _account.until_look = _A_LOOK
    _account.steps = steps
    _account.text_limit = text_limit


def pay(cost: int = 1) -> None:
    """Spends steps. Raises `Ended` where there are no more, or no more time."""
    _account.until_look -= cost
    if _account.until_look < 0:
        _account.steps -= _A_LOOK - _account.until_look
        _account.until_look = _A_LOOK
        if _account.steps < 0:
            raise Ended("work", 0)
        if _account.clock() > _account.deadline:
            raise Ended("seconds", _account.seconds)


def pay_for_text(cost: float) -> None:
    """Spends a match. Raises `Ended` where its worst would pass the limit; the clock sees what it really takes."""
    if cost > _account.text_limit:
        raise Ended("pattern_text", _account.text_limit)
    pay(_A_LOOK if cost > 50 else 1)
