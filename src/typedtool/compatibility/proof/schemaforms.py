"""Forms of schemas: `SchemaForms(schema).of()`, the instances that a schema allows, keyword by keyword, in its dialect.

What is not understood is `Opaque`. `format` is an annotation, unless the schema asserts it.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from typedtool.compatibility.proof.forms import (
    ALWAYS,
    ARRAY,
    BOOLEAN,
    EVERY,
    NEVER,
    NULL,
    NUMBER,
    OBJECT,
    STRING,
    All,
    Distinct,
    Form,
    Has,
    Item,
    KindIs,
    Later,
    Multiple,
    Names,
    Not,
    Opaque,
    Others,
    Property,
    Rest,
    Sized,
    Some,
    Text,
    Under,
    among,
    fraction,
)
from typedtool.compatibility.proof.patterns import pattern_text
from typedtool.compatibility.proof.unevaluated import unevaluated
from typedtool.schemas.admission import SchemaNode
from typedtool.schemas.keywords import AGES, DEFINED
from typedtool.schemas.schema import Schema
from typedtool.values.guards import is_dict, is_list

__all__ = ["SchemaForms"]

_INTEGER = All((KindIs(NUMBER), Multiple(Fraction(1))))
_TYPES: dict[str, Form] = {
    "null": KindIs(NULL),
    "boolean": KindIs(BOOLEAN),
    "string": KindIs(STRING),
    "number": KindIs(NUMBER),
    "integer": _INTEGER,
    "array": KindIs(ARRAY),
    "object": KindIs(OBJECT),
}
_DRAFT_04_INTEGER = All((_INTEGER, Opaque(NUMBER, "draft-04, whose integers are not written 1.0")))
_LARGEST = 2**1000
_MOST_OPTIONS = 60


class SchemaForms:
    """The forms of the schemas of one document, by their locations, each made once."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self.made: dict[str, Form] = {}
        self.later: dict[str, Later] = {}

    def of(self, location: str = "#") -> Form:
        """The form of the schema at a location."""
        if location in self.made:
            return self.made[location]
        if location not in self.later:
            self.later[location] = Later(lambda: self.made[location])
            made = self.read(self.schema.node(location))
            self.made[location] = made
            return made
        return self.later[location]

    def read(self, node: SchemaNode) -> Form:
        schema: Any = node.schema
        if isinstance(schema, bool):
            return ALWAYS if schema else NEVER
        hidden = node.dialect.ref_hides_siblings and "$ref" in schema
        parts: list[Form] = []
        for keyword, read in _KEYWORDS.items():
            if keyword not in schema or (hidden and keyword != "$ref"):
                continue
            if keyword not in DEFINED[node.dialect.name]:
                parts.append(Opaque(EVERY, f"{keyword}, which {node.dialect.name} does not know"))
                continue
            form = read(_Keyword(self, node, schema))
            if form is not ALWAYS:
                parts.append(form)
        return parts[0] if len(parts) == 1 else All(tuple(parts)) if parts else ALWAYS


