"""Follows a value through the code that uses it: what is read of it, and where it is passed on whole."""

from __future__ import annotations

import re

from typedtool.migration.bindings import string_value
from typedtool.migration.drafts import Observed, Unfit
from typedtool.migration.flow import reads_of
from typedtool.migration.inference import Inference
from typedtool.migration.syntax import Tree, cst
from typedtool.migration.uses import Use, return_annotation, use_of

__all__ = ["Observer"]

_SIMPLE = re.compile(r"(?:int|float|str|bool|object|None|list|dict|\[|\]|,|\||\s)+\Z")
_TEXT_METHODS = frozenset(dir(str)) - frozenset(dir(list)) - frozenset(dir(dict)) - {"format_map"}
_NUMBER_SPEC = re.compile(r"[-+<>^=_,.\d ]*[fFeEgGdn%]\Z")
_LITERALS = (cst.Integer, cst.Float, cst.SimpleString)


class Observer:
    """Follows one value. fields: the reads by key, which become attributes. first: those of the value itself."""

    def __init__(self, tree: Tree, inference: Inference) -> None:
        self.tree = tree
        self.inference = inference
        self.fields: list[tuple[cst.Subscript | cst.Call, str]] = []
        self.first: list[cst.CSTNode] = []
        self.edits: list[tuple[int, int, str]] = []
        self._root: Observed | None = None

    def visit(self, node: cst.CSTNode, observed: Observed, depth: int = 0) -> None:
        """Note in `observed` what is read of `node`.

        Raises:
            Unfit: a use that a Struct does not allow.
        """
        if depth > 40:
            raise Unfit("its uses go too deep")
        self._root = self._root or observed
        use = use_of(self.tree, node)
        match use.kind:
            case "subscript":
                self._subscript(use, observed, depth)
            case "method":
                self._method(use, observed, depth)
            case "iterate":
                self._iterate(use, observed, depth)
            case "assign":
                self._assign(use, observed, depth)
            case "cast":
                self._cast(node, use, observed, depth)
            case "return":
                self._into(observed, return_annotation(self.tree, use.node))
            case "argument":
                self._argument(node, use, observed)
            case "truth" | "none":
                # Decoding gives a value or raises. A test that raises too, where there is none, may stay.
                if observed is self._root and not self._raises(node):
                    raise Unfit("the code handles the absence of structured content")
            case _:
                self._leaf(node, use, observed)

    def _raises(self, node: cst.CSTNode) -> bool:
        """Whether the statement that tests `node` is an assertion, or ends in a raise."""
        for above in self.tree.ancestors(node):
            if isinstance(above, cst.Assert):
                return True
            if isinstance(above, cst.If):
                last = above.body.body[-1] if above.body.body else None
                small = last.body[-1] if isinstance(last, cst.SimpleStatementLine) else last
                return isinstance(small, cst.Raise) and above.orelse is None
            if isinstance(above, cst.BaseSuite):
                return False
        return False

    def _subscript(self, use: Use, observed: Observed, depth: int) -> None:
        node = use.node
        assert isinstance(node, cst.Subscript)
        if use.detail.startswith("="):
            self._field(node, use.detail[1:], observed)
            self.visit(node, observed.key(use.detail[1:]), depth + 1)
        elif use.detail == "[:]":
            observed.items()
            self.visit(node, observed, depth + 1)
        elif use.detail == "#":
            self.visit(node, observed.items(), depth + 1)
        else:
            raise Unfit("it is read by a computed key")

    def _field(self, node: cst.Subscript | cst.Call, key: str, observed: Observed) -> None:
        self.fields.append((node, key))
        if observed is self._root:
            self.first.append(node)

    def _method(self, use: Use, observed: Observed, depth: int) -> None:
        call = self.tree.parent(use.node)
        if not isinstance(call, cst.Call):
            raise Unfit(f"its method {use.detail[:30]!r} is passed on")
        if use.detail == "get":
            self._get(call, observed, depth)
        elif use.detail in ("items", "keys", "values"):
            observed.mapping = True
        elif use.detail in _TEXT_METHODS:
            observed.types.append("str")
        else:
            raise Unfit(f"its method {use.detail[:30]!r} is called")

    def _get(self, call: cst.Call, observed: Observed, depth: int) -> None:
        if not 1 <= len(call.args) <= 2 or any(a.star or a.keyword for a in call.args):
            raise Unfit("it is read by .get with unusual arguments")
        key = string_value(call.args[0].value)
        default = call.args[1].value if len(call.args) == 2 else None
        if key is None:
            raise Unfit("it is read by a computed key")
        self._field(call, key, observed)
        inner = observed.key(key, self._default(default))
        if default is not None:
            self._by_literal(default, inner)
        self.visit(call, inner, depth + 1)

    def _default(self, node: cst.BaseExpression | None) -> str:
        if node is None:
            return "None"
        text = self.tree.whole(node)
        if isinstance(node, _LITERALS) or text in ("None", "True", "False", "[]", "{}"):
            return text
        raise Unfit("it is read by .get with a computed default")

    def _by_literal(self, node: cst.CSTNode, observed: Observed) -> None:
        if isinstance(node, (cst.Integer, cst.Float)):
            observed.types.append("int | float")
        elif string_value(node) is not None:
            observed.types.append("str")
        elif isinstance(node, cst.Name) and node.value in ("True", "False"):
            observed.types.append("bool")
        elif isinstance(node, cst.List):
            observed.items()
        elif isinstance(node, cst.Dict) and not observed.keys:
            observed.mapping = True

    def _iterate(self, use: Use, observed: Observed, depth: int) -> None:
        node = use.node
        if not isinstance(node, (cst.For, cst.CompFor)):
            if isinstance(node, cst.Call) and self.tree.whole(node.func) == "len":
                if not observed.keys:
                    observed.items()
                return
            self._whole(observed)
            observed.items().whole = True
            return
        if observed is self._root and observed.keys:
            raise Unfit("its keys are iterated")
        item = observed.items()
        if not isinstance(node.target, cst.Name):
            raise Unfit("its items are unpacked")
        self._follow(node.target, item, depth)

    def _follow(self, name: cst.Name, observed: Observed, depth: int) -> None:
        reads = reads_of(self.tree, name)
        if reads is None:
            raise Unfit(f"{name.value} is assigned more than once")
        for read in reads:
            self.visit(read, observed, depth + 1)

    def _assign(self, use: Use, observed: Observed, depth: int) -> None:
        node = use.node
        target: cst.BaseExpression | None = None
        if isinstance(node, cst.Assign) and len(node.targets) == 1:
            target = node.targets[0].target
        elif isinstance(node, (cst.AnnAssign, cst.NamedExpr)):
            target = node.target
        if not isinstance(target, cst.Name):
            raise Unfit("it is kept where its uses cannot be followed")
        self._follow(target, observed, depth)
        if isinstance(node, cst.AnnAssign):
            if observed.keys or observed.item is not None:
                annotation = node.annotation
                end = self.tree.span(annotation.annotation)[1]
                self.edits.append((self.tree.span(target)[1], end, ""))
            else:
                self._into(observed, node.annotation.annotation)

    def _cast(self, node: cst.CSTNode, use: Use, observed: Observed, depth: int) -> None:
        call = use.node
        assert isinstance(call, cst.Call)
        start, end = self.tree.span(call)
        inner_start, inner_end = self.tree.span(node)
        self.visit(call, observed, depth + 1)
        if not (observed.keys or observed.item is not None):
            self._into(observed, call.args[0].value)
        self.edits += [(start, inner_start, ""), (inner_end, end, "")]

    def _into(self, observed: Observed, annotation: cst.BaseExpression | None) -> None:
        """The value is passed on as what `annotation` says."""
        self._whole(observed)
        text = (string_value(annotation) or self.tree.whole(annotation)) if annotation is not None else ""
        if text and _SIMPLE.match(text) and text not in ("object", "None"):
            observed.types.append(text)

    def _argument(self, node: cst.CSTNode, use: Use, observed: Observed) -> None:
        call = use.node
        found, annotation = (
            self.inference.parameter(call, node) if isinstance(call, cst.Call) else (False, None)
        )
        self._into(observed, annotation if found else None)
        if use.detail in ("builtins.float", "builtins.int"):
            observed.types.append("int | float | str")
        elif use.detail == "builtins.round":
            observed.types.append("int | float")

    def _leaf(self, node: cst.CSTNode, use: Use, observed: Observed) -> None:
        if use.kind == "write":
            raise Unfit("it is written to")
        if use.kind == "in":
            raise Unfit("the code tests whether a key is present")
        self._whole(observed)
        parent = self.tree.parent(node)
        if isinstance(parent, cst.BinaryOperation):
            self._by_operator(parent, parent.right if parent.left is node else parent.left, observed)
        elif isinstance(parent, cst.UnaryOperation):
            observed.types.append("int | float")
        elif use.kind == "compare" and isinstance(use.node, cst.Comparison):
            sides = [use.node.left, *(c.comparator for c in use.node.comparisons)]
            for side in sides:
                self._by_literal(side, observed)
        elif isinstance(parent, cst.FormattedStringExpression) and parent.format_spec:
            spec = "".join(self.tree.whole(part) for part in parent.format_spec)
            if _NUMBER_SPEC.match(spec):
                observed.types.append("int" if spec.endswith("d") else "int | float")

    def _by_operator(self, node: cst.BinaryOperation, other: cst.CSTNode, observed: Observed) -> None:
        number = isinstance(other, (cst.Integer, cst.Float))
        if isinstance(node.operator, cst.Add) and not number:
            if string_value(other) is not None or isinstance(other, cst.FormattedString):
                observed.types.append("str")
        elif number or isinstance(node.operator, (cst.Subtract, cst.Divide, cst.FloorDivide, cst.Power)):
            observed.types.append("int | float")

    def _whole(self, observed: Observed) -> None:
        if observed is self._root:
            raise Unfit("it is passed on as a whole")
        observed.whole = True
