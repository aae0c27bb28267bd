"""The mutation run: does a test notice when a line of typedtool is changed?

    pip install -e '.[dev,mutation]'
    python tests/mutation/run.py results types.conversion --sample 40 --seed 15

Takes rooms (`values`) and modules (`types.conversion`); changes a copy of them, never the checkout. mutmut makes each
mutant (one changed operator, constant, argument, ...) and runs the tests that reach the changed function, of the nearest
test folders (NEAREST, or `--tests`): those that pass within a second of CPU time, start no process and need no shared
material. Prints each survivor as a diff and the score of every module: killed / (all - equivalent). A sample is the same
for one seed and one state of the code; `--sample 0` runs all mutants, which takes hours. A mutant that no test can kill,
because it changes nothing that a caller sees, is listed with its reason in `equivalent.toml`.
mutmut leaves decorated functions (properties, cached ones), classes' fields and tables of a module as they are.
"""

from __future__ import annotations

import argparse
import collections
import contextlib
import importlib.util
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

import msgspec

ROOT = pathlib.Path(__file__).parents[2]
HERE = pathlib.Path(__file__).parent

# The test folders that are nearest to a room: its own, and those of the rooms that live from it.
NEAREST = {
    "values": ["values", "types", "results", "schemas", "decoding"],
    "results": ["results", "decoding", "tools", "test_errors.py"],
    "types": ["types", "decoding", "compatibility", "tools"],
    "decoding": ["decoding", "types", "results", "tools"],
    "schemas": ["schemas", "decoding", "compatibility"],
    "clients": ["clients", "tools"],
    "tools": ["tools", "decoding", "clients"],
    "compatibility": ["compatibility", "tools"],
    "codegen": ["codegen"],
    "errors": ["test_errors.py", "tools", "decoding"],
}
# Imported before the tests are, once for all mutants; never a module that may read typedtool.
PRELOADED = (
    "msgspec",
    "pytest",
    "hypothesis",
    "anyio",
    "mcp",
    "mcp.client.session",
    "jsonschema",
    "jsonschema_rs",
)
SPINNER = tuple("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")
CONFIGURATION = """
[tool.mutmut]
source_paths = ["src"]
only_mutate = {files}
also_copy = ["conftest.py", "README.md", "CHANGELOG.md", "stubs", "src"]
pytest_add_cli_args_test_selection = {tests}
pytest_add_cli_args = ["-p", "nearest", "-p", "no:cacheprovider", "--hypothesis-seed=0", "-W", "default"]
timeout_multiplier = 8.0
timeout_constant = 10.0
process_isolation = "forkserver"
forkserver_warmup = "import"
preload_modules_file = "preloaded.txt"
use_git_change_detection = false
track_dependencies = false
use_setproctitle = false
"""


