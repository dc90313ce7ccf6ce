"""`Network.evaluate` for arrays."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from . import hcpe, psv

if TYPE_CHECKING:
    import numpy as np

    from ._sanban import Network, Position

# Entries that are evaluated at once: a file mapped into memory may be larger than the memory.
BLOCK = 1 << 20


def evaluate(network: Network, positions: Iterable[str | Position] | np.ndarray, threads: int) -> np.ndarray:
    """Centipawns for the side to move, for positions or an array of PSV or hcpe entries."""
    import numpy as np

    if not isinstance(positions, np.ndarray) or positions.dtype.kind != "V":
        return np.frombuffer(network.evaluate_bytes(list(positions), threads), dtype=np.int32)
    scores = {psv.dtype().itemsize: network.evaluate_psv, hcpe.dtype().itemsize: network.evaluate_hcpe}
    score = scores.get(positions.dtype.itemsize)
    if score is None:
        raise ValueError(f"entries of {positions.dtype.itemsize} bytes, expected {' or '.join(map(str, scores))}")
    entries, out = positions.reshape(-1), np.empty(positions.size, dtype=np.int32)
    for first in range(0, len(entries), BLOCK):
        block = entries[first : first + BLOCK]
        out[first : first + BLOCK] = np.frombuffer(score(block.tobytes(), threads, first), dtype=np.int32)
    return out
