"""Shogi, Janggi and Dobutsu shogi: rules, engine, records, networks.

>>> import sanban
>>> position = sanban.Position()
>>> len(position.legal_moves)
30
>>> position.push("7g7f")
>>> position.moves
[<Move 7g7f>]
>>> sanban.Engine().search(position, nodes=1000).best in position.legal_moves
True
"""

from . import psv
from ._sanban import (
    GAMES,
    DobutsuTable,
    Engine,
    LegalMoves,
    Line,
    Mate,
    Move,
    Network,
    Outcome,
    Position,
    Record,
    __version__,
    mate,
    read_records,
)

__all__ = [
    "GAMES",
    "DobutsuTable",
    "Engine",
    "LegalMoves",
    "Line",
    "Mate",
    "Move",
    "Network",
    "Outcome",
    "Position",
    "Record",
    "__version__",
    "mate",
    "psv",
    "read_records",
]
