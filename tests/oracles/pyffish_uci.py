"""Random games over UCI against pyffish: legal moves, positions and ends of every variant that both know.

    pip install pyffish
    python tests/oracles/pyffish_uci.py target/release/sanban [GAMES [VARIANT ...]]

Each position of a random game is sent as `startpos moves` and as `fen`; the engine's moves (`moves`) must be pyffish's.
Known difference: pyffish lists drops of a pawn that mate in shogi and judges the game afterwards; here they are illegal.
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


def mates_by_pawn_drop(variant, start, moves, mv):
    """Does a drop of a pawn leave no legal move?"""
    return variant == "shogi" and mv.startswith("P@") and not pyffish.legal_moves(variant, start, [*moves, mv])


def main():
    engine = Engine(sys.argv[1])
    games = int(sys.argv[2]) if len(sys.argv) > 2 else 200
    wrong = 0
    for variant in sys.argv[3:] or VARIANTS:
        engine.send(f"setoption name UCI_Variant value {variant}")
        rng = random.Random(variant)
        start = pyffish.start_fen(variant)
        positions = ended = 0
        for _ in range(games):
            moves = []
            for _ in range(LONGEST):
                listed = pyffish.legal_moves(variant, start, moves)
                theirs = {mv for mv in listed if not mates_by_pawn_drop(variant, start, moves, mv)}
                over, _ = pyffish.is_optional_game_end(variant, start, moves)
                immediate, _ = pyffish.is_immediate_game_end(variant, start, moves)
                if over or immediate:
                    ended += 1
                    break
                text = f"startpos moves {' '.join(moves)}" if moves else "startpos"
                ours = engine.moves(text)
                positions += 1
                if ours != theirs:
                    wrong += 1
                    fen = pyffish.get_fen(variant, start, moves)
                    print(f"{variant}: {text}\n  {fen}\n  only here: {sorted(ours - theirs)}")
                    print(f"  only there: {sorted(theirs - ours)}", flush=True)
                    break
                if not theirs:
                    ended += 1
                    break
                moves.append(rng.choice(sorted(theirs)))
        print(f"{variant}: {games} games, {positions} positions, {ended} ended; differences so far: {wrong}", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
