"""Plays 40 games each of shogi and Janggi against Fairy-Stockfish by `sanban match`, with pyffish as the referee.

A filter swallows `usi`, so that the match must find that the engine speaks UCI. Every move, the legal moves of every
position and every end are compared, in shogi with cshogi as well, and faults of either engine are failures. LIMITS (default: `nodes 500`) are those
of `sanban match --go`, and GAMES is the number of games.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import hosts

FILTER = """
import subprocess, sys
engine = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, text=True)
for line in sys.stdin:
    if line.strip() != "usi":
        engine.stdin.write(line)
        engine.stdin.flush()
"""


def play():
    version, sanban = hosts.apt("fairy-stockfish", "fairy-stockfish"), hosts.engine()
    hosts.pip("pyffish", "cshogi")
    import referee

    done = []
    # The rules of `janggi` for passes and facing generals differ from those of Fairy-Stockfish.
    for game in sys.argv[1:] or ("shogi", "janggicasual"):
        oracle = referee.VARIANTS[game][2]
        with tempfile.TemporaryDirectory() as folder:
            script, out = Path(folder) / "filter.py", Path(folder) / "games"
            script.write_text(FILTER)
            opponent = f"{sys.executable} {script} fairy-stockfish"
            command = [sanban, "match", "-", opponent, "--game", game, "--out", out]
            command += ["--games", os.environ.get("GAMES", "40"), "--go", os.environ.get("LIMITS", "nodes 500")]
            run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            if run.returncode:
                raise hosts.Failed(f"{game}: {run.stdout.strip().splitlines()[-1]}")
            records = [json.loads(line) for line in out.read_text().splitlines()[1:]]
        engine, judge = referee.Engine(sanban, {"USI_Variant": game}), referee.Referee()
        start, reasons = engine.start(), {}
        for record in records:
            reasons[record["reason"]] = reasons.get(record["reason"], 0) + 1
            referee.played_game(judge, engine, oracle, start, record)
            moves = [*record["opening"].split()[2:], *record["moves"]]
            if game == "shogi":
                sign = {"win": 1, "draw": 0, "loss": -1}[record["result"]] * (1 if record["black"] == "a" else -1)
                hosts.judge("shogi", [hosts.from_usi(move) for move in moves], sign)
        engine.close()
        faults = {"time", "illegal-move", "crash", "hang"} & set(reasons)
        if judge.differences or faults:
            raise hosts.Failed(f"{game}: {judge.differences} differences from the referee; {reasons}")
        ends = ", ".join(f"{count} {reason}" for reason, count in sorted(reasons.items()))
        done.append(f"{game}: {len(records)} games, {judge.positions} positions equal to those of the referee; {ends}")
    return version, "; ".join(done)


hosts.main("Fairy-Stockfish", play)
