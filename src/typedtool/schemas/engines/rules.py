"""The rules of the counted engine, one for each keyword: each pays before it works, none puts the value into a message.

Rules replace those of jsonschema that render a whole value into a message, and those that evaluate otherwise than
jsonschema-rs: numbers exactly, patterns and formats with the matchers of jsonschema-rs.
"""

from __future__ import annotations

import base64
import binascii
import functools
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any

from typedtool.schemas.engines import rust
from typedtool.schemas.engines.evaluated import evaluated, is_valid
from typedtool.schemas.engines.library import refusal
from typedtool.schemas.engines.steps import pay, pay_for_text
from typedtool.values.guards import is_dict, is_list

__all__ = ["NEVER", "rules_of"]

NEVER: dict[str, Any] = {"not": {}}
"""How `False` is written for this engine: jsonschema renders the whole value that False refuses."""

_Rule = Callable[[Any, Any, Any, Any], Iterator[Any]]


def rules_of(dialect: str, known: Mapping[str, Any], formats: bool) -> dict[str, _Rule]:
    """The rules of a dialect by keyword: jsonschema's own (`known`), and those of this module in their places."""
    rules: dict[str, _Rule] = {**known}
    rules.update({name: own for name, own in RULES.items() if name in rules})
    if "dependentSchemas" in known:  # jsonschema-rs keeps it in later dialects, as their metaschemas do
        rules["dependencies"] = _dependencies
    if dialect == "draft-04":
        rules.update(minimum=_minimum_04, maximum=_maximum_04)
    if dialect in ("draft-06", "draft-07"):
        rules.update(contains=_contains_06)
    if dialect == "draft-07":
        rules.update(contentMediaType=_content, contentEncoding=_content)
    rules["format"] = functools.partial(_format, dialect) if formats else _nothing
    return {name: _counted(rule) for name, rule in rules.items()}


def _counted(rule: _Rule) -> _Rule:
    def counted(validator: Any, expected: Any, instance: Any, schema: Any) -> Iterator[Any]:
        pay(1 + (len(expected) >> 3 if is_dict(expected) or is_list(expected) else 0))
        return rule(validator, expected, instance, schema) or iter(())

    return counted


def _nothing(validator: Any, expected: Any, instance: Any, schema: Any) -> Iterator[Any]:
    return iter(())


def _check(holds: Callable[[Any, Any], bool], kind: type | tuple[type, ...]) -> _Rule:
    """The rule of a keyword that speaks of one kind of value. `holds` gets the value and the keyword's own value."""

    def rule(validator: Any, expected: Any, instance: Any, schema: Any) -> Iterator[Any]:
        if isinstance(instance, kind) and not isinstance(instance, bool) and not holds(instance, expected):
            yield refusal()

    return rule


def _multiple(instance: Any, divisor: Any) -> bool:
    # As written, not as the nearest binary fraction: 19.99 is a multiple of 0.01.
    return (_exact(instance) / _exact(divisor)).denominator == 1


def _exact(number: Any) -> Fraction:
    return Fraction(number) if isinstance(number, int) else Fraction(Decimal(repr(number)))


def _type(validator: Any, types: Any, instance: Any, schema: Any) -> Iterator[Any]:
    names = [types] if isinstance(types, str) else types
    if not any(validator.is_type(instance, name) for name in names):
        yield refusal()


def _canonical(value: Any) -> Any:
    """A hashable that is equal for JSON values that are: 1 is 1.0, and neither is true."""
    pay()
    if isinstance(value, bool):
        return ("boolean", value)
    if is_dict(value):
        return ("object", frozenset((key, _canonical(item)) for key, item in value.items()))
    if is_list(value):
        return ("array", tuple(_canonical(item) for item in value))
    return value


def _same(held: Any, value: Any) -> bool:
    """Whether two JSON values are equal. Recurses no deeper than `held`, which is the schema's."""
    pay()
    if isinstance(held, bool) or isinstance(value, bool):
        return held is value
    if is_dict(held):
        return (
            is_dict(value)
            and len(held) == len(value)
            and all(name in value and _same(item, value[name]) for name, item in held.items())
        )
    if is_list(held):
        return is_list(value) and len(held) == len(value) and all(map(_same, held, value))
    return not (is_dict(value) or is_list(value)) and bool(held == value)


def _enum(validator: Any, values: Any, instance: Any, schema: Any) -> Iterator[Any]:
    if not any(_same(value, instance) for value in values):
        yield refusal()


def _const(validator: Any, expected: Any, instance: Any, schema: Any) -> Iterator[Any]:
    if not _same(expected, instance):
        yield refusal()


def _unique(validator: Any, wanted: Any, instance: Any, schema: Any) -> Iterator[Any]:
    if wanted and is_list(instance) and len(set(map(_canonical, instance))) != len(instance):
        yield refusal()


