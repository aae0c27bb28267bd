"""Types from real servers' output schemas: ours beside datamodel-code-generator's, in one run.

    pip install datamodel-code-generator==0.89.0      # in an environment that has typedtool
    python tests/bench/bench_codegen.py [EVERY]       # every EVERYth distinct output schema, default 10

Both get the same schemas and the same values, drawn from the schema: how many types have a decoder, how many valid
values are accepted, how many with a forbidden extra key are refused, CPU time a schema. Ours are held to nothing but
the type. The schemas are the shared corpus's (TYPEDTOOL_SHARED, or beside the checkout).
"""

from __future__ import annotations

import json
import statistics
import sys
import time
import types
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from datamodel_code_generator import DataModelType, InputFileType, PythonVersion
from datamodel_code_generator import generate as theirs_source

from schema_samples import Sampler
from shared_material import find_shared
from typedtool import Budget, TypedToolError, parse_schema
from typedtool.codegen import types_for
from typedtool.schemas.schema import Schema
from typedtool.types.conversion import Converter, NotFit

Accepts = Callable[[Any], bool]


def documents(every: int) -> Iterator[Any]:
    """Distinct output schemas of the corpus that can be used, as they came."""
    shared = find_shared()
    if shared is None:
        raise SystemExit("the shared material is not here: set TYPEDTOOL_SHARED")
    seen: set[str] = set()
    for path in sorted((shared / "corpus").glob("*.json")):
        for tool in json.loads(path.read_bytes())["tools"]:
            text = json.dumps(tool.get("outputSchema"), sort_keys=True)
            if text != "null" and text not in seen:
                seen.add(text)
                if len(seen) % every == 0:
                    yield tool["outputSchema"]


def ours(document: Any) -> Accepts:
    """Our type of the schema as it stands: no wrapper is taken off, as theirs takes none off."""
    inner = {"type": "array", "items": document} if isinstance(document, dict) else document
    converter = Converter(types_for({"name": "t", "outputSchema": _lifted(inner)})[1])

    def accepts(value: Any) -> bool:
        try:
            converter.convert([value], Budget())
        except NotFit:
            return False
        return True

    return accepts


def _lifted(document: dict[str, Any]) -> dict[str, Any]:
    """A schema put inside of another keeps its definitions at the root, where its references look for them."""
    items = dict(document["items"])
    up = {key: items.pop(key) for key in ("$defs", "definitions", "$schema") if key in items}
    return {**document, "items": items, **up}


def theirs(document: Any) -> Accepts:
    """Its msgspec output with annotated constraints, run as it is."""
    source: Any = theirs_source(
        json.dumps(document),
        input_file_type=InputFileType.JsonSchema,
        output_model_type=DataModelType.MsgspecStruct,
        target_python_version=PythonVersion.PY_311,
        class_name="Root",
        use_annotated=True,
    )
    module = types.ModuleType("theirs")
    sys.modules["theirs"] = module
    exec(source, vars(module))
    decoder = msgspec.json.Decoder(vars(module)["Root"])

    def accepts(value: Any) -> bool:
        try:
            decoder.decode(msgspec.json.encode(value))
        except msgspec.ValidationError:
            return False
        return True

    return accepts


def valid(schema: Schema) -> list[Any]:
    sampler = Sampler(schema, 5)
    return [value for value in (sampler.draw() for _ in range(40)) if schema.is_valid(value)][:20]


def main() -> None:
    every = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    counts = {
        name: {"no type": 0, "accepted": 0, "extra refused": 0} for name in ("typedtool", "datamodel-codegen")
    }
    spent: dict[str, list[float]] = {name: [] for name in counts}
    schemas = values = extras = 0
    warnings.simplefilter("ignore")
    for document in documents(every):
        try:
            schema = parse_schema(document)
        except TypedToolError:
            continue
        schemas += 1
        good = valid(schema)
        bad = [
            v
            for value in good
            if isinstance(value, dict) and not schema.is_valid(v := {**value, "not there": 1})
        ]
        values, extras = values + len(good), extras + len(bad)
        for name, make in (("typedtool", ours), ("datamodel-codegen", theirs)):
            start = time.thread_time()
            try:
                accepts = make(document)
            except Exception:  # whatever it dies of: there is no type
                counts[name]["no type"] += 1
                continue
            spent[name].append(time.thread_time() - start)
            counts[name]["accepted"] += sum(map(accepts, good))
            counts[name]["extra refused"] += sum(not accepts(value) for value in bad)
    print(f"{schemas} schemas, {values} valid values, {extras} with a forbidden extra key")
    for name, found in counts.items():
        told = ", ".join(f"{what} {count}" for what, count in found.items())
        print(f"  {name:18} {told}, {statistics.median(spent[name]) * 1e3:.1f} ms a schema")


if __name__ == "__main__":
    main()
