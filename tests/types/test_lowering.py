"""Types that msgspec refuses, lowered to types that it decodes."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from typedtool import Mismatch, Ok
from typedtool.decoding.decoder import Decoder


def test_an_untagged_union_never_costs_more_than_its_budget() -> None:
    class Node(Struct):
        kids: list[Node | Leaf | Twig] = []

    class Twig(Struct):
        kids: list[Node | Leaf | Twig]
        twig: int

    class Leaf(Struct):
        kids: list[Node | Leaf | Twig]
        leaf: int

    scope = {"Node": Node, "Leaf": Leaf, "Twig": Twig}
    for cls in scope.values():
        cls.__annotations__ = {
            k: eval(v, {**globals(), **scope}) if isinstance(v, str) else v
            for k, v in cls.__annotations__.items()
        }
    value: Any = {"kids": []}
    for _ in range(60):
        value = {"kids": [value, value]}
    outcome = Decoder(Node | Leaf).read({"content": [], "structuredContent": value})
    assert isinstance(outcome, (Ok, Mismatch))
