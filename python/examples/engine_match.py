"""Plays a game against another USI engine: python engine_match.py [PLIES] COMMAND..."""

import subprocess
import sys

import sanban


class Opponent:
    """Another engine, over pipes."""

    def __init__(self, command: list[str]) -> None:
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.ask("usi", "usiok")
        self.ask("isready", "readyok")

    def ask(self, command: str, answer: str) -> str:
        """Sends a command and returns the line that begins with the answer."""
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        for line in self.process.stdout:
            if line.startswith(answer):
                return line.strip()
        raise ConnectionError(f"the engine ended after {command!r}")

    def move(self, position: sanban.Position) -> str:
        return self.ask(f"position {position.usi}\ngo byoyomi 100", "bestmove").split()[1]


plies = int(sys.argv[1]) if sys.argv[1].isdigit() else 400
opponent = Opponent(sys.argv[2:] if sys.argv[1].isdigit() else sys.argv[1:])
engine, position = sanban.Engine(), sanban.Position()
while position.outcome is None and position.ply <= plies:
    if position.side == "black":
        best = engine.search(position, time=0.1).best
        move = "resign" if best is None else best.usi
    else:
        move = opponent.move(position)
    if move in ("resign", "win"):
        print(f"{position.side}: {move}")
        break
    position.push(move)
opponent.process.terminate()
print(sanban.Record(position, headers={"先手": "Sanban", "後手": sys.argv[-1]}).write("kif"))
