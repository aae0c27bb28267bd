"""The MCP server of the demo: a weather station on stdio, with one tool for each way in which servers answer.

    python -m typedtool.demo_server

It is plain JSON-RPC on the standard library, so it can send what no SDK's server sends. It speaks protocol revision
2026-07-28, without a handshake, and the revisions of 2024 and 2025, with one. It ends when its standard input closes.
"""

from __future__ import annotations

import json
import sys
from typing import Any, cast

__all__ = ["MODERN", "TOOLS", "answer", "serve"]

Message = dict[str, Any]

MODERN = "2026-07-28"
_HANDSHAKE = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
_SERVER = {"name": "typedtool-demo", "version": "1"}
_INVALID_REQUEST, _UNKNOWN_METHOD, _INVALID_PARAMS, _NOT_JSON = -32600, -32601, -32602, -32700


def _object(**properties: Message) -> Message:
    return {"type": "object", "properties": properties, "required": list(properties)}


def _array(items: Message) -> Message:
    return {"type": "array", "items": items}


def _text(*said: str) -> list[Message]:
    return [{"type": "text", "text": each} for each in said]


_STRING = {"type": "string"}
_NUMBER = {"type": "number"}
_NONE = _object()
_HOUR = _object(hour=_STRING, temp=_NUMBER, conditions=_STRING)
_STATION = _object(name=_STRING, altitude={"type": "integer"})
_WARNING = _object(level={"enum": ["yellow", "orange", "red"]}, text=_STRING)

_HOURS = [
    {"hour": "09:00", "temp": 7.5, "conditions": "rain"},
    {"hour": "10:00", "temp": 8, "conditions": "cloudy"},
]
_STATIONS = [{"name": "Montsouris", "altitude": 75}, {"name": "Orly", "altitude": 89}]


class Tool:
    """A tool with a fixed result."""

    def __init__(
        self, name: str, says: str, result: Message, output: Message | None = None, input: Message = _NONE
    ):
        self.name = name
        self.result = result
        self.definition: Message = {"name": name, "description": says, "inputSchema": input}
        if output is not None:
            self.definition["outputSchema"] = output


TOOLS: tuple[Tool, ...] = (
    Tool(
        "get-forecast",
        "The weather of the next hours in a city.",
        {"content": _text(json.dumps(_HOURS)), "structuredContent": _HOURS},
        _array(_HOUR),
        _object(city=_STRING),
    ),
    Tool(
        "get-temperature",
        "The temperature now, in degrees Celsius.",
        {"content": _text("It is 8 degrees."), "structuredContent": 8},
        _NUMBER,
    ),
    Tool(
        "get-warning",
        "The weather warning in force; null where there is none.",
        {"content": _text("null"), "structuredContent": None},
        {"anyOf": [_WARNING, {"type": "null"}]},
    ),
    Tool(
        "list-stations",
        "The stations of a city.",
        {"content": _text(*map(json.dumps, _STATIONS)), "structuredContent": {"result": _STATIONS}},
        _object(result=_array(_STATION)),
    ),
    Tool(
        "get-bulletin",
        "Today's bulletin, as JSON in a string.",
        {
            "content": _text("(see structuredContent)"),
            "structuredContent": {"result": '{"title": "Rain, then sun", "day": "2026-11-30"}'},
        },
        _object(result=_STRING),
    ),
    Tool(
        "get-station",
        "One station. Declares no outputSchema and answers in text.",
        {"content": _text(json.dumps(_STATIONS[0]))},
    ),
    Tool(
        "list-cities",
        "The cities that are known. Declares no outputSchema; one text block for each.",
        {"content": _text("Paris", "Lyon", "Nice")},
    ),
    Tool(
        "get-tide",
        "The next high tide in a city.",
        {"content": _text("Paris has no sea"), "isError": True},
        _object(at=_STRING),
        _object(city=_STRING),
    ),
    Tool(
        "get-rainfall",
        "Millimetres of rain by hour. Its schema lies: one of the numbers comes as a string.",
        {
            "content": _text("0.4 mm, 1.2 mm"),
            "structuredContent": [{"hour": "09:00", "rain mm": 0.4}, {"hour": "10:00", "rain mm": "1.2 mm"}],
        },
        _array(_object(hour=_STRING, **{"rain mm": _NUMBER})),
    ),
    Tool(
        "get-humidity",
        "The relative humidity in percent. The answer breaks its own schema: there is no 104 %.",
        {"content": _text("104"), "structuredContent": 104},
        {"type": "integer", "minimum": 0, "maximum": 100},
    ),
    Tool(
        "get-pressure",
        "The air pressure. Its outputSchema is none: there is no such type.",
        {"content": _text("1013"), "structuredContent": 1013},
        {"type": "hectopascal"},
    ),
)
_RESULTS = {tool.name: tool.result for tool in TOOLS}


def answer(request: Message) -> Message:
    """The response to a JSON-RPC request."""
    method, params = request.get("method"), _members(request.get("params"))
    # MCP 2026-07-28, basic/index: each request names the revision; earlier revisions never do
    modern = "io.modelcontextprotocol/protocolVersion" in _members(params.get("_meta"))
    if method == "initialize":
        asked = params.get("protocolVersion")
        protocol = asked if asked in _HANDSHAKE else _HANDSHAKE[0]
        return _result(
            request, {"protocolVersion": protocol, "capabilities": {"tools": {}}, "serverInfo": _SERVER}
        )
    if method == "server/discover":
        said: Message = {
            "supportedVersions": [MODERN],
            "capabilities": {"tools": {}},
            "ttlMs": 0,
            "cacheScope": "private",
        }
        return _result(
            request, {**said, "_meta": {"io.modelcontextprotocol/serverInfo": _SERVER}}, modern=True
        )
    if method == "tools/list":
        cached = {"ttlMs": 0, "cacheScope": "private"} if modern else {}
        return _result(request, {"tools": [tool.definition for tool in TOOLS], **cached}, modern)
    if method == "tools/call":
        name = params.get("name")
        if not isinstance(name, str) or name not in _RESULTS:
            return _error(request, _INVALID_PARAMS, f"unknown tool: {name}")
        return _result(request, _RESULTS[name], modern)
    if method == "ping":
        return _result(request, {})
    return _error(request, _UNKNOWN_METHOD, f"method not found: {method}")


def _members(value: Any) -> Message:
    return cast("Message", value) if isinstance(value, dict) else {}


def _result(request: Message, result: Message, modern: bool = False) -> Message:
    complete = {"resultType": "complete"} if modern else {}
    return {"jsonrpc": "2.0", "id": request.get("id"), "result": {**complete, **result}}


def _error(request: Message, code: int, message: str) -> Message:
    return {"jsonrpc": "2.0", "id": request.get("id"), "error": {"code": code, "message": message}}


def _response(line: bytes) -> Message | None:
    """The response to one line, or None for a notification."""
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        return _error({}, _NOT_JSON, "the line is not JSON")
    if not isinstance(message, dict):
        return _error({}, _INVALID_REQUEST, "a message is an object")
    request = _members(message)
    return answer(request) if "id" in request and "method" in request else None


def serve() -> None:
    """Answer each line of the standard input until it closes."""
    for line in sys.stdin.buffer:
        response = _response(line) if line.strip() else None
        if response is not None:
            sys.stdout.buffer.write(json.dumps(response).encode() + b"\n")
            sys.stdout.buffer.flush()


if __name__ == "__main__":
    serve()
