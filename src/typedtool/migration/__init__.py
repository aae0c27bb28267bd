"""Code for MCP SDK 1, rewritten for SDK 2 where its meaning is proved, else reported.

In: the source of a module. Out: its new source, edits and findings (`migrating`). Needs LibCST, the extra
`typedtool[migrate]`. Uses `values` and `errors`; only `cli` uses it.
"""
