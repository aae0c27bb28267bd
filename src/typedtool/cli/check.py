"""`typedtool check module:Toolset`: whether the types still fit what the server lists, and what changed since."""

from __future__ import annotations

import argparse
import importlib
import json
import sys
import warnings
from pathlib import Path
from typing import Any, Literal

from msgspec import UNSET, Struct

from typedtool.cli.servers import add_server, definitions, server_of
from typedtool.cli.terminal import CommandError, Style, json_text, say
from typedtool.compatibility.changes import Change, input_change, output_change
from typedtool.compatibility.report import Finding
from typedtool.errors import BudgetExceeded, ToolNotFound, brief, cut
from typedtool.results.definitions import Definition, read_listing
from typedtool.tools.binding import bind_definition
from typedtool.tools.tool import TypedTool
from typedtool.tools.toolset import Toolset
from typedtool.values.budgets import DEFAULT_BUDGET
from typedtool.values.json_text import NotJson, parse
from typedtool.values.printing import line

__all__ = ["add_arguments", "run"]

_FITS, _WARNED, _INCOMPATIBLE, _UNREACHABLE, _USAGE = 0, 1, 2, 3, 2


class Checked(Struct, frozen=True):
    """What was found of one tool. changes: since the listing that was saved."""

    tool: str
    findings: tuple[Finding, ...] = ()
    changes: tuple[Change, ...] = ()

    @property
    def level(self) -> Literal["error", "warning", "ok"]:
        """The worst of it."""
        levels = {finding.level for finding in self.findings}
        if "error" in levels:
            return "error"
        hurt = any(change.meaning == "breaking" for change in self.changes)
        return "warning" if hurt or "warning" in levels else "ok"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `typedtool check`."""
    parser.add_argument(
        "target", metavar="MODULE:NAME", help="a Toolset, a TypedTool, or a module that holds some"
    )
    parser.add_argument("--strict", action="store_true", help="exit with 1 where there are warnings")
    parser.add_argument(
        "--format",
        choices=("text", "json", "github"),
        default="text",
        help="github: annotations of a workflow",
    )
    parser.add_argument(
        "--save",
        metavar="FILE",
        help="compare with the listing saved there, if there is one, and save this one",
    )
    parser.add_argument("--since", metavar="FILE", help="compare with the listing saved there")
    add_server(parser)


def run(options: argparse.Namespace) -> int:
    """Check, print what was found, and give the exit code: 0 fits, 1 warnings with --strict, 2 incompatible, 3 no server."""
    tools = _tools(options.target)
    server = server_of(options)
    assert server is not None  # argparse requires one
    earlier = _saved(options.since, must=True) or _saved(options.save, must=False)
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
    """The tools that `module:Name` names, or all of a module."""
    name, _, attribute = target.partition(":")
    sys.path.insert(0, "")
    try:
        module: Any = importlib.import_module(name)
        found: Any = getattr(module, attribute) if attribute else module
    except Exception as error:
        said = f"{type(error).__name__}: {line(str(error))}"
        raise CommandError(f"cannot import {line(target, 80)!r}: {said}", _USAGE) from error
    finally:
        sys.path.remove("")
    tools = (
        _tools_of(found)
        if attribute
        else [t for name in dir(module) for t in _tools_of(getattr(module, name, None))]
    )
    if not tools:
        raise CommandError(
            f"{line(target, 80)!r} holds no TypedTool: name a Toolset, such as mymodule:Weather", _USAGE
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
    same = [definition for definition in listed if definition.name == tool.name]
    if not same:
        import difflib

        near = tuple(difflib.get_close_matches(tool.name, [d.name for d in listed[:2_000]], 3, 0.5))
        return Checked(tool.name, (Finding("error", tool.name, str(ToolNotFound(tool.name, near))),))
    findings = tuple(bind_definition(tool, same[0], calls=True).report)
    before = next((d for d in earlier or () if d.name == tool.name), None)
    if before is None:
        return Checked(tool.name, findings)
    budget = tool.options.budget
    found = (
        output_change(tool.output_type, before, same[0], budget),
        input_change(tool.input_type, before, same[0], budget),
    )
    return Checked(tool.name, findings, tuple(change for change in found if change is not None))


# --- the saved listing ----------------------------------------------------------------------------------------------


def _saved(path: str | None, *, must: bool) -> tuple[Definition, ...] | None:
    if path is None or (not must and not Path(path).exists()):
        return None
    try:
        return read_listing(parse(Path(path).read_bytes(), DEFAULT_BUDGET))
    except OSError as error:
        raise CommandError(f"cannot read {line(path, 120)!r}: {error.strerror}", _USAGE) from error
    except (NotJson, TypeError, BudgetExceeded) as error:
        raise CommandError(f"{line(path, 120)!r} is no saved listing: {error}", _USAGE) from error


def _save(path: str, listed: tuple[Definition, ...]) -> None:
    tools: list[dict[str, Any]] = []
    for definition in sorted(listed, key=lambda d: d.name):
        held = {"inputSchema": definition.input_schema, "outputSchema": definition.output_schema}
        tools.append({"name": definition.name, **{k: v for k, v in held.items() if v is not UNSET}})
    try:
        Path(path).write_text(json.dumps({"tools": tools}, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    except OSError as error:
        raise CommandError(f"cannot write {line(path, 120)!r}: {error.strerror}", _USAGE) from error


# --- what is said ---------------------------------------------------------------------------------------------------


def _advice(finding: Finding) -> str:
    """What to do about a finding."""
    problem = finding.problem
    if problem is None:
        return ""
    name = line(problem.path.rpartition(".")[2] or problem.path, 60)
    if finding.side == "input":
        if problem.code in ("required", "missing"):
            return "add what the server demands to the input type"
        return "change the input type to what the server takes; until then such a call is refused before it is sent"
    if problem.received == "nothing":
        return f"give the field {name!r} of your type a default, such as None"
    if problem.code == "unknown":
        return "drop forbid_unknown_fields, or add the field"
    if finding.level == "error":
        return f"change the type at {line(problem.path, 80)} to take {problem.received}"
    return f"widen the type at {line(problem.path, 80)} to take {problem.received} too, or be ready for a Mismatch"


def _print_text(checked: list[Checked], compared: bool) -> None:
    style = Style(sys.stdout)
    colours = {"error": style.bad, "warning": style.strong, "ok": style.good}
    for each in checked:
        print(
            f"{colours[each.level]({'error': 'INCOMPATIBLE', 'warning': 'may fail', 'ok': 'fits'}[each.level])}  {line(each.tool, 80)}"
        )
        for finding in each.findings:
            print(f"    {finding.level}: {line(finding.message, 500)}")
            if finding.level != "note" and (advice := _advice(finding)):
                print(style.faint(f"      {advice}"))
        for change in each.changes:
            shown = "" if change.witness is UNSET else f", for example {line(json_text(change.witness), 160)}"
            print(
                f"    {change.meaning} change of the {change.side}Schema: {line(change.what, 300)}: {line(change.why)}{shown}"
            )
        if compared and not each.changes and not any("lists no tool" in f.message for f in each.findings):
            print(style.faint("    unchanged since the saved listing"))
    print(style.faint(_count(checked)))


def _count(checked: list[Checked]) -> str:
    levels = [each.level for each in checked]
    said = [
        f"{levels.count(level)} {word}"
        for level, word in (("ok", "fit"), ("warning", "may fail"), ("error", "incompatible"))
        if level in levels
    ]
    return f"{len(levels)} tool{'' if len(levels) == 1 else 's'}: {', '.join(said)}"


def _print_json(checked: list[Checked], compared: bool) -> None:
    def finding(each: Finding) -> dict[str, Any]:
        problem = each.problem
        place = (
            {}
            if problem is None
            else {"path": problem.path, "expected": problem.expected, "received": problem.received}
        )
        shown = {} if each.witness is UNSET else {"witness": each.witness}
        return {
            "level": each.level,
            "side": each.side,
            "message": each.message,
            "advice": _advice(each),
            **place,
            **shown,
        }

    def change(each: Change) -> dict[str, Any]:
        shown = {} if each.witness is UNSET else {"witness": each.witness}
        return {"side": each.side, "meaning": each.meaning, "what": each.what, "why": each.why, **shown}

    tools = [
        {
            "name": c.tool,
            "level": c.level,
            "findings": list(map(finding, c.findings)),
            "changes": list(map(change, c.changes)),
        }
        for c in checked
    ]
    print(json_text({"tools": tools, "compared": compared}, indent=1))


def _print_github(checked: list[Checked], compared: bool) -> None:
    """Workflow commands of GitHub Actions: one annotation a finding."""
    for each in checked:
        for finding in each.findings:
            if finding.level != "note":
                advice = _advice(finding)
                _annotate(finding.level, each.tool, finding.message + (f" ({advice})" if advice else ""))
        for change in each.changes:
            level = {"breaking": "warning", "unknown": "notice", "harmless": "notice"}[change.meaning]
            shown = "" if change.witness is UNSET else f", for example {brief(change.witness)}"
            _annotate(
                level,
                each.tool,
                f"{change.meaning} change of the {change.side}Schema: {change.what}: {change.why}{shown}",
            )
    say(_count(checked))


def _annotate(level: str, tool: str, message: str) -> None:
    def escaped(text: str) -> str:
        return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")

    title = escaped(line(f"typedtool check: {tool}", 80)).replace(":", "%3A").replace(",", "%2C")
    print(f"::{level} title={title}::{escaped(line(cut(message, 900), 900))}")
