"""An MCP server that answers exactly what a script says: what no SDK's server can be made to send.

    python scripted.py SCRIPT          SCRIPT is a JSON file, or the JSON itself

scripted_http.py is the same over HTTP.

Standard library only, so that it runs in any environment. It ends when its standard input closes. The script:

    protocols   the revisions that it speaks, default ["2025-11-25"]; 2026-07-28 is the modern one, spoken
                without a handshake
    tools       the listing, on one page; or
    list_pages  the pages: results of tools/list, or {"error": ...}, {"raw": ...}, {"delay": seconds},
                {"endless": [tools]} (a new cursor for ever)
    list_pages_after    the pages once a tool has been called
    answers     by tool name: one answer, or a list of them, one a call, the last one repeated
    legacy      an object with any of the above, for requests of the handshake era instead
    log         a file to which each message that came in is added, one a line

An answer has one of

    result      the CallToolResult
    result_raw  the same as text, sent as it is
    error       the JSON-RPC error: code, message, data
    raw         the whole line, `$id` standing for the request's id
    silent      true: no answer at all
    exit        true: the server ends in the middle of the call
    echo        "arguments" or "_meta": the result's structuredContent is what came in
    elicit      the params of an elicitation/create: the result's structuredContent is what the client answers

and may have `delay` (seconds), `progress` (a list of [progress, total, message]), `notify` (a list of
notifications) and `resumed` (the answer to a request with `inputResponses`, which "echo" can name too).
"""

from __future__ import annotations

import json
import os
import queue
import sys
import threading
import time
from pathlib import Path
from typing import Any

MODERN = "2026-07-28"
Message = dict[str, Any]


