"""`tool("name", In, Out)`: a tool that is also called with the fields of its input as keywords."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Generic, get_origin, overload

from typing_extensions import ParamSpec, Self, TypeVar, Unpack, override

from typedtool.results.outcomes import value_of
from typedtool.tools.binding import Binding
from typedtool.tools.bound import BoundTool
from typedtool.tools.options import BindsTools, Caller, Declared, In, OnOutcome, Out, ToolOptions
from typedtool.tools.tool import TypedTool

if TYPE_CHECKING:
    from typing_extensions import TypeForm

__all__ = ["BoundFieldsTool", "FieldsTool", "tool"]

P = ParamSpec("P")
T = TypeVar("T")
I = TypeVar("I")  # noqa: E741 the input of tool(), beside In, which has a variance


def _input(tool: Declared, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    cls = tool.input_type
    if len(args) == 1 and not kwargs and isinstance(args[0], get_origin(cls) or cls):
        return args[0]
    if len(args) == 1 and not kwargs and isinstance(args[0], Mapping):
        raise TypeError(f"{tool!r} takes a {cls.__name__} or its fields as keywords, received a dict")
    return cls(*args, **kwargs)


class FieldsTool(TypedTool[In, Out], Generic[P, In, Out]):
    """A `TypedTool` that also takes the fields of its input as keywords. `tool()` makes it.

    Example:
        >>> forecast = tool("get-weather-forecast", Query, list[Hour])
        >>> hours = await forecast(client, location="Paris")
    """

    __slots__ = ()

    @overload
    async def __call__(self: TypedTool[None, Out], client: Caller, arguments: None = None, /) -> Out: ...
    @overload
    async def __call__(self, client: Caller, arguments: In, /) -> Out: ...
    @overload
    async def __call__(self, client: Caller, /, *args: P.args, **kwargs: P.kwargs) -> Out: ...
    @override
    async def __call__(self, client: Caller, /, *args: Any, **kwargs: Any) -> Any:
        """The value that the tool returns for an input object or its fields. Raises as `TypedTool.__call__` does."""
        return value_of(await TypedTool.call(self, client, _input(self, args, kwargs)))

    @override
    def bound_to(
        self, client: Caller | None, binding: Binding, on_outcome: OnOutcome | None = None
    ) -> BoundFieldsTool[P, In, Out]:
        """The bound tool of a binding."""
        return BoundFieldsTool(self, client, binding, on_outcome)

    if TYPE_CHECKING:

        @override
        def against(self, definition: object, /) -> BoundFieldsTool[P, In, Out]: ...
        @override
        async def bind(self, client: Caller, /, *, strict: bool = False) -> BoundFieldsTool[P, In, Out]: ...

        @overload
        def __get__(self, instance: BindsTools, owner: type, /) -> BoundFieldsTool[P, In, Out]: ...
        @overload
        def __get__(self, instance: object, owner: type, /) -> Self: ...
        @override
        def __get__(self, instance: object, owner: type, /) -> Any: ...


class BoundFieldsTool(BoundTool[In, Out], Generic[P, In, Out]):
    """A `BoundTool` that also takes the fields of its input as keywords."""

    __slots__ = ()

    @overload
    async def __call__(self: BoundTool[None, Out], arguments: None = None, /) -> Out: ...
    @overload
    async def __call__(self, arguments: In, /) -> Out: ...
    @overload
    async def __call__(self, /, *args: P.args, **kwargs: P.kwargs) -> Out: ...
    @override
    async def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        """The value that the tool returns for an input object or its fields. Raises as `BoundTool.__call__` does."""
        return value_of(await BoundTool.call(self, _input(self._tool, args, kwargs)))


@overload
def tool(
    name: str | None, input: None, output: TypeForm[T], /, **options: Unpack[ToolOptions]
) -> TypedTool[None, T]: ...
@overload
def tool(
    name: str | None, input: Callable[P, I], output: TypeForm[T], /, **options: Unpack[ToolOptions]
) -> FieldsTool[P, I, T]: ...
def tool(name: str | None, input: Any, output: Any, /, **options: Unpack[ToolOptions]) -> Any:
    """A tool that also takes the fields of its input as keywords. The options are those of `TypedTool`.

    Example:
        >>> forecast = tool("get-weather-forecast", Query, list[Hour])
        >>> hours = await forecast(client, location="Paris")
    """
    return (
        TypedTool(name, None, output, **options)
        if input is None
        else FieldsTool(name, input, output, **options)
    )
