"""What code reads of a value, and the msgspec Struct that can hold it."""

from __future__ import annotations

import keyword
import re
from collections.abc import Mapping

from msgspec import Struct

from typedtool.values.guards import is_array, is_object
from typedtool.values.locations import dereferenced

__all__ = ["Observed", "StructDraft", "Unfit", "class_name", "field_name", "quoted", "variable_name"]

_NUMBERS = frozenset({"int", "float", "int | float"})
_KINDS = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}
_DEPTH = 12


class Unfit(Exception):
    """No Struct can hold what the code reads. The argument is the reason."""


class Observed(Struct, eq=False):
    """What the code reads of one value: its keys, its items, and the types that its uses need.

    defaults: for each key that is read with `.get`, the text of its default.
    whole: it is passed on as a dict or a list, so no part of it may become a Struct.
    """

    keys: dict[str, Observed] = {}
    defaults: dict[str, str] = {}
    item: Observed | None = None
    mapping: bool = False
    types: list[str] = []
    whole: bool = False

    def key(self, name: str, default: str | None = None) -> Observed:
        """What is read by the key `name`, with a default if it is read by `.get`.

        Raises:
            Unfit: two reads have different defaults.
        """
        if default is not None and self.defaults.setdefault(name, default) != default:
            raise Unfit(f"{name[:40]!r} is read with two defaults")
        return self.keys.setdefault(name, Observed())

    def items(self) -> Observed:
        """What is read of the items."""
        if self.item is None:
            self.item = Observed()
        return self.item

    def has_keys(self) -> bool:
        """Whether this or a part of it becomes a Struct."""
        return bool(self.keys) or (self.item is not None and self.item.has_keys())


class StructDraft:
    """Struct definitions for one module, from what its code reads and from the schemas, if there are any."""

    def __init__(self, taken: frozenset[str]) -> None:
        self._taken = set(taken)
        self.classes: list[str] = []
        self.uses_field: bool = False
        self.guessed: bool = False

    def unused(self, name: str, suffix: str) -> str:
        """`name`, with as many suffixes as make it new to the module."""
        while name in self._taken or keyword.iskeyword(name):
            name += suffix
        self._taken.add(name)
        return name

    def annotation(self, observed: Observed, name: str, schema: object, root: object, depth: int = 0) -> str:
        """The type for what is read of a value; adds its Structs to `classes`.

        Raises:
            Unfit: the reads contradict one another.
        """
        schema = _resolved(schema, root)
        null = _nullable(schema)
        inner = self._plain(observed, name, _without_null(schema, root), root, depth)
        return f"{inner} | None" if null and inner not in ("object", "None") else inner

    def _plain(
        self, observed: Observed, name: str, schema: Mapping[str, object], root: object, depth: int
    ) -> str:
        if depth > _DEPTH:
            raise Unfit("it is nested too deeply")
        if observed.keys and (observed.item is not None or observed.mapping):
            raise Unfit("it is read both by key and as a whole")
        if observed.whole and observed.has_keys():
            raise Unfit("a part of it is both read by key and passed on as a whole")
        if observed.keys:
            return self._struct(observed, name, schema, root, depth)
        if observed.item is not None:
            items = schema.get("items")
            return f"list[{self.annotation(observed.item, f'{name}Item', items, root, depth + 1)}]"
        known = _simple(schema, root, 0)
        if observed.mapping:
            return known if known.startswith("dict[") else "dict[str, object]"
        if known:
            return known
        return self._by_use(observed)

    def _by_use(self, observed: Observed) -> str:
        types = list(dict.fromkeys(observed.types))
        if set(types) <= _NUMBERS and len(types) > 1:
            types = ["int" if set(types) == {"int", "int | float"} else "float"]
        self.guessed = True
        return types[0] if len(types) == 1 else "object"

    def _struct(
        self, observed: Observed, name: str, schema: Mapping[str, object], root: object, depth: int
    ) -> str:
        name = self.unused(name, "_")
        properties = schema.get("properties")
        known: Mapping[str, object] = properties if is_object(properties) else {}
        lines: dict[str, str] = {}
        fields = {key: field_name(key) for key in observed.keys}
        if len(set(fields.values())) < len(fields):
            raise Unfit("two keys make the same field name")
        for key, inner in observed.keys.items():
            made = self.annotation(inner, f"{name}{class_name(key)}", known.get(key), root, depth + 1)
            lines[key] = self._field(key, fields[key], made, observed)
        required = [line for key, line in lines.items() if key not in observed.defaults]
        optional = [line for key, line in lines.items() if key in observed.defaults]
        body = "".join(f"    {line}\n" for line in (*required, *optional))
        self.classes.append(f"class {name}(Struct):\n{body}")
        return name

    def _field(self, key: str, attribute: str, made: str, observed: Observed) -> str:
        default = observed.defaults.get(key)
        if default == "None" and made != "object" and not made.endswith("| None"):
            made += " | None"
        if attribute == key:
            return f"{attribute}: {made}" + (f" = {default}" if default is not None else "")
        self.uses_field = True
        extra = f", default={default}" if default is not None else ""
        return f"{attribute}: {made} = field(name={quoted(key)}{extra})"


