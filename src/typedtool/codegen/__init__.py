"""A server's tools as a typed module: `generate(listing) -> str`, and the same types at run time: `types_for(tool)`.

In: definitions, and recorded results to draft types from. Out: source of Python, types. A schema becomes subschemas that
apply together (`conjunction`), a tree of types (`reading`, `scalars`, `unions`; `drafting` makes it from results), names
(`planning`, `naming`), a syntax tree (`writing`) and text (`layout`), or types (`building`). Uses `decoding`, `types`,
`schemas`, `results`, `clients` and what is below them; neither `compatibility` nor `tools`.
"""

from __future__ import annotations

from typedtool.clients.calls import ServerInfo
from typedtool.codegen.building import types_for
from typedtool.codegen.generating import Generated, GenerateOptions, compile_listing, generate

__all__ = ["GenerateOptions", "Generated", "ServerInfo", "compile_listing", "generate", "types_for"]
