"""Plays a game between two engine processes of ShogiHome, with pondering, and solves a mate with its `goMate`."""

import json
import subprocess

import hosts

MATE = "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1"


def play():
    home, _ = hosts.sources("SHOGIHOME", "https://github.com/sunfish-shogi/shogihome")
    version = json.loads((home / "package.json").read_text())["version"]
    command = [hosts.npm("tsx", "tsx", "encoding-japanese", "tsshogi"), "--tsconfig", home / "tsconfig.json", hosts.HERE / "shogihome.mts"]
    run = subprocess.run([*command, home, hosts.engine(), MATE], capture_output=True, text=True, timeout=900)
    if run.returncode:
        raise hosts.Failed(run.stderr.strip()[-300:])
    game = json.loads(run.stdout)
    if game["solution"] != ["G*5b"]:
        raise hosts.Failed(f"goMate: {game['solution']}")
    # Resignation and declaration are decisions of the side to move.
    result = 0 if game["end"] == "moves" else (1 if len(game["moves"]) % 2 else -1) * (-1 if game["end"] == "win" else 1)
    judged = hosts.judge("shogi", [hosts.from_usi(move) for move in game["moves"]], result)
    return version, f"{game['options']} options; {judged} ({game['end']}); {game['hits']} ponder hits; goMate solved"


hosts.main("ShogiHome", play)
