"""`Toolset`: the tools of one server as a class, bound together by one listing."""

from __future__ import annotations

from typing import Any

from typing_extensions import Self

from typedtool.clients.listing import Listing, list_tools
from typedtool.compatibility.report import Report
from typedtool.results.definitions import Definition, read_listing
from typedtool.tools.binding import Binding, bind_all, bind_unlisted
from typedtool.tools.bound import BoundTool
from typedtool.tools.options import Caller, OnOutcome
from typedtool.tools.tool import TypedTool

__all__ = ["Toolset"]


class Toolset:
    """The tools of one server, as attributes of a class that are bound together by one listing.

    The attributes are made by `TypedTool` or `tool()`; one without a name takes that of its attribute. A tool that the server
    does not list, or whose schema cannot be used, is an entry of `.report` and raises on first use. The others work.

    Example:
        >>> class Weather(Toolset):
        ...     forecast = TypedTool[Query, list[Hour]]("get-weather-forecast")
        ...     count = TypedTool[None, int]("get-count")
        >>> weather = await Weather.bind(client)
        >>> n = await weather.count()
    """

    def __init__(
        self, client: Caller | None, bindings: dict[str, Binding], on_outcome: OnOutcome | None = None, /
    ) -> None:
        """Not for users: `bind` and `against` make toolsets."""
        self._client = client
        self._bindings = bindings
        self._on_outcome = on_outcome
        self._tools: dict[int, BoundTool[Any, Any]] = {}

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        for value in vars(cls).values():
            if isinstance(value, TypedTool):
                value.resolve()  # not in __set_name__: Python 3.10 and 3.11 wrap errors raised there

    @classmethod
    async def bind(
        cls, client: Caller, /, *, strict: bool = False, on_outcome: OnOutcome | None = None
    ) -> Self:
        """The toolset, its tools bound by one listing (all pages).

        on_outcome: called with the tool's name and the outcome, for every call of every tool.

        With `strict=True` the first finding is raised: ToolNotFound, SchemaError, Incompatible, or the SDK's error where the
        listing fails.
        """
        return cls._bound(client, await list_tools(client), strict, on_outcome)

    @classmethod
    def against(
        cls, listing: object, /, *, strict: bool = False, on_outcome: OnOutcome | None = None
    ) -> Self:
        """The toolset, its tools bound to a tools/list result without a client: for decoding only.

        Raises TypeError where `listing` is not a listing, and as `bind` does with `strict=True`.
        """
        return cls._bound(None, _listing_of(read_listing(listing)), strict, on_outcome)

    @classmethod
    def _bound(
        cls, client: Caller | None, listing: Listing, strict: bool, on_outcome: OnOutcome | None
    ) -> Self:
        tools = list(cls._declared().values())
        bindings = bind_all(tools, listing, strict=strict, calls=client is not None) if tools else []
        return cls(client, {tool.name: binding for tool, binding in zip(tools, bindings)}, on_outcome)

    @classmethod
    def _declared(cls) -> dict[str, TypedTool[Any, Any]]:
        """The tools by their attributes, those of base classes first."""
        found: dict[str, TypedTool[Any, Any]] = {}
        for base in reversed(cls.__mro__):
            for name, value in vars(base).items():
                if isinstance(value, TypedTool):
                    found[name] = value
        return found

    def _bound_tool(self, tool: TypedTool[Any, Any], /) -> BoundTool[Any, Any]:
        if (known := self._tools.get(id(tool))) is None:
            binding = self._bindings.get(tool.name) or bind_unlisted(tool)
            known = self._tools[id(tool)] = tool.bound_to(self._client, binding, self._on_outcome)
        return known

    @property
    def report(self) -> Report:
        """What binding found, for all tools."""
        return Report(tuple(f for binding in self._bindings.values() for f in binding.report))

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {', '.join(self._declared())}>"


def _listing_of(definitions: tuple[Definition, ...]) -> Listing:
    first: dict[str, Definition] = {}
    conflicts: set[str] = set()
    for definition in definitions:
        known = first.setdefault(definition.name, definition)
        if (known.input_schema, known.output_schema) != (definition.input_schema, definition.output_schema):
            conflicts.add(definition.name)
    return Listing(tuple(first.values()), conflicts=frozenset(conflicts))
