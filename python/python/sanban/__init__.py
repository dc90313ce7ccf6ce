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

from abc import ABCMeta
from collections.abc import Sequence
from typing import cast

from . import hcpe, psv
from ._games import Game
from ._sanban import (
    GAMES,
    DobutsuTable,
    Engine,
    LegalMoves,
    Level,
    Line,
    Mate,
    Move,
    Name,
    Network,
    Outcome,
    Position,
    Problem,
    Reason,
    Record,
    __version__,
    find_problem,
    levels,
    mate,
    names,
    problems,
    read_records,
    reasons,
)

__all__ = [
    "GAMES",
    "DobutsuTable",
    "Engine",
    "Game",
    "LegalMoves",
    "Level",
    "Line",
    "Mate",
    "Move",
    "Name",
    "Network",
    "Outcome",
    "Position",
    "Problem",
    "Reason",
    "Record",
    "__version__",
    "find_problem",
    "hcpe",
    "levels",
    "mate",
    "names",
    "problems",
    "psv",
    "read_records",
    "reasons",
]

cast(ABCMeta, Sequence).register(LegalMoves)
