"""What `Network.evaluate` does with arrays."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

    from ._sanban import Network, Position


def evaluate(network: Network, positions: Iterable[str | Position] | np.ndarray, threads: int) -> np.ndarray:
    """Centipawns for the side to move, of positions or of an array of PSV entries."""
    import numpy as np

    if isinstance(positions, np.ndarray) and positions.dtype.itemsize == 40:
        scores = network.evaluate_psv(np.ascontiguousarray(positions).tobytes(), threads)
    else:
        scores = network.evaluate_bytes(list(positions), threads)
    return np.frombuffer(scores, dtype=np.int32)
