"""Reads of structured content: each is rewritten if its meaning is known, else reported.

What SDK 1 promises is what is proved here. There `structuredContent` is `dict[str, Any] | None`, so code that
spells it so and treats it as an object means an object: `expect_object(result)` gives the same dict and
refuses anything else. Code that spells it `structured_content` is written for SDK 2, where it may be any JSON
value: only a use that nothing but an object allows (a string key, `.items()`, `**`) is taken to mean one.
"""

from __future__ import annotations

import re

from typedtool.migration.flow import failed_too
from typedtool.migration.inference import Inference
from typedtool.migration.ledger import Ledger
from typedtool.migration.rewrites import Read, Rewrites, certainty, stands_alone
from typedtool.migration.sdk_types import RESULTS
from typedtool.migration.syntax import Tree, cst
from typedtool.migration.uses import Use, annotated_as, is_none, return_annotation, use_of

__all__ = ["BY_HAND", "OBJECT_METHODS", "TRUTH", "Reads", "find_reads", "names_result"]

OBJECT_METHODS = frozenset({"get", "keys", "items", "values"})
_STRUCTURED = ("structuredContent", "structured_content")
_TAKES_ANY = re.compile(
    r"(?:json\.dumps?|builtins\.(?:print|str|repr|type)|pprint\.pprint|msgspec\.(?:convert|json\.encode)"
    r"|typedtool\.(?:matches|is_(?:object|array|string|number|integer|boolean|null)))\Z"
)
_TAKES_ANY_METHODS = re.compile(r"(?:model_validate|validate_python|debug|info|warning|error|append)\Z")


def find_reads(tree: Tree, inference: Inference, ledger: Ledger) -> list[Read]:
    """Every read of structured content. Those that are only likely to be one are reported and left out."""
    found: list[Read] = []
    for node in tree.nodes:
        if not isinstance(node, cst.Attribute) or node.attr.value not in _STRUCTURED:
            continue
        kind = inference.of(node.value)
        v1 = node.attr.value == "structuredContent"
        if kind is not None and kind.name in RESULTS and (kind.sure or ledger.settings.likely):
            found.append(Read(node, v1, kind.sure, kind.name, _pure(node.value)))
        elif ledger.settings.likely and v1 and kind is None:
            found.append(Read(node, v1, False, "CallToolResult", _pure(node.value)))
        elif kind is None or kind.name in RESULTS:
            what = "looks like a CallToolResult, which the code does not prove: annotate it, or use --likely"
            ledger.say("TT207", node, f"{tree.whole(node.value)[:60]!r} {what}", "todo", "likely")
    return found


def _pure(node: cst.BaseExpression) -> bool:
    if isinstance(node, cst.Attribute):
        return _pure(node.value) and node.attr.value not in _STRUCTURED
    return isinstance(node, cst.Name) and not node.lpar


