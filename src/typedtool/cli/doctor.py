"""`typedtool doctor`: what is installed, what is missing or known bad; and, given a server, what its listing is good for."""

from __future__ import annotations

import argparse
import importlib
import re
import sys
from importlib import metadata
from typing import Any

from msgspec import Struct

from typedtool.cli.list import says
from typedtool.cli.servers import File, Server, add_server, listed, server_of, using
from typedtool.cli.terminal import CommandError, Style, width, wrapped
from typedtool.clients.calls import server_info
from typedtool.clients.faults import refusal
from typedtool.clients.listing import Listing, list_tools
from typedtool.results.definitions import read_listing
from typedtool.values.printing import line

__all__ = ["add_arguments", "run"]


class Package(Struct, frozen=True):
    """A package that typedtool stands on: `least` and `below` are the versions that it is made for."""

    name: str
    module: str
    least: str
    below: str = ""
    needed: bool = True
    why: str = ""


PACKAGES = (
    Package("msgspec", "msgspec", "0.20", why="decodes"),
    Package("mcp", "mcp", "1.10", "3", why="the SDK; before 1.10 it knows no structuredContent"),
    Package("jsonschema-rs", "jsonschema_rs", "0.59", "0.62", why="validates"),
    Package("jsonschema", "jsonschema", "4.23", why="validates and explains"),
    Package("pydantic", "pydantic", "2.11", needed=False, why="for pydantic models as types"),
    Package("fastmcp", "fastmcp", "2.10", needed=False, why="the other client"),
    Package("libcst", "libcst", "1.5", needed=False, why="for typedtool migrate"),
    Package("mypy", "mypy", "1.15", needed=False, why="for the mypy plugin"),
)


class Check(Struct, frozen=True):
    """One line of the doctor's: `bad` is what is wrong, "" where nothing is."""

    what: str
    found: str
    bad: str = ""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `typedtool doctor`."""
    add_server(parser, required=False)


def run(options: argparse.Namespace) -> int:
    """Print the checks; 1 where one of them failed."""
    server = server_of(options)
    checks = installed()
    _print(checks)
    if server is not None:
        print()
        found = reached(server, options.timeout)
        _print(found)
        checks += found
    bad = sum(bool(check.bad) for check in checks)
    print(f"\n{bad} problem{'' if bad == 1 else 's'} found" if bad else "\nno problem found")
    return 1 if bad else 0


def _print(checks: list[Check]) -> None:
    style = Style(sys.stdout)
    left = max(len(check.what) for check in checks)
    for check in checks:
        print(f"{check.what:<{left}}  {style.bad(check.found) if check.bad else check.found}")
        if check.bad:
            for text in check.bad.split("\n"):
                print(style.bad(wrapped("", text.strip(), width(), " " * (left + 2))))


# --- what is installed ----------------------------------------------------------------------------------------------


def installed() -> list[Check]:
    """The versions of Python, typedtool and of what it stands on."""
    checks = [Check("Python", sys.version.split()[0]), Check("typedtool", metadata.version("typedtool"))]
    return checks + [check for package in PACKAGES for check in _package(package)] + _impostors()


def _package(package: Package) -> list[Check]:
    try:
        version = metadata.version(package.name)
    except metadata.PackageNotFoundError:
        if package.needed:
            return [
                Check(
                    package.name, "missing", f"{package.why}: pip install '{package.name}>={package.least}'"
                )
            ]
        return [Check(package.name, f"not installed ({package.why})")]
    bad = ""
    if _numbers(version) < _numbers(package.least):
        bad = f"too old: {package.least} or later ({package.why})"
    elif package.below and _numbers(version) >= _numbers(package.below):
        bad = f"newer than what typedtool is made for: below {package.below}"
    elif package.needed:
        bad = _broken(package.module)
    return [Check(package.name, version, bad)]


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.match(r"[\d.]*", version)[0].split(".") if part)  # type: ignore[index]


def _broken(module: str) -> str:
    """What stops the module from being imported: an old SDK does not go with every pydantic."""
    try:
        importlib.import_module(module)
    except Exception as error:
        return f"cannot be imported: {type(error).__name__}: {line(str(error), 300)}"
    return ""


def _impostors() -> list[Check]:
    """Distributions that put themselves in the place of another one's package."""
    owners = metadata.packages_distributions().get("jsonschema", []) if sys.version_info >= (3, 10) else []
    others = sorted(set(owners) - {"jsonschema"})
    return [
        Check(name, "installed", "it replaces the package jsonschema: uninstall both, install jsonschema")
        for name in others
    ]


# --- a server -------------------------------------------------------------------------------------------------------


def reached(server: Server, timeout: float) -> list[Check]:
    """Whether the server can be reached, what it speaks, how many tools it lists, which schemas cannot be used."""
    try:
        if isinstance(server, File):
            return [Check("listing", line(server.path, 100)), *_listing(listed(server, timeout))]
        info, listing = using(server, _both, timeout)
    except CommandError as error:
        return [Check("server", "not reached", error.what)]
    who = line(f"{info.name or 'reached, without a name'} {info.version or ''}", 100)
    return [Check("server", who), Check("protocol", line(info.protocol or "unknown", 40)), *_listing(listing)]


async def _both(client: Any) -> tuple[Any, Listing]:
    listing = await list_tools(client)
    return server_info(client), listing


def _listing(listing: Listing) -> list[Check]:
    tools = read_listing(listing.tools)
    bad = ""
    if listing.fault is not None:
        bad = refusal(listing.fault) or f"{type(listing.fault).__name__}: {line(str(listing.fault), 300)}"
    checks = [Check("tools", f"{len(tools)}", bad)]
    checks += [Check("note", line(note, 300)) for note in listing.notes]
    said = [(tool, says(tool)) for tool in tools]
    for kind, what in (("typed", "typed by schema"), ("loose", "allow anything"), ("none", "without schema")):
        checks.append(Check(what, f"{sum(s.kind == kind for _, s in said)}"))
    return checks + [Check("unusable", line(t.name, 60), s.text) for t, s in said if s.kind == "unusable"]
