"""The package holds together: rooms on floors, heavy packages in one place, a light import, public names complete."""

from __future__ import annotations

import ast
import importlib.metadata
import importlib.util
import json
import pickle
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

import typedtool

SOURCE = Path(typedtool.__file__).parent

# The floors of the house, from the lowest: a room imports only from rooms on lower floors, and from itself.
FLOORS = (
    ("errors",),
    ("values",),
    ("types", "schemas", "results", "clients"),
    ("decoding",),
    ("compatibility", "codegen"),
    ("tools",),
    ("__init__", "fetching", "staleness"),
    ("cli",),
)
# Apart: source code in, source code out.
MIGRATION_USES = {"values", "errors"}
# Entry points, which other programs name.
ENTRIES = {"mypy", "stubs", "demo_server", "__main__"}

# Imports against the order, each with its reason.
AGAINST: dict[tuple[str, str], str] = {}

HEAVY = (
    "mcp",
    "mcp_types",
    "pydantic",
    "jsonschema",
    "referencing",
    "jsonschema_rs",
    "libcst",
    "mypy",
    "anyio",
    "fastmcp",
    "rich",
)
# The packages that two modules still import, to be turned.
TWICE: dict[str, set[str]] = {}
# What a room below the clients has no business with: files, processes, sockets, arguments, event loops.
OUTSIDE = (
    "argparse",
    "asyncio",
    "http",
    "multiprocessing",
    "pathlib",
    "shutil",
    "socket",
    "ssl",
    "subprocess",
    "tempfile",
    "urllib",
)
INNER = {"errors", "values", "types", "schemas", "results", "decoding", "compatibility"}
ADMITTED = {
    ("schemas.fetching", "http"): "the opt-in that fetches what an allowlist names",
    ("schemas.fetching", "socket"): "the same",
    ("schemas.fetching", "ssl"): "the same",
    ("schemas.admission", "urllib"): "urllib.parse, which reads URIs and fetches nothing",
    ("schemas.fetching", "urllib"): "the same",
    ("values.locations", "urllib"): "the same",
}


def modules() -> dict[str, ast.Module]:
    """The modules by name, without the `typedtool.`; a package by its own."""
    found = {}
    for path in SOURCE.rglob("*.py"):
        parts = list(path.relative_to(SOURCE).with_suffix("").parts)
        name = ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)
        found[name] = ast.parse(path.read_text("utf-8"), str(path))
    return found


