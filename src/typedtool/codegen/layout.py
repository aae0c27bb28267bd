"""The text of a module from its tree, as `ruff format` leaves it: `source_of(tree) -> str`.

Written for the statements and expressions that `syntax` makes, no others. Lines are broken by the rules that
prettier, black and ruff share: a group that fits on its line stays on it, else all its own breaks become
lines.
"""

from __future__ import annotations

import ast
from typing import TypeAlias, Union

from msgspec import Struct

from typedtool.values.guards import is_list

__all__ = ["same_tree", "source_of"]

WIDTH = 88
_STEP = 4


class Break(Struct, frozen=True):
    """A line break where its group is broken; `flat` where it is not. `broken` stands before the break."""

    flat: str = ""
    broken: str = ""
    newline: bool = True


class Indent(Struct, frozen=True):
    parts: tuple[Doc, ...]


class Group(Struct, frozen=True):
    parts: tuple[Doc, ...]


Doc: TypeAlias = Union[str, Break, Indent, Group]
_SOFT, _LINE = Break(), Break(" ")


def source_of(tree: ast.Module) -> str:
    """The text of a module. Read back, it is the same tree; AssertionError if it ever were not."""
    blocks: list[str] = []
    for i, statement in enumerate(tree.body):
        before = tree.body[i - 1] if i else None
        blocks.append("\n" * _blank_lines(before, statement) + "\n".join(_statement(statement, 0)))
    source = "\n".join(blocks) + "\n"
    if not same_tree(ast.parse(source), tree):
        raise AssertionError("the text does not say what the tree says: a bug in typedtool.codegen.layout")
    return source


def _blank_lines(before: ast.stmt | None, statement: ast.stmt) -> int:
    if before is None:
        return 0
    if isinstance(before, ast.ClassDef) or isinstance(statement, ast.ClassDef):
        return 2
    imports = (ast.Import, ast.ImportFrom)
    if isinstance(before, imports) and isinstance(statement, imports):
        return int(_section(before) != _section(statement))
    return 0 if _is_text(statement) else 1


def _section(statement: ast.Import | ast.ImportFrom) -> int:
    module = statement.names[0].name if isinstance(statement, ast.Import) else statement.module or ""
    if isinstance(statement, ast.ImportFrom) and statement.level:
        return 3
    return {"__future__": 0, "msgspec": 2, "typedtool": 2}.get(module, 1)


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


# --- statements ---------------------------------------------------------------------------------------------


def _statement(statement: ast.stmt, indent: int) -> list[str]:
    match statement:
        case ast.Expr(value=ast.Constant(value=str(text))):
            return _text_lines(text, indent)
        case ast.ImportFrom(module=module, names=names, level=level):
            return _laid([f"from {'.' * level}{module or ''} import ", *_imported(names)], indent)
        case ast.Import(names=[name]):
            return _laid([f"import {name.name}" + (f" as {name.asname}" if name.asname else "")], indent)
        case ast.ClassDef():
            return _class(statement, indent)
        case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation, value=value):
            start: list[Doc] = [f"{name}: ", *_outer(annotation)]
            return _laid(start if value is None else [*start, *_assigned(start, value, indent)], indent)
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            return _laid([f"{name} = ", *_outer(value, indent)], indent)
        case _:
            raise AssertionError(f"no layout for {type(statement).__name__}")


def _assigned(start: list[Doc], value: ast.expr, indent: int) -> list[Doc]:
    """What is assigned to an annotated name: a call whose start does not fit behind it goes into
    parentheses, if those keep the annotation on its line."""
    flat = _flat(_inner(value))
    column = indent + len(_flat(start))
    opening = len(flat.partition("(")[0]) + 1
    if (
        isinstance(value, ast.Call)
        and column + len(" = (") <= WIDTH < column + len(" = ") + opening
        and indent + _STEP + len(flat) <= WIDTH
    ):
        return [" = (", Indent((_SOFT, flat)), _SOFT, ")"]
    return [" = ", *_outer(value, indent)]


