"""Whole clients, from SDK 1 to SDK 2: what becomes of them, what a type checker says, what they do against a server."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("libcst", reason="the extra typedtool[migrate] is not installed")

from typedtool.migration.findings import Changed, Failed, Settings, Unchanged
from typedtool.migration.migrating import migrate_file, migrate_text

ROOT = Path(__file__).resolve().parents[2]
HERE = ROOT / "tests" / "migration"
SERVER = ROOT / "tests" / "servers" / "scripted.py"
SCRIPT = HERE / "server.json"
CLIENTS = sorted(path.stem for path in (HERE / "clients").glob("*.py"))
PAGES = json.loads(SCRIPT.read_text("utf-8"))["list_pages"]
TYPED = {"users": Settings(typed=True), "reports": Settings(typed=True)}
TYPED["forecast"] = Settings(
    typed=True, listing={"tools": [tool for page in PAGES for tool in page["tools"]]}
)

ANSWERS: dict[str, object] = json.loads((HERE / "answers.json").read_text("utf-8"))
"""What each client's `main` gives against the scripted server, before and after."""


def before(name: str) -> Path:
    return HERE / "clients" / f"{name}.py"


def after(name: str) -> Path:
    return HERE / "migrated" / f"{name}.py"


def test_there_are_at_least_twelve_clients_and_each_has_its_outcome_and_its_answer() -> None:
    assert len(CLIENTS) >= 12
    assert sorted(path.stem for path in (HERE / "migrated").glob("*.py")) == CLIENTS == sorted(ANSWERS)


@pytest.mark.parametrize("name", CLIENTS)
def test_a_client_becomes_what_is_expected_byte_for_byte(name: str) -> None:
    from typedtool.migration.sources import read, rewritten

    outcome = migrate_file(before(name), TYPED.get(name, Settings()))
    assert isinstance(outcome, Changed)
    assert rewritten(read(before(name)), outcome.text) == after(name).read_bytes()
    assert not [f for f in outcome.findings if f.kind in ("todo", "failed")]


@pytest.mark.parametrize("name", CLIENTS)
def test_a_migrated_client_is_left_alone(name: str) -> None:
    outcome = migrate_file(after(name), TYPED.get(name, Settings()))
    assert isinstance(outcome, Unchanged)
    assert not [f for f in outcome.findings if f.kind == "todo"]


def stub(folder: Path) -> Path:
    """The stub as a folder that mypy takes from its path: without the suffix that pip wants."""
    source = ROOT / "stubs" / "mcp_types-stubs"
    if not source.is_dir():
        pytest.skip("the stub package is not here")
    shutil.copytree(source, folder / "mcp_types")
    return folder


def mypy(files: list[Path], path: Path) -> str:
    (path / "mypy.ini").write_text("[mypy]\n")  # nothing of the repository's own settings
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "--scripts-are-modules"]
    environment = {**os.environ, "MYPYPATH": str(path), "MYPY_CACHE_DIR": str(path / "cache")}
    done = subprocess.run(
        [*command, "--config-file", "mypy.ini", *map(str, files)],
        capture_output=True,
        text=True,
        env=environment,
        cwd=path,
        check=False,
    )
    assert not done.stderr, done.stderr
    return done.stdout


def test_migrated_clients_pass_mypy_strict_with_the_stub_and_unguarded_ones_do_not(tmp_path: Path) -> None:
    path = stub(tmp_path)
    naive = tmp_path / "naive.py"
    renamed = before("quickstart").read_text("utf-8").replace("structuredContent", "structured_content")
    naive.write_text(renamed.replace("isError", "is_error").replace("inputSchema", "input_schema"), "utf-8")
    found = mypy([*map(after, CLIENTS), naive], path)
    lines = found.splitlines()
    assert [line for line in lines if "naive.py" not in line] == []
    assert len([line for line in lines if 'Value of type "object" is not indexable' in line]) == 1


def run_clients(python: str, folder: str) -> dict[str, object]:
    files = [str(HERE / folder / f"{name}.py") for name in CLIENTS]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [python, str(HERE / "driver.py"), str(SERVER), str(SCRIPT), *files],
        capture_output=True,
        text=True,
        env=environment,
        timeout=100,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    answers: dict[str, object] = {}
    for line in done.stdout.splitlines():
        answers.update(json.loads(line))
    return answers


