"""What is used of jsonschema and referencing, which are loaded when they are first needed: the one module that does."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

__all__ = ["inside", "known_class", "looked_up", "refusal", "registry_of", "validator_class"]


@functools.cache
def _library() -> Any:
    import jsonschema  # type: ignore[import-untyped]

    return jsonschema


def known_class(dialect: str) -> Any:
    """The validator class of jsonschema for a dialect."""
    known = _library()
    return {
        "2020-12": known.Draft202012Validator,
        "2019-09": known.Draft201909Validator,
        "draft-07": known.Draft7Validator,
        "draft-06": known.Draft6Validator,
        "draft-04": known.Draft4Validator,
    }[dialect]


def validator_class(base: Any, rules: Mapping[str, Any]) -> Any:
    """A validator class of jsonschema with other rules for its keywords."""
    return _library().validators.extend(base, rules)


def refusal(extra: Any = None, **fields: Any) -> Any:
    """An error of jsonschema, without the value in its message. `extra`: the property, the item or the count meant."""
    error: Any = _library().ValidationError("refused", **fields)
    error.extra = extra
    return error


def registry_of(documents: Mapping[str, Any], cls: Any) -> Any:
    """The metaschemas, and `documents` by their URIs."""
    from jsonschema_specifications import REGISTRY  # type: ignore[import-untyped]
    from referencing import Resource

    default = _specification(cls)
    return REGISTRY.with_resources(
        (uri, Resource.from_contents(document, default_specification=default))
        for uri, document in documents.items()
    )


def inside(validator: Any, schema: Any) -> Any:
    """The validator for a part of its schema, with the base URI of that part."""
    resource = _specification(validator).create_resource(schema)
    return validator.evolve(schema=schema, _resolver=validator._resolver.in_subresource(resource))


def looked_up(validator: Any, keyword: str, reference: str) -> Any:
    """What a reference in the validator's schema leads to."""
    if keyword == "$recursiveRef":
        from referencing.jsonschema import lookup_recursive_ref

        return lookup_recursive_ref(validator._resolver)
    return validator._resolver.lookup(reference)


def _specification(of: Any) -> Any:
    from referencing.jsonschema import specification_with

    return specification_with(of.META_SCHEMA["$schema"])
