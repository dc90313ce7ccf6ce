"""Plays a match over UCI against Fairy-Stockfish, with pyffish as the referee. Fails on illegal moves and time losses.

    pip install pyffish
    python tests/oracles/uci_match.py target/release/sanban fairy-stockfish VARIANT [GAMES [MILLISECONDS [MARGIN]]]

Games are played in pairs from six random plies, with colours swapped. A move that takes more than MARGIN milliseconds
(default 1000; 100 is enough on an idle machine) beyond its time is a time loss, and the game continues. At the end, the
script reports how late the moves of both programs were, measured outside of the engines.
"""

import queue
import random
import subprocess
import sys
import threading
import time

import pyffish

LONGEST = 300


class Engine:
    def __init__(self, path, variant):
        self.name = path
        # How late each move was, in milliseconds.
        self.late = []
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.lines = queue.Queue()
        threading.Thread(target=lambda: [self.lines.put(line) for line in self.process.stdout], daemon=True).start()
        self.ask("uci", "uciok")
        self.send(f"setoption name UCI_Variant value {variant}")
        self.ask("isready", "readyok")

    def send(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def ask(self, line, word):
        self.send(line)
        while True:
            answer = self.lines.get(timeout=120)
            if answer.startswith(word):
                return answer.split()


def over(variant, start, moves):
    """Returns the result for white (1, 0 or -1), or None if the game is not over."""
    ended, value = pyffish.is_immediate_game_end(variant, start, moves)
    if not ended:
        ended, value = pyffish.is_optional_game_end(variant, start, moves)
    if not ended and not pyffish.legal_moves(variant, start, moves):
        ended, value = True, pyffish.game_result(variant, start, moves)
    if not ended:
        return None
    # The value is for the side to move.
    sign = (value > 0) - (value < 0)
    return sign if len(moves) % 2 == 0 else -sign


def play(variant, players, opening, millis, margin, faults):
    start, moves = pyffish.start_fen(variant), list(opening)
    for engine in players:
        engine.send("ucinewgame")
        engine.ask("isready", "readyok")
    while (result := over(variant, start, moves)) is None and len(moves) < LONGEST:
        mover = players[len(moves) % 2]
        mover.send(f"position startpos moves {' '.join(moves)}")
        begin = time.monotonic()
        best = mover.ask(f"go movetime {millis}", "bestmove")[1]
        late = 1000 * (time.monotonic() - begin) - millis
        mover.late.append(late)
        if late > margin:
            faults.append(f"{mover.name}: {late:.0f} ms late")
        if best not in pyffish.legal_moves(variant, start, moves):
            if best == "(none)":
                return 1 if len(moves) % 2 else -1
            faults.append(f"{mover.name}: {best} after {' '.join(moves)}")
            return 1 if len(moves) % 2 else -1
        moves.append(best)
    return result or 0


def random_opening(variant, rng):
    """Returns six random plies after which the game is not over."""
    start, moves = pyffish.start_fen(variant), []
    while len(moves) < 6:
        moves = [] if over(variant, start, moves) is not None else moves
        moves.append(rng.choice(sorted(pyffish.legal_moves(variant, start, moves))))
    return moves if over(variant, start, moves) is None else random_opening(variant, rng)


def main():
    program, other, variant = sys.argv[1:4]
    numbers = [int(text) for text in sys.argv[4:]]
    games, millis, margin = numbers + [20, 200, 1000][len(numbers) :]
    ours, theirs = Engine(program, variant), Engine(other, variant)
    rng, faults, score = random.Random(variant), [], [0, 0, 0]
    opening = []
    for number in range(games):
        if number % 2 == 0:
            opening = random_opening(variant, rng)
        players = [ours, theirs] if number % 2 == 0 else [theirs, ours]
        result = play(variant, players, opening, millis, margin, faults)
        score[1 - (result if number % 2 == 0 else -result)] += 1
        print(f"{variant}: {number + 1} games, {score} (won, drawn, lost), faults {faults}", flush=True)
    for engine in (ours, theirs):
        counts = ", ".join(f"{sum(late > limit for late in engine.late)} by {limit} ms" for limit in (0, 100, 1000))
        worst = max(engine.late, default=0)
        print(f"{variant}: {engine.name}: {len(engine.late)} moves; late: {counts}; latest {worst:.0f} ms")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
