"""`BoundTool`: a tool as a server lists it, and calls of it."""

from __future__ import annotations

from typing import Any, Generic, overload

from msgspec import structs
from typing_extensions import Self, Unpack

from typedtool.clients.listing import list_tools
from typedtool.compatibility.report import Report
from typedtool.decoding.contract import Contract
from typedtool.results.definitions import Definition
from typedtool.results.outcomes import Mismatch, Outcome, value_of
from typedtool.tools.binding import Binding, bind_listed
from typedtool.tools.calling import arguments_of, call, changed_since, outcome_of
from typedtool.tools.options import Caller, CallOptions, Declared, In, OnOutcome, Out

__all__ = ["BoundTool"]


class BoundTool(Generic[In, Out]):
    """A tool bound to the server's definition of it: input and output are validated against the server's schemas.

    `TypedTool.bind`, `TypedTool.against` and `Toolset` make bound tools.

    Example:
        >>> bound = await TypedTool[Query, list[Hour]]("get-weather-forecast").bind(client)
        >>> hours = await bound(Query("Paris"))
    """

    __slots__ = ("_binding", "_client", "_input_type", "_on_outcome", "_relisted", "_stale", "_tool")

    def __init__(
        self, tool: Declared, client: Caller | None, binding: Binding, on_outcome: OnOutcome | None = None, /
    ) -> None:
        self._tool = tool
        self._client = client
        self._binding = binding
        self._input_type = tool.input_type
        self._on_outcome = on_outcome or tool.on_outcome
        self._relisted = False
        self._stale = False

    @property
    def name(self) -> str:
        """The tool's name at the server."""
        return self._tool.name

    @property
    def definition(self) -> Definition | None:
        """The server's definition, None where the listing failed."""
        return self._binding.definition

    @property
    def report(self) -> Report:
        """What binding found."""
        return self._binding.report

    def _decoding(self) -> Contract:
        """What results are decoded by. Raises the error that this one tool fails with."""
        binding = self._binding
        if binding.fault is not None:
            raise binding.fault
        assert binding.contract is not None, "a binding without a fault has a contract"
        return binding.contract

    @overload
    async def __call__(self: BoundTool[None, Out], arguments: None = None, /) -> Out: ...
    @overload
    async def __call__(self, arguments: In, /) -> Out: ...
    async def __call__(self, arguments: Any = None, /) -> Any:
        """The value that the tool returns, validated against the server's schema.

        Raises as `await tool(...)` does, and InvalidArguments where the server's inputSchema refuses the input, SchemaChanged
        where the result does not fit because the schema has changed since the tool was bound, and ToolNotFound or SchemaError
        where a Toolset was bound although the tool cannot be used.
        """
        return value_of(await self.call(arguments))

    @overload
    async def call(
        self: BoundTool[None, Out], arguments: None = None, /, **options: Unpack[CallOptions]
    ) -> Outcome[Out]: ...
    @overload
    async def call(self, arguments: In, /, **options: Unpack[CallOptions]) -> Outcome[Out]: ...
    async def call(self, arguments: Any = None, /, **options: Unpack[CallOptions]) -> Any:
        """The outcome of a call. Never raises for what the server answered. The options are those of `TypedTool.call`.

        On the first Mismatch the tools are listed once more, and `.changed` says how the tool's schema changed since it was
        bound. The tool itself is never called a second time.
        """
        if self._client is None:
            raise TypeError(
                f"{self!r} was bound without a client, for decoding only: use bind(client) to call it"
            )
        contract, binding = self._decoding(), self._binding
        if binding.duplicate:
            binding.refuse_conflict()
        sent = arguments_of(binding.tool, self._input_type, arguments, binding.input_schema)
        outcome = await call(self._client, contract, sent, **options)
        if isinstance(outcome, Mismatch) and not self._relisted and binding.definition is not None:
            self._relisted = True
            changed = await changed_since(self._client, binding.definition)
            outcome = structs.replace(outcome, changed=changed)
        if self._on_outcome is not None:
            self._on_outcome(binding.tool, outcome)
        return outcome

    def decode(self, result: object, /) -> Out:
        """The value of a result that was received in another way, validated against the server's schema."""
        return value_of(self.read(result))

    def read(self, result: object, /) -> Outcome[Out]:
        """The outcome of a result that was received in another way, validated against the server's schema."""
        contract = self._decoding()
        outcome = self._binding.conflict(result) or outcome_of(contract, result)
        if self._on_outcome is not None:
            self._on_outcome(self.name, outcome)
        return outcome

    @property
    def stale(self) -> bool:
        """Whether the server has said that its tools changed since this one was bound: see `ListChanges` and `refresh`."""
        return self._stale

    def mark_stale(self) -> None:
        """Makes the tool stale: its next mismatch lists the tools once more."""
        self._stale, self._relisted = True, False

    async def refresh(self) -> Self:
        """This tool, bound again to what the server lists now. Raises as `TypedTool.bind` does."""
        if self._client is None:
            raise TypeError(f"{self!r} was bound without a client: there is nothing to list")
        binding = bind_listed(self._tool, await list_tools(self._client, refresh=True)).usable()
        self._binding, self._relisted, self._stale = binding, False, False
        return self

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._binding.tool!r}>"
