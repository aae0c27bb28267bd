"""Runs hostile cases and tells what became of each, a JSON line a case: started by test_hostile.py, in a
process apart.

    python hostile_child.py ENGINE STACK_BYTES CASE...

ENGINE is `typedtool`, or `sdk`: what the official client (mcp 2.3) does with an output schema and a value.
The cases are those of `lab/validators/cases.py` in the shared directory; `field:NAME`, those of tests/cases and of its
`cases/`; `wide:NAME` and `drawn:NUMBER`, those of tests/support.
"""

from __future__ import annotations

import importlib.util
import json
import os
import pathlib
import resource
import sys
import threading
import time
import warnings

from calibration import work_seconds

# CPython 3.13.0 by itself dies of freeing a dict 10,000 levels deep on a small stack: these are kept.
KEPT = []
SHARED = pathlib.Path(os.environ.get("TYPEDTOOL_SHARED", "../shared"))
UNIT = work_seconds()


def case(name):
    if name.startswith("wide:"):
        from hostile_wide import WIDE

        return WIDE[name[5:]]()
    if name.startswith("own:"):
        from hostile_own import ATTACKS

        return ATTACKS[name[4:]][0]()
    if name.startswith("drawn:"):
        from hostile_draw import drawn

        return drawn(int(name[6:]))
    if name.startswith("field:"):
        folders = [pathlib.Path(__file__).parents[1] / "cases", SHARED / "cases"]
        held = json.loads(next(f / name[6:] for f in folders if (f / name[6:]).exists()).read_text())
        schema = held["tool"].get("outputSchema", True)
        return schema, held["result"].get("structuredContent")
    spec = importlib.util.spec_from_file_location("lab_cases", SHARED / "lab/validators/cases.py")
    lab = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(lab)
    return lab.C[name]()


def by_typedtool(schema, value, formats):
    from typedtool.schemas.schema import parse_schema

    parsed = parse_schema(schema, assert_formats=formats)
    problems = parsed.validate(value)
    if len(problems) > 20 or len(str(problems)) > 50_000:
        raise AssertionError("problems are not bounded")
    return "valid" if not problems else f"invalid: {problems[0]}"


def by_sdk(schema, value, formats):
    from jsonschema.exceptions import best_match
    from jsonschema.validators import validator_for
    from referencing import Registry

    cls = validator_for(schema)
    cls.check_schema(schema)
    error = best_match(cls(schema, registry=Registry()).iter_errors(value))
    return "valid" if error is None else f"invalid: {len(str(error))} characters"


def run(engine, name):
    schema, value = case(name)
    if "deep" in name:
        KEPT.append((schema, value))
    judge = by_typedtool if engine == "typedtool" else by_sdk
    if engine == "typedtool":  # what is imported once for all schemas is not what is measured
        judge({"type": "object", "properties": {"a": {"type": "string", "pattern": "^a"}}}, {"a": "b"}, False)
    else:
        judge({"type": "object"}, 1, False)
    start, wall = time.thread_time(), time.perf_counter()
    try:
        said = judge(schema, value, name.startswith("fmt_"))
    except BaseException as error:
        said = f"{type(error).__name__}: {str(error)[:160]}"
    # What its thread computed, as a multiple of a fixed piece of work: how long that took depends on what else the
    # machine does. The clock is told, too.
    spent = time.thread_time() - start
    unit = max(UNIT, work_seconds()) if spent > 10 * UNIT else UNIT
    took = {"units": round(spent / unit, 1), "wall": round(time.perf_counter() - wall, 3)}
    print(json.dumps({"case": name, "said": said, **took}), flush=True)


def main():
    engine, stack, *names = sys.argv[1:]
    if (
        len(names) == 1 and engine == "typedtool"
    ):  # what runs longer is killed, whatever else the machine does
        resource.setrlimit(resource.RLIMIT_CPU, (10, 10))
    warnings.simplefilter("ignore" if engine == "sdk" else "error")
    if int(stack):
        threading.stack_size(int(stack))
    for name in names:
        print(json.dumps({"case": name, "started": True}), flush=True)
        if int(stack):
            thread = threading.Thread(target=run, args=(engine, name))
            thread.start()
            thread.join()
        else:
            run(engine, name)
    sys.stdout.flush()
    os._exit(0)  # tearing down a value 100,000 levels deep is not what is tested


if __name__ == "__main__":
    main()
