"""The imports of a module: which names it has, and the edits that add or remove some."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from typedtool.migration.findings import Edit
from typedtool.migration.syntax import Tree, cst

__all__ = ["Imports"]

_ROOT = "typedtool"
_TIDIED = frozenset({"typing", "typing_extensions", "datetime", "json"})


class Imports:
    """The imports of one module, and those that a migration needs."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._bound = self._already(_ROOT)
        self._needed: dict[str, list[str]] = {}
        self._whole = False

    def need(self, name: str, module: str = _ROOT) -> str:
        """How code in this module refers to `name` of `module`. `edits` adds the import, if it is missing."""
        bound = self._bound if module == _ROOT else self._already(module)
        if name in bound:
            return bound[name]
        wanted = self._needed.setdefault(module, [])
        if name in self._tree.identifiers and name not in wanted:
            # The module has a name like that of its own: spell ours out.
            self._whole = True
            return f"{_ROOT}.{name}" if module == _ROOT else f"{module}.{name}"
        if name not in wanted:
            wanted.append(name)
        return name

    def edits(self, newline: str) -> list[Edit]:
        """The edits that add imports."""
        lines: list[str] = []
        edits: list[Edit] = []
        if self._whole and not self._imports_root():
            lines.append(f"import {_ROOT}")
        for module, names in sorted(self._needed.items()):
            if not names:
                continue
            existing = next(self._imports_from(module), None)
            if existing is not None:
                edits.append(self._extended(*existing, sorted(names)))
            else:
                lines.append(f"from {module} import {', '.join(sorted(names))}")
        return [*edits, *([self._inserted(lines, newline)] if lines else [])]

    def idle(self, edits: list[Edit]) -> list[Edit]:
        """The edits that remove imports which `edits` leave unused."""
        lines = [line for line in self._tree.module.body if isinstance(line, cst.SimpleStatementLine)]
        return [e for line in lines if len(line.body) == 1 for e in self._idle_in(line, line.body[0], edits)]

    def _idle_in(self, line: cst.SimpleStatementLine, small: cst.CSTNode, edits: list[Edit]) -> list[Edit]:
        if isinstance(small, cst.ImportFrom) and self._module_of(small) in _TIDIED and not small.relative:
            aliases = [] if isinstance(small.names, cst.ImportStar) else list(small.names)
        elif isinstance(small, cst.Import) and self._tree.whole(small.names[0].name) in _TIDIED:
            aliases = list(small.names)
        else:
            return []
        idle = [alias for alias in aliases if self._is_idle(alias, edits)]
        if idle and len(idle) == len(aliases):
            start, _ = self._tree.span(line)
            return [Edit(start, self._past_blank(start, self._line_end(line)), "")]
        return [edit for alias in idle for edit in self._without(aliases, alias)]

    def _past_blank(self, start: int, end: int) -> int:
        """`end`, or past the blank line there where another one stands before `start`."""
        blank = re.compile(r"[ \t]*(?:\r\n?|\n)")
        before = re.search(r"(?:\A|[\r\n])[ \t]*(?:\r\n?|\n)\Z", self._tree.text[:start][-200:])
        found = blank.match(self._tree.text, end)
        return found.end() if before and found else end

    def _is_idle(self, alias: cst.ImportAlias, edits: list[Edit]) -> bool:
        name = alias.evaluated_alias or alias.evaluated_name
        scope = self._tree.scope(self._tree.module)
        if scope is None or f'"{name}"' in self._tree.text or f"'{name}'" in self._tree.text:
            return False
        places = [self._tree.span(access.node) for a in scope[name] for access in a.references]
        return bool(places) and all(
            any(e.start <= start and end <= e.end and name not in e.text for e in edits)
            for start, end in places
        )

    def _without(self, aliases: list[cst.ImportAlias], alias: cst.ImportAlias) -> list[Edit]:
        at = aliases.index(alias)
        start, end = self._tree.span(alias)
        if at + 1 < len(aliases):
            end = self._tree.span(aliases[at + 1])[0]
        else:
            start = self._tree.span(aliases[at - 1])[1]
            end = self._tree.span(alias.name)[1] if alias.asname is None else end
        return [Edit(start, end, "")] if "#" not in self._tree.text[start:end] else []

    def after(self) -> int:
        """The offset at which the imports of the module's head end."""
        last: cst.CSTNode | None = None
        for line in self._tree.module.body:
            if _imports_only(line):
                last = line
            elif not _is_docstring(line):
                break
        return self._line_end(last) if last is not None else self._start()

    def _already(self, module: str) -> dict[str, str]:
        return {
            alias.name.value: alias.evaluated_alias or alias.name.value
            for _, aliases in self._imports_from(module)
            for alias in aliases
            if isinstance(alias.name, cst.Name)
        }

    def _statements(self) -> Iterator[cst.BaseSmallStatement]:
        """The simple statements of the module's own level."""
        for line in self._tree.module.body:
            if isinstance(line, cst.SimpleStatementLine):
                yield from line.body

    def _imports_from(self, module: str) -> Iterator[tuple[cst.ImportFrom, Sequence[cst.ImportAlias]]]:
        for small in self._statements():
            if not isinstance(small, cst.ImportFrom) or isinstance(small.names, cst.ImportStar):
                continue
            if self._module_of(small) == module:
                yield small, small.names

    def _module_of(self, statement: cst.ImportFrom) -> str:
        return self._tree.whole(statement.module) if statement.module and not statement.relative else ""

    def _imports_root(self) -> bool:
        return any(
            isinstance(small, cst.Import) and any(self._tree.whole(a) == _ROOT for a in small.names)
            for small in self._statements()
        )

    def _extended(
        self, statement: cst.ImportFrom, aliases: Sequence[cst.ImportAlias], names: list[str]
    ) -> Edit:
        last = aliases[-1]
        before = self._tree.text[: self._tree.span(last.name)[0]]
        indent = re.search(r"(\r\n?|\n)([ \t]*)\Z", before)
        glue = f",{indent.group(1)}{indent.group(2)}" if statement.lpar and indent else ", "
        later = [a for a in aliases if a.evaluated_name > names[-1]]
        if later and glue == ", ":
            start = self._tree.span(later[0])[0]
            return Edit(start, start, "".join(f"{name}, " for name in names))
        end = self._tree.span(last.asname if last.asname else last.name)[1]
        return Edit(end, end, "".join(f"{glue}{name}" for name in names))

    def _inserted(self, lines: list[str], newline: str) -> Edit:
        anchor = self._anchor()
        text = newline.join(lines) + newline
        if anchor is None:
            start = self._start()
            return Edit(start, start, text if start == 0 or not self._docstring() else newline + text)
        end = self._line_end(anchor)
        ended = self._tree.text[end - 1 : end] in ("\n", "\r") or end == 0
        first = self._tree.text[self._tree.span(anchor)[0] : self._tree.span(anchor)[1]]
        gap = newline if isinstance(anchor.body[0], cst.ImportFrom) and "__future__" in first else ""
        return Edit(end, end, (gap if ended else newline + gap) + text)

    def _anchor(self) -> cst.SimpleStatementLine | None:
        """The import after which ours belong: in the block of the SDK's imports, in alphabetical order."""
        head: list[cst.SimpleStatementLine] = []
        for line in self._tree.module.body:
            if not isinstance(line, cst.SimpleStatementLine):
                break
            if isinstance(line.body[0], (cst.Import, cst.ImportFrom)):
                head.append(line)
            elif head or not _is_docstring(line):
                break
        roots = [self._root(line) for line in head]
        sdk = [i for i, root in enumerate(roots) if root in ("mcp", "mcp_types", "fastmcp")]
        if not sdk:
            return head[-1] if head else None
        at = sdk[-1]
        while at + 1 < len(head) and not head[at + 1].leading_lines and roots[at + 1].lower() <= _ROOT:
            if self._relative(head[at + 1]):
                break
            at += 1
        return head[at]

    def _root(self, line: cst.SimpleStatementLine) -> str:
        small = line.body[0]
        if isinstance(small, cst.ImportFrom):
            return self._module_of(small).split(".")[0]
        return self._tree.whole(small.names[0].name).split(".")[0] if isinstance(small, cst.Import) else ""

    def _relative(self, line: cst.SimpleStatementLine) -> bool:
        return isinstance(line.body[0], cst.ImportFrom) and bool(line.body[0].relative)

    def _docstring(self) -> bool:
        body = self._tree.module.body
        return bool(body) and _is_docstring(body[0])

    def _start(self) -> int:
        """Where the first statement after the docstring may go, in a module without imports at its head."""
        body = self._tree.module.body
        if body and _is_docstring(body[0]):
            return self._line_end(body[0])
        if not body:
            return len(self._tree.text)
        start = self._tree.span(body[0])[0]
        if isinstance(body[0], (cst.FunctionDef, cst.ClassDef)) and body[0].decorators:
            start = min(start, self._tree.span(body[0].decorators[0])[0])
        text = self._tree.text
        return max(text.rfind("\n", 0, start), text.rfind("\r", 0, start)) + 1

    def _line_end(self, line: cst.CSTNode | None) -> int:
        end = self._tree.span(line)[1] if line is not None else 0
        if self._tree.text[end - 1 : end] in ("\n", "\r"):
            return end
        found = re.compile(r"[^\r\n]*(?:\r\n?|\n|\Z)").match(self._tree.text, end)
        return found.end() if found else len(self._tree.text)


def _is_docstring(line: cst.CSTNode) -> bool:
    if not isinstance(line, cst.SimpleStatementLine) or len(line.body) != 1:
        return False
    only = line.body[0]
    return isinstance(only, cst.Expr) and isinstance(only.value, (cst.SimpleString, cst.ConcatenatedString))


def _imports_only(line: cst.CSTNode) -> bool:
    if isinstance(line, cst.SimpleStatementLine):
        return all(isinstance(small, (cst.Import, cst.ImportFrom)) for small in line.body)
    if isinstance(line, (cst.If, cst.Try)):
        return all(_imports_only(inner) for inner in line.body.body)
    return False