class Reads(Rewrites):
    """Rewrites the reads of one module."""

    def migrate(self, read: Read) -> None:
        """Rewrite or report one read."""
        use = use_of(self.tree, read.node)
        if self._is_asked(read, use):
            self.rename(read)
            return
        if use.kind not in ("truth", "none", "write", "shown") and self.of_failed(read, use):
            return
        match use.kind:
            case "subscript":
                self._subscript(read, use)
            case "method":
                self._method(read, use)
            case "in" | "iterate":
                code = "TT103" if use.kind == "in" else "TT104"
                if read.v1:
                    self._expect(read, code)
                else:
                    self.left(read, code, f"may be an array or a string in SDK 2: {_WHICH}")
            case "spread":
                self._expect(read, "TT104")
            case "write":
                self.left(
                    read,
                    "TT112",
                    "is written to: build a new value, and leave the result as the server sent it",
                )
            case "truth":
                self.left(read, "TT105", TRUTH)
            case "none":
                self._none(read, use)
            case "default":
                self._default(read, use)
            case "isinstance":
                self._isinstance(read, use)
            case "cast":
                self._cast(read, use)
            case "assign":
                self._assign(read, use)
            case "return":
                self._into(read, return_annotation(self.tree, use.node))
            case "argument":
                self._argument(read, use)
            case "chosen":
                self._chosen(read, use)
            case "shown":
                self.kept(read, "shown as it is")
            case "compare" | "other":
                self.left(read, "TT113", "may be any JSON value here")

    def of_failed(self, read: Read, use: Use) -> bool:
        """Rewrite or report a read from a result that may have failed, which `expect_object` refuses.

        No schema holds for what a failed tool says, so that here a guard with the code's own default is right.
        """
        if not failed_too(self.tree, read.node, read.node.value):
            return False
        whole = use.node
        default = self._empty_default(whole) if use.kind == "default" else ""
        if default and read.v1 and read.pure and isinstance(whole, cst.BooleanOperation):
            self.instead(whole, self.guarded(read, default))
            self.rewrote(read, "TT114", "of a failed result: the object if there is one, else the default")
        else:
            self.left(
                read, "TT114", "is read from a result that may have failed, which expect_object refuses"
            )
        return True

    def _empty_default(self, whole: cst.CSTNode) -> str:
        """The text of the `{}` in `x or {}`, or nothing."""
        if not isinstance(whole, cst.BooleanOperation):
            return ""
        text = self.tree.whole(whole.right)
        empty = isinstance(whole.right, cst.Dict) and not whole.right.elements
        return text if empty or text == "dict()" else ""

    def _is_asked(self, read: Read, use: Use) -> bool:
        """Whether a guard tests the value here."""
        if use.kind == "argument":
            return use.detail.startswith("typedtool.is_")
        if use.kind == "chosen" and isinstance(use.node, cst.IfExp) and isinstance(use.node.test, cst.Call):
            test = use.node.test
            guards = {
                name for name in self.tree.qualified(test.func, test) if name.startswith("typedtool.is_")
            }
            same = len(test.args) == 1 and self.tree.whole(test.args[0].value) == self.tree.whole(read.node)
            return bool(guards) and same and use.node.body is read.node
        return False

    def _expect(self, read: Read, code: str, message: str = "reads an object: expect_object") -> None:
        self.wrap(read)
        self.rewrote(read, code, message)

    # --- the uses

    def _subscript(self, read: Read, use: Use) -> None:
        key = use.detail
        if key == "=result":
            self.ledger.say("TT111", read.node, BY_HAND, "todo", certainty(read))
        if key.startswith("=") or (read.v1 and key == "?"):
            self._expect(read, "TT101")
            self.untyped(use.node)
        else:
            self.left(read, "TT101", f"is subscripted: {_WHICH}")

    def _method(self, read: Read, use: Use) -> None:
        if use.detail in OBJECT_METHODS or (read.v1 and use.detail == "copy"):
            if names_result(self.tree, use):
                self.ledger.say("TT111", read.node, BY_HAND, "todo", certainty(read))
            self._expect(read, "TT102")
        else:
            self.left(read, "TT102", f"has .{use.detail[:40]} only if it is of one kind")

    def _none(self, read: Read, use: Use) -> None:
        above = self.tree.parent(use.node)
        self.rename(read)
        if isinstance(above, cst.IfExp) and "expect_object" in self.tree.whole(above.body):
            return
        self.ledger.say("TT106", read.node, _NULL_OR_ABSENT, "note", certainty(read))

    def _default(self, read: Read, use: Use) -> None:
        whole = use.node
        default = self._empty_default(whole)
        commented = "#" in self.tree.whole(whole)  # a comment inside would be lost: left to a human
        if commented or not (default and read.v1 and read.pure and isinstance(whole, cst.BooleanOperation)):
            self.left(read, "TT107", f"or a default: {TRUTH}")
            return
        name = self.ledger.imports.need("expect_object")
        base = self.tree.whole(read.node.value)
        self.instead(whole, f"{name}({base}) if {self.spelled(read)} is not None else {default}")
        self.rewrote(read, "TT107", "the object if there is one, else the default: 0, '' and [] are values")

    def _isinstance(self, read: Read, use: Use) -> None:
        self.rename(read)
        if not self.guard(use.node, read.node):
            self.ledger.say(
                "TT108",
                read.node,
                "isinstance tests a JSON value: typedtool has guards for this",
                "note",
                certainty(read),
            )

    def _cast(self, read: Read, use: Use) -> None:
        call = use.node
        assert isinstance(call, cst.Call)
        said = annotated_as(self.tree, call.args[0].value)
        if said == "object" and "#" not in self.tree.whole(call):
            start, end = self.tree.span(call)
            inner_start, inner_end = self.tree.span(read.node)
            self.ledger.edit(start, inner_start, "")
            self.wrap(read)
            self.ledger.edit(inner_end, end, "")
            self.rewrote(read, "TT109", "the cast becomes a check: expect_object")
        elif said == "" and self._is_typed_dict(call.args[0].value):
            self._expect(read, "TT109", "the cast value is an object: expect_object")
        else:
            self.left(read, "TT109", "is cast, which checks nothing: decode(result, T) returns a T")

    def _is_typed_dict(self, node: cst.BaseExpression) -> bool:
        name = node.value if isinstance(node, cst.Name) else ""
        return any(
            isinstance(other, cst.ClassDef)
            and other.name.value == name
            and any(self.tree.whole(base.value).endswith("TypedDict") for base in other.bases)
            for other in self.tree.module.body
        )

    def _into(self, read: Read, annotation: cst.BaseExpression | None) -> None:
        """Rewrite or report a value that goes to a place with this annotation."""
        said = annotated_as(self.tree, annotation) if annotation is not None else "any"
        if said == "object":
            self._expect(read, "TT110", "the annotation promises an object: expect_object")
        elif said == "optional" and read.pure:
            self.maybe(read, "None", brackets=not stands_alone(self.tree, read.node))
            self.rewrote(read, "TT110", "the annotation promises an object or None")
        elif said == "any":
            self.kept(read, "kept as it is")
        else:
            self.left(read, "TT110", "is annotated with another type: decode(result, T) returns a T")

    def _argument(self, read: Read, use: Use) -> None:
        call = use.node
        assert isinstance(call, cst.Call)
        method = call.func.attr.value if isinstance(call.func, cst.Attribute) else ""
        if _TAKES_ANY.match(use.detail) or _TAKES_ANY_METHODS.match(method):
            self.kept(read, "passed to a function that takes any value")
            return
        found, annotation = self.inference.parameter(call, read.node)
        if found:
            self._into(read, annotation)
        else:
            self.left(read, "TT110", "is passed on, and may be any JSON value")

    def _chosen(self, read: Read, use: Use) -> None:
        choice = use.node
        if isinstance(choice, cst.IfExp) and read.v1 and self._is_present(choice, read):
            self._expect(read, "TT110")
        else:
            self.left(read, "TT110", "is chosen here, and may be any JSON value")

    def _is_present(self, choice: cst.IfExp, read: Read) -> bool:
        same = self.tree.whole(read.node)
        test = choice.test
        if self.tree.whole(test) == same:
            return choice.body is read.node
        if (
            isinstance(test, cst.Comparison)
            and len(test.comparisons) == 1
            and self.tree.whole(test.left) == same
        ):
            one = test.comparisons[0]
            if is_none(one.comparator) and isinstance(one.operator, (cst.Is, cst.IsNot)):
                return read.node is (choice.orelse if isinstance(one.operator, cst.Is) else choice.body)
        return False

    def _assign(self, read: Read, use: Use) -> None:
        if isinstance(use.node, cst.AnnAssign):
            self._into(read, use.node.annotation.annotation)
            return
        self.left(read, "TT110", "is kept where its uses cannot be followed")

    def untyped(self, node: cst.CSTNode) -> None:
        """Note where a value that is read by key is used as a type that a checker cannot see."""
        use = use_of(self.tree, node)
        parent = self.tree.parent(node)
        typed = isinstance(parent, (cst.BinaryOperation, cst.UnaryOperation))
        typed = typed or use.kind in ("subscript", "method", "iterate", "spread")
        annotation: cst.BaseExpression | None = None
        if isinstance(parent, cst.AnnAssign):
            annotation = parent.annotation.annotation
        elif use.kind == "return":
            annotation = return_annotation(self.tree, use.node)
        if annotation is not None and annotated_as(self.tree, annotation) != "any":
            typed = True
        if typed:
            self.ledger.say("TT303", node, _UNTYPED, "note")


def names_result(tree: Tree, use: Use) -> bool:
    """Whether the use is `.get("result")`."""
    call = tree.parent(use.node)
    if use.detail != "get" or not isinstance(call, cst.Call) or not call.args:
        return False
    return tree.whole(call.args[0].value) in ("'result'", '"result"')


TRUTH = "is tested for truth, but 0, '', [], {} and false are values: test `is not None`, or is_object(...)"
_WHICH = "say which you mean, with expect_object or expect_array"
_NULL_OR_ABSENT = "None means null or absent: structured(result) returns UNSET where it is absent"
BY_HAND = (
    "{'result': ...} is unwrapped by hand, and not every server wraps: decode(result, T) unwraps on evidence"
)
_UNTYPED = "a type checker sees an object from here on: give the value a type, with --to-typed or decode"
