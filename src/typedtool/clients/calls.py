"""The call path through every MCP client, so that what a server sent is read before an SDK can refuse it.

`call_tool` of the official clients validates a result after the tool has run: text where an outputSchema is
declared, an outdated schema or a listing that fails raise, and the result is lost. No version has a switch
for it. So each call made here passes a gate, put once on the session, that leaves out the SDK's validation
for this one call; every other call on the same session, at the same time too, keeps it.

This is the one module that knows SDK classes, and only by their shape: no SDK is imported. On SDK 1.x the
gate also keeps the result as it was on the wire, a dict; on 2.x a result is the SDK's model.
"""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable, Mapping
from contextvars import ContextVar
from datetime import timedelta
from functools import lru_cache
from inspect import Parameter, signature
from typing import Any, TypeGuard

from msgspec import UNSET, Struct

from typedtool.errors import TypedToolError, cut, named

__all__ = [
    "Listing",
    "RpcError",
    "ServerInfo",
    "call_tool",
    "list_tools",
    "refusal",
    "rpc_error",
    "server_info",
]

# The ways that SDKs and those who wrap them spell one keyword, in the order of preference.
_TIMEOUT = ("read_timeout_seconds", "timeout")
_PROGRESS = ("progress_callback", "progress_handler", "progress")
_META = ("meta",)

_NOTES = 20


class RpcError(Struct, frozen=True):
    """A JSON-RPC error that the server answered with. `data` is UNSET where it sent none."""

    code: int
    message: str
    data: object = UNSET


class Listing(Struct, frozen=True):
    """What `tools/list` gave, over all pages.

    tools: the SDK's models or wire dicts, as they came; the first of each name.
    conflicts: the names that are listed more than once, with different definitions.
    fault: what stopped the listing, None where it was read to its end. What was read before stays in `tools`.
    notes: what was odd about it, in sentences.
    """

    tools: tuple[object, ...] = ()
    fault: Exception | None = None
    notes: tuple[str, ...] = ()
    conflicts: frozenset[str] = frozenset()


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
    session = _session(client)
    function = _method(client, "call_tool_mcp", "call_tool")
    keywords = _keywords(function, session, timeout, progress, meta)
    # An absent `arguments` is refused by servers that validate it as an object; an empty one is not.
    return await _through(session, name, function, name, {} if arguments is None else arguments, **keywords)


def _session(client: object) -> Any:  # the SDK's ClientSession, or None: its class is never imported
    if hasattr(client, "connect_to_server"):
        raise TypeError(
            f"{type(client).__name__} holds several sessions: pass the one that has the tool,"
            " such as the one that connect_to_server(...) returned"
        )
    session = client if hasattr(client, "send_request") else getattr(client, "session", None)
    return session if hasattr(session, "send_request") else None


def _method(client: object, *names: str) -> Callable[..., Awaitable[Any]]:
    for name in names:
        found: Callable[..., Awaitable[Any]] | None = getattr(client, name, None)
        if callable(found):
            return found
    raise TypeError(
        f"{type(client).__name__} has no {names[-1]}: pass a ClientSession or a Client (mcp or FastMCP)"
    )


def _is_v1(session: object) -> bool:
    return session is not None and not hasattr(session, "validate_tool_result")


def _keywords(
    function: Callable[..., Any],
    session: object,
    timeout: float | None,
    progress: Callable[..., Awaitable[None]] | None,
    meta: Mapping[str, Any] | None,
) -> dict[str, Any]:
    accepted = _parameters(getattr(function, "__func__", function))
    keywords: dict[str, Any] = {}
    if "allow_input_required" in accepted:
        keywords["allow_input_required"] = True
    if timeout is not None:
        spelled = _spelling(function, accepted, _TIMEOUT)
        delta = spelled == "read_timeout_seconds" and _is_v1(session)
        keywords[spelled] = timedelta(seconds=timeout) if delta else timeout
    if progress is not None:
        keywords[_spelling(function, accepted, _PROGRESS)] = progress
    if meta is not None:
        keywords[_spelling(function, accepted, _META)] = dict(meta)
    return keywords


@lru_cache(maxsize=64)
def _parameters(function: Callable[..., Any]) -> frozenset[str]:
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
    """One call on its way: its session, its tool (None: a listing), and its result as it was on the wire."""

    __slots__ = ("session", "shown", "tool", "wire")

    def __init__(self, session: object, tool: str | None) -> None:
        self.session = session
        self.tool = tool
        self.wire: object = UNSET
        self.shown: object = UNSET


# It holds the session, not True: an in-memory server runs in its client's context and may be a client itself.
# It holds the tool as well: a callback of the user's may call another tool before this one has answered.
_passing: ContextVar[_Pass | None] = ContextVar("typedtool_passing", default=None)


