"""Options are keywords, and the same in all three forms."""

from __future__ import annotations

from typing_extensions import assert_type

from models import Hour, Query, Quota
from typedtool import Caller, Decoder, Ok, Outcome, ToolFailed, TypedTool, tool

seen: list[tuple[str, object]] = []


def watch(tool: str, outcome: Outcome[object]) -> None:
    seen.append((tool, outcome))


warned = TypedTool[Query, list[Hour]]("hours", validate="warn")
lax = TypedTool[Query, list[Hour]]("hours", lax=True)
soft = TypedTool[Query, list[Hour]]("soft-error", error=Quota)
fenced = TypedTool[Query, list[Hour]]("hours", text="fenced")
guessed = TypedTool[Query, list[Hour]]("hours", text=["fenced", "any-block"], on_bad_schema="type-only")
watched = TypedTool[None, list[Hour]]("hours", on_outcome=watch)


async def run(client: Caller) -> None:
    assert_type(await warned(client, Query()), list[Hour])
    assert_type(await lax(client, Query()), list[Hour])
    assert_type(await fenced(client, Query()), list[Hour])
    assert_type(await guessed(client, Query()), list[Hour])
    assert_type(await watched(client), list[Hour])
    assert isinstance(seen[0][1], Ok)
    outcome = await soft.call(client, Query())
    assert isinstance(outcome, ToolFailed)
    assert_type(outcome.error, object)
    assert outcome.error == Quota(3)
    await warned.call(client, Query(), timeout=5.0, meta={"trace": "1"})


def refused(client: Caller) -> None:
    TypedTool[Query, list[Hour]]("hours", True)  # E
    TypedTool[Query, list[Hour]]("hours", validate="maybe")  # E
    TypedTool[Query, list[Hour]]("hours", lax="yes")  # E
    TypedTool[Query, list[Hour]]("hours", relaxed=True)  # E # E?: ty -- unpacked keywords
    TypedTool[Query, list[Hour]]("hours", on_outcome=3)  # E
    TypedTool[Query, list[Hour]]("hours", on_outcome=seen.append)  # E
    TypedTool[Query, list[Hour]]("hours", text=3)  # E
    TypedTool[Query, list[Hour]]("hours", text="guess")  # E
    TypedTool[Query, list[Hour]]("hours", on_bad_schema="ignore")  # E
    warned.call(client, Query(), 5.0)  # E
    warned.call(client, Query(), timeout="5")  # E
    warned.call(client, Query(), meta=3)  # E
    warned.call(client, Query(), retries=3)  # E # E?: ty -- unpacked keywords
    tool("hours", Query, list[Hour], relaxed=True)  # E # E?: ty -- unpacked keywords
    tool("hours", None, list[Hour], lax="yes")  # E
    Decoder(Hour, relaxed=True)  # E # E?: ty -- unpacked keywords
    Decoder(Hour, on_bad_schema="fail")  # E # E?: ty -- unpacked keywords