def _required(validator: Any, names: Any, instance: Any, schema: Any) -> Iterator[Any]:
    if is_dict(instance):
        for name in names:
            if name not in instance:
                yield refusal(extra=name)


def _dependent_required(validator: Any, names: Any, instance: Any, schema: Any) -> Iterator[Any]:
    if is_dict(instance):
        for name, needed in names.items():
            yield from (
                refusal(extra=other) for other in needed if name in instance and other not in instance
            )


def _dependencies(validator: Any, held: Any, instance: Any, schema: Any) -> Iterator[Any]:
    if is_dict(instance):
        for name, needed in held.items():
            if name in instance:
                if is_list(needed):
                    yield from (refusal(extra=other) for other in needed if other not in instance)
                else:
                    yield from validator.descend(instance, needed, schema_path=name)


def _matches(pattern: str, text: str) -> bool:
    pay_for_text(rust.pattern_cost(pattern).of(len(text)))
    return rust.matcher(pattern)(text)


def _pattern(validator: Any, pattern: Any, instance: Any, schema: Any) -> Iterator[Any]:
    if isinstance(instance, str) and not _matches(pattern, instance):
        yield refusal()


def _pattern_properties(validator: Any, patterns: Any, instance: Any, schema: Any) -> Iterator[Any]:
    if is_dict(instance):
        for pattern, held in patterns.items():
            for name, item in instance.items():
                if _matches(pattern, name):
                    yield from validator.descend(item, held, path=name, schema_path=pattern)


def _additional(validator: Any, held: Any, instance: Any, schema: Any) -> Iterator[Any]:
    if is_dict(instance):
        known, patterns = schema.get("properties", {}), schema.get("patternProperties", {})
        for name, item in instance.items():
            if name not in known and not any(_matches(pattern, name) for pattern in patterns):
                if held == NEVER or held is False:
                    yield refusal(extra=name)
                else:
                    yield from validator.descend(item, held, path=name)


def _additional_items(validator: Any, held: Any, instance: Any, schema: Any) -> Iterator[Any]:
    first = schema.get("items")
    if is_list(instance) and is_list(first):
        for index in range(len(first), len(instance)):
            yield from validator.descend(instance[index], held, path=index)


def _wrong_tag(validator: Any, held: Any, instance: Any) -> tuple[str, Any] | None:
    """A property whose `const` in a schema refuses `instance`, with its schema.

    Such a tag refuses a branch of a union before the rest of it is evaluated: a recursive union of tagged objects would
    else take exponential time.
    """
    if not is_dict(held) or not is_dict(instance):
        return None
    if isinstance(held.get("$ref"), str) and "$id" not in held and "id" not in held:
        held = validator._resolver.lookup(held["$ref"]).contents
    if not is_dict(held) or "$ref" in held:
        return None
    properties = held.get("properties")
    for name, part in properties.items() if is_dict(properties) else ():
        tagged = is_dict(part) and "const" in part and "$ref" not in part and name in instance
        if tagged and not _same(part["const"], instance[name]):
            return name, {"const": part["const"]}
    return None


def _branch(validator: Any, held: Any, instance: Any, index: int) -> list[Any]:
    """The errors of a branch of a union, a few at most."""
    tag = _wrong_tag(validator, held, instance)
    if tag is not None:
        return list(validator.descend(instance[tag[0]], tag[1], path=tag[0], schema_path=index))
    errors = validator.descend(instance, held, schema_path=index)
    return [error for error, _ in zip(errors, range(8), strict=False)]


def _any_of(validator: Any, schemas: Any, instance: Any, schema: Any) -> Iterator[Any]:
    context: list[Any] = []
    for index, held in enumerate(schemas):
        found = _branch(validator, held, instance, index)
        if not found:
            return
        context += found
    yield refusal(context=context)


def _one_of(validator: Any, schemas: Any, instance: Any, schema: Any) -> Iterator[Any]:
    context: list[Any] = []
    valid = 0
    for index, held in enumerate(schemas):
        found = _branch(validator, held, instance, index)
        context += found
        valid += not found
    if valid != 1:
        yield refusal(context=[] if valid else context, extra=valid)


def _property_names(validator: Any, held: Any, instance: Any, schema: Any) -> Iterator[Any]:
    if is_dict(instance):
        for name in instance:
            if found := _branch(validator, held, name, 0):
                yield refusal(context=found, extra=name)


def _not(validator: Any, held: Any, instance: Any, schema: Any) -> Iterator[Any]:
    if is_valid(validator, instance, held):
        yield refusal()


def _contains_06(validator: Any, held: Any, instance: Any, schema: Any) -> Iterator[Any]:
    return _contains(validator, held, instance, {})


