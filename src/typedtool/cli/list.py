"""`typedtool list`: the tools of a server, one line each, with what their outputSchema promises."""

from __future__ import annotations

import argparse
import sys
from textwrap import shorten

from typedtool.cli.listings import Promise, promise
from typedtool.cli.servers import add_server, definitions, named_server
from typedtool.cli.terminal import Style, counted, width
from typedtool.values.printing import line

__all__ = ["add_arguments", "run"]

_WORDS = {
    "typed": "whose outputSchema says something",
    "loose": "with one that says nothing",
    "none": "without",
    "unusable": "unusable",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `typedtool list`."""
    add_server(parser)


def run(options: argparse.Namespace) -> int:
    """Print a line for each tool, then a line with their numbers."""
    tools = definitions(named_server(options), options.timeout)
    style, columns = Style(sys.stdout), width()
    names = [line(tool.name, 40) for tool in tools]
    promises = [promise(tool) for tool in tools]
    shown = [line("unusable outputSchema" if p.kind == "unusable" else p.text, 34) for p in promises]
    left, middle = max(map(len, names), default=0), max(map(len, shown), default=0)
    for tool, name, text, each in zip(tools, names, shown, promises):
        room = columns - left - middle - 4
        about = shorten(line(tool.description), room, placeholder=" ...") if room >= 16 else ""
        colour = {"typed": style.good, "unusable": style.bad}.get(each.kind, style.faint)
        cells = (
            f"{style.strong(name)}{' ' * (left - len(name))}",
            f"{colour(text)}{' ' * (middle - len(text))}",
            about,
        )
        print("  ".join(cells).rstrip())
    print(style.faint(_total(promises)))
    return 0


def _total(promises: list[Promise]) -> str:
    counts = [
        f"{n} {words}" for kind, words in _WORDS.items() if (n := sum(p.kind == kind for p in promises))
    ]
    return f"{counted(len(promises), 'tool')}: {', '.join(counts)}" if counts else "the server lists no tools"
