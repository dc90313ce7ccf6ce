"""Checks the lessons of the board: that what they claim is so.

    python tests/oracles/lessons.py target/release/sanban [DOBUTSU_TABLE]

Needs Node.js, which reads `web/lessons.js`. Every move of a solution must be legal. Where a move has to be found, the
engine must rank the learner's moves first, MARGIN percentage points of winning chance or a mate ahead of the second
best, or the solver must find that the move is a brinkmate. In Dobutsu shogi, with a table, it must win. Closing games
must not be lost for the learner.
"""

import json
import math
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NODES = 60_000
MARGIN = 5


class Engine:
    def __init__(self, path, game):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.ask(f"usi\nsetoption name USI_Variant value {game}\nsetoption name USI_OwnBook value false", "usiok")
        self.ask("setoption name MultiPV value 2\nisready", "readyok")

    def ask(self, question, answer):
        self.process.stdin.write(question + "\n")
        self.process.stdin.flush()
        lines = []
        while True:
            line = self.process.stdout.readline()
            if not line:
                sys.exit("the engine has exited")
            lines.append(line.rstrip("\n"))
            if line.startswith(answer):
                return lines

    def search(self, sfen, moves, nodes=NODES):
        """The best two lines: `(move, winning chance in per cent)`; `None` if the position or a move is not legal."""
        place = f"sfen {sfen}" if sfen else "startpos"
        lines = self.ask(f"usinewgame\nposition {place} moves {' '.join(moves)}\ngo nodes {nodes}", "bestmove")
        if any("no valid position" in line for line in lines):
            return None
        found = {}
        for words in (line.split() for line in lines if " multipv " in line and " pv " in line):
            kind, value = words[words.index("score") + 1 : words.index("score") + 3]
            # A shorter mate is better.
            mate = 200 - min(99, abs(int(value.lstrip("+-") or 0))) if kind == "mate" else None
            chance = (-mate if "-" in value else mate) if mate else 100 / (1 + math.exp(-int(value) / 600))
            found[int(words[words.index("multipv") + 1])] = (words[words.index("pv") + 1], chance)
        return [found[n] for n in sorted(found)]


def is_brinkmate(path, sfen, move):
    command = [path, "mate", "--brink", "1", sfen]
    return f"brink 1 {move}" in subprocess.run(command, capture_output=True, text=True, check=False).stdout


def probe(path, table, sfen, moves):
    place = f"{sfen or 'startpos'} moves {' '.join(moves)}" if moves else sfen or "startpos"
    command = [path, "probe", "--game", "dobutsu", "--table", table, place]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split("\t")[-1].split()[0]


def main():
    path, table = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None
    read = 'import("./web/lessons.js").then(({ LESSONS }) => console.log(JSON.stringify(LESSONS)))'
    lessons = json.loads(subprocess.run(["node", "-e", read], capture_output=True, text=True, check=True, cwd=ROOT).stdout)
    engines, faults, checked = {}, [], 0
    for kind, of_kind in lessons.items():
        for lesson in of_kind:
            for number, step in enumerate(lesson["steps"], 1):
                game, goal, sfen = step.get("game", kind), step["goal"], step["sfen"]
                engine = engines.setdefault(game, Engine(path, game))
                name = f"{lesson['id']} {number}"
                solution = [] if "take" in goal or "refused" in goal or "declare" in step["solve"] else step["solve"]
                if "pass" in solution:
                    continue
                checked += 1
                if engine.search(sfen, solution, 1) is None:
                    faults.append(f"{name}: not legal")
                elif "plays" in goal:
                    chance = engine.search(sfen, [])[0][1]
                    if sfen and " w " in sfen:
                        chance = 100 - chance
                    if chance < 35:
                        faults.append(f"{name}: the learner's chance is {chance:.0f} %")
                elif "find" in goal:
                    for ply in range(0, len(solution), 2):
                        before, move = solution[:ply], solution[ply]
                        if kind == "dobutsu" and table:
                            if probe(path, table, sfen, [*before, move]) != "loss":
                                faults.append(f"{name}: {move} does not win")
                            continue
                        first, *second = engine.search(sfen, before)
                        lead = first[1] - second[0][1] if second else 100
                        # Of mates, the shortest is asked for.
                        clear = first[0] == move and (lead >= MARGIN or first[1] > 100 and lead > 0)
                        if not clear and not (ply == 0 and is_brinkmate(path, sfen, move)):
                            faults.append(f"{name}: {move}, but {first} before {second}")
    print(*faults, sep="\n")
    print(f"{checked} steps checked, {len(faults)} faults")
    sys.exit(bool(faults))


main()
