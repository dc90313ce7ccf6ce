"""Distributes the tasks of a job over the nodes of a cluster until the job is complete."""

from __future__ import annotations

import sys
import time
from collections import deque
from typing import Any

from . import work
from .executor import Executor, Lost, Slot
from .jobs import Job, JobError, Task

TRIES = 4
"""Number of failures or corrupt results of one task after which the job fails."""
LOSSES = 20
"""Number of lost workers of one task after which the job fails."""
PROBE_EVERY = 1.0
"""Seconds between two checks for new nodes."""


class Progress:
    """Prints the progress: a line that is updated in place on a terminal, and periodic lines elsewhere."""

    def __init__(self, job: Job, quiet: bool = False) -> None:
        self._job, self._quiet = job, quiet
        self._begin = self._last = time.monotonic()
        self._width = 0
        self._first: int | None = None
        self._terminal = sys.stderr.isatty()

    def note(self, sentence: str) -> None:
        """Prints a line that is not overwritten."""
        if not self._quiet:
            print(f"\r{sentence.ljust(self._width)}" if self._width else sentence, file=sys.stderr)
            self._width = 0

    def show(self, done: int, tasks: int, workers: int) -> None:
        """Prints the progress of the job."""
        now = time.monotonic()
        if self._first is None:
            self._first = done
        if self._quiet or now - self._last < (0.2 if self._terminal else 10):
            return
        self._last = now
        elapsed = now - self._begin
        line = f"{self._job.name}: {done} of {tasks} tasks, {workers} running, {_clock(elapsed)}"
        if done > self._first:
            line += f", {_clock(elapsed * (tasks - done) / (done - self._first))} left"
        if self._terminal:
            print(f"\r{line.ljust(self._width)}", end="", file=sys.stderr, flush=True)
            self._width = len(line)
        else:
            print(line, file=sys.stderr)


def _clock(seconds: float) -> str:
    minutes, seconds = divmod(int(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"


class _Run:
    def __init__(self, job: Job, executor: Executor, progress: Progress) -> None:
        self.job, self.executor, self.progress = job, executor, progress
        self.wanted = work.identity(job.game, job.network)
        self.accepted: dict[str, bool] = {}
        self.running: dict[Any, tuple[Slot, Task | None]] = {}
        self.again: deque[Task] = deque()
        self.faults: dict[int, int] = {}
        self.losses: dict[int, int] = {}

    def run(self) -> Any:
        self.tasks = self.job.tasks()
        looked = float("-inf")
        slots: list[Slot] = []
        try:
            while not self.job.is_done():
                if time.monotonic() - looked > PROBE_EVERY:
                    looked, slots = time.monotonic(), self.executor.slots()
                    self.look(slots)
                self.fill(slots)
                if not self.running and self.all_refused(slots):
                    raise JobError("no nodes are left")
                self.collect(self.executor.wait(0.2))
                self.progress.show(self.job.done, self.job.total, len(self.running))
            return self.job.finish()
        finally:
            # Cancels games after the deciding one, and requests to nodes that joined late.
            self.executor.abandon()
            self.job.close()

    def all_refused(self, slots: list[Slot]) -> bool:
        """Returns whether all nodes were rejected; false without any nodes, because some may still join."""
        return bool(slots) and all(self.accepted.get(slot.node) is False for slot in slots)

    def look(self, slots: list[Slot]) -> None:
        """Requests the identity of new nodes."""
        known = {slot.node for slot in slots}
        for gone in [node for node, accepted in self.accepted.items() if node not in known and accepted]:
            self.progress.note("a node was lost; its tasks will run on other nodes")
            del self.accepted[gone]
        asked = {slot.node for slot, task in self.running.values() if task is None}
        for slot in slots:
            if slot.number == 0 and slot.node not in self.accepted and slot.node not in asked:
                handle = self.executor.submit(slot, work.identity, self.job.game, self.job.network)
                self.running[handle] = (slot, None)

    def fill(self, slots: list[Slot]) -> None:
        busy = {slot for slot, _ in self.running.values()}
        for slot in slots:
            if self.accepted.get(slot.node) and slot not in busy:
                task = self.again.popleft() if self.again else next(self.tasks, None)
                if task is None:
                    return
                handle = self.executor.submit(slot, work.do, task.kind, task.arguments)
                self.running[handle] = (slot, task)

    def collect(self, ended: list[tuple[Any, Any]]) -> None:
        for handle, result in ended:
            slot, task = self.running.pop(handle)
            if task is None:
                self.meet(slot, result)
            elif isinstance(result, Lost):
                self.progress.note(f"{slot.name}: {result}; retrying task {task.number}")
                self.repeat(task, self.losses, LOSSES, str(result))
            elif isinstance(result, work.CommandError) and result.code == 2:
                raise JobError(str(result), 2)
            elif isinstance(result, Exception):
                self.progress.note(f"{slot.name}: task {task.number}: {result}; retrying")
                self.repeat(task, self.faults, TRIES, str(result))
            else:
                problem = self.problem(task, result)
                if problem is None:
                    self.job.take(task, result[0])
                else:
                    self.progress.note(f"{slot.name}: task {task.number}: {problem}; retrying")
                    self.repeat(task, self.faults, TRIES, problem)

    def problem(self, task: Task, result: Any) -> str | None:
        """Returns a message about what is wrong with a result, or `None`."""
        try:
            payload, digest = result
            if work.digest(payload) != digest:
                return "the checksum of the result does not match"
            return self.job.problem(task, payload)
        except (KeyError, TypeError, ValueError) as error:
            return f"the result is invalid ({error})"

    def meet(self, slot: Slot, result: Any) -> None:
        """Accepts or rejects a node by its identity."""
        if isinstance(result, Lost):
            return
        if isinstance(result, Exception):
            sentence = str(result)
        elif result == self.wanted:
            self.accepted[slot.node] = True
            return
        else:
            names = ("version", "network", "search")
            differences = zip(names, result, self.wanted, strict=True)
            sentence = ", ".join(f"{name} {found}, not {own}" for name, found, own in differences if found != own)
        self.accepted[slot.node] = False
        self.progress.note(f"{slot.name} is rejected: {sentence}")

    def repeat(self, task: Task, counts: dict[int, int], most: int, why: str) -> None:
        counts[task.number] = counts.get(task.number, 0) + 1
        if counts[task.number] >= most:
            raise JobError(f"task {task.number} failed {most} times: {why}")
        self.again.appendleft(task)


def run(job: Job, executor: Executor, *, quiet: bool = True) -> Any:
    """Executes a job and returns its result. Failed workers and corrupt results are retried, and nodes with a different
    version of the program or a different network are rejected.
    """
    return _Run(job, executor, Progress(job, quiet)).run()
