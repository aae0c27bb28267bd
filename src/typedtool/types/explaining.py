"""What is wrong with a value that does not fit its type: every problem with its path, up to a bound.

A walk over shape and value together, made after decoding has failed. Whether a leaf fits is asked of msgspec, so that an
explanation cannot disagree with the decoder.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, get_origin

import msgspec

from typedtool.errors import BudgetExceeded, Problem, kind_of
from typedtool.types.hints import type_name
from typedtool.types.hooks import collection_type, convert_custom, custom_problems
from typedtool.types.integers import with_integers
from typedtool.types.lowering import Decoding, lower
from typedtool.types.reading import shape_of
from typedtool.types.shapes import (
    AnyShape,
    ArrayShape,
    CustomShape,
    Field,
    MapShape,
    ObjectShape,
    Shape,
    StrShape,
    TupleShape,
    UnionShape,
    children,
    kinds,
    tag_field_of,
)
from typedtool.types.words import broken_bound, expected, refusal
from typedtool.values.budgets import Budget
from typedtool.values.locations import path_segment
from typedtool.values.wording import limit, listed, sized

__all__ = ["explain"]

_NODES = 50_000
_SPELLED = frozenset({"integer", "number", "boolean", "null"})


def explain(
    shape: Shape, value: object, budget: Budget, *, lax: bool = False, path: str = "$"
) -> tuple[Problem, ...]:
    """Why `value` does not fit `shape`: at most `budget.problems` problems; none where it fits.

    The work is bounded by a count of values, never by time: the same value has the same problems on any machine.

    Example:
        >>> [str(p) for p in explain(shape_of(dict[str, int]), {"a b": "x"}, Budget())]
        ['expected integer, received string at $["a b"]']
    """
    explanation = _Explanation(budget, lax, Decoding(budget, lax), min(_NODES, budget.nodes), {})
    try:
        explanation.look(shape, value, path, 0)
        found = bool(explanation.problems) or explanation.accepts(shape, value)
    except BudgetExceeded:  # too many attempts at untagged unions
        found = bool(explanation.problems)
    if not found:
        explanation.add("type", path, f"a value that {type_name(shape.type)} accepts", sized(value))
    return tuple(explanation.problems)


class _Explanation:
    """The problems found so far; `nodes` more values may be looked at."""

    def __init__(
        self,
        budget: Budget,
        lax: bool,
        decoding: Decoding,
        nodes: int,
        lowered: dict[int, tuple[Shape, Any]],
    ) -> None:
        self.budget = budget
        self.lax = lax
        self.decoding = decoding
        self.nodes = nodes
        self.lowered = lowered  # each shape with its type: an id is only its own while the shape lives
        self.problems: list[Problem] = []
        self.deepest = 0

    @property
    def over(self) -> bool:
        return self.nodes < 0 or len(self.problems) >= self.budget.problems

    def add(self, code: str, path: str, expected: str, received: str) -> None:
        self.extend([Problem(code, path, expected, received)])

    def extend(self, problems: Sequence[Problem]) -> None:
        self.problems += problems[: self.budget.problems - len(self.problems)]

    def look(self, shape: Shape, value: Any, path: str, depth: int) -> None:
        """Adds the problems of `value` under `shape`."""
        self.nodes -= 1
        self.deepest = max(self.deepest, depth)
        if self.over or depth > self.budget.depth or isinstance(shape, AnyShape):
            return
        if isinstance(shape, UnionShape):
            self.union(shape, value, path, depth)
        elif isinstance(shape, CustomShape):
            self.custom(shape, value, path, depth)
        elif not self.takes_kind(shape, value):
            self.add("type", path, expected(shape), kind_of(value))
        elif isinstance(shape, ObjectShape):
            (self.array_object if shape.array else self.object)(shape, value, path, depth)
        elif isinstance(shape, MapShape):
            self.map(shape, value, path, depth)
        elif isinstance(shape, ArrayShape):
            self.array(shape, value, path, depth)
        elif isinstance(shape, TupleShape):
            self.count(value, path, len(shape.items), len(shape.items))
            for i, (item, part) in enumerate(zip(shape.items, value)):
                self.look(item, part, f"{path}[{i}]", depth + 1)
        else:
            self.leaf(shape, value, path)

    def takes_kind(self, shape: Shape, value: Any) -> bool:
        """Whether the shape takes values of this kind: `1.0` is an integer, and lax reads numbers from strings."""
        takes = kinds(shape)
        if kind_of(value) in takes:
            return True
        if isinstance(value, float):
            return value.is_integer() and "integer" in takes
        return self.lax and isinstance(value, str) and not takes.isdisjoint(_SPELLED)

    def leaf(self, shape: Shape, value: Any, path: str) -> None:
        if isinstance(value, float) and value.is_integer() and "number" not in kinds(shape):
            value = int(value)
        if not self.fits(shape.type, value):
            code, words = refusal(shape, value)
            self.add(code, path, words, kind_of(value) if code == "type" else sized(value))

    def custom(self, shape: CustomShape, value: Any, path: str, depth: int) -> None:
        made_from = collection_type(shape.type)
        if made_from is not None:
            return self.look(shape_of(made_from), value, path, depth)
        try:
            convert_custom(shape.type, value, self.decoding.hook, lax=self.lax)
        except ValueError as error:
            self.extend(custom_problems(shape.type, value, error, path))
        return None

    # --- arrays and objects -----------------------------------------------------------------------------------------

    def array(self, shape: ArrayShape, value: Any, path: str, depth: int) -> None:
        self.bounds(shape, value, path)
        quick = not children(shape.item) or hasattr(shape.item.type, "__struct_fields__")
        for i, part in enumerate(value):
            if self.over:
                return
            if not (quick and self.fits(shape.item.type, part)):
                self.look(shape.item, part, f"{path}[{i}]", depth + 1)

    def map(self, shape: MapShape, value: Any, path: str, depth: int) -> None:
        self.bounds(shape, value, path)
        keyed: Any = dict[shape.key.type, Any]  # type: ignore[name-defined]
        any_key = isinstance(shape.key, AnyShape) or (
            isinstance(shape.key, StrShape) and shape.key.bounds is None
        )
        for key, part in value.items():
            if self.over:
                return
            where = path + path_segment(key if isinstance(key, str) else str(key))
            if not any_key and not self.fits(keyed, {key: None}):
                self.add("propertyNames", where, f"{expected(shape.key)} as the property's name", sized(key))
            self.look(shape.value, part, where, depth + 1)

    def bounds(self, shape: ArrayShape | MapShape, value: Any, path: str) -> None:
        if (broken := broken_bound(shape.bounds, value)) is not None:
            self.add(broken[0], path, broken[1], sized(value))

    def count(self, value: Any, path: str, least: int, most: int | None) -> None:
        if len(value) < least:
            self.add("minItems", path, limit("minItems", least), sized(value))
        if most is not None and len(value) > most:
            self.add("maxItems", path, limit("maxItems", most), sized(value))

    def object(self, shape: ObjectShape, value: Any, path: str, depth: int) -> None:
        problems, nodes = len(self.problems), self.nodes
        tag = shape.tag_field
        if tag is not None and tag in value and value[tag] != shape.tag:
            self.add("const", path + path_segment(tag), listed([shape.tag]), sized(value[tag]))
        for field in shape.fields:
            where = path + path_segment(field.name)
            if field.name in value:
                self.look(field.shape, value[field.name], where, depth + 1)
            elif field.required:
                self.add("required", where, expected(field.shape), "nothing")
        if shape.closed:
            for key in value:
                if key not in shape.names:
                    self.add(
                        "additionalProperties",
                        path + path_segment(key),
                        "no such property",
                        kind_of(value[key]),
                    )
        if len(self.problems) == problems and not self.over and _checks_itself(shape):
            self.nodes -= nodes - self.nodes  # decoding costs as much again
            if not self.accepts(shape, value):
                self.add("type", path, f"a value that {type_name(shape.type)} accepts", sized(value))

    def array_object(self, shape: ObjectShape, value: Any, path: str, depth: int) -> None:
        fields: list[tuple[int, Field]] = list(enumerate(shape.fields, shape.tag_field is not None))
        least = len(fields) and max((i + 1 for i, field in fields if field.required), default=0)
        self.count(value, path, least, len(fields) + (shape.tag_field is not None) if shape.closed else None)
        if shape.tag_field is not None and value and value[0] != shape.tag:
            self.add("const", f"{path}[0]", listed([shape.tag]), sized(value[0]))
        for i, field in fields:
            if i < len(value):
                self.look(field.shape, value[i], f"{path}[{i}]", depth + 1)

    # --- unions -----------------------------------------------------------------------------------------------------

    def union(self, shape: UnionShape, value: Any, path: str, depth: int) -> None:
        takers = [m for m in shape.members if self.takes_kind(m, value)]
        if not takers:
            return self.add("type", path, expected(shape), kind_of(value))
        if len(takers) == 1:
            return self.look(takers[0], value, path, depth)
        tag = tag_field_of(shape) if kind_of(value) == "object" else None
        if tag is not None:
            return self.tagged(takers, tag, value, path, depth)
        best: _Explanation | None = None
        for member in takers:  # the member that got deepest says most of what was meant
            share = self.nodes // (len(takers) + 1)
            trial = _Explanation(self.budget, self.lax, self.decoding, share, self.lowered)
            trial.look(member, value, path, depth)
            self.nodes -= share - trial.nodes
            if not trial.problems:
                return None
            if best is None or (trial.deepest, -len(trial.problems)) > (best.deepest, -len(best.problems)):
                best = trial
        if best is not None and best.deepest > depth:
            return self.extend(best.problems)
        return self.add("anyOf", path, expected(shape), sized(value))

    def tagged(self, takers: list[Shape], tag: str, value: Any, path: str, depth: int) -> None:
        objects = [m for m in takers if isinstance(m, ObjectShape)]
        where = path + path_segment(tag)
        tags = listed([m.tag for m in objects])
        if tag not in value:
            return self.add("required", where, tags, "nothing")
        for member in objects:
            if member.tag == value[tag]:
                return self.object(member, value, path, depth)
        return self.add("enum", where, tags, sized(value[tag]))

    # --- msgspec's own verdict --------------------------------------------------------------------------------------

    def fits(self, tp: Any, value: Any) -> bool:
        """Whether msgspec takes the value as it is. False for a type that msgspec takes only once it is lowered."""
        try:
            msgspec.convert(value, tp, strict=not self.lax, str_keys=True, dec_hook=self.decoding.hook)
        except (msgspec.ValidationError, TypeError, RecursionError):
            return False
        return True

    def accepts(self, shape: Shape, value: Any) -> bool:
        """Whether the value decodes as a whole."""
        if id(shape) not in self.lowered:
            self.lowered[id(shape)] = (shape, lower(shape))
        return self.fits(self.lowered[id(shape)][1], with_integers(shape, value))


def _checks_itself(shape: ObjectShape) -> bool:
    """Whether the class of an object may refuse what all its fields take."""
    cls = get_origin(shape.cls) or shape.cls
    return hasattr(cls, "__post_init__") or hasattr(cls, "__attrs_attrs__")
