"""Compares the legal moves over UCI with those of pyffish, in random games of every variant that both support.

    pip install pyffish
    python tests/oracles/pyffish_uci.py target/release/sanban [GAMES [VARIANT ...]]

Each position of a random game is sent as `startpos moves` and as the `fen` that pyffish writes. Both times, the answer
to `moves` must equal the list of pyffish. Known differences are ignored: in shogi, pyffish lists mating pawn drops and
judges the game afterwards, whereas sanban treats them as illegal. In Dobutsu shogi, it lists moves of the lion to
attacked squares of the last rank, so lion moves to the last rank are not compared.
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
                raise SystemExit("the engine has exited")
            if end in answer:
                return answer.strip()

    def moves(self, position):
        self.send(f"position {position}")
        answer = self.ask("moves", " moves:")
        return set(answer.split(":", 1)[1].split())


def mates_by_pawn_drop(variant, fen, mv):
    """Returns whether a move is a pawn drop that leaves no legal reply."""
    return variant == "shogi" and mv.startswith("P@") and not pyffish.legal_moves(variant, fen, [mv])


def enters_goal(variant, fen, mv):
    """Returns whether a lion moves to the last rank."""
    if variant != "dobutsu" or "@" in mv:
        return False
    board, side = fen.split("[")[0], fen.split()[1]
    rows = ["".join("." * int(c) if c.isdigit() else c for c in row) for row in board.replace("+", "").split("/")]
    piece = rows[4 - int(mv[1])]["abc".index(mv[0])]
    return piece == ("L" if side == "w" else "l") and mv[3] == ("4" if side == "w" else "1")


def men(fen):
    """Returns the piece letters of a position, hands included. Only captures and promotions change them."""
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
            # A position can only repeat after the last irreversible move, and facing generals count one move later, so
            # `line` leads from `base`, three plies before that move, to the current position.
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
                        print(f"{variant}: {text}\n  {fen}\n  only sanban: {sorted(ours - theirs)}")
                        print(f"  only pyffish: {sorted(theirs - ours)}", flush=True)
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
