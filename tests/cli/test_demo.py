"""The demo shows what it says: every way to answer as a typed value or a named outcome."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import mcp
import pytest

from typedtool.demo_server import TOOLS

SERVER = [sys.executable, "-m", "typedtool.demo_server"]
DEMO = [sys.executable, "-m", "typedtool", "demo"]
HANDSHAKE = "2025-11-25"


def environment(**more: str) -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "COLUMNS", "TERM", "FORCE_COLOR")}
    return {**kept, "TERM": "xterm", **more}


def processor_seconds() -> float:
    spent = os.times()
    return spent.children_user + spent.children_system


class Ran(subprocess.CompletedProcess[str]):
    """`share` is the processor time of the demo and its server as a multiple of what importing the SDK takes."""

    share: float


@pytest.fixture(scope="module")
def ran() -> Ran:
    before = processor_seconds()
    done = subprocess.run(DEMO, capture_output=True, text=True, timeout=30, env=environment())
    ran = Ran(done.args, done.returncode, done.stdout, done.stderr)
    demo = processor_seconds() - before
    subprocess.run([sys.executable, "-c", "import mcp"], check=True)
    ran.share = demo / (processor_seconds() - before - demo)
    return ran


def steps(text: str) -> dict[str, dict[str, str]]:
    """Each call of the demo with its fields, the lines of a field joined."""
    found: dict[str, dict[str, str]] = {}
    for paragraph in text.split("\n\n"):
        lines = paragraph.splitlines()
        if len(lines) < 3 or not lines[1].startswith("    await "):
            continue
        call, _, type = lines[1].strip().partition("#")
        fields = found[call.strip()] = {"type": type.strip()}
        for line in lines[2:]:
            label = line[4:12].strip() or label  # noqa: F821 the first line of a field has one
            fields[label] = f"{fields[label]} {line[12:].strip()}" if label in fields else line[12:]
    return found


def test_it_takes_little_more_than_importing_the_sdk(ran: Ran) -> None:
    assert 0.5 < ran.share < 3.0


def test_it_ends_well_and_says_nothing_on_the_standard_error(ran: Ran) -> None:
    assert (ran.returncode, ran.stderr) == (0, "")


@pytest.mark.parametrize(
    ("call", "type", "value", "source"),
    [
        (
            'await weather.forecast(City("Paris"))',
            "list[Hour]",
            "[Hour(hour='09:00', temp=7.5, conditions='rain'), Hour(hour='10:00', temp=8.0, conditions='cloudy')]",
            "structured",
        ),
        ("await weather.temperature()", "float", "8.0", "structured"),
        ("await weather.warning()", "Warning | None", "None", "structured"),
        (
            "await weather.stations()",
            "list[Station]",
            "[Station(name='Montsouris', altitude=75), Station(name='Orly', altitude=89)]",
            "structured, unwrapped",
        ),
        (
            "await weather.bulletin()",
            "Bulletin",
            "Bulletin(title='Rain, then sun', day=datetime.date(2026, 11, 30))",
            "json-string, unwrapped",
        ),
        ("await weather.station()", "Station", "Station(name='Montsouris', altitude=75)", "text"),
        ("await weather.cities()", "list[str]", "['Paris', 'Lyon', 'Nice']", "blocks"),
    ],
)
def test_each_value_is_shown_with_its_type_and_where_it_came_from(
    ran: Ran, call: str, type: str, value: str, source: str
) -> None:
    fields = steps(ran.stdout)[call]
    assert (fields["type"], fields["value"], fields["source"]) == (type, value, source)
    assert fields["sent"]


@pytest.mark.parametrize(
    ("call", "raises", "kept"),
    [
        (
            'await weather.tide(City("Paris"))',
            "ToolFailedError: tool 'get-tide' failed: Paris has no sea",
            None,
        ),
        (
            "await weather.rainfall()",
            "MismatchError: tool 'get-rainfall': the value does not fit: "
            'expected number, received string at $[1]["rain mm"]',
            None,
        ),
        (
            "await weather.humidity()",
            "MismatchError: tool 'get-humidity': the value does not fit: expected at most 100, received integer at $",
            "error.value is 104",
        ),
    ],
)
def test_each_outcome_without_a_value_is_shown_by_its_name_and_path(
    ran: Ran, call: str, raises: str, kept: str | None
) -> None:
    fields = steps(ran.stdout)[call]
    assert fields["raises"] == raises
    assert fields.get("kept") == kept
    assert "value" not in fields


def test_it_shows_ten_calls_and_the_report_of_the_two_tools_that_cannot_be_called(
    ran: Ran,
) -> None:
    assert len(steps(ran.stdout)) == 10
    report = " ".join(ran.stdout.split("print(weather.report)")[1].split("Now yours")[0].split())
    assert "schema of tool 'get-pressure': the metaschema" in report
    assert "the server lists no tool 'list-citys': did you mean 'list-cities' or 'list-stations'?" in report
    assert report.count("error ") == 2


def test_it_says_which_sdk_and_which_revision_were_spoken(ran: Ran) -> None:
    modern = hasattr(mcp, "Client")
    spoken = "Client, MCP 2026-07-28" if modern else "ClientSession, MCP 2025"
    assert spoken in ran.stdout.splitlines()[1]


def test_no_line_is_longer_than_a_terminal_is_wide_or_ends_in_spaces(ran: Ran) -> None:
    assert [line for line in ran.stdout.splitlines() if len(line) > 80 or line != line.rstrip()] == []
    assert "\x1b" not in ran.stdout


def in_a_terminal(env: dict[str, str]) -> str:
    pty = pytest.importorskip("pty")
    parent, child = pty.openpty()
    process = subprocess.Popen(DEMO, stdout=child, stderr=child, stdin=child, env=env)
    os.close(child)
    said = b""
    while True:
        try:
            more = os.read(parent, 65_536)
        except OSError:  # Linux: the other end is closed
            break
        if not more:
            break
        said += more
    os.close(parent)
    assert process.wait(10) == 0
    return said.decode()


def test_colour_is_for_terminals_and_not_where_no_color_is_set(ran: Ran) -> None:
    coloured = in_a_terminal(environment(COLUMNS="80"))
    assert "\x1b[32m" in coloured
    plain = in_a_terminal(environment(COLUMNS="80", NO_COLOR="1"))
    assert "\x1b" not in plain
    bare = [line.rstrip() for line in re.sub(r"\x1b\[\d+m", "", coloured).splitlines()]
    assert bare == plain.splitlines() == ran.stdout.splitlines()


def test_every_tool_of_the_server_is_in_the_demo() -> None:
    from typedtool import TypedTool
    from typedtool.cli.demo import _Weather

    declared = {tool.name for tool in vars(_Weather).values() if isinstance(tool, TypedTool)}
    assert {tool.name for tool in TOOLS} == declared - {"list-citys"}
