"""Fields of wire dicts and of models."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from typedtool.values.keys import field_of


@pytest.mark.parametrize("make", [dict, SimpleNamespace], ids=["dict", "model"])
def test_a_field_is_the_first_of_its_names_that_exists(make: Any) -> None:
    value = make(mime_type=None, mimeType="text/plain", text="a")
    assert field_of(value, "text") == "a"
    assert field_of(value, "mime_type", "mimeType") is None
    assert field_of(value, "mime", "mimeType", "mime_type") == "text/plain"
    assert field_of(value, "size") is None
    assert field_of(value) is None


def test_a_later_name_is_not_read() -> None:
    class Warns:
        is_error = False

        @property
        def isError(self) -> bool:
            raise DeprecationWarning

    assert field_of(Warns(), "is_error", "isError") is False
