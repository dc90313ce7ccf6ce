"""Searches for a while and prints every line as it is found: python search_callback.py [SECONDS]"""

import sys

import sanban


def show(line: sanban.Line) -> None:
    score = f"mate in {line.mate}" if line.mate is not None else f"{line.score} cp"
    print(f"depth {line.depth:2}  {score:>10}  {' '.join(map(str, line.pv[:6]))}")


seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
outcome = sanban.Engine().search(sanban.Position(), time=seconds, on_line=show)
print("best move:", outcome.best)
