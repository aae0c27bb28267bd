"""Tools: `TypedTool`, `tool()`, `BoundTool` and `Toolset`, and how they are bound and called.

A client and an input come in; a value of the tool's type, or an `Outcome`, goes out. May use `compatibility`, `codegen`,
`decoding` and everything below them.
"""
