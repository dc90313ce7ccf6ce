"""The rules agree with those of cshogi and pyffish on random games."""

import os
import random

import pytest

import sanban

GAMES = int(os.environ.get("AGREEMENT_GAMES", "200"))


def test_legal_moves_are_those_of_cshogi():
    cshogi = pytest.importorskip("cshogi")
    rng = random.Random(1)
    plies = 0
    for number in range(GAMES):
        ours, theirs = sanban.Position(), cshogi.Board()
        for _ in range(rng.choice((60, 120, 250))):
            moves = {move.usi: move for move in ours.legal_moves}
            # cshogi omits pointless non-promotions.
            listed = {cshogi.move_to_usi(move) for move in theirs.legal_moves}
            assert listed <= moves.keys(), ours.sfen
            for usi in moves.keys() - listed:
                assert usi + "+" in listed, (ours.sfen, usi)
            assert ours.in_check == theirs.is_check()
            if not moves or theirs.is_draw() == cshogi.REPETITION_DRAW:
                break
            usi = rng.choice(sorted(moves))
            ours.push(moves[usi])
            theirs.push_usi(usi)
            plies += 1
            assert ours.sfen == theirs.sfen(), number
    assert plies > 50 * GAMES


def test_repetition_is_that_of_cshogi():
    cshogi = pytest.importorskip("cshogi")
    rng = random.Random(2)
    seen = {"draw": 0, "win": 0, "loss": 0}
    kinds = {"draw": cshogi.REPETITION_DRAW, "win": cshogi.REPETITION_WIN, "loss": cshogi.REPETITION_LOSE}
    # Open boards, and a rook that gives check with every move.
    starts = [
        ("3gk4/9/9/9/9/9/9/9/4K4 b Rr 1", []),
        ("3gkg3/9/9/9/9/9/9/9/3GKG3 b - 1", []),
        ("4k4/9/9/9/9/9/9/5R3/K8 b - 1", ["4h5h", "5a4a", "5h4h"]),
        ("8k/3r5/9/9/9/9/9/9/4K4 w - 1", ["6b5b", "5i6i", "5b6b"]),
    ]
    for number in range(GAMES):
        sfen, first = starts[number % len(starts)]
        ours, theirs = sanban.Position(sfen, moves=first), cshogi.Board(sfen)
        for usi in first:
            theirs.push_usi(usi)
        boards, checks = [], []
        for _ in range(60):
            boards.append(ours.sfen.rpartition(" ")[0])
            checks.append(ours.in_check)
            moves = ours.legal_moves
            same = [ply for ply, board in enumerate(boards) if board == boards[-1]]
            if len(same) == 4:
                verdict = ours.verdict
                assert verdict == perpetual(checks[same[0] :]), ours.usi
                seen[verdict] += 1
                # cshogi only examines the last cycle.
                if perpetual(checks[same[2] :]) == verdict:
                    assert theirs.is_draw() == kinds[verdict], ours.usi
            if not moves or len(same) == 4:
                break
            # Mostly moves back and forth, so that positions repeat.
            last = ours.moves[-2] if len(ours.moves) > 1 else None
            back = [m for m in moves if last and (m.from_square, m.to_square) == (last.to_square, last.from_square)]
            move = rng.choice(back) if back and rng.random() < 0.9 else rng.choice(moves)
            ours.push(move)
            theirs.push_usi(move.usi)
    assert seen["draw"] > GAMES / 40 and seen["win"] + seen["loss"] > GAMES / 40, seen


def perpetual(checks: list[bool]) -> str:
    """Returns the verdict between two occurrences of a position: a side that gave check with every move loses."""
    mine, others = checks[2::2], checks[1::2]
    return "win" if all(mine) else "loss" if all(others) else "draw"


@pytest.mark.parametrize(
    ("game", "variant"),
    [("shogi", "shogi"), ("janggicasual", "janggicasual"), ("dobutsu", "dobutsu")],
)
def test_legal_moves_are_those_of_pyffish(game, variant):
    pyffish = pytest.importorskip("pyffish")
    rng = random.Random(3)
    if variant not in pyffish.variants():
        pytest.skip(f"pyffish does not support {variant}")
    pyffish.set_option("VariantPath", "")
    start, plies = pyffish.start_fen(variant), 0
    # pyffish takes milliseconds per position.
    games = GAMES // 16
    for _ in range(games):
        ours, played = sanban.Position(game=game), []
        for _ in range(rng.choice((20, 60, 120))):
            if ours.outcome is not None:
                break
            moves = ours.legal_moves
            listed = {translated(game, text) for text in pyffish.legal_moves(variant, start, played)}
            if game == "dobutsu":
                # pyffish allows a lion to enter an attacked square of the last rank.
                lion, goal = ("L", "a") if ours.side == "black" else ("l", "d")
                listed = {m for m in listed if m[1] == "*" or ours.piece_at(m[:2]) != lion or m[3] != goal}
                moves = [
                    m for m in moves if m.is_drop or ours.piece_at(m.from_square) != lion or m.to_square[1] != goal
                ]
            legal = {move.usi for move in moves}
            if game == "shogi":
                # pyffish lists some illegal mating pawn drops, after which it finds no reply.
                listed -= {
                    m
                    for m in listed - legal
                    if m.startswith("P*") and not pyffish.legal_moves(variant, start, [*played, foreign(game, m)])
                }
            assert legal == listed, ours.usi
            if not moves:
                break
            move = rng.choice(moves)
            ours.push(move)
            played.append(foreign(game, move.usi))
            plies += 1
    # Random games of Dobutsu shogi end after 13 plies on average.
    assert plies > 10 * games


def translated(game: str, text: str) -> str:
    """Converts a move of pyffish to USI: pyffish counts files from the left and ranks from the bottom."""
    files, ranks = {"shogi": (9, 9), "janggicasual": (9, 10), "dobutsu": (3, 4)}[game]

    def square(file: str, rank: str) -> str:
        return f"{files - (ord(file) - ord('a'))}{chr(ord('a') + ranks - int(rank))}"

    if text[1] in "@*":
        return f"{text[0].upper()}*{square(text[2], text[3:])}"
    promotion = "+" if text.endswith("+") else ""
    body = text.rstrip("+")
    split = next(at for at in range(1, len(body)) if body[at].isalpha())
    return square(body[0], body[1:split]) + square(body[split], body[split + 1 :]) + promotion


def foreign(game: str, usi: str) -> str:
    """Converts a USI move to the notation of pyffish."""
    files, ranks = {"shogi": (9, 9), "janggicasual": (9, 10), "dobutsu": (3, 4)}[game]

    def square(text: str) -> str:
        return f"{chr(ord('a') + files - int(text[0]))}{ranks - (ord(text[1]) - ord('a'))}"

    if usi[1] == "*":
        return f"{usi[0]}@{square(usi[2:4])}"
    return square(usi[:2]) + square(usi[2:4]) + usi[4:]
