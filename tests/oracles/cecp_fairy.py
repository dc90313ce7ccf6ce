"""Plays whole games over CECP against Fairy-Stockfish. Each engine must accept the moves of the other.

    python tests/oracles/cecp_fairy.py target/release/sanban fairy-stockfish [GAMES]

Each variant is played GAMES times from random openings, with colours swapped. A rejected move, or an engine that stops
answering, is reported. Fairy-Stockfish 11 does not read passes (`@@@@`), so a game ends with the first pass. Its rules
of Dobutsu shogi are different, so that game is not played.
"""

import queue
import random
import subprocess
import sys
import threading

VARIANTS = ["shogi", "janggi", "janggicasual", "janggitraditional", "janggimodern"]
LONGEST = 300
PATIENCE = 120


class Engine:
    def __init__(self, path, variant):
        self.name = path
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.lines = queue.Queue()
        threading.Thread(target=self.read, daemon=True).start()
        for line in ["xboard", "protover 2", "new", f"variant {variant}", "memory 16", "easy"]:
            self.send(line)
        self.send("force")

    def read(self):
        for line in self.process.stdout:
            self.lines.put(line.strip())

    def send(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def answer(self, words):
        """Waits for a line that begins with one of the words, and returns it."""
        while True:
            try:
                line = self.lines.get(timeout=PATIENCE)
            except queue.Empty:
                raise SystemExit(f"{self.name} does not answer") from None
            if line.startswith(tuple(words)):
                return line

    def settle(self):
        """Returns the error messages about the commands so far."""
        self.send("ping 1")
        out = []
        while True:
            line = self.answer(["pong", "Illegal", "Error"])
            if line.startswith("pong"):
                return out
            out.append(line)


RESULTS = ["1-0", "0-1", "1/2-1/2"]


def play(engines, rng, plies):
    """Plays a game; returns the moves and how it ended."""
    moves = []
    while len(moves) < LONGEST:
        mover, other = engines[len(moves) % 2], engines[1 - len(moves) % 2]
        if len(moves) < plies:
            ours = engines[0] if engines[0].name == sys.argv[1] else engines[1]
            ours.send("moves")
            words = ours.answer([str(n) for n in range(1, 600)]).split()
            if len(words) < 3:
                return moves, "opening"
            mv = rng.choice(words[2:])
            mover.send(f"usermove {mv}")
        else:
            mover.send("st 1")
            mover.send("sd 3")
            mover.send("go")
            line = mover.answer(["move ", "resign", *RESULTS])
            mover.send("force")
            if not line.startswith("move "):
                return moves, line
            mv = line.split()[1]
        other.send(f"usermove {mv}")
        moves.append(mv)
        for engine in engines:
            complaints = engine.settle()
            if complaints and mv == "@@@@" and engine.name != sys.argv[1]:
                return moves, "pass"
            if complaints:
                return moves, f"{engine.name}: {complaints[0]}"
    return moves, "too long"


def main():
    games = int(sys.argv[3]) if len(sys.argv) > 3 else 4
    wrong = 0
    for variant in VARIANTS:
        rng = random.Random(variant)
        ends = {}
        for number in range(games):
            engines = [Engine(path, variant) for path in sys.argv[1:3]]
            if number % 2:
                engines.reverse()
            moves, end = play(engines, rng, 6)
            for engine in engines:
                engine.send("quit")
            if "Illegal" in end or "Error" in end:
                wrong += 1
                print(f"{variant}: {end} after {' '.join(moves)}", flush=True)
            ends[end.split("{")[0].strip()] = ends.get(end.split("{")[0].strip(), 0) + 1
        print(f"{variant}: {games} games, {ends}", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
