"""The type of each expression, as far as names, annotations and simple assignments prove it.

A name has a kind only where everything that is ever assigned to it in its scope has that kind, None aside.
"""

from __future__ import annotations

from collections.abc import Iterable

from typedtool.migration.bindings import Bindings, dotted, method_in, string_value
from typedtool.migration.flow import reaching
from typedtool.migration.sdk_types import CLASSES, FIELDS, METHODS, MODULES, SdkType, awaitable, list_of
from typedtool.migration.syntax import Tree, cst, metadata, walk

__all__ = ["Inference", "isinstance_of"]

_NONE = SdkType("None")
_ENTERED = frozenset({"ClientSession", "Client", "FastClient", "ClientSessionGroup"})
_OPTIONAL = frozenset({"typing.Optional", "typing_extensions.Optional"})
_UNION = frozenset({"typing.Union", "typing_extensions.Union"})
_SEQUENCES = frozenset({"list", "tuple", "List", "Tuple", "Sequence", "Iterable", "Iterator", "Collection"})
_GENERATORS = frozenset({"AsyncIterator", "AsyncGenerator", "Iterator", "Generator"})
_AWAITABLES = frozenset({"Awaitable", "Coroutine", "Task", "Future"})
_PASSED = frozenset({"asyncio.wait_for", "asyncio.shield", "asyncio.create_task", "asyncio.ensure_future"})


