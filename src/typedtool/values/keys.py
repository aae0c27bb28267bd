"""Where a field of a message is found: under one of its names, or under a key of `_meta` where `tolerant` kept it."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET

from typedtool.values.guards import is_mapping

__all__ = ["CONTENT_KEY", "INPUT_KEY", "SCHEMA_KEY", "STRUCTURED_KEY", "field_of"]


def field_of(value: Any, *names: str) -> Any:
    """The field of a model or of a wire dict, under the first of these names that exists; None where none does.

    A later name is not read then: FastMCP 4 answers to the names of SDK 1.x too, with a warning.

    Example:
        >>> field_of({"mimeType": "application/json"}, "mime_type", "mimeType")
        'application/json'
    """
    for name in names:
        found = value.get(name, UNSET) if is_mapping(value) else getattr(value, name, UNSET)
        if found is not UNSET:
            return found
    return None


STRUCTURED_KEY = "typedtool/structuredContent"
"""The key of a result's `_meta` where `tolerant` keeps a `structuredContent` that the SDK would refuse."""

CONTENT_KEY = "typedtool/content"
"""The key of a result's `_meta` where `tolerant` keeps a `content` that the SDK would refuse."""

SCHEMA_KEY = "typedtool/outputSchema"
"""The key of a tool's `_meta` where `tolerant` keeps an `outputSchema` that the SDK would refuse."""

INPUT_KEY = "typedtool/inputSchema"
"""The key of a tool's `_meta` where `tolerant` keeps an `inputSchema` that the SDK would refuse."""