def _contains(validator: Any, held: Any, instance: Any, schema: Any) -> Iterator[Any]:
    if not is_list(instance):
        return
    least, most = schema.get("minContains", 1), schema.get("maxContains", len(instance))
    count = 0
    for item in instance:
        count += is_valid(validator, item, held)
        if count > most:
            yield refusal(validator="maxContains", validator_value=most)
            return
    if count < least:
        yield (
            refusal(validator="minContains", validator_value=least) if "minContains" in schema else refusal()
        )


def _unevaluated(keyword: str, applies: Callable[[Any], bool]) -> _Rule:
    def unevaluated(validator: Any, held: Any, instance: Any, schema: Any) -> Iterator[Any]:
        if not applies(instance):
            return
        pay(8)
        seen = set(evaluated(validator, instance, schema, _matches, besides=keyword))
        steps: Iterable[Any] = list(instance) if keyword == "unevaluatedProperties" else range(len(instance))
        for step in steps:
            if step not in seen:
                if held == NEVER:
                    yield refusal(extra=step)
                else:
                    yield from validator.descend(instance[step], held, path=step)

    return unevaluated


def _if(validator: Any, held: Any, instance: Any, schema: Any) -> Iterator[Any]:
    branch = "then" if is_valid(validator, instance, held) else "else"
    if branch in schema:
        yield from validator.descend(instance, schema[branch], schema_path=branch)


def _items(validator: Any, held: Any, instance: Any, schema: Any) -> Iterator[Any]:
    if is_list(instance):
        if is_list(held):
            for index, (item, each) in enumerate(zip(instance, held, strict=False)):
                yield from validator.descend(item, each, path=index, schema_path=index)
        else:
            for index in range(len(schema.get("prefixItems", ())), len(instance)):
                yield from validator.descend(instance[index], held, path=index)


def _minimum_04(validator: Any, least: Any, instance: Any, schema: Any) -> Iterator[Any]:
    number = isinstance(instance, (int, float)) and not isinstance(instance, bool)
    if number and (instance < least or (schema.get("exclusiveMinimum") and instance == least)):
        yield refusal()


def _maximum_04(validator: Any, most: Any, instance: Any, schema: Any) -> Iterator[Any]:
    number = isinstance(instance, (int, float)) and not isinstance(instance, bool)
    if number and (instance > most or (schema.get("exclusiveMaximum") and instance == most)):
        yield refusal()


def _content(validator: Any, expected: Any, instance: Any, schema: Any) -> Iterator[Any]:
    """draft-07 lets `content*` assert, and jsonschema-rs does (JSON Schema validation, draft-07, 8)."""
    if not isinstance(instance, str):
        return
    pay(1 + len(instance) // 64)
    data: bytes = instance.encode()
    if schema.get("contentEncoding") == "base64":
        try:
            data = base64.b64decode(data, validate=True)
        except binascii.Error:
            if expected == "base64" or expected == "application/json":
                yield refusal()
            return
    if expected == "application/json":
        try:
            json.loads(data)
        except (ValueError, RecursionError):
            yield refusal()


def _format(dialect: str, validator: Any, name: Any, instance: Any, schema: Any) -> Iterator[Any]:
    if isinstance(instance, str) and isinstance(name, str):
        pay(1 + len(instance) // 64)
        if not rust.format_checker(name, dialect)(instance):
            yield refusal()


_NUMBER = (int, float)
RULES: dict[str, _Rule] = {
    "type": _type,
    "enum": _enum,
    "const": _const,
    "minimum": _check(lambda x, least: x >= least, _NUMBER),
    "maximum": _check(lambda x, most: x <= most, _NUMBER),
    "exclusiveMinimum": _check(lambda x, least: x > least, _NUMBER),
    "exclusiveMaximum": _check(lambda x, most: x < most, _NUMBER),
    "multipleOf": _check(_multiple, _NUMBER),
    "minLength": _check(lambda x, least: len(x) >= least, str),
    "maxLength": _check(lambda x, most: len(x) <= most, str),
    "minItems": _check(lambda x, least: len(x) >= least, list),
    "maxItems": _check(lambda x, most: len(x) <= most, list),
    "minProperties": _check(lambda x, least: len(x) >= least, dict),
    "maxProperties": _check(lambda x, most: len(x) <= most, dict),
    "uniqueItems": _unique,
    "required": _required,
    "dependentRequired": _dependent_required,
    "dependencies": _dependencies,
    "pattern": _pattern,
    "patternProperties": _pattern_properties,
    "additionalProperties": _additional,
    "propertyNames": _property_names,
    "additionalItems": _additional_items,
    "anyOf": _any_of,
    "oneOf": _one_of,
    "not": _not,
    "contains": _contains,
    "items": _items,
    "if": _if,
    "unevaluatedProperties": _unevaluated("unevaluatedProperties", is_dict),
    "unevaluatedItems": _unevaluated("unevaluatedItems", is_list),
}
