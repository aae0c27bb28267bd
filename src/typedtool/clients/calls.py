"""The call path through every MCP client, so that a result is read before an SDK can refuse it.

`call_tool` of the official clients validates a result after the tool has run: text where an outputSchema is
declared, an outdated schema or a listing that fails raise, and the result is lost. No version has a switch
for it. So each call made here passes a gate, put once on the session, that leaves out the SDK's validation
for this one call; every other call on the same session, at the same time too, keeps it.

SDK classes are known by their shape only: no SDK is imported. What only SDK 1.x needs is in `sdk1`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from contextvars import ContextVar
from functools import lru_cache
from inspect import Parameter, signature
from typing import Any

from msgspec import Struct

from typedtool.clients.sdk1 import WireAnswer, gate_requests, is_sdk1, timeout_of
from typedtool.values.keys import field_of

__all__ = [
    "ServerInfo",
    "call_tool",
    "method_of",
    "parameters_of",
    "server_info",
    "session_of",
    "through",
]

# How clients, and those who wrap them, spell what is asked of them, in the order of preference: a new client library
# adds its spellings here.
_CALL = ("call_tool_mcp", "call_tool")
_TIMEOUT = ("read_timeout_seconds", "timeout")
_PROGRESS = ("progress_callback", "progress_handler", "progress")
_META = ("meta",)


class ServerInfo(Struct, frozen=True):
    """Who answers, as far as the client remembers it: an SDK 1.x session forgets all but its capabilities."""

    name: str | None = None
    version: str | None = None
    protocol: str | None = None


# --- calling ------------------------------------------------------------------------------------------------


async def call_tool(
    client: object,
    name: str,
    arguments: dict[str, Any] | None,
    *,
    timeout: float | None = None,
    progress: Callable[..., Awaitable[None]] | None = None,
    meta: Mapping[str, Any] | None = None,
) -> object:
    """The result of a tool as the server sent it, not validated by the SDK.

    client: `ClientSession` of mcp 1.10 to 2.x, `Client` of mcp 2.x, FastMCP's `Client`, or anything with a
        `call_tool` like theirs.
    timeout: seconds. progress: awaited with (progress, total, message). meta: the request's `_meta`.

    Gives the SDK's result model (CallToolResult, or InputRequiredResult from a session that does not answer
    it itself); on SDK 1.x the result's wire dict. Raises what the SDK raises: see `rpc_error` and `refusal`.
    Raises TypeError, before anything is sent, where the client cannot do what is asked.
    """
    session = session_of(client)
    function = method_of(client, *_CALL)
    keywords = _keywords(function, session, timeout, progress, meta)
    # An absent `arguments` is refused by servers that validate it as an object; an empty one is not.
    return await through(session, name, function, name, {} if arguments is None else arguments, **keywords)


def session_of(client: object) -> Any:
    """The SDK's ClientSession under a client, or None. Its class is never imported."""
    if hasattr(client, "connect_to_server"):
        raise TypeError(
            f"{type(client).__name__} holds several sessions: pass the one that has the tool,"
            " such as the one that connect_to_server(...) returned"
        )
    session = client if hasattr(client, "send_request") else getattr(client, "session", None)
    return session if hasattr(session, "send_request") else None


def method_of(client: object, *names: str) -> Callable[..., Awaitable[Any]]:
    """The method of a client under the first of these names. Raises TypeError where it has none."""
    for name in names:
        found: Callable[..., Awaitable[Any]] | None = getattr(client, name, None)
        if callable(found):
            return found
    raise TypeError(
        f"{type(client).__name__} has no {names[-1]}: pass a ClientSession or a Client (mcp or FastMCP)"
    )


def _keywords(
    function: Callable[..., Any],
    session: object,
    timeout: float | None,
    progress: Callable[..., Awaitable[None]] | None,
    meta: Mapping[str, Any] | None,
) -> dict[str, Any]:
    accepted = parameters_of(function)
    keywords: dict[str, Any] = {}
    if "allow_input_required" in accepted:
        keywords["allow_input_required"] = True
    if timeout is not None:
        spelled = _spelling(function, accepted, _TIMEOUT)
        delta = spelled == "read_timeout_seconds" and is_sdk1(session)
        keywords[spelled] = timeout_of(timeout) if delta else timeout
    if progress is not None:
        keywords[_spelling(function, accepted, _PROGRESS)] = progress
    if meta is not None:
        keywords[_spelling(function, accepted, _META)] = dict(meta)
    return keywords


