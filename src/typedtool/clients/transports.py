"""`tolerant`: a transport on which SDK 2.x no longer refuses what servers of the 2025 revisions send.

SDK 2.x holds each answer to the wire types of the negotiated revision. On a 2025-era session (MCP 2024-11-05
to 2025-11-25) it refuses an array, a number or a string in `structuredContent`, a result without `content`, a
block of an unknown type, and the whole listing for one outputSchema whose root is not an object: after the
tool has run, and below everything that a client could override. The transport is the one public seam there.

A message that the check takes is passed on as it is. Another one is made to fit, and the original goes into
`_meta`, under the keys that `values.keys` names, where typedtool reads it. A session of 2026-07-28 is
left alone: the check of that revision takes any value.
"""

from __future__ import annotations

import sys
from collections import OrderedDict
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import lru_cache
from typing import Any, TypeVar, overload

from typedtool.clients.fitting import Message, fit_result, fit_tool
from typedtool.values.guards import is_dict, is_list, is_tuple
from typedtool.values.keys import SCHEMA_KEY

__all__ = ["tolerant"]

T = TypeVar("T")
_REMEMBERED = 10_000
"""How many unanswered requests, and how many rewritten tools, one connection remembers."""

# MCP 2026-07-28, basic/index, "Requests": each request of that revision names it in its `_meta`.
_MODERN = "io.modelcontextprotocol/protocolVersion"


@overload
def tolerant(transport: tuple[Any, ...], /) -> tuple[Any, ...]: ...
@overload
def tolerant(transport: T, /) -> T: ...
def tolerant(transport: Any, /) -> Any:
    """The same transport, on which typedtool can read what SDK 2.x refuses on a 2025-era session.

    transport: what the client takes: a transport of the `mcp` SDK (`stdio_client(...)`, `sse_client(...)`,
        `streamable_http_client(...)`), the streams that one gives, or a transport of FastMCP.

    The user's own `call_tool` on such a client sees `{"result": value}` where the server sent a bare value.
    Raises TypeError where `transport` is none.

    Example:
        >>> async with Client(tolerant(stdio_client(server))) as client: ...
        >>> async with ClientSession(*tolerant(streams)) as session: ...
        >>> async with fastmcp.Client(tolerant(StdioTransport("server", []))) as client: ...
    """
    if type(transport) in (_Transport, _FastMCPTransport):
        return transport
    if is_tuple(transport):
        return _tolerant_streams(transport)
    if hasattr(transport, "call_tool"):
        raise TypeError(
            f"tolerant() wraps the transport, not the client: {type(transport).__name__}(tolerant(...))"
        )
    if hasattr(transport, "connect_session"):
        return _FastMCPTransport(transport)
    if hasattr(transport, "__aenter__"):
        return _Transport(transport)
    raise TypeError(
        "tolerant() takes a transport, such as stdio_client(...) or streamable_http_client(...), a pair of"
        f" streams, or a FastMCP transport, not a {type(transport).__name__}"
    )


# --- the three kinds of transport ---------------------------------------------------------------------------


def _tolerant_streams(streams: tuple[Any, ...]) -> tuple[Any, ...]:
    read, write, *rest = streams  # streamablehttp_client of SDK 1.x gives a third, which is no stream
    if isinstance(read, _ReadStream):
        return streams
    connection = _Connection()
    return (_ReadStream(read, connection), _WriteStream(write, connection), *rest)


class _Transport:
    """An SDK transport: an async context manager that gives a pair of streams."""

    def __init__(self, inner: AbstractAsyncContextManager[Any]) -> None:
        self._inner = inner

    async def __aenter__(self) -> tuple[Any, ...]:
        return _tolerant_streams(tuple(await self._inner.__aenter__()))

    async def __aexit__(self, *exc: Any) -> bool | None:
        return await self._inner.__aexit__(*exc)


_OWN = ("_inner", "connect_session")


class _FastMCPTransport:
    """A FastMCP transport: all that it is, except for the class of the sessions that it opens.

    FastMCP asks for the class of a transport and sets attributes on it, so this stands in for it wholly.
    """

    def __init__(self, inner: Any) -> None:
        object.__setattr__(self, "_inner", inner)

    def __getattribute__(self, name: str) -> Any:  # `isinstance` asks for `__class__` here
        inner = object.__getattribute__(self, "_inner")
        return object.__getattribute__(self, name) if name in _OWN else getattr(inner, name)

    def __setattr__(self, name: str, value: object) -> None:
        setattr(self._inner, name, value)

    def __repr__(self) -> str:
        return f"tolerant({self._inner!r})"

    @asynccontextmanager
    async def connect_session(
        self, *, transport_options: Any = None, **keywords: Any
    ) -> AsyncGenerator[Any, None]:
        # FastMCP 2 and 3 have no such options. They are on SDK 1.x, where the gate of `clients` reads all.
        known = getattr(sys.modules.get("fastmcp.client.transports.base"), "TransportOptions", None)
        if known is not None:
            options = transport_options if transport_options is not None else known()
            from dataclasses import replace  # `import typedtool` is light

            keywords["transport_options"] = replace(
                options, session_class=_tolerant_session(options.session_class)
            )
        async with self._inner.connect_session(**keywords) as session:
            yield session


