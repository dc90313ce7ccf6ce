"""Shogi training positions as arrays: 40-byte `PackedSfenValue` entries of YaneuraOu and other programs."""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike
from typing import TYPE_CHECKING, Literal

from . import _entries
from ._sanban import Move, Position, pack_entry, pack_games, unpack_entry

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def dtype() -> np.dtype[np.void]:
    """Returns the NumPy type of an entry, with the field names of YaneuraOu."""
    import numpy as np

    names = ["sfen", "score", "move", "gamePly", "game_result", "padding"]
    formats = ["(32,)u1", "<i2", "<u2", "<u2", "i1", "u1"]
    return np.dtype({"names": names, "formats": formats, "offsets": [0, 32, 34, 36, 38, 39], "itemsize": 40})


def load(path: str | PathLike[str], *, mmap_mode: Literal["r", "r+", "c"] | None = None) -> NDArray[np.void]:
    """Returns the entries of a file. With `mmap_mode`, the file is mapped into memory (`numpy.memmap`) instead of being
    read: `r` for reading, `r+` for writing, `c` for changes that are not written to the file."""
    return _entries.load(path, dtype(), mmap_mode)


def from_games(paths: str | PathLike[str] | Iterable[str | PathLike[str]]) -> NDArray[np.void]:
    """Returns the searched positions of one or several files of self-play games (`sanban selfplay`)."""
    import numpy as np

    paths = [paths] if isinstance(paths, (str, PathLike)) else list(paths)
    return np.frombuffer(b"".join(pack_games(path) for path in paths), dtype=dtype())


def from_positions(positions: Iterable[Position]) -> NDArray[np.void]:
    """Returns entries without labels: no move, and 0 as score and result."""
    import numpy as np

    return np.frombuffer(b"".join(map(pack_entry, positions)), dtype=dtype())


def pack(position: Position, score: int = 0, move: Move | str | None = None, result: int = 0) -> np.void:
    """Returns an entry. Score and result (1, 0 or -1) are for the side to move."""
    import numpy as np

    entry: np.void = np.frombuffer(pack_entry(position, score, move, result), dtype=dtype())[0]
    return entry


def unpack(entry: np.void | bytes) -> tuple[Position, int, Move | None, int]:
    """Returns the position, score, move and result of an entry."""
    return unpack_entry(entry if isinstance(entry, bytes) else entry.tobytes())
