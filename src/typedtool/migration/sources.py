"""Python files: decoded as Python decodes them (PEP 263), and written back in the same encoding."""

from __future__ import annotations

import codecs
import contextlib
import io
import os
import re
import stat
import tempfile
import tokenize
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

__all__ = ["Source", "SourceError", "find", "newline_of", "read", "read_bytes", "replace", "rewritten"]

_SKIPPED = frozenset({"__pycache__", "node_modules", "site-packages", "build", "dist"})
_SUFFIXES = (".py", ".pyi")
_LIMIT = 64 * 1024 * 1024
_NEWLINE = re.compile(r"\r\n?|\n")


class SourceError(Exception):
    """A file that cannot be read as Python source. `code` is the finding's code."""

    def __init__(self, code: str, message: str, line: int = 1, column: int = 1) -> None:
        super().__init__(code, message, line, column)
        self.code = code
        self.message = message
        self.line = line
        self.column = column


class Source(Struct, frozen=True):
    """The text of one file, without its byte order mark, and how to turn a text back into its bytes."""

    path: str
    text: str
    encoding: str = "utf-8"
    bom: bool = False

    @property
    def newline(self) -> str:
        """The line ending of the first line, which added lines get too."""
        return newline_of(self.text)


def newline_of(text: str) -> str:
    """The line ending of the first line."""
    found = _NEWLINE.search(text)
    return found.group() if found else "\n"


def read(path: Path) -> Source:
    """The source in `path`.

    Raises:
        SourceError: it cannot be read (TT903), is too big (TT904), or is not in the encoding it says (TT902).
    """
    try:
        if path.stat().st_size > _LIMIT:
            raise SourceError("TT904", f"more than {_LIMIT:,} bytes: left alone")
        raw = path.read_bytes()
    except (OSError, ValueError) as error:
        raise SourceError("TT903", f"cannot be read: {_reason(error)}") from error
    return read_bytes(str(path), raw)


def read_bytes(path: str, raw: bytes) -> Source:
    """The source in `raw`, by its byte order mark or its coding line (PEP 263), else UTF-8.

    Raises:
        SourceError: `raw` is not in the encoding it says (TT902).
    """
    bom = raw.startswith(codecs.BOM_UTF8)
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(raw).readline)
        encoding = "utf-8" if bom else encoding
        text = raw[len(codecs.BOM_UTF8) if bom else 0 :].decode(encoding)
        faithful = text.encode(encoding) == raw[len(codecs.BOM_UTF8) if bom else 0 :]
    except SyntaxError as error:
        raise SourceError("TT902", str(error.msg)) from error
    except (UnicodeError, LookupError) as error:
        line = raw[: error.start].count(b"\n") + 1 if isinstance(error, UnicodeDecodeError) else 1
        raise SourceError("TT902", f"not in the encoding it says: {_reason(error)}", line) from error
    if not faithful:
        raise SourceError("TT902", f"encoding {encoding} does not give the same bytes back: left alone")
    return Source(path, text, encoding, bom)


def rewritten(source: Source, text: str) -> bytes:
    """`text` as bytes, in the encoding of `source`.

    Raises:
        SourceError: the encoding cannot hold the text (TT902).
    """
    try:
        return (codecs.BOM_UTF8 if source.bom else b"") + text.encode(source.encoding)
    except UnicodeError as error:
        raise SourceError("TT902", f"cannot be written in its own encoding: {_reason(error)}") from error


def replace(path: Path, raw: bytes) -> None:
    """Replace the bytes of the file `path`, as a whole or not at all, with the same permissions.

    A symbolic link stays one: the file it leads to is replaced.

    Raises:
        SourceError: the file cannot be written (TT903); it is as it was.
    """
    target = Path(os.path.realpath(path))
    temporary = ""
    try:
        before = target.stat()
        descriptor, temporary = tempfile.mkstemp(prefix=f".{target.name[:40]}.", dir=target.parent)
        with os.fdopen(descriptor, "wb") as file:
            file.write(raw)
            file.flush()
            os.fsync(file.fileno())
        _keep_owner(temporary, before)
        os.chmod(temporary, stat.S_IMODE(before.st_mode))
        os.replace(temporary, target)
    except OSError as error:
        if temporary:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
        raise SourceError("TT903", f"cannot be written: {_reason(error)}") from error


def _keep_owner(path: str, before: os.stat_result) -> None:
    now = os.stat(path)
    if hasattr(os, "chown") and (now.st_uid, now.st_gid) != (before.st_uid, before.st_gid):
        with contextlib.suppress(OSError):  # only root may give a file away; the bytes matter more
            os.chown(path, before.st_uid, before.st_gid)


def find(paths: list[Path]) -> Iterator[Path]:
    """The Python files under `paths`, in a fixed order, each once. A file that is named itself may have any name."""
    seen: set[str] = set()
    for path in paths:
        for file in _walk(path) if path.is_dir() else [path]:
            real = os.path.realpath(file)
            if real not in seen:
                seen.add(real)
                yield file


def _walk(root: Path) -> Iterator[Path]:
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(f for f in folders if not _skipped(Path(folder, f)))
        yield from (Path(folder, name) for name in sorted(names) if name.endswith(_SUFFIXES))


def _skipped(folder: Path) -> bool:
    return folder.name.startswith(".") or folder.name in _SKIPPED or (folder / "pyvenv.cfg").exists()


def _reason(error: Exception) -> str:
    return error.strerror or type(error).__name__ if isinstance(error, OSError) else str(error)[:200]
