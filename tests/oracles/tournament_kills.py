"""Checks that a round robin at fixed nodes, killed and resumed three times, gives the table of an uninterrupted run.

    python tests/oracles/tournament_kills.py target/release/sanban [GAMES]
"""

import json
import os
import random
import subprocess
import sys
import tempfile
import time


def command(program, folder, out, games):
    engines = [
        {"name": f"nodes{nodes}", "command": program, "go": f"nodes {nodes}", "options": {"USI_Hash": 1}}
        for nodes in (20, 40, 80, 160, 320)
    ]
    path = os.path.join(folder, "engines.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"engine": engines}, file)
    words = ["match", "--engines", path, "--games", str(games), "--max-moves", "120", "--concurrency", "2"]
    return [program, *words, "--out", os.path.join(folder, out)]


def table(text):
    """Returns the lines of the output that do not depend on the speed."""
    return [line for line in text.splitlines() if " games" not in line]


def games(folder, name):
    """Returns the parts of the games that do not depend on time."""
    out = set()
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        for line in file.read().splitlines()[1:]:
            game = json.loads(line)
            out.add((str(game["engines"]), game["pair"], game["black"], game["result"], " ".join(game["moves"])))
    return out


def main():
    program = os.path.abspath(sys.argv[1])
    number = int(sys.argv[2]) if len(sys.argv) > 2 else 10
    folder = tempfile.mkdtemp(prefix="kills")
    begin = time.time()
    whole = subprocess.run(command(program, folder, "whole", number), capture_output=True, text=True, check=True)
    length = time.time() - begin
    rng = random.Random(1)
    kills = 0
    while kills < 3:
        child = subprocess.Popen(command(program, folder, "killed", number), stdout=subprocess.PIPE, text=True)
        time.sleep(rng.uniform(0.1, 0.3) * length)
        if child.poll() is not None:
            break
        child.kill()
        child.wait()
        kills += 1
    last = subprocess.run(command(program, folder, "killed", number), capture_output=True, text=True, check=True)
    print(last.stdout)
    same = table(last.stdout) == table(whole.stdout) and games(folder, "killed") == games(folder, "whole")
    print(f"{kills} kills, {len(games(folder, 'whole'))} games: the tables and games are {'equal' if same else 'NOT equal'}")
    return 0 if same and kills == 3 else 1


if __name__ == "__main__":
    sys.exit(main())
