"""mypy plugin: what a tool answered is an `object` until it is checked, on SDK 1.x and 2.x alike.

    [tool.mypy]
    plugins = ["typedtool.mypy"]

`structured_content` (2.x, declared `Any`) and `structuredContent` (1.x, declared `dict[str, Any] | None`) of
`CallToolResult` and `ToolResultContent` are read as `object`, so that mypy reports every use that nothing has
checked. Works beside `pydantic.mypy`, and beside the stub distribution `typedtool-stubs`.
"""

from __future__ import annotations

from collections.abc import Callable

from mypy.nodes import TypeInfo
from mypy.plugin import AttributeContext, Plugin
from mypy.types import AnyType, Type, get_proper_type

__all__ = ["StructuredContentPlugin", "plugin"]

_FIELDS = ("structured_content", "structuredContent")
_CLASSES = ("CallToolResult", "ToolResultContent")
_PUBLIC_MODULES = ("mcp_types", "mcp.types")


class StructuredContentPlugin(Plugin):
    """Reads the structured content of the SDK's results as `object`."""

    def get_attribute_hook(self, fullname: str) -> Callable[[AttributeContext], Type] | None:
        """The hook for `module.Class.field`, whatever private module of the SDK the class is defined in."""
        owner, _, field = fullname.rpartition(".")
        name = owner.rpartition(".")[2]
        return _as_object if field in _FIELDS and name in _CLASSES and self._is_public(owner, name) else None

    def _is_public(self, owner: str, name: str) -> bool:
        """Whether the class `owner` is what the SDK's public modules call `name`, or a base of it (the stub's is)."""
        found = (self.lookup_fully_qualified(f"{module}.{name}") for module in _PUBLIC_MODULES)
        classes = (symbol.node for symbol in found if symbol is not None)
        return any(
            base.fullname == owner for cls in classes if isinstance(cls, TypeInfo) for base in cls.mro
        )


def _as_object(context: AttributeContext) -> Type:
    declared = context.default_attr_type
    if context.is_lvalue and not isinstance(get_proper_type(declared), AnyType):
        return declared  # 1.x declares what may be written: keep that
    return context.api.named_generic_type("builtins.object", [])


def plugin(version: str) -> type[Plugin]:
    """The entry point that mypy calls, with its own version."""
    return StructuredContentPlugin
