"""Shogi training positions as arrays: 38-byte `HuffmanCodedPosAndEval` entries of Apery, dlshogi and cshogi."""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING, Literal

from . import _entries
from ._sanban import Move, Position, unpack_hcpe

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def dtype() -> np.dtype[np.void]:
    """Returns the NumPy type of an entry, with the field names of cshogi."""
    import numpy as np

    names = ["hcp", "eval", "bestMove16", "gameResult", "dummy"]
    formats = ["(32,)u1", "<i2", "<i2", "i1", "u1"]
    return np.dtype({"names": names, "formats": formats, "offsets": [0, 32, 34, 36, 37], "itemsize": 38})


def load(path: str | PathLike[str], *, mmap_mode: Literal["r", "r+", "c"] | None = None) -> NDArray[np.void]:
    """Returns the entries of a file; `mmap_mode` is as in `psv.load`."""
    return _entries.load(path, dtype(), mmap_mode)


def unpack(entry: np.void | bytes) -> tuple[Position, int, Move | None, int]:
    """Returns the position, score, move and result (1, 0 or -1) of an entry, for the side to move.

    The entry itself stores the winner instead of the result.
    """
    return unpack_hcpe(entry if isinstance(entry, bytes) else entry.tobytes())
