"""Files as they come: encodings, line ends, text that is not Python, and text that is nested too deeply."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

pytest.importorskip("libcst", reason="the extra typedtool[migrate] is not installed")

from migrating_code import CODE, DONE, write
from typedtool import migration
from typedtool.cli.main import main
from typedtool.migration.findings import Changed, Failed, Unchanged
from typedtool.migration.migrating import migrate_file, migrate_text


def migrated(path: Path) -> bytes:
    assert main(["migrate", "--write", str(path)]) == 1
    return path.read_bytes()


@pytest.mark.parametrize(
    ("head", "encoding", "mark"),
    [
        ("", "utf-8", b""),
        ("", "utf-8", b"\xef\xbb\xbf"),
        ("# -*- coding: latin-1 -*-\n", "latin-1", b""),
        ("#!/usr/bin/python\n# vim: set fileencoding=cp1252 :\n", "cp1252", b""),
        ("# coding: utf-8\n", "utf-8", b"\xef\xbb\xbf"),
    ],
)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_bytes_outside_of_the_edits_stay(
    tmp_path: Path, head: str, encoding: str, mark: bytes, newline: str
) -> None:
    def raw(code: str) -> bytes:
        return mark + (head + code).replace("\n", newline).encode(encoding)

    path = write(tmp_path, raw(CODE))
    assert migrated(path) == raw(DONE)
    assert main(["migrate", "--check", str(path)]) == 0


def test_lines_may_end_in_carriage_returns_only(tmp_path: Path) -> None:
    path = write(tmp_path, CODE.replace("\n", "\r").encode())
    assert migrated(path) == DONE.replace("\n", "\r").encode()


@pytest.mark.parametrize(
    "text",
    [
        CODE.replace("\n\n", "\n\f\n"),
        CODE.replace("def f", "\fdef f"),
        "\f" + CODE,
        CODE.replace("    return", "  \f    return"),
        CODE.replace('"é"', "'''\n\f\n'''"),
        CODE.replace("\n\n", "\r\n\n"),
        CODE.rstrip("\n"),
        CODE.replace("    return", "\treturn"),
        CODE.replace("(result:", "(\\\n  result:"),
        CODE + "\n\n\n",
        CODE + "  # the end",
    ],
)
def test_odd_whitespace_is_kept_character_for_character(text: str) -> None:
    outcome = migrate_text(text)
    assert isinstance(outcome, Changed)
    before, last = [], 0
    for edit in outcome.edits:
        before.append(text[last : edit.start])
        last = edit.end
    rest = outcome.text
    for kept in [*before, text[last:]]:
        assert kept in rest
        rest = rest[rest.index(kept) + len(kept) :]
    assert "expect_object(result)[" in outcome.text
    compile(outcome.text, "migrated", "exec")


@pytest.mark.parametrize(
    ("raw", "code", "line"),
    [
        (b"x = structuredContent\ndef (:\n", "TT901", 2),
        (b"print 'no trigger here'\n", "TT901", 1),
        (b"x = 1\n\0", "TT901", 1),
        (b"ok = 1\nbad = '\xff structuredContent'\n", "TT902", 2),
        (b"# coding: no-such-codec\n", "TT902", 1),
        (b"\xef\xbb\xbf# coding: latin-1\n", "TT902", 1),
        (b"structuredContent = " + b"(" * 5000 + b")" * 5000, "TT904", 1),
        (b"structuredContent = 1" + b" + 1" * 100_000, "TT904", 1),
        (b"structuredContent = " + b"not " * 50_000 + b"1", "TT904", 1),
        (b"structuredContent = a" + b".a" * 50_000, "TT904", 1),
        (b"if structuredContent:\n  a\n" + b"elif b:\n  c\n" * 20_000, "TT904", None),
    ],
)
def test_what_cannot_be_migrated_is_reported_and_left(
    tmp_path: Path, raw: bytes, code: str, line: int | None, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path, raw)
    outcome = migrate_file(path)
    assert isinstance(outcome, Failed)
    (found,) = outcome.findings
    assert (found.code, found.kind) == (code, "failed")
    assert line is None or found.line == line
    assert main(["migrate", "--write", str(path)]) == 2
    assert f"{path}:{found.line}:{found.column} {code} failed: " in capsys.readouterr().out
    assert path.read_bytes() == raw


def test_a_sum_of_a_thousand_terms_is_no_problem() -> None:
    text = CODE + "total = " + " + ".join(["1"] * 1_000) + "\n"
    assert isinstance(migrate_text(text), Changed)


def test_a_file_of_50_000_lines_is_migrated() -> None:
    filler = "\ndef g{}(a: int) -> int:\n    if a > 3:\n        return a * 2\n    return a + {}\n"
    parts = [filler.format(i, i) for i in range(10_000)]
    wanted = "\n\fdef f{}(result: CallToolResult):\n    return result.structuredContent['k']\n"
    for at in (10, 5_000, 9_990):
        parts[at] += wanted.format(at)
    text = "from mcp.types import CallToolResult\n" + "".join(parts)
    assert text.count("\n") > 50_000
    outcome = migrate_text(text)
    assert isinstance(outcome, Changed)
    expected = text.replace("result.structuredContent['k']", "expect_object(result)['k']")
    head = "from mcp.types import CallToolResult\n"
    assert outcome.text == expected.replace(head, head + "from typedtool import expect_object\n", 1)
    lines = [f.line for f in outcome.findings]
    rows = text.split("\n")
    assert len(lines) == 3
    assert all("structuredContent" in rows[line - 1] for line in lines)


def test_a_file_is_replaced_at_once_with_its_permissions_and_through_a_link(tmp_path: Path) -> None:
    path = write(tmp_path, CODE.encode())
    path.chmod(0o750)
    link = tmp_path / "link.py"
    link.symlink_to(path)
    assert main(["migrate", "--write", str(link)]) == 1
    assert link.is_symlink()
    assert path.read_text("utf-8") == DONE
    assert stat.S_IMODE(path.stat().st_mode) == 0o750
    assert sorted(p.name for p in tmp_path.iterdir()) == ["code.py", "link.py"]


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="permissions do not hold for this user")
def test_a_folder_that_cannot_be_written_is_reported(tmp_path: Path) -> None:
    path = write(tmp_path, CODE.encode())
    tmp_path.chmod(0o500)
    try:
        assert main(["migrate", "--write", str(path)]) == 2
    finally:
        tmp_path.chmod(0o700)
    assert path.read_text("utf-8") == CODE


def test_libcst_is_imported_by_one_module() -> None:
    folder = Path(migration.__file__).parent.parent
    users = [p.name for p in folder.rglob("*.py") if "import libcst" in p.read_text("utf-8")]
    assert users == ["syntax.py"]


def test_a_text_without_anything_to_migrate_is_only_checked() -> None:
    assert migrate_text("x = 1\n") == Unchanged("<text>")
