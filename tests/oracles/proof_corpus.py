"""Writes proofs of random endings with `sanban mate --proof` and verifies them with proof_checker.py. Prints the sizes
of the proofs by claim.

    pip install cshogi
    python3 tests/oracles/proof_corpus.py target/release/sanban [--count 500] [--seed N] [--nodes N] [--games FILE…]
    python3 tests/oracles/proof_corpus.py target/release/sanban --check [--problems tests/data/mates.tsv] [--mutations 1000]

Half of the endings are random placements around a king; with --games (files of `sanban convert --to usi`), the others
are positions from the last plies of these games. With --problems, the positions are those of the file. With --check, the
proofs are those of the verdicts of `sanban mate --check --proof`.

With --mutations, lines of random proofs are changed, deleted, swapped or repeated, and the checker must refuse every
file with a wrong claim. An accepted claim is right if it is the claim of the original file, if it follows from that (a
mate in at most more plies, the exact length of a problem), or if sanban finds it by itself.
"""

import argparse
import collections
import contextlib
import io
import json
import os
import random
import re
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


def is_verified(path):
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            proof_checker.verify(path)
    except SystemExit:
        return False
    return True


def changed(line, choice, lines):
    """Returns a line with one change."""
    fields = line.split("\t")
    kind = choice.randrange(4)
    at = choice.randrange(len(fields))
    other = choice.choice(lines).split("\t")
    if kind == 0:
        # A number: plies, empty squares or pieces in hand.
        numbers = list(re.finditer(r"\d+", line)) or [None]
        found = choice.choice(numbers)
        number = max(1, int(found.group()) + choice.choice([-2, -1, 1, 2])) if found else ""
        return f"{line[:found.start()]}{number}{line[found.end():]}" if found else line[1:]
    if kind == 1:
        # A word of a field: a move, a hand, or whether it is empty.
        words = fields[at].split(" ")
        words[choice.randrange(len(words))] = choice.choice(" ".join(other).split())
        fields[at] = " ".join(words)
    elif kind == 2:
        fields[at] = choice.choice(other)
    else:
        # One character, among those that such lines have.
        at = choice.randrange(len(line)) if line else 0
        return line[:at] + choice.choice(line or " ") + line[at + 1 :]
    return "\t".join(fields)


def mutated(lines, choice):
    lines = list(lines)
    kind, at = choice.randrange(8), choice.randrange(2, len(lines))
    if kind == 0:
        del lines[at]
    elif kind == 1:
        lines[at] = choice.choice(lines[2:])
    elif kind == 2:
        other = choice.randrange(2, len(lines))
        lines[at], lines[other] = lines[other], lines[at]
    elif kind == 3:
        words = lines[1].split(" ")
        words[0] = choice.choice(["mate", "exact", "sound", "leftover", "cooked"])
        lines[1] = " ".join(words)
    elif kind == 4:
        lines[1] = changed(lines[1], choice, lines[1:])
    else:
        lines[at] = changed(lines[at], choice, lines[1:])
    return lines


def is_right(program, claim, original):
    """Returns whether an accepted claim is right."""
    if claim == original:
        return True
    kind, rest = claim.split(" ", 1)
    plies, sfen = (0, rest) if kind == "nomate" else rest.split(" ", 1)
    own = original.split(" ", 2)
    if kind == "mate" and own[0] == "mate" and own[2] == sfen and int(own[1]) <= int(plies):
        return True
    if kind == "exact" and own[0] in ("sound", "leftover", "cooked") and own[1:] == [plies, sfen]:
        return True
    options = ["--shortest"] if kind == "mate" else [] if kind == "nomate" else ["--check"]
    command = [program, "mate", "--json", "--nodes", "2000000", *options, f"{sfen} 1"]
    report = json.loads(subprocess.run(command, capture_output=True, check=False, text=True).stdout)
    if kind == "mate":
        return report["result"] == "mate" and len(report["moves"]) <= int(plies)
    is_exact = report.get("at_least") == report.get("at_most") == int(plies)
    return kind == "exact" and is_exact or report["result"] == kind and (kind == "nomate" or is_exact)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--nodes", type=int, default=300_000)
    parser.add_argument("--games", nargs="*", default=[])
    parser.add_argument("--problems")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--mutations", type=int, default=0)
    args = parser.parse_args()
    choice = random.Random(args.seed)
    proofs, unsolved, failed = [], collections.Counter(), 0

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "proof")

        def prove(sfen):
            options = ["--check"] if args.check else []
            command = [args.program, "mate", "--hash", "16", "--nodes", str(args.nodes), *options, "--proof", path, sfen]
            out = subprocess.run(command, capture_output=True, check=False, text=True).stdout
            if not os.path.exists(path):
                unsolved[out.split("\n")[0].split("\t")[1]] += 1
                return 0
            with open(path, encoding="ascii") as file:
                proofs.append(file.read().splitlines())
            if not is_verified(path):
                print(f"not verified: {sfen}: {proofs.pop()[1]}")
                return 1
            os.remove(path)
            return 0

        if args.problems:
            with open(args.problems, encoding="utf-8") as file:
                sfens = [line.split("\t")[0] for line in file if line.strip() and not line.startswith("#")]
            failed += sum(map(prove, sfens))
        else:
            sources = [at_random(choice)] + ([from_games(args.games, choice)] if args.games else [])
            tried = 0
            while len(proofs) < args.count:
                failed += prove(next(sources[tried % len(sources)]))
                tried += 1
        for claim in sorted({lines[1].split(" ")[0] for lines in proofs}):
            own = [lines for lines in proofs if lines[1].startswith(f"{claim} ")]
            sizes = [len(lines) - 2 for lines in own]
            size = sum(len(line) + 1 for lines in own for line in lines) / max(1, sum(sizes))
            kinds = collections.Counter(line.split("\t")[0] for lines in own for line in lines[2:])
            kinds = {kind: n for kind, n in kinds.items() if kind.isalpha()}
            print(f"{claim}: {len(own)} proofs, {sum(sizes)} lines, at most {max(sizes)}, {size:.0f} bytes each {kinds}")
        print(f"no proof with {args.nodes} nodes: {dict(unsolved)}")
        tally = collections.Counter()
        small = [lines for lines in proofs if 3 < len(lines) < 1000]
        while sum(tally.values()) < args.mutations:
            lines = choice.choice(small)
            new = mutated(lines, choice)
            if new == lines:
                continue
            with open(path, "w", encoding="ascii") as file:
                file.write("\n".join(new) + "\n")
            if not is_verified(path):
                tally["refused"] += 1
            elif is_right(args.program, new[1], lines[1]):
                tally["accepted, claim right"] += 1
            else:
                tally["accepted, claim wrong"] += 1
                print(f"wrongly accepted: {new[1]} (was {lines[1]})")
        print(f"mutations: {dict(tally)}")
    raise SystemExit(bool(failed or tally["accepted, claim wrong"]))


if __name__ == "__main__":
    main()
