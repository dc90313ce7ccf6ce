"""The names of the games."""

from typing import Literal

# A union, because mypy.stubtest does not accept several names in one `Literal`.
Game = (
    Literal["shogi"]
    | Literal["janggi"]
    | Literal["janggicasual"]
    | Literal["janggitraditional"]
    | Literal["janggimodern"]
    | Literal["dobutsu"]
    | Literal["dobutsumate"]
)
