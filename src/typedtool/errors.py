"""What can go wrong, in words: `Problem`, the errors, and bounded words for foreign values.

A `Problem` says where a value is not what was expected. The errors that outcomes raise are in `results.outcomes`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any, Literal, TypeGuard

from msgspec import UNSET, Struct

__all__ = [
    "MESSAGE_LIMIT",
    "BudgetExceeded",
    "Incompatible",
    "InvalidArguments",
    "InvalidSchema",
    "Problem",
    "SchemaError",
    "ToolNotFound",
    "TypedToolError",
    "TypedToolWarning",
    "UnsafeSchema",
    "UnsupportedDialect",
    "brief",
    "cut",
    "kind_of",
    "named",
    "sentence",
]

MESSAGE_LIMIT = 2_000
"""The most characters that `str` or `repr` of an outcome or an error has, whatever the server sent."""

_PROBLEMS_SHOWN = 5


# --- words for foreign things: always bounded, never the foreign object's own repr ----------------------------------


def cut(text: str, limit: int = MESSAGE_LIMIT) -> str:
    """`text`, at most `limit` characters long: the middle of a longer one is left out."""
    if len(text) <= limit:
        return text
    half = (limit - 5) // 2
    return f"{text[:half]} ... {text[-half:]}"


def named(name: object, limit: int = 80) -> str:
    """A name that a server chose, safe to print: quoted, escaped and cut."""
    text = name if isinstance(name, str) else brief(name, limit)
    return repr(cut(text, limit))


def kind_of(value: object) -> str:
    """The JSON Schema word for the kind of `value`: null, boolean, integer, number, string, array, object."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int):
        return "integer"
    if isinstance(value, float):
        return "number"
    if isinstance(value, str):
        return "string"
    if isinstance(value, (list, tuple)):
        return "array"
    if isinstance(value, Mapping):
        return "object"
    return "nothing" if value is UNSET else f"a Python {type(value).__name__[:60]}"


def brief(value: object, limit: int = 200, depth: int = 3) -> str:
    """A bounded rendering of any value, foreign or not: no foreign code runs, no depth is followed far.

    Example:
        >>> brief({"rows": [[1], [2]], "name": "x" * 500}, limit=60)
        "{'rows': [[1], [2]], 'name': 'xxxxxxxxxx...' (500 chars)}"
    """
    return cut(_brief(value, limit, depth), limit)


