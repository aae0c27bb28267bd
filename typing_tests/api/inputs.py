"""`In`: None takes no argument; a Struct, a TypedDict, a dict, an optional and Any take what they say."""

from __future__ import annotations

from typing import Any, Optional

from typing_extensions import assert_type

from models import Hour, Query, QueryDict
from typedtool import Caller, TypedTool

no_input = TypedTool[None, list[Hour]]("hours")
from_struct = TypedTool[Query, list[Hour]]("hours")
from_typed_dict = TypedTool[QueryDict, list[Hour]]("hours")
from_dict = TypedTool[dict[str, object], int]("count")
from_optional = TypedTool[Optional[Query], int]("count")
from_any = TypedTool[Any, int]("count")


async def run(client: Caller) -> None:
    assert_type(await no_input(client), list[Hour])
    assert_type(await no_input(client, None), list[Hour])
    assert_type(await from_struct(client, Query()), list[Hour])
    assert_type(await from_typed_dict(client, {"city": "Paris"}), list[Hour])
    assert_type(await from_typed_dict(client, QueryDict(city="Paris")), list[Hour])
    assert_type(await from_dict(client, {"city": "Paris", "days": 1}), int)
    assert_type(await from_optional(client), int)
    assert_type(await from_optional(client, None), int)
    assert_type(await from_optional(client, Query()), int)
    assert_type(await from_any(client, {"city": "Paris"}), int)


async def refused(client: Caller) -> None:
    await no_input(client, Query())  # E
    await no_input.call(client, Query())  # E
    await no_input(client, {})  # E
    await from_struct(client)  # E
    await from_struct(client, {"city": "Paris"})  # E
    await from_struct(client, "Paris")  # E
    await from_typed_dict(client, {"town": "Paris"})  # E
    await from_typed_dict(client, {"city": 1})  # E
    await from_typed_dict(client, {})  # E
    await from_typed_dict(client)  # E
    await from_dict(client, ["Paris"])  # E
    await from_dict(client, {1: "Paris"})  # E
    await from_dict(client)  # E
    await from_optional(client, "Paris")  # E
