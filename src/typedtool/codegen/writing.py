"""The syntax tree of a module from its plan: `module_of(plan) -> ast.Module`.

Foreign text enters as `ast.Constant` only; foreign names are made by `naming.identifier`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias, Union

from typedtool.codegen.layout import docstring
from typedtool.codegen.naming import IMPORTS
from typedtool.codegen.planning import Plan, PlannedTool, rename_of
from typedtool.codegen.type_tree import (
    ANYTHING,
    Array,
    Bounds,
    Choice,
    Either,
    Fixed,
    Map,
    Property,
    Record,
    RecordRef,
    Scalar,
    Type,
)

__all__ = ["annotation_of", "module_of", "package_of", "type_expression"]

_INDENT = 4
_IN_DOCSTRINGS = ("object", "merged", "kept")

Constant: TypeAlias = Union[str, int, bool, None]


def module_of(plan: Plan, heading: Sequence[str]) -> ast.Module:
    """The whole module. heading: the paragraphs of its docstring."""
    body = _structs(plan.shared)
    for tool in plan.tools:
        body += _structs(tool.records)
        body += _tool_of(tool)
    body += _toolset_of(plan)
    return ast.Module(body=[*_text(heading, 0), *_imports_of(body), *body], type_ignores=[])


def package_of(plan: Plan, heading: Sequence[str]) -> dict[str, ast.Module]:
    """The same as a package: a module a tool, one for shared definitions, and the toolset in `__init__`.

    The names of the modules end in `_tool`, so that none hides a constant.
    """
    shared = {record.name for record in plan.shared}
    found: dict[str, ast.Module] = {}
    if plan.shared:
        found["_shared"] = _part(_structs(plan.shared), [heading[0]], set())
    for tool in plan.tools:
        body = [*_structs(tool.records), *_tool_of(tool)]
        found[f"{tool.constant}_tool"] = _part(body, [heading[0]], shared)
    body = _toolset_of(plan)
    own = [_import_from(f"{tool.constant}_tool", (tool.constant,), level=1) for tool in plan.tools]
    own.sort(key=lambda statement: statement.module or "")
    names = sorted([*(tool.constant for tool in plan.tools), plan.toolset])
    listed = ast.List(elts=[ast.Constant(value=name) for name in names], ctx=ast.Load())
    every = ast.Assign(targets=[ast.Name(id="__all__", ctx=ast.Store())], value=listed)
    found["__init__"] = ast.Module(
        body=[*_text(heading, 0), *_imports_of(body), *own, every, *body], type_ignores=[]
    )
    return found


def _part(body: list[ast.stmt], heading: Sequence[str], shared: set[str]) -> ast.Module:
    used = sorted(_used(body) & shared)
    own = [_import_from("_shared", used, level=1)] if used else []
    return ast.Module(body=[*_text(heading, 0), *_imports_of(body), *own, *body], type_ignores=[])


def _used(body: Sequence[ast.stmt]) -> set[str]:
    return {node.id for statement in body for node in ast.walk(statement) if isinstance(node, ast.Name)}


def _imports_of(body: Sequence[ast.stmt]) -> list[ast.stmt]:
    """Imports of what these statements use, in isort's order."""
    used = _used(body)
    found: list[ast.stmt] = [_import_from("__future__", ("annotations",))]
    if "dt" in used:
        found.append(ast.Import(names=[ast.alias(name="datetime", asname="dt")]))
    for module, names in IMPORTS.items():
        if wanted := [name for name in names if name in used]:
            found.append(_import_from(module, wanted))
    return found


def _import_from(module: str, names: Iterable[str], level: int = 0) -> ast.ImportFrom:
    return ast.ImportFrom(module=module, names=[ast.alias(name=name) for name in names], level=level)


# --- tools --------------------------------------------------------------------------------------------------


def _tool_of(tool: PlannedTool) -> list[ast.stmt]:
    """The constant of a tool, with its description."""
    types = tool.types
    taken: ast.expr = ast.Constant(value=None) if types.input is None else type_expression(types.input)
    pair = ast.Tuple(elts=[taken, type_expression(types.output)], ctx=ast.Load())
    typed = ast.Subscript(value=_name("TypedTool"), slice=pair, ctx=ast.Load())
    made = ast.Call(func=typed, args=[ast.Constant(value=types.name)], keywords=[])
    said = [
        types.description,
        *[_sentence(note.text) for note in types.notes if note.kind in ("silent", "refused")],
    ]
    kept = [
        f"{note.where + ': ' if note.where else ''}{note.text}"
        for note in types.notes
        if note.kind in _IN_DOCSTRINGS
    ]
    if kept:
        said.append("\n".join(("Not in the types:", *(f"- {line}" for line in dict.fromkeys(kept)))))
    target = ast.Name(id=tool.constant, ctx=ast.Store())
    return [ast.Assign(targets=[target], value=made), *_text(said, 0)]


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")


def _toolset_of(plan: Plan) -> list[ast.stmt]:
    """The class that holds all tools."""
    body: list[ast.stmt] = _text(["The tools of this module, bound by one listing."], _INDENT)
    for tool in plan.tools:
        target = ast.Name(id=tool.constant, ctx=ast.Store())
        body.append(ast.Assign(targets=[target], value=_name(tool.constant)))
    return [_class(plan.toolset, "Toolset", [], body)]


