"""The command line: `typedtool COMMAND ...`, also as `python -m typedtool`."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from typing import Any

from typedtool.cli.terminal import CommandError, say
from typedtool.errors import TypedToolError

__all__ = ["COMMANDS", "main"]

COMMANDS: dict[str, str] = {
    "demo": "show typedtool at work, against a server that ships with it",
    "list": "list the tools of a server, one line each",
    "show": "show one tool: what it takes, what it returns, its schemas",
    "call": "call a tool; print its value and where the value was",
    "check": "check your types against what a server lists, and against an earlier listing",
    "doctor": "report what is installed and what is missing; check a server's schemas",
    "generate": "write a server's tools as a typed Python module",
    "draft": "write types for tools without schemas, from recorded results",
    "migrate": "rewrite code that was written for SDK 1",
}
"""The commands, in the order of the help. The module `typedtool.cli.<name>` has `add_arguments(parser)` and
`run(options) -> int`; only the chosen command's module is imported."""

_CODES = """\
exit codes:
  0    success
  1    failure: the error is on the standard error
  2    the command line is wrong
  3    call: the tool failed
  4    call: the result does not fit the type, or the server's schema
  5    call: the tool asks for input
  130  interrupted
  check: 0 fits, 1 warnings with --strict, 2 incompatible, 3 the server cannot be reached
  generate --check: 1 if the module is stale
  migrate: 0 nothing to do, 1 changes or decisions, 2 a file that cannot be migrated
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command. Returns its exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    for stream in (sys.stdout, sys.stderr):
        reconfigure: Any = getattr(stream, "reconfigure", None)
        if reconfigure is not None:  # a terminal that cannot show a character gets it escaped
            reconfigure(errors="backslashreplace")
    try:
        code = _run(arguments)
        sys.stdout.flush()
        return code
    except CommandError as error:
        say(f"typedtool: {error}")
        return error.code
    except TypedToolError as error:
        say(f"typedtool: {type(error).__name__}: {error}")
        return 1
    except KeyboardInterrupt:
        say("typedtool: interrupted")
        return 130
    except BrokenPipeError:  # `typedtool list ... | head`: the reader is gone
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _run(arguments: list[str]) -> int:
    if arguments and arguments[0] in COMMANDS:
        name, *rest = arguments
        command = _command(name)
        does = COMMANDS[name]
        parser = argparse.ArgumentParser(
            prog=f"typedtool {name}", description=f"{does[0].upper()}{does[1:]}."
        )
        command.add_arguments(parser)
        # intermixed, for `call TOOL --as TYPE JSON`
        return int(command.run(parser.parse_intermixed_args(rest)))
    parser = argparse.ArgumentParser(
        prog="typedtool",
        description="Typed client-side decoding of MCP tool results.",
        epilog=_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--version", action="store_true", help="print the versions of typedtool, the SDK and Python"
    )
    commands = parser.add_subparsers(metavar="COMMAND", dest="command")
    for name, does in COMMANDS.items():
        commands.add_parser(name, help=does)
    if parser.parse_args(arguments).version:
        from importlib.metadata import version

        print(f"typedtool {version('typedtool')}, mcp {version('mcp')}, Python {sys.version.split()[0]}")
    else:
        parser.print_help()
    return 0


def _command(name: str) -> Any:
    try:
        return importlib.import_module(f"typedtool.cli.{name}")
    except ModuleNotFoundError as error:  # a package of an extra
        raise CommandError(
            f"{name} needs the package {error.name}: pip install 'typedtool[{name}]'"
        ) from error