def test_migrated_clients_give_the_same_against_a_live_server() -> None:
    from importlib.metadata import version

    if version("mcp").startswith("1."):
        pytest.skip("migrated code is for SDK 2, and SDK 1 is installed")
    assert run_clients(sys.executable, "migrated") == ANSWERS


@pytest.mark.live
@pytest.mark.parametrize(("line", "folder"), [("mcp1", "clients"), ("mcp2", "migrated")])
def test_clients_give_the_same_on_sdk_1_before_and_on_sdk_2_after(line: str, folder: str) -> None:
    sys.path.insert(0, str(ROOT / "tests" / "live"))
    try:
        from environments import python  # type: ignore[import-not-found]
    finally:
        sys.path.pop(0)
    assert run_clients(python(line), folder) == ANSWERS


def findings(text: str, **options: bool) -> list[tuple[str, int, str, str]]:
    outcome = migrate_text(text, Settings(**options))
    return [(f.code, f.line, f.kind, f.certainty) for f in outcome.findings]


HEAD = "from mcp.types import CallToolResult\ndef f(result: CallToolResult, x):\n"


def body(text: str, head: str = HEAD, **options: bool) -> str:
    """What becomes of one line in a function with `result`, the import that is added apart."""
    outcome = migrate_text(f"{head}    {text}\n", Settings(**options))
    assert not isinstance(outcome, Failed), outcome
    return outcome.text.splitlines()[-1].strip() if isinstance(outcome, Changed) else text


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("del result.structuredContent['x']", "del result.structured_content['x']"),
        ("result.structuredContent['x'] = 1", "result.structured_content['x'] = 1"),
        ("result.structuredContent.pop('x')", "result.structured_content.pop('x')"),
        ("x(result.structuredContent)", "x(result.structured_content)"),
        ("x(**result.structuredContent)", "x(**expect_object(result))"),
        ("a, b = result.structuredContent", "a, b = expect_object(result)"),
        ("print(not result.structuredContent)", "print(not result.structured_content)"),
        ("return result.structuredContent == x", "return result.structured_content == x"),
        ("return (result.structuredContent)['x']", "return (expect_object(result))['x']"),
        ("return result . structuredContent [ 'x' ]", "return expect_object(result) [ 'x' ]"),
        ("return [x for x in result.structuredContent]", "return [x for x in expect_object(result)]"),
        ("return result.structuredContent or x", "return result.structured_content or x"),
        ("return x or result.structuredContent", "return x or result.structured_content"),
        ("return f'{result.structuredContent}'", "return f'{result.structured_content}'"),
        ("return isinstance(result.structuredContent, list)", "return is_array(result.structured_content)"),
        (
            "return isinstance(result.structuredContent, int)",
            "return isinstance(result.structured_content, int)",
        ),
        ("return hasattr(result, 'isError')", "return hasattr(result, 'is_error')"),
        (
            "return 'structuredContent' in result.model_fields_set",
            "return 'structured_content' in result.model_fields_set",
        ),
        ("return result.model_dump()['isError']", "return result.model_dump()['is_error']"),
        ("return result.content[0].mimeType", "return result.content[0].mime_type"),
        (
            "return result.structuredContent if result.structuredContent is not None else {}",
            "return expect_object(result) if result.structured_content is not None else {}",
        ),
        (
            "return x + (result.structuredContent or {})['n']",
            "return x + (expect_object(result) if result.structured_content is not None else {})['n']",
        ),
        (
            "return x + str(result.structuredContent or dict())",
            "return x + str(expect_object(result) if result.structured_content is not None else dict())",
        ),
        ("return x | result.structuredContent or {}", "return x | result.structured_content or {}"),
    ],
)
def test_a_read_is_rewritten_once_and_then_left(line: str, expected: str) -> None:
    assert body(line) == expected
    again = HEAD + f"    {expected}\n"
    assert not isinstance(migrate_text(again), Changed)


