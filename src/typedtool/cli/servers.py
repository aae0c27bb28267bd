"""The server that a command line names with `--stdio`, `--url` or `--listing`, and a client connected to it.

The one module that imports `mcp`: the client is the SDK's 2.x `Client`, or its `ClientSession` on 1.x.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import shlex
import tempfile
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, TextIO, TypeAlias, TypeVar, Union

from msgspec import Struct

from typedtool.cli.inputs import listing_file
from typedtool.cli.terminal import USAGE, CommandError, say
from typedtool.clients.faults import refusal
from typedtool.clients.listing import Listing, list_tools
from typedtool.clients.transports import tolerant
from typedtool.results.definitions import Definition, read_listing
from typedtool.values.printing import line

__all__ = [
    "File",
    "Http",
    "Server",
    "Stdio",
    "add_server",
    "checked_listing",
    "definitions",
    "live_server",
    "named_server",
    "server_of",
    "using",
]

T = TypeVar("T")


class Stdio(Struct, frozen=True):
    """A server to start, and to reach through its standard input and output."""

    command: str
    arguments: tuple[str, ...] = ()


class Http(Struct, frozen=True):
    """A server to reach over streamable HTTP."""

    url: str


class File(Struct, frozen=True):
    """A tools/list result in a file, which can be read but not called."""

    path: str


Server: TypeAlias = Union[Stdio, Http, File]


# --- the options ----------------------------------------------------------------------------------------------------


def add_server(parser: argparse.ArgumentParser, *, required: bool = True) -> None:
    """Add the options that name a server."""
    group = parser.add_argument_group("the server")
    one = group.add_mutually_exclusive_group(required=required)
    one.add_argument(
        "--stdio", metavar='"COMMAND ..."', help="start this command, and connect to its stdin and stdout"
    )
    one.add_argument("--url", metavar="URL", help="connect over streamable HTTP")
    one.add_argument("--listing", metavar="FILE", help="read a tools/list result (JSON) in place of a server")
    group.add_argument(
        "--timeout",
        metavar="SECONDS",
        type=_seconds,
        default=60.0,
        help="stop waiting after this time (default: 60)",
    )


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < 1e6:
        raise argparse.ArgumentTypeError(f"expected seconds above 0, received {line(text, 40)!r}")
    return seconds


def server_of(options: argparse.Namespace) -> Server | None:
    """The server that the options name, or None. Raises CommandError where what names it is wrong."""
    if options.listing is not None:
        return File(options.listing)
    if options.url is not None:
        if not options.url.startswith(("http://", "https://")):
            raise CommandError(
                f"--url: expected http:// or https://, received {line(options.url, 80)!r}", USAGE
            )
        return Http(options.url)
    if options.stdio is None:
        return None
    try:
        words = shlex.split(options.stdio)
    except ValueError as error:
        raise CommandError(f"--stdio: {str(error).lower()} in {line(options.stdio, 80)!r}", USAGE) from error
    if not words:
        raise CommandError("--stdio: expected a command, received nothing", USAGE)
    return Stdio(words[0], tuple(words[1:]))


def named_server(options: argparse.Namespace) -> Server:
    """The server that the options name. Raises CommandError where they name none."""
    server = server_of(options)
    if server is None:
        raise CommandError("name a server with --stdio, --url or --listing", USAGE)
    return server


def live_server(options: argparse.Namespace) -> Stdio | Http:
    """The server that the options name, one that can be called. Raises CommandError for a file or for none."""
    server = named_server(options)
    if isinstance(server, File):
        raise CommandError("--listing: a file cannot be called, a server can: --stdio or --url", USAGE)
    return server


# --- connecting -----------------------------------------------------------------------------------------------------


def using(server: Stdio | Http, body: Callable[[Any], Awaitable[T]], timeout: float) -> T:
    """What `body(client)` returns, with a client connected to the server. Runs an event loop until both are closed.

    Raises CommandError: the server cannot be reached, or all of it takes longer than `timeout` seconds.
    """
    remarks = _Remarks(logging.WARNING)
    logging.getLogger().addHandler(remarks)
    try:
        return asyncio.run(asyncio.wait_for(_using(server, body), timeout))
    except (asyncio.TimeoutError, TimeoutError):
        raise CommandError(f"the server did not answer within {timeout:g} seconds") from None
    finally:
        logging.getLogger().removeHandler(remarks)


class _Remarks(logging.Handler):
    """Prints what the SDK logs (say, that a line of the server is no message) as notes: each once, no traceback."""

    def __init__(self, level: int) -> None:
        super().__init__(level)
        self.said: set[str] = set()

    def emit(self, record: logging.LogRecord) -> None:
        note = f"note: {line(record.getMessage())}"
        if note not in self.said and len(self.said) < 20:
            self.said.add(note)
            say(note)


async def _using(server: Stdio | Http, body: Callable[[Any], Awaitable[T]]) -> T:
    found: list[T] = []
    failed: Exception | None = None
    entered = False
    # an interrupted SDK leaves tasks behind, which would be printed as tracebacks
    asyncio.get_running_loop().set_exception_handler(lambda loop, context: None)
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as log:
        try:
            async with _connected(server, log) as client:
                entered = True
                try:
                    found.append(await body(client))
                except Exception as error:  # raised below: the SDK's task group would wrap it
                    failed = error
        except Exception as error:
            if not entered:
                raise CommandError(_unreachable(server, error, log)) from error
    if failed is not None:
        raise failed
    return found[0]


@asynccontextmanager
async def _connected(server: Stdio | Http, log: TextIO) -> AsyncGenerator[Any, None]:
    try:
        import mcp
    except ImportError as error:
        raise CommandError(
            f"the mcp package cannot be imported ({line(str(error))}): see `typedtool doctor`"
        ) from error
    sdk: Any = mcp  # 1.x or 2.x: known only at run time
    async with AsyncExitStack() as stack:
        transport: Any = tolerant(_transport(sdk, server, log))
        if hasattr(sdk, "Client"):
            yield await stack.enter_async_context(sdk.Client(transport))
            return
        streams: Any = await stack.enter_async_context(transport)
        session = await stack.enter_async_context(sdk.ClientSession(*streams[:2]))
        session.initialize_result = await session.initialize()
        yield session


def _transport(sdk: Any, server: Stdio | Http, log: TextIO) -> Any:
    if isinstance(server, Stdio):
        from mcp.client.stdio import stdio_client

        # the SDK passes on only a few variables; a server that is started by hand gets them all
        parameters = sdk.StdioServerParameters(
            command=server.command, args=list(server.arguments), env=dict(os.environ)
        )
        return stdio_client(parameters, errlog=log)
    from mcp.client import streamable_http

    module: Any = streamable_http
    connect = getattr(module, "streamable_http_client", None) or module.streamablehttp_client
    return connect(server.url)


def _unreachable(server: Stdio | Http, error: Exception, log: TextIO) -> str:
    what = f"cannot connect to {line(server.command if isinstance(server, Stdio) else server.url, 120)!r}"
    leaf = _leaf(error)
    if isinstance(leaf, CommandError):
        return leaf.what
    said = line(str(leaf)) or "no reason given"
    log.seek(0, os.SEEK_END)
    log.seek(max(0, log.tell() - 2_000))
    tail = [line(text, 160) for text in log.read().splitlines() if text.strip()][-5:]
    wrote = "".join(f"\n  | {text}" for text in tail)
    return f"{what}: {type(leaf).__name__}: {said}" + (f"\n  it wrote to stderr:{wrote}" if wrote else "")


def _leaf(error: BaseException) -> BaseException:
    """The first exception inside of exception groups."""
    while (inner := getattr(error, "exceptions", None)) and isinstance(inner[0], BaseException):
        error = inner[0]
    return error


# --- listing --------------------------------------------------------------------------------------------------------


def definitions(server: Server, timeout: float) -> tuple[Definition, ...]:
    """The tools that the server lists, or the file holds. Raises CommandError where nothing could be listed."""
    if isinstance(server, File):
        return listing_file(server.path, "--listing")
    return checked_listing(using(server, list_tools, timeout))


def checked_listing(listing: Listing) -> tuple[Definition, ...]:
    """The tools of a listing. Prints its notes, and an error that ended it early.

    Raises CommandError: it failed before the first tool.
    """
    for note in listing.notes:
        say(f"note: {line(note, 300)}")
    if listing.fault is not None:
        why = refusal(listing.fault) or f"{type(listing.fault).__name__}: {line(str(listing.fault))}"
        if not listing.tools:
            raise CommandError(f"the listing failed: {why}")
        say(f"note: the listing failed after {len(listing.tools)} tools: {why}")
    return read_listing(listing.tools)
