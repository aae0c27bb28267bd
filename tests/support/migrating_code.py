"""Code for the tests of a migration: a file, what it becomes, and a way to write it."""

from __future__ import annotations

from pathlib import Path

CODE = """from mcp.types import CallToolResult

def f(result: CallToolResult):
    return result.structuredContent["é"]  # é
"""
DONE = """from mcp.types import CallToolResult
from typedtool import expect_object

def f(result: CallToolResult):
    return expect_object(result)["é"]  # é
"""


def write(folder: Path, raw: bytes, name: str = "code.py") -> Path:
    path = folder / name
    path.write_bytes(raw)
    return path