class Server:
    def __init__(self, script: Message) -> None:
        self.script = script
        self.protocols: list[str] = script.get("protocols", ["2025-11-25"])
        self.calls: dict[str, int] = {}
        self.called = False
        self.asked: dict[str, queue.Queue[Any]] = {}
        self.lock = threading.Lock()

    def log(self, message: Message) -> None:
        if log := self.script.get("log"):
            with open(log, "a", encoding="utf-8") as file:
                file.write(json.dumps(message) + "\n")

    def run(self) -> None:
        for line in sys.stdin.buffer:
            message = json.loads(line)
            self.log(message)
            if "method" not in message:
                self.asked[message["id"]].put(message.get("result", message.get("error")))
            elif "id" in message:
                threading.Thread(target=self.answer, args=(message,), daemon=True).start()

    def write(self, text: str) -> None:
        with self.lock:
            sys.stdout.buffer.write(text.replace("\n", " ").encode("utf-8", "surrogatepass") + b"\n")
            sys.stdout.buffer.flush()

    def send(self, message: Message) -> None:
        self.write(json.dumps({"jsonrpc": "2.0", **message}))

    def fail(self, request: Message, error: Message) -> None:
        self.send({"id": request["id"], "error": error})

    def answer(self, request: Message) -> None:
        params = request.get("params") or {}
        modern = "io.modelcontextprotocol/protocolVersion" in (params.get("_meta") or {})
        match request["method"]:
            case "initialize":
                self.initialize(request, params)
            case "server/discover" if MODERN in self.protocols:
                info = {"name": "scripted", "version": "1"}
                extra = {"supportedVersions": [MODERN], "_meta": {"io.modelcontextprotocol/serverInfo": info}}
                self.send(
                    {
                        "id": request["id"],
                        "result": self.shape({"capabilities": {"tools": {}}, **extra}, True, True),
                    }
                )
            case "tools/list":
                self.list(request, params, modern)
            case "tools/call":
                self.call(request, params, modern)
            case "ping":
                self.send({"id": request["id"], "result": {}})
            case method:
                self.fail(request, {"code": -32601, "message": f"Method not found: {method}"})

    def initialize(self, request: Message, params: Message) -> None:
        spoken = [p for p in self.protocols if p != MODERN]
        if not spoken:
            data = {"supported": self.protocols, "requested": params.get("protocolVersion")}
            self.fail(request, {"code": -32022, "message": "Unsupported protocol version", "data": data})
            return
        wanted = params.get("protocolVersion")
        result = {
            "protocolVersion": wanted if wanted in spoken else spoken[-1],
            "capabilities": {"tools": {"listChanged": True}},
            "serverInfo": {"name": "scripted", "version": "1"},
        }
        self.send({"id": request["id"], "result": result})

    @staticmethod
    def shape(result: Message, modern: bool, cached: bool = False) -> Message:
        """What the modern revision asks of any result, where the script has not said it."""
        if not modern:
            return result
        return {
            "resultType": "complete",
            **({"ttlMs": 0, "cacheScope": "private"} if cached else {}),
            **result,
        }

    def script_of(self, modern: bool) -> Message:
        return self.script if modern else {**self.script, **self.script.get("legacy", {})}

    def list(self, request: Message, params: Message, modern: bool) -> None:
        script = self.script_of(modern)
        pages: list[Message] = script.get("list_pages") or [{"tools": script.get("tools", [])}]
        if self.called:
            pages = script.get("list_pages_after", pages)
        cursor = params.get("cursor")
        index = next(
            (i + 1 for i, page in enumerate(pages) if cursor and page.get("nextCursor") == cursor), 0
        )
        page = dict(pages[min(index, len(pages) - 1)])
        time.sleep(page.pop("delay", 0))
        if "error" in page:
            self.fail(request, page["error"])
        elif "raw" in page:
            self.write(page["raw"].replace("$id", json.dumps(request["id"])))
        else:
            if "endless" in page:
                page = {"tools": page["endless"], "nextCursor": str(int(cursor or 0) + 1)}
            self.send({"id": request["id"], "result": self.shape(page, modern, True)})

    def call(self, request: Message, params: Message, modern: bool) -> None:
        name = params.get("name")
        answers = self.script_of(modern).get("answers", {}).get(name)
        if answers is None:
            self.fail(request, {"code": -32602, "message": f"Unknown tool: {name}"})
            return
        answers = answers if isinstance(answers, list) else [answers]
        with self.lock:
            count = self.calls[name] = self.calls.get(name, 0) + 1
        answer = answers[min(count, len(answers)) - 1]
        if "inputResponses" in params and "resumed" in answer:
            answer = answer["resumed"]
        self.called = True
        self.give(answer, request, params, modern)

    def give(self, answer: Message, request: Message, params: Message, modern: bool) -> None:
        token = (params.get("_meta") or {}).get("progressToken")
        for progress, total, message in answer.get("progress", []) if token is not None else []:
            said = {"progressToken": token, "progress": progress, "total": total, "message": message}
            self.send({"method": "notifications/progress", "params": said})
        for notification in answer.get("notify", []):
            self.send(notification)
        time.sleep(answer.get("delay", 0))
        if answer.get("exit"):
            os._exit(0)
        if answer.get("silent"):
            return
        if "elicit" in answer:
            self.result(request, self.ask(answer["elicit"]), modern)
        elif "echo" in answer:
            self.result(request, params.get(answer["echo"]), modern)
        elif "error" in answer:
            self.fail(request, answer["error"])
        elif "result_raw" in answer:
            head = f'{{"jsonrpc": "2.0", "id": {json.dumps(request["id"])}, "result": '
            self.write(head + answer["result_raw"] + "}")
        elif "raw" in answer:
            self.write(answer["raw"].replace("$id", json.dumps(request["id"])))
        else:
            self.send({"id": request["id"], "result": self.shape(answer["result"], modern)})

    def result(self, request: Message, value: object, modern: bool) -> None:
        self.send(
            {"id": request["id"], "result": self.shape({"content": [], "structuredContent": value}, modern)}
        )

    def ask(self, params: Message) -> object:
        asked = f"ask-{time.monotonic_ns()}"
        self.asked[asked] = queue.Queue()
        self.send({"id": asked, "method": "elicitation/create", "params": params})
        answered = self.asked[asked].get(timeout=30)
        del self.asked[asked]
        return answered


def script_of(given: str) -> Message:
    """A script, given as the name of its file or as itself."""
    read: Message = json.loads(given if given.lstrip().startswith("{") else Path(given).read_text("utf-8"))
    return read


if __name__ == "__main__":
    Server(script_of(sys.argv[1])).run()
