"""Plays timed games of shogi against another engine on a busy machine and counts the late moves of both.

    apt-get install fairy-stockfish; pip install cshogi
    python3 tests/hostile/timed_games.py target/release/sanban /usr/games/fairy-stockfish [--games 100] [--busy 2] [--log FILE]

For every time control (0.5 s + 0.05 s, byoyomi of 50 ms, 5 s sudden death), `--games` games are played one at a time
from random openings, each opening once with either colour, while `--busy` processes compute without a pause. A move
that arrives after the time has run out is late; there is no tolerance. It loses the game, except under byoyomi, where
every move has a separate time and the game continues. If allowed (as root), the referee runs at a higher priority than
the engines, so that its delays are not counted as theirs. The exit code is 1 if the first engine has more late moves
than the second, or if its latest move is later.
"""

import argparse
import json
import os
import random
import select
import subprocess
import sys
import time

import cshogi

# By name: main time, increment and byoyomi, in milliseconds.
CONTROLS = {"0.5 s + 0.05 s": (500, 50, 0), "byoyomi 50 ms": (0, 0, 50), "5 s": (5000, 0, 0)}
OPENING = 6
LONGEST = 320
# An engine that exceeds its time by more than this many seconds is considered to hang.
PATIENCE = 20


class Engine:
    def __init__(self, command, nice):
        self.process = subprocess.Popen(
            command.split(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            preexec_fn=lambda: os.setpriority(os.PRIO_PROCESS, 0, nice),
        )
        self.buffer = b""
        self.name = command
        self.send("usi")
        options = self.until("usiok", 30)
        hash_option = "USI_Hash" if any("name USI_Hash " in line for line in options) else "Hash"
        self.send(f"setoption name {hash_option} value 16", "setoption name Threads value 1")
        self.ready()

    def send(self, *lines):
        self.process.stdin.write("".join(line + "\n" for line in lines).encode())
        self.process.stdin.flush()

    def until(self, word, seconds):
        """Returns the lines up to the one that begins with this word."""
        lines, deadline = [], time.monotonic() + seconds
        while True:
            while b"\n" in self.buffer:
                line, self.buffer = self.buffer.split(b"\n", 1)
                lines.append(line.decode().strip())
                if lines[-1].split(" ")[0] == word:
                    return lines
            if not select.select([self.process.stdout], [], [], max(0, deadline - time.monotonic()))[0]:
                sys.exit(f"{self.name}: no {word} within {seconds} s")
            read = os.read(self.process.stdout.fileno(), 1 << 16)
            if not read:
                sys.exit(f"{self.name} has exited")
            self.buffer += read

    def ready(self):
        self.send("usinewgame", "isready")
        self.until("readyok", 30)


def play(players, opening, control):
    """Plays one game; `players` has black first. Returns the winner (0, 1 or None), the reason, and for every move its
    player, its time in seconds, and the time left on the clock after it (negative if late).
    """
    main, increment, byoyomi = (milliseconds / 1000 for milliseconds in control)
    board, moves, left, log = cshogi.Board(), list(opening), [main, main], []
    for move in moves:
        board.push_usi(move)
    for player in players:
        player.ready()
    while len(moves) < LONGEST:
        side = len(moves) % 2
        if board.is_game_over():
            return 1 - side, "mate", log
        if board.is_draw() != cshogi.NOT_REPETITION:
            return None, "repetition", log
        left[side] += increment
        clock = " ".join(f"{name} {int(1000 * value)}" for name, value in zip(("btime", "wtime"), left))
        if increment:
            clock += f" binc {int(1000 * increment)} winc {int(1000 * increment)}"
        if byoyomi or not increment:
            clock += f" byoyomi {int(1000 * byoyomi)}"
        engine = players[side]
        begin = time.monotonic()
        engine.send(f"position startpos moves {' '.join(moves)}", f"go {clock}")
        answer = engine.until("bestmove", left[side] + byoyomi + PATIENCE)[-1]
        took = time.monotonic() - begin
        over = left[side] + byoyomi - took
        log.append((side, took, over))
        if over < 0 and not byoyomi:
            return 1 - side, "time", log
        left[side] = max(0.0, left[side] - took)
        move = answer.split()[1]
        if move == "resign":
            return 1 - side, "resign", log
        if move == "win":
            return side, "declaration", log
        if not board.is_legal(board.move_from_usi(move)):
            sys.exit(f"{engine.name}: {move} is illegal after {' '.join(moves)}")
        board.push_usi(move)
        moves.append(move)
    return None, "length", log


def opening(choice):
    board, moves = cshogi.Board(), []
    while len(moves) < OPENING:
        move = choice.choice(sorted(board.legal_moves))
        board.push(move)
        moves.append(cshogi.move_to_usi(move))
    return moves


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("engine")
    parser.add_argument("opponent")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--busy", type=int, default=2)
    parser.add_argument("--only", choices=CONTROLS, action="append")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--log", help="file for one line of JSON per game")
    args = parser.parse_args()
    usual = os.getpriority(os.PRIO_PROCESS, 0)
    try:
        os.setpriority(os.PRIO_PROCESS, 0, usual - 10)
    except PermissionError:
        print("the referee runs at the priority of the engines: its delays count as theirs", flush=True)
    engines = [Engine(args.engine, usual), Engine(args.opponent, usual)]
    load = [
        subprocess.Popen(
            [sys.executable, "-c", "while True: pass"],
            preexec_fn=lambda: os.setpriority(os.PRIO_PROCESS, 0, usual),
        )
        for _ in range(args.busy)
    ]
    log = open(args.log, "w") if args.log else None
    total, worst = [0, 0], [0.0, 0.0]
    try:
        for control in args.only or CONTROLS:
            choice, score = random.Random(args.seed), [0, 0, 0]
            late, most, least, moves = [0, 0], [0.0, 0.0], [float("inf")] * 2, [0, 0]
            for number in range(args.games):
                if number % 2 == 0:
                    first = opening(choice)
                swap = number % 2
                players = engines[::-1] if swap else engines
                winner, reason, timing = play(players, first, CONTROLS[control])
                score[2 if winner is None else winner ^ swap] += 1
                for side, took, over in timing:
                    who = side ^ swap
                    moves[who] += 1
                    late[who] += over < 0
                    most[who] = max(most[who], -over)
                    least[who] = min(least[who], over)
                if log:
                    entry = {"control": control, "black": swap, "winner": winner, "reason": reason, "timing": timing}
                    log.write(json.dumps(entry) + "\n")
                    log.flush()
            for who in range(2):
                total[who] += late[who]
                worst[who] = max(worst[who], most[who])
                print(
                    f"{control:15} {engines[who].name}: {late[who]} of {moves[who]} moves late"
                    + (f", the latest by {1000 * most[who]:.1f} ms" if late[who] else "")
                    + f"; least time left {1000 * least[who]:.1f} ms; {score[who]} games won",
                    flush=True,
                )
    finally:
        for process in load:
            process.kill()
    for engine in engines:
        engine.send("quit")
    sys.exit(total[0] > total[1] or worst[0] > worst[1])


if __name__ == "__main__":
    main()
