"""The files that are checked, run: what `assert_type` claims of a value is held to the value itself."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import typing_extensions
from typing_extensions import TypeAliasType, is_typeddict

from typedtool import Ok


@contextmanager
def loaded(path: Path) -> Iterator[ModuleType]:
    """The module at `path`, its folder importable, with an `assert_type` that looks at the value."""
    before = set(sys.modules)
    sys.path.insert(0, str(path.parent))
    try:
        name = f"typing_tests_{path.parent.name}_{path.stem}"
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
        module.__dict__["assert_type"] = held
        yield module
    finally:
        sys.path.remove(str(path.parent))
        for name in set(sys.modules) - before:
            if str(path.parent) in str(getattr(sys.modules[name], "__file__", "")):
                del sys.modules[name]


def held(value: Any, hint: Any, /) -> Any:
    """`assert_type` at run time: an AssertionError where `value` is no `hint`."""
    assert fits(value, hint), f"{value!r} is no {hint}"
    return value


def fits(value: Any, hint: Any) -> bool:
    """Whether a value is what a type says, into lists, tuples, dicts, TypedDicts and `Ok`."""
    if hint in (Any, typing_extensions.Any, object):
        return True
    if hint is None or hint is type(None):
        return value is None
    if isinstance(hint, TypeAliasType):
        return fits(value, hint.__value__)
    if is_typeddict(hint):
        fields = typing_extensions.get_type_hints(hint)
        return isinstance(value, dict) and all(k in fields and fits(v, fields[k]) for k, v in value.items())
    origin, arguments = get_origin(hint) or hint, get_args(hint)
    if origin in (Union, UnionType):
        return any(fits(value, option) for option in arguments)
    if origin is Literal:
        return any(value == option and type(value) is type(option) for option in arguments)
    if origin is Annotated:
        return fits(value, arguments[0])
    if origin is float and isinstance(value, int):
        return not isinstance(value, bool)
    return isinstance(value, origin) and _parts_fit(value, origin, arguments)


def _parts_fit(value: Any, origin: Any, arguments: tuple[Any, ...]) -> bool:
    if not arguments:
        return True
    if origin is list:
        return all(fits(item, arguments[0]) for item in value)
    if origin is tuple and arguments[-1] is Ellipsis:
        return all(fits(item, arguments[0]) for item in value)
    if origin is tuple:
        return len(value) == len(arguments) and all(map(fits, value, arguments))
    if issubclass(origin, Mapping):
        return all(fits(key, arguments[0]) and fits(item, arguments[1]) for key, item in value.items())
    if origin is Ok:
        return fits(value.value, arguments[0])
    return True


SCRIPT: dict[str, Any] = {
    "protocols": ["2025-11-25", "2026-07-28"],
    "tools": [
        {"name": name, "inputSchema": {"type": "object"}}
        for name in ("hour", "hours", "by-name", "count", "letter", "pet", "nothing", "pair", "page")
    ],
    "answers": {
        name: {"result": {"content": [], "structuredContent": value}}
        for name, value in {
            "hour": {"hour": 1, "temp": 2.5},
            "hours": [{"hour": 1, "temp": 2.5}],
            "by-name": {"noon": {"hour": 12, "temp": 2.5}},
            "count": 3,
            "letter": "a",
            "pet": {"type": "cat", "lives": 9},
            "nothing": None,
            "pair": [1, "a"],
            "page": {"item": {"hour": 1, "temp": 2.5}},
            "soft-error": {"used": 3},
        }.items()
    },
}
"""What the scripted server of `tests/servers` answers to the files of `api/`."""

SCRIPT["answers"]["failing"] = {
    "result": {"content": [{"type": "text", "text": "no forecast today"}], "isError": True}
}
