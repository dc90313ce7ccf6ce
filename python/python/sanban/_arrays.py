"""The implementation of `Network.evaluate`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, TypeGuard, cast

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ._sanban import Network, Position

# Entries per batch. A memory-mapped file may be larger than the memory.
BLOCK = 1 << 20


def _are_entries(positions: object) -> TypeGuard[NDArray[np.void]]:
    import numpy as np

    return isinstance(positions, np.ndarray) and cast("NDArray[Any]", positions).dtype.kind == "V"


def evaluate(network: Network, positions: Iterable[str | Position] | NDArray[Any], threads: int) -> NDArray[np.int32]:
    """Evaluates positions or an array of PSV or hcpe entries. Returns centipawns for the side to move."""
    import numpy as np

    if not _are_entries(positions):
        return np.frombuffer(network.evaluate_bytes(list(positions), threads), dtype=np.int32)
    size, entries = positions.dtype.itemsize, positions.reshape(-1)
    out = np.empty(len(entries), dtype=np.int32)
    for first in range(0, len(entries) or 1, BLOCK):
        scores = network.evaluate_entries(entries[first : first + BLOCK].tobytes(), size, threads, first)
        out[first : first + BLOCK] = np.frombuffer(scores, dtype=np.int32)
    return out