def _imported(names: list[ast.alias]) -> list[Doc]:
    """Names to import: one a line in parentheses, where they need more than a line."""
    listed = _listed([[name.name] for name in names])
    return [Group((Break("", "(", False), Indent((_SOFT, *listed)), _SOFT, Break("", ")", False)))]


def _class(statement: ast.ClassDef, indent: int) -> list[str]:
    arguments = [_inner(base) for base in statement.bases]
    arguments += [[f"{k.arg}=", *_inner(k.value)] for k in statement.keywords]
    lines = _laid([f"class {statement.name}", *_bracketed("(", arguments, ")"), ":"], indent)
    for i, inside in enumerate(statement.body):
        if i == 1 and _is_text(statement.body[0]):
            lines.append("")
        lines += _statement(inside, indent + _STEP)
    return lines


def _text_lines(text: str, indent: int) -> list[str]:
    """A docstring. Its value is laid out already (see `docstrings`): only what would end it is escaped."""
    escaped = text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    return [" " * indent + f'"""{escaped}"""']


# --- expressions --------------------------------------------------------------------------------------------


def _outer(node: ast.expr, indent: int = WIDTH) -> list[Doc]:
    """An expression that stands by itself: a union gets parentheses where it does not fit, and so does a
    name or a text that fits on a line of its own."""
    if indent < WIDTH and isinstance(node, (ast.Constant, ast.Name)):
        text = node.id if isinstance(node, ast.Name) else _literal(node.value)
        if indent + _STEP + len(text) > WIDTH:
            return [text]
        return [Group((Break("", "(", False), Indent((_SOFT, text)), _SOFT, Break("", ")", False)))]
    if isinstance(node, ast.BinOp):
        inside = Indent((_SOFT, Group(tuple(_union(node)))))
        return [Group((Break("", "(", False), inside, _SOFT, Break("", ")", False)))]
    return _inner(node)


def _inner(node: ast.expr) -> list[Doc]:
    match node:
        case ast.Name(id=name):
            return [name]
        case ast.Attribute(value=value, attr=attr):
            return [*_inner(value), f".{attr}"]
        case ast.Constant(value=value):
            return [_literal(value)]
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return ["-", *_inner(operand)]
        case ast.BinOp():
            return [Group(tuple(_union(node)))]
        case ast.Subscript(value=value, slice=ast.Tuple(elts=items)):
            return [*_inner(value), *_bracketed("[", [_inner(i) for i in items], "]")]
        case ast.Subscript(value=value, slice=item):
            return [*_inner(value), *_bracketed("[", [_inner(item)], "]")]
        case ast.List(elts=items):
            return ["[", Group((Indent((_SOFT, *_listed([_inner(i) for i in items]))), _SOFT)), "]"]
        case ast.Call(func=func, args=args, keywords=keywords):
            arguments = [_inner(a) for a in args] + [[f"{k.arg}=", *_inner(k.value)] for k in keywords]
            return [*_inner(func), *_bracketed("(", arguments, ")")]
        case _:
            raise AssertionError(f"no layout for {type(node).__name__}")


def _union(node: ast.expr) -> list[Doc]:
    if not isinstance(node, ast.BinOp):
        return _inner(node)
    return [*_union(node.left), _LINE, "| ", *_inner(node.right)]


def _bracketed(start: str, items: list[list[Doc]], end: str) -> list[Doc]:
    """Items in brackets: on the line, else all on the next, else one a line with a comma behind the last."""
    if not items:
        return [start + end]
    listed = _listed(items)
    if len(items) == 1:
        listed.pop()
    return [start, Group((Indent((_SOFT, Group(tuple(listed)))), _SOFT)), end]


