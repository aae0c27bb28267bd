"""`typedtool check module:Toolset`: whether the types fit what a server lists, and what has changed there."""

from __future__ import annotations

import argparse
import json
import sys
import warnings
from pathlib import Path
from types import ModuleType
from typing import Any, Literal

from msgspec import UNSET, Struct

from typedtool.cli.inputs import imported, listing_file
from typedtool.cli.listings import find
from typedtool.cli.servers import add_server, definitions, named_server
from typedtool.cli.terminal import USAGE, CommandError, Style, counted, json_text, say
from typedtool.compatibility.changes import Change, input_change, output_change
from typedtool.compatibility.report import Finding
from typedtool.errors import ToolNotFound, cut
from typedtool.results.definitions import Definition
from typedtool.tools.binding import bind_definition
from typedtool.tools.tool import TypedTool
from typedtool.tools.toolset import Toolset
from typedtool.values.printing import line

__all__ = ["add_arguments", "run"]

_FITS, _WARNED, _INCOMPATIBLE, _UNREACHABLE = 0, 1, 2, 3
_VERDICTS = {"error": "INCOMPATIBLE", "warning": "may fail", "ok": "fits"}


class Checked(Struct, frozen=True):
    """One tool, checked. changes: those since the saved listing. listed: whether the server lists the tool."""

    tool: str
    findings: tuple[Finding, ...] = ()
    changes: tuple[Change, ...] = ()
    listed: bool = True

    @property
    def level(self) -> Literal["error", "warning", "ok"]:
        """The level of the worst finding or change."""
        levels = {finding.level for finding in self.findings}
        if "error" in levels:
            return "error"
        breaks = any(change.meaning == "breaking" for change in self.changes)
        return "warning" if breaks or "warning" in levels else "ok"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `typedtool check`."""
    parser.add_argument(
        "target", metavar="MODULE:NAME", help="a Toolset, a TypedTool, or a module with any of them"
    )
    parser.add_argument("--strict", action="store_true", help="exit with 1 if there are warnings")
    parser.add_argument(
        "--format",
        choices=("text", "json", "github"),
        default="text",
        help="how to print; github: as annotations of a workflow",
    )
    parser.add_argument(
        "--save", metavar="FILE", help="compare with the listing in FILE, if it exists, then replace it"
    )
    parser.add_argument("--since", metavar="FILE", help="compare with the listing in FILE")
    add_server(parser)


def run(options: argparse.Namespace) -> int:
    """Check and print. Returns 0 where all fits, 1 for warnings with --strict, 2 for incompatible, 3 for no server."""
    tools = _tools(options.target)
    server = named_server(options)
    earlier: tuple[Definition, ...] | None = None
    if options.since:
        earlier = listing_file(options.since, "--since", USAGE)
    elif options.save and Path(options.save).exists():
        earlier = listing_file(options.save, "--save", USAGE)
    try:
        listed = definitions(server, options.timeout)
    except CommandError as error:
        raise CommandError(error.what, _UNREACHABLE) from error
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        checked = [_checked(tool, listed, earlier) for tool in tools]
    {"text": _print_text, "json": _print_json, "github": _print_github}[options.format](
        checked, earlier is not None
    )
    if options.save:
        _save(options.save, listed)
    levels = {each.level for each in checked}
    if "error" in levels:
        return _INCOMPATIBLE
    return _WARNED if options.strict and "warning" in levels else _FITS


# --- what is checked ------------------------------------------------------------------------------------------------


def _tools(target: str) -> list[TypedTool[Any, Any]]:
    """The tools of what `module:Name` names, or of a whole module."""
    found = imported(target)
    held = [getattr(found, name, None) for name in dir(found)] if isinstance(found, ModuleType) else [found]
    tools = [tool for each in held for tool in _tools_of(each)]
    if not tools:
        raise CommandError(
            f"{line(target, 80)!r} has no TypedTool: name a Toolset, such as mymodule:Weather", USAGE
        )
    return list({id(tool): tool for tool in tools}.values())


def _tools_of(held: Any) -> list[TypedTool[Any, Any]]:
    if isinstance(held, TypedTool):
        return [held]
    if isinstance(held, type) and issubclass(held, Toolset):
        return list(held._declared().values())  # pyright: ignore[reportPrivateUsage]
    return []


def _checked(
    tool: TypedTool[Any, Any], listed: tuple[Definition, ...], earlier: tuple[Definition, ...] | None
) -> Checked:
    try:
        now = find(listed, tool.name)
    except ToolNotFound as error:
        return Checked(tool.name, (Finding("error", tool.name, str(error)),), listed=False)
    findings = tuple(bind_definition(tool, now, calls=True).report)
    before = next((d for d in earlier or () if d.name == tool.name), None)
    if before is None:
        return Checked(tool.name, findings)
    budget = tool.options.budget
    found = (
        output_change(tool.output_type, before, now, budget),
        input_change(tool.input_type, before, now, budget),
    )
    return Checked(tool.name, findings, tuple(change for change in found if change is not None))


# --- the saved listing ----------------------------------------------------------------------------------------------


def _save(path: str, listed: tuple[Definition, ...]) -> None:
    tools: list[dict[str, Any]] = []
    for definition in sorted(listed, key=lambda d: d.name):
        held = {"inputSchema": definition.input_schema, "outputSchema": definition.output_schema}
        tools.append({"name": definition.name, **{k: v for k, v in held.items() if v is not UNSET}})
    try:
        Path(path).write_text(json.dumps({"tools": tools}, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    except OSError as error:
        raise CommandError(f"--save: cannot write {line(path, 120)!r}: {error.strerror}", USAGE) from error


# --- how it is printed ---------------------------------------------------------------------------------------------------


def _advice(finding: Finding) -> str:
    """What to do about a finding, or nothing."""
    problem = finding.problem
    if problem is None:
        return ""
    name = line(problem.path.rpartition(".")[2] or problem.path, 60)
    if finding.side == "input":
        if problem.code == "required":
            return "add what the server demands to the input type"
        return "change the input type to what the server takes; until then such a call is refused before it is sent"
    if problem.received == "nothing":
        return f"give the field {name!r} of your type a default, such as None"
    if problem.code == "additionalProperties":
        return "drop forbid_unknown_fields, or add the field"
    if finding.level == "error":
        return f"change the type at {line(problem.path, 80)} to take {problem.received}"
    return f"widen the type at {line(problem.path, 80)} to take {problem.received} too, or be ready for a Mismatch"


def _print_text(checked: list[Checked], compared: bool) -> None:
    style = Style(sys.stdout)
    colours = {"error": style.bad, "warning": style.strong, "ok": style.good}
    for each in checked:
        print(f"{colours[each.level](_VERDICTS[each.level])}  {line(each.tool, 80)}")
        for finding in each.findings:
            print(f"    {finding.level}: {line(finding.message, 500)}")
            if finding.level != "note" and (advice := _advice(finding)):
                print(style.faint(f"      {advice}"))
        for change in each.changes:
            print(f"    {_sentence(change)}")
        if compared and not each.changes and each.listed:
            print(style.faint("    unchanged since the saved listing"))
    print(style.faint(_total(checked)))


def _sentence(change: Change) -> str:
    witness = "" if change.witness is UNSET else f", for example {line(json_text(change.witness), 160)}"
    what = f"{change.meaning} change of the {change.side}Schema: {line(change.what, 300)}"
    return f"{what}: {line(change.why)}{witness}"


def _total(checked: list[Checked]) -> str:
    levels = [each.level for each in checked]
    words = {"ok": "fit", "warning": "may fail", "error": "incompatible"}
    counts = [f"{levels.count(level)} {word}" for level, word in words.items() if level in levels]
    return f"{counted(len(levels), 'tool')}: {', '.join(counts)}"


def _print_json(checked: list[Checked], compared: bool) -> None:
    tools: list[dict[str, Any]] = []
    for each in checked:
        findings = [
            {**_members(f, "level", "side", "message"), "advice": _advice(f)}
            | _members(f.problem, "path", "expected", "received")
            | _members(f, "witness")
            for f in each.findings
        ]
        changes = [_members(change, "side", "meaning", "what", "why", "witness") for change in each.changes]
        tools.append({"name": each.tool, "level": each.level, "findings": findings, "changes": changes})
    print(json_text({"tools": tools, "compared": compared}, indent=1))


def _members(record: Struct | None, *names: str) -> dict[str, Any]:
    """These fields of a record, without those that are absent."""
    found = {} if record is None else {name: getattr(record, name) for name in names}
    return {name: value for name, value in found.items() if value is not UNSET}


def _print_github(checked: list[Checked], compared: bool) -> None:
    """Print workflow commands of GitHub Actions, one annotation for each finding."""
    for each in checked:
        for finding in each.findings:
            if finding.level != "note":
                advice = _advice(finding)
                _annotate(finding.level, each.tool, finding.message + (f" ({advice})" if advice else ""))
        for change in each.changes:
            level = {"breaking": "warning", "unknown": "notice", "harmless": "notice"}[change.meaning]
            _annotate(level, each.tool, _sentence(change))
    say(_total(checked))


def _annotate(level: str, tool: str, message: str) -> None:
    def escaped(text: str) -> str:
        return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")

    title = escaped(line(f"typedtool check: {tool}", 80)).replace(":", "%3A").replace(",", "%2C")
    print(f"::{level} title={title}::{escaped(line(cut(message, 900), 900))}")