class Equivalent(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A mutant that no test can kill: the lines of its diff, and why."""

    module: str
    removed: str
    added: str
    because: str


class Survivor(msgspec.Struct, frozen=True):
    name: str
    status: str
    diff: str

    def lines(self, sign: str) -> str:
        found = [
            line[1:].strip() for line in self.diff.splitlines() if line[:1] == sign and line[:3] != sign * 3
        ]
        return "\n".join(found)

    def is_equivalent(self, listed: list[Equivalent]) -> bool:
        return any(
            (module_of(self.name), self.lines("-"), self.lines("+"))
            == (each.module, each.removed.strip(), each.added.strip())
            for each in listed
        )


def module_of(mutant: str) -> str:
    """`typedtool.types.conversion.x_convert__mutmut_3` is of `types.conversion`."""
    return mutant.rpartition(".")[0].removeprefix("typedtool.")


def function_of(mutant: str) -> str:
    """`typedtool.values.walking.xǁBudgetǁspend__mutmut_3` changes `spend`."""
    return mutant.rpartition(".")[2].partition("__mutmut")[0].rpartition("ǁ")[2].removeprefix("x_")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="+", metavar="ROOM|MODULE", help="values, types.conversion, ...")
    parser.add_argument("--sample", type=int, default=40, help="mutants to run, 0 for all (default: 40)")
    parser.add_argument("--seed", type=int, default=15, help="which sample (default: 15)")
    parser.add_argument("--tests", nargs="+", help="test files and folders instead of the nearest")
    parser.add_argument(
        "--only", nargs="+", metavar="FUNCTION", help="only mutants of functions with these names"
    )
    parser.add_argument("--equivalent", type=pathlib.Path, default=HERE / "equivalent.toml")
    parser.add_argument(
        "--seconds", type=float, default=1.0, help="CPU time that a test may take (default: 1)"
    )
    parser.add_argument("--processes", type=int, default=1, help="mutants at a time (default: 1)")
    parser.add_argument("--least", type=float, default=0.0, help="fail below this score, in percent")
    parser.add_argument(
        "--source", type=pathlib.Path, default=ROOT, help="another checkout, to measure that one"
    )
    parser.add_argument("--keep", type=pathlib.Path, metavar="FOLDER", help="work in this folder and keep it")
    return parser.parse_args()


def files_of(source: pathlib.Path, name: str) -> list[pathlib.Path]:
    """The source files of a room or a module, relative to the checkout."""
    place = source / "src/typedtool" / name.replace(".", "/")
    found = sorted(place.rglob("*.py")) if place.is_dir() else [place.with_suffix(".py")]
    if not all(path.is_file() for path in found):
        raise SystemExit(f"no room or module named {name}")
    return [path.relative_to(source) for path in found]


def nearest_tests(source: pathlib.Path, names: list[str]) -> list[str]:
    folders = [f for name in names for f in NEAREST.get(name.partition(".")[0], [name.partition(".")[0]])]
    paths = [f"tests/{folder}" for folder in dict.fromkeys(folders)]
    return [path for path in paths if (source / path).exists()]


def copy_checkout(
    source: pathlib.Path, scratch: pathlib.Path, files: list[pathlib.Path], tests: list[str]
) -> None:
    for name in ("src", "tests", "stubs"):
        ignored = shutil.ignore_patterns("__pycache__", ".hypothesis")
        shutil.copytree(source / name, scratch / name, ignore=ignored, dirs_exist_ok=True)
    for name in ("conftest.py", "README.md", "CHANGELOG.md"):
        shutil.copy(source / name, scratch / name)
    listed = json.dumps([str(path) for path in files])
    configuration = CONFIGURATION.format(files=listed, tests=json.dumps(tests))
    settings = (source / "pyproject.toml").read_text("utf-8")
    (scratch / "pyproject.toml").write_text(settings + configuration, "utf-8")
    (scratch / "preloaded.txt").write_text("\n".join(PRELOADED) + "\n", "utf-8")
    # In a folder of its own: mutmut takes the checkout's own folders off the path.
    (scratch / "plugin").mkdir(exist_ok=True)
    shutil.copy(HERE / "nearest.py", scratch / "plugin/nearest.py")


def environment(*path: pathlib.Path, **more: str) -> dict[str, str]:
    left_out = ("TYPEDTOOL_SHARED", "PYTEST_ADDOPTS")  # the nearest tests need neither
    kept = {name: value for name, value in os.environ.items() if name not in left_out}
    return {**kept, "PYTHONPATH": os.pathsep.join(map(str, path)), "PYTHONDONTWRITEBYTECODE": "1", **more}


def write_mutants(scratch: pathlib.Path, files: list[pathlib.Path]) -> list[str]:
    """Writes a tree `clean` with every mutant in it and none chosen; the names of the mutants."""
    from mutmut.mutation.file_mutation import mutate_file_contents
    from mutmut.utils.format_utils import get_mutant_name

    found: list[str] = []
    clean = scratch / "clean"
    for name in ("src", "tests", "stubs"):
        shutil.copytree(scratch / name, clean / name, dirs_exist_ok=True)
    for name in ("conftest.py", "README.md", "CHANGELOG.md", "pyproject.toml"):
        shutil.copy(scratch / name, clean / name)
    os.chdir(scratch)  # where mutmut looks for its configuration
    for path in files:
        mutated = mutate_file_contents(str(path), (scratch / path).read_text("utf-8"))
        (clean / path).write_text(mutated.code, "utf-8")
        found += [get_mutant_name(path, each) for each in mutated.mutant_names]
    return found


def run_clean_tests(scratch: pathlib.Path, tests: list[str], seconds: float) -> int:
    """Writes which tests are kept; how many there are."""
    clean, record = scratch / "clean", scratch / "nearest.json"
    values = {"NEAREST_RECORD": str(record), "NEAREST_SECONDS": str(seconds), "MUTANT_UNDER_TEST": "none"}
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "nearest",
        "-p",
        "no:cacheprovider",
        "--hypothesis-seed=0",
    ]
    command += ["-W", "default", "--no-header", "--tb=no", "--rootdir=.", *tests]
    done = subprocess.run(
        command,
        cwd=clean,
        env=environment(scratch / "plugin", clean / "src", **values),
        capture_output=True,
        text=True,
    )
    if not record.exists():
        raise SystemExit(done.stdout[-3000:] + done.stderr[-3000:])
    found = json.loads(record.read_text("utf-8"))
    print(
        f"{len(found['kept'])} tests are kept, {len(found['dropped'])} are slow, skipped or start a process"
    )
    return len(found["kept"])


def run_mutants(scratch: pathlib.Path, names: list[str], processes: int) -> None:
    values = {"NEAREST_TESTS": str(scratch / "nearest.json")}
    command = [sys.executable, "-m", "mutmut", "run", "--max-children", str(processes), *names]
    # Without `mutants/src`: mutmut puts it on the path once it is there, and a missing folder stays missing to Python.
    env = environment(scratch / "plugin", **values)
    done = subprocess.run(command, cwd=scratch, env=env, capture_output=True, text=True)
    if done.returncode:
        said = [line for line in done.stdout.splitlines() if not line.startswith(SPINNER)]
        raise SystemExit("\n".join(said)[-3000:] + done.stderr[-3000:])


def results(scratch: pathlib.Path, files: list[pathlib.Path], names: list[str]) -> dict[str, str]:
    """What became of each mutant."""
    from mutmut.stats import status_by_exit_code

    codes: dict[str, int | None] = {}
    for path in files:
        meta = scratch / "mutants" / f"{path}.meta"
        if meta.exists():
            codes.update(json.loads(meta.read_text("utf-8"))["exit_code_by_key"])
    return {name: str(status_by_exit_code[codes.get(name)]) for name in names}


def diff_of(scratch: pathlib.Path, name: str) -> str:
    command = [sys.executable, "-m", "mutmut", "show", name]
    done = subprocess.run(command, cwd=scratch, capture_output=True, text=True, check=True)
    return "\n".join(line for line in done.stdout.splitlines() if not line.startswith("# "))


def report(statuses: dict[str, str], survivors: list[Survivor], listed: list[Equivalent]) -> float:
    """Prints the survivors and the score of each module; the score of all."""
    equivalent = {each.name for each in survivors if each.is_equivalent(listed)}
    for each in survivors:
        if each.name not in equivalent:
            print(f"\n--- {each.status}: {each.name}\n{each.diff.strip()}")
    alive = {each.name for each in survivors}
    rows: dict[str, list[int]] = collections.defaultdict(lambda: [0, 0, 0, 0])
    for name in statuses:
        for key in (module_of(name), "all"):
            rows[key][0] += name not in alive
            rows[key][1] += 1
            rows[key][2] += name in equivalent
            rows[key][3] += statuses[name] == "timeout"
    print(f"\n{'module':<32} killed    of  equivalent   score  (of the killed, by the time limit)")
    rows["all"] = rows.pop("all")  # last
    score = 100.0
    for key, (killed, total, same, timeouts) in rows.items():
        score = 100 * killed / (total - same) if total > same else 100.0
        print(f"{key:<32} {killed:>6} {total:>5} {same:>11} {score:>6.1f} %  {timeouts or '':>4}")
    return score


def measure(options: argparse.Namespace, scratch: pathlib.Path) -> float:
    source = options.source.resolve()
    files = [path for name in options.names for path in files_of(source, name)]
    tests = options.tests or nearest_tests(source, options.names)
    copy_checkout(source, scratch, files, tests)
    mutants = write_mutants(scratch, files)
    if options.only:
        mutants = [name for name in mutants if function_of(name) in options.only]
    if options.sample and options.sample < len(mutants):
        chosen = sorted(random.Random(options.seed).sample(mutants, options.sample))
    else:
        chosen = mutants
    print(
        f"{len(chosen)} of {len(mutants)} mutants, seed {options.seed}, tests: {' '.join(tests)}", flush=True
    )
    if not chosen or not run_clean_tests(scratch, tests, options.seconds):
        raise SystemExit("nothing to run")
    run_mutants(scratch, chosen, options.processes)
    statuses = results(scratch, files, chosen)
    alive = [name for name, status in statuses.items() if status not in ("killed", "timeout")]
    survivors = [Survivor(name, statuses[name], diff_of(scratch, name)) for name in alive]
    listed = msgspec.toml.decode(options.equivalent.read_bytes(), type=dict[str, list[Equivalent]])
    return report(statuses, survivors, listed.get("mutant", []))


def main() -> None:
    options = arguments()
    if importlib.util.find_spec("mutmut") is None:
        raise SystemExit("mutmut is not here: pip install -e '.[dev,mutation]'")
    os.nice(19)
    with contextlib.ExitStack() as stack:
        if options.keep:
            options.keep.mkdir(parents=True, exist_ok=True)
            scratch = options.keep.resolve()
        else:
            scratch = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="mutation-")))
        score = measure(options, scratch)
    raise SystemExit(score < options.least)


if __name__ == "__main__":
    main()
