"""Decoding: the rules by which a `ToolResult` becomes a value of a type.

A `ToolResult` and a `Contract` (a type, the tool's definition, its schema, the options) come in; an `Outcome` goes out. May
use `types`, `schemas`, `results` and everything below them.
"""