def _listed(items: list[list[Doc]]) -> list[Doc]:
    """Items with commas between them; with one behind the last where they stand on lines of their own."""
    listed: list[Doc] = []
    for i, item in enumerate(items):
        listed += [",", _LINE, *item] if i else item
    return [*listed, Break("", ",", False)]


def _literal(value: object) -> str:
    """A constant, in double quotes unless the other kind needs fewer escapes."""
    if not isinstance(value, str):
        return repr(value)
    quote = "'" if value.count('"') > value.count("'") else '"'
    return quote + "".join(_character(c, quote) for c in value) + quote


def _character(char: str, quote: str) -> str:
    if char in (quote, "\\"):
        return "\\" + char
    return char if char.isprintable() else repr(char)[1:-1]


# --- breaking lines -----------------------------------------------------------------------------------------


def _laid(parts: list[Doc], indent: int) -> list[str]:
    """The lines of a statement: one, where it fits and nothing in it has to be broken."""
    flat_text = _flat(parts)
    if indent + len(flat_text) <= WIDTH and not any(isinstance(part, (Break, Indent)) for part in parts):
        return [" " * indent + flat_text]
    out: list[str] = [" " * indent]
    column = indent
    stack: list[tuple[Doc, int, bool]] = [(part, indent, False) for part in reversed(parts)]
    while stack:
        part, margin, flat = stack.pop()
        if isinstance(part, str):
            out.append(part)
            column += len(part)
        elif isinstance(part, Break):
            text = part.flat if flat else part.broken
            out.append(text)
            column += len(text)
            if part.newline and not flat:
                out.append("\n" + " " * margin)
                column = margin
        elif isinstance(part, Indent):
            stack.extend((p, margin + _STEP, flat) for p in reversed(part.parts))
        else:
            flat = flat or _fits(part, stack, WIDTH - column)
            stack.extend((p, margin, flat) for p in reversed(part.parts))
    return [line.rstrip() for line in "".join(out).split("\n")]


def _flat(parts: list[Doc]) -> str:
    """The text of parts that are not broken."""
    found: list[str] = []
    stack: list[Doc] = list(reversed(parts))
    while stack:
        part = stack.pop()
        if isinstance(part, str):
            found.append(part)
        elif isinstance(part, Break):
            found.append(part.flat)
        else:
            stack.extend(reversed(part.parts))
    return "".join(found)


def _fits(group: Group, rest: list[tuple[Doc, int, bool]], room: int) -> bool:
    """Whether a group fits on the line, with what follows it up to the next place where the line may
    break."""
    ahead = [(part, flat) for part, _, flat in rest]
    stack: list[tuple[Doc, bool]] = [(group, True)]
    while room >= 0:
        if not stack:
            if not ahead:
                return True
            stack.append(ahead.pop())
        part, flat = stack.pop()
        if isinstance(part, str):
            room -= len(part)
        elif isinstance(part, Break):
            if part.newline and not flat:
                return True
            room -= len(part.flat if flat else part.broken)
        else:
            stack.extend((p, flat) for p in reversed(part.parts))
    return False


# --- the proof of it ----------------------------------------------------------------------------------------


def same_tree(left: ast.AST, right: ast.AST) -> bool:
    """Whether two trees are the same but for positions; an absent field is an empty one."""
    stack: list[tuple[object, object]] = [(left, right)]
    while stack:
        a, b = stack.pop()
        if type(a) is not type(b):
            return False
        if isinstance(a, ast.AST):
            stack.extend((_part(a, field), _part(b, field)) for field in a._fields if field not in _OPEN)
        elif is_list(a) and is_list(b):
            stack.append((len(a), len(b)))
            stack.extend(zip(a, b, strict=False))
        elif a != b:
            return False
    return True


def _part(node: object, field: str) -> object:
    """A field of a node. An absent one is an empty one, but for the value of a constant, where 0 is not None."""
    found = getattr(node, field, None)
    return found if field == "value" else found or None


_OPEN = frozenset({"ctx", "kind", "type_comment"})
