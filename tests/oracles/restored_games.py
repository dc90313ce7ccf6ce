"""Removes move pairs from games of sanban and measures how well `convert --repair` restores them.

    pip install cshogi
    sanban selfplay --games 100 --nodes 400 --out games
    python3 tests/oracles/restored_games.py target/release/sanban games/*.games [--games 100] [--seed 1]

From every game, 1 to 8 consecutive pairs are removed. The gap is not at the end and contains no random moves (which
self-play marks), because they cannot be restored. For each length of the gap, the script reports how many games are
restored, how often the position after the gap is correct, how many moves marked certain are wrong (each side's moves in
a gap may be in any order), and how many restored games are illegal (this must be 0). --lengths 1,2,3 tests only gaps of
these lengths.
"""

import argparse
import collections
import os
import random
import re
import subprocess
import tempfile
import time

import cshogi


def convert(program, arguments):
    return subprocess.run([program, "convert", *arguments], capture_output=True, text=True)


def games_of(program, files):
    """Returns the moves of each game, and the plies at which self-play chose a random move."""
    out = convert(program, ["--to", "usi", *files]).stdout
    games = [line.split(" moves ")[1].split() for line in out.splitlines() if " moves " in line]
    texts = convert(program, ["--to", "kifu", *files]).stdout.split("#KIF")[1:]
    chance = [{int(ply) for ply in re.findall(r"^ *(\d+) .*\n\*random move", text, flags=re.M)} for text in texts]
    assert len(games) == len(chance)
    return list(zip(games, chance))


def rows_of(program, moves):
    """Returns the move pairs of a game in Western notation, such as `P7f P3d`."""
    line = "startpos moves " + " ".join(moves) + "\n"
    done = subprocess.run(
        [program, "convert", "--from", "usi", "--to", "western", "-"], input=line, capture_output=True, text=True
    )
    text = re.sub(r"\{[^}]*\}|\[[^]]*\]|^#.*$", " ", done.stdout, flags=re.M)
    return re.findall(r"\d+\.\s*([^\d\s.]\S*(?:\s+(?!\d+\.)\S+)?)", text)


def position(moves):
    board = cshogi.Board()
    for mv in moves:
        found = board.move_from_usi(mv)
        if found not in list(board.legal_moves):
            return None
        board.push(found)
    return " ".join(board.sfen().split()[:3])


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("program")
    arguments.add_argument("files", nargs="+")
    arguments.add_argument("--games", type=int, default=100)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--lengths", default="1,2,3,4,5,6,7,8")
    arguments.add_argument("--verbose", action="store_true")
    arguments = arguments.parse_args()
    program = os.path.abspath(arguments.program)
    choice = random.Random(arguments.seed)
    games = [game for game in games_of(program, arguments.files) if len(game[0]) >= 40]
    choice.shuffle(games)
    lengths = [int(length) for length in arguments.lengths.split(",")]
    counts = collections.defaultdict(collections.Counter)
    slowest = 0.0
    with tempfile.TemporaryDirectory() as folder:
        for number, (moves, chance) in enumerate(games[: arguments.games]):
            length = lengths[number % len(lengths)]
            rows = rows_of(program, moves)
            starts = range(len(rows) - length - 2)
            plain = [at for at in starts if not any(2 * at < ply <= 2 * (at + length) for ply in chance)]
            first = choice.choice(plain or starts)
            text = " ".join(
                f"{index + 1}.{row}" for index, row in enumerate(rows) if not first <= index < first + length
            )
            path = os.path.join(folder, f"{number}.txt")
            with open(path, "w") as out:
                out.write(text + "\n")
            count = counts[length]
            count["games"] += 1
            begin = time.monotonic()
            done = convert(program, ["--repair", "--from", "western", "--to", "kifu", path])
            spent = time.monotonic() - begin
            slowest = max(slowest, spent)
            line = subprocess.run(
                [program, "convert", "--to", "usi", "-"], input=done.stdout, capture_output=True, text=True
            ).stdout.strip()
            found = line.split(" moves ")[1].split() if " moves " in line else []
            count["illegal"] += position(found) is None
            whole = len(found) == len(moves)
            count["whole"] += whole
            begins, ends = 2 * first, 2 * (first + length)
            right = whole and position(found[:ends]) == position(moves[:ends])
            count["right"] += right
            marks = re.findall(r"^\s*(\d+) .*\n\*restored: (\w+)", done.stdout, flags=re.M)
            certain = 0
            for ply, mark in marks:
                ply = int(ply) - 1
                count[mark] += 1
                if mark == "certain":
                    certain += 1
                    own = moves[begins + (ply - begins) % 2 : ends : 2]
                    count["certain wrong"] += found[ply] not in own
            if arguments.verbose:
                print(f"{number}: {length} from {first + 1}, whole {whole}, right {right}, {certain} certain, {spent:.1f} s")
                print("   ", " ".join(moves[begins:ends]), "|", " ".join(found[begins:ends]), flush=True)
    for length in sorted(counts):
        count = counts[length]
        print(
            f"{length} pairs: {count['right']} of {count['games']} positions right, {count['whole']} games whole, "
            f"{count['illegal']} illegal; moves: {count['certain']} certain ({count['certain wrong']} wrong), "
            f"{count['likely']} likely, {count['free']} free"
        )
    print(f"slowest game: {slowest:.1f} s")


main()
