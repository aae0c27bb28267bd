"""The harness itself: it must fail where a marker and a checker disagree, either way round."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from harness.checkers import RUN, Project, errors_by_place
from harness.markers import CHECKERS, HarnessError, compare, expected, files_for


def write(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text)
    return folder


def places(folder: Path, checker: str) -> tuple[set[int], set[int]]:
    found = expected(folder, checker)
    return {line for _, line in found.must}, {line for _, line in found.may}


def test_a_marker_concerns_every_checker_or_those_it_names(tmp_path: Path) -> None:
    write(
        tmp_path,
        a=(
            "a = 1  # E\n"
            "b = 1  # E: mypy ty\n"
            "c = 1  # E?: pyrefly\n"
            "d = 1  # E # E?: ty -- why it may be silent\n"
            "e = 1  # E -- why\n"
            "f = '# E'\n"
            "g = 1  # Every checker takes this\n"
        ),
    )
    assert places(tmp_path, "mypy") == ({1, 2, 4, 5}, set())
    assert places(tmp_path, "ty") == ({1, 2, 5}, {4})
    assert places(tmp_path, "pyrefly") == ({1, 4, 5}, {3})
    assert places(tmp_path, "pyright") == ({1, 4, 5}, set())


@pytest.mark.parametrize("comment", ["# E: mypi", "# E?: mypy pyrite", "# E:mypy,ty", "# E because", "# E :"])
def test_a_marker_that_cannot_be_read_is_an_error_of_the_harness(comment: str, tmp_path: Path) -> None:
    write(tmp_path, a=f"a = 1  # E\nb = 1  {comment}\n")
    with pytest.raises(HarnessError, match=r"a\.py:2"):
        expected(tmp_path, "mypy")


@pytest.mark.parametrize("text", ["a = 1\n", "a = '# E'\n", "a = 1  # E: ty\n", "a = 1  # E?\n"])
def test_a_folder_that_expects_no_error_is_an_error_of_the_harness(text: str, tmp_path: Path) -> None:
    write(tmp_path, a=text)
    with pytest.raises(HarnessError, match="expects no error of mypy"):
        expected(tmp_path, "mypy")


def test_a_file_can_be_left_out_for_a_checker(tmp_path: Path) -> None:
    write(tmp_path, a="# not for: mypy115 ty -- why\na = 1  # E\n", b="b = 1  # E\n")
    assert [path.stem for path in files_for(tmp_path, "mypy115")] == ["b"]
    assert {path for path, _ in expected(tmp_path, "ty").must} == {"b.py"}
    assert [path.stem for path in files_for(tmp_path, "mypy")] == ["a", "b"]


SEEDED = 'a: int = ""  # E\nb: int = 1  # E\nc: int = ""\n'


@pytest.mark.parametrize(
    "checker",
    [
        pytest.param(name, marks=[] if name in ("mypy", "pyright") else pytest.mark.environments)
        for name in CHECKERS
    ],
)
def test_a_missing_and_an_unexpected_error_are_both_found(checker: str, tmp_path: Path) -> None:
    from harness.environments import interpreter

    project = Project(write(tmp_path, seeded=SEEDED), Path(sys.executable), tmp_path / "cache")
    project.configure()
    tool = Path(sys.executable) if checker in ("mypy", "pyright") else interpreter(checker)
    found = errors_by_place(RUN[checker](project, tool))
    missing, unexpected = compare(expected(tmp_path, checker), found)
    assert missing == "seeded.py:2: an error is expected, none was reported"
    assert unexpected.startswith("seeded.py:3: not expected: ")


@pytest.mark.parametrize("checker", ["mypy", "pyright"])
def test_a_checker_that_does_not_run_is_an_error_of_the_harness(checker: str, tmp_path: Path) -> None:
    project = Project(
        write(tmp_path, a='a: int = ""  # E\n'),
        Path(sys.executable),
        tmp_path / "cache",
        plugins=("nowhere.at.all",),
    )
    project.configure()
    if checker == "pyright":
        (tmp_path / "pyrightconfig.json").write_text("{")
    with pytest.raises(HarnessError, match="ended with"):
        RUN[checker](project, Path(sys.executable))
