"""The implementation of `Network.evaluate`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

    from ._sanban import Network, Position

# Entries per batch. A memory-mapped file may be larger than the memory.
BLOCK = 1 << 20


def evaluate(network: Network, positions: Iterable[str | Position] | np.ndarray, threads: int) -> np.ndarray:
    """Evaluates positions or an array of PSV or hcpe entries. Returns centipawns for the side to move."""
    import numpy as np

    if not isinstance(positions, np.ndarray) or positions.dtype.kind != "V":
        return np.frombuffer(network.evaluate_bytes(list(positions), threads), dtype=np.int32)
    size, entries = positions.dtype.itemsize, positions.reshape(-1)
    out = np.empty(len(entries), dtype=np.int32)
    for first in range(0, len(entries) or 1, BLOCK):
        scores = network.evaluate_entries(entries[first : first + BLOCK].tobytes(), size, threads, first)
        out[first : first + BLOCK] = np.frombuffer(scores, dtype=np.int32)
    return out
