"""From a listing to the source of a module: `generate(listing) -> str`."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec import UNSET, Struct
from typing_extensions import TypedDict, Unpack

from typedtool.clients.calls import ServerInfo
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

__all__ = ["GenerateOptions", "Generated", "compile_listing", "generate", "module_from", "server_info_in"]


class GenerateOptions(TypedDict, total=False):
    """The options of `generate`, which describes them."""

    server: ServerInfo | None
    command: str
    only: Callable[[str], bool] | None
    inputs: bool
    formats: Formats
    samples: Mapping[str, Sequence[object]]
    budget: Budget


class Generated(Struct, frozen=True):
    """A module: its source, the notes on it, and the constants of the tools in it by their names.

    nodes: how many subschemas were read; those that became `object` for want of a type are among the notes.
    parts: the same as a package, the text of each module by its name, if that was asked for.
    """

    source: str
    notes: tuple[Note, ...]
    tools: Mapping[str, str]
    digest: str
    nodes: int
    parts: Mapping[str, str] = {}


def generate(listing: object, **options: Unpack[GenerateOptions]) -> str:
    """The source of a Python module with types for a server's tools, a `TypedTool` for each, and a `Toolset`.

    The same listing gives the same text, whatever its order. A tool whose schema cannot be used is in it as
    `object`, with a note in its docstring.

    listing: a tools/list result (SDK model or wire dict) or a sequence of its entries.
    server: its name and version; else what the listing holds as `serverInfo`.
    command: named in the heading as what made the module, "typedtool generate" by default.
    only: which tools, by name.
    inputs: False makes every tool take a `dict[str, object]`.
    formats: "exact" (the default) makes types of string formats whose values round-trip to the same text (`date`,
        `uuid`, `decimal`), "all" also of `date-time` and `time`, "none" of none.
    samples: results by the names of their tools. A tool without an outputSchema gets a type that is drafted from
        them, marked as a guess.
    budget: the most that reading one schema may cost.

    Raises TypeError where `listing` is no listing.

    Example:
        >>> source = generate({"tools": [{"name": "get-count", "inputSchema": {"type": "object"}}]})
        >>> source.splitlines()[-1]
        '    get_count = get_count'
    """
    return compile_listing(listing, **options).source


def compile_listing(
    listing: object,
    *,
    server: ServerInfo | None = None,
    command: str = "typedtool generate",
    only: Callable[[str], bool] | None = None,
    inputs: bool = True,
    formats: Formats = "exact",
    samples: Mapping[str, Sequence[object]] = {},
    budget: Budget = DEFAULT_BUDGET,
    split: bool = False,
) -> Generated:
    """As `generate`, with the notes on the module beside it. split: also as a package."""
    definitions, notes = _distinct(read_listing(listing), only)
    server = server_info_in(listing) if server is None else server
    tools = [read_tool(d, formats=formats, inputs=inputs, budget=budget) for d in definitions]
    for tool, definition in zip(tools, definitions, strict=True):
        if definition.output_schema is UNSET and samples.get(tool.name):
            _draft_output(tool, definition, samples[tool.name])
    planned = plan(tools, server.name or "")
    digest = _digest(definitions)
    heading = _heading(planned, server, digest, command)
    parts = {name: source_of(tree) for name, tree in package_of(planned, heading).items()} if split else {}
    every = (*notes, *[note for tool in tools for note in tool.notes], *planned.notes)
    return Generated(
        source_of(module_of(planned, heading)),
        tuple(dict.fromkeys(every)),
        {tool.types.name: tool.constant for tool in planned.tools},
        digest,
        sum(tool.nodes for tool in tools),
        parts,
    )


def _draft_output(tool: ToolTypes, definition: Definition, results: Sequence[object]) -> None:
    """Take the drafted type in the place of `object`, and the note that says so in the place of the one that says that
    the server declares nothing."""
    drafted = draft(definition, results)
    if drafted.samples:
        kept = [note for note in tool.notes if note.kind != "silent"]
        tool.output = drafted.types.output
        tool.notes = (*kept, *(note for note in drafted.types.notes if note.kind == "silent"))


def module_from(tools: Iterable[ToolTypes], command: str, what: str) -> str:
    """The source of a module from types that were made already: of drafts."""
    planned = plan(sorted(tools, key=lambda types: types.name))
    return source_of(module_of(planned, (f"{what}.", f"Made by typedtool.\nCommand: {command}")))


def _heading(planned: Plan, server: ServerInfo, digest: str, command: str) -> Sequence[str]:
    who = " ".join(part for part in (server.name, server.version) if part and part.strip())
    who = plain(who).replace("\n", " ").strip()[:200]
    count = len(planned.tools)
    return (
        f"The tools of {who or 'a server'}, typed. Made by typedtool: do not edit.",
        f"Listing: {count} {'tool' if count == 1 else 'tools'}\nDigest: sha256:{digest}\nCommand: {command}",
    )


def server_info_in(listing: object) -> ServerInfo:
    """Name and version of the server, where the listing holds them as `serverInfo`: `typedtool list` saves them."""
    info = listing.get("serverInfo") if is_dict(listing) else None
    if not is_dict(info):
        return ServerInfo()
    name, version = info.get("name"), info.get("version")
    return ServerInfo(name if isinstance(name, str) else None, version if isinstance(version, str) else None)


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


def _digest(definitions: Iterable[Definition]) -> str:
    """A digest of what the module is made from. The order of the tools does not count."""
    return hashlib.sha256("\n".join(sorted(map(_canonical, definitions))).encode()).hexdigest()


def _canonical(definition: Definition) -> str:
    schemas = [None if s is UNSET else s for s in (definition.input_schema, definition.output_schema)]
    try:
        return json.dumps(
            [definition.name, definition.description, *schemas],
            sort_keys=True,
            default=lambda value: type(value).__name__,
        )
    except (RecursionError, TypeError, ValueError):
        return json.dumps([definition.name, definition.description, "a schema that is no JSON"])
