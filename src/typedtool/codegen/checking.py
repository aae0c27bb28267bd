"""What changed between two generated modules, and whether it can hurt: `changes(old, new) -> changes`.

Both are read from their text, so that a module may be checked that another version made.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from msgspec import Struct

__all__ = ["Change", "changes"]


class Change(Struct, frozen=True):
    """One change. hurts: code written against the old module may fail, or be refused by a checker."""

    what: str
    hurts: bool

    def __str__(self) -> str:
        return f"{'may hurt' if self.hurts else 'harmless'}: {self.what}"


class _Tool(Struct, frozen=True):
    constant: str
    takes: str
    gives: str


class _Module(Struct):
    """tools: by their names at the server. classes: their fields, each with its type and whether it is
    required.
    options: how the classes are made. inputs: the classes that are sent."""

    tools: dict[str, _Tool]
    classes: dict[str, dict[str, tuple[str, bool]]]
    options: dict[str, str]
    inputs: frozenset[str]


def changes(old: str, new: str) -> tuple[Change, ...]:
    """What changed from the text of one module to that of another; a single entry where the old text is no
    module.

    Example:
        >>> from typedtool.codegen.checking import changes
        >>> changes("this is no module", "")[0].hurts
        True
    """
    try:
        before = _read(old)
    except (SyntaxError, ValueError, RecursionError):
        return (Change("what is there is not a generated module", True),)
    after = _read(new)
    found = [*_tools(before, after), *_classes(before, after)]
    return tuple(found) or (Change("only descriptions, the heading or the order", False),)


def _read(source: str) -> _Module:
    module = _Module({}, {}, {}, frozenset())
    used: dict[str, set[str]] = {}
    for statement in ast.parse(source).body:
        match statement:
            case ast.Assign(
                targets=[ast.Name(id=constant)],
                value=ast.Call(
                    func=ast.Subscript(slice=ast.Tuple(elts=[takes, gives])),
                    args=[ast.Constant(value=str(name))],
                ),
            ):
                module.tools[name] = _Tool(constant, ast.unparse(takes), ast.unparse(gives))
                module.inputs |= _names(takes)
            case ast.ClassDef(name=name, bases=[ast.Name(id="Struct")], keywords=keywords):
                fields = [s for s in statement.body if isinstance(s, ast.AnnAssign)]
                module.classes[name] = dict(map(_field, fields))
                module.options[name] = ", ".join(map(ast.unparse, keywords))
                used[name] = {n for field in fields for n in _names(field.annotation)}
            case _:
                continue
    module.inputs = _reached(module.inputs, used)
    return module


def _names(node: ast.expr) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}


def _field(statement: ast.AnnAssign) -> tuple[str, tuple[str, bool]]:
    value = statement.value
    optional = isinstance(value, ast.Name) or (
        isinstance(value, ast.Call) and any(k.arg == "default" for k in value.keywords)
    )
    return ast.unparse(statement.target), (ast.unparse(statement.annotation), not optional)


def _reached(start: frozenset[str], used: Mapping[str, set[str]]) -> frozenset[str]:
    found, stack = set(start), list(start)
    while stack:
        for name in used.get(stack.pop(), set()) - found:
            found.add(name)
            stack.append(name)
    return frozenset(found)


def _tools(before: _Module, after: _Module) -> Iterator[Change]:
    for name in sorted(before.tools.keys() | after.tools.keys()):
        old, new = before.tools.get(name), after.tools.get(name)
        if old is None:
            yield Change(f"tool {name!r} is new", False)
        elif new is None:
            yield Change(f"tool {name!r} is gone", True)
        else:
            pairs = (
                ("is", old.constant, new.constant),
                ("takes", old.takes, new.takes),
                ("gives", old.gives, new.gives),
            )
            for verb, was, now in pairs:
                if was != now:
                    yield Change(f"tool {name!r} {verb} {now}, not {was}", True)


def _classes(before: _Module, after: _Module) -> Iterator[Change]:
    for name in sorted(before.classes.keys() | after.classes.keys()):
        if name not in before.classes:
            yield Change(f"class {name} is new", False)
        elif name not in after.classes:
            yield Change(f"class {name} is gone", True)
        else:
            sent = name in after.inputs
            yield from _fields(name, before.classes[name], after.classes[name], sent)
            if before.options[name] != after.options[name]:
                yield Change(
                    f"class {name} is made with ({after.options[name]}), not ({before.options[name]})", True
                )


def _fields(
    name: str, old: Mapping[str, tuple[str, bool]], new: Mapping[str, tuple[str, bool]], sent: bool
) -> Iterator[Change]:
    for field in sorted(old.keys() | new.keys()):
        if field not in old:
            required = new[field][1]
            yield Change(f"{name}.{field} is new{' and required' if required else ''}", required and sent)
        elif field not in new:
            yield Change(f"{name}.{field} is gone", True)
        elif old[field] != new[field]:
            yield Change(f"{name}.{field} is {new[field][0]}, not {old[field][0]}", True)
