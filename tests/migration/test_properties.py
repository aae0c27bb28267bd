"""Drawn programs and drawn garbage: what comes out parses, means the same, and stays as it is when migrated again."""

from __future__ import annotations

import ast
import asyncio
import contextlib
import io
import sys
import types
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

pytest.importorskip("libcst", reason="the extra typedtool[migrate] is not installed")

from typedtool import MismatchError, ToolFailedError
from typedtool.migration.findings import Changed, Failed, FileOutcome, Settings, Unchanged
from typedtool.migration.migrating import migrate_text

QUIET = settings(
    deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much]
)

HEAD = """from typing import Any, cast
from mcp.types import CallToolResult

def wants(value: dict[str, Any]) -> object:
    return sorted(value)

def run(result: CallToolResult, out: list) -> object:
"""


class Result:
    """What a result is to both SDKs at once, and to typedtool: the fields of both, and the content blocks."""

    was_read = False

    def __init__(self, structured: object, failed: bool) -> None:
        self._structured = structured
        self.isError = self.is_error = failed
        self.content: list[object] = []
        self.meta = None
        self.result_type = "complete"
        self.model_fields_set = {"content", "structured_content", "structuredContent"}

    @property
    def structuredContent(self) -> object:
        self.was_read = True
        return self._structured

    structured_content = structuredContent


READ = "result.structuredContent"

values = st.sampled_from(
    [
        READ + "['a']",
        READ + ".get('a')",
        READ + ".get('b', 7)",
        f"'a' in {READ}",
        f"sorted({READ})",
        f"len({READ})",
        f"[k for k in {READ}]",
        f"{{**{READ}}}",
        f"[*{READ}]",
        f"sorted(dict(**{READ}))",
        f"({READ} or {{}}).get('a')",
        f"({READ} or dict())",
        f"({READ} if {READ} is not None else {{}})",
        f"cast(dict[str, Any], {READ})['a']",
        f"isinstance({READ}, dict)",
        f"{READ} is None",
        f"{READ} is not None and {READ}['a']",
        f"bool({READ})",
        f"not {READ}",
        f"str({READ})",
        f"f'{{{READ}}}'",
        f"wants({READ})",
        f"({READ}) == {{'a': 1}}",
        f"(lambda: {READ}['a'])()",
        "result.isError",
        "getattr(result, 'structuredContent', None)",
        f"{READ}['result']",
        f"{READ}.items().__len__()",
    ]
)


def indented(lines: list[str]) -> list[str]:
    return [f"    {line}" for line in lines]


simple = st.one_of(
    values.map(lambda v: [f"out.append({v})"]),
    values.map(lambda v: [f"assert {v} is not None"]),
    values.map(lambda v: [f"out += [{v}, 'x']"]),
    st.sampled_from(
        [
            ["data = " + READ, "assert data is not None", "out.append(data['a'])"],
            [
                "data = " + READ,
                "if data is None:",
                "    out.append('none')",
                "else:",
                "    out.append(data.get('a'))",
            ],
            ["data = " + READ, "if isinstance(data, dict):", "    out.append(sorted(data))"],
            ["data = " + READ, "out.append(data)"],
            [f"data = {READ} or {{}}", "out.append(len(data))"],
            [f"data: dict[str, Any] | None = {READ}", "out.append(data and sorted(data))"],
            [f"if (data := {READ}) is not None:", "    out.append(data['a'])"],
            [f"for key in {READ}:", "    out.append(key)"],
            ["data = None", f"data = {READ}", "out.append(data['a'] if data else 'nothing')"],
            [f"data = {READ}", "out.append('later')", "out.append([data['a'] for _ in out])"],
            ["a, = " + READ, "out.append(a)"],
        ]
    ),
)


def blocks(inner: st.SearchStrategy[list[str]]) -> st.SearchStrategy[list[str]]:
    return st.one_of(
        st.tuples(values, inner).map(lambda p: [f"if {p[0]}:", *indented(p[1])]),
        st.tuples(inner, inner).map(
            lambda p: ["if result.isError:", *indented(p[0]), "else:", *indented(p[1])]
        ),
        inner.map(lambda b: ["if not result.isError:", *indented(b)]),
        inner.map(lambda b: ["try:", *indented(b), "except KeyError:", "    out.append('no key')"]),
        st.lists(inner, min_size=1, max_size=3).map(lambda bs: [line for b in bs for line in b]),
    )


programs = st.lists(st.recursive(simple, blocks, max_leaves=4), min_size=1, max_size=3).map(
    lambda parts: HEAD + "".join(f"    {line}\n" for part in parts for line in part) + "    return out\n"
)

json_values: st.SearchStrategy[Any] = st.one_of(
    st.none(),
    st.fixed_dictionaries({"a": st.sampled_from([1, None, "x", [1]])}),
    st.just({}),
    st.just({"result": [1, 2]}),
    st.sampled_from([[], [1], 0, 5, "", "text", False, True]),
)


