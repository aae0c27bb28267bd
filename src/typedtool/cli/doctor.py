"""`typedtool doctor`: what is installed, missing or known to be bad; given a server, also what its listing is worth."""

from __future__ import annotations

import argparse
import importlib
import re
import sys
from importlib import metadata
from typing import Any

from msgspec import Struct

from typedtool.cli.inputs import listing_file
from typedtool.cli.listings import promise
from typedtool.cli.servers import File, Server, add_server, server_of, using
from typedtool.cli.terminal import CommandError, Style, counted, width, wrapped
from typedtool.clients.calls import server_info
from typedtool.clients.faults import refusal
from typedtool.clients.listing import Listing, list_tools
from typedtool.results.definitions import Definition, read_listing
from typedtool.values.printing import line

__all__ = ["add_arguments", "run"]


class Package(Struct, frozen=True):
    """A package that typedtool uses, in the versions from `least` on and before `below`."""

    name: str
    module: str
    least: str
    below: str = ""
    needed: bool = True
    why: str = ""


PACKAGES = (
    Package("msgspec", "msgspec", "0.22", why="decodes"),
    Package("mcp", "mcp", "1.10", "3", why="the SDK; before 1.10 it knows no structuredContent"),
    Package("jsonschema-rs", "jsonschema_rs", "0.59", "0.62", why="validates"),
    Package("jsonschema", "jsonschema", "4.23", why="validates and explains"),
    Package("pydantic", "pydantic", "2.11", needed=False, why="for pydantic models as types"),
    Package("fastmcp", "fastmcp", "2.10", needed=False, why="the other client"),
    Package("libcst", "libcst", "1.5", needed=False, why="for typedtool migrate"),
    Package("mypy", "mypy", "1.15", needed=False, why="for the mypy plugin"),
)


class Check(Struct, frozen=True):
    """One line of the report. bad: what is wrong, or an empty string."""

    what: str
    found: str
    bad: str = ""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `typedtool doctor`."""
    add_server(parser, required=False)


def run(options: argparse.Namespace) -> int:
    """Print the checks. Returns 1 where one of them failed."""
    server = server_of(options)
    checks = installed()
    _print(checks)
    if server is not None:
        print()
        found = reached(server, options.timeout)
        _print(found)
        checks += found
    bad = sum(bool(check.bad) for check in checks)
    print(f"\n{counted(bad, 'problem')} found" if bad else "\nno problem found")
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
    """The versions of Python, of typedtool and of the packages that it uses."""
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
        bad = f"newer than what typedtool supports: below {package.below}"
    elif package.needed:
        bad = _broken(package.module)
    return [Check(package.name, version, bad)]


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.match(r"[\d.]*", version)[0].split(".") if part)  # type: ignore[index]


def _broken(module: str) -> str:
    """Why the module cannot be imported, or an empty string: an old SDK does not go with every pydantic."""
    try:
        importlib.import_module(module)
    except Exception as error:
        return f"cannot be imported: {type(error).__name__}: {line(str(error), 300)}"
    return ""


def _impostors() -> list[Check]:
    """Distributions that replace another one's package."""
    owners = metadata.packages_distributions().get("jsonschema", [])
    others = sorted(set(owners) - {"jsonschema"})
    return [
        Check(name, "installed", "it replaces the package jsonschema: uninstall both, install jsonschema")
        for name in others
    ]


# --- a server -------------------------------------------------------------------------------------------------------


def reached(server: Server, timeout: float) -> list[Check]:
    """Whether the server can be reached, its protocol, how many tools it lists, and which schemas cannot be used."""
    try:
        if isinstance(server, File):
            tools = listing_file(server.path, "--listing")
            return [
                Check("listing", line(server.path, 100)),
                Check("tools", f"{len(tools)}"),
                *_schemas(tools),
            ]
        info, listing = using(server, _info_and_listing, timeout)
    except CommandError as error:
        return [Check("server", "not reached", error.what)]
    who = line(f"{info.name or 'reached, without a name'} {info.version or ''}", 100)
    return [Check("server", who), Check("protocol", line(info.protocol or "unknown", 40)), *_listing(listing)]


async def _info_and_listing(client: Any) -> tuple[Any, Listing]:
    listing = await list_tools(client)
    return server_info(client), listing


def _listing(listing: Listing) -> list[Check]:
    tools = read_listing(listing.tools)
    bad = ""
    if listing.fault is not None:
        bad = refusal(listing.fault) or f"{type(listing.fault).__name__}: {line(str(listing.fault), 300)}"
    notes = [Check("note", line(note, 300)) for note in listing.notes]
    return [Check("tools", f"{len(tools)}", bad), *notes, *_schemas(tools)]


def _schemas(tools: tuple[Definition, ...]) -> list[Check]:
    checks: list[Check] = []
    found = [(tool, promise(tool)) for tool in tools]
    for kind, what in (("typed", "typed by schema"), ("loose", "allow anything"), ("none", "without schema")):
        checks.append(Check(what, f"{sum(p.kind == kind for _, p in found)}"))
    return checks + [Check("unusable", line(t.name, 60), p.text) for t, p in found if p.kind == "unusable"]
