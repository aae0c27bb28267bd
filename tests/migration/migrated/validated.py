"""Results that pydantic takes over."""

from typing import cast

from pydantic import BaseModel, TypeAdapter
from typing_extensions import TypedDict

from mcp import ClientSession
from typedtool import expect_object


class Limits(BaseModel):
    depth: int


class Settings(BaseModel):
    theme: str
    limits: Limits
    tags: list[str]


class Raw(TypedDict):
    theme: str


async def main(session: ClientSession) -> object:
    result = await session.call_tool("settings", {})
    settings = Settings.model_validate(result.structured_content)
    raw = cast(Raw, expect_object(result))
    whole = TypeAdapter(dict[str, object]).validate_python(result.structured_content)
    return [settings.limits.depth, settings.tags, raw["theme"], len(whole)]
