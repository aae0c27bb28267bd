"""What a tool is declared with and called with: `ToolOptions`, `CallOptions`, `Caller`, and the callbacks' types."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Literal, Protocol, TypeAlias, TypedDict

from typing_extensions import Never, TypeVar

from typedtool.decoding.contract import DecoderOptions, Options
from typedtool.results.outcomes import Outcome

__all__ = [
    "BindsTools",
    "CallOptions",
    "Caller",
    "Declared",
    "In",
    "OnBadSchema",
    "OnOutcome",
    "Out",
    "Progress",
    "ToolOptions",
]

In = TypeVar("In", contravariant=True, default=Never)
Out = TypeVar("Out", covariant=True, default=object)

OnBadSchema: TypeAlias = Literal["fail", "type-only"]
OnOutcome: TypeAlias = Callable[[str, Outcome[object]], None]
Progress: TypeAlias = Callable[[float, "float | None", "str | None"], Awaitable[None]]


class ToolOptions(DecoderOptions, total=False):
    """The options of `TypedTool` and `tool`: see `TypedTool`."""

    on_bad_schema: OnBadSchema
    on_outcome: OnOutcome | None


class CallOptions(TypedDict, total=False):
    """The options of one call: see `TypedTool.call`."""

    timeout: float | None
    progress: Progress | None
    meta: Mapping[str, Any] | None


class Caller(Protocol):
    """`mcp.ClientSession` (1.x and 2.x), `mcp.Client`, FastMCP's `Client`, or anything with their `call_tool`.

    Example:
        >>> async def cities(client: Caller) -> list[str]:
        ...     return await TypedTool[None, list[str]]("list-cities")(client)
    """

    async def call_tool(self, name: str, arguments: dict[str, Any] | None = None) -> Any:
        """Call a tool of the server."""
        raise NotImplementedError


class Declared(Protocol):
    """What binding and calling need to know of a `TypedTool`."""

    options: Options
    on_bad_schema: OnBadSchema
    on_outcome: OnOutcome | None

    @property
    def name(self) -> str: ...
    @property
    def input_type(self) -> Any: ...
    @property
    def output_type(self) -> Any: ...


class BindsTools(Protocol):
    """A `Toolset`, as the attributes of its class know it."""

    def _bound_tool(self, tool: Any, /) -> Any: ...