def _brief(value: object, limit: int, depth: int) -> str:
    if value is None or value is UNSET or isinstance(value, (bool, float)):
        return repr(value)
    if isinstance(value, int):
        return repr(value) if value.bit_length() < 256 else f"<int of {value.bit_length()} bits>"
    if isinstance(value, (str, bytes, bytearray)):
        return _brief_text(value, max(10, limit // 6))
    if _is_mapping(value):
        if depth == 0:
            return f"<{type(value).__name__} of {len(value)}>"
        pairs = (f"{_brief(k, limit, 0)}: {_brief(v, limit, depth - 1)}" for k, v in _first(value.items(), 5))
        return "{" + _listed(pairs, len(value)) + "}"
    if _is_collection(value):
        if depth == 0:
            return f"<{type(value).__name__} of {len(value)}>"
        return "[" + _listed((_brief(v, limit, depth - 1) for v in _first(value, 5)), len(value)) + "]"
    fields = getattr(type(value), "__struct_fields__", None)
    if isinstance(value, Struct) and fields is not None and depth:
        shown = (f"{f}={_brief(getattr(value, f, UNSET), limit, depth - 1)}" for f in fields[:8])
        return f"{type(value).__name__}({_listed(shown, len(fields))})"
    return f"<{type(value).__name__[:60]}>"


def _is_mapping(value: object) -> TypeGuard[Mapping[Any, Any]]:
    return isinstance(value, Mapping)


def _is_collection(value: object) -> TypeGuard[Collection[Any]]:
    return isinstance(value, (list, tuple, set, frozenset))


def _brief_text(value: str | bytes | bytearray, few: int) -> str:
    if len(value) <= few:
        return repr(value)
    shown = repr(value[:few])
    return f"{shown[:-1]}...{shown[-1]} ({len(value)} chars)"


def _first(items: Iterable[Any], count: int) -> list[Any]:
    return [item for item, _ in zip(items, range(count))]


def _listed(shown: Iterable[str], count: int) -> str:
    parts = list(shown)
    return ", ".join([*parts, f"... {count - len(parts)} more"] if count > len(parts) else parts)


def sentence(problems: tuple[Problem, ...]) -> str:
    """The first few problems, and how many more there are, as one line."""
    shown = "; ".join(map(str, problems[:_PROBLEMS_SHOWN]))
    more = len(problems) - _PROBLEMS_SHOWN
    return f"{shown}; and {more} more" if more > 0 else shown


# --- what was read --------------------------------------------------------------------------------------------------


class Problem(Struct, frozen=True):
    """One place where a value is not what a type or a schema expects.

    code: the JSON Schema keyword that refuses the value, also where a Python type refuses it (`"type"`,
        `"required"`, `"maximum"`, ...); `"json"` for what no JSON text can carry; or the reason of the outcome.
    path: where the value is or should be, a JSONPath (RFC 9535) into the result, `$` being the whole value.
    expected, received: kinds and sizes, never the value itself: results hold secrets.

    Example:
        >>> print(Problem("type", "$.rows[3].id", "integer", "string"))
        expected integer, received string at $.rows[3].id
    """

    code: str
    path: str
    expected: str
    received: str

    def __str__(self) -> str:
        return cut(f"expected {self.expected}, received {self.received} at {self.path}", 400)


# --- errors ---------------------------------------------------------------------------------------------------------


class TypedToolWarning(UserWarning):
    """The category of every warning that typedtool gives: filter it, or turn it into an error.

    Example:
        >>> import warnings
        >>> warnings.simplefilter("ignore", TypedToolWarning)
    """


class TypedToolError(Exception):
    """The root of every error of typedtool. Errors pickle, and their text is bounded.

    Example:
        >>> try:
        ...     decode({"content": []}, int)
        ... except TypedToolError as error:
        ...     print(type(error).__name__)
        MismatchError
    """

    def __str__(self) -> str:
        return cut(self.message)

    def __repr__(self) -> str:
        return cut(f"{type(self).__name__}({self.message!r})")

    @property
    def message(self) -> str:
        """The error in one sentence."""
        return " ".join(a if isinstance(a, str) else brief(a) for a in self.args)


class InvalidArguments(TypedToolError):
    """The arguments do not fit the server's inputSchema: nothing was sent. `.problems` say where.

    Example:
        >>> print(InvalidArguments("forecast", (Problem("type", "$.days", "integer", "string"),)))
        the arguments for tool 'forecast' do not fit its inputSchema: expected integer, received string at $.days
    """

    def __init__(self, tool: str, problems: tuple[Problem, ...]) -> None:
        super().__init__(tool, problems)
        self.tool = tool
        self.problems = problems

    @property
    def message(self) -> str:
        return (
            f"the arguments for tool {named(self.tool)} do not fit its inputSchema: {sentence(self.problems)}"
        )


class SchemaError(TypedToolError):
    """A server's schema cannot be used. `.rule` names what it breaks, `.pointer` (RFC 6901) where in the schema.

    what: the fault, as a sentence without a full stop.
    tool: the tool whose schema it is, or "" where no tool is known.
    hint: the way out, where there is one.

    Example:
        >>> try:
        ...     parse_schema({"$ref": "#/$defs/hour"})
        ... except SchemaError as error:
        ...     print(error.rule)
        $ref
    """

    def __init__(self, what: str, rule: str = "", pointer: str = "", tool: str = "", hint: str = "") -> None:
        super().__init__(what, rule, pointer, tool, hint)
        self.what = what
        self.rule = rule
        self.pointer = pointer
        self.tool = tool
        self.hint = hint

    @property
    def message(self) -> str:
        of = f"schema of tool {named(self.tool)}: " if self.tool else ""
        at = f" at #{cut(self.pointer, 200)}" if self.pointer or self.rule else ""
        way_out = f" ({self.hint})" if self.hint else ""
        return f"{of}{cut(self.what, 600)}{at}{way_out}"


class InvalidSchema(SchemaError):
    """The schema is not one: its dialect's metaschema refuses it, or a local reference leads nowhere.

    Example:
        >>> try:
        ...     parse_schema({"type": "hectopascal"})
        ... except InvalidSchema as error:
        ...     print(error.pointer)
        /type
    """


class UnsupportedDialect(SchemaError):
    """`$schema` names a dialect that is not supported. It is never treated as another one.

    Example:
        >>> try:
        ...     parse_schema({"$schema": "https://example.com/mine"})
        ... except UnsupportedDialect as error:
        ...     print(error.rule)
        $schema
    """


class UnsafeSchema(SchemaError):
    """The schema would reach outside of its document, or never end.

    Example:
        >>> try:
        ...     parse_schema({"$ref": "https://example.com/other"})
        ... except UnsafeSchema as error:
        ...     print(error.rule)
        $ref
    """


class BudgetExceeded(TypedToolError):
    """A schema or a value asks for more than the budget allows. `.what` is the field of `Budget`, `.limit` its value.

    Example:
        >>> try:
        ...     parse_schema({"type": "array"}, Budget(bytes=5))
        ... except BudgetExceeded as error:
        ...     print(error.what, error.limit)
        bytes 5
    """

    def __init__(self, what: str, limit: float, tool: str = "", pointer: str = "") -> None:
        super().__init__(what, limit, tool, pointer)
        self.what = what
        self.limit = limit
        self.tool = tool
        self.pointer = pointer

    @property
    def problem(self) -> Problem:
        """The same as a problem of the whole value."""
        return Problem("over_budget", "$", f"at most {self.limit:g} {self.what}", "more")

    @property
    def message(self) -> str:
        of = f"tool {named(self.tool)}: " if self.tool else ""
        at = f" at #{cut(self.pointer, 200)}" if self.pointer else ""
        return (
            f"{of}more than the budget allows: {self.what} is limited to {self.limit:g}{at}"
            f" (raise it with Budget({self.what}=...))"
        )


class Incompatible(TypedToolError):
    """The tool's type and the server's schema do not fit: no value passes, or with `.partly` some values do not.

    `.side` is "output" where the server sends the value, "input" where the type does. `.witness` is a JSON value that
    shows it, `.problems` say where it fails.

    Example:
        >>> print(Incompatible("now", (Problem("type", "$", "number", "string"),), "noon"))
        the outputSchema of tool 'now' and its type never fit: expected number, received string at $, for example 'noon'
    """

    def __init__(
        self,
        tool: str,
        problems: tuple[Problem, ...],
        witness: object = UNSET,
        side: Literal["output", "input"] = "output",
        partly: bool = False,
    ) -> None:
        super().__init__(tool, problems, witness, side, partly)
        self.tool = tool
        self.problems = problems
        self.witness = witness
        self.side = side
        self.partly = partly

    @property
    def message(self) -> str:
        shown = "" if self.witness is UNSET else f", for example {brief(self.witness)}"
        how = "do not fit for every value" if self.partly else "never fit"
        return (
            f"the {self.side}Schema of tool {named(self.tool)} and its type {how}: "
            f"{sentence(self.problems)}{shown}"
        )


class ToolNotFound(TypedToolError):
    """The server does not list the tool. `.near` are the names that look like it.

    Example:
        >>> print(ToolNotFound("forcast", ("forecast",)))
        the server lists no tool 'forcast': did you mean 'forecast'?
    """

    def __init__(self, tool: str, near: tuple[str, ...] = ()) -> None:
        super().__init__(tool, near)
        self.tool = tool
        self.near = near

    @property
    def message(self) -> str:
        like = f": did you mean {' or '.join(named(n) for n in self.near[:3])}?" if self.near else ""
        return f"the server lists no tool {named(self.tool)}{like}"
