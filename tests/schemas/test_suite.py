"""The JSON-Schema-Test-Suite through `parse_schema`: no engine answers wrongly; what is refused is listed."""

from __future__ import annotations

import json
import pathlib
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from typedtool.errors import SchemaError, UnsafeSchema, UnsupportedDialect
from typedtool.schemas.schema import parse_schema

DIALECTS = {
    "draft2020-12": "https://json-schema.org/draft/2020-12/schema",
    "draft2019-09": "https://json-schema.org/draft/2019-09/schema",
    "draft7": "http://json-schema.org/draft-07/schema#",
    "draft6": "http://json-schema.org/draft-06/schema#",
    "draft4": "http://json-schema.org/draft-04/schema#",
}
# How many tests each part has, and which files hold those that are refused, and why: `$schema` names a
# metaschema of the suite's own (`$vocabulary`), which is no dialect that typedtool supports.
PARTS = {
    ("draft2020-12", "required"): (1299, {"vocabulary": 5}),
    ("draft2020-12", "optional"): (162, {"format-assertion": 4}),
    ("draft2020-12", "optional/format"): (764, {}),
    ("draft2019-09", "required"): (1259, {"vocabulary": 5}),
    ("draft2019-09", "optional"): (158, {}),
    ("draft2019-09", "optional/format"): (757, {}),
    ("draft7", "required"): (927, {}),
    ("draft7", "optional"): (118, {}),
    ("draft7", "optional/format"): (676, {}),
    ("draft6", "required"): (839, {}),
    ("draft6", "optional"): (106, {}),
    ("draft6", "optional/format"): (325, {}),
    ("draft4", "required"): (618, {}),
    ("draft4", "optional"): (100, {}),
    ("draft4", "optional/format"): (219, {}),
}


class Remotes:
    """The suite's own remote documents, by the protocol of `fetch`."""

    def __init__(self, suite: pathlib.Path) -> None:
        self.root = suite / "remotes"

    def fetch(self, uri: str) -> Any:
        path = (self.root / uri.removeprefix("http://localhost:1234/")).resolve()
        if not path.is_relative_to(self.root) or not path.is_file():
            raise UnsafeSchema(f"not a remote of the suite: {uri}")
        return json.loads(path.read_text())


def groups(suite: pathlib.Path, draft: str, part: str) -> Iterator[tuple[str, Any, Any]]:
    folder = suite / draft / ("" if part == "required" else part)
    for path in sorted(folder.glob("*.json")):
        for group in json.loads(path.read_text()):
            schema = group["schema"]
            if isinstance(schema, dict) and "$schema" not in schema:
                schema = {"$schema": DIALECTS[draft], **schema}
            yield path.stem, schema, group


@pytest.mark.parametrize(("draft", "part"), PARTS)
def test_neither_engine_answers_a_test_of_the_suite_wrongly(
    shared: pathlib.Path, draft: str, part: str
) -> None:
    suite = shared / "jsonschema-suite"
    asserts = part == "optional/format"
    answered = 0
    refused: Counter[str] = Counter()
    wrong: list[str] = []
    for name, given, group in groups(suite, draft, part):
        try:
            schema = parse_schema(given, fetch=Remotes(suite), assert_formats=asserts)
        except UnsupportedDialect:
            refused[name] += len(group["tests"])
            continue
        except SchemaError as error:
            wrong.append(f"{name}: {group['description']}: {error}")
            continue
        second = schema.validator.counted()
        for test in group["tests"]:
            verdicts = {
                "first": schema.is_valid(test["data"]),
                "problems": not schema.validate(test["data"]),
                "second": not list(second.failures(test["data"], 1.0, 1)),
            }
            answered += 1
            wrong += [
                f"{engine}: {name}: {group['description']}: {test['description']}"
                for engine, verdict in verdicts.items()
                if verdict is not test["valid"]
            ]
    total, expected_refusals = PARTS[draft, part]
    assert wrong == []
    assert dict(refused) == expected_refusals
    assert answered + refused.total() == total


def test_format_is_an_annotation_unless_it_is_asserted(shared: pathlib.Path) -> None:
    invalid = 0
    for _, given, group in groups(shared / "jsonschema-suite", "draft2020-12", "optional/format"):
        annotated = parse_schema(given)
        for test in group["tests"]:
            assert annotated.is_valid(test["data"])
            invalid += not test["valid"]
    assert invalid > 300  # which asserting would refuse
