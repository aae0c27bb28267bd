"""A process of its own that judges: the one mode in which a deadline is hard, memory is bounded, and a crash
is survived.

It runs the same code on the same budget, without the estimates: there the clock of this side decides. One
process serves all schemas, one value after the other, and is started again when it was killed or died. A
frozen program whose `sys.executable` is no Python cannot use it.
"""

from __future__ import annotations

import atexit
import contextlib
import itertools
import json
import os
import queue
import struct
import subprocess
import sys
import threading
from collections import OrderedDict
from collections.abc import Mapping
from typing import IO, Any

import msgspec
from msgspec import Struct

from typedtool import errors
from typedtool.errors import BudgetExceeded, Problem, UnsafeSchema
from typedtool.values.budgets import Budget
from typedtool.values.walking import json_problems, measured

__all__ = ["Isolated", "isolated", "main", "stop"]

_START = (
    "import sys, json; sys.path[:] = json.loads(sys.argv[1]); "
    "from typedtool.schemas.engines.worker import main; main()"
)
_READY_WITHIN = 30.0
_KEPT = 256
_LENGTH = struct.Struct("<I")


class _Answer(Struct):
    """What the process says: problems, or an error by the name of its class and its arguments."""

    problems: tuple[Problem, ...] = ()
    warnings: tuple[str, ...] = ()
    unknown: bool = False
    error: str = ""
    arguments: tuple[Any, ...] = ()


# --- this side
# ------------------------------------------------------------------------------------------------------


