"""Executes tasks on a Ray cluster; each CPU of each node is a slot."""

# Ray's type hints are incomplete.
# pyright: basic

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ray
from ray.exceptions import RayError, RayTaskError
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from .executor import Lost, Slot


@ray.remote(num_cpus=1, max_retries=0)
def _call(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    return function(*arguments)


class RayExecutor:
    """Executes tasks on the nodes of a Ray cluster, each of which must have this package installed. The address `auto`
    is the cluster to which this machine belongs, `local` a new one on this machine alone.
    """

    def __init__(self, address: str = "auto") -> None:
        self._ours = not ray.is_initialized()
        if self._ours:
            ray.init(address=address, log_to_driver=False, configure_logging=False)
        self._running: list[ray.ObjectRef] = []

    def slots(self) -> list[Slot]:
        out = []
        for node in ray.nodes():
            if node["Alive"]:
                name = f"{node['NodeManagerHostname']} ({node['NodeManagerAddress']}:{node['NodeManagerPort']})"
                cpus = int(node["Resources"].get("CPU", 0))
                out += [Slot(node["NodeID"], number, name) for number in range(cpus)]
        return out

    def submit(self, slot: Slot, function: Callable[..., Any], *arguments: Any) -> ray.ObjectRef:
        place = NodeAffinitySchedulingStrategy(slot.node, soft=False)
        reference = _call.options(scheduling_strategy=place).remote(function, arguments)
        self._running.append(reference)
        return reference

    def wait(self, timeout: float) -> list[tuple[ray.ObjectRef, Any]]:
        if not self._running:
            return []
        ready, self._running = ray.wait(self._running, num_returns=1, timeout=timeout)
        out = []
        for reference in ready:
            try:
                result = ray.get(reference)
            except RayTaskError as error:
                result = error.cause if isinstance(error.cause, Exception) else error
            except RayError as error:
                # The worker was killed, or its node was lost.
                result = Lost(str(error).splitlines()[0])
            out.append((reference, result))
        return out

    def abandon(self) -> None:
        for reference in self._running:
            ray.cancel(reference, force=True)
        self._running.clear()

    def close(self) -> None:
        self.abandon()
        if self._ours:
            ray.shutdown()

    def __enter__(self) -> RayExecutor:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
