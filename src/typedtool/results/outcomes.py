"""The outcome of a call, a closed union: `Outcome = Ok | ToolFailed | Mismatch | InputRequired`; and their errors."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, Generic, Literal, TypeAlias, Union

from msgspec import UNSET, Struct, structs
from typing_extensions import TypeVar, assert_never, final

from typedtool.errors import Problem, TypedToolError, brief, cut, named, sentence
from typedtool.results.result import ToolResult
from typedtool.values.guards import is_mapping

__all__ = [
    "InputRequired",
    "InputRequiredError",
    "Mismatch",
    "MismatchError",
    "Ok",
    "Outcome",
    "Reason",
    "SchemaChanged",
    "Source",
    "ToolFailed",
    "ToolFailedError",
    "error_of",
    "value_of",
]

Value = TypeVar("Value", covariant=True, default=object)
T = TypeVar("T")
Failure = TypeVar("Failure", bound="ToolFailed | Mismatch | InputRequired")

Source: TypeAlias = Literal["structured", "json-string", "text", "blocks", "empty"]
"""Where a value came from: `structuredContent`; JSON in its string; the text; one text block an element; no content."""

Reason: TypeAlias = Literal["missing", "not_json", "mismatch", "ambiguous", "malformed", "over_budget"]


@final
class Ok(Struct, Generic[Value], frozen=True):
    """A value, and where it came from.

    source: see `Source`.
    unwrapped: whether the value was in a `{"result": value}` that the server put around it.
    problems: what the server's schema says against the value, where the tool only warns (`validate="warn"`).
    result: the result as read.

    Example:
        >>> match decoder.read({"content": [], "structuredContent": [1, 2]}):
        ...     case Ok(value, source=source):
        ...         print(value, source)
        [1, 2] structured
    """

    value: Value
    source: Source = "structured"
    unwrapped: bool = False
    problems: tuple[Problem, ...] = ()
    result: ToolResult = ToolResult()

    def __repr__(self) -> str:
        return cut(f"Ok({brief(self.value, 1_000)}, source={self.source!r}, unwrapped={self.unwrapped})")


class _Failure(Struct, frozen=True):
    """An outcome without a value: bounded words, and pickling."""

    @property
    @abstractmethod
    def message(self) -> str:
        """The outcome in one sentence."""

    def __str__(self) -> str:
        return cut(self.message)

    def __repr__(self) -> str:
        return cut(f"{type(self).__name__}({self.message!r})")

    def __reduce__(self) -> tuple[object, ...]:
        """The SDK's exception, which may not pickle, is left out, and its words put in place of the raw result."""
        values: dict[str, Any] = {name: getattr(self, name) for name in self.__struct_fields__}
        cause = values.get("cause")
        if cause is not None:
            said = f"{type(cause).__name__}: {cut(str(cause), 500)}"
            values.update(cause=None, result=structs.replace(values["result"], raw=said))
        return type(self), tuple(values.values())


@final
class ToolFailed(_Failure, frozen=True):
    """The tool reports a failure (`isError`), or the server answers with a JSON-RPC error (`code` is set).

    text: what the tool or the server said.
    code, data: of the JSON-RPC error.
    error: the error object as the type given with `error=`, UNSET where there is none or it does not fit.
    cause: the SDK's own exception for a JSON-RPC error.

    Example:
        >>> match Decoder(int).read({"content": [{"type": "text", "text": "no such city"}], "isError": True}):
        ...     case ToolFailed(text=text):
        ...         print(text)
        no such city
    """

    result: ToolResult
    text: str = ""
    code: int | None = None
    data: object = UNSET
    error: object = UNSET
    tool: str = ""
    cause: BaseException | None = None

    @property
    def message(self) -> str:
        what = f"tool {named(self.tool)} failed" if self.tool else "the tool failed"
        code = "" if self.code is None else f" (JSON-RPC error {self.code})"
        if self.error is not UNSET:
            return f"{what}{code}: {brief(self.error)}"
        if self.text:
            return f"{what}{code}: {cut(self.text, 500)}"
        said = self.result.structured
        return f"{what}{code}" + ("" if said is UNSET or said is None else f": {brief(said)}")


@final
class Mismatch(_Failure, frozen=True):
    """The result does not fit the type or the schema. The tool has run: its effects are real.

    reason: `"missing"`: nothing to read, or an outputSchema is declared and what came is text that is not JSON;
        `"not_json"`: text that is not JSON where no schema is declared; `"mismatch"`: JSON that does not fit;
        `"ambiguous"`: more than one reading, and no rule to choose; `"malformed"`: not a CallToolResult;
        `"over_budget"`: larger or deeper than the budget allows.
    problems: where it does not fit, in kinds and sizes.
    value: the value that the type took and the schema refused, else UNSET.
    changed: how the tool's schema changed since it was bound, where it did.
    hint: the way out, where there is one.
    cause: the SDK's own exception, where the SDK refused the answer before it could be read.

    Example:
        >>> match Decoder(list[int]).read({"content": [], "structuredContent": [1, "2"]}):
        ...     case Mismatch(reason=reason, problems=problems):
        ...         print(reason, *problems)
        mismatch expected integer, received string at $[1]
    """

    reason: Reason
    problems: tuple[Problem, ...]
    result: ToolResult
    value: object = UNSET
    changed: str | None = None
    tool: str = ""
    hint: str = ""
    cause: BaseException | None = None

    @property
    def message(self) -> str:
        what = f"tool {named(self.tool)}: " if self.tool else ""
        hint = f" ({cut(self.hint, 300)})" if self.hint else ""
        changed = (
            f" (its schema has changed since it was bound: {cut(self.changed, 300)})" if self.changed else ""
        )
        return f"{what}{_REASONS[self.reason]}: {sentence(self.problems)}{changed}{hint}"

    def __repr__(self) -> str:
        return cut(f"Mismatch({self.reason!r}, {sentence(self.problems)!r})")


