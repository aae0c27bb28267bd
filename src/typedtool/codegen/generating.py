"""From a listing to the source of a module: `generate(listing) -> str`."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence

from msgspec import UNSET, Struct

from typedtool.codegen.drafting import draft
from typedtool.codegen.layout import plain, source_of
from typedtool.codegen.planning import Plan, plan
from typedtool.codegen.scalars import Formats
from typedtool.codegen.tool_types import ToolTypes, read_tool
from typedtool.codegen.type_tree import Note
from typedtool.codegen.writing import module_of, package_of
from typedtool.results.definitions import Definition, read_listing
from typedtool.values.budgets import DEFAULT_BUDGET, Budget
from typedtool.values.guards import is_dict

__all__ = ["Generated", "Server", "compile_listing", "digest_of", "generate", "module_from", "server_of"]


class Server(Struct, frozen=True):
    """Who the listing is from, as far as that is known: the server's own words."""

    name: str = ""
    version: str = ""


class Generated(Struct, frozen=True):
    """A module: its source, what is to be said of it, the tools that are in it with their constants.

    nodes: schemas that were read; those that became `object` for want of a type are among the notes.
    """

    source: str
    notes: tuple[Note, ...]
    tools: Mapping[str, str]
    digest: str
    nodes: int
    parts: Mapping[str, str] = {}
    """The same as a package: the text of each module of it by its name, if that was asked for."""


def generate(
    listing: object,
    *,
    server: Server | None = None,
    command: str = "typedtool generate",
    only: Callable[[str], bool] | None = None,
    inputs: bool = True,
    formats: Formats = "exact",
    samples: Mapping[str, Sequence[object]] | None = None,
    budget: Budget = DEFAULT_BUDGET,
) -> str:
    """The source of a Python module with types for a server's tools, a `TypedTool` for each, and a `Toolset`.

    The same listing gives the same text, whatever its order. A tool whose schema cannot be used is in it as
    `object`, with a note in its docstring.

    listing: a tools/list result (SDK model or wire dict) or a sequence of its entries.
    server: its name and version; else what the listing holds as `serverInfo`.
    command: named in the heading as what made it.
    only: which tools, by name.
    inputs: without them, every tool takes a `dict[str, object]`.
    formats: "exact" makes types of string formats whose values round-trip to the same text (`date`, `uuid`,
        `decimal`), "all" also of `date-time` and `time`, "none" of none.
    samples: results by the names of their tools. A tool without an outputSchema gets a type that is drafted from
        them, marked as a guess.

    Raises TypeError for what is no listing.

    Example:
        >>> source = generate({"tools": [{"name": "get-count", "inputSchema": {"type": "object"}}]})
        >>> source.splitlines()[-1]
        '    get_count = get_count'
    """
    return compile_listing(
        listing,
        server=server,
        command=command,
        only=only,
        inputs=inputs,
        formats=formats,
        samples=samples,
        budget=budget,
    ).source


def compile_listing(
    listing: object,
    *,
    server: Server | None = None,
    command: str = "typedtool generate",
    only: Callable[[str], bool] | None = None,
    inputs: bool = True,
    formats: Formats = "exact",
    samples: Mapping[str, Sequence[object]] | None = None,
    budget: Budget = DEFAULT_BUDGET,
    split: bool = False,
) -> Generated:
    """As `generate`, with everything that is to be said of the module beside it. split: also as a package."""
    definitions, notes = _distinct(read_listing(listing), only)
    server = server_of(listing) if server is None else server
    tools = [read_tool(d, formats=formats, inputs=inputs, budget=budget) for d in definitions]
    for tool, definition in zip(tools, definitions):
        results = (samples or {}).get(definition.name, ())
        if results and definition.output_schema is UNSET:
            _draft_output(tool, definition, results)
    planned = plan(tools, server.name)
    digest = digest_of(definitions)
    heading = _heading(planned, server, digest, command)
    source = source_of(module_of(planned, heading))
    parts = {name: source_of(tree) for name, tree in package_of(planned, heading).items()} if split else {}
    every = (*notes, *[note for tool in tools for note in tool.notes], *planned.notes)
    constants = {tool.types.name: tool.constant for tool in planned.tools}
    nodes = sum(tool.nodes for tool in tools)
    return Generated(source, tuple(dict.fromkeys(every)), constants, digest, nodes, parts)


def _draft_output(tool: ToolTypes, definition: Definition, results: Sequence[object]) -> None:
    """A guess in the place of `object`, and the note that says so in the place of the one that says there is none."""
    drafted = draft(definition, results)
    if drafted.samples:
        kept = [note for note in tool.notes if note.kind != "silent"]
        tool.output = drafted.types.output
        tool.notes = (*kept, *(note for note in drafted.types.notes if note.kind == "silent"))


def module_from(tools: Sequence[ToolTypes], command: str, what: str) -> str:
    """The source of a module from types that are there already: of drafts."""
    planned = plan(sorted(tools, key=lambda types: types.name))
    return source_of(module_of(planned, (f"{what}.", f"Made by typedtool.\nCommand: {command}")))


def _heading(planned: Plan, server: Server, digest: str, command: str) -> Sequence[str]:
    who = " ".join(part for part in (server.name, server.version) if part.strip())
    who = plain(who).replace("\n", " ").strip()[:200]
    count = len(planned.tools)
    return (
        f"The tools of {who or 'a server'}, typed. Made by typedtool: do not edit.",
        f"Listing: {count} {'tool' if count == 1 else 'tools'}\nDigest: sha256:{digest}\nCommand: {command}",
    )


def server_of(listing: object) -> Server:
    """Name and version of the server, where the listing holds them (`serverInfo`, as saved by `typedtool
    list`)."""
    info = listing.get("serverInfo") if is_dict(listing) else None
    if not is_dict(info):
        return Server()
    name, version = info.get("name"), info.get("version")
    return Server(name if isinstance(name, str) else "", version if isinstance(version, str) else "")


def _distinct(
    definitions: Sequence[Definition], only: Callable[[str], bool] | None
) -> tuple[list[Definition], list[Note]]:
    """The tools by name, each once: of two with one name, the one whose text comes first."""
    found: dict[str, tuple[str, Definition]] = {}
    notes: list[Note] = []
    for definition in definitions:
        if only is not None and not only(definition.name):
            continue
        text = _canonical(definition)
        known = found.get(definition.name)
        if known is not None and known[0] != text:
            said = "the server lists the tool twice, with different definitions: binding to it fails"
            notes.append(Note(definition.name, "name", "", said))
        if known is None or text < known[0]:
            found[definition.name] = (text, definition)
    return [found[name][1] for name in sorted(found)], notes


def digest_of(definitions: Sequence[Definition]) -> str:
    """A digest of what the module is made from. The order of the tools does not count."""
    texts = sorted(_canonical(definition) for definition in definitions)
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()


def _canonical(definition: Definition) -> str:
    schemas = [None if s is UNSET else s for s in (definition.input_schema, definition.output_schema)]
    try:
        return json.dumps(
            [definition.name, definition.description, *schemas], sort_keys=True, default=_unknown
        )
    except (RecursionError, TypeError, ValueError):
        return json.dumps([definition.name, definition.description, "a schema that is no JSON"])


def _unknown(value: object) -> str:
    return type(value).__name__
