"""Code that parses JSON from the text of a result."""

from __future__ import annotations

import re

from typedtool.migration.inference import Inference
from typedtool.migration.ledger import Ledger
from typedtool.migration.sdk_types import RESULTS
from typedtool.migration.syntax import Tree, cst

__all__ = ["is_text", "parses_json", "report_texts", "text_result"]

_PARSERS = re.compile(
    r"(?:(?:json|orjson|ujson|simplejson)\.loads|msgspec\.json\.decode|pydantic_core\.from_json)\Z"
)
_METHODS = frozenset({"model_validate_json", "validate_json", "parse_raw"})
_MESSAGE = "JSON is parsed from the text of a result by hand: a TypedTool decodes the structured content, or else the text"


def report_texts(tree: Tree, inference: Inference, ledger: Ledger, done: set[int]) -> None:
    """Report every place that parses the text of a content block, except those in `done`."""
    for node in tree.nodes:
        if id(node) in done or not isinstance(node, cst.Call) or not node.args:
            continue
        if parses_json(tree, node) and is_text(tree, inference, node.args[0].value):
            ledger.say("TT120", node, _MESSAGE, "todo")


def parses_json(tree: Tree, node: cst.Call) -> bool:
    """Whether `node` calls a JSON parser."""
    if any(map(_PARSERS.match, tree.qualified(node.func, node))):
        return True
    return isinstance(node.func, cst.Attribute) and node.func.attr.value in _METHODS


def is_text(tree: Tree, inference: Inference, node: cst.BaseExpression, depth: int = 3) -> bool:
    """Whether `node` is the text of a content block, or a variable that holds one."""
    if isinstance(node, cst.Attribute) and node.attr.value == "text":
        kind = inference.of(node.value)
        return kind is not None and kind.name in ("Block", "TextContent", "TextResourceContents")
    if (
        isinstance(node, cst.Call)
        and "builtins.getattr" in tree.qualified(node.func, node)
        and len(node.args) > 1
    ):
        kind = inference.of(node.args[0].value)
        return kind is not None and kind.name in ("Block", "TextContent")
    if isinstance(node, cst.Name) and depth:
        values = inference.values(node)
        return bool(values) and all(v is not None and is_text(tree, inference, v, depth - 1) for v in values)
    return False


def text_result(
    tree: Tree, inference: Inference, node: cst.BaseExpression, depth: int = 3
) -> cst.BaseExpression | None:
    """The result whose one content block `node` is the text of."""
    if isinstance(node, cst.Attribute) and node.attr.value == "text":
        return _block_result(inference, node.value, depth)
    if isinstance(node, cst.Name) and depth:
        values = inference.values(node)
        only = values[0] if len(values) == 1 else None
        return text_result(tree, inference, only, depth - 1) if only is not None else None
    return None


def _block_result(inference: Inference, block: cst.BaseExpression, depth: int) -> cst.BaseExpression | None:
    if isinstance(block, cst.Name) and depth:
        values = inference.values(block)
        only = values[0] if len(values) == 1 else None
        return _block_result(inference, only, depth - 1) if only is not None else None
    if not (isinstance(block, cst.Subscript) and isinstance(block.value, cst.Attribute)):
        return None
    base = block.value.value
    kind = inference.of(base)
    return base if block.value.attr.value == "content" and kind is not None and kind.name in RESULTS else None
