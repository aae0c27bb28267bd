"""A forecast, with the types of the server's own schema."""

from mcp import ClientSession


async def warmest(session: ClientSession, city: str) -> tuple[str, float]:
    result = await session.call_tool("get-weather", {"city": city})
    if result.isError:
        raise RuntimeError("no forecast")
    best = ("", -273.15)
    for hour in result.structuredContent["hours"]:
        if hour["temp"] > best[1]:
            best = (hour["at"], hour["temp"])
    return best


async def wind(session: ClientSession, city: str) -> str:
    result = await session.call_tool("get-weather", {"city": city})
    data = result.structuredContent
    assert data is not None
    blowing = data.get("wind")
    rain = sum(hour.get("rain") or 0.0 for hour in data["hours"])
    if blowing is None:
        return f"calm, {rain} mm"
    return f"{blowing['from']} at {blowing['speed'] * 3.6:.1f} km/h, {rain} mm"


async def main(session: ClientSession) -> object:
    return [await warmest(session, "Paris"), await wind(session, "Paris")]
