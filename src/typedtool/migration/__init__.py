"""`typedtool migrate`: code that MCP SDK 2 broke, rewritten where its meaning is proved, else reported.

`typedtool.migration.migrating` is the way in from Python, `typedtool.cli.migrate` that from the command
line. Needs the extra `typedtool[migrate]`, which is LibCST.
"""
