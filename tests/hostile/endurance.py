"""Runs the engine through cycles of ponder, stop, new game, mate and option changes, and watches its memory.

    python3 tests/hostile/endurance.py target/release/sanban [--minutes 30] [--threads 2]

Every command must be answered within ten seconds, and every search exactly once. After a warm-up of a tenth of the time
(at least one cycle through all games), the resident memory must not grow by more than 16 MB, the number of mappings by
more than 8, and the numbers of threads and open files not at all; otherwise the exit code is 1. Linux only: it reads
/proc.
"""

import argparse
import os
import queue
import random
import subprocess
import sys
import threading
import time

GAMES = {
    "shogi": ["7g7f", "3c3d", "2g2f", "8c8d"],
    "janggi": ["7g8g", "5b5c", "9j9i"],
    "janggicasual": ["5i5i", "9a9b"],
    "janggitraditional": ["7g8g", "5b5c", "9j9i"],
    "janggimodern": ["7g8g", "5b5c"],
    "dobutsu": ["2c2b", "3a2b"],
    "dobutsumate": ["2c2b"],
}
MATE = "position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1"
HARD = "position sfen gns1p1+NG1/l3ks3/pp5+R1/9/1P+b2P3/8S/1KLPP2PP/2LBS3+p/1+l3GPN1 b RN5Pg2p 127"


class Engine:
    def __init__(self, path):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.lines = queue.Queue()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            self.lines.put(line.rstrip("\n"))

    def send(self, *lines):
        self.process.stdin.write("".join(line + "\n" for line in lines))
        self.process.stdin.flush()

    def until(self, word):
        """Waits for a line that begins with this word; no other answer may come before it."""
        deadline = time.monotonic() + 10
        while True:
            try:
                line = self.lines.get(timeout=max(0.01, deadline - time.monotonic()))
            except queue.Empty:
                sys.exit(f"no {word} within ten seconds")
            if line.startswith(word):
                return line
            if line.startswith(("bestmove", "checkmate")):
                sys.exit(f"{line!r} instead of {word}")

    def usage(self):
        """Returns the resident memory in kB and the numbers of threads, open files and mappings."""
        folder = f"/proc/{self.process.pid}"
        with open(f"{folder}/status") as file:
            fields = dict(line.split(":", 1) for line in file)
        with open(f"{folder}/maps") as file:
            maps = sum(1 for _ in file)
        return int(fields["VmRSS"].split()[0]), int(fields["Threads"]), len(os.listdir(f"{folder}/fd")), maps


def cycle(engine, choice, game, moves):
    """Starts a new game and runs searches of every kind, each of which ends in a different way."""
    pause = lambda: time.sleep(choice.uniform(0, 0.05))
    engine.send(f"setoption name USI_Variant value {game}", "usinewgame", "isready")
    engine.until("readyok")
    played = "position startpos moves " + " ".join(moves[: choice.randrange(len(moves) + 1)])
    engine.send(played, "go nodes 3000")
    engine.until("bestmove")
    engine.send(played, "go ponder btime 1000 wtime 1000 byoyomi 100")
    pause()
    engine.send(choice.choice(["ponderhit", "ponderhit btime 500 wtime 500", "stop"]))
    engine.until("bestmove")
    engine.send(played, "go infinite")
    pause()
    engine.send("stop")
    engine.until("bestmove")
    engine.send("setoption name Stochastic_Ponder value true", played, "go ponder byoyomi 50")
    pause()
    engine.send("ponderhit")
    engine.until("bestmove")
    engine.send("setoption name Stochastic_Ponder value false", f"setoption name MultiPV value {choice.randint(1, 9)}")
    engine.send(played, "go movetime 20.5")
    engine.until("bestmove")
    if game == "shogi":
        engine.send(MATE, "go mate infinite")
        engine.until("checkmate G*5b")
        engine.send(HARD, "go mate infinite")
        pause()
        engine.send("stop")
        engine.until("checkmate")
        engine.send("go mate 30")
        engine.until("checkmate")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("engine")
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()
    engine, choice = Engine(args.engine), random.Random(1)
    engine.send("usi")
    engine.until("usiok")
    engine.send("setoption name USI_Hash value 64", f"setoption name Threads value {args.threads}")
    begin, rounds, first, shown = time.monotonic(), 0, None, 0.0
    while (spent := time.monotonic() - begin) < 60 * args.minutes or first is None:
        for game, moves in GAMES.items():
            cycle(engine, choice, game, moves)
        rounds += 1
        # Waits for an answer, so that no search is running when memory is measured.
        engine.send("setoption name MultiPV value 1", "isready")
        engine.until("readyok")
        if first is None and spent >= 6 * args.minutes:
            first = engine.usage()
        if spent - shown >= 30:
            shown = spent
            print(f"{spent:5.0f} s: {rounds} rounds, {engine.usage()} (kB, threads, files, mappings)", flush=True)
    last = engine.usage()
    engine.send("quit")
    if engine.process.wait(timeout=10) != 0:
        sys.exit("the engine failed")
    print(f"{rounds} rounds of {len(GAMES)} games; after the warm-up {first}, at the end {last}")
    if last[0] > first[0] + 16_384 or last[1] > first[1] or last[2] > first[2] or last[3] > first[3] + 8:
        sys.exit("memory, threads, open files or mappings have grown")


if __name__ == "__main__":
    main()