class _Keyword:
    """The keywords of one schema, each read into a form."""

    def __init__(self, forms: SchemaForms, node: SchemaNode, schema: dict[str, Any]) -> None:
        self.forms = forms
        self.node = node
        self.schema = schema
        self.age = AGES[node.dialect.name]

    def below(self, *steps: str | int) -> Form:
        return self.forms.of(self.node.location_of(*steps))

    def each(self, keyword: str) -> tuple[Form, ...]:
        return tuple(self.below(keyword, i) for i in range(len(self.schema[keyword])))

    # --- values and references --------------------------------------------------------------------------------------

    def type(self) -> Form:
        named = self.schema["type"]
        types = [self.one_type(t) for t in ([named] if isinstance(named, str) else named)]
        return types[0] if len(types) == 1 else Some(tuple(types))

    def one_type(self, name: str) -> Form:
        return _DRAFT_04_INTEGER if name == "integer" and self.age == 4 else _TYPES[name]

    def enum(self) -> Form:
        return among(self.schema["enum"])

    def const(self) -> Form:
        return among((self.schema["const"],))

    def ref(self) -> Form:
        target = self.node.references.get("$ref")
        return Opaque(EVERY, "a reference to a metaschema") if target is None else self.forms.of(target)

    def dynamic_ref(self) -> Form:
        target = self.node.references.get("$dynamicRef")
        nodes = [n.schema for n in self.forms.schema.admitted.nodes if is_dict(n.schema)]
        anchored = sum("$dynamicAnchor" in schema for schema in nodes)
        return Opaque(EVERY, "$dynamicRef") if target is None or anchored > 1 else self.forms.of(target)

    def recursive_ref(self) -> Form:
        target = self.node.references.get("$recursiveRef")
        anchored = any(
            is_dict(n.schema) and "$recursiveAnchor" in n.schema for n in self.forms.schema.admitted.nodes
        )
        return Opaque(EVERY, "$recursiveRef") if target is None or anchored else self.forms.of(target)

    # --- applicators --------------------------------------------------------------------------------------------------

    def all_of(self) -> Form:
        return All(self.each("allOf"))

    def any_of(self) -> Form:
        return Some(self.each("anyOf"))

    def one_of(self) -> Form:
        options = self.each("oneOf")
        if len(options) > _MOST_OPTIONS:
            return All((Some(options), Opaque(EVERY, "a oneOf of many options")))
        nots = tuple(map(Not, options))
        return Some(tuple(All((option, *nots[:i], *nots[i + 1 :])) for i, option in enumerate(options)))

    def not_(self) -> Form:
        return Not(self.below("not"))

    def if_(self) -> Form:
        test = self.below("if")
        then = self.below("then") if "then" in self.schema else ALWAYS
        other = self.below("else") if "else" in self.schema else ALWAYS
        return Some((All((test, then)), All((Not(test), other))))

    # --- numbers and strings ------------------------------------------------------------------------------------------

    def limit(self, keyword: str) -> Any:
        value = self.schema[keyword]
        return None if isinstance(value, int) and abs(value) > _LARGEST else value

    def maximum(self) -> Form:
        limit = self.limit("maximum")
        inclusive = self.schema.get("exclusiveMaximum") is not True or self.age > 4
        return _many("maximum") if limit is None else Under(limit, inclusive)

    def minimum(self) -> Form:
        limit = self.limit("minimum")
        exclusive = self.schema.get("exclusiveMinimum") is True and self.age == 4
        return _many("minimum") if limit is None else _if(NUMBER, Not(Under(limit, exclusive)))

    def exclusive_maximum(self) -> Form:
        limit = self.limit("exclusiveMaximum")
        if self.age == 4:
            return ALWAYS
        return _many("exclusiveMaximum") if limit is None else Under(limit, False)

    def exclusive_minimum(self) -> Form:
        limit = self.limit("exclusiveMinimum")
        if self.age == 4:
            return ALWAYS
        return _many("exclusiveMinimum") if limit is None else _if(NUMBER, Not(Under(limit, True)))

    def multiple_of(self) -> Form:
        of = fraction(self.schema["multipleOf"])
        exact = (
            of.denominator & (of.denominator - 1) == 0
            and of.numerator < _LARGEST
            and of.denominator < _LARGEST
        )
        form: Form = Multiple(of)
        # engines may disagree about decimal fractions, so nothing is proved from one
        return form if exact else All((form, Opaque(NUMBER, "multipleOf a decimal fraction")))

    def pattern(self) -> Form:
        return pattern_text(self.schema["pattern"])

    def content(self) -> Form:
        """An annotation since 2019-09; before, engines may assert it (draft-07 validation, 8)."""
        return Opaque(STRING, "content keywords of draft-07") if self.age <= 7 else ALWAYS

    def format(self) -> Form:
        return Opaque(EVERY, "an asserted format") if self.forms.schema.assert_formats else ALWAYS

    # --- arrays -------------------------------------------------------------------------------------------------------

    def prefix(self) -> int:
        """How many items have a schema of their own."""
        listed = self.schema.get("prefixItems" if self.age == 20 else "items")
        return len(listed) if is_list(listed) else 0

    def prefix_items(self) -> Form:
        return All(tuple(Item(i, form) for i, form in enumerate(self.each("prefixItems"))))

    def items(self) -> Form:
        if is_list(self.schema["items"]):
            return All(tuple(Item(i, form) for i, form in enumerate(self.each("items"))))
        return Rest(self.prefix() if self.age == 20 else 0, self.below("items"))

    def additional_items(self) -> Form:
        return (
            Rest(self.prefix(), self.below("additionalItems"))
            if is_list(self.schema.get("items"))
            else ALWAYS
        )

    def contains(self) -> Form:
        form = self.below("contains")
        least = self.schema.get("minContains", 1) if self.age >= 19 else 1
        most = self.schema.get("maxContains") if self.age >= 19 else None
        parts: list[Form] = []
        if least >= 1:
            parts += [Sized(ARRAY, int(least)), _if(ARRAY, Not(Rest(0, Not(form))))]
        if least > 1 or most is not None:
            parts.append(Opaque(ARRAY, "how many items contains finds"))
        return All(tuple(parts))

    def unique_items(self) -> Form:
        return Distinct() if self.schema["uniqueItems"] is True else ALWAYS

    # --- objects ------------------------------------------------------------------------------------------------------

    def required(self) -> Form:
        names = self.schema["required"]
        return All(tuple(map(Has, names))) if is_list(names) else Opaque(OBJECT, "a required that is no list")

    def properties(self) -> Form:
        held = self.schema["properties"]
        # what tells the members of a union apart goes first: it decides most questions
        names = sorted(
            held, key=lambda n: not (is_dict(held[n]) and ("const" in held[n] or "enum" in held[n]))
        )
        return All(tuple(Property(name, self.below("properties", name)) for name in names))

    def patterns(self) -> tuple[Text, ...]:
        return tuple(pattern_text(p) for p in self.schema.get("patternProperties", ()))

    def pattern_properties(self) -> Form:
        return All(
            tuple(
                Others(frozenset(), (), self.below("patternProperties", text), pattern_text(text))
                for text in self.schema["patternProperties"]
            )
        )

    def additional_properties(self) -> Form:
        names = frozenset(self.schema.get("properties", ()))
        return Others(names, self.patterns(), self.below("additionalProperties"))

    def property_names(self) -> Form:
        return Names(self.below("propertyNames"))

    def dependent_required(self) -> Form:
        return All(tuple(_needs(name, names) for name, names in self.schema["dependentRequired"].items()))

    def dependent_schemas(self) -> Form:
        names = self.schema["dependentSchemas"]
        return All(tuple(_where(name, self.below("dependentSchemas", name)) for name in names))

    def dependencies(self) -> Form:
        parts = [
            _needs(name, held) if is_list(held) else _where(name, self.below("dependencies", name))
            for name, held in self.schema["dependencies"].items()
        ]
        return All(tuple(parts))

    def unevaluated_properties(self) -> Form:
        return unevaluated(self.forms.schema, self.forms.of, self.node, "unevaluatedProperties")

    def unevaluated_items(self) -> Form:
        return unevaluated(self.forms.schema, self.forms.of, self.node, "unevaluatedItems")


