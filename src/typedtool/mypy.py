"""A mypy plugin: the structured content of a result is an `object` until it is checked, on SDK 1.x and 2.x.

    [tool.mypy]
    plugins = ["typedtool.mypy"]

`structured_content` (2.x, declared `Any`) and `structuredContent` (1.x, declared `dict[str, Any] | None`) of
`CallToolResult` and `ToolResultContent` are read as `object`, so mypy reports every unchecked use. Works beside `pydantic.mypy`, and beside the stub distribution `typedtool-stubs`.
"""

from __future__ import annotations

from collections.abc import Callable

from mypy.nodes import TypeInfo
from mypy.plugin import AttributeContext, Plugin
from mypy.types import AnyType, Type, get_proper_type

__all__ = ["StructuredContentPlugin", "plugin"]

_FIELDS = ("structured_content", "structuredContent")
_PUBLIC_NAMES = (
    "mcp_types.CallToolResult",
    "mcp_types.ToolResultContent",
    "mcp.types.CallToolResult",
    "mcp.types.ToolResultContent",
)


class StructuredContentPlugin(Plugin):
    """Reads the structured content of the SDK's results as `object`."""

    def get_attribute_hook(self, fullname: str) -> Callable[[AttributeContext], Type] | None:
        """The hook for `module.Class.field`, whatever private module of the SDK defines the class."""
        owner, _, field = fullname.rpartition(".")
        return _as_object if field in _FIELDS and self._is_result(owner) else None

    def _is_result(self, owner: str) -> bool:
        """Whether the class `owner` is a result class of the SDK, or a subclass or base of one.

        A subclass, since `pydantic.mypy` copies inherited fields into it. A base, since the public class may be
        a stub's, derived from the SDK's own.
        """
        cls = self._class(owner)
        public = filter(None, map(self._class, _PUBLIC_NAMES))
        return cls is not None and any(_derives(cls, other) or _derives(other, cls) for other in public)

    def _class(self, fullname: str) -> TypeInfo | None:
        symbol = self.lookup_fully_qualified(fullname)
        return symbol.node if symbol is not None and isinstance(symbol.node, TypeInfo) else None


def _derives(cls: TypeInfo, base: TypeInfo) -> bool:
    return any(parent.fullname == base.fullname for parent in cls.mro)


def _as_object(context: AttributeContext) -> Type:
    declared = context.default_attr_type
    if context.is_lvalue and not isinstance(get_proper_type(declared), AnyType):
        return declared  # 1.x declares which values may be assigned
    return context.api.named_generic_type("builtins.object", [])


def plugin(version: str) -> type[Plugin]:
    """The entry point that mypy calls, with its own version."""
    return StructuredContentPlugin
