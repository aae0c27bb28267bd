"""What an exception of an SDK means: `rpc_error`, the server answered with an error; `refusal`, the SDK refused the answer."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET, Struct

from typedtool.clients.calls import server_info
from typedtool.errors import cut

__all__ = ["RpcError", "refusal", "rpc_error"]

_TIMEOUT_CODES = (408, -32001)  # SDK 1.x, SDK 2.x
_LOST = {
    # SDK 1.x and 2.x, any transport; SDK 2.x over streamable HTTP says how the stream was lost instead.
    -32000: ("Connection closed", "SSE stream "),
    # The HTTP session is gone: SDK 1.x (with the sign lost), SDK 2.x.
    32600: ("Session terminated",),
    -32600: ("Session terminated",),
}


class RpcError(Struct, frozen=True):
    """A JSON-RPC error that the server answered with. `data` is UNSET where it sent none."""

    code: int
    message: str
    data: object = UNSET


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
