"""The text of a module from its tree: `source_of(tree) -> str`, and the docstrings in it: `docstring`.

The text depends on the tree alone, not on a formatter that happens to be installed or on the version of Python. What
does not fit on a line of 88 columns goes one item a line with a comma behind the last, which ruff and black keep.
Written for the statements and expressions that `writing` makes, no others.
"""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterable, Sequence

from typedtool.values.guards import is_list

__all__ = ["docstring", "plain", "same_tree", "source_of", "union_members"]

WIDTH = 88
_STEP = 4
_LONGEST_TEXT = 20_000
_QUOTES = 6


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
            escaped = text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
            return [" " * indent + f'"""{escaped}"""']
        case ast.ImportFrom(module=module, names=names, level=level):
            start = f"from {'.' * level}{module or ''} import "
            whole = start + ", ".join(name.name for name in names)
            lines = [f"{start}(", *(f"    {name.name}," for name in names), ")"]
            return [whole] if len(whole) <= WIDTH else lines
        case ast.Import(names=[name]):
            return [f"import {name.name}" + (f" as {name.asname}" if name.asname else "")]
        case ast.ClassDef():
            return _class(statement, indent)
        case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation, value=None):
            return _laid(f"{name}: ", annotation, "", indent)
        case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation, value=ast.expr() as value):
            start = f"{name}: {_flat(annotation)} = "
            if _fits(start, "(", indent):
                return _laid(start, value, "", indent)
            return _laid(f"{name}: ", annotation, f" = {_flat(value)}", indent)
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            return _laid(f"{name} = ", value, "", indent)
        case _:
            raise AssertionError(f"no layout for {type(statement).__name__}")


def _class(statement: ast.ClassDef, indent: int) -> list[str]:
    arguments = [*statement.bases, *statement.keywords]
    lines = _bracketed(f"class {statement.name}(", arguments, "):", indent)
    for i, inside in enumerate(statement.body):
        if i == 1 and _is_text(statement.body[0]):
            lines.append("")
        lines += _statement(inside, indent + _STEP)
    return lines


# --- expressions --------------------------------------------------------------------------------------------


def _laid(before: str, node: ast.AST, after: str, indent: int) -> list[str]:
    """The lines of an expression, with what stands before it on the first line and after it on the last."""
    flat = _flat(node)
    if _fits(before + flat, after, indent):
        return [" " * indent + before + flat + after]
    match node:
        case ast.BinOp():
            return _union(before, node, after, indent)
        case ast.Subscript(value=value, slice=inside):
            return _bracketed(f"{before}{_flat(value)}[", _items(inside), f"]{after}", indent)
        case ast.List(elts=items):
            return _bracketed(f"{before}[", items, f"]{after}", indent)
        case ast.Call(func=func) if _fits(f"{before}{_flat(func)}", "(", indent):
            return _bracketed(f"{before}{_flat(func)}(", _arguments(node), f"){after}", indent)
        case ast.Call(func=ast.Subscript() as func):
            return _laid(before, func, f"({', '.join(map(_flat, _arguments(node)))}){after}", indent)
        case _ if before and _fits(flat, "", indent + _STEP):
            return _parenthesized(before, [" " * (indent + _STEP) + flat], after, indent)
        case _:
            return [" " * indent + before + flat + after]


def _fits(text: str, after: str, indent: int) -> bool:
    return indent + len(text) + len(after) <= WIDTH


def _bracketed(start: str, items: Sequence[ast.AST], end: str, indent: int) -> list[str]:
    """Items in brackets, one a line where they do not fit. A single item has no comma: in `[]` it would be a tuple."""
    flat = start + ", ".join(map(_flat, items))
    if _fits(flat, end, indent):
        return [" " * indent + flat + end]
    lines = [" " * indent + start]
    for item in items:
        lines += _laid("", item, "," if len(items) > 1 else "", indent + _STEP)
    return [*lines, " " * indent + end]


