"""`TypedTool[In, Out]("name")`: the value of a call is exactly an `Out`."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Optional, Union

from msgspec import Meta
from typing_extensions import TypeAliasType, assert_type

from models import Cat, Dog, Hour, Page, Pet, Query
from typedtool import Caller, Outcome, TypedTool

PetAlias = TypeAliasType("PetAlias", Union[Cat, Dog])

struct = TypedTool[Query, Hour]("hour")
listed = TypedTool[Query, list[Hour]]("hours")
mapping = TypedTool[Query, dict[str, Hour]]("by-name")
integer = TypedTool[Query, int]("count")
optional = TypedTool[Query, Optional[Hour]]("hour")
literal = TypedTool[Query, Literal["a", "b"]]("letter")
annotated = TypedTool[Query, Annotated[int, Meta(ge=0)]]("count")
union = TypedTool[Query, Union[Cat, Dog]]("pet")
pet = TypedTool[Query, Pet]("pet")
aliased = TypedTool[Query, PetAlias]("pet")
nothing = TypedTool[Query, None]("nothing")
anything = TypedTool[Query, Any]("hours")
unknown = TypedTool[Query, object]("hours")
pair = TypedTool[Query, tuple[int, str]]("pair")
page = TypedTool[Query, Page[Hour]]("page")


async def run(client: Caller) -> None:
    query = Query()
    assert_type(await struct(client, query), Hour)
    assert_type(await listed(client, query), list[Hour])
    assert_type(await mapping(client, query), dict[str, Hour])
    assert_type(await integer(client, query), int)
    assert_type(await optional(client, query), Optional[Hour])
    assert_type(await literal(client, query), Literal["a", "b"])
    assert_type(await annotated(client, query), int)
    assert_type(await union(client, query), Union[Cat, Dog])
    assert_type(await pet(client, query), Union[Cat, Dog])
    assert_type(await anything(client, query), Any)
    assert_type(await unknown(client, query), object)
    assert_type(await pair(client, query), tuple[int, str])
    assert_type(await page(client, query), Page[Hour])
    assert_type(await listed.call(client, query), Outcome[list[Hour]])
    assert_type(listed.decode(ANSWER), list[Hour])
    assert_type(listed.read(ANSWER), Outcome[list[Hour]])
    assert_type(listed.name, str)
    found = await aliased(client, query)
    if isinstance(found, Cat):
        assert_type(found.lives, int)
    else:
        assert_type(found.good, bool)
    assert_type(await nothing(client, query), None)


ANSWER: object = {"content": [], "structuredContent": [{"hour": 1, "temp": 2.5}]}


async def refused(client: Caller) -> None:
    query = Query()
    await listed(client)  # E
    await listed(client, Hour(1, 2.0))  # E
    await listed(client, None)  # E
    await listed(query)  # E
    await listed("Paris", query)  # E
    await listed(client, query, query)  # E
    await listed(client, city="Paris")  # E
    await listed.call(client)  # E
    await listed.call(client, Hour(1, 2.0))  # E
    x: list[int] = await listed(client, query)  # E
    y: Hour = await optional(client, query)  # E
    z: str = await literal(client, query)
    v: Literal["a"] = await literal(client, query)  # E
    (await listed(client, query))[0].nope  # E
    (await unknown(client, query)).nope  # E
    (await unknown(client, query))["x"]  # E
    (await listed.call(client, query)).value  # E
    listed.nope  # E
    listed.decode()  # E
    w: dict[str, int] = listed.decode(ANSWER)  # E


async def without_types(client: Caller) -> None:
    # Nothing says what it takes or gives: no call is accepted, and what it gives is an object.
    bare = TypedTool("x")
    await bare(client)  # E
    await bare(client, Query())  # E
    half = TypedTool[Query]("x")
    (await half(client, Query())).nope  # E
