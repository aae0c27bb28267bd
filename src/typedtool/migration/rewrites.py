"""The rewrites of a read of structured content, one method for each."""

from __future__ import annotations

from msgspec import Struct

from typedtool.migration.findings import Certainty
from typedtool.migration.inference import Inference
from typedtool.migration.ledger import Ledger
from typedtool.migration.sdk_types import RENAMED
from typedtool.migration.syntax import Tree, cst

__all__ = ["Read", "Rewrites", "certainty", "stands_alone"]

_GUARDS = {"builtins.dict": "is_object", "builtins.list": "is_array", "builtins.str": "is_string"}


class Read(Struct, frozen=True, eq=False):
    """One read of structured content. v1: spelled as in SDK 1. pure: the result is a name, and may be repeated."""

    node: cst.Attribute
    v1: bool
    sure: bool
    kind: str
    pure: bool


class Rewrites:
    """The rewrites of the reads of one module."""

    def __init__(self, tree: Tree, inference: Inference, ledger: Ledger) -> None:
        self.tree = tree
        self.inference = inference
        self.ledger = ledger

    def rename(self, read: Read) -> str:
        """Rename the field as SDK 2 does, if the settings allow. Returns the name that it has now."""
        old = read.node.attr.value
        new = RENAMED.get(read.kind, {}).get(old, old)
        if not self.ledger.settings.names or new == old:
            return old
        self.ledger.edit(*self.tree.span(read.node.attr), new)
        self.rewrote(read, "TT201", f"{old} is {new}")
        return new

    def spelled(self, read: Read) -> str:
        """The text of the read, for a second occurrence: `result.structured_content`."""
        old = read.node.attr.value
        new = RENAMED.get(read.kind, {}).get(old, old) if self.ledger.settings.names else old
        return f"{self.tree.whole(read.node.value)}.{new}"

    def wrap(self, read: Read) -> None:
        """`result.structuredContent` becomes `expect_object(result)`."""
        base, attr = read.node.value, read.node.attr
        start = self.tree.span(read.node)[0]
        end = self.tree.span(attr)[1]
        base_end = self.tree.outer(base)[1]
        dot = self.tree.text[base_end : self.tree.span(attr)[0]]
        name = self.ledger.imports.need("expect_object")
        rest = dot[: dot.rindex(".")] + dot[dot.rindex(".") + 1 :] if "#" in dot else ""
        bracketed = len(base.lpar) == 1 and not isinstance(base, (cst.Tuple, cst.GeneratorExp))
        self.ledger.edit(start, start, name if bracketed else f"{name}(")
        self.ledger.edit(base_end, end, rest if bracketed else f"{rest})")

    def maybe(self, read: Read, otherwise: str, brackets: bool) -> None:
        """`result.structuredContent` becomes `expect_object(result)` where it is not None, else `otherwise`."""
        test = f" if {self.spelled(read)} is not None else {otherwise}"
        start, end = self.tree.span(read.node)
        if brackets:
            self.ledger.edit(start, start, "(")
        self.wrap(read)
        self.ledger.edit(end, end, test + (")" if brackets else ""))

    def guard(self, call: cst.CSTNode, value: cst.CSTNode) -> bool:
        """`isinstance(x, dict)` becomes `is_object(x)`, which tells a type checker more. Returns whether it could."""
        if not isinstance(call, cst.Call):
            return False
        names = self.tree.qualified(call.args[1].value, call)
        guard = next((_GUARDS[name] for name in names if name in _GUARDS), None)
        if guard is None or len(names) != 1:
            return False
        start, end = self.tree.span(call)
        inner_start, inner_end = self.tree.span(value)
        if any("#" in self.tree.text[a:b] for a, b in ((start, inner_start), (inner_end, end))):
            return False
        self.ledger.edit(start, inner_start, f"{self.ledger.imports.need(guard)}(")
        self.ledger.edit(inner_end, end, ")")
        self.ledger.say("TT108", call, f"isinstance becomes {guard}", "rewritten")
        return True

    def guarded(self, read: Read, otherwise: str) -> str:
        """The text of an expression: the value where it is an object, else `otherwise`."""
        value = self.spelled(read)
        return f"{value} if {self.ledger.imports.need('is_object')}({value}) else {otherwise}"

    def instead(self, whole: cst.BaseExpression, choice: str) -> None:
        """Replace `whole` by a conditional expression."""
        start, end = self.tree.span(whole)
        brackets = not whole.lpar and not stands_alone(self.tree, whole)
        self.ledger.edit(start, end, f"({choice})" if brackets else choice)

    def left(self, read: Read, code: str, message: str) -> None:
        """Report the read for a human to decide."""
        self.rename(read)
        self.ledger.say(code, read.node, f"structured content {message}", "todo", certainty(read))

    def kept(self, read: Read, message: str) -> None:
        """Note that the read is right for any value."""
        self.rename(read)
        self.ledger.say(
            "TT110", read.node, f"structured content, any JSON value, is {message}", "note", certainty(read)
        )

    def rewrote(self, read: Read, code: str, message: str) -> None:
        """Report a rewrite."""
        self.ledger.say(code, read.node, message, "rewritten", certainty(read))


def stands_alone(tree: Tree, node: cst.CSTNode) -> bool:
    """Whether a conditional expression may take the place of `node` without brackets."""
    if getattr(node, "lpar", ()):
        return True
    parent = tree.parent(node)
    return isinstance(parent, (cst.Assign, cst.AnnAssign, cst.Return, cst.NamedExpr)) or (
        isinstance(parent, cst.Arg) and not parent.star
    )


def certainty(read: Read) -> Certainty:
    """Whether it is proved that the read is one."""
    return "proved" if read.sure else "likely"