def run(program: str, structured: object, failed: bool) -> tuple[object, bool]:
    """What `program` gives, or the error that it ends with; and whether it has read structured content."""
    space: dict[str, Any] = {}
    exec(compile(program, "program", "exec"), space)
    out: list[object] = []
    result = Result(structured, failed)
    try:
        space["run"](result, out)
    except Exception as error:
        return error, result.was_read
    return out, result.was_read


def same(before: object, after: object) -> bool:
    if isinstance(before, Exception):
        return type(before) is type(after)
    return before == after


def migrated(program: str) -> tuple[str, FileOutcome]:
    outcome = migrate_text(program)
    assert not isinstance(outcome, Failed), outcome
    return (outcome.text if isinstance(outcome, Changed) else program), outcome


@QUIET
@given(programs, json_values, st.booleans())
def test_a_migrated_program_gives_the_same_or_the_error_that_is_due(
    program: str, structured: Any, failed: bool
) -> None:
    text, outcome = migrated(program)
    before, was_read = run(program, structured, failed)
    after, _ = run(text, structured, failed)
    of_sdk_1 = structured is None or isinstance(structured, dict)
    if of_sdk_1 and not failed:
        # The very same, but that None where an object is needed has an error of its own name now.
        refused = isinstance(before, (TypeError, AttributeError, AssertionError))
        assert same(before, after) or (structured is None and refused and isinstance(after, MismatchError))
    elif of_sdk_1:
        # The same, or refused for having failed: expect_object reads no failed result.
        assert same(before, after) or isinstance(after, ToolFailedError)
    elif was_read and not isinstance(after, (MismatchError, ToolFailedError)):
        # A new value that is read and not refused: the code asks itself what it is, or takes anything, or is
        # reported for a human to look at.
        assert [f for f in outcome.findings if f.kind != "rewritten" or f.code in ("TT108", "TT114", "TT206")]


@QUIET
@given(programs)
def test_migrating_twice_is_migrating_once(program: str) -> None:
    text, _ = migrated(program)
    again = migrate_text(text)
    assert isinstance(again, Unchanged)


@QUIET
@given(programs)
def test_edits_are_all_that_changes(program: str) -> None:
    text, outcome = migrated(program)
    ast.parse(text)
    if isinstance(outcome, Changed):
        for before, after in zip(outcome.edits, outcome.edits[1:], strict=False):
            assert before.end <= after.start
        for line, finding in ((program.splitlines()[f.line - 1], f) for f in outcome.findings):
            assert finding.column <= len(line)


fragments = st.sampled_from(
    [
        "result",
        "structuredContent",
        ".",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        ":",
        "=",
        "==",
        "'",
        '"',
        "'''",
        "#",
        "\\",
        "\n",
        "\r\n",
        "\r",
        "\x0c",
        "\t",
        "",
        "",
        "",
        "def",
        "class",
        "lambda",
        "await",
        "async",
        "call_tool",
        "is",
        "not",
        "in",
        "or",
        "and",
        "if",
        "else",
        "for",
        "import",
        "from",
        "mcp.types",
        "CallToolResult",
        "isError",
        "McpError",
        "match",
        "case",
        "cast",
        "isinstance",
        ":=",
        "**",
        "*",
        ",",
        ";",
        "0",
        "é",
        "\ufeff",
        "\x00",
        "\u2028",
        "�",
        "f'",
        "{x}",
    ]
)


@QUIET
@given(st.lists(fragments, max_size=60), st.booleans())
def test_no_garbage_makes_it_raise(parts: list[str], typed: bool) -> None:
    text = "structuredContent = 1\n" + " ".join(parts)
    assert isinstance(migrate_text(text, Settings(typed=typed, likely=True)), (Changed, Unchanged, Failed))


@QUIET
@given(programs, st.data())
def test_no_cut_program_makes_it_raise(program: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(program)))
    more = data.draw(st.text(max_size=5))
    outcome = migrate_text(program[:at] + more + program[at + data.draw(st.integers(0, 9)) :])
    assert isinstance(outcome, (Changed, Unchanged, Failed))


@QUIET
@given(st.binary(max_size=300))
def test_no_bytes_make_it_raise(raw: bytes) -> None:
    from typedtool.migration.migrating import migrate
    from typedtool.migration.sources import SourceError, read_bytes

    with contextlib.suppress(SourceError), contextlib.redirect_stderr(io.StringIO()):
        assert isinstance(
            migrate(read_bytes("x.py", b"structuredContent\n" + raw)), (Changed, Unchanged, Failed)
        )


TYPED_HEAD = """import asyncio
from typing import Any, cast
from mcp import ClientSession

async def run(session: ClientSession, out: list) -> object:
    result = await session.call_tool("a-tool", {})
"""
GOOD = {"n": 3, "s": "x", "rows": [{"id": 1, "tag": "t"}, {"id": 2}], "deep": {"x y": True}, "class": None}

