"""JSON that is read from the text of a result by hand."""

from __future__ import annotations

from typedtool.migration.inference import Kinds
from typedtool.migration.ledger import Ledger
from typedtool.migration.syntax import Tree, cst

__all__ = ["is_text", "parses_json", "report_texts"]

_PARSERS = frozenset(
    {
        "json.loads",
        "orjson.loads",
        "ujson.loads",
        "simplejson.loads",
        "msgspec.json.decode",
        "pydantic_core.from_json",
    }
)
_METHODS = frozenset({"model_validate_json", "validate_json", "parse_raw"})
_MESSAGE = "JSON is read from the text of a result: a TypedTool does so where nothing is structured"


def report_texts(tree: Tree, kinds: Kinds, ledger: Ledger) -> None:
    """Report every place that parses the text of a content block."""
    for node in tree.nodes:
        if (
            isinstance(node, cst.Call)
            and node.args
            and parses_json(tree, node)
            and is_text(tree, kinds, node.args[0].value)
        ):
            ledger.say("TT120", node, _MESSAGE, "todo")


def parses_json(tree: Tree, node: cst.Call) -> bool:
    """Whether `node` calls a JSON parser."""
    if tree.qualified(node.func, node) & _PARSERS:
        return True
    return isinstance(node.func, cst.Attribute) and node.func.attr.value in _METHODS


def is_text(tree: Tree, kinds: Kinds, node: cst.BaseExpression, depth: int = 3) -> bool:
    """Whether `node` is the text of a content block, or a variable that holds one."""
    if isinstance(node, cst.Attribute) and node.attr.value == "text":
        kind = kinds.of(node.value)
        return kind is not None and kind.name in ("Block", "TextContent", "TextResourceContents")
    if (
        isinstance(node, cst.Call)
        and "builtins.getattr" in tree.qualified(node.func, node)
        and len(node.args) > 1
    ):
        kind = kinds.of(node.args[0].value)
        return kind is not None and kind.name in ("Block", "TextContent")
    if isinstance(node, cst.Name) and depth:
        values = kinds.values(node)
        return bool(values) and all(v is not None and is_text(tree, kinds, v, depth - 1) for v in values)
    return False
