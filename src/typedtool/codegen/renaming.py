"""How the attributes of a Struct come to their JSON names: `rename=`, or `field(name=...)` for each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Optional, TypeAlias

import msgspec

from typedtool.codegen.ir import Property, Record
from typedtool.codegen.naming import Scope, identifier

__all__ = ["attributes", "rename_of"]

Style: TypeAlias = Optional[Literal["camel", "pascal", "kebab", "upper"]]
_STYLES: tuple[Style, ...] = (None, "camel", "pascal", "kebab", "upper")


def attributes(properties: Sequence[Property], scope: Scope) -> list[tuple[str, str]]:
    """Name the attributes of a class; returns those names that one could not have guessed.

    A property whose name is its attribute already comes first, so that no other takes that.
    """
    made = {p.name: identifier(p.name, "snake", "field") for p in properties}
    surprising: list[tuple[str, str]] = []
    for item in sorted(properties, key=lambda p: (made[p.name] != p.name, p.name)):
        item.attribute = scope.claim(made[item.name])
        if item.attribute.rstrip("_") != made[item.name].rstrip("_") or not item.name.strip():
            surprising.append((item.name, item.attribute))
    return surprising


def rename_of(record: Record) -> tuple[Style, dict[str, str]]:
    """The `rename` that gives most JSON names, and the names of the others, by attribute."""
    names = [p.attribute for p in record.properties]
    if all(p.attribute == p.name for p in record.properties):
        return None, {}
    best: tuple[Style, dict[str, str]] | None = None
    for style in _STYLES:
        encoded = _encoded(names, style)
        rest = {
            p.attribute: p.name for p, name in zip(record.properties, encoded, strict=False) if p.name != name
        }
        if encoded and (best is None or len(rest) < len(best[1])):
            best = (style, rest)
    assert best is not None
    return best


def _encoded(names: Sequence[str], style: Style) -> tuple[str, ...]:
    """The JSON names that msgspec makes of attributes; nothing where two of them would be the same."""
    try:
        twin = msgspec.defstruct("Names", [(name, object) for name in names], rename=style)
    except ValueError:
        return ()
    return twin.__struct_encode_fields__