def field_name(key: str) -> str:
    """A Python name for `key`: itself where it is one."""
    name = re.sub(r"\W", "_", key) or "_"
    name = f"field_{name}" if name[0].isdigit() or name.startswith("__") else name
    return f"{name}_" if keyword.iskeyword(name) else name


def quoted(text: str) -> str:
    """`text` as a Python string, in double quotes where that needs no more escapes."""
    plain = repr(text)
    return f'"{plain[1:-1]}"' if plain[0] == "'" and '"' not in text else plain


def class_name(name: str) -> str:
    """`get-weather` as `GetWeather`."""
    words = re.findall(r"[A-Za-z0-9]+", name)
    made = "".join(word[:1].upper() + word[1:] for word in words) or "Value"
    return made if made[0].isalpha() else f"T{made}"


def variable_name(name: str) -> str:
    """`get-weather` as `get_weather`."""
    words = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", name)
    made = re.sub(r"[^A-Za-z0-9]+", "_", words).strip("_").lower() or "tool"
    return made if made[0].isalpha() else f"tool_{made}"


# --- the part of a schema that a draft uses; what the code reads decides the rest


def _resolved(schema: object, root: object) -> Mapping[str, object]:
    found = dereferenced(schema, root)
    return found if is_object(found) and not isinstance(found.get("$ref"), str) else {}


def _branches(schema: Mapping[str, object]) -> list[object]:
    found = schema.get("anyOf", schema.get("oneOf"))
    return found if is_array(found) else []


def _nullable(schema: Mapping[str, object]) -> bool:
    kind = schema.get("type")
    if is_array(kind) and "null" in kind:
        return True
    return any(is_object(branch) and branch.get("type") == "null" for branch in _branches(schema))


def _without_null(schema: Mapping[str, object], root: object) -> Mapping[str, object]:
    rest = [b for b in _branches(schema) if not (is_object(b) and b.get("type") == "null")]
    if len(rest) == 1:
        return _resolved(rest[0], root)
    kind = schema.get("type")
    if is_array(kind):
        kinds = [k for k in kind if k != "null"]
        return {**schema, "type": kinds[0] if len(kinds) == 1 else kinds}
    return schema


def _simple(schema: Mapping[str, object], root: object, depth: int) -> str:
    kind = schema.get("type")
    if isinstance(kind, str) and kind in _KINDS:
        return _KINDS[kind]
    if isinstance(kind, str) and kind == "array" and depth < _DEPTH:
        inner = _resolved(schema.get("items"), root)
        made = _simple(_without_null(inner, root), root, depth + 1) or "object"
        return f"list[{made} | None]" if _nullable(inner) and made != "object" else f"list[{made}]"
    if kind == "object" and not schema.get("properties") and depth < _DEPTH:
        made = _simple(_resolved(schema.get("additionalProperties"), root), root, depth + 1)
        return f"dict[str, {made or 'object'}]"
    return "dict[str, object]" if kind == "object" else ""