class _Process:
    """One started process, and the thread that reads what it says."""

    def __init__(self, memory: int) -> None:
        self.popen = subprocess.Popen(
            [sys.executable, "-c", _START, json.dumps(sys.path), str(memory)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self.answers: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self.ready = False
        threading.Thread(target=self._listen, name="typedtool-worker", daemon=True).start()

    def _listen(self) -> None:
        output = self.popen.stdout
        assert output is not None
        with output:
            while (message := _read(output)) is not None:
                self.answers.put(message)
        self.answers.put(None)

    def ask(self, message: bytes, seconds: float) -> bytes | None:
        """The answer; None where the process died. Raises `queue.Empty` at the deadline."""
        if not self.ready:
            if self.answers.get(timeout=_READY_WITHIN) is None:
                return None
            self.ready = True
        assert self.popen.stdin is not None
        try:
            _write(self.popen.stdin, message)
        except OSError:
            return None
        return self.answers.get(timeout=seconds)

    def end(self) -> None:
        self.popen.kill()
        if self.popen.stdin is not None:
            with contextlib.suppress(OSError):
                self.popen.stdin.close()
        self.popen.wait()


class _Worker:
    """The process in use. Asked under a lock: one question at a time."""

    def __init__(self, memory: int) -> None:
        self.memory = memory
        self.lock = threading.Lock()
        self.process: _Process | None = None
        self.owner = 0

    def ask(self, message: bytes, budget: Budget) -> _Answer:
        """Raises `BudgetExceeded` at the deadline, and where the process died of the question."""
        if not self.lock.acquire(timeout=_READY_WITHIN):
            raise BudgetExceeded("seconds", budget.seconds)
        try:
            if (
                self.process is None or self.owner != os.getpid()
            ):  # a fork has the pipes, and must not use them
                self.process, self.owner = _Process(self.memory), os.getpid()
            try:
                answer = self.process.ask(message, budget.seconds)
            except queue.Empty:
                self._restart()
                raise BudgetExceeded("seconds", budget.seconds) from None
            if answer is None:
                self._restart()
                raise BudgetExceeded("memory", budget.memory)
        finally:
            self.lock.release()
        return msgspec.json.decode(answer, type=_Answer)

    def _restart(self) -> None:
        if self.process is not None:
            self.process.end()
        self.process = _Process(self.memory)

    def stop(self) -> None:
        with self.lock:
            if self.process is not None and self.owner == os.getpid():
                self.process.end()
            self.process = None


_workers: dict[int, _Worker] = {}
_workers_lock = threading.Lock()
_keys = itertools.count()


def _worker(memory: int) -> _Worker:
    with _workers_lock:
        return _workers.setdefault(memory, _Worker(memory))


@atexit.register
def stop() -> None:
    """Ends the processes. They start again when they are needed."""
    for worker in list(_workers.values()):
        worker.stop()


class Isolated(Struct, frozen=True):
    """Judges by one schema, in the process apart, where the message `parse` makes the schema known."""

    key: int
    parse: bytes
    budget: Budget

    def problems(self, value: Any) -> tuple[Problem, ...]:
        """What the schema says against `value`."""
        return self._ask(value, True)

    def holds(self, value: Any) -> bool:
        """Whether the schema takes `value`."""
        return not self._ask(value, False)

    def _ask(self, value: Any, explain: bool) -> tuple[Problem, ...]:
        if not measured(value, self.budget).sound:
            return json_problems(value, self.budget)
        message = msgspec.json.encode({"op": "judge", "key": self.key, "explain": explain, "value": value})
        worker = _worker(self.budget.memory)
        answer = worker.ask(message, self.budget)
        if answer.unknown:
            _raise(worker.ask(self.parse, self.budget))
            answer = worker.ask(message, self.budget)
        return _raise(answer).problems


def isolated(
    schema: Any, documents: Mapping[str, Any], budget: Budget, formats: bool, tool: str
) -> tuple[Isolated, tuple[str, ...]]:
    """A judge in the process apart, for a schema that was admitted here. Raises as `parse_schema` does."""
    key = next(_keys)
    asked = {
        "op": "parse",
        "key": key,
        "schema": schema,
        "documents": dict(documents),
        "formats": formats,
        "tool": tool,
        "budget": msgspec.to_builtins(budget),
    }
    judge = Isolated(key, msgspec.json.encode(asked), budget)
    return judge, _raise(_worker(budget.memory).ask(judge.parse, budget)).warnings


def _raise(answer: _Answer) -> _Answer:
    if not answer.error:
        return answer
    if answer.error in ("InvalidSchema", "UnsafeSchema", "UnsupportedDialect", "BudgetExceeded"):
        raise getattr(errors, answer.error)(*answer.arguments)
    raise UnsafeSchema(f"the engine failed: {answer.error}", "engine")


# --- the process
# ----------------------------------------------------------------------------------------------------


def _read(stream: IO[bytes]) -> bytes | None:
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack(head)
    message = stream.read(length)
    return message if len(message) == length else None


def _write(stream: IO[bytes], message: bytes) -> None:
    stream.write(_LENGTH.pack(len(message)))
    stream.write(message)
    stream.flush()


def _limit_memory(limit: int) -> None:
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _answered(question: dict[str, Any], schemas: OrderedDict[int, Any]) -> _Answer:
    from typedtool.schemas.schema import parse_schema

    if question["op"] == "parse":
        limits = {"isolate": False, "work": 10**15, "pattern_text": 10**15}
        budget = msgspec.convert({**question["budget"], **limits}, Budget)
        schema = parse_schema(
            question["schema"],
            budget,
            documents=question["documents"],
            assert_formats=question["formats"],
            tool=question["tool"],
        )
        schemas[question["key"]] = schema
        while len(schemas) > _KEPT:
            schemas.popitem(last=False)
        return _Answer(warnings=schema.warnings)
    if question["key"] not in schemas:
        return _Answer(unknown=True)
    schema = schemas[question["key"]]
    if question["explain"]:
        return _Answer(problems=schema.validate(question["value"]))
    return (
        _Answer()
        if schema.is_valid(question["value"])
        else _Answer(problems=(Problem("schema", "$", "", ""),))
    )


def main() -> None:
    """What the process does until its input ends."""
    limit = int(sys.argv[2])
    _limit_memory(limit)
    source, sink = sys.stdin.buffer, sys.stdout.buffer
    schemas: OrderedDict[int, Any] = OrderedDict()
    from typedtool.schemas.schema import parse_schema

    parse_schema({"type": "null"}).validate(1)  # both engines are loaded before the first deadline runs
    _write(sink, b"ready")
    while (message := _read(source)) is not None:
        try:
            answer = _answered(msgspec.json.decode(message), schemas)
        except MemoryError:
            answer = _Answer(error="BudgetExceeded", arguments=("memory", limit))
        except Exception as error:
            answer = _Answer(error=type(error).__name__, arguments=error.args)
        _write(sink, msgspec.json.encode(answer))
