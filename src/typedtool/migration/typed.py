"""`--to-typed`: a TypedTool for each tool whose result the code reads in a way that a Struct allows.

The call stays as it is. Where the code took structured content, or JSON out of the text, it now decodes the
result into the drafted type, and its keys become fields.
"""

from __future__ import annotations

from msgspec import Struct

from typedtool.migration.bindings import string_value
from typedtool.migration.drafts import (
    Observed,
    StructDraft,
    Unfit,
    class_name,
    field_name,
    quoted,
    variable_name,
)
from typedtool.migration.flow import failed_too, kept_until, reaching
from typedtool.migration.inference import Inference
from typedtool.migration.ledger import Ledger
from typedtool.migration.observing import Observer
from typedtool.migration.rewrites import Read
from typedtool.migration.sources import newline_of
from typedtool.migration.syntax import Tree, cst
from typedtool.migration.texts import parses_json, text_result
from typedtool.values.guards import is_array, is_object

__all__ = ["Typed"]


class _Site(Struct, eq=False):
    """One place where a tool's result is read. node: the expression of the value. base: the result."""

    tool: str
    node: cst.BaseExpression
    base: cst.BaseExpression
    call: cst.Call
    structured: bool


class Typed:
    """Drafts the typed tools of one module."""

    def __init__(self, tree: Tree, inference: Inference, ledger: Ledger) -> None:
        self.tree = tree
        self.inference = inference
        self.ledger = ledger
        self.done: set[int] = set()

    def migrate(self, reads: list[Read]) -> None:
        """Draft a typed tool wherever one can be drafted. `done` has the ids of the nodes that need nothing more."""
        sites: dict[str, list[_Site]] = {}
        for site in [*self._structured(reads), *self._texts()]:
            sites.setdefault(site.tool, []).append(site)
        draft = StructDraft(self.tree.identifiers)
        tools: list[str] = []
        for name, places in sorted(sites.items(), key=lambda pair: self.tree.span(pair[1][0].node)):
            tools += self._tool_or_reason(name, places, draft)
        if tools:
            self._define(draft, tools)

    def _tool_or_reason(self, name: str, places: list[_Site], draft: StructDraft) -> list[str]:
        try:
            return [self._tool(name, places, draft)]
        except Unfit as error:
            for site in places:
                self.ledger.say("TT302", site.node, f"no draft for tool {name[:60]!r}: {error}", "todo")
            return []

    def _structured(self, reads: list[Read]) -> list[_Site]:
        found: list[_Site] = []
        for read in reads:
            call = self._call_of(read.node.value)
            if call is not None:
                found.append(_Site(self._tool_name(call) or "", read.node, read.node.value, call, True))
        return [site for site in found if site.tool]

    def _texts(self) -> list[_Site]:
        found: list[_Site] = []
        for node in self.tree.nodes:
            if isinstance(node, cst.Call) and node.args and parses_json(self.tree, node):
                base = text_result(self.tree, self.inference, node.args[0].value)
                call = self._call_of(base) if base is not None else None
                here = base is not None and (
                    not isinstance(base, cst.Name) or kept_until(self.tree, base, node)
                )
                if base is not None and call is not None and here and len(node.args) == 1:
                    found.append(_Site(self._tool_name(call) or "", node, base, call, False))
        return [site for site in found if site.tool]

    def _call_of(self, base: cst.BaseExpression) -> cst.Call | None:
        """The `call_tool(...)` that `base` is the result of."""
        value: cst.CSTNode | None = base
        if isinstance(base, cst.Name):
            seen = reaching(self.tree, base) or self._only(base)
            assign = next(
                (a for a in self.tree.ancestors(seen) if isinstance(a, (cst.Assign, cst.AnnAssign))), None
            )
            value = assign.value if assign is not None else None
        if isinstance(value, cst.Await):
            value = value.expression
        while isinstance(value, cst.Call) and "asyncio.wait_for" in self.tree.qualified(value.func, value):
            value = value.args[0].value if value.args else None
        if isinstance(value, cst.Call) and isinstance(value.func, cst.Attribute):
            return value if value.func.attr.value in ("call_tool", "call_tool_mcp") else None
        return None

    def _only(self, name: cst.Name) -> cst.CSTNode:
        scope = self.tree.scope(name)
        found = [getattr(a, "node", None) for a in scope[name.value]] if scope is not None else []
        only = found[0] if len(found) == 1 else None
        return only if isinstance(only, cst.Name) else name

    def _tool_name(self, call: cst.Call) -> str | None:
        for argument in call.args:
            if argument.star:
                return None
            if argument.keyword is None or argument.keyword.value == "name":
                return string_value(argument.value)
        return None

    def _tool(self, name: str, places: list[_Site], draft: StructDraft) -> str:
        observed = Observed()
        observers: list[tuple[_Site, Observer]] = []
        for site in places:
            observer = Observer(self.tree, self.inference)
            if "#" in self.tree.code(site.node):
                raise Unfit("the expression contains a comment")
            if failed_too(self.tree, site.node, site.base):
                raise Unfit("it is also read from failed results")
            observer.visit(site.node, observed)
            observers.append((site, observer))
        root = schema = self._schema(name)
        wrapped = all(site.structured for site in places) and set(observed.keys) == {"result"}
        if wrapped:
            observed, schema = observed.keys["result"], _property(schema, "result")
        if not (observed.keys or observed.item or observed.types or schema):
            raise Unfit("the code reads nothing from it")
        out = draft.annotation(observed, f"{class_name(name)}Result", schema, root)
        if wrapped and (out == "object" or out.startswith("dict[")):
            raise Unfit("the value in 'result' has no type of its own")
        variable = draft.unused(variable_name(name), "_tool")
        for site, observer in observers:
            self._rewrite(site, observer, variable, wrapped)
        takes = "None" if len(places[0].call.args) < 2 else "dict[str, object]"
        return f"{variable} = TypedTool[{takes}, {out}]({quoted(name)})"

    def _rewrite(self, site: _Site, observer: Observer, variable: str, wrapped: bool) -> None:
        start, end = self.tree.span(site.node)
        base_start, base_end = self.tree.span(site.base)
        if site.structured and site.base.lpar:
            assert isinstance(site.node, cst.Attribute)
            self.ledger.edit(start, start, f"{variable}.decode")
            self.ledger.edit(self.tree.outer(site.base)[1], end, "")
        elif site.structured:
            self.ledger.edit(start, start, f"{variable}.decode(")
            self.ledger.edit(base_end, end, ")")
        else:
            self.ledger.edit(start, end, f"{variable}.decode({self.tree.text[base_start:base_end]})")
        self.done.add(id(site.node))
        for node, key in observer.fields:
            value = node.value if isinstance(node, cst.Subscript) else _receiver(node)
            value_end = self.tree.outer(value)[1]
            new = "" if wrapped and node in observer.first else f".{field_name(key)}"
            self.ledger.edit(value_end, self.tree.span(node)[1], new)
        for begin, stop, text in observer.edits:
            self.ledger.edit(begin, stop, text)
        self.ledger.say("TT301", site.node, f"decoded by the typed tool {variable}", "rewritten")

    def _schema(self, name: str) -> object:
        tools = self.ledger.settings.listing.get("tools")
        for tool in tools if is_array(tools) else ():
            if is_object(tool) and tool.get("name") == name:
                return tool.get("outputSchema")
        return None

    def _define(self, draft: StructDraft, tools: list[str]) -> None:
        imports = self.ledger.imports
        typed, struct = (
            imports.need("TypedTool"),
            imports.need("Struct", "msgspec") if draft.classes else "Struct",
        )
        if draft.uses_field:
            imports.need("field", "msgspec")
        classes = [text.replace("(Struct)", f"({struct})") for text in draft.classes]
        lines = [tool.replace("TypedTool[", f"{typed}[") + "\n" for tool in tools]
        newline = newline_of(self.tree.text)
        body = "\n\n".join([*classes, "".join(lines)])
        text = "\n\n" + body if classes else "\n" + body
        at = imports.after()
        text += "" if self.tree.text[at : at + 1] in ("", "\r", "\n") else "\n\n"
        self.ledger.last(at, text.replace("\n", newline))


def _receiver(node: cst.CSTNode) -> cst.BaseExpression:
    assert isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute)
    return node.func.value


def _property(schema: object, name: str) -> object:
    properties = schema.get("properties") if is_object(schema) else None
    return properties.get(name) if is_object(properties) else None
