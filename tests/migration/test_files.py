"""Files as they come: encodings, line ends, what is no Python, what is too deep; and the command line."""

from __future__ import annotations

import json
import os
import re
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("libcst", reason="the extra typedtool[migrate] is not installed")

from typedtool import migration
from typedtool.cli.main import main
from typedtool.migration.diffs import unified
from typedtool.migration.findings import Changed, Failed, Unchanged
from typedtool.migration.migrating import migrate_file, migrate_text

CODE = """from mcp.types import CallToolResult

def f(result: CallToolResult):
    return result.structuredContent["é"]  # é
"""
DONE = """from mcp.types import CallToolResult
from typedtool import expect_object

def f(result: CallToolResult):
    return expect_object(result)["é"]  # é
"""


def write(folder: Path, raw: bytes, name: str = "code.py") -> Path:
    path = folder / name
    path.write_bytes(raw)
    return path


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


def test_an_unchanged_file_is_not_written(tmp_path: Path) -> None:
    path = write(tmp_path, DONE.encode())
    os.utime(path, (1, 1))
    assert main(["migrate", "--write", str(path)]) == 0
    assert path.stat().st_mtime == 1


def test_folders_are_searched_and_environments_left_out(tmp_path: Path) -> None:
    for name in ("a.py", "sub/b.pyi", "venv/c.py", ".hidden/d.py", "node_modules/e.py", "sub/notes.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        write(tmp_path, CODE.encode(), name)
    (tmp_path / "venv" / "pyvenv.cfg").touch()
    assert main(["migrate", "--write", str(tmp_path), str(tmp_path / "a.py")]) == 1
    done = [
        p.relative_to(tmp_path).as_posix() for p in tmp_path.rglob("*.py*") if p.read_bytes() == DONE.encode()
    ]
    assert sorted(done) == ["a.py", "sub/b.pyi"]


def test_the_diff_is_what_patch_takes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if shutil.which("patch") is None:
        pytest.skip("patch is not installed")
    text = CODE + "\n" * 20 + CODE.split("\n\n")[1].replace("def f", "def g") + "x = 1"
    path = write(tmp_path, text.encode())
    assert main(["migrate", str(path)]) == 1
    diff = capsys.readouterr().out
    assert path.read_text("utf-8") == text
    subprocess.run(["patch", "-s", "-F0", str(path)], input=diff.encode(), check=True)
    patched = path.read_text("utf-8")
    outcome = migrate_text(text)
    assert isinstance(outcome, Changed)
    assert patched == outcome.text
    assert unified("p", text, ()) == ""


def test_the_report_is_machine_readable(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = write(tmp_path, b"def (: structuredContent", "bad.py")
    good = write(tmp_path, CODE.encode(), "good.py")
    same = write(tmp_path, b"x = 1\n", "same.py")
    assert main(["migrate", "--output", "json", str(tmp_path)]) == 2
    report = json.loads(capsys.readouterr().out)
    assert (report["version"], report["exit"]) == (1, 2)
    assert [(f["path"], f["outcome"], f["written"]) for f in report["files"]] == [
        (str(bad), "failed", False),
        (str(good), "changed", False),
        (str(same), "unchanged", False),
    ]
    (found,) = report["files"][1]["findings"]
    assert (found["code"], found["line"], found["column"]) == ("TT101", 4, 12)
    assert (found["kind"], found["certainty"]) == ("rewritten", "proved")
    assert report["files"][1]["diff"].startswith(f"--- {good}\n")


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("x = 1\n", 0),
        (DONE, 0),
        (CODE, 1),
        (
            "from mcp.types import CallToolResult\ndef f(r: CallToolResult): return bool(r.structured_content)\n",
            1,
        ),
        (
            "from mcp.types import CallToolResult\ndef f(r: CallToolResult): return r.structured_content is None\n",
            0,
        ),
        ("def (:\n", 2),
    ],
)
def test_the_exit_code_says_what_is_to_be_done(tmp_path: Path, code: str, expected: int) -> None:
    path = write(tmp_path, code.encode())
    assert main(["migrate", "--check", str(path)]) == expected
    assert path.read_text("utf-8") == code


def test_what_is_not_there_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["migrate", str(tmp_path / "nothing.py")]) == 2
    assert "nothing.py:1:1 TT903 failed: cannot be read" in capsys.readouterr().err
    assert main(["migrate"]) == 2
    assert "give the files or folders to migrate" in capsys.readouterr().err


@pytest.mark.parametrize("content", ["nonsense", "[]", '{"tools": 1}', "[" * 100_000])
def test_a_listing_that_is_none_is_refused(
    tmp_path: Path, content: str, capsys: pytest.CaptureFixture[str]
) -> None:
    listing = write(tmp_path, content.encode(), "listing.json")
    assert main(["migrate", "--to-typed", "--listing", str(listing), str(tmp_path)]) == 2
    assert re.search("--listing: .* (is no tools/list result|is not JSON|depth)", capsys.readouterr().err)


def test_every_code_that_a_finding_can_have_is_explained_and_no_other(
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = Path(migration.__file__).parent
    page = (folder / "CODES.md").read_text("utf-8")
    titles = {line[4:9]: line for line in page.splitlines() if line.startswith("### ")}
    used = set(re.findall(r'"(TT\d{3})"', "".join(p.read_text("utf-8") for p in folder.glob("*.py"))))
    assert list(titles) == sorted(used)
    for code, title in titles.items():
        assert main(["migrate", "--explain", code]) == 0
        shown = capsys.readouterr().out
        assert shown.startswith(f"{title}\n")
        assert len(shown.splitlines()) > 2
    assert main(["migrate", "--explain", "TT999"]) == 2


def test_it_is_a_subcommand(tmp_path: Path) -> None:
    path = write(tmp_path, CODE.encode())
    done = subprocess.run(
        [sys.executable, "-m", "typedtool", "migrate", "--check", str(path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    assert f"{path}:4:12 TT101 rewritten: " in done.stdout


def test_without_libcst_it_says_what_to_install(tmp_path: Path) -> None:
    path = write(tmp_path, CODE.encode())
    script = (
        "import sys; sys.modules['libcst'] = None\n"
        "from typedtool.cli.main import main\n"
        f"raise SystemExit(main(['migrate', {str(path)!r}]))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == "typedtool: migrate needs LibCST: pip install 'typedtool[migrate]'\n"


def test_libcst_is_imported_by_one_module() -> None:
    folder = Path(migration.__file__).parent.parent
    users = [p.name for p in folder.rglob("*.py") if "import libcst" in p.read_text("utf-8")]
    assert users == ["syntax.py"]


def test_a_text_without_anything_to_migrate_is_only_checked() -> None:
    assert migrate_text("x = 1\n") == Unchanged("<text>")
