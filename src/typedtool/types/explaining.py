"""What is wrong with a value that did not fit its type: every problem, each with its exact path, up to a bound.

A walk over shape and value together, made on failure only. The verdict on a leaf is msgspec's own, so that an
explanation can never disagree with the decoder.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Meta

from typedtool.errors import Problem, kind_of
from typedtool.types.hints import type_name
from typedtool.types.hooks import convert_custom
from typedtool.types.integers import with_integers
from typedtool.types.lowering import Decoding
from typedtool.types.shapes import (
    AnyShape,
    ArrayShape,
    BoolShape,
    CustomShape,
    EnumShape,
    FloatShape,
    IntShape,
    LiteralShape,
    MapShape,
    NullShape,
    ObjectShape,
    Shape,
    StrShape,
    TupleShape,
    UnionShape,
    UnsetShape,
    kinds,
    tag_field_of,
)
from typedtool.values.budgets import Budget
from typedtool.values.locations import path_segment

__all__ = ["explain"]


def explain(
    shape: Shape, value: object, budget: Budget, *, lax: bool = False, path: str = "$"
) -> tuple[Problem, ...]:
    """Why `value` does not fit `shape`: at most `budget.problems` problems; none where it fits.

    Example:
        >>> [str(p) for p in explain(shape_of(dict[str, int]), {"a b": "x"}, Budget())]
        ['expected integer, received string at $["a b"]']
    """
    explanation = _Explanation(budget, lax)
    explanation.look(shape, value, path, 0)
    if not explanation.problems and not _fits(shape.type, with_integers(shape, value), lax, budget):
        explanation.add("value", path, f"what {type_name(shape.type)} takes", value)
    return tuple(explanation.problems)


class _Explanation:
    def __init__(self, budget: Budget, lax: bool) -> None:
        self.budget = budget
        self.lax = lax
        self.problems: list[Problem] = []
        self.nodes = 50_000
        self.deepest = 0

    @property
    def over(self) -> bool:
        return self.nodes < 0 or len(self.problems) >= self.budget.problems

    def add(self, code: str, path: str, expected: str, value: object, received: str | None = None) -> None:
        if len(self.problems) < self.budget.problems:
            self.problems.append(
                Problem(code, path, expected, kind_of(value) if received is None else received)
            )

    def look(self, shape: Shape, value: Any, path: str, depth: int) -> None:
        """Add the problems of `value` under `shape`."""
        self.nodes -= 1
        self.deepest = max(self.deepest, depth)
        if self.over or depth > self.budget.depth or isinstance(shape, AnyShape):
            return
        kind = kind_of(value)
        if isinstance(shape, UnionShape):
            self.union(shape, value, path, depth, kind)
        elif isinstance(shape, CustomShape):
            self.custom(shape, value, path)
        elif kind not in kinds(shape) and not self.takes_anyway(shape, value):
            self.add("type", path, _expected(shape), value)
        elif isinstance(shape, ObjectShape):
            (self.array_object if shape.array else self.object)(shape, value, path, depth)
        elif isinstance(shape, MapShape):
            self.map(shape, value, path, depth)
        elif isinstance(shape, (ArrayShape, TupleShape)):
            self.array(shape, value, path, depth)
        elif not isinstance(shape, (NullShape, BoolShape)):
            self.leaf(shape, value, path)

    def takes_anyway(self, shape: Shape, value: Any) -> bool:
        """An integral float where an integer is wanted (rule 5 of decoding), a spelt number where the tool is lax."""
        if isinstance(value, float):
            return value.is_integer() and "integer" in kinds(shape)
        return (
            self.lax
            and isinstance(value, str)
            and not kinds(shape).isdisjoint({"integer", "number", "boolean", "null"})
        )

    def leaf(self, shape: Shape, value: Any, path: str) -> None:
        if isinstance(value, float) and value.is_integer() and "number" not in kinds(shape):
            value = int(value)
        if not _fits(shape.type, value, self.lax):
            self.add("value", path, _expected(shape), value, f"another {kind_of(value)}")

    def custom(self, shape: CustomShape, value: Any, path: str) -> None:
        try:
            convert_custom(shape.type, value, Decoding(self.budget, self.lax).hook, lax=self.lax)
        except ValueError as error:
            self.custom_errors(shape, value, path, error)

    def custom_errors(self, shape: CustomShape, value: Any, path: str, error: ValueError) -> None:
        """pydantic lists its own errors with their places; the message of any other class may quote the value."""
        listed: Any = getattr(error, "errors", None)
        found: Any = listed(include_url=False, include_input=True) if callable(listed) else []
        for each in found:
            where = path + "".join(map(path_segment, each.get("loc", ())))
            said = str(each.get("msg", "")).removeprefix("Input should be ")
            self.add("value", where, said[:120], each.get("input"))
        if not found:
            self.add("value", path, type_name(shape.type), value)

    def array(self, shape: ArrayShape | TupleShape, value: Any, path: str, depth: int) -> None:
        if isinstance(shape, TupleShape):
            if len(value) != len(shape.items):
                self.add("length", path, f"{len(shape.items)} items", value, f"{len(value)} items")
            for i, (item, part) in enumerate(zip(shape.items, value)):
                self.look(item, part, f"{path}[{i}]", depth + 1)
            return
        self.length(shape.bounds, value, path, "items")
        fast = _struct_of(shape.item)
        for i, part in enumerate(value):
            if self.over:
                return
            if fast is None or not _fits(fast, part, self.lax):
                self.look(shape.item, part, f"{path}[{i}]", depth + 1)

    def map(self, shape: MapShape, value: Any, path: str, depth: int) -> None:
        self.length(shape.bounds, value, path, "properties")
        keyed: Any = dict[shape.key.type, Any]  # type: ignore[name-defined]
        plain = isinstance(shape.key, AnyShape) or (
            isinstance(shape.key, StrShape) and shape.key.bounds is None
        )
        for key, part in value.items():
            if self.over:
                return
            where = path + path_segment(key if isinstance(key, str) else str(key))
            if not plain and not _fits(keyed, {key: None}, self.lax):
                self.add("key", where, f"a key that is {_expected(shape.key)}", key, "another key")
            self.look(shape.value, part, where, depth + 1)

    def length(self, bounds: Meta | None, value: Any, path: str, what: str) -> None:
        if bounds is None:
            return
        if bounds.min_length is not None and len(value) < bounds.min_length:
            self.add("length", path, f"at least {bounds.min_length} {what}", value, f"{len(value)} {what}")
        if bounds.max_length is not None and len(value) > bounds.max_length:
            self.add("length", path, f"at most {bounds.max_length} {what}", value, f"{len(value)} {what}")

    def object(self, shape: ObjectShape, value: Any, path: str, depth: int) -> None:
        before = len(self.problems)
        if shape.tag_field is not None and shape.tag_field in value and value[shape.tag_field] != shape.tag:
            self.add(
                "tag", path + path_segment(shape.tag_field), repr(shape.tag)[:80], value[shape.tag_field]
            )
        for field in shape.fields:
            where = path + path_segment(field.name)
            if field.name in value:
                self.look(field.shape, value[field.name], where, depth + 1)
            elif field.required:
                self.add("missing", where, _expected(field.shape), value, "nothing")
        if shape.closed:
            for key in value:
                if key not in shape.names:
                    self.add("unknown", path + path_segment(key), "no such property", value[key])
        if len(self.problems) > before or self.over:
            return
        if not _fits(shape.type, with_integers(shape, value), self.lax, self.budget):
            self.add("value", path, f"what {type_name(shape.type)} checks itself", value)

    def array_object(self, shape: ObjectShape, value: Any, path: str, depth: int) -> None:
        fields = list(enumerate(shape.fields, shape.tag_field is not None))
        least = sum(f.required for f in shape.fields)
        if len(value) < least:
            self.add("length", path, f"at least {least} items", value, f"{len(value)} items")
        for i, field in fields:
            if i < len(value):
                self.look(field.shape, value[i], f"{path}[{i}]", depth + 1)

    def union(self, shape: UnionShape, value: Any, path: str, depth: int, kind: str) -> None:
        takers = [m for m in shape.members if kind in kinds(m) or self.takes_anyway(m, value)]
        if not takers:
            return self.add("type", path, _expected(shape), value)
        tag = tag_field_of(shape) if kind == "object" else None
        if tag is not None and len(takers) > 1:
            return self.tagged(takers, tag, value, path, depth)
        if len(takers) == 1:
            return self.look(takers[0], value, path, depth)
        best: _Explanation | None = None
        for member in takers:  # the member that got deepest says most of what was meant
            trial = _Explanation(self.budget, self.lax)
            trial.nodes = self.nodes // (len(takers) + 1)
            trial.look(member, value, path, depth)
            self.nodes -= 1
            if not trial.problems:
                return None
            if best is None or (trial.deepest, -len(trial.problems)) > (best.deepest, -len(best.problems)):
                best = trial
        if best is not None and best.deepest > depth:
            self.problems.extend(best.problems[: self.budget.problems - len(self.problems)])
        else:
            self.add("value", path, _expected(shape), value)
        return None

    def tagged(self, takers: list[Shape], tag: str, value: Any, path: str, depth: int) -> None:
        objects = [m for m in takers if isinstance(m, ObjectShape)]
        where = path + path_segment(tag)
        tags = " or ".join(repr(m.tag)[:40] for m in objects[:8])
        if tag not in value:
            return self.add("missing", where, tags, value, "nothing")
        for member in objects:
            if member.tag == value[tag]:
                return self.object(member, value, path, depth)
        return self.add(
            "tag", where, tags, value[tag], "another tag" if isinstance(value[tag], str) else None
        )


# --- leaves ---------------------------------------------------------------------------------------------------------


def _struct_of(shape: Shape) -> Any:
    tp: Any = shape.type
    return tp if isinstance(shape, ObjectShape) and hasattr(tp, "__struct_fields__") else None


def _fits(tp: Any, value: Any, lax: bool, budget: Budget | None = None) -> bool:
    """msgspec's own verdict. What only a lowered type could say counts as fitting: its parts are looked at."""
    hook = Decoding(budget or Budget(), lax).hook
    try:
        msgspec.convert(value, tp, strict=not lax, str_keys=True, dec_hook=hook)
    except msgspec.ValidationError:
        return False
    except (TypeError, RecursionError):
        return budget is not None
    return True


