"""Prints the legal moves of a position: python legal_moves.py [SFEN]"""

import sys

import sanban

position = sanban.Position(sys.argv[1] if len(sys.argv) > 1 else None)
print(position)
for move in position.legal_moves:
    print(move, "check" if position.gives_check(move) else "")