def _at_least(keyword: str, kind: int) -> Callable[[_Keyword], Form]:
    return lambda k: Sized(kind, int(k.schema[keyword])) if k.schema[keyword] > 0 else ALWAYS


def _at_most(keyword: str, kind: int) -> Callable[[_Keyword], Form]:
    return lambda k: _if(kind, Not(Sized(kind, int(k.schema[keyword]) + 1)))


def _if(kind: int, form: Form) -> Form:
    """`form` for values of a kind, nothing for others."""
    return Some((KindIs(EVERY & ~kind), form))


def _many(keyword: str) -> Form:
    return Opaque(NUMBER, f"{keyword} of a number without end")


def _needs(name: str, names: list[str]) -> Form:
    return Some((Not(Has(name)), All(tuple(map(Has, names)))))


def _where(name: str, form: Form) -> Form:
    return Some((KindIs(EVERY & ~OBJECT), Not(Has(name)), form))


_KEYWORDS: dict[str, Callable[[_Keyword], Form]] = {
    "type": _Keyword.type,
    "const": _Keyword.const,
    "enum": _Keyword.enum,
    "$ref": _Keyword.ref,
    "$dynamicRef": _Keyword.dynamic_ref,
    "$recursiveRef": _Keyword.recursive_ref,
    "required": _Keyword.required,
    "properties": _Keyword.properties,
    "patternProperties": _Keyword.pattern_properties,
    "additionalProperties": _Keyword.additional_properties,
    "propertyNames": _Keyword.property_names,
    "dependentRequired": _Keyword.dependent_required,
    "dependentSchemas": _Keyword.dependent_schemas,
    "dependencies": _Keyword.dependencies,
    "minProperties": _at_least("minProperties", OBJECT),
    "maxProperties": _at_most("maxProperties", OBJECT),
    "prefixItems": _Keyword.prefix_items,
    "items": _Keyword.items,
    "additionalItems": _Keyword.additional_items,
    "contains": _Keyword.contains,
    "minItems": _at_least("minItems", ARRAY),
    "maxItems": _at_most("maxItems", ARRAY),
    "uniqueItems": _Keyword.unique_items,
    "maximum": _Keyword.maximum,
    "minimum": _Keyword.minimum,
    "exclusiveMaximum": _Keyword.exclusive_maximum,
    "exclusiveMinimum": _Keyword.exclusive_minimum,
    "multipleOf": _Keyword.multiple_of,
    "minLength": _at_least("minLength", STRING),
    "maxLength": _at_most("maxLength", STRING),
    "pattern": _Keyword.pattern,
    "format": _Keyword.format,
    "contentEncoding": _Keyword.content,
    "contentMediaType": _Keyword.content,
    "allOf": _Keyword.all_of,
    "anyOf": _Keyword.any_of,
    "oneOf": _Keyword.one_of,
    "not": _Keyword.not_,
    "if": _Keyword.if_,
    "unevaluatedProperties": _Keyword.unevaluated_properties,
    "unevaluatedItems": _Keyword.unevaluated_items,
}
