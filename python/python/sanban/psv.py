"""Shogi training positions as arrays: the 40 bytes of "PackedSfenValue" that other tools read and write."""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike
from typing import TYPE_CHECKING, Literal

from . import _entries
from ._sanban import Move, Position, pack_entry, pack_games, unpack_entry

if TYPE_CHECKING:
    import numpy as np


def dtype() -> np.dtype[np.void]:
    """The type of an entry, with the names of YaneuraOu."""
    import numpy as np

    names = ["sfen", "score", "move", "gamePly", "game_result", "padding"]
    formats = ["(32,)u1", "<i2", "<u2", "<u2", "i1", "u1"]
    return np.dtype({"names": names, "formats": formats, "offsets": [0, 32, 34, 36, 38, 39], "itemsize": 40})


def load(path: str | PathLike[str], *, mmap_mode: Literal["r", "r+", "c"] | None = None) -> np.ndarray:
    """The entries of a file. With `mmap_mode`, it is not read but mapped into memory (`numpy.memmap`): `r` for reading,
    `r+` for writing, `c` for changes that do not reach the file."""
    return _entries.load(path, dtype(), mmap_mode)


def from_games(paths: str | PathLike[str] | Iterable[str | PathLike[str]]) -> np.ndarray:
    """The searched positions of files of self-play games (`sanban selfplay`)."""
    import numpy as np

    paths = [paths] if isinstance(paths, (str, PathLike)) else list(paths)
    return np.frombuffer(b"".join(pack_games(path) for path in paths), dtype=dtype())


def from_positions(positions: Iterable[Position]) -> np.ndarray:
    """Entries without labels."""
    import numpy as np

    return np.frombuffer(b"".join(map(pack_entry, positions)), dtype=dtype())


def pack(position: Position, score: int = 0, move: Move | str | None = None, result: int = 0) -> np.void:
    """An entry: score and result (1, 0, -1) are for the side to move."""
    import numpy as np

    entry: np.void = np.frombuffer(pack_entry(position, score, move, result), dtype=dtype())[0]
    return entry


def unpack(entry: np.void | bytes) -> tuple[Position, int, Move | None, int]:
    """Position, score, move and result of an entry."""
    return unpack_entry(entry if isinstance(entry, bytes) else entry.tobytes())
