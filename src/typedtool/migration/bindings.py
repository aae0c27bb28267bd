"""What names refer to in one module: assigned values, functions and methods."""

from __future__ import annotations

from typedtool.migration.syntax import Tree, cst, metadata

__all__ = ["Bindings", "dotted", "method_in", "string_value"]


class Bindings:
    """The assignments, functions and methods of one module."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree

    def parameter(self, call: cst.Call, argument: cst.CSTNode) -> tuple[bool, cst.BaseExpression | None]:
        """Whether `call` is of a function of this module, and the annotation of `argument`'s parameter."""
        function: cst.FunctionDef | None = None
        skip = 0
        if isinstance(call.func, cst.Name):
            function = self._function(call.func)
        elif isinstance(call.func, cst.Attribute) and dotted(call.func.value) in ("self", "cls"):
            function, skip = self._own_method(call.func), 1
        at = next((i for i, a in enumerate(call.args) if a.value is argument), None)
        if function is None or at is None or any(a.star for a in call.args[: at + 1]):
            return False, None
        parameters = function.params
        if any("staticmethod" in (dotted(d.decorator) or "") for d in function.decorators):
            skip = 0
        positional = [*parameters.posonly_params, *parameters.params][skip:]
        keyword = call.args[at].keyword
        if keyword is not None:
            named = [p for p in (*positional, *parameters.kwonly_params) if p.name.value == keyword.value]
        else:
            named = positional[at : at + 1]
        if not named:
            return False, None
        return True, named[0].annotation.annotation if named[0].annotation else None

    def values(self, name: cst.Name) -> list[cst.BaseExpression | None]:
        """Every value that is assigned to `name`; None for what is not a plain assignment."""
        found: list[cst.BaseExpression | None] = []
        for assignment in self._assignments(name):
            node = getattr(assignment, "node", None)
            parent = self.tree.parent(node) if isinstance(node, cst.Name) else None
            above = self.tree.parent(parent) if parent is not None else None
            if isinstance(parent, cst.AssignTarget) and isinstance(above, cst.Assign):
                found.append(above.value)
            else:
                found.append(parent.value if isinstance(parent, (cst.AnnAssign, cst.NamedExpr)) else None)
        return found

    def is_timedelta(self, node: cst.BaseExpression, optional: bool = False) -> bool:
        """Whether `node` is a `datetime.timedelta`, or with `optional` that or None."""
        if isinstance(node, cst.Call):
            return "datetime.timedelta" in self.tree.qualified(node.func, node)
        if isinstance(node, cst.BooleanOperation) and isinstance(node.operator, cst.Or):
            return self.is_timedelta(node.left, optional=True) and self.is_timedelta(node.right, optional)
        if not isinstance(node, cst.Name):
            return False
        found = [self._timedelta(getattr(a, "node", None)) for a in self._assignments(node)]
        return bool(found) and all(f == "yes" or (optional and f == "maybe") for f in found)

    def _timedelta(self, node: object) -> str:
        parent = self.tree.parent(node) if isinstance(node, cst.Name) else None
        stated = node.annotation if isinstance(node, cst.Param) else getattr(parent, "annotation", None)
        if isinstance(stated, cst.Annotation):
            text = "".join(self.tree.whole(stated.annotation).split()).strip("'\"").replace("datetime.", "")
            if text == "timedelta":
                return "yes"
            return "maybe" if text in ("timedelta|None", "None|timedelta", "Optional[timedelta]") else "no"
        above = self.tree.parent(parent) if parent is not None else None
        if isinstance(above, cst.Assign) and isinstance(above.value, cst.Call):
            return "yes" if self.is_timedelta(above.value) else "no"
        return "no"

    def _own_method(self, func: cst.Attribute) -> cst.FunctionDef | None:
        inside = self._class_of(func)
        return method_in(inside, func.attr.value) if inside else None

    def _class_of(self, node: cst.CSTNode) -> cst.ClassDef | None:
        return next((a for a in self.tree.ancestors(node) if isinstance(a, cst.ClassDef)), None)

    def _function(self, name: cst.Name) -> cst.FunctionDef | None:
        nodes = [getattr(a, "node", None) for a in self._assignments(name)]
        only = nodes[0] if len(nodes) == 1 else None
        return only if isinstance(only, cst.FunctionDef) else None

    def _assignments(self, name: cst.Name) -> list[metadata.BaseAssignment]:
        scope = self.tree.scope(name)
        return [] if scope is None else list(scope[name.value])


def string_value(node: cst.CSTNode) -> str | None:
    """The value of a literal string."""
    if isinstance(node, (cst.SimpleString, cst.ConcatenatedString)):
        value = node.evaluated_value
        return value if isinstance(value, str) else None
    return None


def method_in(inside: cst.ClassDef, name: str) -> cst.FunctionDef | None:
    """The one method `name` of a class."""
    found = [s for s in inside.body.body if isinstance(s, cst.FunctionDef) and s.name.value == name]
    return found[0] if len(found) == 1 else None


def dotted(node: cst.CSTNode) -> str | None:
    """The text of a name or of names with dots between them."""
    if isinstance(node, cst.Name):
        return node.value
    if isinstance(node, cst.Attribute):
        base = dotted(node.value)
        return None if base is None else f"{base}.{node.attr.value}"
    return None