def imports(tree: ast.Module) -> Iterator[str]:
    """Every module that is imported: on top, inside of functions, and for checkers only."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            if node.module == "typedtool":
                yield from (
                    f"typedtool.{alias.name}"
                    if (SOURCE / f"{alias.name}.py").exists()
                    else "typedtool.__init__"
                    for alias in node.names
                )
            else:
                yield node.module or ""
        elif (
            isinstance(node, ast.Call)
            and ast.unparse(node.func).endswith("import_module")
            and isinstance(node.args[0], ast.Constant)
        ):
            yield str(node.args[0].value)


MODULES = modules()
IMPORTS = {name: list(imports(tree)) for name, tree in MODULES.items()}


def room(module: str) -> str:
    """What has a place in the house: a package at the root, or a module there."""
    return module.partition(".")[0]


FLOOR = {name: floor for floor, names in enumerate(FLOORS) for name in names}


def imported_rooms(name: str) -> set[str]:
    return {
        room(imported.removeprefix("typedtool."))
        for imported in IMPORTS[name]
        if imported.startswith("typedtool.")
    }


def test_every_room_has_a_floor() -> None:
    assert {room(name) for name in MODULES} - FLOOR.keys() - ENTRIES == {"migration"}
    assert len(MODULES) > 30


def test_a_room_imports_only_from_floors_below_it() -> None:
    """Imports inside of functions too."""
    against = []
    for name in MODULES:
        if room(name) not in FLOOR:
            continue
        for target in imported_rooms(name) - {room(name)}:
            allowed = target in FLOOR and FLOOR[target] < FLOOR[room(name)]
            allowed = allowed or (room(name), target) == ("cli", "migration")
            if not allowed and (name, target) not in AGAINST:
                against.append(f"{name} imports {target}")
    assert sorted(against) == []


def test_migration_stands_apart() -> None:
    users = {name for name in MODULES if "migration" in imported_rooms(name)}
    assert {room(name) for name in users} <= {"cli", "migration"}
    used = {target for name in MODULES if room(name) == "migration" for target in imported_rooms(name)}
    assert used <= MIGRATION_USES | {"migration"}


def test_the_exceptions_to_the_order_are_still_needed() -> None:
    for name, target in AGAINST:
        assert target in imported_rooms(name), f"{name} no longer imports {target}"


def reached(start: str, targets: dict[str, set[str]]) -> set[str]:
    found: set[str] = set()
    stack = [start]
    while stack:
        for target in targets[stack.pop()] - found:
            found.add(target)
            stack.append(target)
    return found


def test_modules_do_not_go_round_in_circles() -> None:
    """Imports inside of functions and for checkers too: what one module needs of another has a direction."""
    targets = {
        name: {
            target for imported in IMPORTS[name] if (target := imported.removeprefix("typedtool.")) in MODULES
        }
        for name in MODULES
    }
    assert {name for name in MODULES if name in reached(name, targets)} == set()


@pytest.mark.parametrize("package", HEAVY)
def test_a_heavy_package_is_imported_in_one_place(package: str) -> None:
    """One room, one module in it; TWICE lists what is still read by two."""
    places = {name for name in MODULES if package in {i.partition(".")[0] for i in IMPORTS[name]}}
    assert len({room(name) for name in places}) <= 1, f"{package} is imported by {sorted(places)}"
    assert places == TWICE[package] if package in TWICE else len(places) <= 1, f"{package}: {sorted(places)}"


def test_the_heavy_packages_are_where_they_belong() -> None:
    """So that the test above looks at something: these there are."""
    found = {(i.partition(".")[0], room(name)) for name, tree in MODULES.items() for i in IMPORTS[name]}
    assert {
        ("mcp", "cli"),
        ("jsonschema", "schemas"),
        ("jsonschema_rs", "schemas"),
        ("mypy", "mypy"),
    } <= found


def test_only_the_outer_rooms_touch_files_arguments_processes_and_event_loops() -> None:
    found = {
        (name, imported.partition(".")[0])
        for name, tree in MODULES.items()
        if room(name) in INNER
        for imported in IMPORTS[name]
        if imported.partition(".")[0] in OUTSIDE
    }
    assert found - ADMITTED.keys() == set()
    opened = [
        name
        for name, tree in MODULES.items()
        if room(name) in INNER
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("open", "io.open", "os.open")
    ]
    assert opened == []


def test_the_demo_server_stands_alone() -> None:
    assert [i for i in IMPORTS["demo_server"] if i.partition(".")[0] not in sys.stdlib_module_names] == []


# --- sizes ---------------------------------------------------------------------------------------------------------

LINES_OF_A_MODULE = 450
LINES_OF_A_FUNCTION = 60
# The modules that are still longer, to be split.
LONG: set[str] = set()
# The packages and modules at the root, beside those that other programs name.
AT_THE_ROOT = 14


def test_a_module_reads_in_one_sitting() -> None:
    long = {name for name, tree in MODULES.items() if lines_of(name) > LINES_OF_A_MODULE}
    assert long == LONG


def lines_of(name: str) -> int:
    place = SOURCE / name.replace(".", "/")
    path = place / "__init__.py" if place.is_dir() else place.with_suffix(".py")
    return len(path.read_text("utf-8").splitlines())


def test_a_function_reads_on_one_screen() -> None:
    long = [
        f"{name}.{node.name}"
        for name, tree in MODULES.items()
        for node in ast.walk(tree)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        and (node.end_lineno or 0) - node.lineno + 1 > LINES_OF_A_FUNCTION
    ]
    assert long == []


def test_few_names_stand_at_the_root() -> None:
    names = {room(name) for name in MODULES} - ENTRIES - {"__init__"}
    assert len(names) <= AT_THE_ROOT, sorted(names)


# --- import typedtool -----------------------------------------------------------------------------------------------


def test_importing_typedtool_loads_nothing_heavy() -> None:
    code = "import json, sys; import typedtool; print(json.dumps(sorted({m.partition('.')[0] for m in sys.modules})))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(json.loads(done.stdout))
    assert {"typedtool", "msgspec"} <= loaded
    assert (
        sorted(loaded & {*HEAVY, "asyncio", "argparse", "httpx", "ssl", "attrs", "typedtool.cli.main"}) == []
    )


def test_importing_typedtool_loads_little_beyond_what_it_stands_on() -> None:
    """`tests/bench/bench_import.py` says what the import costs."""
    code = (
        "import json, sys; import msgspec, typing_extensions; before = set(sys.modules);"
        "import typedtool; print(json.dumps(sorted(set(sys.modules) - before)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(json.loads(done.stdout))
    costly = {"copy", "dataclasses", "difflib", "ipaddress", "json", "threading", "urllib.parse", "weakref"}
    assert sorted(loaded & costly) == []
    assert "typedtool.schemas.schema" in loaded
    assert "typedtool.schemas.admission" not in loaded, "what reads a schema comes with the first one"


def test_calling_a_type_checker_finds_the_types() -> None:
    assert (SOURCE / "py.typed").is_file()


# --- the public names -----------------------------------------------------------------------------------------------


def test_all_is_sorted_complete_and_true() -> None:
    assert typedtool.__all__ == sorted(typedtool.__all__)
    assert len(typedtool.__all__) == len(set(typedtool.__all__))
    imported = {
        alias.asname or alias.name
        for node in MODULES["__init__"].body
        if isinstance(node, ast.ImportFrom) and node.module != "__future__"
        for alias in node.names
    }
    assert imported == set(typedtool.__all__)
    namespace: dict[str, object] = {}
    exec("from typedtool import *", namespace)
    assert set(typedtool.__all__) <= namespace.keys()


def test_init_is_imports_and_all() -> None:
    assert {type(node).__name__ for node in MODULES["__init__"].body} <= {"Expr", "ImportFrom", "Assign"}


@pytest.mark.parametrize("name", sorted(MODULES))
def test_every_module_says_what_it_is_and_names_what_it_gives(name: str) -> None:
    tree = MODULES[name]
    if name.endswith("__main__"):
        return
    assert ast.get_docstring(tree), "no docstring"
    listed = [n for n in tree.body if isinstance(n, ast.Assign) and ast.unparse(n.targets[0]) == "__all__"]
    defined = {
        target
        for node in ast.walk(tree)
        for target in (
            [node.name]
            if isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef))
            else [node.id]
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
            else [alias.asname or alias.name for alias in node.names]
            if isinstance(node, (ast.Import, ast.ImportFrom))
            else []
        )
    }
    for node in listed:
        names = ast.literal_eval(node.value)
        assert set(names) <= defined, f"__all__ names what is not there: {sorted(set(names) - defined)}"


def public_errors() -> list[type[Exception]]:
    found = [getattr(typedtool, name) for name in typedtool.__all__]
    return [
        each
        for each in found
        if isinstance(each, type) and issubclass(each, Exception) and not issubclass(each, Warning)
    ]


@pytest.mark.parametrize("error", public_errors(), ids=lambda error: error.__name__)
def test_every_error_is_a_typedtoolerror(error: type[Exception]) -> None:
    assert issubclass(error, typedtool.TypedToolError)


def test_an_error_of_the_command_line_pickles() -> None:
    from typedtool.cli.terminal import CommandError

    error = pickle.loads(pickle.dumps(CommandError("no such server", 2)))
    assert (str(error), error.code) == ("no such server", 2)


# --- the distribution -----------------------------------------------------------------------------------------------


def test_the_command_is_installed_and_every_requirement_is_one_the_doctor_knows() -> None:
    scripts = {e.name: e.value for e in importlib.metadata.entry_points(group="console_scripts")}
    assert scripts["typedtool"] == "typedtool.cli.main:main"
    from typedtool.cli.doctor import PACKAGES

    project = msgspec.toml.decode((SOURCE.parents[1] / "pyproject.toml").read_bytes())["project"]
    required = set(project["dependencies"])
    known = {package.name: package for package in PACKAGES}
    for requirement in required - {r for r in required if r.startswith("typing")}:
        name = re.split("[<>=! ]", requirement)[0]
        assert f">={known[name].least}" in requirement, requirement
        assert ("<" in requirement) == bool(
            known[name].below
        ) and f"<{known[name].below}" in requirement + "<"


def test_the_changelog_has_a_place_for_what_is_not_released() -> None:
    text = (SOURCE.parent.parent / "CHANGELOG.md").read_text("utf-8")
    assert text.startswith("# Changelog\n")
    unreleased = text.split("## [Unreleased]")[1].split("\n## ")[0]
    assert unreleased.count("\n- ") >= 5
