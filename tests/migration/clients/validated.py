"""Results that pydantic takes over."""

from typing import cast

from pydantic import BaseModel, TypeAdapter
from typing_extensions import TypedDict

from mcp import ClientSession


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
    settings = Settings.model_validate(result.structuredContent)
    raw = cast(Raw, result.structuredContent)
    whole = TypeAdapter(dict[str, object]).validate_python(result.structuredContent)
    return [settings.limits.depth, settings.tags, raw["theme"], len(whole)]
