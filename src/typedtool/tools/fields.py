"""`tool("name", In, Out)`: a tool that is also called with the fields of its input as keywords."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, get_origin, overload

from typing_extensions import Never, ParamSpec, Self, TypeVar, override

from typedtool.decoding.contract import Validate
from typedtool.results.outcomes import value_of
from typedtool.results.text_options import TextOption
from typedtool.tools.binding import Binding
from typedtool.tools.tool import BoundTool, Caller, OnBadSchema, OnOutcome, TypedTool
from typedtool.values.budgets import DEFAULT_BUDGET, Budget

if TYPE_CHECKING:
    from typing_extensions import TypeForm

    from typedtool.tools.toolset import Toolset

__all__ = ["BoundFieldsTool", "FieldsTool", "tool"]

P = ParamSpec("P")
T = TypeVar("T")
I = TypeVar("I")  # noqa: E741 the input of tool(), beside In, which has a variance
In = TypeVar("In", contravariant=True, default=Never)
Out = TypeVar("Out", covariant=True, default=object)


class FieldsTool(TypedTool[In, Out], Generic[P, In, Out]):
    """Made by `tool()`: called with an input object, or with the fields of the input as keywords.

    Example:
        >>> forecast = tool("get-weather-forecast", Query, list[Hour])
        >>> hours = await forecast(client, location="Paris")
    """

    __slots__ = ()

    def _input(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        cls = self.input_type
        if len(args) == 1 and not kwargs and isinstance(args[0], get_origin(cls) or cls):
            return args[0]
        if len(args) == 1 and not kwargs and isinstance(args[0], Mapping):
            raise TypeError(f"{self!r} takes a {cls.__name__} or its fields as keywords, received a dict")
        return cls(*args, **kwargs)

    @overload
    async def __call__(self: TypedTool[None, Out], client: Caller, arguments: None = None, /) -> Out: ...
    @overload
    async def __call__(self, client: Caller, arguments: In, /) -> Out: ...
    @overload
    async def __call__(self, client: Caller, /, *args: P.args, **kwargs: P.kwargs) -> Out: ...
    @override
    async def __call__(self, client: Caller, /, *args: Any, **kwargs: Any) -> Any:
        """Call the tool with an input object, or with its fields. See `TypedTool.__call__`."""
        return value_of(await TypedTool.call(self, client, self._input(args, kwargs)))

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
        def __get__(self, instance: Toolset, owner: type, /) -> BoundFieldsTool[P, In, Out]: ...
        @overload
        def __get__(self, instance: object, owner: type, /) -> Self: ...
        @override
        def __get__(self, instance: object, owner: type, /) -> Any: ...


class BoundFieldsTool(BoundTool[In, Out], Generic[P, In, Out]):
    """A bound tool that is called with an input object, or with the fields of the input as keywords."""

    __slots__ = ()

    @overload
    async def __call__(self: BoundTool[None, Out], arguments: None = None, /) -> Out: ...
    @overload
    async def __call__(self, arguments: In, /) -> Out: ...
    @overload
    async def __call__(self, /, *args: P.args, **kwargs: P.kwargs) -> Out: ...
    @override
    async def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        """Call the tool with an input object, or with its fields. See `BoundTool.__call__`."""
        fields: Any = self._tool
        return value_of(await BoundTool.call(self, fields._input(args, kwargs)))


@overload
def tool(
    name: str | None,
    input: None,
    output: TypeForm[T],
    /,
    *,
    text: TextOption | Sequence[TextOption] | None = None,
    lax: bool = False,
    error: Any = None,
    validate: Validate = "enforce",
    on_bad_schema: OnBadSchema = "fail",
    on_outcome: OnOutcome | None = None,
    budget: Budget = DEFAULT_BUDGET,
) -> TypedTool[None, T]: ...
@overload
def tool(
    name: str | None,
    input: Callable[P, I],
    output: TypeForm[T],
    /,
    *,
    text: TextOption | Sequence[TextOption] | None = None,
    lax: bool = False,
    error: Any = None,
    validate: Validate = "enforce",
    on_bad_schema: OnBadSchema = "fail",
    on_outcome: OnOutcome | None = None,
    budget: Budget = DEFAULT_BUDGET,
) -> FieldsTool[P, I, T]: ...
def tool(name: str | None, input: Any, output: Any, /, **options: Any) -> Any:
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
