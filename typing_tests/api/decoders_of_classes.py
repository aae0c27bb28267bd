"""Of classes, `decode`, `Decoder` and `matches` know the type under checkers without TypeForm too."""

from __future__ import annotations

from typing_extensions import assert_type

from models import Hour, QueryDict
from typedtool import Caller, Decoder, Outcome, decode, matches

HOUR: object = {"content": [], "structuredContent": {"hour": 1, "temp": 2.5}}
HOURS: object = {"content": [], "structuredContent": [{"hour": 1, "temp": 2.5}]}


def city(value: object) -> str:
    if matches(value, QueryDict):
        assert_type(value, QueryDict)
        return value["city"]
    return ""


async def run(client: Caller) -> None:
    assert_type(decode(HOUR, Hour), Hour)
    assert_type(decode(HOURS, list[Hour]), list[Hour])
    assert_type(decode(HOUR, dict[str, float]), dict[str, float])
    assert_type(decode({"structuredContent": 3}, int), int)
    assert_type(Decoder(Hour).decode(HOUR), Hour)
    assert_type(Decoder(list[Hour]).decode(HOURS), list[Hour])
    assert_type(Decoder(list[Hour], {"type": "array"}, lax=True).read(HOURS), Outcome[list[Hour]])
    assert city({"city": "Paris"}) == "Paris"


def refused(value: object) -> None:
    a: int = decode(HOUR, Hour)  # E
    decode(HOUR, Hour).nope  # E
    decode(HOURS, list[Hour])[0].nope  # E
    Decoder(Hour).decode(HOUR).nope  # E
    Decoder(Hour, lax="yes")  # E
    if matches(value, QueryDict):
        value["town"]  # E
