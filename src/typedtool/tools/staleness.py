"""`ListChanges`: a `message_handler` for the SDK's clients that marks bound tools stale when a server's tools change."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias, TypeVar, Union

from typedtool.tools.bound import BoundTool
from typedtool.tools.tool import TypedTool
from typedtool.tools.toolset import Toolset

__all__ = ["ListChanges"]

Handler: TypeAlias = Callable[[Any], Awaitable[None]]
Watched = TypeVar("Watched", bound=Union[BoundTool[Any, Any], Toolset])
_METHOD = "notifications/tools/list_changed"


class ListChanges:
    """A `message_handler` that makes the tools it watches stale when the server says that its tools have changed.

    then: a handler that receives every message afterwards.

    A stale tool still works: its next mismatch lists the tools once more, and `await bound.refresh()` binds it again.

    Pass it as `message_handler=` to the SDK's `Client` or `ClientSession`, then `changes.watch(await tool.bind(client))`.
    """

    def __init__(self, then: Handler | None = None) -> None:
        self.then = then
        self._watched: list[BoundTool[Any, Any]] = []

    def watch(self, bound: Watched) -> Watched:
        """The given bound tool or toolset, which is watched from now on. Raises TypeError for anything else."""
        held: Any = bound
        if isinstance(bound, Toolset):
            names = (n for n in dir(type(bound)) if isinstance(getattr(type(bound), n), TypedTool))
            self._watched += [getattr(bound, name) for name in names]
        elif isinstance(held, BoundTool):
            self._watched.append(bound)
        else:
            raise TypeError(f"expected a bound tool or a toolset, received a {type(held).__name__}")
        return bound

    async def __call__(self, message: Any) -> None:
        """Receives each message of the server from the SDK."""
        # SDK 2.x gives the notification itself, SDK 1.x a wrapper around it
        if _METHOD in (
            getattr(message, "method", None),
            getattr(getattr(message, "root", None), "method", None),
        ):
            for bound in self._watched:
                bound.mark_stale()
        if self.then is not None:
            await self.then(message)
