"""Modules generated from running servers, and scripts that use them: under mypy strict, then for real."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from live.environments import Missing, environment
from live.matrix import command_of
from typedtool.cli.main import main

pytestmark = [pytest.mark.live, pytest.mark.timeout(600)]

FRAME = """\
import sys

import anyio
import made
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from typedtool import tolerant


async def use(client: Client, scratch: str) -> None:
{body}


async def run(command: list[str], scratch: str) -> None:
    server = StdioServerParameters(command=command[0], args=command[1:], env={{"MEMORY_FILE_PATH": scratch + "/m"}})
    async with Client(tolerant(stdio_client(server))) as client:
        await use(client, scratch)
    print("all of it")


anyio.run(run, sys.argv[2:], sys.argv[1])
"""

OF_AN_SDK = """\
point: made.AnObjectOut = await made.an_object(client)
assert (point.x, point.label) == (1, "a")
assert [p.x for p in await made.a_list(client)] == [1, 2]
assert [p.label for p in await made.a_list_of_one(client)] == ["a"]
assert list(await made.no_list(client)) == []
assert await made.a_number(client) == 7
"""

BODIES = {
    "everything": """\
weather = await made.get_structured_content(client, made.GetStructuredContentIn(location="New York"))
assert weather.temperature == 33 and weather.conditions.lower()
assert await made.echo(client, made.EchoIn(message="007")) == "Echo: 007"
assert await made.get_sum(client, made.GetSumIn(a=1, b=2)) == "The sum of 1 and 2 is 3."
""",
    "filesystem": """\
read = await made.read_text_file(client, made.ReadTextFileIn(path=scratch + "/a.txt"))
assert read.content == "hello\\n"
listed = await made.list_directory(client, made.ListDirectoryIn(path=scratch))
assert "[FILE] a.txt" in listed.content
await made.write_file(client, made.WriteFileIn(path=scratch + "/b.txt", content="b"))
both = await made.read_multiple_files(client, made.ReadMultipleFilesIn(paths=[scratch + "/a.txt", scratch + "/b.txt"]))
assert "hello" in both.content
await made.get_file_info(client, made.GetFileInfoIn(path=scratch + "/a.txt"))
await made.directory_tree(client, made.DirectoryTreeIn(path=scratch))
await made.search_files(client, made.SearchFilesIn(path=scratch, pattern="*.txt"))
await made.list_allowed_directories(client)
""",
    "memory": """\
ann = made.CreateEntitiesEntity(name="Ann", entity_type="person", observations=["likes tea"])
created = await made.create_entities(client, made.CreateEntitiesIn(entities=[ann]))
assert [e.name for e in created.entities] == ["Ann"]
knows = made.CreateRelationsRelation(from_="Ann", to="Ann", relation_type="knows")
related = await made.create_relations(client, made.CreateRelationsIn(relations=[knows]))
assert related.relations[0].from_ == "Ann"
more = made.AddObservationsObservation(entity_name="Ann", contents=["likes rain"])
added = await made.add_observations(client, made.AddObservationsIn(observations=[more]))
assert added.results[0].added_observations == ["likes rain"]
bound = await made.MemoryServerTools.bind(client)
graph = await bound.read_graph()
assert graph.entities[0].observations == ["likes tea", "likes rain"]
assert (await bound.search_nodes(made.SearchNodesIn(query="nothing like it"))).entities == []
assert len((await made.open_nodes(client, made.OpenNodesIn(names=["Ann"]))).entities) == 1
deleted = await made.delete_entities(client, made.DeleteEntitiesIn(entity_names=["Ann"]))
assert deleted.success
""",
    "mcp2": OF_AN_SDK,
    "fastmcp4": OF_AN_SDK,
}


@pytest.mark.parametrize("server", BODIES)
def test_a_module_from_a_running_server_is_used_under_mypy_strict(server: str, tmp_path: Path) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    (scratch / "a.txt").write_text("hello\n")
    command = command_of(server, scratch.resolve())
    if isinstance(command, Missing):
        pytest.skip(str(command))
    assert main(["generate", "--stdio", shlex.join(command), "-o", str(tmp_path / "made.py")]) == 0
    body = "".join(f"    {line}\n" for line in BODIES[server].splitlines()).rstrip()
    (tmp_path / "use.py").write_text(FRAME.format(body=body))
    run(["-m", "mypy", "--strict", "--config-file", "/dev/null", "use.py", "made.py"], tmp_path)
    assert "all of it" in run(["use.py", str(scratch.resolve()), *command], tmp_path)


def run(arguments: list[str], where: Path) -> str:
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=where,
        capture_output=True,
        text=True,
        env=environment(),
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout
