"""Random games over UCI against pyffish: legal moves, positions and ends of every variant that both support.

    pip install pyffish
    python tests/oracles/pyffish_uci.py target/release/sanban [GAMES [VARIANT ...]]

Each position of a random game is sent as `startpos moves` and as the `fen` that pyffish writes. The engine's moves
(`moves`) must equal those of pyffish after the same moves and in the same FEN. Known differences: in shogi, pyffish
lists pawn drops that mate and judges the game afterwards; here they are illegal. In Dobutsu shogi, it lists steps of
the lion to the last row where it can be captured; steps to the last row are not compared.
"""

import random
import subprocess
import sys

import pyffish

VARIANTS = ["shogi", "janggi", "janggicasual", "janggitraditional", "janggimodern", "dobutsu"]
LONGEST = 200


class Engine:
    def __init__(self, path):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.ask("uci", "uciok")

    def send(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def ask(self, line, end):
        self.send(line)
        while True:
            answer = self.process.stdout.readline()
            if not answer:
                raise SystemExit("the engine is gone")
            if end in answer:
                return answer.strip()

    def moves(self, position):
        self.send(f"position {position}")
        answer = self.ask("moves", " moves:")
        return set(answer.split(":", 1)[1].split())


def mates_by_pawn_drop(variant, fen, mv):
    """Does a pawn drop leave no legal move?"""
    return variant == "shogi" and mv.startswith("P@") and not pyffish.legal_moves(variant, fen, [mv])


def enters_goal(variant, fen, mv):
    """Does a lion step to the last row?"""
    if variant != "dobutsu" or "@" in mv:
        return False
    board, side = fen.split("[")[0], fen.split()[1]
    rows = ["".join("." * int(c) if c.isdigit() else c for c in row) for row in board.replace("+", "").split("/")]
    piece = rows[4 - int(mv[1])]["abc".index(mv[0])]
    return piece == ("L" if side == "w" else "l") and mv[3] == ("4" if side == "w" else "1")


def men(fen):
    """The letters of a position: captures, drops and promotions change them. Pawns' steps count as reversible."""
    return sorted(letter for letter in fen.split()[0] if letter.isalpha() or letter == "+")


def main():
    engine = Engine(sys.argv[1])
    games = int(sys.argv[2]) if len(sys.argv) > 2 else 200
    wrong = 0
    for variant in sys.argv[3:] or VARIANTS:
        engine.send(f"setoption name UCI_Variant value {variant}")
        rng = random.Random(variant)
        start = pyffish.start_fen(variant)
        positions = ended = 0
        for number in range(games):
            if number % 100 == 99:
                print(f"{variant}: {number} games, {positions} positions, {wrong} differences", flush=True)
            # Positions repeat only since the last irreversible move, and facing generals count one move later: `line`
            # leads from `base`, three plies before that move, to the last position.
            moves, fens, last = [], [start], 0
            for _ in range(LONGEST):
                fen, base, line = fens[-1], fens[max(last - 3, 0)], moves[max(last - 3, 0) :]
                over, _ = pyffish.is_optional_game_end(variant, base, line)
                immediate, _ = pyffish.is_immediate_game_end(variant, base, line)
                if over or immediate:
                    ended += 1
                    break
                forms = {
                    f"startpos moves {' '.join(moves)}" if moves else "startpos": (base, line),
                    f"fen {fen}": (fen, []),
                }
                positions += 1
                before, theirs = wrong, set()
                for text, (origin, way) in reversed(forms.items()):
                    theirs = {mv for mv in pyffish.legal_moves(variant, origin, way) if not enters_goal(variant, fen, mv)}
                    ours = {mv for mv in engine.moves(text) if not enters_goal(variant, fen, mv)}
                    theirs -= {mv for mv in theirs - ours if mates_by_pawn_drop(variant, fen, mv)}
                    if ours != theirs:
                        wrong += 1
                        print(f"{variant}: {text}\n  {fen}\n  only here: {sorted(ours - theirs)}")
                        print(f"  only there: {sorted(theirs - ours)}", flush=True)
                if wrong > before:
                    break
                if not theirs:
                    ended += 1
                    break
                mv = rng.choice(sorted(theirs))
                moves.append(mv)
                fens.append(pyffish.get_fen(variant, fen, [mv]))
                if men(fens[-1]) != men(fen):
                    last = len(moves)
        print(f"{variant}: {games} games, {positions} positions, {ended} ended; differences so far: {wrong}", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