def _union(before: str, node: ast.BinOp, after: str, indent: int) -> list[str]:
    """A union, one member a line. It stands in parentheses where it does not begin its line."""
    if before:
        return _parenthesized(before, _laid("", node, "", indent + _STEP), after, indent)
    members = union_members(node)
    lines: list[str] = []
    for i, member in enumerate(members):
        lines += _laid("| " if i else "", member, after if i == len(members) - 1 else "", indent)
    return lines


def _parenthesized(before: str, lines: list[str], after: str, indent: int) -> list[str]:
    return [" " * indent + before + "(", *lines, " " * indent + ")" + after]


def union_members(node: ast.expr) -> list[ast.expr]:
    """The members of `A | B | C`, in their order."""
    found: list[ast.expr] = []
    while isinstance(node, ast.BinOp):
        found.append(node.right)
        node = node.left
    return [node, *reversed(found)]


def _flat(node: ast.AST) -> str:
    """An expression on one line."""
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=value, attr=attr):
            return f"{_flat(value)}.{attr}"
        case ast.Constant(value=value):
            return _literal(value)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return f"-{_flat(operand)}"
        case ast.BinOp():
            return " | ".join(map(_flat, union_members(node)))
        case ast.Subscript(value=value, slice=inside):
            return f"{_flat(value)}[{', '.join(map(_flat, _items(inside)))}]"
        case ast.List(elts=items):
            return f"[{', '.join(map(_flat, items))}]"
        case ast.Call(func=func):
            return f"{_flat(func)}({', '.join(map(_flat, _arguments(node)))})"
        case ast.keyword(arg=arg, value=value):
            return f"{arg}={_flat(value)}"
        case _:
            raise AssertionError(f"no layout for {type(node).__name__}")


def _items(inside: ast.expr) -> list[ast.expr]:
    return inside.elts if isinstance(inside, ast.Tuple) else [inside]


def _arguments(call: ast.Call) -> list[ast.AST]:
    return [*call.args, *call.keywords]


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


# --- docstrings ---------------------------------------------------------------------------------------------


def plain(text: str) -> str:
    """A text in which every character shows: no control characters, no marks that change its direction, no
    quotes that could look like the end of it.

    Example:
        >>> plain('a\\x1b[31m\\u202eb ' + '"' * 3)
        "a\\\\x1b[31m\\\\u202eb '''"
    """
    text = text[:_LONGEST_TEXT].replace("\r\n", "\n").replace("\r", "\n").expandtabs(4).replace('"""', "'''")
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c == "\n" else " " if c.isspace() else _escaped(c) for c in text)


def _escaped(char: str) -> str:
    return char.encode("unicode_escape", "surrogatepass").decode("ascii")


def docstring(paragraphs: Iterable[str], indent: int) -> str | None:
    """The value of a docstring that stands `indent` columns in, its indentation included; None where no paragraph says
    anything."""
    lines: list[str] = []
    for paragraph in paragraphs:
        wrapped = _wrapped(plain(paragraph), WIDTH - _QUOTES - indent)
        lines += ["", *wrapped] if lines and wrapped else wrapped
    if not lines:
        return None
    lines[0] = f" {lines[0]}" if lines[0].startswith('"') else lines[0]
    if len(lines) == 1:
        return f"{lines[0]} " if lines[0].endswith('"') else lines[0]
    margin = " " * indent
    return "\n".join([lines[0], *(margin + line if line else "" for line in lines[1:]), margin])


def _wrapped(text: str, width: int) -> list[str]:
    """The lines of a text, each wrapped by itself, without the indentation that all after the first share."""
    first, _, rest = text.strip().partition("\n")
    found: list[str] = []
    for line in (first, *textwrap.dedent(rest).split("\n")):
        lead = " " * min(len(line) - len(line.lstrip()), 8)
        lines = textwrap.wrap(
            " ".join(line.split()),
            width,
            initial_indent=lead,
            subsequent_indent=lead,
            break_long_words=False,
            break_on_hyphens=False,
        )
        if lines or (found and found[-1]):
            found += lines or [""]
    while found and not found[-1]:
        found.pop()
    return found


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
