"""The public tools: `TypedTool`, `BoundTool`, `Toolset`, `tool()`.

In: a client and arguments. Out: a value or an outcome. Uses `compatibility`, `codegen`, `decoding` and all below them.
"""
