"""Parsing with LibCST: a text becomes a tree whose nodes know their position, parent and scope.

The only module that imports libcst. LibCST's parser is native and overflows the stack on deep nesting, which
ends the process: `measure` refuses such a text before it is parsed.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator
from functools import cached_property

import libcst as cst
from libcst import metadata

from typedtool.migration.sources import SourceError

__all__ = ["Scope", "Tree", "check", "cst", "measure", "metadata", "parse", "walk"]

Scope = metadata.Scope

LeftOut = list[tuple[int, int]]
"""Offsets in the shortened text where something was left out, each with its length."""

_NEWLINE = re.compile(r"\r\n?|\n")
_FORM_FEED = re.compile(r"(?m)^[ \t\f]*\f")
_DEPTH = 1_500
_LONG = 5_000
_GAP = re.compile(r"(?:\s|\\|#[^\r\n]*)*")
_TOKEN = re.compile(
    r"""(?P<string>'''(?:[^\\]|\\.)*?'''|\"\"\"(?:[^\\]|\\.)*?\"\"\"|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")"""
    r"""|(?P<comment>\#[^\n]*)|(?P<open>[(\[{])|(?P<close>[)\]}])|(?P<reset>[,;])"""
    r"""|(?P<line>\n[ \t]*(?:(?P<elif>elif\b)|(?P<fresh>def\b|class\b|async\b|@))?)"""
    r"""|(?P<step>\.|[-+*/%@&|^~<>]|\b(?:not|and|or|if|else|lambda|await|in|is|for)\b)""",
    re.DOTALL | re.VERBOSE,
)


