"""A forecast, with the types of the server's own schema."""

from mcp import ClientSession
from msgspec import Struct, field
from typedtool import TypedTool


class GetWeatherResultHoursItem(Struct):
    temp: float
    at: str
    rain: float | None = None


class GetWeatherResultWind(Struct):
    from_: str = field(name="from")
    speed: float


class GetWeatherResult(Struct):
    hours: list[GetWeatherResultHoursItem]
    wind: GetWeatherResultWind | None = None


get_weather = TypedTool[dict[str, object], GetWeatherResult]("get-weather")


async def warmest(session: ClientSession, city: str) -> tuple[str, float]:
    result = await session.call_tool("get-weather", {"city": city})
    if result.is_error:
        raise RuntimeError("no forecast")
    best = ("", -273.15)
    for hour in get_weather.decode(result).hours:
        if hour.temp > best[1]:
            best = (hour.at, hour.temp)
    return best


async def wind(session: ClientSession, city: str) -> str:
    result = await session.call_tool("get-weather", {"city": city})
    data = get_weather.decode(result)
    assert data is not None
    blowing = data.wind
    rain = sum(hour.rain or 0.0 for hour in data.hours)
    if blowing is None:
        return f"calm, {rain} mm"
    return f"{blowing.from_} at {blowing.speed * 3.6:.1f} km/h, {rain} mm"


async def main(session: ClientSession) -> object:
    return [await warmest(session, "Paris"), await wind(session, "Paris")]