def parameters_of(function: Callable[..., Any]) -> frozenset[str]:
    """The names of the parameters that a client's method takes, `**` for any."""
    return _signature_of(getattr(function, "__func__", function))


@lru_cache(maxsize=64)
def _signature_of(function: Callable[..., Any]) -> frozenset[str]:
    try:
        parameters = signature(function).parameters.values()
    except (TypeError, ValueError):  # a callable without a signature takes what it takes
        return frozenset({"**"})
    return frozenset("**" if p.kind is Parameter.VAR_KEYWORD else p.name for p in parameters)


def _spelling(function: Callable[..., Any], accepted: frozenset[str], spellings: tuple[str, ...]) -> str:
    for spelling in spellings:
        if spelling in accepted:
            return spelling
    if "**" in accepted:
        return spellings[0]
    asked = "timeout" if spellings is _TIMEOUT else "progress" if spellings is _PROGRESS else "meta"
    what = getattr(function, "__qualname__", type(function).__name__)
    raise TypeError(f"{what} cannot send {asked}: it takes no {' or '.join(spellings)} (nothing was sent)")


# --- the gate -----------------------------------------------------------------------------------------------


class _Pass:
    """One call on its way: its session, its tool (None: a listing), and on SDK 1.x its answer on the wire."""

    __slots__ = ("answer", "session", "tool")

    def __init__(self, session: object, tool: str | None) -> None:
        self.session = session
        self.tool = tool
        self.answer: WireAnswer | None = None


# It holds the session, not True: an in-memory server runs in its client's context and may be a client itself.
# It holds the tool as well: a callback of the user's may call another tool before this one has answered.
_passing: ContextVar[_Pass | None] = ContextVar("typedtool_passing", default=None)


async def through(
    session: Any, tool: str | None, function: Callable[..., Awaitable[Any]], *args: Any, **keywords: Any
) -> Any:
    """Await `function` through the gate of its session. tool: what is called, None for a listing."""
    call = _Pass(session, tool)
    if session is not None and "_typedtool_gate" not in vars(session):
        _put_gate(session)
    token = _passing.set(call)
    try:
        result = await function(*args, **keywords)
    finally:
        _passing.reset(token)
    return result if call.answer is None else call.answer.instead_of(result)


def _put_gate(session: Any) -> None:
    if is_sdk1(session):
        _gate_validation(session, "_validate_tool_result")

        def expected(result_type: str) -> WireAnswer | None:
            call = _passing.get()
            if call is None or call.session is not session:
                return None
            if result_type != ("ListToolsResult" if call.tool is None else "CallToolResult"):
                return None
            call.answer = call.answer or WireAnswer()
            return call.answer

        gate_requests(session, expected)
    else:
        _gate_validation(session, "validate_tool_result")
    session._typedtool_gate = True


def _gate_validation(session: Any, attribute: str) -> None:
    validate = getattr(session, attribute, None)
    if validate is None:  # SDK 1.9 and before validate nothing
        return

    async def gated(name: str, result: object) -> None:
        call = _passing.get()
        if call is None or call.session is not session or call.tool != name:
            await validate(name, result)

    setattr(session, attribute, gated)


# --- what a client knows ------------------------------------------------------------------------------------


def server_info(client: object) -> ServerInfo:
    """The server's name and version and the negotiated revision, as far as the client knows them."""
    sources = [s for s in (session_of(client), client) if s is not None]
    opened = [field_of(s, "initialize_result") for s in sources]
    info = next(
        (i for s in [*sources, *opened] if (i := field_of(s, "server_info", "serverInfo")) is not None), None
    )
    protocol = next(
        (p for s in [*sources, *opened] if (p := field_of(s, "protocol_version", "protocolVersion"))), None
    )
    return ServerInfo(field_of(info, "name"), field_of(info, "version"), protocol)