_REASONS: dict[Reason, str] = {
    "missing": "the result holds no value",
    "not_json": "the text is not JSON",
    "mismatch": "the value does not fit",
    "ambiguous": "the result can be read in more than one way",
    "malformed": "not a CallToolResult",
    "over_budget": "the result is more than the budget allows",
}


@final
class InputRequired(_Failure, frozen=True):
    """The server asks for input before it goes on (MCP 2026-07-28, `resultType: "input_required"`).

    requests: the server's `inputRequests`, by their names; state: its `requestState`, to be sent back as it is.

    Example:
        >>> match Decoder(int).read({"resultType": "input_required", "inputRequests": {"city": {}}}):
        ...     case InputRequired(requests=requests):
        ...         print(list(requests))
        ['city']
    """

    result: ToolResult
    requests: object = UNSET
    state: object = UNSET
    tool: str = ""

    @property
    def message(self) -> str:
        what = f"tool {named(self.tool)}" if self.tool else "the tool"
        asked = f": {brief(list(self.requests))}" if is_mapping(self.requests) else ""
        return f"{what} asks for input before it goes on{asked}"


Outcome: TypeAlias = Union[Ok[T], ToolFailed, Mismatch, InputRequired]
"""The outcomes of a call, to be matched to the end.

Example:
    >>> outcome: Outcome[int] = Decoder(int).read({"content": [], "structuredContent": 1})
"""


# --- errors ---------------------------------------------------------------------------------------------------------


class _OutcomeError(TypedToolError, Generic[Failure]):
    """An outcome without a value, raised. It keeps the outcome, and with it the raw result."""

    def __init__(self, outcome: Failure) -> None:
        super().__init__(outcome)
        self.outcome: Failure = outcome

    @property
    def result(self) -> ToolResult:
        """The result as read."""
        return self.outcome.result

    @property
    def message(self) -> str:
        return self.outcome.message


class ToolFailedError(_OutcomeError[ToolFailed]):
    """The tool reports a failure, or the server answers the call with a JSON-RPC error.

    `.outcome` is the `ToolFailed` with everything the server said; `.result`, `.code` and `.error` are its own.

    Example:
        >>> try:
        ...     decode({"content": [{"type": "text", "text": "no such city"}], "isError": True}, int)
        ... except ToolFailedError as error:
        ...     print(error.result.text)
        no such city
    """

    @property
    def code(self) -> int | None:
        """The JSON-RPC error code, None where a result says `isError`."""
        return self.outcome.code

    @property
    def error(self) -> object:
        """The error object as the type given with `error=`, else UNSET."""
        return self.outcome.error


class MismatchError(_OutcomeError[Mismatch]):
    """The result does not fit the tool's type or its schema. The tool has run: another call may do its work twice.

    `.outcome` is the `Mismatch`; `.result`, `.reason`, `.problems` and `.value` are its own.

    Example:
        >>> try:
        ...     decode({"content": [], "structuredContent": {"temp": "mild"}}, dict[str, float])
        ... except MismatchError as error:
        ...     print(*error.problems)
        expected number, received string at $.temp
    """

    @property
    def reason(self) -> Reason:
        """Why: see `Mismatch.reason`."""
        return self.outcome.reason

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Where the value is not what was expected."""
        return self.outcome.problems

    @property
    def value(self) -> object:
        """The value that the type took and the schema refused, else UNSET."""
        return self.outcome.value


class SchemaChanged(_OutcomeError[Mismatch]):
    """A result did not fit, and the server has changed the tool's schema since the tool was bound.

    `.outcome` is the `Mismatch`, `.changed` says how the schema changed. Bind again, or `await bound.refresh()`.

    Example:
        >>> try:
        ...     hours = await bound(Query("Paris"))
        ... except SchemaChanged as error:
        ...     bound = await bound.refresh()
    """

    @property
    def changed(self) -> str:
        """How the schema changed since the tool was bound."""
        return self.outcome.changed or ""

    @property
    def message(self) -> str:
        return f"the schema of tool {named(self.outcome.tool)} has changed since it was bound: {self.changed}"


class InputRequiredError(_OutcomeError[InputRequired]):
    """The server asks for input before it goes on (MCP 2026-07-28, `resultType: "input_required"`).

    Example:
        >>> try:
        ...     decode({"resultType": "input_required", "inputRequests": {"city": {}}}, int)
        ... except InputRequiredError as error:
        ...     print(list(error.outcome.requests))
        ['city']
    """


def error_of(outcome: ToolFailed | Mismatch | InputRequired) -> TypedToolError:
    """The error that `await tool(...)` and `decode` raise for an outcome without a value."""
    match outcome:
        case ToolFailed():
            return ToolFailedError(outcome)
        case Mismatch():
            return MismatchError(outcome) if outcome.changed is None else SchemaChanged(outcome)
        case InputRequired():
            return InputRequiredError(outcome)
        case _:
            assert_never(outcome)


def value_of(outcome: Outcome[T]) -> T:
    """The value of an outcome. Raises the error of an outcome without one, from the SDK's own where there is one.

    Example:
        >>> value_of(Ok(5))
        5
    """
    if isinstance(outcome, Ok):
        return outcome.value
    raise error_of(outcome) from getattr(outcome, "cause", None)