@pytest.mark.parametrize(
    ("line", "code", "kind"),
    [
        ("if result.structuredContent: pass", "TT105", "todo"),
        ("assert result.structuredContent", "TT105", "todo"),
        ("while x and result.structuredContent: pass", "TT105", "todo"),
        ("return bool(result.structuredContent)", "TT105", "todo"),
        ("return [1 for _ in x if result.structuredContent]", "TT105", "todo"),
        ("return result.structuredContent is None", "TT106", "note"),
        ("return result.structuredContent or []", "TT107", "todo"),
        ("result.structuredContent.update(x)", "TT112", "todo"),
        ("return result.structuredContent['result']", "TT111", "todo"),
        ("return result.structuredContent.get('result')", "TT111", "todo"),
        ("return result.structuredContent[0]", "TT101", "todo"),
        ("return result.structuredContent == {}", "TT113", "todo"),
        ("x(result.structuredContent)", "TT110", "todo"),
        ("print(result.structuredContent)", "TT110", "note"),
        ("return result.model_dump()", "TT208", "todo"),
        ("return x.structuredContent['y']", "TT207", "todo"),
        ("return x.isError", "TT207", "todo"),
        ("import json; return json.loads(result.content[0].text)", "TT120", "todo"),
        ("return result.structuredContent['x']['y']", "TT303", "note"),
    ],
)
def test_what_is_not_proved_is_reported(line: str, code: str, kind: str) -> None:
    found = [(f[0], f[1], f[2]) for f in findings(f"{HEAD}    {line}\n")]
    assert (code, 3, kind) in found


@pytest.mark.parametrize(
    "line",
    [
        "return result.structured_content['x']",
        "return result.structured_content.items()",
        "return dict(**result.structured_content)",
    ],
)
def test_code_for_sdk_2_is_rewritten_where_only_an_object_will_do(line: str) -> None:
    assert "expect_object(result)" in body(line)


@pytest.mark.parametrize(
    "line",
    [
        "return [x for x in result.structured_content]",
        "return 'x' in result.structured_content",
        "return len(result.structured_content)",
        "return result.structured_content[0]",
        "return result.structured_content[x]",
        "return result.structured_content or {}",
    ],
)
def test_code_for_sdk_2_that_an_array_would_suit_is_reported_and_left(line: str) -> None:
    assert body(line) == line
    assert any(kind == "todo" for _, _, kind, _ in findings(f"{HEAD}    {line}\n"))


@pytest.mark.parametrize(
    "line",
    [
        "(\n        result  # which\n        .structuredContent  # what\n        ['x']\n    )",
        "(result.structuredContent or  # nothing\n        {}).get('x')",
        "cast(  # hm\n        dict,\n        result.structuredContent,\n    )",
        "isinstance(result.structuredContent,  # a dict\n        dict)",
    ],
)
@pytest.mark.parametrize("typed", [False, True])
def test_comments_inside_of_what_is_rewritten_stay(line: str, typed: bool) -> None:
    call = "from mcp import ClientSession\nfrom typing import cast\n"
    call += "async def g(session: ClientSession):\n    result = await session.call_tool('t')\n"
    text = f"{call}    return {line}\n"
    outcome = migrate_text(text, Settings(typed=typed))
    after = outcome.text if isinstance(outcome, Changed) else text
    comments = [part.split("\n")[0] for part in text.split("#")[1:]]
    assert comments
    assert all(f"#{comment}" in after for comment in comments)
    assert "structuredContent" not in after
    compile(after, "migrated", "exec")


def test_brackets_over_several_lines_are_followed() -> None:
    head = "from mcp import ClientSession\nasync def g(session: ClientSession):\n    return "
    inner = "(\n        await session.call_tool('t')  # )\n    )"
    outcome = migrate_text(f"{head}{inner}.structuredContent['x']\n")
    assert isinstance(outcome, Changed)
    assert outcome.text.endswith(f"    return expect_object{inner}['x']\n")


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("if not data: return 0", "the code handles the absence of structured content"),
        ("print('x' in data)", "the code tests whether a key is present"),
        ("print(data)", "it is passed on as a whole"),
        ("data['y'] = 1", "it is written to"),
        ("print(data[data['y']])", "it is read by a computed key"),
        ("print(data.get('x', 1), data.get('x', 2))", "'x' is read with two defaults"),
        ("print(data['x'], data['x']['y'])", "a part of it is both read by key and passed on as a whole"),
    ],
)
def test_no_draft_is_made_where_a_struct_would_not_do(statement: str, reason: str) -> None:
    head = "from mcp import ClientSession\nasync def g(session: ClientSession):\n"
    body = f"    r = await session.call_tool('t')\n    data = r.structuredContent\n    {statement}\n    return data['z']\n"
    outcome = migrate_text(head + body, Settings(typed=True))
    assert isinstance(outcome, Changed)
    assert [f.message for f in outcome.findings if f.code == "TT302"] == [f"no draft for tool 't': {reason}"]
    assert "TypedTool" not in outcome.text


