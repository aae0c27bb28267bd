"""Structured content that is kept in a variable: the uses of the variable say what it must be."""

from __future__ import annotations

from typedtool.migration.flow import references
from typedtool.migration.ledger import Ledger
from typedtool.migration.reads import BY_HAND, OBJECT_METHODS, TRUTH, Reads, names_result
from typedtool.migration.rewrites import Read
from typedtool.migration.syntax import Tree, cst
from typedtool.migration.uses import Use, annotated_as, return_annotation, use_of

__all__ = ["keeps", "migrate_variable"]


def keeps(tree: Tree, read: Read) -> cst.Assign | cst.NamedExpr | None:
    """The assignment by which `read` is kept in a variable, where it is."""
    parent = tree.parent(read.node)
    if isinstance(parent, cst.NamedExpr):
        return parent
    if isinstance(parent, cst.Assign) and len(parent.targets) == 1:
        return parent if isinstance(parent.targets[0].target, cst.Name) else None
    return None


def migrate_variable(reads: Reads, read: Read, node: cst.Assign | cst.NamedExpr) -> None:
    """Rewrite or report a read that is kept in a variable."""
    _Variable(reads, read, node).migrate()


class _Variable:
    def __init__(self, reads: Reads, read: Read, node: cst.Assign | cst.NamedExpr) -> None:
        self.reads = reads
        self.tree: Tree = reads.tree
        self.ledger: Ledger = reads.ledger
        self.read = read
        self.node = node
        target = node.target if isinstance(node, cst.NamedExpr) else node.targets[0].target
        assert isinstance(target, cst.Name)
        self.name = target
        self.uses = [(n, use_of(self.tree, n)) for n in references(self.tree, target)]

    def migrate(self) -> None:
        if self.reads.of_failed(self.read, use_of(self.tree, self.read.node)):
            return
        if any(use.kind == "isinstance" or use.detail.startswith("typedtool.is_") for _, use in self.uses):
            self._guarded()
        elif any(self._is_object(use, node) for node, use in self.uses):
            self._object()
        else:
            self._any_value()

    def _is_object(self, use: Use, node: cst.CSTNode) -> bool:
        """Whether this use makes sense only for an object."""
        match use.kind:
            case "subscript":
                return use.detail.startswith("=") or (self.read.v1 and use.detail == "?")
            case "method":
                return use.detail in OBJECT_METHODS or (self.read.v1 and use.detail == "copy")
            case "spread":
                return True
            case "in" | "iterate" | "write":
                return self.read.v1
            case "return":
                return self._annotated(return_annotation(self.tree, use.node)) in ("object", "optional")
            case "argument":
                call = use.node
                found, annotation = (
                    self.reads.inference.parameter(call, node)
                    if isinstance(call, cst.Call)
                    else (False, None)
                )
                return found and self._annotated(annotation) in ("object", "optional")
            case _:
                return False

    def _annotated(self, annotation: cst.BaseExpression | None) -> str:
        return annotated_as(self.tree, annotation) if annotation is not None else "any"

    def _object(self) -> None:
        read = self.read
        if self._needed_at_once():
            self.reads.wrap(read)
            self.reads.rewrote(
                read, "TT110", f"the next statement uses {self.name.value} as an object: expect_object"
            )
        elif read.v1 and read.pure:
            self.reads.maybe(read, "None", brackets=False)
            self.reads.rewrote(read, "TT110", f"{self.name.value} is an object or None, as it was")
        else:
            self.reads.left(
                read, "TT110", f"is kept in {self.name.value}, which is used as an object: expect_object"
            )
        for node, use in self.uses:
            if use.detail == "=result" or names_result(self.tree, use):
                self.ledger.say("TT111", node, BY_HAND, "todo")
            if use.kind == "subscript":
                self.reads.untyped(use.node)

    def _guarded(self) -> None:
        """The code tests what the value is: keep that, with guards in place of isinstance."""
        self.reads.rename(self.read)
        for node, use in self.uses:
            if use.kind == "isinstance" and not self.ledger.has_edit(node):
                self.reads.guard(use.node, node)
        self._truths()

    def _any_value(self) -> None:
        self.reads.kept(self.read, f"kept in {self.name.value}")
        self._truths()
        for node, use in self.uses:
            if use.kind in ("in", "iterate", "write", "subscript", "method"):
                self.ledger.say("TT110", node, f"{self.name.value} may be any JSON value here", "todo")

    def _truths(self) -> None:
        for node, use in self.uses:
            if use.kind in ("truth", "default"):
                code = "TT105" if use.kind == "truth" else "TT107"
                self.ledger.say(code, node, f"{self.name.value} {TRUTH}", "todo")

    def _needed_at_once(self) -> bool:
        following = self._following()
        if following is None or isinstance(self.node, cst.NamedExpr):
            return False
        if isinstance(following, cst.SimpleStatementLine):
            first = following.body[0]
            if isinstance(first, cst.Assert) and self._asserts(first):
                return True
            region: list[cst.CSTNode] = [first]
        elif isinstance(following, cst.For):
            region = [following.iter]
        else:
            region = [following.test] if isinstance(following, cst.If) else []
        return any(
            self._always(node, top) for top in region for node, use in self.uses if self._is_object(use, node)
        )

    def _asserts(self, statement: cst.Assert) -> bool:
        tests = [statement.test]
        while tests:
            test = tests.pop()
            if isinstance(test, cst.BooleanOperation) and isinstance(test.operator, cst.And):
                tests += [test.left, test.right]
            elif self.tree.whole(test) in (self.name.value, f"{self.name.value} is not None"):
                return True
        return False

    def _following(self) -> cst.CSTNode | None:
        line = self.tree.parent(self.node)
        block = self.tree.parent(line) if line is not None else None
        if not isinstance(line, cst.SimpleStatementLine) or line.body[-1] is not self.node:
            return None
        if not isinstance(block, (cst.IndentedBlock, cst.Module)):
            return None
        body = list(block.body)
        at = body.index(line) + 1
        return body[at] if at < len(body) else None

    def _always(self, node: cst.CSTNode, top: cst.CSTNode) -> bool:
        """Whether `node` is evaluated whenever `top` is."""
        below = node
        for above in (node, *self.tree.ancestors(node)):
            if isinstance(above, (cst.Lambda, cst.FunctionDef, cst.ClassDef, cst.CompFor)):
                return False
            if isinstance(above, cst.BooleanOperation) and below is above.right:
                return False
            if isinstance(above, cst.IfExp) and below is not above.test:
                return False
            if isinstance(above, (cst.ListComp, cst.SetComp, cst.GeneratorExp, cst.DictComp)):
                return False
            if above is top:
                return True
            below = above
        return False
