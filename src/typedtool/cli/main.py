"""The command line: `typedtool COMMAND ...`, also as `python -m typedtool`."""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import os
import sys
from collections.abc import Sequence
from typing import Any

from typedtool.cli.terminal import CommandError, say
from typedtool.errors import TypedToolError

__all__ = ["available", "main"]

# The modules of the commands, each with `add_arguments(parser)` and `run(namespace) -> int`: the chosen one is imported.
_COMMANDS: dict[str, tuple[str, str]] = {
    "demo": ("typedtool.cli.demo", "see it work, against a server that ships with typedtool"),
    "list": ("typedtool.cli.list", "the tools of a server, one line each"),
    "show": ("typedtool.cli.show", "one tool: what it takes, what it gives, its schemas"),
    "call": ("typedtool.cli.call", "call a tool; print its value, and where that came from"),
    "check": ("typedtool.cli.check", "whether your types fit what a server lists, and what changed since"),
    "doctor": (
        "typedtool.cli.doctor",
        "what is installed, what is missing, and what a server's schemas are good for",
    ),
    "generate": ("typedtool.cli.generate", "a server's tools as a typed Python module"),
    "draft": ("typedtool.cli.draft", "a type for a tool, from results that it gave"),
    "migrate": ("typedtool.cli.migrate", "rewrite code that was written for the v1 SDK"),
}

_CODES = """\
exit codes:
  0  done
  1  it could not be done: the error is on stderr
  2  the command line is wrong
  3  call: the tool failed
  4  call: what the tool answered is not what its type or its schema says
  5  call: the tool asks for input
  check: 0 fits, 1 warnings with --strict, 2 incompatible, 3 the server cannot be reached
  130  interrupted
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command, and give its exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    for stream in (sys.stdout, sys.stderr):
        reconfigure: Any = getattr(stream, "reconfigure", None)
        if reconfigure is not None:  # a terminal that cannot show a character is no reason to fail
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
    except BrokenPipeError:  # `typedtool list ... | head`: nobody reads on
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _run(arguments: list[str]) -> int:
    if arguments and arguments[0] in available():
        name, *rest = arguments
        module, says = _COMMANDS[name]
        command = _imported(name, module)
        parser = argparse.ArgumentParser(
            prog=f"typedtool {name}", description=f"{says[0].upper()}{says[1:]}."
        )
        command.add_arguments(parser)
        # intermixed: else `call TOOL --as TYPE JSON` would not be understood
        return int(command.run(parser.parse_intermixed_args(rest)))
    parser = argparse.ArgumentParser(
        prog="typedtool",
        description="Typed client-side decoding of MCP tool results.",
        epilog=_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="store_true", help="the versions of typedtool and of the SDK")
    commands = parser.add_subparsers(metavar="COMMAND", dest="command")
    for name in available():
        commands.add_parser(name, help=_COMMANDS[name][1])
    if parser.parse_args(arguments).version:
        from importlib.metadata import version

        print(f"typedtool {version('typedtool')}, mcp {version('mcp')}, Python {sys.version.split()[0]}")
    else:
        parser.print_help()
    return 0


def _imported(name: str, module: str) -> Any:
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:  # what only some need is an extra
        raise CommandError(
            f"{name} needs the package {error.name}: pip install 'typedtool[{name}]'"
        ) from error


def available() -> list[str]:
    """The commands whose modules are there, in the order of the help."""
    return [name for name, (module, _) in _COMMANDS.items() if _exists(module)]


def _exists(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:
        return False


if __name__ == "__main__":
    raise SystemExit(main())
