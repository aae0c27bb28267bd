"""What changed between two generated modules, and whether it can break code: `changes(old, new)`.

Both are read from their text: the old one is the only record of what the server listed then. It may be of another
version, or reformatted.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TypeAlias

from msgspec import Struct

from typedtool.codegen.layout import same_tree

__all__ = ["ModuleChange", "changes"]

Parts: TypeAlias = "dict[str, dict[str, str]]"
"""What a module says of each tool and class: the text of each part, by its name."""


class ModuleChange(Struct, frozen=True):
    """One change. breaking: code written against the old module may fail, or be refused by a checker."""

    what: str
    breaking: bool

    def __str__(self) -> str:
        return f"{'breaking' if self.breaking else 'harmless'}: {self.what}"


def changes(old: str, new: str) -> tuple[ModuleChange, ...]:
    """What changed from the text of one module to that of another, the breaking changes first. Nothing where only the
    layout differs.

    Example:
        >>> changes("this is no module", "")[0].breaking
        True
    """
    try:
        before = ast.parse(old)
    except (SyntaxError, ValueError, RecursionError):
        return (ModuleChange("what is there is not a generated module", True),)
    after = ast.parse(new)
    if same_tree(before, after):
        return ()
    found = sorted(_compared(_parts(before), _parts(after), _sent(after)), key=lambda c: not c.breaking)
    return tuple(found) or (ModuleChange("only descriptions, the heading or the order", False),)


def _parts(module: ast.Module) -> Parts:
    found: Parts = {}
    for statement in module.body:
        match statement:
            case ast.Assign(
                targets=[ast.Name(id=constant)],
                value=ast.Call(
                    func=ast.Subscript(slice=ast.Tuple(elts=[takes, gives])),
                    args=[ast.Constant(value=str(name))],
                ),
            ):
                types = {"takes": ast.unparse(takes), "gives": ast.unparse(gives)}
                found[f"tool {name!r}"] = {
                    f"tool {name!r} {verb}": text for verb, text in {"is": constant, **types}.items()
                }
            case ast.ClassDef(name=name, bases=[ast.Name(id="Struct")], keywords=keywords, body=body):
                parts = found[f"class {name}"] = {
                    f"class {name} is made with": f"({', '.join(map(ast.unparse, keywords))})"
                }
                for field in body:
                    if isinstance(field, ast.AnnAssign):
                        default = " = UNSET" if _is_optional(field) else ""
                        parts[f"{name}.{ast.unparse(field.target)} is"] = (
                            ast.unparse(field.annotation) + default
                        )
            case _:
                continue
    return found


def _is_optional(field: ast.AnnAssign) -> bool:
    value = field.value
    return isinstance(value, ast.Name) or (
        isinstance(value, ast.Call) and any(k.arg == "default" for k in value.keywords)
    )


def _sent(module: ast.Module) -> frozenset[str]:
    """The names that arguments are made of: what the tools take, and the classes inside."""
    used: dict[str, set[str]] = {}
    stack: list[str] = []
    for statement in module.body:
        match statement:
            case ast.ClassDef(name=name):
                used[name] = _names(statement)
            case ast.Assign(value=ast.Call(func=ast.Subscript(slice=ast.Tuple(elts=[takes, _])))):
                stack += _names(takes)
            case _:
                continue
    found = set(stack)
    while stack:
        inside = used.get(stack.pop(), set()) - found
        found |= inside
        stack += inside
    return frozenset(found)


def _names(node: ast.AST) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}


def _compared(before: Parts, after: Parts, sent: frozenset[str]) -> Iterator[ModuleChange]:
    for owner in sorted(before.keys() | after.keys()):
        if owner not in before:
            yield ModuleChange(f"{owner} is new", False)
        elif owner not in after:
            yield ModuleChange(f"{owner} is gone", True)
        else:
            old, new = before[owner], after[owner]
            for part in sorted(old.keys() | new.keys()):
                if part not in old:
                    required = not new[part].endswith(" = UNSET")
                    breaking = required and owner.removeprefix("class ") in sent
                    yield ModuleChange(f"{part} new{' and required' if required else ''}", breaking)
                elif part not in new:
                    yield ModuleChange(f"{part} gone", True)
                elif old[part] != new[part]:
                    yield ModuleChange(f"{part} {new[part]}, not {old[part]}", True)