class Tree:
    """A parsed module. Offsets refer to the original text, also where parts of it were left out."""

    def __init__(self, text: str, module: cst.Module, left_out: list[LeftOut]) -> None:
        self.text = text
        self.module = module
        self._left_out = left_out
        self._wrapper = metadata.MetadataWrapper(module, unsafe_skip_copy=True)
        self._positions = self._wrapper.resolve(metadata.PositionProvider)
        self._scopes = self._wrapper.resolve(metadata.ScopeProvider)
        self._parents: dict[cst.CSTNode, cst.CSTNode] = {}
        self.nodes: list[cst.CSTNode] = []
        self._lines = _line_starts(module.code)
        self._text_lines = _line_starts(text)
        self._index()

    def _index(self) -> None:
        stack: list[cst.CSTNode] = [self.module]
        while stack:
            node = stack.pop()
            self.nodes.append(node)
            children = node.children
            for child in children:
                self._parents[child] = node
            stack.extend(reversed(children))

    def parent(self, node: cst.CSTNode) -> cst.CSTNode | None:
        """The node that holds `node`."""
        return self._parents.get(node)

    def ancestors(self, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
        """The nodes that hold `node`, the nearest first."""
        above = self._parents.get(node)
        while above is not None:
            yield above
            above = self._parents.get(above)

    def function(self, node: cst.CSTNode) -> cst.CSTNode | None:
        """The function, lambda or class that `node` is directly in."""
        functions = (cst.FunctionDef, cst.Lambda, cst.ClassDef)
        return next((above for above in self.ancestors(node) if isinstance(above, functions)), None)

    def scope(self, node: cst.CSTNode) -> Scope | None:
        """The scope that the names in `node` are looked up in."""
        for above in (node, *self.ancestors(node)):
            found = self._scopes.get(above)
            if found is not None:
                return found
        return None

    def span(self, node: cst.CSTNode) -> tuple[int, int]:
        """Where `node` starts and ends in the text, without parentheses of its own."""
        place = self._positions[node]
        start = self._lines[place.start.line - 1] + place.start.column
        end = self._lines[place.end.line - 1] + place.end.column
        return self._original(start), self._original(end)

    def outer(self, node: cst.BaseExpression) -> tuple[int, int]:
        """Where `node` starts and ends with its own parentheses."""
        start, end = self.span(node)
        for _ in node.rpar:
            end = self.text.index(")", _GAP.match(self.text, end).end()) + 1  # type: ignore[union-attr]
        for _ in node.lpar:
            start = self.text.rindex("(", 0, start)
        return start, end

    def place(self, offset: int) -> tuple[int, int]:
        """The line and the column of `offset` in the text, both counted from 1."""
        low, high = 0, len(self._text_lines)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self._text_lines[middle] <= offset else (low, middle)
        return low + 1, offset - self._text_lines[low] + 1

    def code(self, node: cst.CSTNode) -> str:
        """The text of `node`, without parentheses of its own."""
        start, end = self.span(node)
        return self.text[start:end]

    def whole(self, node: cst.CSTNode) -> str:
        """The text of `node` as LibCST writes it, with its parentheses."""
        return self.module.code_for_node(node)

    def qualified(self, node: cst.CSTNode | str, near: cst.CSTNode | None = None) -> frozenset[str]:
        """The full names that `node`, a name or a dotted name, may refer to."""
        at = near if near is not None else node
        scope = None if isinstance(at, str) else self.scope(at)
        if scope is None:
            return frozenset()
        return frozenset(name.name for name in scope.get_qualified_names_for(node))

    @cached_property
    def error_checks(self) -> dict[cst.CSTNode | None, list[cst.Attribute]]:
        """Every read of `isError` or `is_error`, by the function that it is in."""
        found: dict[cst.CSTNode | None, list[cst.Attribute]] = {}
        for node in self.nodes:
            if isinstance(node, cst.Attribute) and node.attr.value in ("isError", "is_error"):
                found.setdefault(self.function(node), []).append(node)
        return found

    @cached_property
    def identifiers(self) -> frozenset[str]:
        """Every name that occurs in the module, attributes excepted."""
        attributes = {id(node.attr) for node in self.nodes if isinstance(node, cst.Attribute)}
        return frozenset(
            node.value for node in self.nodes if isinstance(node, cst.Name) and id(node) not in attributes
        )

    def _original(self, offset: int) -> int:
        for left_out in self._left_out:
            offset += sum(length for at, length in left_out if at <= offset)
        return offset


def parse(text: str, matters: re.Pattern[str]) -> Tree:
    """The tree of `text`. In a very long text, functions and classes in which nothing `matters` are left out.

    Raises:
        SourceError: `text` is not Python (TT901), or is nested too deeply to be parsed safely (TT904).
    """
    plain, removed = _plain(text)
    measure(plain)
    shorter, dropped = _shortened(plain, matters)
    module = _module(shorter)
    if module.code != shorter:
        raise SourceError("TT905", "LibCST does not give the text back as it was: left alone")
    return Tree(text, module, [dropped, removed])


def _shortened(plain: str, matters: re.Pattern[str]) -> tuple[str, LeftOut]:
    """A very long text without the functions and classes in which nothing matters: LibCST takes its time."""
    if plain.count("\n") < _LONG:
        return plain, []
    tree = _python_tree(plain)
    if tree is None:
        return plain, []
    lines = [*_line_starts(plain), len(plain)]
    parts: list[str] = []
    dropped: LeftOut = []
    last = kept = 0
    for statement in tree.body:
        if not isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            continue
        first = min([statement.lineno, *(d.lineno for d in statement.decorator_list)])
        start, end = lines[first - 1], lines[statement.end_lineno or first]
        if not matters.search(plain, start, end):
            parts.append(plain[last:start])
            kept += start - last
            dropped.append((kept, end - start))
            last = end
    parts.append(plain[last:])
    return "".join(parts), dropped


def _python_tree(text: str) -> ast.Module | None:
    """The tree of this Python's own parser, without warnings; None if it refuses the text."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # an invalid escape in other people's strings is not our business
        try:
            return ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None


def check(text: str) -> None:
    """Check that `text` is Python; without a LibCST tree, if this Python's own parser accepts it.

    Raises:
        SourceError: as `parse`.
    """
    measure(text)
    if _python_tree(text) is None:
        # A newer Python's syntax, or a fault: LibCST, which knows the newer syntax, says which.
        plain, _ = _plain(text)
        _module(plain)


def _module(plain: str) -> cst.Module:
    try:
        return cst.parse_module(plain)
    except cst.ParserSyntaxError as error:
        raise SourceError("TT901", _reason(error), error.raw_line, error.raw_column + 1) from error


def walk(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """`node` and everything below it, in the order of the text."""
    stack = [node]
    while stack:
        here = stack.pop()
        yield here
        stack.extend(reversed(here.children))


def measure(text: str) -> None:
    """Refuse a text whose expressions nest so deeply that a recursive parser would overflow.

    Counts operators and brackets between commas: more than the real depth, never less.

    Raises:
        SourceError: TT904, with the line.
    """
    counts, total, elifs = [0], 0, 0
    for token in _TOKEN.finditer(text):
        kind = token.lastgroup
        if kind == "open":
            counts.append(0)
            total += 1
        elif kind == "close":
            if len(counts) > 1:
                total -= counts.pop() + 1
            counts[-1] += 1
            total += 1
        elif kind in ("step", "string"):
            counts[-1] += 1
            total += 1
        elif kind == "reset" or (kind in ("line", "elif", "fresh") and len(counts) == 1):
            total -= counts[-1]
            counts[-1] = 0
        if token["elif"] or token["fresh"]:
            elifs = elifs + 1 if token["elif"] else 0
        if max(total, elifs) > _DEPTH:
            line = text.count("\n", 0, token.start()) + 1
            raise SourceError("TT904", f"nested more than {_DEPTH:,} deep: left alone", line)


def _plain(text: str) -> tuple[str, LeftOut]:
    """`text` without what LibCST does not give back: form feeds that begin a line, lone carriage returns.

    Also where something was taken out (an offset in the result), and how much.
    """
    removed: LeftOut = []
    parts: list[str] = []
    last = taken = 0
    for found in _FORM_FEED.finditer(text):
        parts.append(text[last : found.start()])
        removed.append((found.start() - taken, len(found.group())))
        taken += len(found.group())
        last = found.end()
    parts.append(text[last:])
    return re.sub(r"\r(?!\n)", "\n", "".join(parts)), removed


def _line_starts(text: str) -> list[int]:
    return [0, *(found.end() for found in _NEWLINE.finditer(text))]


def _reason(error: cst.ParserSyntaxError) -> str:
    lines = error.message.strip().splitlines()
    return f"not valid Python: {lines[0][:200]}" if lines else "not valid Python"