@lru_cache(maxsize=16)
def _tolerant_session(base: Any) -> Any:
    class TolerantSession(base):  # type: ignore[misc]  # known at run time only
        def __init__(
            self, read_stream: Any = None, write_stream: Any = None, *args: Any, **keywords: Any
        ) -> None:
            if read_stream is not None and write_stream is not None:
                read_stream, write_stream = _tolerant_streams((read_stream, write_stream))
            base.__init__(self, read_stream, write_stream, *args, **keywords)

    return TolerantSession


# --- the streams --------------------------------------------------------------------------------------------


class _Stream:
    """One of a pair of streams. The rest is the stream's own: `aclose`, `statistics`, `last_context`."""

    def __init__(self, inner: Any, connection: _Connection) -> None:
        self._inner = inner
        self._connection = connection

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def clone(self) -> Any:
        return type(self)(self._inner.clone(), self._connection)

    async def __aenter__(self) -> Any:
        await self._inner.__aenter__()
        return self

    async def __aexit__(self, *exc: Any) -> Any:
        return await self._inner.__aexit__(*exc)


class _ReadStream(_Stream):
    async def receive(self) -> Any:
        return self._connection.received(await self._inner.receive())

    def receive_nowait(self) -> Any:
        return self._connection.received(self._inner.receive_nowait())

    def __aiter__(self) -> _ReadStream:
        return self

    async def __anext__(self) -> Any:
        return self._connection.received(await self._inner.__anext__())


class _WriteStream(_Stream):
    async def send(self, item: Any) -> None:
        self._connection.sent(item)
        await self._inner.send(item)

    def send_nowait(self, item: Any) -> None:
        self._connection.sent(item)
        self._inner.send_nowait(item)


class _Connection:
    """What one connection remembers: requests whose answers may need fitting, and tools that were fitted."""

    def __init__(self) -> None:
        self._waiting: OrderedDict[object, Callable[[Message], Message]] = OrderedDict()
        self._fitted: OrderedDict[object, None] = OrderedDict()

    def sent(self, item: Any) -> None:
        request = _message(item)
        method, params = getattr(request, "method", None), getattr(request, "params", None)
        params = params if is_dict(params) else {}
        if method == "notifications/cancelled":
            self._waiting.pop(_key(params.get("requestId")), None)
        elif method not in ("tools/call", "tools/list") or getattr(request, "id", None) is None:
            return
        elif _MODERN not in (params.get("_meta") or {}):
            name = params.get("name")
            self._waiting[_key(request.id)] = (
                self._fit_listing
                if method == "tools/list"
                else lambda result: fit_result(result, fitted=name in self._fitted)
            )
            if len(self._waiting) > _REMEMBERED:  # answers that never come
                self._waiting.popitem(last=False)

    def received(self, item: Any) -> Any:
        response = _message(item)
        if response is None or hasattr(response, "method"):
            return item
        fit = self._waiting.pop(_key(getattr(response, "id", None)), None)
        result = getattr(response, "result", None)
        if fit is not None and is_dict(result):
            response.result = fit(result)
        return item

    def _fit_listing(self, result: Message) -> Message:
        listed = result.get("tools")
        if not is_list(listed):
            return result
        tools: list[Any] = []
        for tool in listed:
            fitted = fit_tool(tool) if is_dict(tool) else tool
            tools.append(fitted)
            if is_dict(fitted) and isinstance(name := fitted.get("name"), str):
                self._fitted.pop(name, None)
                if SCHEMA_KEY in (fitted.get("_meta") or {}):
                    self._fitted[name] = None
        while len(self._fitted) > _REMEMBERED:
            self._fitted.popitem(last=False)
        return {**result, "tools": tools}


def _message(item: Any) -> Any:
    """The JSON-RPC message of a SessionMessage: a RootModel's root in SDK 1.x, one of a union in 2.x."""
    message = getattr(item, "message", None)
    return getattr(message, "root", message)


def _key(request_id: object) -> object:
    """An id as both SDKs compare it: some servers answer 7 with "7"."""
    return int(request_id) if isinstance(request_id, str) and request_id.isdecimal() else request_id