async def _through(
    session: Any, tool: str | None, function: Callable[..., Awaitable[Any]], *args: Any, **keywords: Any
) -> Any:
    call = _Pass(session, tool)
    if session is not None:
        _put_gate(session)
    token = _passing.set(call)
    try:
        result = await function(*args, **keywords)
    finally:
        _passing.reset(token)
    return call.wire if result is call.shown and call.shown is not UNSET else result


def _put_gate(session: Any) -> None:
    if "_typedtool_gate" in vars(session):
        return
    if _is_v1(session):
        _gate_validation(session, "_validate_tool_result")
        _gate_requests(session)
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


def _gate_requests(session: Any) -> None:
    """SDK 1.x: keep the result of the call as it was on the wire, whether the SDK's model takes it or not."""
    send_request = session.send_request

    async def gated(request: Any, result_type: Any, *args: Any, **keywords: Any) -> Any:
        call = _passing.get()
        if call is None or call.session is not session or call.wire is not UNSET:
            return await send_request(request, result_type, *args, **keywords)
        if getattr(result_type, "__name__", "") != (
            "ListToolsResult" if call.tool is None else "CallToolResult"
        ):
            return await send_request(request, result_type, *args, **keywords)
        wire = await send_request(request, _Wire, *args, **keywords)
        call.wire, call.shown = wire, _as_model(result_type, wire)
        return call.shown

    session.send_request = gated


class _Wire:
    """A result type that keeps the dict. SDK 1.x asks of one nothing but `model_validate`."""

    @staticmethod
    def model_validate(wire: object) -> object:
        return wire


def _as_model(result_type: Any, wire: Any) -> object:
    """What the SDK's own code goes on with: the model, or an empty one where the wire does not fit it."""
    try:
        return result_type.model_validate(wire)
    except ValueError:  # pydantic's ValidationError is one
        failed = bool(_field(wire, "isError"))
        return result_type.model_construct(content=[], structuredContent=None, isError=failed, tools=[])


# --- what an exception of an SDK means ----------------------------------------------------------------------

_TIMEOUT_CODES = (408, -32001)  # SDK 1.x, SDK 2.x
_LOST = {
    # SDK 1.x and 2.x, any transport; SDK 2.x over streamable HTTP says how the stream was lost instead.
    -32000: ("Connection closed", "SSE stream "),
    # The HTTP session is gone: SDK 1.x (with the sign lost), SDK 2.x.
    32600: ("Session terminated",),
    -32600: ("Session terminated",),
}


def rpc_error(exc: BaseException) -> RpcError | None:
    """The JSON-RPC error that the server answered with, or None where the server did not answer so.

    The SDKs raise the same class for a timeout and for a lost connection, with codes that servers send too. A
    timeout is told by what it was raised from (a `TimeoutError`), a lost connection by the SDK's own words.
    """
    if not any(base.__name__ in ("McpError", "MCPError") for base in type(exc).__mro__):
        return None
    error = getattr(exc, "error", None)
    code, message = getattr(error, "code", None), getattr(error, "message", None)
    if not isinstance(code, int) or not isinstance(message, str):
        return None
    if code in _TIMEOUT_CODES and isinstance(exc.__context__, TimeoutError):
        return None
    if message.startswith(_LOST.get(code, ())) and getattr(error, "data", None) is None:
        return None
    sent = "data" in getattr(error, "model_fields_set", ("data",))
    return RpcError(code, message, getattr(error, "data", UNSET) if sent else UNSET)


def refusal(exc: BaseException, client: object = None) -> str | None:
    """Why the SDK refused an answer before it could be read, and the way out; None for any other error.

    SDK 2.x holds each answer to the wire types of the negotiated revision. On a 2025-era session an array in
    `structuredContent` fails it, as does a listing with one outputSchema whose root is not an object.

    client: whose session it was. On one of 2026-07-28 there is no way out: what is refused there is not MCP.
    """
    kind = type(exc)
    title = getattr(exc, "title", None)
    if kind.__name__ != "ValidationError" or not kind.__module__.startswith("pydantic"):
        return None
    if not isinstance(title, str) or "Result" not in title:
        return None
    why = f"the MCP SDK refused the server's answer before typedtool could read it{_first_error(exc)}"
    modern = client is not None and (server_info(client).protocol or "") >= "2026"
    return why if modern else f"{why}: wrap the transport with typedtool.tolerant(...) to read it"


def _first_error(exc: Any) -> str:
    try:
        error = exc.errors(include_url=False, include_context=False, include_input=False)[0]
        where = ".".join(str(step) for step in error["loc"])
        return f" ({cut(str(error['msg']), 120)} at {cut(where, 120)})"
    except Exception:  # a report about a report: never worth an error of its own
        return ""


# --- listing ------------------------------------------------------------------------------------------------


