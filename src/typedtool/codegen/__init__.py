"""A server's tools as a typed module: `generate(listing) -> str`, and the same types at run time:
`types_for(tool)`."""

from __future__ import annotations

from typedtool.codegen.building import types_for
from typedtool.codegen.generating import Generated, Server, compile_listing, generate

__all__ = ["Generated", "Server", "compile_listing", "generate", "types_for"]
