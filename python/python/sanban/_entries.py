"""Loads files of training positions as NumPy arrays."""

from __future__ import annotations

import os
from os import PathLike
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def load(
    path: str | PathLike[str], dtype: np.dtype[np.void], mmap_mode: Literal["r", "r+", "c"] | None
) -> NDArray[np.void]:
    """Returns the entries of a file, read or mapped into memory."""
    import numpy as np

    size = os.stat(path).st_size
    if size % dtype.itemsize:
        raise ValueError(f"{os.fspath(path)}: the file size {size} is not a multiple of {dtype.itemsize} bytes")
    if mmap_mode is None or size == 0:
        return np.fromfile(path, dtype=dtype)
    return np.memmap(path, dtype=dtype, mode=mmap_mode)
