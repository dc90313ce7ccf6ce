"""Plays 40 games each of shogi and Janggi against Fairy-Stockfish by `sanban match`, with pyffish as the referee.

A filter swallows `usi`, so that the match must find that the engine speaks UCI. Every move, the legal moves of every
position and every end are compared, in shogi with cshogi as well, and faults of either engine are failures. LIMITS
(default: `nodes 500`) are those of `sanban match --go`, GAMES is the number of games, and MATCH further options.
"""

import json
import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

import hosts

FAULTS = {"time", "illegal-move", "crash", "hang"}
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

    done, games = [], os.environ.get("GAMES", "40")
    # The rules of `janggi` for passes and facing generals differ from those of Fairy-Stockfish.
    for game in sys.argv[1:] or ("shogi", "janggicasual"):
        oracle = referee.VARIANTS[game][2]
        with tempfile.TemporaryDirectory() as folder:
            script, out = Path(folder) / "filter.py", Path(folder) / "games"
            script.write_text(FILTER)
            opponent = f"{sys.executable} {script} fairy-stockfish"
            command = [sanban, "match", "-", opponent, "--game", game, "--out", out, "--recover", "--games", games]
            command += ["--go", os.environ.get("LIMITS", "nodes 500"), *shlex.split(os.environ.get("MATCH", ""))]
            run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            records = [json.loads(line) for line in out.read_text().splitlines()[1:]] if out.exists() else []
            if len(records) != int(games):
                raise hosts.Failed(f"{game}: {len(records)} games: {run.stdout.strip().splitlines()[-1]}")
        engine, judge = referee.Engine(sanban, {"USI_Variant": game}), referee.Referee()
        start, reasons, faults = engine.start(), {}, []
        for record in records:
            reasons[record["reason"]] = reasons.get(record["reason"], 0) + 1
            if record["reason"] in FAULTS:
                faults.append(f"{record['reason']} by {'Sanban' if record['result'] == 'loss' else 'Fairy-Stockfish'}")
            referee.played_game(judge, engine, oracle, start, record)
            moves = [*record["opening"].split()[2:], *record["moves"]]
            if game == "shogi":
                sign = {"win": 1, "draw": 0, "loss": -1}[record["result"]] * (1 if record["black"] == "a" else -1)
                hosts.judge("shogi", [hosts.from_usi(move) for move in moves], sign)
        engine.close()
        if judge.differences or faults:
            what = f"{judge.differences} differences from the referee; {', '.join(faults) or 'no faults'}; {reasons}"
            raise hosts.Failed(f"{game}: {what}")
        ends = ", ".join(f"{count} {reason}" for reason, count in sorted(reasons.items()))
        done.append(f"{game}: {len(records)} games, {judge.positions} positions equal to those of the referee; {ends}")
    return version, "; ".join(done)


hosts.main("Fairy-Stockfish", play)
