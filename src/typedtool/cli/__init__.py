"""The command line, a module a command.

In: `argv`. Out: text, files and an exit code. Uses every package; `main` has the table of commands.
"""