def test_a_comment_silences_a_finding_and_only_that_one() -> None:
    line = f"{HEAD}    return bool(result.structuredContent)"
    assert ("TT105", 3, "todo", "proved") in findings(f"{line}\n")
    assert "TT105" not in [f[0] for f in findings(f"{line}  # typedtool: ignore[TT105]\n")]
    assert "TT105" in [f[0] for f in findings(f"{line}  # typedtool: ignore[TT106]\n")]


def test_what_only_its_name_says_is_rewritten_only_when_told_to() -> None:
    text = "from mcp import ClientSession\nasync def f(s):\n    r = await s.call_tool('x')\n    return r.structuredContent['x']\n"
    careful, bold = migrate_text(text), migrate_text(text, Settings(likely=True))
    assert isinstance(careful, Unchanged)
    assert [(f.code, f.certainty) for f in careful.findings] == [("TT207", "likely")]
    assert isinstance(bold, Changed)
    assert "return expect_object(r)['x']" in bold.text
    assert {f.certainty for f in bold.findings} == {"likely"}


def test_another_class_of_the_same_look_is_not_touched() -> None:
    text = (
        "class CallToolResult:\n    structuredContent = {'x': 1}\n"
        "def f(result: CallToolResult):\n    return result.structuredContent['x']\n"
    )
    assert isinstance(migrate_text(text), Unchanged)


def test_a_name_that_the_module_has_already_is_not_shadowed() -> None:
    text = f"{HEAD}    return result.structuredContent['x']\ndef expect_object(x): return x\n"
    outcome = migrate_text(text)
    assert isinstance(outcome, Changed)
    assert "import typedtool\n" in outcome.text
    assert "return typedtool.expect_object(result)['x']" in outcome.text


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("from typedtool import decode\n", "from typedtool import decode, expect_object\n"),
        (
            "from typedtool import (\n    decode,\n)\n",
            "from typedtool import (\n    decode,\n    expect_object,\n)\n",
        ),
        ("from typedtool import expect_object as eo\n", "from typedtool import expect_object as eo\n"),
        ("'''Doc.'''\nfrom __future__ import annotations\n", None),
        (
            "from mcp.types import CallToolResult\nimport yaml\n\nfrom . import local\n",
            "CallToolResult\nfrom typedtool import expect_object\nimport yaml\n\nfrom . import local\n",
        ),
    ],
)
def test_the_import_goes_where_it_belongs(head: str, expected: str | None) -> None:
    rest = HEAD.splitlines(keepends=True)[1] if "mcp" in head else HEAD
    outcome = migrate_text(f"{head}{rest}    return result.structuredContent['x']\n")
    assert isinstance(outcome, Changed)
    compile(outcome.text, "migrated", "exec")
    if expected is not None:
        assert expected in outcome.text
    if " as eo" in head:
        assert "return eo(result)['x']" in outcome.text


def test_names_are_left_with_no_names_and_reads_are_still_made_safe() -> None:
    text = f"{HEAD}    return result.isError or (result.structuredContent or {{}})['x']\n"
    outcome = migrate_text(text, Settings(names=False))
    assert isinstance(outcome, Changed)
    assert (
        "result.isError or (expect_object(result) if result.structuredContent is not None else {})['x']"
        in outcome.text
    )


def test_a_listing_gives_the_fields_their_types_and_the_reads_give_the_fields() -> None:
    listing = {"tools": [tool for page in PAGES for tool in page["tools"]]}
    outcome = migrate_file(before("users"), Settings(typed=True, listing=listing))
    assert isinstance(outcome, Changed)
    assert "class ListUsersResultItem(Struct):\n    name: str\n    id: int\n" in outcome.text
    assert 'TypedTool[dict[str, object], list[ListUsersResultItem]]("list-users")' in outcome.text
    assert "number: int = count.decode(result)" in outcome.text
