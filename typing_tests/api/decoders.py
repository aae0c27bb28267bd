# not for: mypy115 -- TypeForm needs mypy 2.2; before, the brackets are the way
"""`decode`, `Decoder` and `OneOf`: the decoder alone gives what it was told to."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Optional, Union

from msgspec import Meta
from typing_extensions import assert_type

from models import Hour, Query
from typedtool import Caller, Decoder, OneOf, Outcome, TypedTool, decode, parse_schema

HOUR: object = {"content": [], "structuredContent": {"hour": 1, "temp": 2.5}}
HOURS: object = {"content": [], "structuredContent": [{"hour": 1, "temp": 2.5}]}
COUNT: object = {"content": [], "structuredContent": 3}
LETTER: object = {"content": [], "structuredContent": "a"}
SCHEMA: dict[str, Any] = {"type": "array"}

hours = Decoder(list[Hour])
checked = Decoder(list[Hour], SCHEMA)
parsed = Decoder(list[Hour], parse_schema(SCHEMA))
either = Decoder(OneOf[Query, Hour])
several = TypedTool[Query, list[OneOf[Query, Hour]]]("hours")


async def run(client: Caller) -> None:
    assert_type(decode(HOUR, Hour), Hour)
    assert_type(decode(HOURS, list[Hour]), list[Hour])
    assert_type(decode(HOUR, dict[str, float]), dict[str, float])
    assert_type(decode(COUNT, int), int)
    assert_type(decode(COUNT, Optional[int]), Optional[int])
    assert_type(decode(COUNT, Annotated[int, Meta(ge=0)]), int)
    assert_type(decode(COUNT, Union[int, str]), Union[int, str])
    assert_type(decode(LETTER, Literal["a", "b"]), Literal["a", "b"])
    assert_type(decode(COUNT, object), object)
    assert_type(hours.decode(HOURS), list[Hour])
    assert_type(hours.read(HOURS), Outcome[list[Hour]])
    assert_type(checked.decode(HOURS), list[Hour])
    assert_type(parsed.decode(HOURS), list[Hour])
    assert_type(either.decode(HOUR), Union[Query, Hour])
    assert_type(await several(client, Query()), list[Union[Query, Hour]])


def refused() -> None:
    decode(HOUR)  # E
    decode(HOUR, 1)  # E
    x: Hour = decode(HOURS, list[Hour])  # E
    decode(HOUR, Hour).nope  # E
    decode(COUNT, object) + 1  # E
    Decoder()  # E
    Decoder(1)  # E
    hours.decode()  # E
    y: Outcome[Hour] = hours.read(HOURS)  # E
    Decoder(list[Hour], 3)  # E
