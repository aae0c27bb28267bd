"""`TypedTool[In, Out]`: a tool with the type it takes and the type it returns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, overload

from typing_extensions import Self, Unpack

from typedtool.clients.listing import list_tools
from typedtool.decoding.contract import Contract, DecoderOptions, Options
from typedtool.results.definitions import Definition, read_definition
from typedtool.results.outcomes import Outcome, value_of
from typedtool.tools.binding import Binding, announce, bind_definition, bind_listed
from typedtool.tools.bound import BoundTool
from typedtool.tools.calling import arguments_of, call, outcome_of
from typedtool.tools.options import (
    BindsTools,
    Caller,
    CallOptions,
    In,
    OnBadSchema,
    OnOutcome,
    Out,
    ToolOptions,
)
from typedtool.types.hints import checked, type_arguments

if TYPE_CHECKING:
    from typing_extensions import TypeForm

__all__ = ["TypedTool"]

_NO_TYPE: Any = object()


class TypedTool(Generic[In, Out]):
    """A tool of a server, with the type of its input and the type of its output.

    There are three ways to declare one: `TypedTool[Query, list[Hour]]("forecast")`,
    `TypedTool("forecast", Query, list[Hour])` and `tool("forecast", Query, list[Hour])`. `In = None` takes no argument.

    name: the tool's name at the server. In a `Toolset` it may be left out: the attribute's name is used.
    text: more ways to find JSON in text, one or several of `"any-block"`, `"fenced"`, `"prefixed"`, `"resource"`. They are
        guesses, so none is on by default.
    lax: whether strings such as `"5"` and `"true"` are decoded as numbers and booleans.
    error: the type of an error object that the tool may send instead of its value. The outcome is then a ToolFailed with
        the decoded object as `.error`.
    validate: what a bound tool does with a value that decodes and that the server's schema refuses. `"enforce"`: a Mismatch
        that keeps the value. `"used"`: the same, but the properties that the type does not read are not validated.
        `"warn"`: an Ok, and a TypedToolWarning. `"off"`: nothing. A check that decoding makes redundant is left out.
    on_bad_schema: what binding does with a schema that cannot be used. `"fail"`: it raises SchemaError. `"type-only"`: the
        tool is decoded by type alone, and the report says so.
    on_outcome: called with the tool's name and each outcome, for logs and metrics. It cannot change the outcome.
    budget: the most that one result may cost.

    Raises TypeError, at the latest on first use, for a type that no JSON value can be decoded into; ValueError for an
    option's value that is not one of those above.

    Example:
        >>> forecast = TypedTool[Query, list[Hour]]("get-weather-forecast")
        >>> hours = await forecast(client, Query("Paris"))
    """

    # __orig_class__ is where typing keeps the arguments of TypedTool[In, Out]: without the slot they would be lost
    __slots__ = (
        "__orig_class__",
        "__weakref__",
        "_contract",
        "_name",
        "_types",
        "on_bad_schema",
        "on_outcome",
        "options",
    )
    _name: str | None
    _types: tuple[Any, Any] | None
    _contract: Contract | None
    options: Options
    on_bad_schema: OnBadSchema
    on_outcome: OnOutcome | None

    @overload
    def __init__(self, name: str | None = None, /, **options: Unpack[ToolOptions]) -> None: ...
    @overload
    def __init__(
        self, name: str | None, input: TypeForm[In], output: TypeForm[Out], /, **options: Unpack[ToolOptions]
    ) -> None: ...
    def __init__(
        self,
        name: str | None = None,
        input: Any = _NO_TYPE,
        output: Any = _NO_TYPE,
        /,
        **options: Unpack[ToolOptions],
    ) -> None:
        self._name = name
        self.options, self.on_bad_schema, self.on_outcome = _read_options(**options)
        self._types = None if input is _NO_TYPE else checked(self, (input, output))
        self._contract = None

    @classmethod
    def from_definition(cls, definition: object, /) -> TypedTool[Any, Any]:
        """The tool of an entry of tools/list, with the types that `typedtool generate` would write.

        What a schema says beyond a type is validated by a bound tool only: `from_definition(d).against(d)`. Raises
        TypeError where `definition` is not a tool.

        Example:
            >>> tool = TypedTool.from_definition({"name": "count", "outputSchema": {"type": "integer"}})
            >>> tool.output_type
            <class 'int'>
        """
        from typedtool.codegen import types_for

        read = read_definition(definition)
        input, output = types_for(read)
        return TypedTool(read.name, input, output)

    @property
    def name(self) -> str:
        """The tool's name at the server."""
        if self._name is None:
            raise TypeError(f"{self!r} has no name: give it one, or make it an attribute of a Toolset")
        return self._name

    @property
    def input_type(self) -> Any:
        """`In`, None where the tool takes no argument."""
        return self.resolve()[0]

    @property
    def output_type(self) -> Any:
        """`Out`."""
        return self.resolve()[1]

    def resolve(self) -> tuple[Any, Any]:
        """`(In, Out)`. Raises TypeError where the declaration does not say its types at run time."""
        if self._types is None:
            # Generic sets __orig_class__ after __init__, so it is read on first use
            self._types = checked(self, type_arguments(self, TypedTool))
        return self._types

    def _decoding(self) -> Contract:
        if self._contract is None:
            definition = Definition(self._name or "")
            self._contract = Contract.of(self.output_type, definition, None, self.options)
        return self._contract

    # --- calling ------------------------------------------------------------------------------------------------

    @overload
    async def __call__(self: TypedTool[None, Out], client: Caller, arguments: None = None, /) -> Out: ...
    @overload
    async def __call__(self, client: Caller, arguments: In, /) -> Out: ...
    async def __call__(self, client: Caller, arguments: Any = None, /) -> Any:
        """The value that the tool returns. Its result is decoded by type alone: no listing, no schema.

        Raises ToolFailedError, MismatchError and InputRequiredError, each with the raw result, and TypeError for an input
        that cannot be sent. Lost connections, timeouts and cancellation pass through as the SDK raises them.
        """
        return value_of(await self.call(client, arguments))

    @overload
    async def call(
        self: TypedTool[None, Out], client: Caller, arguments: None = None, /, **options: Unpack[CallOptions]
    ) -> Outcome[Out]: ...
    @overload
    async def call(
        self, client: Caller, arguments: In, /, **options: Unpack[CallOptions]
    ) -> Outcome[Out]: ...
    async def call(self, client: Caller, arguments: Any = None, /, **options: Unpack[CallOptions]) -> Any:
        """The outcome of a call. Never raises for what the server answered.

        timeout: in seconds. progress: awaited with (progress, total, message). meta: the request's `_meta`.
        """
        name, input_type, contract = self.name, self.input_type, self._decoding()
        outcome = await call(client, contract, arguments_of(name, input_type, arguments), **options)
        if self.on_outcome is not None:
            self.on_outcome(name, outcome)
        return outcome

    # --- decoding -----------------------------------------------------------------------------------------------

    def decode(self, result: object, /) -> Out:
        """The value of a result that was received in another way. Raises as `await tool(...)` does."""
        return value_of(self.read(result))

    def read(self, result: object, /) -> Outcome[Out]:
        """The outcome of a result that was received in another way. Never raises for what the server answered.

        result: an SDK or FastMCP result, a dict in wire form, or JSON text of a result or of a JSON-RPC response.
        """
        outcome = outcome_of(self._decoding(), result)
        if self.on_outcome is not None:
            self.on_outcome(self._name or "", outcome)
        return outcome

    # --- binding ------------------------------------------------------------------------------------------------

    def against(self, definition: object, /) -> BoundTool[In, Out]:
        """The tool, bound to an entry of tools/list (an SDK `Tool` or a wire dict) without a client: for decoding only.

        Raises SchemaError where the server's schema cannot be used (see `on_bad_schema`), and Incompatible where no value
        that it allows can be decoded. If only some values cannot, `.report` says so, with one TypedToolWarning.

        Example:
            >>> bound = forecast.against({"name": "forecast", "outputSchema": {"type": "array"}})
        """
        binding = bind_definition(self, read_definition(definition))
        announce(binding, stacklevel=2)
        return self.bound_to(None, binding.usable())

    async def bind(self, client: Caller, /, *, strict: bool = False) -> BoundTool[In, Out]:
        """The tool, bound to its definition in the server's listing (all pages).

        Raises ToolNotFound where the server does not list it, SchemaError where its schema cannot be used (see
        `on_bad_schema`), and Incompatible where no value that a schema allows fits the type. If only some values do not
        fit, or the listing fails, `.report` says so, with one TypedToolWarning; with `strict=True` that is raised too.
        """
        binding = bind_listed(self, await list_tools(client), strict=strict)
        return self.bound_to(client, binding.usable())

    def bound_to(
        self, client: Caller | None, binding: Binding, on_outcome: OnOutcome | None = None
    ) -> BoundTool[In, Out]:
        """The bound tool of a binding. `bind` and `against` call this."""
        return BoundTool(self, client, binding, on_outcome)

    # the second overload: None (the class itself), and any class that holds a tool and is no Toolset
    @overload
    def __get__(self, instance: BindsTools, owner: type, /) -> BoundTool[In, Out]: ...
    @overload
    def __get__(self, instance: object, owner: type, /) -> Self: ...
    def __get__(self, instance: object, owner: type, /) -> Any:
        bound_of = getattr(type(instance), "_bound_tool", None)
        return self if bound_of is None else bound_of(instance, self)

    def __set_name__(self, owner: type, name: str, /) -> None:
        if self._name is None:
            self._name = name

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object, /) -> Self:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        options = (self.options, self.on_bad_schema, self.on_outcome)
        return _rebuilt, (type(self), self._name, *self.resolve(), *options)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._name!r}>"


def _read_options(
    *,
    on_bad_schema: OnBadSchema = "fail",
    on_outcome: OnOutcome | None = None,
    **options: Unpack[DecoderOptions],
) -> tuple[Options, OnBadSchema, OnOutcome | None]:
    if on_bad_schema not in ("fail", "type-only"):
        raise ValueError(f'on_bad_schema={on_bad_schema!r}: expected "fail" or "type-only"')
    return Options.of(**options), on_bad_schema, on_outcome


def _rebuilt(
    cls: Any, name: Any, input: Any, output: Any, options: Options, bad: OnBadSchema, seen: Any
) -> Any:
    new = cls.__new__(cls)
    TypedTool.__init__(new, name, input, output, on_bad_schema=bad, on_outcome=seen)
    new.options = options
    return new
