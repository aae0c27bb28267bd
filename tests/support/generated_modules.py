"""What tests of codegen share: generated modules imported, their types compared."""

from __future__ import annotations

import ast
import itertools
import json
import sys
import types
from collections import deque
from typing import Any

from typedtool import Decoder, Mismatch, Ok
from typedtool.codegen import types_for
from typedtool.types.reading import shape_of
from typedtool.types.shapes import (
    ArrayShape,
    FormatShape,
    LiteralShape,
    MapShape,
    ObjectShape,
    Shape,
    TupleShape,
    UnionShape,
    UnsetShape,
)

_numbers = itertools.count()


def imported(source: str) -> Any:
    """The module of a source, under a name of its own."""
    module = types.ModuleType(f"generated_{next(_numbers)}")
    sys.modules[module.__name__] = module
    exec(compile(source, module.__name__, "exec"), module.__dict__)
    return module


def assigned(source: str) -> dict[str, ast.stmt]:
    """What a module defines, by name. Only what codegen may write is allowed in it."""
    found: dict[str, ast.stmt] = {}
    for statement in ast.parse(source).body:
        match statement:
            case ast.Expr(value=ast.Constant(value=str())) | ast.ImportFrom() | ast.Import():
                continue
            case ast.ClassDef(name=name, bases=[ast.Name(id="Struct" | "Toolset")], decorator_list=[]):
                for inside in statement.body:
                    check_member(inside)
            case ast.Assign(
                targets=[ast.Name(id=name)], value=ast.Call(func=ast.Subscript(), args=[argument])
            ):
                assert isinstance(statement.value, ast.Call) and not statement.value.keywords
                assert isinstance(statement.value.func, ast.Subscript)
                assert isinstance(statement.value.func.value, ast.Name)
                assert statement.value.func.value.id == "TypedTool"
                assert isinstance(argument, ast.Constant) and isinstance(argument.value, str)
            case _:
                raise AssertionError(f"not for a generated module: {ast.dump(statement)[:200]}")
        assert name not in found, name
        found[name] = statement
    return found


def check_member(statement: ast.stmt) -> None:
    """Fields, tools and docstrings: nothing else belongs into a class."""
    match statement:
        case ast.Expr(value=ast.Constant(value=str())):
            return
        case ast.AnnAssign(target=ast.Name(), value=None):
            return
        case ast.AnnAssign(target=ast.Name(), value=ast.Name(id="UNSET")):
            return
        case ast.AnnAssign(target=ast.Name(), value=ast.Call(func=ast.Name(id="field"), args=[])):
            return
        case ast.Assign(targets=[ast.Name(id=left)], value=ast.Name(id=right)):
            assert left == right
        case _:
            raise AssertionError(f"not for a generated class: {ast.dump(statement)[:200]}")


def structure(tp: Any) -> str:
    """A type as a text that is the same for types that take and give the same, whatever made them."""
    numbers: dict[int, int] = {}
    queue: deque[ObjectShape] = deque()
    root = _text(shape_of(tp), numbers, queue)
    parts = [root]
    while queue:
        shape = queue.popleft()
        fields = [
            f"{f.name}{'!' if f.required else '?'}{_text(f.shape, numbers, queue)}" for f in shape.fields
        ]
        parts.append(f"{shape.cls.__name__} {shape.tag_field}={shape.tag!r} {shape.closed} {fields}")
    return "\n".join(parts)


def _text(shape: Shape, numbers: dict[int, int], queue: deque[ObjectShape]) -> str:
    def of(inner: Shape) -> str:
        return _text(inner, numbers, queue)

    bounds = getattr(shape, "bounds", None) or ""
    name = type(shape).__name__
    match shape:
        case ObjectShape():
            if id(shape) not in numbers:
                numbers[id(shape)] = len(numbers)
                queue.append(shape)
            return f"#{numbers[id(shape)]}"
        case ArrayShape():
            return f"[{of(shape.item)}]{bounds}"
        case MapShape():
            return f"{{{of(shape.key)}: {of(shape.value)}}}{bounds}"
        case TupleShape():
            return f"({', '.join(map(of, shape.items))})"
        case UnionShape():
            return " | ".join(of(m) for m in shape.members if not isinstance(m, UnsetShape))
        case LiteralShape():
            return repr(shape.values)
        case FormatShape():
            return str(shape.cls)
        case _:
            return f"{name}{bounds}"


# --- listings -----------------------------------------------------------------------------------------------

WEATHER: dict[str, Any] = {
    "serverInfo": {"name": "weather", "version": "1.2"},
    "tools": [
        {
            "name": "get-weather-forecast",
            "description": "The forecast for a place,\nhour by hour.",
            "inputSchema": {
                "type": "object",
                "properties": {
                    "location": {"type": "string", "minLength": 1},
                    "hoursAhead": {"type": "integer", "minimum": 1, "maximum": 48, "default": 12},
                },
                "required": ["location"],
            },
            "outputSchema": {
                "type": "object",
                "properties": {
                    "result": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "properties": {
                                "hour": {"type": "string", "format": "date-time"},
                                "temp": {"type": ["number", "null"], "description": "In degrees Celsius"},
                                "conditions": {"enum": ["sun", "rain"]},
                            },
                            "required": ["hour", "temp"],
                        },
                    }
                },
                "required": ["result"],
                "x-fastmcp-wrap-result": True,
            },
        },
        {"name": "get-count", "inputSchema": {"type": "object"}, "outputSchema": {"type": "integer"}},
        {"name": "shout", "inputSchema": {"type": "object"}},
    ],
}


def tool(output: Any = None, input: Any = None, name: str = "look-up", **more: Any) -> dict[str, Any]:
    entry: dict[str, Any] = {"name": name, "inputSchema": input or {"type": "object"}, **more}
    return entry if output is None else {**entry, "outputSchema": output}


def obj(required: str = "", **properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": required.split()}


def listing(*tools: dict[str, Any]) -> dict[str, Any]:
    return {"tools": list(tools)}


def output_of(schema: Any) -> Any:
    return types_for(tool(schema))[1]


def decoded(schema: Any, value: Any) -> Any:
    """The value as the generated type, by type alone: without the schema."""
    outcome = Decoder(output_of(schema)).read({"content": [], "structuredContent": value})
    return outcome.value if isinstance(outcome, Ok) else outcome


def refused(schema: Any, value: Any) -> bool:
    return isinstance(decoded(schema, value), Mismatch)


CAT = obj("kind lives", kind={"const": "cat"}, lives={"type": "integer"})
DOG = obj("kind name", kind={"const": "dog"}, name={"type": "string"})


def text(value: Any) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": value if isinstance(value, str) else json.dumps(value)}]}
