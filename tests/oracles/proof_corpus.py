"""Writes proofs of random endings with `sanban mate --proof` and verifies them with proof_checker.py. Prints the sizes
of the proofs, separately for mates and for the absence of a mate.

    pip install cshogi
    python3 tests/oracles/proof_corpus.py target/release/sanban [--count 500] [--seed N] [--nodes N] [--games FILE…]

Half of the endings are random placements around a king; with --games (files of `sanban convert --to usi`), the others
are positions from the last plies of these games.
"""

import argparse
import contextlib
import io
import os
import random
import subprocess
import tempfile

import cshogi

import proof_checker
from soundness import is_playable, random_problem, to_sfen


def from_games(files, choice):
    """Yields random positions from the last 20 plies of the games."""
    games = []
    for name in files:
        with open(name, encoding="utf-8") as file:
            games += [line.split() for line in file if "moves" in line]
    while True:
        words = choice.choice(games)
        start, moves = words[: words.index("moves")], words[words.index("moves") + 1 :]
        if len(moves) < 60:
            continue
        board = cshogi.Board()
        if "sfen" in start:
            board.set_sfen(" ".join(start[start.index("sfen") + 1 :]))
        for move in moves[: len(moves) - choice.randrange(1, 20)]:
            board.push_usi(move)
        yield board.sfen()


def at_random(choice):
    while True:
        board, _, ours = random_problem(choice)
        sfen = to_sfen(board, ours)
        if sfen and is_playable(sfen):
            yield sfen


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--nodes", type=int, default=300_000)
    parser.add_argument("--games", nargs="*", default=[])
    args = parser.parse_args()
    choice = random.Random(args.seed)
    sources = [at_random(choice)] + ([from_games(args.games, choice)] if args.games else [])
    done = {"mate": [], "nomate": []}
    tried = unsolved = 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "proof")
        while sum(map(len, done.values())) < args.count:
            sfen = next(sources[tried % len(sources)])
            tried += 1
            command = [args.program, "mate", "--hash", "16", "--nodes", str(args.nodes), "--proof", path, sfen]
            subprocess.run(command, capture_output=True, check=False)
            if not os.path.exists(path):
                unsolved += 1
                continue
            with contextlib.redirect_stdout(io.StringIO()):
                proof_checker.verify(path)
            with open(path, encoding="ascii") as file:
                lines = file.read().splitlines()
            done[lines[1].split(" ", 1)[0]].append((len(lines) - 2, os.path.getsize(path)))
            os.remove(path)
    print(f"{sum(map(len, done.values()))} proofs verified, {unsolved} not solved in {args.nodes} nodes")
    for claim, sizes in done.items():
        if sizes:
            nodes, size = (sum(column) for column in zip(*sizes))
            largest = max(sizes)[0]
            print(f"{claim}: {len(sizes)} proofs, {nodes} positions, at most {largest}, {size / nodes:.0f} bytes each")


if __name__ == "__main__":
    main()
