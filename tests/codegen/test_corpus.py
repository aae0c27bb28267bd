"""Generated modules of real servers: they import, decode what their schemas allow, refuse what they do not."""

from __future__ import annotations

import collections
import json
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import UNSET

from generated_modules import assigned, imported, structure
from schema_samples import Sampler, mutated
from shared_material import find_shared
from typedtool import Decoder, Ok, TypedTool, TypedToolError
from typedtool.codegen import compile_listing, types_for
from typedtool.codegen.tool_types import read_tool
from typedtool.results.definitions import Definition, read_listing
from typedtool.schemas.schema import Schema, parse_schema
from typedtool.types.conversion import Converter, NotFit
from typedtool.values.budgets import DEFAULT_BUDGET
from wire_expectations import EXPECTED

SHARED = find_shared()
SERVERS = sorted((SHARED / "corpus").glob("*.json")) if SHARED is not None else []
# small servers, each with something of its own: tags, untagged unions, recursion, wrappers, refused names
SAMPLE = {
    "agent-device",
    "memory",
    "time",
    "filesystem",
    "lean-lsp",
    "apify",
    "brave-search",
    "mongodb",
    "everything",
}
# those whose modules the type checkers read by default: they take their time
CHECKED = {"memory", "time", "lean-lsp", "apify"}
WIRE = Path(__file__).parents[1] / "wire"

pytestmark = pytest.mark.skipif(
    SHARED is None, reason="the shared material is not here: set TYPEDTOOL_SHARED"
)


def servers(config: pytest.Config) -> list[Path]:
    return SERVERS if config.getoption("--thorough") else [p for p in SERVERS if p.stem in SAMPLE]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "server" in metafunc.fixturenames:
        found = servers(metafunc.config)
        metafunc.parametrize("server", found, ids=[path.stem for path in found])


def definitions(server: Path) -> tuple[Definition, ...]:
    return read_listing(json.loads(server.read_bytes()))


def samples(schema: Schema, count: int, tries: int = 120) -> list[Any]:
    """Values that the schema allows."""
    found: dict[str, Any] = {}
    sampler = Sampler(schema, 5)
    for _ in range(tries):
        value = sampler.draw()
        if len(found) >= count:
            break
        if schema.is_valid(value):
            found.setdefault(json.dumps(value, sort_keys=True), value)
    return list(found.values())


def equal(back: Any, sent: Any) -> bool:
    """What came back is what was sent, but for keys that the type does not know; 1 is 1.0, true is not 1."""
    if isinstance(sent, dict) and isinstance(back, dict):
        return all(k in sent and equal(v, sent[k]) for k, v in back.items())
    if isinstance(sent, list) and isinstance(back, (list, tuple)):
        return len(sent) == len(back) and all(map(equal, back, sent))
    return isinstance(back, bool) == isinstance(sent, bool) and back == sent


def sides(definition: Definition) -> Iterator[tuple[str, Any, Schema]]:
    """The types of a tool that say something, with the schemas they were made from."""
    input, output = types_for(definition)
    for side, tp, document in (
        ("input", input, definition.input_schema),
        ("output", output, definition.output_schema),
    ):
        if document is UNSET or tp is None:
            continue
        try:
            yield side, tp, parse_schema(document)
        except TypedToolError:
            assert tp in (object, dict[str, object])


def takes(tp: Any, value: Any) -> bool:
    try:
        Converter(tp).convert(value, DEFAULT_BUDGET)
    except NotFit:
        return False
    return True


def test_a_module_defines_a_tool_for_every_tool_and_its_types_are_those_at_run_time(server: Path) -> None:
    listing = json.loads(server.read_bytes())
    made = compile_listing(listing)
    found = assigned(made.source)
    module = imported(made.source)
    assert set(made.tools) == {entry["name"] for entry in listing["tools"]}
    assert set(made.tools.values()) <= found.keys()
    for entry in {d.name: d for d in read_listing(listing)}.values():
        built: TypedTool[Any, Any] = getattr(module, made.tools[entry.name])
        assert built.name == entry.name
        Decoder(built.output_type)
        if built.input_type is not None:
            Decoder(built.input_type)
        input, output = types_for(entry)
        assert _shape(output) == _shape(built.output_type)
        assert (input is None) == (built.input_type is None)


def _shape(tp: Any) -> str:
    """The structure without the names of classes: those of definitions depend on the other tools."""
    return "\n".join(line.partition(" ")[2] or line for line in structure(tp).splitlines())


def test_valid_values_are_accepted_and_come_back_and_invalid_ones_are_refused_or_validated_away(
    server: Path, thorough: bool
) -> None:
    counts: collections.Counter[str] = collections.Counter()
    wrong: list[tuple[str, ...]] = []
    chance = random.Random(7)
    for definition in definitions(server):
        for side, tp, schema in sides(definition):
            unwrapped = side == "output" and read_tool(definition).unwrapped
            converter = Converter(tp)
            for value in samples(schema, 20 if thorough else 6):
                inside = value["result"] if unwrapped else value
                counts["valid"] += 1
                try:
                    found = converter.convert(inside, DEFAULT_BUDGET)
                except NotFit:
                    if takes(types_for(definition, formats="none")[side == "output"], inside):
                        continue  # only its format made the difference: to JSON Schema that is a remark
                    wrong.append((definition.name, side, "refused", repr(inside)[:200]))
                    continue
                back = msgspec.to_builtins(found, str_keys=True)
                if not equal(back, inside):
                    wrong.append((definition.name, side, "changed", repr(inside)[:200], repr(back)[:200]))
                bad = mutated(value, chance)
                if not schema.is_valid(bad):
                    counts["invalid"] += 1
                    bound = TypedTool("x", None, object if side == "input" else tp).against(
                        {"name": "x", "outputSchema": schema.document}
                    )
                    if isinstance(bound.read({"content": [], "structuredContent": bad}), Ok):
                        wrong.append((definition.name, side, "not refused", repr(bad)[:200]))
    assert wrong == []
    assert counts["valid"] > 0


