"""What an admitted schema can cost an engine: its expanded size, its depth, its evaluations of one value.

All is counted on the graph of its subschemas, iteratively, before an engine sees the schema. The counts are upper
bounds for an engine that stops at a recursion (jsonschema-rs does): edges are cut at the back edges of a depth-first
walk, in both orders, since an engine may take either.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from typedtool.schemas.admission import Admitted, SchemaNode
from typedtool.schemas.keywords import KEYWORDS, Keyword
from typedtool.values.guards import is_dict

__all__ = ["Expansion", "expansion_of", "loop_in"]

_CAP = 10**12
_METASCHEMA = 300
"""A whole metaschema, its vocabularies included."""

Edges = Sequence[Sequence[int]]


class Expansion(Struct, frozen=True):
    """The cost of a schema. Counts end at 10**12.

    size: schemas, with references written out and recursion cut.
    evaluations: the most schemas that are evaluated for any one value within the value judged.
    chain: the longest way from schema to schema on the same value.
    recursions: the schemas that lead back to themselves. With any, the value's depth decides how deep an
        engine goes; with two or more, it forgets what it has evaluated.
    """

    size: float
    evaluations: float
    chain: int
    recursions: int

    @property
    def recursive(self) -> bool:
        """Whether any schema leads back to itself."""
        return self.recursions > 0


def loop_in(admitted: Admitted) -> int | None:
    """A node that refers to itself without going down into the value, or None: such a schema never ends."""
    return _ordered(admitted.same)[1]


def _ordered(edges: Edges) -> tuple[list[int], int | None]:
    """All nodes, each after those it leads to; or a node on a cycle."""
    state = bytearray(len(edges))
    order: list[int] = []
    for root in range(len(edges)):
        if state[root]:
            continue
        state[root] = 1
        stack = [(root, iter(edges[root]))]
        while stack:
            node, rest = stack[-1]
            for other in rest:
                if state[other] == 1:
                    return order, other
                if not state[other]:
                    state[other] = 1
                    stack.append((other, iter(edges[other])))
                    break
            else:
                state[node] = 2
                order.append(node)
                stack.pop()
    return order, None


def expansion_of(admitted: Admitted, own: Sequence[float] | None = None) -> Expansion:
    """The expansion of a schema without loops. `own`: the work of each subschema by itself, by default its keywords'."""
    count = len(admitted.nodes)
    costs: Sequence[float] = own or [_own(i, node, admitted) for i, node in enumerate(admitted.nodes)]
    times = [_repeats(node) for node in admitted.nodes]
    below = [(*admitted.named[i], *admitted.each[i]) for i in range(count)]
    chains = [0] * count
    for node in _ordered(admitted.same)[0]:
        chains[node] = 1 + max((chains[other] for other in admitted.same[node]), default=-1)
    size = evaluations = 0.0
    recursions = 2 * len(admitted.metaschemas)
    for reverse in (False, True):
        cut, starts, order = _cut([(*admitted.same[i], *below[i]) for i in range(count)], reverse)
        recursions = max(recursions, len({target for _, target in cut}))
        sizes, most, here = [0.0] * count, [0.0] * count, [0.0] * count
        for i in order:
            same = [j for j in admitted.same[i] if (i, j) not in cut]
            named = [j for j in admitted.named[i] if (i, j) not in cut]
            each = [j for j in admitted.each[i] if (i, j) not in cut]
            sizes[i] = min(
                _CAP, costs[i] + times[i] * sum(sizes[j] for j in same) + sum(sizes[j] for j in named + each)
            )
            here[i] = min(_CAP, costs[i] + times[i] * sum(here[j] for j in same))
            # One child value meets one of the named schemas, all of the others, and what the other schemas of
            # the same value have for it.
            down = max((most[j] for j in named), default=0) + sum(most[j] for j in each)
            most[i] = min(_CAP, max(here[i], down + times[i] * sum(most[j] for j in same)))
        size = max(size, min(_CAP, sum(sizes[i] for i in starts)))
        evaluations = max(evaluations, min(_CAP, sum(most[i] for i in starts)))
        if not cut:
            break  # without a recursion, both orders count the same
    return Expansion(size, evaluations, max(chains, default=0), recursions)


def _cut(edges: Edges, reverse: bool) -> tuple[set[tuple[int, int]], set[int], list[int]]:
    """A depth-first walk from the root: its back edges, the root and their targets, and the post-order."""
    state = bytearray(len(edges))
    cut: set[tuple[int, int]] = set()
    starts = {0}
    order: list[int] = []
    state[0] = 1
    stack = [(0, iter(edges[0][::-1] if reverse else edges[0]))]
    while stack:
        node, rest = stack[-1]
        for other in rest:
            if state[other] == 1:
                cut.add((node, other))
                starts.add(other)
            elif not state[other]:
                state[other] = 1
                stack.append((other, iter(edges[other][::-1] if reverse else edges[other])))
                break
        else:
            state[node] = 2
            order.append(node)
            stack.pop()
    return cut, starts, order


def _repeats(node: SchemaNode) -> int:
    """How often the subschemas in place of this one are evaluated."""
    return 1 + sum(keyword.repeats for keyword, _ in _known(node))


def _own(index: int, node: SchemaNode, admitted: Admitted) -> int:
    eighths = sum(keyword.cost(held) for keyword, held in _known(node) if keyword.cost is not None)
    return 1 + eighths // 8 + (_METASCHEMA if index in admitted.metaschemas else 0)


def _known(node: SchemaNode) -> list[tuple[Keyword, Any]]:
    schema: Any = node.schema
    held = schema if is_dict(schema) else {}
    return [(KEYWORDS[name], value) for name, value in held.items() if name in KEYWORDS]
