"""Iterates over training positions in NumPy batches: python training_batches.py FILE [BATCH]

FILE contains PackedSfenValue entries, such as those of `sanban psv`. Every batch has the static evaluations of the
embedded network, the recorded scores and the results, each from the side to move.
"""

import sys
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

import sanban


def batches(path: str, size: int) -> Iterator[tuple[NDArray[np.int32], NDArray[np.int16], NDArray[np.int8]]]:
    entries = sanban.psv.load(path, mmap_mode="r")
    order = np.random.default_rng(0).permutation(len(entries))
    network = sanban.Network()
    for start in range(0, len(order), size):
        batch = entries[order[start : start + size]]
        yield network.evaluate(batch), batch["score"], batch["game_result"]


size = int(sys.argv[2]) if len(sys.argv) > 2 else 1024
for values, scores, results in batches(sys.argv[1], size):
    error = np.abs(values.astype(float) - scores).mean()
    print(f"{len(values)} positions, mean difference {error:.0f} cp, mean result {results.mean():+.2f}")
