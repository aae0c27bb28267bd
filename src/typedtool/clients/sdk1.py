"""SDK 1.x: the result of a call as it was on the wire, before the SDK's model of it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from msgspec import UNSET

from typedtool.values.guards import is_mapping

__all__ = ["WireAnswer", "gate_requests", "is_sdk1", "timeout_of"]


class WireAnswer:
    """The answer to one request: as it was on the wire, and as the SDK's model, which its own code goes on with."""

    __slots__ = ("model", "wire")

    def __init__(self) -> None:
        self.wire: object = UNSET
        self.model: object = UNSET

    def instead_of(self, result: object) -> object:
        """The wire form of `result`, where `result` is the model that was made of it; else `result`."""
        return self.wire if result is self.model and self.model is not UNSET else result


def is_sdk1(session: object) -> bool:
    """Whether a session is one of SDK 1.x: SDK 2.x made its validation public."""
    return session is not None and not hasattr(session, "validate_tool_result")


def timeout_of(seconds: float) -> timedelta:
    """A timeout as SDK 1.x takes it."""
    return timedelta(seconds=seconds)


def gate_requests(session: Any, expected: Callable[[str], WireAnswer | None]) -> None:
    """Keep the answers that are waited for as they were on the wire, whether the SDK's model takes them or not.

    expected: by the name of the SDK's result class, what keeps the answer; None where nobody waits for one.
    """
    send_request = session.send_request

    async def gated(request: Any, result_type: Any, *args: Any, **keywords: Any) -> Any:
        answer = expected(getattr(result_type, "__name__", ""))
        if answer is None or answer.wire is not UNSET:
            return await send_request(request, result_type, *args, **keywords)
        answer.wire = await send_request(request, _Wire, *args, **keywords)
        answer.model = _as_model(result_type, answer.wire)
        return answer.model

    session.send_request = gated


class _Wire:
    """A result type that keeps the dict. SDK 1.x asks of one nothing but `model_validate`."""

    @staticmethod
    def model_validate(wire: object) -> object:
        return wire


def _as_model(result_type: Any, wire: object) -> object:
    """The model that the SDK's own code goes on with; an empty one where the wire does not fit it."""
    try:
        return result_type.model_validate(wire)
    except ValueError:  # pydantic's ValidationError is one
        failed = is_mapping(wire) and bool(wire.get("isError"))
        return result_type.model_construct(content=[], structuredContent=None, isError=failed, tools=[])
