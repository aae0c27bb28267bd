from __future__ import annotations

import ast
import os
import subprocess
import sys
from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest

from typedtool import stubs

TYPES = '''"""mcp.types: “quoted”"""
from typing import Any

class ToolResultContent(BaseModel):
    structuredContent: dict[str, Any] | None = None

class CallToolResult(Result):
    """The server's response to a tool call."""

    content: list[ContentBlock]
    é: str = "é"; structuredContent: dict[str, Any] | None = None
    """An optional JSON object."""
    isError: bool = False
'''


def test_one_annotation_becomes_object_and_all_else_stays_byte_for_byte() -> None:
    before, after = stubs.widened(TYPES).split("object = None")
    head, tail = TYPES.rsplit("dict[str, Any] | None = None", 1)
    assert (before, after) == (head, tail)


def test_an_annotation_over_several_lines_is_replaced_whole() -> None:
    fields = "    structuredContent: (\n        dict[str, Any]\n        | None\n    ) = None\n"
    source = f"class CallToolResult:\n{fields}"
    annotation = ast.parse(stubs.widened(source)).body[0].body[0].annotation  # type: ignore[attr-defined]
    assert ast.unparse(annotation) == "object"


@pytest.mark.parametrize(
    "source",
    [
        "",
        "class CallToolResult:\n    pass\n",
        "class Other:\n    structuredContent: int\n",
        "class CallToolResult:\n    structuredContent: int\n    structuredContent: str\n",
        "class CallToolResult:\n    structuredContent = None\n",
        "class CallToolResult(\n",
    ],
)
def test_a_module_without_exactly_one_such_field_is_refused(source: str) -> None:
    with pytest.raises(stubs.StubError):
        stubs.widened(source)


def _written(folder: Path) -> dict[str, str]:
    return {
        str(p.relative_to(folder)): p.read_text("utf-8") for p in sorted(folder.rglob("*")) if p.is_file()
    }


def test_the_stub_is_a_partial_package_of_one_module_and_is_replaced_by_the_next(tmp_path: Path) -> None:
    source = tmp_path / "types.py"
    source.write_text(TYPES, "utf-8")
    target = stubs.write_stub(tmp_path / "new" / "folder", source)
    first = _written(target)
    assert first.keys() == {"py.typed", "types.pyi"}
    assert first["py.typed"] == "partial\n"
    assert first["types.pyi"].partition("\n")[2] == stubs.widened(TYPES)
    source.write_text(TYPES + "NEW = 1\n", "utf-8")
    assert stubs.write_stub(target.parent, source) == target
    assert _written(target)["types.pyi"].endswith("NEW = 1\n")
    assert os.listdir(target.parent) == ["mcp-stubs"]


def test_a_stub_that_someone_else_wrote_is_left_alone(tmp_path: Path) -> None:
    source = tmp_path / "types.py"
    source.write_text(TYPES, "utf-8")
    theirs = tmp_path / "mcp-stubs"
    theirs.mkdir()
    (theirs / "types.pyi").write_text("mine = 1\n")
    with pytest.raises(stubs.StubError, match="choose another folder"):
        stubs.write_stub(tmp_path, source)
    assert _written(theirs) == {"types.pyi": "mine = 1\n"}


def test_a_failure_leaves_what_was_there_and_nothing_half_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "types.py"
    source.write_text(TYPES, "utf-8")
    folder = tmp_path / "stubs"
    before = _written(stubs.write_stub(folder, source))
    move = os.replace

    def full(a: Path, b: Path) -> None:
        if Path(a).name == "new":
            raise OSError(28, "no space left on device")
        move(a, b)

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match="no space"):
        stubs.write_stub(folder, source)
    assert os.listdir(folder) == ["mcp-stubs"]
    assert _written(folder / "mcp-stubs") == before


def _installed(monkeypatch: pytest.MonkeyPatch, *folders: Path) -> None:
    spec = ModuleSpec("mcp", None, is_package=True)
    spec.submodule_search_locations = [str(folder) for folder in folders]
    monkeypatch.setattr(stubs.importlib.util, "find_spec", lambda name: spec if folders else None)


def test_what_cannot_be_done_is_one_line_on_stderr_and_exit_code_1(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    two, old = tmp_path / "two", tmp_path / "old"
    (two / "types").mkdir(parents=True)
    old.mkdir()
    for folders, said in (
        ((), "mcp is not installed"),
        ((two,), "install typedtool-stubs"),
        ((old,), "mcp/types.py"),
    ):
        _installed(monkeypatch, *folders)
        assert stubs.main([str(tmp_path / "out")]) == 1
        out, err = capsys.readouterr()
        assert out == ""
        assert said in err
        assert err.count("\n") == 1
        assert not (tmp_path / "out").exists()


def test_the_command_prints_the_folder_that_it_wrote(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "types.py").write_text(TYPES, "utf-8")
    _installed(monkeypatch, tmp_path)
    assert stubs.main([str(tmp_path / "out")]) == 0
    assert capsys.readouterr().out == f"{tmp_path / 'out' / 'mcp-stubs'}\n"


def test_nothing_of_the_sdk_is_imported(tmp_path: Path) -> None:
    code = (
        "import sys, typedtool.stubs as s; s.main([sys.argv[1]]);"
        "print([m for m in ('mcp', 'mcp_types', 'pydantic') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"