_WORDS: dict[type[Shape], str] = {
    NullShape: "null",
    BoolShape: "boolean",
    IntShape: "integer",
    FloatShape: "number",
    StrShape: "string",
    ArrayShape: "array",
    MapShape: "object",
    UnsetShape: "nothing",
}


def _expected(shape: Shape) -> str:
    """What a shape takes, in JSON Schema's words where there are any."""
    if isinstance(shape, UnionShape):
        return " or ".join(dict.fromkeys(map(_expected, shape.members[:8])))
    if isinstance(shape, LiteralShape):
        return _listed(shape.values)
    if isinstance(shape, EnumShape):
        return f"{type_name(shape.type)} ({_listed(shape.values)})"
    if isinstance(shape, TupleShape):
        return f"array of {len(shape.items)} items"
    word = _WORDS.get(type(shape))
    if word is None:
        return type_name(getattr(shape, "cls", shape.type))
    bounds = getattr(shape, "bounds", None)
    said = [f"{name} {getattr(bounds, name)}" for name in _BOUNDS if getattr(bounds, name, None) is not None]
    return f"{word} ({', '.join(said)})"[:120] if said and word not in ("array", "object") else word


_BOUNDS = ("gt", "ge", "lt", "le", "multiple_of", "min_length", "max_length", "pattern", "tz")


def _listed(values: tuple[Any, ...]) -> str:
    shown = " or ".join(repr(v)[:40] for v in values[:6])
    return shown if len(values) <= 6 else f"{shown} or {len(values) - 6} others"
