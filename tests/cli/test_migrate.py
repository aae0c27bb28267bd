"""`typedtool migrate`: its report, its diff, its exit codes."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("libcst", reason="the extra typedtool[migrate] is not installed")

from migrating_code import CODE, DONE, write
from typedtool import migration
from typedtool.cli.main import main
from typedtool.migration.diffs import unified
from typedtool.migration.findings import Changed
from typedtool.migration.migrating import migrate_text


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


def test_an_unchanged_file_is_not_written(tmp_path: Path) -> None:
    path = write(tmp_path, DONE.encode())
    os.utime(path, (1, 1))
    assert main(["migrate", "--write", str(path)]) == 0
    assert path.stat().st_mtime == 1
