"""The package holds together: one order of modules, heavy packages in one place, a light import, public names complete."""

from __future__ import annotations

import ast
import importlib.metadata
import importlib.util
import json
import pickle
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import typedtool

SOURCE = Path(typedtool.__file__).parent

WORDS = "kinds guards budgets errors outcomes"
JUDGEMENT = (
    "foreign jsontext dialects patterns problems admission expansion engines writing validation fetching schemas "
    "shapes hooks lowering conversion explaining definitions results readings traits contracts rules decoding subsumption"
)
DOORS = (
    "clients transports arguments reports compatibility changes binding calling parameters tools fields toolsets staleness __init__ "
    "terminal servers codegen migration stubs mypy sketches listings showing expressions calls checking demo_server demo "
    "doctor cli __main__"
)
# Each imports only from those before it; a package counts as one, and has an order of its own.
ORDER = f"{WORDS} {JUDGEMENT} {DOORS}".split()

# Imports against the order, each with its reason.
AGAINST = {
    (
        "tools",
        "codegen",
    ): "from_definition, inside of the function: types at run time are for those who ask for them",
    ("engines.worker", "schemas"): "its main() is another process, which parses the schemas that it is sent",
}

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
# What a module of the first two layers has no business with: files, processes, sockets, arguments, event loops.
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
ADMITTED = {
    ("engines.worker", "subprocess"): "the opt-in that judges in a process of its own",
    ("fetching", "http"): "the opt-in that fetches what an allowlist names",
    ("fetching", "socket"): "the same",
    ("fetching", "ssl"): "the same",
    ("admission", "urllib"): "urllib.parse, which reads URIs and fetches nothing",
    ("fetching", "urllib"): "the same",
    ("schemas", "urllib"): "the same",
    ("validation", "urllib"): "the same",
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
    """Every module that is imported at run time, on top or inside of functions: all but those for checkers only."""
    skipped = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING")
        for statement in node.body
        for inner in ast.walk(statement)
    }
    for node in ast.walk(tree):
        if id(node) in skipped:
            continue
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


def unit(module: str) -> str:
    """What has a place in the order: a module, or the package that it lies in."""
    return module.partition(".")[0]


def test_every_module_has_a_place_in_the_order() -> None:
    assert sorted({unit(name) for name in MODULES} - set(ORDER)) == []
    assert len(ORDER) == len(set(ORDER))
    assert len(MODULES) > 30


def test_every_module_imports_only_from_those_before_it() -> None:
    against = []
    for name in MODULES:
        for imported in IMPORTS[name]:
            if not imported.startswith("typedtool."):
                continue
            target = unit(imported.removeprefix("typedtool."))
            backward = target != unit(name) and ORDER.index(target) > ORDER.index(unit(name))
            if backward and (name, target) not in AGAINST:
                against.append(f"{name} imports {target}")
    assert sorted(against) == []


def test_the_exceptions_to_the_order_are_still_needed() -> None:
    for name, target in AGAINST:
        assert f"typedtool.{target}" in set(IMPORTS[name]), f"{name} no longer imports {target}"


def test_no_package_goes_round_in_circles() -> None:
    """Within a package, on top of modules; what is imported inside of functions runs later."""
    top = {
        name: {
            node.module.removeprefix("typedtool.")
            for node in tree.body
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("typedtool.")
        }
        for name, tree in MODULES.items()
    }
    left = {
        name: {t for t in targets if t in top and unit(t) == unit(name) and t != name}
        for name, targets in top.items()
    }
    while ready := [name for name, targets in left.items() if not targets & left.keys()]:
        for name in ready:
            del left[name]
    assert left == {}


@pytest.mark.parametrize("package", HEAVY)
def test_a_heavy_package_is_imported_in_one_place(package: str) -> None:
    places = {
        unit(name)
        for name, tree in MODULES.items()
        if package in {i.partition(".")[0] for i in IMPORTS[name]}
    }
    assert len(places) <= 1, f"{package} is imported by {sorted(places)}"


def test_the_heavy_packages_are_where_they_belong() -> None:
    """So that the test above looks at something: these there are."""
    found = {(i.partition(".")[0], unit(name)) for name, tree in MODULES.items() for i in IMPORTS[name]}
    assert {
        ("mcp", "servers"),
        ("jsonschema", "engines"),
        ("jsonschema_rs", "engines"),
        ("mypy", "mypy"),
    } <= found


def test_only_doors_touch_files_arguments_processes_and_event_loops() -> None:
    inner = set(f"{WORDS} {JUDGEMENT}".split())
    found = {
        (name, imported.partition(".")[0])
        for name, tree in MODULES.items()
        if unit(name) in inner
        for imported in IMPORTS[name]
        if imported.partition(".")[0] in OUTSIDE
    }
    assert found - ADMITTED.keys() == set()
    opened = [
        name
        for name, tree in MODULES.items()
        if unit(name) in inner
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("open", "io.open", "os.open")
    ]
    assert opened == []


def test_the_demo_server_stands_alone() -> None:
    assert [i for i in IMPORTS["demo_server"] if i.partition(".")[0] not in sys.stdlib_module_names] == []


# --- import typedtool -----------------------------------------------------------------------------------------------


def test_importing_typedtool_loads_nothing_heavy() -> None:
    code = "import json, sys; import typedtool; print(json.dumps(sorted({m.partition('.')[0] for m in sys.modules})))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(json.loads(done.stdout))
    assert {"typedtool", "msgspec"} <= loaded
    assert sorted(loaded & {*HEAVY, "asyncio", "argparse", "httpx", "ssl", "attrs", "typedtool.cli"}) == []


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
    from typedtool.terminal import CommandError

    error = pickle.loads(pickle.dumps(CommandError("no such server", 2)))
    assert (str(error), error.code) == ("no such server", 2)


# --- the distribution -----------------------------------------------------------------------------------------------


def test_the_command_is_installed_and_every_requirement_is_one_the_doctor_knows() -> None:
    scripts = {e.name: e.value for e in importlib.metadata.entry_points(group="console_scripts")}
    assert scripts["typedtool"] == "typedtool.cli:main"
    from typedtool.doctor import PACKAGES

    required = {
        r.partition(";")[0] for r in importlib.metadata.requires("typedtool") or [] if "extra ==" not in r
    }
    known = {package.name: package for package in PACKAGES}
    for requirement in required - {r for r in required if r.startswith("typing")}:
        name = requirement.replace(">", "<").partition("<")[0].strip()
        assert f">={known[name].least}" in requirement, requirement
        assert ("<" in requirement) == bool(
            known[name].below
        ) and f"<{known[name].below}" in requirement + "<"


def test_the_changelog_has_a_place_for_what_is_not_released() -> None:
    text = (SOURCE.parent.parent / "CHANGELOG.md").read_text("utf-8")
    assert text.startswith("# Changelog\n")
    unreleased = text.split("## [Unreleased]")[1].split("\n## ")[0]
    assert unreleased.count("\n- ") >= 5
