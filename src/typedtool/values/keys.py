"""The keys of `_meta` where `tolerant` keeps what an SDK would refuse, and readers find it again."""

from __future__ import annotations

__all__ = ["CONTENT_KEY", "INPUT_KEY", "SCHEMA_KEY", "STRUCTURED_KEY"]

STRUCTURED_KEY = "typedtool/structuredContent"
"""The key of a result's `_meta` where `tolerant` keeps a `structuredContent` that the SDK would refuse."""

CONTENT_KEY = "typedtool/content"
"""The key of a result's `_meta` where `tolerant` keeps a `content` that the SDK would refuse."""

SCHEMA_KEY = "typedtool/outputSchema"
"""The key of a tool's `_meta` where `tolerant` keeps an `outputSchema` that the SDK would refuse."""

INPUT_KEY = "typedtool/inputSchema"
"""The key of a tool's `_meta` where `tolerant` keeps an `inputSchema` that the SDK would refuse."""
