"""The scripted server (scripted.py) over streamable HTTP.

    python scripted_http.py SCRIPT     on a free port of 127.0.0.1, which is printed first

It knows one more answer, `status`: the HTTP status, with no body; and it cannot ask (`elicit`).
"""

from __future__ import annotations

import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from scripted import Message, Server, script_of


class HttpServer(Server):
    """Each POST is answered whole: with JSON where one message is said, with an event stream otherwise."""

    def __init__(self, script: Message) -> None:
        super().__init__(script)
        self.said = threading.local()

    def write(self, text: str) -> None:
        self.said.messages.append(text.replace("\n", " "))

    def give(self, answer: Message, request: Message, params: Message, modern: bool) -> None:
        self.said.status = answer.get("status")
        if self.said.status is None:
            super().give(answer, request, params, modern)

    def run(self) -> None:
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                server.log(message)
                server.said.messages, server.said.status = [], None
                if "id" not in message:
                    self.respond(202)
                    return
                server.answer(message)
                said: list[str] = server.said.messages
                if server.said.status is not None:
                    self.respond(server.said.status)
                elif len(said) == 1:
                    self.respond(200, "application/json", said[0])
                else:
                    events = "".join(f"event: message\ndata: {each}\n\n" for each in said)
                    self.respond(200, "text/event-stream", events)

            def do_GET(self) -> None:
                self.respond(405)

            def do_DELETE(self) -> None:
                self.respond(200)

            def respond(self, status: int, kind: str = "", body: str = "") -> None:
                self.send_response(status)
                if kind:
                    self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body.encode())))
                self.send_header("Mcp-Session-Id", "1")
                self.end_headers()
                self.wfile.write(body.encode())

            def log_message(self, *_: object) -> None:
                pass

        http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        print(http.server_port, flush=True)
        threading.Thread(target=http.serve_forever, daemon=True).start()
        sys.stdin.read()


if __name__ == "__main__":
    HttpServer(script_of(sys.argv[1])).run()
