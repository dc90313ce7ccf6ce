"""Measures the marks of `sanban convert --repair` on real games with one or two pairs of moves removed.

    python3 tests/oracles/repair_marks.py target/release/sanban RECORDS... [--tasks 180] [--seed 1]

RECORDS are files of games from the standard start position, in any format. From each game, one or two pairs of moves
are removed, in one gap or in two. For each mark, the script reports how many restored moves there are, how many are the
original move of the same ply, and how many are a move of the same gap. It also reports the time of each task.
"""

import argparse
import collections
import random
import re
import subprocess
import time


def convert(program, arguments, text=None):
    command = [program, "convert", *arguments]
    return subprocess.run(command, input=text, capture_output=True, text=True)


def plies(text):
    """The moves of a game in Western notation, each with its mark."""
    text = re.sub(r"\[[^]]*\]|^#.*$", " ", text, flags=re.M)
    tokens = re.findall(r"\{[^}]*\}|[^\s{}]+", text)
    moves = []
    for token in tokens:
        if token.startswith("{"):
            mark = re.match(r"\{restored: (.*)\}", token)
            if mark and moves:
                moves[-1][1] = mark[1]
            continue
        word = re.sub(r"^\d+\.+", "", token)
        if word:
            moves.append([word, None])
    return moves


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("program")
    arguments.add_argument("records", nargs="+")
    arguments.add_argument("--tasks", type=int, default=180)
    arguments.add_argument("--seed", type=int, default=1)
    arguments = arguments.parse_args()
    choice = random.Random(arguments.seed)
    lines = convert(arguments.program, ["--to", "usi", *arguments.records]).stdout.splitlines()
    lines = sorted({line for line in lines if line.startswith("startpos moves ") and len(line.split()) >= 42})
    games = []
    for line in lines:
        text = convert(arguments.program, ["--from", "usi", "--to", "western"], line + "\n").stdout
        games.append([move for move, _ in plies(text)])
    counts = collections.defaultdict(collections.Counter)
    times = []
    for task in range(arguments.tasks):
        game = games[task % len(games)]
        pairs = [game[at : at + 2] for at in range(0, len(game), 2)]
        # Not the last four pairs: nothing after them shows what was played.
        last = len(pairs) - 4
        first = choice.randrange(last)
        kind = task // len(games) % 3
        lost = {first}
        if kind > 0:
            lost.add(first + 1 if kind == 1 else choice.randrange(last))
        rows = [f"{number + 1}.{' '.join(pair)}" for number, pair in enumerate(pairs) if number not in lost]
        begin = time.time()
        done = convert(arguments.program, ["--from", "western", "--repair", "--to", "western"], "#1 " + " ".join(rows) + "\n")
        times.append(time.time() - begin)
        found = plies(done.stdout)
        if len(found) < len(game):
            counts["not restored"]["moves"] += 2 * len(lost)
            continue
        for at, ((word, mark), truth) in enumerate(zip(found, game)):
            if at // 2 not in lost:
                continue
            gap = {game[ply] for ply in range(at % 2, len(game), 2) if ply // 2 in lost and abs(ply - at) <= 2}
            counts[mark]["moves"] += 1
            counts[mark]["right"] += word == truth
            counts[mark]["right in another order"] += word != truth and word in gap
    for mark, count in sorted(counts.items(), key=str):
        print(f"{mark}: {dict(count)}, right {count['right'] / count['moves']:.1%}")
    times.sort()
    print(f"{len(games)} games, seconds a task: median {times[len(times) // 2]:.2f}, maximum {times[-1]:.2f}")


main()