# --- records ------------------------------------------------------------------------------------------------


def _structs(records: Iterable[Record]) -> list[ast.stmt]:
    return [_struct(record) for record in records]


def _struct(record: Record) -> ast.stmt:
    style, names = rename_of(record)
    options: list[tuple[str, Constant]] = [("kw_only", True)] if record.properties else []
    if style is not None:
        options.append(("rename", style))
    if record.tag_field is not None:
        options += [("tag_field", record.tag_field), ("tag", record.tag)]
    if record.closed:
        options.append(("forbid_unknown_fields", True))
    body = _text([record.description, *record.remarks], _INDENT)
    for item in record.properties:
        body.append(_field(item, names.get(item.attribute)))
        body += _text([_about(item)], _INDENT)
    if not body:
        body = _text(["No property is known."], _INDENT)
    return _class(record.name, "Struct", options, body)


def _about(item: Property) -> str:
    """The docstring of a field: the description of its property, and in brackets what its type does not say."""
    text = item.description.strip()
    remarks = ", ".join(item.remarks)
    if not remarks:
        return text
    return f"{text} ({remarks})" if text else _sentence(remarks)


def annotation_of(item: Property) -> ast.expr:
    """The annotation of a field: its type, with `UnsetType` where it is not required."""
    annotation = type_expression(item.type)
    if item.required or item.type == ANYTHING:
        return annotation
    return _either(annotation, _name("UnsetType"))


def _field(item: Property, renamed: str | None) -> ast.stmt:
    value: ast.expr | None = None if item.required else _name("UNSET")
    if renamed is not None:
        keywords = [ast.keyword(arg="name", value=ast.Constant(value=renamed))]
        keywords += [] if value is None else [ast.keyword(arg="default", value=value)]
        value = ast.Call(func=_name("field"), args=[], keywords=keywords)
    target = ast.Name(id=item.attribute, ctx=ast.Store())
    return ast.AnnAssign(target=target, annotation=annotation_of(item), value=value, simple=1)


def _class(name: str, base: str, options: Sequence[tuple[str, Constant]], body: list[ast.stmt]) -> ast.stmt:
    keywords = [ast.keyword(arg=key, value=ast.Constant(value=value)) for key, value in options]
    parts: dict[str, Any] = (
        {"type_params": []} if "type_params" in ast.ClassDef._fields else {}
    )  # Python 3.12
    return ast.ClassDef(
        name=name, bases=[_name(base)], keywords=keywords, body=body, decorator_list=[], **parts
    )


def _text(paragraphs: Iterable[str], indent: int) -> list[ast.stmt]:
    value = docstring(paragraphs, indent)
    return [] if value is None else [ast.Expr(value=ast.Constant(value=value))]


# --- types --------------------------------------------------------------------------------------------------


def type_expression(tp: Type) -> ast.expr:
    """The expression that a type is written as, in an annotation."""
    match tp:
        case Scalar(name="None"):
            return ast.Constant(value=None)
        case Scalar(name=name):
            base, _, attribute = name.partition(".")
            written = (
                ast.Attribute(value=_name(base), attr=attribute, ctx=ast.Load()) if attribute else _name(name)
            )
            return _bounded(written, tp.bounds)
        case Choice():
            return _subscript("Literal", [_constant(value) for value in tp.values])
        case Array():
            return _bounded(_subscript("list", [type_expression(tp.item)]), tp.bounds)
        case Map():
            return _bounded(_subscript("dict", [_name("str"), type_expression(tp.value)]), tp.bounds)
        case Fixed():
            return _subscript("tuple", [type_expression(item) for item in tp.items])
        case RecordRef():
            return _name(tp.record.name)
        case Either():
            return _union(tp)


def _union(tp: Either) -> ast.expr:
    members = [type_expression(member) for member in tp.members]
    if not tp.native:
        return _subscript("OneOf", members)
    found = members[0]
    for member in members[1:]:
        found = _either(found, member)
    return found


def _either(left: ast.expr, right: ast.expr) -> ast.expr:
    return ast.BinOp(left=left, op=ast.BitOr(), right=right)


def _bounded(tp: ast.expr, bounds: Bounds) -> ast.expr:
    if not bounds:
        return tp
    keywords = [ast.keyword(arg=name, value=_constant(value)) for name, value in bounds]
    return _subscript("Annotated", [tp, ast.Call(func=_name("Meta"), args=[], keywords=keywords)])


def _constant(value: int | float | str) -> ast.expr:
    """A constant; a negative number is written with a minus."""
    if isinstance(value, (int, float)) and value < 0:
        return ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=-value))
    return ast.Constant(value=value)


def _name(name: str) -> ast.expr:
    return ast.Name(id=name, ctx=ast.Load())


def _subscript(base: str, items: list[ast.expr]) -> ast.expr:
    inside = items[0] if len(items) == 1 else ast.Tuple(elts=items, ctx=ast.Load())
    return ast.Subscript(value=_name(base), slice=inside, ctx=ast.Load())
