"""A unified diff, made from the edits: exact, and linear in the length of the text."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate

from msgspec import Struct

from typedtool.migration.findings import Edit, applied

__all__ = ["unified"]

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z")
_CONTEXT = 3


class _Block(Struct):
    """Lines from `first` up to `last`, and the edits within them."""

    first: int
    last: int
    edits: list[Edit]


def unified(path: str, text: str, edits: tuple[Edit, ...]) -> str:
    """The diff that `edits` make of `text`, as `patch` and `git apply` take it."""
    lines = [found.group() for found in _LINE.finditer(text)]
    starts = list(accumulate(map(len, lines), initial=0))
    hunks: list[list[_Block]] = []
    for block in _blocks(starts, edits):
        if hunks and block.first - hunks[-1][-1].last <= 2 * _CONTEXT:
            hunks[-1].append(block)
        else:
            hunks.append([block])
    out = [f"--- {path}\n", f"+++ {path}\n"] if hunks else []
    shift = 0
    for hunk in hunks:
        rows, grown = _hunk(lines, starts, hunk, shift)
        out += rows
        shift += grown
    return "".join(out)


def _blocks(starts: list[int], edits: tuple[Edit, ...]) -> list[_Block]:
    blocks: list[_Block] = []
    for edit in edits:
        first, last = _touched(starts, edit)
        if blocks and first <= blocks[-1].last:
            blocks[-1].last = max(blocks[-1].last, last)
            blocks[-1].edits.append(edit)
        else:
            blocks.append(_Block(first, last, [edit]))
    return blocks


def _touched(starts: list[int], edit: Edit) -> tuple[int, int]:
    count = len(starts) - 1
    first = min(bisect_right(starts, edit.start) - 1, count)
    whole = edit.text.endswith(("\n", "\r"))
    if edit.start == edit.end and whole and edit.start == starts[first]:
        return first, first  # whole lines are inserted: no old line changes

    last = bisect_right(starts, edit.end - 1 if whole and edit.end > edit.start else edit.end)
    return first, min(max(last, first + 1), count)


def _hunk(lines: list[str], starts: list[int], blocks: list[_Block], shift: int) -> tuple[list[str], int]:
    first = max(0, blocks[0].first - _CONTEXT)
    end = min(len(lines), blocks[-1].last + _CONTEXT)
    rows: list[str] = []
    at, grown = first, 0
    for block in blocks:
        old = lines[block.first : block.last]
        new = _LINE.findall(applied("".join(old), block.edits, starts[block.first]))
        rows += [_row(" ", line) for line in lines[at : block.first]]
        rows += [_row("-", line) for line in old] + [_row("+", line) for line in new]
        at, grown = block.last, grown + len(new) - len(old)
    rows += [_row(" ", line) for line in lines[at:end]]
    header = f"@@ -{_range(first, end - first)} +{_range(first + shift, end - first + grown)} @@\n"
    return [header, *rows], grown


def _range(first: int, count: int) -> str:
    return f"{first + 1 if count else first},{count}"


def _row(sign: str, line: str) -> str:
    return sign + line if line.endswith(("\n", "\r")) else f"{sign}{line}\n\\ No newline at end of file\n"
