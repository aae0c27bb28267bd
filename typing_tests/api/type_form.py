# not for: mypy115 -- TypeForm needs mypy 2.2; before, the brackets are the way
"""`TypedTool("name", In, Out)`: the same types as with brackets."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Optional, Union

from msgspec import Meta
from typing_extensions import assert_type

from models import Cat, Dog, Hour, Page, Pet, Query, QueryDict
from typedtool import Caller, Outcome, TypedTool

struct = TypedTool("hour", Query, Hour)
listed = TypedTool("hours", Query, list[Hour])
mapping = TypedTool("by-name", Query, dict[str, Hour])
integer = TypedTool("count", Query, int)
optional = TypedTool("hour", Query, Optional[Hour])
literal = TypedTool("letter", Query, Literal["a", "b"])
annotated = TypedTool("count", Query, Annotated[int, Meta(ge=0)])
union = TypedTool("pet", Query, Union[Cat, Dog])
pet = TypedTool("pet", Query, Pet)
nothing = TypedTool("nothing", Query, None)
anything = TypedTool("hours", Query, Any)
unknown = TypedTool("hours", Query, object)
pair = TypedTool("pair", Query, tuple[int, str])
page = TypedTool("page", Query, Page[Hour])
no_input = TypedTool("hours", None, list[Hour])
from_dict = TypedTool("hours", QueryDict, list[Hour])


async def run(client: Caller) -> None:
    query = Query()
    assert_type(struct, TypedTool[Query, Hour])
    assert_type(await struct(client, query), Hour)
    assert_type(await listed(client, query), list[Hour])
    assert_type(await mapping(client, query), dict[str, Hour])
    assert_type(await integer(client, query), int)
    assert_type(await optional(client, query), Optional[Hour])
    assert_type(await literal(client, query), Literal["a", "b"])
    assert_type(await annotated(client, query), int)
    assert_type(await union(client, query), Union[Cat, Dog])
    assert_type(await pet(client, query), Union[Cat, Dog])
    assert_type(await anything(client, query), Any)  # E?: pyrefly -- gives the default, object
    assert_type(await unknown(client, query), object)
    assert_type(await pair(client, query), tuple[int, str])
    assert_type(await page(client, query), Page[Hour])
    assert_type(await no_input(client), list[Hour])
    assert_type(await from_dict(client, {"city": "Paris"}), list[Hour])
    assert_type(await listed.call(client, query), Outcome[list[Hour]])
    assert_type(await nothing(client, query), None)


async def refused(client: Caller) -> None:
    await listed(client)  # E
    await listed(client, Hour(1, 2.0))  # E
    await no_input(client, Query())  # E
    await from_dict(client, {"town": "Paris"})  # E
    x: list[int] = await listed(client, Query())  # E
    (await listed(client, Query()))[0].nope  # E
    TypedTool("x", Query)  # E
    TypedTool("x", Query, 1)  # E
    TypedTool("x", 1, Hour)  # E
    TypedTool(1, Query, Hour)  # E
    TypedTool("x", Query, Hour, "more")  # E
