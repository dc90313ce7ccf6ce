"""Compares the speed of this package with that of cshogi and pyffish, in processor time.

`python benches/speed.py` prints a table; each row shows the best of several interleaved rounds.
"""

from __future__ import annotations

import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable

import cshogi
import numpy as np
import pyffish

import sanban

ROUNDS = 5
POSITIONS = 1000


def games() -> list[list[str]]:
    """Returns the moves of random games in USI."""
    rng, out = random.Random(1), []
    while sum(map(len, out)) < POSITIONS:
        position = sanban.Position()
        while len(position.moves) < 80 and position.outcome is None:
            position.push(rng.choice(position.legal_moves))
        out.append([move.usi for move in position.moves])
    return out


def positions(all_games: list[list[str]]) -> list[str]:
    """Returns the positions of the games as SFENs."""
    out = []
    for moves in all_games:
        position = sanban.Position()
        for move in moves:
            out.append(position.sfen)
            position.push(move)
    return out[:POSITIONS]


def best(
    contestants: dict[str, Callable[[], object]],
    clock: Callable[[], float] = time.process_time,
    rounds: int = ROUNDS,
) -> dict[str, float]:
    """Returns the shortest time of each function, in seconds."""
    times = {name: float("inf") for name in contestants}
    for _ in range(rounds):
        for name, function in contestants.items():
            begin = clock()
            function()
            times[name] = min(times[name], clock() - begin)
    return times


def row(what: str, times: dict[str, float], count: int) -> None:
    ours = times.pop("sanban")
    words = [f"{what:<34} sanban {1e6 * ours / count:9.3f} us"]
    words += [f"{name} {1e6 * took / count:9.3f} us ({took / ours:.2f} times)" for name, took in times.items()]
    print("  ".join(words), flush=True)


def listing(sfens: list[str]) -> None:
    ours, theirs = [sanban.Position(sfen) for sfen in sfens], [cshogi.Board(sfen) for sfen in sfens]
    # pyffish has no position objects and parses the position in every call.
    fens = [f"{board}[{'' if hand == '-' else hand}] {'b' if side == 'w' else 'w'} 0 1"
            for board, side, hand, _ in (sfen.split() for sfen in sfens)]  # fmt: skip

    def sanban_moves() -> None:
        for position in ours:
            for _ in position.legal_moves:
                pass

    def cshogi_moves() -> None:
        for board in theirs:
            for _ in board.legal_moves:
                pass

    def pyffish_moves() -> None:
        for fen in fens:
            for _ in pyffish.legal_moves("shogi", fen, []):
                pass

    times = best({"sanban": sanban_moves, "cshogi": cshogi_moves})
    # One round is enough, because pyffish takes a thousand times as long.
    times["pyffish"] = best({"pyffish": pyffish_moves}, rounds=1)["pyffish"]
    row("legal moves, iterated over", times, len(sfens))


def making(sfens: list[str]) -> None:
    def of_ours(position: sanban.Position) -> tuple:
        return position, list(position.legal_moves)

    def of_theirs(board: cshogi.Board) -> tuple:
        return board, list(board.legal_moves)

    ours = [of_ours(sanban.Position(sfen)) for sfen in sfens]
    theirs = [of_theirs(cshogi.Board(sfen)) for sfen in sfens]

    def sanban_makes() -> None:
        for position, moves in ours:
            push, pop = position.push, position.pop
            for move in moves:
                push(move)
                pop()

    def cshogi_makes() -> None:
        for board, moves in theirs:
            push, pop = board.push, board.pop
            for move in moves:
                push(move)
                pop()

    count = sum(len(moves) for _, moves in ours)
    assert count >= sum(len(moves) for _, moves in theirs)
    times = best({"sanban": sanban_makes, "cshogi": cshogi_makes})
    # cshogi omits pointless non-promotions, so its lists are slightly shorter.
    times["cshogi"] *= count / sum(len(moves) for _, moves in theirs)
    row("make and unmake", times, count)


def perft(board: sanban.Position | cshogi.Board, depth: int) -> int:
    if depth == 1:
        return len(board.legal_moves)
    total = 0
    for move in board.legal_moves:
        board.push(move)
        total += perft(board, depth - 1)
        board.pop()
    return total


def pyffish_perft(fen: str, moves: list[str], depth: int) -> int:
    listed = pyffish.legal_moves("shogi", fen, moves)
    return len(listed) if depth == 1 else sum(pyffish_perft(fen, [*moves, move], depth - 1) for move in listed)


def counting() -> None:
    start = pyffish.start_fen("shogi")
    contestants = {"sanban": lambda: perft(sanban.Position(), 4), "cshogi": lambda: perft(cshogi.Board(), 4)}
    assert {contestant() for contestant in contestants.values()} == {719731}
    row("perft 4 in a loop, per leaf", best(contestants), 719731)
    # One ply less, because pyffish is a thousand times slower.
    contestants = {"sanban": lambda: perft(sanban.Position(), 3), "pyffish": lambda: pyffish_perft(start, [], 3)}
    row("perft 3 in a loop, per leaf", best(contestants), 25470)


def evaluating(sfens: list[str]) -> None:
    sfens = sfens * 20
    network = sanban.Network()
    boards = [sanban.Position(sfen) for sfen in sfens]
    entries = sanban.psv.from_positions(boards)

    def by_command() -> np.ndarray:
        with tempfile.TemporaryFile("w+") as file:
            file.write("\n".join(sfens))
            file.seek(0)
            words = [sys.executable, "-m", "sanban", "eval", "-"]
            out = subprocess.run(words, stdin=file, capture_output=True, text=True, check=True)
            return np.array([int(line.rpartition("\t")[2]) for line in out.stdout.splitlines()])

    expected = by_command()
    ways = {"SFEN": sfens, "Position": boards, "PSV": entries}
    for name, given in ways.items():
        assert (network.evaluate(given) == expected).all()
        contestants = {"sanban": lambda given=given: network.evaluate(given), "the command": by_command}
        row(f"batch evaluation, {name}", best(contestants, with_children), len(sfens))


def with_children() -> float:
    """Returns the processor time of this process and its finished child processes, in seconds."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + ended.ru_utime + ended.ru_stime


def main() -> None:
    sfens = positions(games())
    listing(sfens)
    making(sfens)
    counting()
    evaluating(sfens)


if __name__ == "__main__":
    main()