typed_uses = st.sampled_from(
    [
        "out.append({}['n'] + 1)",
        "out.append({}['n'])",
        "out.append({}['s'].upper())",
        "out.append(f\"{{{}['n']:.1f}}\")",
        "out.extend([row['id'] for row in {}['rows']])",
        "for row in {}['rows']: out.append(row.get('tag', 'none'))",
        "out.append(len({}['rows']))",
        "out.append({}['rows'][0]['id'])",
        "out.append([row.get('id') for row in {}['rows'][1:]])",
        "out.append({}.get('missing'))",
        "out.append({}.get('other', 5))",
        "out.append({}['deep']['x y'])",
        "text: str = {}['s']; out.append(text)",
        "out.append({}['class'] is None)",
        "out.append({}['n'] if {}['s'] == 'x' else 0)",
        "inner = {}['deep']; out.append(inner['x y'])",
        "out.append(cast(dict[str, Any], {})['n'] * 2)",
    ]
)
bases = st.sampled_from(["result.structuredContent", "data"])
typed_programs = st.lists(st.tuples(typed_uses, bases), min_size=1, max_size=5).map(
    lambda uses: (
        TYPED_HEAD
        + "    data = result.structuredContent\n    assert data is not None\n    out.append(data['n'])\n"
        + "".join(
            f"    {use.replace('{}', base).replace('{{', '{').replace('}}', '}')}\n" for use, base in uses
        )
        + "    return out\n"
    )
)
answers = st.one_of(
    st.just(GOOD),
    st.sampled_from(sorted(GOOD)).map(lambda key: {k: v for k, v in GOOD.items() if k != key}),
    st.tuples(st.sampled_from(sorted(GOOD)), st.sampled_from([None, [], {}, "q", 1.5])).map(
        lambda pair: {**GOOD, pair[0]: pair[1]}
    ),
    st.sampled_from([None, [], [GOOD], 0, "text", True]),
)


def run_typed(program: str, structured: object, failed: bool) -> object:
    class Session:
        async def call_tool(self, name: str, arguments: object) -> Result:
            return Result(structured, failed)

    space: dict[str, Any] = {"__name__": "drawn_program"}
    module = types.ModuleType("drawn_program")
    module.__dict__.update(space)
    sys.modules["drawn_program"] = module  # where msgspec looks the names of annotations up
    exec(compile(program, "drawn_program", "exec"), module.__dict__)
    out: list[object] = []
    try:
        asyncio.run(module.run(Session(), out))
    except Exception as error:
        return error
    return out


@QUIET
@given(typed_programs, answers, st.booleans())
def test_a_typed_program_gives_the_same_or_refuses_what_it_was_not_drafted_for(
    program: str, structured: Any, failed: bool
) -> None:
    outcome = migrate_text(program, Settings(typed=True))
    assert isinstance(outcome, Changed)
    assert "TypedTool[" in outcome.text
    assert "structured" not in outcome.text
    before, after = run_typed(program, structured, failed), run_typed(outcome.text, structured, failed)
    if failed:
        assert isinstance(after, ToolFailedError)
    elif structured == GOOD:
        assert before == after
        assert isinstance(before, list)
    else:
        assert same(before, after) or isinstance(after, MismatchError)
    assert isinstance(migrate_text(outcome.text, Settings(typed=True)), Unchanged)


schemas = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-2, 2),
        st.sampled_from(["string", "null", "object", "array", "#", "#/$defs/a", "#/properties/n", "x"]),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(
            st.sampled_from(
                ["type", "properties", "items", "anyOf", "$ref", "$defs", "n", "rows", "deep", "a", "result"]
            ),
            inner,
            max_size=4,
        ),
    ),
    max_leaves=12,
)


@QUIET
@given(typed_programs, schemas)
def test_no_listing_makes_it_raise(program: str, schema: Any) -> None:
    listing = {"tools": [schema, {"name": "a-tool", "outputSchema": schema}]}
    outcome = migrate_text(program, Settings(typed=True, listing=listing))
    assert isinstance(outcome, Changed)
    ast.parse(outcome.text)


REWRITTEN = [
    READ + "['a']",
    READ + ".get('a')",
    f"'a' in {READ}",
    f"[k for k in {READ}]",
    f"len({READ})",
    f"{{**{READ}}}",
    f"({READ} or {{}}).get('a')",
    f"({READ} if {READ} is not None else {{}})",
    f"cast(dict[str, Any], {READ})['a']",
    f"wants({READ})",
    f"[data for data in [1] if (found := {READ}) is not None and found['a']]",
]
NEW_VALUES: list[Any] = [0, 1, 1.5, "", "a", [], ["a"], [{"a": 1}], False, True]


@pytest.mark.parametrize("read", REWRITTEN)
def test_a_rewritten_read_keeps_what_sdk_1_gave_and_refuses_what_it_could_not(read: str) -> None:
    program = f"{HEAD}    out.append({read})\n    return out\n"
    text, _ = migrated(program)
    assert "expect_object(result)" in text
    for known in ({"a": 1}, {"a": 0, "b": []}):
        assert run(program, known, False)[0] == run(text, known, False)[0] != []
    assert same(run(program, {}, False)[0], run(text, {}, False)[0])
    absent = run(program, None, False)[0]
    after = run(text, None, False)[0]
    assert absent == after if isinstance(absent, list) else isinstance(after, MismatchError)
    for value in NEW_VALUES:
        assert isinstance(run(text, value, False)[0], MismatchError)
