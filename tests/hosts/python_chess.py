"""Plays games of shogi and Janggi in the UCI engine class of python-chess, which does not know these games.

The class only needs a board that names its variant, writes its position and checks moves, here with pyffish.
"""

import hosts


def play():
    version, sanban = hosts.pip("chess", "pyffish"), hosts.engine()
    import chess.engine
    import pyffish

    import uci_match

    class Move(str):
        def uci(self):
            return str(self)

    class Board:
        chess960 = False

        def __init__(self):
            self.start, self.move_stack = pyffish.start_fen(self.uci_variant), []

        @property
        def turn(self):
            return len(self.move_stack) % 2 == 0

        def fen(self, **_):
            return pyffish.get_fen(self.uci_variant, self.start, self.move_stack)

        def root(self):
            return type(self)()

        def copy(self, stack=True):
            board = type(self)()
            board.move_stack = list(self.move_stack)
            return board

        def parse_uci(self, text):
            legal = pyffish.legal_moves(self.uci_variant, self.start, self.move_stack)
            # The class writes moves in lower case.
            found = [move for move in legal if move.lower() == text.lower()]
            if not found:
                raise ValueError(f"illegal move {text} after {' '.join(self.move_stack)}")
            return Move(found[0])

        def push(self, move):
            self.move_stack.append(move)

        def push_uci(self, text):
            self.push(self.parse_uci(text))
            return self.move_stack[-1]

        def pop(self):
            return self.move_stack.pop()

    done = []
    for variant in ("shogi", "janggi"):
        board = type(variant, (Board,), {"uci_variant": variant})()
        engine = chess.engine.SimpleEngine.popen_uci(sanban, timeout=60)
        limit, scores = chess.engine.Limit(time=0.1), 0
        while (over := uci_match.over(variant, board.start, board.move_stack)) is None and len(board.move_stack) < 300:
            answer = engine.play(board, limit, info=chess.engine.INFO_ALL, game=variant)
            if answer.move is None:
                raise hosts.Failed(f"{variant}: no move after {' '.join(board.move_stack)}")
            scores += "score" in answer.info and "pv" in answer.info
            board.push(answer.move)
        engine.quit()
        end = "stopped" if over is None else f"result {over:+d}"
        done.append(f"{variant}: {len(board.move_stack)} moves, {scores} of them with score and variation, {end}")
    return version, "; ".join(done)


hosts.main("python-chess", play)
