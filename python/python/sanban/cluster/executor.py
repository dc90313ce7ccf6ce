"""Task executors: the interface that the scheduler uses, and an implementation with local processes."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import sys
from collections.abc import Callable
from multiprocessing.connection import Connection, wait
from typing import Any, NamedTuple, Protocol


class Lost(Exception):
    """The worker of a task, or its node, was lost."""


class Slot(NamedTuple):
    """A slot on a node, which executes one task at a time."""

    node: str
    """The identifier of the node."""
    number: int
    """The number of the slot on its node."""
    name: str
    """The display name of the node."""


class Executor(Protocol):
    """A set of nodes that execute tasks."""

    def slots(self) -> list[Slot]:
        """Returns the current slots. Nodes may join and leave at any time."""
        ...

    def submit(self, slot: Slot, function: Callable[..., Any], *arguments: Any) -> Any:
        """Starts a task and returns its handle."""
        ...

    def wait(self, timeout: float) -> list[tuple[Any, Any]]:
        """Waits at most `timeout` seconds; returns the handles of finished tasks, each with its result or exception."""
        ...

    def abandon(self) -> None:
        """Cancels the running tasks."""
        ...

    def close(self) -> None:
        """Ends all processes."""
        ...


class LocalExecutor:
    """Executes tasks in local processes, each of which is a separate node. A process that ends is replaced."""

    def __init__(self, processes: int | None = None) -> None:
        self._context = multiprocessing.get_context("spawn")
        self._workers = [self._start() for _ in range(processes or os.cpu_count() or 1)]
        self._running: dict[int, int] = {}
        self._next = 0

    def _start(self) -> tuple[Any, Connection]:
        ours, theirs = self._context.Pipe()
        process = self._context.Process(target=_serve, args=(theirs,), daemon=True)
        process.start()
        theirs.close()
        return process, ours

    def slots(self) -> list[Slot]:
        return [Slot(f"process-{n}", 0, f"process {n}") for n in range(len(self._workers))]

    def pids(self) -> list[int]:
        """Returns the process ids of the workers."""
        return [process.pid for process, _ in self._workers]

    def submit(self, slot: Slot, function: Callable[..., Any], *arguments: Any) -> int:
        number = int(slot.node.rpartition("-")[2])
        self._next += 1
        self._running[number] = self._next
        # A lost process is detected by `wait`.
        with contextlib.suppress(OSError):
            self._workers[number][1].send((function, arguments))
        return self._next

    def wait(self, timeout: float) -> list[tuple[int, Any]]:
        pipes = {self._workers[number][1]: number for number in self._running}
        out: list[tuple[int, Any]] = []
        ready = wait(list(pipes), timeout)
        for pipe, number in pipes.items():
            if pipe not in ready:
                continue
            try:
                result = pipe.recv()
            except (EOFError, OSError):
                result = Lost(f"process {number} ended unexpectedly")
                self._replace(number)
            out.append((self._running.pop(number), result))
        return out

    def _replace(self, number: int) -> None:
        process, pipe = self._workers[number]
        pipe.close()
        process.terminate()
        process.join()
        self._workers[number] = self._start()

    def abandon(self) -> None:
        for number in self._running:
            self._replace(number)
        self._running.clear()

    def close(self) -> None:
        for process, pipe in self._workers:
            pipe.close()
            process.terminate()
        for process, _ in self._workers:
            process.join()

    def __enter__(self) -> LocalExecutor:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _serve(pipe: Connection) -> None:
    """Executes tasks until the pipe is closed."""
    quiet()
    while True:
        try:
            function, arguments = pipe.recv()
        except (EOFError, OSError, KeyboardInterrupt):
            return
        try:
            result = function(*arguments)
        except Exception as error:  # noqa: BLE001 - every exception is sent to the scheduler
            result = error
        with contextlib.suppress(OSError):
            pipe.send(result)


def quiet() -> None:
    """Redirects standard output and standard error to the null device."""
    null = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            os.dup2(null, stream.fileno())
    os.close(null)
