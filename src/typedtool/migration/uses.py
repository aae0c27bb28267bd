"""How the code around an expression uses it: one closed list of uses."""

from __future__ import annotations

import re
from typing import Literal, TypeAlias

from msgspec import Struct

from typedtool.migration.bindings import string_value
from typedtool.migration.syntax import Tree, cst

__all__ = ["Use", "UseKind", "annotated_as", "is_none", "return_annotation", "use_of"]

UseKind: TypeAlias = Literal[
    "subscript",
    "method",
    "write",
    "in",
    "iterate",
    "spread",
    "truth",
    "none",
    "default",
    "isinstance",
    "cast",
    "assign",
    "return",
    "argument",
    "shown",
    "chosen",
    "compare",
    "other",
]

_MEASURES = re.compile(
    r"builtins\.(?:len|list|dict|set|frozenset|tuple|sorted|iter|enumerate|any|all|min|max)\Z"
)
_WRITERS = frozenset(
    ["pop", "popitem", "update", "setdefault", "clear", "append", "extend", "insert", "remove", "sort"]
)


class Use(Struct, frozen=True):
    """One use. node: what uses the expression. detail: the key, the method or the function."""

    kind: UseKind
    node: cst.CSTNode
    detail: str = ""


def use_of(tree: Tree, node: cst.CSTNode) -> Use:
    """How the value of `node` is used."""
    parent = tree.parent(node)
    match parent:
        case cst.Subscript() if parent.value is node:
            return _subscript(tree, parent)
        case cst.Attribute():
            name = parent.attr.value
            return Use("write" if name in _WRITERS else "method", parent, name)
        case cst.ComparisonTarget():
            return _compared(tree, parent)
        case cst.Comparison():
            return _compares(parent)
        case cst.For() | cst.CompFor() if parent.iter is node:
            return Use("iterate", parent)
        case cst.StarredElement():
            return Use("iterate", parent)
        case cst.StarredDictElement():
            return Use("spread", parent)
        case cst.BooleanOperation():
            return _boolean(tree, parent, node)
        case cst.If() | cst.While() | cst.IfExp() | cst.Assert() if parent.test is node:
            return Use("truth", parent)
        case cst.CompIf() | cst.UnaryOperation():
            negated = isinstance(parent, cst.CompIf) or isinstance(parent.operator, cst.Not)
            return Use("truth" if negated else "other", parent)
        case cst.IfExp():
            return Use("chosen", parent)
        case cst.AssignTarget() | cst.Del() | cst.AugAssign():
            return Use("write", parent)
        case cst.Assign():
            many = any(isinstance(t.target, (cst.Tuple, cst.List)) for t in parent.targets)
            return Use("iterate" if many else "assign", parent)
        case cst.AnnAssign():
            return Use("assign" if parent.value is node else "write", parent)
        case cst.NamedExpr():
            return Use("assign", parent)
        case cst.Return():
            return Use("return", parent)
        case cst.Arg():
            return _argument(tree, parent)
        case cst.FormattedStringExpression() | cst.Expr():
            return Use("shown", parent)
        case _:
            return Use("other", parent if parent is not None else node)


def _subscript(tree: Tree, parent: cst.Subscript) -> Use:
    above = tree.parent(parent)
    if isinstance(above, (cst.AssignTarget, cst.Del, cst.AugAssign)) and not (
        isinstance(above, cst.AugAssign) and above.value is parent
    ):
        return Use("write", parent)
    index = parent.slice[0].slice
    if len(parent.slice) != 1 or not isinstance(index, cst.Index):
        return Use("subscript", parent, "[:]")
    key = string_value(index.value)
    if key is not None:
        return Use("subscript", parent, f"={key}")
    return Use(
        "subscript", parent, "#" if isinstance(index.value, (cst.Integer, cst.UnaryOperation)) else "?"
    )


def _compared(tree: Tree, target: cst.ComparisonTarget) -> Use:
    above = tree.parent(target)
    node = above if above is not None else target
    if isinstance(target.operator, (cst.In, cst.NotIn)):
        return Use("in", node)
    return Use("compare", node)


def _compares(parent: cst.Comparison) -> Use:
    first = parent.comparisons[0]
    if is_none(first.comparator) and isinstance(first.operator, (cst.Is, cst.IsNot, cst.Equal, cst.NotEqual)):
        return Use("none", parent)
    return Use("compare", parent)


def _boolean(tree: Tree, parent: cst.BooleanOperation, node: cst.CSTNode) -> Use:
    if parent.left is node and isinstance(parent.operator, cst.Or):
        above = use_of(tree, parent)
        return Use("truth", parent) if above.kind == "truth" else Use("default", parent)
    if parent.left is node:
        return Use("truth", parent)
    above = use_of(tree, parent)
    return Use("truth", parent) if above.kind == "truth" else Use("chosen", parent)


def _argument(tree: Tree, argument: cst.Arg) -> Use:
    if argument.star:
        return Use("spread" if argument.star == "**" else "iterate", argument)
    call = tree.parent(argument)
    if not isinstance(call, cst.Call):
        return Use("other", argument)
    names = tree.qualified(call.func, call)
    first = bool(call.args) and call.args[0] is argument
    if "builtins.isinstance" in names and first and len(call.args) == 2:
        return Use("isinstance", call)
    if names & {"typing.cast", "typing_extensions.cast"} and len(call.args) == 2 and not first:
        return Use("cast", call)
    if "builtins.bool" in names:
        return Use("truth", call)
    if first and any(map(_MEASURES.match, names)):
        return Use("iterate", call)
    return Use("argument", call, next(iter(sorted(names)), ""))


def is_none(node: cst.CSTNode) -> bool:
    """Whether `node` is the word None."""
    return isinstance(node, cst.Name) and node.value == "None"


def return_annotation(tree: Tree, node: cst.CSTNode) -> cst.BaseExpression | None:
    """The return annotation of the function around `node`."""
    function = next((above for above in tree.ancestors(node) if isinstance(above, cst.FunctionDef)), None)
    return function.returns.annotation if function is not None and function.returns is not None else None


def annotated_as(tree: Tree, node: cst.BaseExpression) -> str:
    """What an annotation says of a value: `"object"`, `"optional"`, `"any"`, or `""` for something else.

    `"object"` is a dict or mapping of string to Any or object, `"optional"` that or None.
    """
    text = string_value(node) or tree.whole(node)
    flat = "".join(text.split()).replace("typing.", "").replace("collections.abc.", "").replace("t.", "")
    bare = ("dict", "Dict", "Mapping", "MutableMapping")
    objects = {*bare, *(f"{b}[str,{v}]" for b in bare for v in ("Any", "object"))}
    if flat in objects:
        return "object"
    if flat in {"Any", "object"}:
        return "any"
    if flat.startswith("Optional[") and flat[9:-1] in objects:
        return "optional"
    sides = flat.split("|")
    others = [side for side in sides if side != "None"]
    return "optional" if len(sides) == 2 and len(others) == 1 and others[0] in objects else ""
