"""The names of SDK 1 that SDK 2 changed, where they touch results and tools."""

from __future__ import annotations

from collections.abc import Mapping

from typedtool.migration.bindings import string_value
from typedtool.migration.inference import Inference
from typedtool.migration.ledger import Ledger
from typedtool.migration.sdk_types import RENAMED, V1_FIELDS, SdkType
from typedtool.migration.syntax import Tree, cst

__all__ = ["NameRewrites"]

_FIELDS = {old: new for fields in RENAMED.values() for old, new in fields.items()}
_READS = frozenset({"structuredContent", "structured_content"})
_LISTING = frozenset({"list_tools", "list_resources", "list_resource_templates", "list_prompts"})
_ERRORS = frozenset({"mcp.McpError", "mcp.shared.exceptions.McpError", "mcp.client.session.McpError"})
_TIMEOUT_AT = {"call_tool": 2}


class NameRewrites:
    """Rewrites the v1 names of one module."""

    def __init__(self, tree: Tree, inference: Inference, ledger: Ledger) -> None:
        self.tree = tree
        self.inference = inference
        self.ledger = ledger

    def migrate(self) -> None:
        """Rewrite or report every v1 name. Reads of structured content have their own rules."""
        for node in self.tree.nodes:
            match node:
                case cst.Attribute() if node.attr.value in _FIELDS and node.attr.value not in _READS:
                    self._field(node)
                case cst.Call():
                    self._call(node)
                case cst.MatchClass():
                    self._pattern(node)
                case cst.ImportFrom():
                    self._imported(node)
                case cst.Name() | cst.Attribute():
                    self._error(node)
                case cst.Comparison():
                    self._comparison(node)
                case cst.Subscript():
                    self._dumped_key(node)
                case _:
                    pass

    def _known(self, node: cst.CSTNode) -> SdkType | None:
        kind = self.inference.of(node)
        return kind if kind is not None and (kind.sure or self.ledger.settings.likely) else None

    def _field(self, node: cst.Attribute) -> None:
        old = node.attr.value
        kind = self._known(node.value)
        new = RENAMED.get(kind.name, {}).get(old) if kind else None
        if new is None and kind is None and self.ledger.settings.likely and old in V1_FIELDS:
            new = _FIELDS[old]
        if new is not None:
            self.ledger.edit(*self.tree.span(node.attr), new)
            certain = kind is not None and kind.sure
            self.ledger.say("TT201", node, f"{old} is {new}", "rewritten", "proved" if certain else "likely")
        elif kind is None:
            # `.mimeType` may be anyone's; `.isError` on something awaited from a `call_tool` hardly is.
            urgent = old in V1_FIELDS or self.inference.of(node.value) is not None
            message = f".{old} is .{_FIELDS[old]} in SDK 2, if this is the SDK's"
            self.ledger.say("TT207", node, message, "todo" if urgent else "note", "likely")

    def _call(self, node: cst.Call) -> None:
        made = self.inference.class_named(node.func, node)
        if made is not None:
            for argument in node.args:
                self._keyword(argument, RENAMED.get(made.name, {}))
        for argument in node.args:
            if argument.keyword is not None and argument.keyword.value == "read_timeout_seconds":
                self._timeout(node, argument, made)
        if isinstance(node.func, cst.Attribute):
            self._method(node, node.func)
        elif isinstance(node.func, cst.Name) and node.func.value in ("getattr", "hasattr", "setattr"):
            self._by_string(node)
        if self.tree.qualified(node.func, node) & {"mcp.client.streamable_http.streamablehttp_client"}:
            message = (
                "streamablehttp_client is streamable_http_client, and yields two streams, not three values"
            )
            self.ledger.say("TT209", node, message, "todo")

    def _keyword(self, argument: cst.Arg, fields: Mapping[str, str]) -> None:
        keyword = argument.keyword
        if keyword is not None and keyword.value in fields:
            self.ledger.edit(*self.tree.span(keyword), fields[keyword.value])
            self.ledger.say("TT202", keyword, f"{keyword.value}= is {fields[keyword.value]}=", "rewritten")

    def _method(self, node: cst.Call, func: cst.Attribute) -> None:
        kind = self._known(func.value)
        name = func.attr.value
        if kind is None:
            return
        if kind.name == "ClientSession" and name in _LISTING:
            self._listing(node)
        at = _TIMEOUT_AT.get(name)
        if kind.name == "ClientSession" and at is not None and len(node.args) > at:
            argument = node.args[at]
            if argument.keyword is None and not any(a.star for a in node.args[: at + 1]):
                self._timeout(node, argument, None)
        if kind.name == "ClientSession" and name == "get_server_capabilities" and not node.args:
            self.ledger.edit(self.tree.span(func.attr)[0], self.tree.span(node)[1], "server_capabilities")
            self.ledger.say("TT209", node, "get_server_capabilities() is .server_capabilities", "rewritten")
        if kind.name in RENAMED and name in ("model_dump", "model_dump_json"):
            self._dump(node, kind)

    def _dump(self, node: cst.Call, kind: SdkType) -> None:
        if any(a.keyword is not None and a.keyword.value == "by_alias" for a in node.args):
            return
        parent = self.tree.parent(node)
        if isinstance(parent, cst.Subscript) and parent.value is node:
            return  # see _dumped_key
        fields = ", ".join(RENAMED[kind.name].values())
        self.ledger.say("TT208", node, f"the keys are {fields} in SDK 2, unless by_alias=True", "todo")

    def _dumped_key(self, node: cst.Subscript) -> None:
        call = node.value
        if not (isinstance(call, cst.Call) and isinstance(call.func, cst.Attribute)):
            return
        kind = self._known(call.func.value)
        if kind is None or kind.name not in RENAMED or call.func.attr.value != "model_dump":
            return
        index = node.slice[0].slice
        if isinstance(index, cst.Index) and not any(
            a.keyword is not None and a.keyword.value == "by_alias" for a in call.args
        ):
            self._string(index.value, kind, "TT208")

    def _by_string(self, node: cst.Call) -> None:
        if len(node.args) >= 2 and "builtins." + self.tree.whole(node.func) in self.tree.qualified(
            node.func, node
        ):
            kind = self._known(node.args[0].value)
            if kind is not None:
                self._string(node.args[1].value, kind, "TT206")
            elif string_value(node.args[1].value) in ("structuredContent", "isError"):
                self.ledger.say(
                    "TT207", node, "names a field of SDK 1, if this is the SDK's", "todo", "likely"
                )

    def _comparison(self, node: cst.Comparison) -> None:
        first = node.comparisons[0]
        right = first.comparator
        if isinstance(first.operator, (cst.In, cst.NotIn)) and isinstance(right, cst.Attribute):
            kind = self._known(right.value)
            if kind is not None and right.attr.value == "model_fields_set":
                self._string(node.left, kind, "TT206")
        code = self.tree.whole(node.left)
        if code.endswith(".error.code") and isinstance(right, cst.Integer) and right.value == "408":
            self.ledger.say("TT209", node, "a timeout's code is -32001 in SDK 2, not 408", "todo", "likely")

    def _string(self, node: cst.BaseExpression, kind: SdkType, code: str) -> None:
        value = string_value(node)
        new = RENAMED.get(kind.name, {}).get(value or "")
        if new is not None and value is not None and isinstance(node, cst.SimpleString):
            start, end = self.tree.span(node)
            self.ledger.edit(start, end, self.tree.text[start:end].replace(value, new))
            self.ledger.say(code, node, f"{value!r} is {new!r}", "rewritten")

    def _pattern(self, node: cst.MatchClass) -> None:
        kind = self.inference.class_named(node.cls, node)
        for element in node.kwds if kind else ():
            new = RENAMED.get(kind.name if kind else "", {}).get(element.key.value)
            if new is not None:
                self.ledger.edit(*self.tree.span(element.key), new)
                self.ledger.say("TT202", element.key, f"{element.key.value}= is {new}=", "rewritten")

    def _listing(self, node: cst.Call) -> None:
        if len(node.args) != 1 or node.args[0].star:
            return
        argument = node.args[0]
        if argument.keyword is not None and argument.keyword.value != "cursor":
            return
        name = self.ledger.imports.need("PaginatedRequestParams", "mcp.types")
        value_start, end = self.tree.outer(argument.value)
        begin = self.tree.span(argument.keyword)[0] if argument.keyword else value_start
        self.ledger.edit(begin, value_start, f"params={name}(cursor=")
        self.ledger.edit(end, end, ")")
        self.ledger.say("TT205", node, "cursor is a field of params", "rewritten")

    # --- timeouts

    def _timeout(self, call: cst.Call, argument: cst.Arg, made: SdkType | None) -> None:
        receiver = self._known(call.func.value) if isinstance(call.func, cst.Attribute) else made
        if made is None and receiver is None:
            if self.inference.is_timedelta(argument.value):
                self.ledger.say(
                    "TT204", argument, "a timeout is seconds in SDK 2, if this is the SDK's", "todo", "likely"
                )
            return
        if (made or receiver) not in (
            SdkType("ClientSession"),
            SdkType("Client"),
            SdkType("ClientSessionGroup"),
        ):
            return
        value = argument.value
        seconds = self._seconds(value)
        if seconds is None:
            if not _is_number(value):
                self.ledger.say("TT204", argument, "a timeout is seconds in SDK 2, not a timedelta", "todo")
            return
        self.ledger.edit(*self.tree.outer(value), seconds)
        self.ledger.say("TT204", argument, "a timedelta becomes seconds", "rewritten")

    def _seconds(self, value: cst.BaseExpression) -> str | None:
        start, end = self.tree.outer(value)
        text = self.tree.text[start:end]
        if isinstance(value, cst.Call) and self.inference.is_timedelta(value):
            only = value.args[0] if len(value.args) == 1 else None
            if only is not None and only.keyword is not None and only.keyword.value == "seconds":
                return self.tree.text[slice(*self.tree.outer(only.value))]
            return f"{text}.total_seconds()"
        if isinstance(value, cst.BooleanOperation) and self.inference.is_timedelta(value):
            return f"({text}).total_seconds()" if not value.lpar else f"{text}.total_seconds()"
        optional = self.inference.is_timedelta(value, optional=True)
        if isinstance(value, (cst.Name, cst.Attribute)) and optional:
            certain = self.inference.is_timedelta(value)
            return (
                f"{text}.total_seconds()"
                if certain
                else f"{text}.total_seconds() if {text} is not None else None"
            )
        return None

    # --- McpError

    def _imported(self, node: cst.ImportFrom) -> None:
        if isinstance(node.names, cst.ImportStar) or node.module is None or node.relative:
            return
        module = self.tree.whole(node.module)
        for alias in node.names:
            name = alias.name
            if f"{module}.{self.tree.whole(name)}" in _ERRORS and isinstance(name, cst.Name):
                if self._guarded(node):
                    self.ledger.say("TT203", alias, "McpError is MCPError in SDK 2: left in its try", "todo")
                else:
                    self._renamed(name)

    def _guarded(self, node: cst.CSTNode) -> bool:
        return any(isinstance(above, (cst.Try, cst.TryStar)) for above in self.tree.ancestors(node))

    def _error(self, node: cst.Name | cst.Attribute) -> None:
        last = node if isinstance(node, cst.Name) else node.attr
        if last.value != "McpError":
            return
        parent = self.tree.parent(node)
        if isinstance(parent, (cst.ImportAlias, cst.AsName)) or (
            isinstance(parent, cst.Attribute) and parent.attr is node
        ):
            return
        if not self.tree.qualified(node) & _ERRORS or self._still_old(node):
            return
        self._renamed(last)
        if (
            isinstance(parent, cst.Call)
            and parent.func is node
            and len(parent.args) == 1
            and not parent.args[0].keyword
        ):
            end = self.tree.span(node)[1]
            self.ledger.edit(end, end, ".from_error_data")

    def _still_old(self, node: cst.Name | cst.Attribute) -> bool:
        scope = self.tree.scope(node)
        if scope is None or not isinstance(node, cst.Name):
            return False
        found = [getattr(a, "node", None) for a in scope[node.value]]
        return any(isinstance(n, cst.CSTNode) and self._guarded(n) for n in found)

    def _renamed(self, name: cst.Name) -> None:
        self.ledger.edit(*self.tree.span(name), "MCPError")
        self.ledger.say("TT203", name, "McpError is MCPError", "rewritten")


def _is_number(value: cst.BaseExpression) -> bool:
    if isinstance(value, cst.Name):
        return value.value == "None"
    return (
        isinstance(value, (cst.Integer, cst.Float))
        or (
            isinstance(value, cst.Call)
            and isinstance(value.func, cst.Attribute)
            and value.func.attr.value == "total_seconds"
        )
        or (isinstance(value, cst.IfExp) and _is_number(value.body) and _is_number(value.orelse))
    )