# --- other tools look at the text ---------------------------------------------------------------------------


@pytest.fixture(scope="module")
def modules(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory of generated modules: of some servers, with --thorough of all of them."""
    found = tmp_path_factory.mktemp("generated")
    thorough = request.config.getoption("--thorough")
    for server in SERVERS if thorough else [p for p in SERVERS if p.stem in CHECKED]:
        source = compile_listing(json.loads(server.read_bytes())).source
        (found / f"{server.stem.replace('-', '_')}.py").write_text(source, "utf-8")
    return found


def run(*command: str) -> str:
    done = subprocess.run([sys.executable, "-m", *command], capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else (done.stdout + done.stderr)[-4000:]


def test_modules_are_what_ruff_format_leaves(modules: Path) -> None:
    assert run("ruff", "format", "--isolated", "--check", str(modules)) == ""


def test_modules_are_clean_under_mypy_strict(modules: Path) -> None:
    cache = [
        "--cache-dir",
        str(modules / ".mypy_cache"),
        "--python-version",
        "3.10",
        "--config-file",
        "/dev/null",
    ]
    assert run("mypy", "--strict", *cache, str(modules)) == ""


def test_modules_are_clean_under_pyright_strict(modules: Path) -> None:
    config = {"typeCheckingMode": "strict", "pythonVersion": "3.10", "include": ["."]}
    (modules / "pyrightconfig.json").write_text(json.dumps(config), "utf-8")
    assert run("pyright", "--pythonpath", sys.executable, "-p", str(modules)) == ""


# --- recorded results ---------------------------------------------------------------------------------------


def recorded() -> Iterator[tuple[str, dict[str, Any]]]:
    for path in sorted(WIRE.glob("*.jsonl")):
        for line in path.read_bytes().splitlines():
            record = json.loads(line)
            if (
                record["tool"]["name"] in EXPECTED
                and record["tool"].get("outputSchema")
                and "result" in record
            ):
                yield path.stem, record


def test_modules_of_recorded_servers_decode_their_results_to_equal_values() -> None:
    """Every value is compared with what was on the wire; what the server's own schema refuses is no matter here."""
    read = 0
    for server, record in recorded():
        entry, result = record["tool"], record["result"]
        if result.get("isError") or "structuredContent" not in result:
            continue
        schema = parse_schema(entry["outputSchema"])
        if not schema.is_valid(result["structuredContent"]):
            continue
        outcome = TypedTool.from_definition(entry).against(entry).read(record["raw"])
        assert isinstance(outcome, Ok), (server, entry["name"], outcome)
        sent = result["structuredContent"]
        sent = sent["result"] if outcome.unwrapped else sent
        assert equal(msgspec.to_builtins(outcome.value, str_keys=True), sent), (server, entry["name"])
        read += 1
    assert read > 100


def test_recorded_results_of_real_servers_decode_where_their_schemas_allow_them() -> None:
    read, refused = 0, []
    assert SHARED is not None
    for path in sorted((SHARED / "corpus" / "results").glob("*.json")):
        tools = {d.name: d for d in definitions(SHARED / "corpus" / path.name)}
        for record in json.loads(path.read_bytes()):
            result, entry = record.get("result") or {}, tools.get(record["tool"])
            if result.get("isError") or "structuredContent" not in result or entry is None:
                continue
            if not parse_schema(entry.output_schema).is_valid(result["structuredContent"]):
                continue
            outcome = TypedTool.from_definition(entry).against(entry).read(result)
            read += 1
            if not isinstance(outcome, Ok):
                refused.append((path.stem, entry.name, str(outcome)[:200]))
    assert refused == []
    assert read > 50


# --- proof ----------------------------------------------------------------------------------------------------------


def test_types_take_all_that_their_servers_may_send_by_proof(request: pytest.FixtureRequest) -> None:
    subsumption = pytest.importorskip("typedtool.compatibility.proof", reason="compare is not there")
    proved, others = 0, []
    seen: set[str] = set()
    for server in servers(request.config):
        for definition in definitions(server):
            document = definition.output_schema
            key = json.dumps(document, sort_keys=True, default=str)
            if document is UNSET or key in seen:
                continue
            seen.add(key)
            try:
                verdict = subsumption.compare(types_for(definition)[1], document).accepts
            except TypedToolError as error:
                verdict = error
            if isinstance(verdict, subsumption.Proved):
                proved += 1
            else:
                others.append(f"{server.stem}/{definition.name}: {verdict!r}"[:200])
    assert proved >= 0.97 * (proved + len(others)), others