class Inference(Bindings):
    """The types of the expressions of one module, as far as they are the SDK's."""

    def __init__(self, tree: Tree) -> None:
        super().__init__(tree)
        self._known: dict[int, SdkType | None] = {}
        self._busy: set[int] = set()
        self._classes = {node.name.value: node for node in tree.module.body if isinstance(node, cst.ClassDef)}
        self._fields: dict[tuple[int, str], SdkType | None] = {}
        self._uses_sdk = any(
            isinstance(node, (cst.Import, cst.ImportFrom)) and "mcp" in tree.whole(node)
            for node in tree.nodes
        )

    def of(self, node: cst.CSTNode) -> SdkType | None:
        """The type of `node`, or None if it is not known."""
        key = id(node)
        if key in self._known:
            return self._known[key]
        if key in self._busy:
            return None
        self._busy.add(key)
        kind = self._infer(node)
        self._busy.discard(key)
        self._known[key] = kind
        return kind

    def class_named(self, node: cst.CSTNode | str, near: cst.CSTNode) -> SdkType | None:
        """The SDK class that `node` names."""
        for name in self.tree.qualified(node, near):
            last = name.rsplit(".", 1)[-1]
            if name.startswith(MODULES) and last in CLASSES:
                if name.startswith("fastmcp."):
                    last = {"Client": "FastClient", "CallToolResult": "FastResult"}.get(last, last)
                return SdkType({"ContentBlock": "Block"}.get(last, last))
        return None

    def annotated(self, node: cst.BaseExpression, near: cst.CSTNode) -> SdkType | None:
        """The type that the annotation `node` names. `X | None` counts as X, since its fields are read."""
        if isinstance(node, (cst.SimpleString, cst.ConcatenatedString)):
            text = string_value(node)
            try:
                return None if text is None else self.annotated(cst.parse_expression(text), near)
            except cst.ParserSyntaxError:
                return None
        if isinstance(node, cst.Name) and node.value == "None":
            return _NONE
        if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.BitOr):
            return _agreed([self.annotated(node.left, near), self.annotated(node.right, near)])
        if isinstance(node, cst.Subscript):
            return self._generic(node, near)
        if isinstance(node, (cst.Name, cst.Attribute)):
            return self.class_named(dotted(node) or node, near) or self._own_class(node)
        return None

    def _own_class(self, node: cst.CSTNode) -> SdkType | None:
        name = node.value if isinstance(node, cst.Name) else ""
        return SdkType(f"class {name}") if name in self._classes else None

    def _generic(self, node: cst.Subscript, near: cst.CSTNode) -> SdkType | None:
        base = dotted(node.value) or ""
        names = self.tree.qualified(base, near) | {base}
        arguments = [e.slice.value for e in node.slice if isinstance(e.slice, cst.Index)]
        if not arguments:
            return None
        inner = [self.annotated(a, near) for a in arguments]
        if names & _UNION:
            return _agreed(inner)
        last = base.rsplit(".", 1)[-1]
        first = inner[0]
        if names & _OPTIONAL or last in {"Annotated", "Final", "ClassVar"}:
            return first
        if last in _AWAITABLES:
            return None if inner[-1] is None else awaitable(inner[-1])
        if first is None:
            return None
        if last in _GENERATORS:
            return SdkType("generator", first, first.sure)
        return list_of(first) if last in _SEQUENCES else None

    def _infer(self, node: cst.CSTNode) -> SdkType | None:
        match node:
            case cst.Name():
                return self._name(node)
            case cst.Attribute():
                return self._attribute(node)
            case cst.Call():
                return self._call(node)
            case cst.Await():
                return self._awaited(node)
            case cst.NamedExpr():
                return self.of(node.value)
            case cst.IfExp():
                return _agreed([self.of(node.body), self.of(node.orelse)])
            case cst.Subscript():
                return self._subscript(node)
            case cst.List() | cst.Tuple():
                kind = _agreed([self.of(e.value) for e in node.elements])
                return list_of(kind) if kind else None
            case cst.ListComp() | cst.GeneratorExp() | cst.SetComp():
                kind = self.of(node.elt)
                return list_of(kind) if kind else None
            case _:
                return None

    def _subscript(self, node: cst.Subscript) -> SdkType | None:
        base = self.of(node.value)
        if base is None or base.name != "list" or len(node.slice) != 1:
            return None
        return base if isinstance(node.slice[0].slice, cst.Slice) else base.of

    def _awaited(self, node: cst.Await) -> SdkType | None:
        kind = self.of(node.expression)
        if kind is not None:
            return kind.of if kind.name == "await" else None
        call = node.expression
        if self._uses_sdk and isinstance(call, cst.Call) and isinstance(call.func, cst.Attribute):
            # Not resolved: `self.session` that nobody annotates. Likely, which is not proved.
            if call.func.attr.value == "call_tool" and self.of(call.func.value) is None:
                return SdkType("CallToolResult", sure=False)
            if call.func.attr.value == "list_tools" and self.of(call.func.value) is None:
                return SdkType("ListToolsResult", sure=False)
        return None

    def _attribute(self, node: cst.Attribute) -> SdkType | None:
        base = self.of(node.value)
        if base is not None and base.name.startswith("class "):
            return self._known_field(self._classes[base.name[6:]], node.attr.value)
        if base is not None:
            found = FIELDS.get(base.name, {}).get(node.attr.value)
            return SdkType(found.name, found.of, base.sure) if found else None
        if isinstance(node.value, cst.Name) and node.value.value in {"self", "cls"}:
            return self._of_class(node)
        return None

    def _of_class(self, node: cst.Attribute) -> SdkType | None:
        inside = self._class_of(node)
        return self._known_field(inside, node.attr.value) if inside is not None else None

    def _known_field(self, inside: cst.ClassDef, name: str) -> SdkType | None:
        key = (id(inside), name)
        if key not in self._fields:
            self._fields[key] = None  # while it is being found out: a loop is not known
            self._fields[key] = self._field(inside, name)
        return self._fields[key]

    def _field(self, inside: cst.ClassDef, name: str) -> SdkType | None:
        stated: list[SdkType | None] = []
        assigned: list[SdkType | None] = []
        for other in self._members(inside, name):
            if isinstance(other, cst.AnnAssign):
                stated.append(self.annotated(other.annotation.annotation, other))
            elif isinstance(other, cst.Assign):
                assigned.append(self._value(other.value))
        return _agreed(stated) if stated else _agreed(assigned)

    def _members(self, inside: cst.ClassDef, name: str) -> Iterable[cst.CSTNode]:
        for node in walk(inside):
            targets: list[cst.BaseExpression] = []
            if isinstance(node, cst.AnnAssign):
                targets = [node.target]
            elif isinstance(node, cst.Assign):
                targets = [t.target for t in node.targets]
            for target in targets:
                in_body = isinstance(target, cst.Name) and isinstance(
                    self.tree.scope(target), metadata.ClassScope
                )
                if dotted(target) in (f"self.{name}", f"cls.{name}") or (in_body and dotted(target) == name):
                    yield node

    def _call(self, node: cst.Call) -> SdkType | None:
        names = self.tree.qualified(node.func, node)
        if names & {"typing.cast", "typing_extensions.cast"} and len(node.args) == 2:
            return self.annotated(node.args[0].value, node)
        if names & _PASSED and node.args:
            return self.of(node.args[0].value)
        if "asyncio.gather" in names:
            inner = [self._gathered(a) for a in node.args if a.keyword is None]
            kind = _agreed(inner)
            return awaitable(list_of(kind)) if kind else None
        made = self.class_named(dotted(node.func) or node.func, node)
        if made is not None:
            return made
        if isinstance(node.func, cst.Name) and self._assignments(node.func):
            own = self._own_class(node.func)
            if own is not None:
                return own
            return self._returned(self._function(node.func))
        return self._method(node.func) if isinstance(node.func, cst.Attribute) else None

    def _gathered(self, argument: cst.Arg) -> SdkType | None:
        kind = self.of(argument.value)
        if argument.star == "*":
            kind = kind.of if kind and kind.name == "list" else None
        return kind.of if kind and kind.name == "await" else None

    def _method(self, func: cst.Attribute) -> SdkType | None:
        name = func.attr.value
        if name == "enter_async_context":
            call = self.tree.parent(func)
            entered = self._entered(call.args[0].value) if isinstance(call, cst.Call) and call.args else None
            return awaitable(entered) if entered else None
        base = self.of(func.value)
        if base is not None and base.name.startswith("class "):
            return self._returned(method_in(self._classes[base.name[6:]], name))
        if base is not None:
            found = METHODS.get(base.name, {}).get(name)
            return _unsure(found) if found and not base.sure else found
        if isinstance(func.value, cst.Name) and func.value.value in {"self", "cls"}:
            return self._returned(self._own_method(func))
        return None

    def _returned(self, function: cst.FunctionDef | None) -> SdkType | None:
        if function is None or function.returns is None:
            return None
        kind = self.annotated(function.returns.annotation, function)
        if kind is None:
            return None
        if kind.name == "generator" and kind.of is not None:
            managed = any("contextmanager" in (dotted(d.decorator) or "") for d in function.decorators)
            return SdkType("context", kind.of, kind.sure) if managed else None
        return awaitable(kind) if function.asynchronous else kind

    def _entered(self, node: cst.BaseExpression) -> SdkType | None:
        kind = self.of(node)
        if kind is None:
            return None
        if kind.name == "context":
            return kind.of
        return kind if kind.name in _ENTERED else None

    def _name(self, name: cst.Name) -> SdkType | None:
        kinds: list[SdkType | None] = []
        for assignment in self._assignments(name):
            node = getattr(assignment, "node", None)
            if isinstance(node, cst.Name):
                parent = self.tree.parent(node)
                if isinstance(parent, cst.AnnAssign):
                    return self.annotated(parent.annotation.annotation, parent)
            kinds.append(self._assigned(node))
        return _agreed(kinds) or self._seen(name) or self._narrowed(name)

    def _seen(self, name: cst.Name) -> SdkType | None:
        target = reaching(self.tree, name)
        return self._assigned(target) if target is not None else None

    def _narrowed(self, name: cst.Name) -> SdkType | None:
        below: cst.CSTNode = name
        for above in self.tree.ancestors(name):
            test: cst.BaseExpression | None = None
            if isinstance(above, (cst.If, cst.IfExp)) and below is above.body:
                test = above.test
            elif isinstance(above, cst.BooleanOperation) and isinstance(above.operator, cst.And):
                test = above.left if below is above.right else None
            elif isinstance(above, cst.FunctionDef):
                return None
            for one in isinstance_of(test, name.value) if test is not None else ():
                return self.class_named(dotted(one) or one, above)
            below = above
        return None

    def _assigned(self, node: object) -> SdkType | None:
        if isinstance(node, cst.Param):
            return self.annotated(node.annotation.annotation, node) if node.annotation else None
        if not isinstance(node, cst.Name):
            return None
        parent = self.tree.parent(node)
        match parent:
            case cst.AssignTarget():
                assign = self.tree.parent(parent)
                return self._value(assign.value) if isinstance(assign, cst.Assign) else None
            case cst.NamedExpr():
                return self._value(parent.value)
            case cst.For() | cst.CompFor() if parent.target is node:
                return self._item(parent.iter)
            case cst.AsName():
                item = self.tree.parent(parent)
                return self._entered(item.item) if isinstance(item, cst.WithItem) else None
            case cst.Element():
                return self._element(parent)
            case _:
                return None

    def _element(self, element: cst.Element) -> SdkType | None:
        target = self.tree.parent(element)
        holder = self.tree.parent(target) if target else None
        if isinstance(holder, cst.AssignTarget):
            assign = self.tree.parent(holder)
            return self._item(assign.value) if isinstance(assign, cst.Assign) else None
        return None

    def _item(self, node: cst.BaseExpression) -> SdkType | None:
        kind = self.of(node)
        return kind.of if kind and kind.name == "list" else None

    def _value(self, node: cst.BaseExpression) -> SdkType | None:
        return _NONE if isinstance(node, cst.Name) and node.value == "None" else self.of(node)


def isinstance_of(test: cst.BaseExpression, name: str) -> Iterable[cst.BaseExpression]:
    """The classes that `name` is an instance of wherever `test` holds."""
    if isinstance(test, cst.BooleanOperation) and isinstance(test.operator, cst.And):
        yield from isinstance_of(test.left, name)
        yield from isinstance_of(test.right, name)
    elif isinstance(test, cst.Call) and isinstance(test.func, cst.Name) and test.func.value == "isinstance":
        first = test.args[0].value if len(test.args) == 2 else None
        if isinstance(first, cst.Name) and first.value == name:
            yield test.args[1].value


def _agreed(kinds: list[SdkType | None]) -> SdkType | None:
    real = [kind for kind in kinds if kind != _NONE]
    first = real[0] if real else None
    return first if first is not None and all(_same(first, kind) for kind in real) else None


def _same(one: SdkType, other: SdkType | None) -> bool:
    return other is not None and one == other


def _unsure(kind: SdkType) -> SdkType:
    return SdkType(kind.name, _unsure(kind.of) if kind.of else None, sure=False)
