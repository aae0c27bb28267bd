"""`python -m typedtool.stubs DIR`: writes a stub for the installed MCP SDK 1.x, with structured content as `object`.

SDK 1.x declares `structuredContent: dict[str, Any] | None`, so every value read from it is an unchecked `Any`. The
stub is the SDK's own `mcp/types.py` with this one annotation replaced. It fits only the version that it was written
for: write it again after an upgrade. For SDK 2.x install `typedtool-stubs`.
"""

from __future__ import annotations

import argparse
import ast
import importlib.util
import os
import sys
import tempfile
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path

__all__ = ["StubError", "main", "types_source", "widened", "write_stub"]

_CLASS, _FIELD = "CallToolResult", "structuredContent"
_PACKAGE = "mcp-stubs"
_MARK = "# Written by `python -m typedtool.stubs`"


class StubError(Exception):
    """The stub cannot be written. The message says why, and what to do."""


def types_source() -> Path:
    """The path of `mcp/types.py` in the installed SDK 1.x. Imports nothing of the SDK.

    Raises StubError: mcp is not installed, or is 2.x, or keeps its types elsewhere.
    """
    spec = importlib.util.find_spec("mcp")
    if spec is None or not spec.submodule_search_locations:
        raise StubError("mcp is not installed here: run this with the Python that your code runs with")
    for folder in map(Path, spec.submodule_search_locations):
        if (folder / "types").is_dir():
            raise StubError(f"mcp {_version()} keeps its types in mcp_types: install typedtool-stubs instead")
        if (source := folder / "types.py").is_file():
            return source
    raise StubError(f"mcp {_version()} has no mcp/types.py: supported are mcp 1.10 and later 1.x")


def widened(source: str) -> str:
    """The text of `mcp/types.py` with `CallToolResult.structuredContent` as `object`, and no other change.

    Raises StubError: there is not exactly one such field.
    """
    try:
        module = ast.parse(source)
    except SyntaxError as error:
        raise StubError(f"mcp/types.py does not parse on this Python: {error}") from error
    classes = [node for node in module.body if isinstance(node, ast.ClassDef) and node.name == _CLASS]
    fields = [node for cls in classes for node in cls.body if isinstance(node, ast.AnnAssign)]
    found = [node for node in fields if isinstance(node.target, ast.Name) and node.target.id == _FIELD]
    if len(found) != 1:
        raise StubError(f"mcp/types.py declares {_CLASS}.{_FIELD} {len(found)} times, expected once")
    start, end = _span(source, found[0].annotation)
    return source[:start] + "object" + source[end:]


def _span(source: str, node: ast.expr) -> tuple[int, int]:
    """Where a node begins and ends in the text. `ast` counts lines, and bytes within a line."""
    lines = source.splitlines(keepends=True)

    def offset(line: int, column: int) -> int:
        before = lines[line - 1].encode()[:column].decode()
        return sum(map(len, lines[: line - 1])) + len(before)

    end_line, end_column = node.end_lineno, node.end_col_offset
    if end_line is None or end_column is None:
        raise StubError(f"no position for the annotation of {_CLASS}.{_FIELD}")
    return offset(node.lineno, node.col_offset), offset(end_line, end_column)


def write_stub(directory: Path, source: Path) -> Path:
    """Write `mcp-stubs/` into `directory`, from the `mcp/types.py` at `source`. Returns the new folder.

    The folder appears whole or not at all. Raises StubError: a folder is there that this did not write.
    """
    text = widened(source.read_text(encoding="utf-8"))
    target = directory / _PACKAGE
    if target.exists() and not _ours(target):
        raise StubError(f"{target} is there and was not written by this: choose another folder")
    directory.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".typedtool-", dir=directory) as scratch:
        new, old = Path(scratch, "new"), Path(scratch, "old")
        new.mkdir()
        (new / "types.pyi").write_text(f"{_MARK}, for mcp {_version()}.\n{text}", encoding="utf-8")
        (new / "py.typed").write_text("partial\n", encoding="utf-8")
        if target.exists():
            os.replace(target, old)
        try:
            os.replace(new, target)
        except OSError:
            if old.exists():
                os.replace(old, target)
            raise
    return target


def _ours(folder: Path) -> bool:
    stub = folder / "types.pyi"
    return stub.is_file() and stub.read_text(encoding="utf-8").startswith(_MARK)


def _version() -> str:
    try:
        return metadata.version("mcp")
    except metadata.PackageNotFoundError:
        return "(of unknown version)"


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the stub. Returns 0, or 1 with one line on the standard error if it cannot be written."""
    parser = argparse.ArgumentParser("python -m typedtool.stubs", description=__doc__)
    parser.add_argument("directory", metavar="DIR", type=Path, help="where mcp-stubs/ is written")
    directory: Path = parser.parse_args(arguments).directory
    try:
        print(write_stub(directory, types_source()))
    except (StubError, OSError, UnicodeDecodeError) as error:
        print(f"typedtool.stubs: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
