"""Solves brinkmate problems with `sanban mate --brink` and verifies every answer with the rules of cshogi.

    pip install cshogi
    python3 tests/oracles/brink_checker.py target/release/sanban [FILE] [--plies N] [--seconds S]

FILE has one problem per line, with its SFEN before the first tab (default: tests/data/brinks.tsv). Every legal defence
must be listed with its answer. A mate is verified by an exhaustive search to its length or, if that takes too long, by
a proof written with `sanban mate --proof` and verified by proof_checker.py. The script prints the processor time of
each problem, and the number of problems solved within --seconds of processor time.
"""

import argparse
import contextlib
import io
import os
import resource
import subprocess
import tempfile

import cshogi

import proof_checker
from soundness import Mates, TooLarge

LIMIT = 5_000


class Refuted(Exception):
    pass


def seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


class Checker:
    def __init__(self, program, folder):
        self.program = program
        self.path = os.path.join(folder, "proof")
        self.mates = 0

    def verify_mate(self, board, plies):
        self.mates += 1
        with contextlib.suppress(TooLarge):
            if Mates(LIMIT).within(board.copy(), plies):
                return
        # The mate is longer than stated because of futile interpositions, or the search is too large.
        command = [self.program, "mate", "--hash", "16", "--proof", self.path, board.sfen()]
        out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        if "\tmate\t" not in out:
            raise Refuted(f"no mate: {board.sfen()}")
        with contextlib.redirect_stdout(io.StringIO()):
            proof_checker.verify(self.path)
        os.remove(self.path)

    def verify(self, board, move, lines, depth):
        """Verifies the lines of one depth and removes them from the list."""
        if board.move_from_usi(move) not in list(board.legal_moves):
            raise Refuted(f"{move} is not legal: {board.sfen()}")
        board.push_usi(move)
        left = {cshogi.move_to_usi(reply) for reply in board.legal_moves}
        if not left:
            raise Refuted(f"no defences: {board.sfen()}")
        while lines and len(lines[0]) - len(lines[0].lstrip()) == 2 * depth:
            reply, answer = lines.pop(0).strip().split("\t")
            left.remove(reply)
            kind, plies, first = answer.split(" ")[:3]
            board.push_usi(reply)
            if kind == "mate":
                self.verify_mate(board, int(plies))
            else:
                self.verify(board, first, lines, depth + 1)
            board.pop()
        if left:
            raise Refuted(f"no answers to {sorted(left)}: {board.sfen()}")
        board.pop()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("file", nargs="?", default=os.path.join(os.path.dirname(__file__), "../data/brinks.tsv"))
    parser.add_argument("--plies", type=int, default=9)
    parser.add_argument("--seconds", type=float, default=10)
    args = parser.parse_args()
    with open(args.file, encoding="utf-8") as file:
        problems = [line.split("\t")[0].strip() for line in file if line.strip() and not line.startswith("#")]
    solved = false = 0
    with tempfile.TemporaryDirectory() as folder:
        checker = Checker(args.program, folder)
        for sfen in problems:
            before = seconds()
            command = [args.program, "mate", "--brink", str(args.plies), sfen]
            limit = ["prlimit", f"--cpu={int(args.seconds)}"]
            lines = subprocess.run(limit + command, capture_output=True, text=True, check=False).stdout.splitlines()
            taken = seconds() - before
            answer = lines[0].split("\t")[1] if lines else "timeout"
            if answer.startswith("brink"):
                try:
                    checker.verify(cshogi.Board(sfen=sfen), answer.split(" ")[2], lines[1:], 1)
                    solved += taken <= args.seconds
                except Refuted as error:
                    false += 1
                    answer += f" FALSE: {error}"
            print(f"{taken:6.1f} s\t{answer}\t{sfen}", flush=True)
    print(f"{solved} of {len(problems)} solved, {checker.mates} mates verified, {false} false")
    raise SystemExit(bool(false))


if __name__ == "__main__":
    main()
