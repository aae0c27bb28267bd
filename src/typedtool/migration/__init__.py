"""`typedtool migrate`: code that MCP SDK 2 broke, rewritten where what it means is proved, reported where not.

`typedtool.migration.migrating` is the way in from Python, `typedtool.migration.command` from the command line.
Needs the extra `typedtool[migrate]`, which is LibCST.
"""