async def list_tools(
    client: object, *, refresh: bool = False, max_pages: int = 100, max_tools: int = 10_000
) -> Listing:
    """Every tool that the server lists, all pages, never more than `max_pages` and `max_tools`.

    refresh: past the cache of a client that has one. A listing that fails gives `fault` and what was read
    before it; cancellation passes through.
    """
    page_of = _pages(client, refresh)
    tools: dict[str, object] = {}
    notes: list[str] = []
    conflicts: set[str] = set()
    seen: set[str] = set()
    cursor: str | None = None
    for _ in range(max_pages):
        try:
            page = await page_of(cursor)
            _add(_tools_of(page), tools, notes, conflicts, max_tools)
            cursor = _cursor_of(page)
        except Exception as fault:
            why = refusal(fault, client)
            said = (*notes, why) if why else tuple(notes)
            return Listing(tuple(tools.values()), fault, said, frozenset(conflicts))
        if cursor is None or len(tools) >= max_tools:
            break
        if cursor in seen:
            notes.append(f"the server gave the cursor {named(cursor)} twice: the listing ends there")
            break
        seen.add(cursor)
    else:
        notes.append(f"the listing was left after {max_pages} pages with more to come")
    return Listing(tuple(tools.values()), None, tuple(notes), frozenset(conflicts))


def _add(
    found: list[Any], tools: dict[str, object], notes: list[str], conflicts: set[str], max_tools: int
) -> None:
    for tool in found:
        name = _field(tool, "name")
        if not isinstance(name, str):
            _note(notes, "a tool without a name was left out")
        elif name in tools:
            if tools[name] != tool:
                conflicts.add(name)
                _note(notes, f"tool {named(name)} is listed twice, differently: the first is kept")
        elif len(tools) >= max_tools:
            notes.append(f"the listing was cut at {max_tools} tools")
            return
        else:
            tools[name] = tool


def _note(notes: list[str], note: str) -> None:
    if len(notes) < _NOTES:
        notes.append(note)


def _pages(client: object, refresh: bool) -> Callable[[str | None], Awaitable[Any]]:
    """A function that gives the page behind a cursor (None: the first)."""
    session = _session(client)
    candidates = [
        getattr(owner, name)
        for owner, name in ((client, "list_tools_mcp"), (client, "list_tools"), (session, "list_tools"))
        if callable(getattr(owner, name, None))
    ]
    if not candidates:
        _method(client, "list_tools")
    # FastMCP's own list_tools pages by itself, and raises where a page fails; list_tools_mcp of FastMCP 2
    # takes no cursor. Either way the next candidate does.
    function = next((f for f in candidates if _parameters_of(f) & {"cursor", "params"}), candidates[0])
    accepted = _parameters_of(function)
    always = {"cache_mode": "refresh"} if refresh and "cache_mode" in accepted else {}

    async def page_of(cursor: str | None) -> Any:
        if cursor is None:
            return await _through(session, None, function, **always)
        if "params" in accepted:
            return await _through(session, None, function, params=_page_params(cursor), **always)
        if "cursor" in accepted:
            return await _through(session, None, function, cursor=cursor, **always)
        raise TypedToolError(
            f"{type(client).__name__}.list_tools takes no cursor: only the first page was read"
        )

    return page_of


def _parameters_of(function: Any) -> frozenset[str]:
    return _parameters(getattr(function, "__func__", function))


def _page_params(cursor: str) -> Any:
    types = sys.modules.get("mcp_types") or sys.modules["mcp.types"]
    return types.PaginatedRequestParams(cursor=cursor)


def _tools_of(page: Any) -> list[Any]:
    tools = page if _is_list(page) else _field(page, "tools")
    if not _is_list(tools):
        raise TypedToolError("the answer to tools/list holds no list of tools")
    return tools


def _cursor_of(page: Any) -> str | None:
    cursor = None if _is_list(page) else _field(page, "next_cursor", "nextCursor")
    if cursor is not None and not isinstance(cursor, str):
        raise TypedToolError("the cursor of the tools/list page is not a string")
    return cursor or None  # servers that do not leave out empty fields end with ""


def _field(value: Any, *names: str) -> Any:
    """The field of a model or of a wire dict, under the first of these names that there is.

    Never one that comes later: FastMCP 4 answers to the names of SDK 1.x too, with a warning.
    """
    for name in names:
        found = value.get(name, UNSET) if _is_mapping(value) else getattr(value, name, UNSET)
        if found is not UNSET:
            return found
    return None


def _is_mapping(value: object) -> TypeGuard[Mapping[str, Any]]:
    return isinstance(value, Mapping)


def _is_list(value: object) -> TypeGuard[list[Any]]:
    return isinstance(value, list)


# --- who answers --------------------------------------------------------------------------------------------


def server_info(client: object) -> ServerInfo:
    """The server's name and version and the negotiated revision, as far as the client knows them."""
    sources = [s for s in (_session(client), client) if s is not None]
    opened = [_field(s, "initialize_result") for s in sources]
    info = next(
        (i for s in [*sources, *opened] if (i := _field(s, "server_info", "serverInfo")) is not None), None
    )
    protocol = next(
        (p for s in [*sources, *opened] if (p := _field(s, "protocol_version", "protocolVersion"))), None
    )
    return ServerInfo(_field(info, "name"), _field(info, "version"), protocol)
