"""Checks the reasons in the output of `sanban analyze --format json` for games of shogi.

    python tests/oracles/reasons.py GAME.jsonl... [--engine sanban --times 10]

Claims about rules, exchanges and mates are checked with cshogi (`pip install cshogi`): mates by its df-pn solver,
exchanges by a simple search in this script. With `--engine`, claims based on the search are checked by the engine with
more nodes. Every claim that is false or could not be confirmed is printed; the exit code is 1 if any is false.
"""

import argparse
import collections
import json
import subprocess
import sys

import cshogi

VALUES = {"P": 100, "L": 330, "N": 380, "S": 550, "B": 880, "R": 1040, "G": 600, "K": 15000,
          "+P": 580, "+L": 590, "+N": 600, "+S": 610, "+B": 1180, "+R": 1400}
WORTH = 150
FORKED = 330
DEAR = 550
# The merits of answers whose name differs from the fact.
INNER = {
    "allows-threat": "threatens-mate", "allows-promotion": "promotes", "allows-gain": "wins", "allows-attack": "threatens",
}  # fmt: skip


def symbol(board, square):
    """Returns the piece on a square as in SFEN, or None."""
    piece = board.piece(square)
    if piece == 0:
        return None
    # White's pieces are numbered from 16 on.
    name = cshogi.PIECE_SYMBOLS[piece & 15]
    return name if piece >= 16 else name.upper()


def value(name):
    return VALUES[name.upper()] if name else 0


def gain(board, move):
    """Returns the immediate material gain of a move."""
    out = value(symbol(board, cshogi.move_to(move)))
    if not cshogi.move_is_drop(move) and cshogi.move_is_promotion(move):
        mover = symbol(board, cshogi.move_from(move)).upper()
        out += VALUES["+" + mover] - VALUES[mover]
    return out


def captures(board, square=None):
    for move in board.legal_moves:
        if cshogi.move_is_drop(move):
            continue
        to = cshogi.move_to(move)
        if symbol(board, to) and (square is None or to == square):
            yield move


def exchange(board, move):
    """Returns a move's gain minus the best sequence of optional captures on its square."""
    own, to = gain(board, move), cshogi.move_to(move)
    board.push(move)
    best = max((exchange(board, answer) for answer in captures(board, to)), default=0)
    board.pop()
    return own - max(0, best)


def mates(board):
    """Returns True if the side to move has a mate, and None if the solver finds none."""
    solver = cshogi.DfPn(depth=63, nodes=2_000_000, draw_ply=32767)
    return True if solver.search(board) else None


def is_mate_line(board, line):
    """Returns whether a line alternates checks and defences and ends in mate."""
    made = 0
    try:
        for number, text in enumerate(line):
            move = board.push_usi(text)
            if move == 0:
                return False
            made += 1
            if number % 2 == 0 and not board.is_check():
                return False
        return len(line) % 2 == 1 and board.is_check() and not any(True for _ in board.legal_moves)
    finally:
        for _ in range(made):
            board.pop()


def proved(board, line):
    """Returns False if a line does not mate, True if the solver also finds a mate, and None otherwise."""
    if not is_mate_line(board, line):
        return False
    return mates(board)


def attacked(board, square):
    """Returns the squares that the piece on a square attacks."""
    name = symbol(board, square)
    up = -1 if name.lstrip("+").isupper() else 1
    steps = {"P": [(0, 1)], "N": [(-1, 2), (1, 2)], "S": [(-1, 1), (0, 1), (1, 1), (-1, -1), (1, -1)], "L": [], "B": [], "R": []}
    gold = [(-1, 1), (0, 1), (1, 1), (-1, 0), (1, 0), (0, -1)]
    king = [(f, r) for f in (-1, 0, 1) for r in (-1, 0, 1) if (f, r) != (0, 0)]
    kind = name.upper()
    near = {"K": king, "+B": king, "+R": king}.get(kind, steps.get(kind, gold))
    rays = {"L": [(0, 1)], "B": [(1, 1), (1, -1), (-1, 1), (-1, -1)], "R": [(1, 0), (-1, 0), (0, 1), (0, -1)]}
    rays = rays.get(kind.lstrip("+") if kind in ("+B", "+R") else kind, [])
    file, rank = divmod(square, 9)
    out = set()
    for df, dr in near:
        f, r = file + df, rank + dr * up
        if 0 <= f < 9 and 0 <= r < 9:
            out.add(f * 9 + r)
    for df, dr in rays:
        f, r = file + df, rank + dr * up
        while 0 <= f < 9 and 0 <= r < 9:
            out.add(f * 9 + r)
            if symbol(board, f * 9 + r):
                break
            f, r = f + df, r + dr * up
    return out


def square_of(text):
    return (int(text[0]) - 1) * 9 + ord(text[1]) - ord("a")


def lost(previous, square):
    """Returns the value of the piece that the last move captured on a square; None if it captured nothing there."""
    if previous is None or "move" not in previous:
        return None
    board = cshogi.Board(previous["sfen"])
    move = board.move_from_usi(previous["move"])
    if cshogi.move_is_drop(move) or cshogi.move_to(move) != square or not symbol(board, square):
        return None
    return value(symbol(board, square))


def check(previous, record, reason, search):
    """Returns True, False, or None if undecided. `previous` is the record of the previous position."""
    board = cshogi.Board(record["sfen"])
    fact, line, target = reason["fact"], reason["line"], reason.get("target")
    move = board.move_from_usi(reason["move"])
    if not board.is_legal(move):
        return False
    before = board.copy()
    if fact in ("mates", "missed", "slower"):
        return proved(board, line)
    if fact.startswith("allows-") and fact != "allows-mate":
        # The merit of the answer is checked as if the answer had been played.
        board.push(move)
        answered = {"sfen": board.sfen(), "move": line[0]}
        inner = INNER.get(fact, fact.removeprefix("allows-"))
        return check(record | {"move": reason["move"]}, answered, reason | {"fact": inner, "move": line[0], "line": line[1:]}, search)
    if fact == "parries-mate":
        before.push_pass()
        threatened = proved(before, line)
        before.pop_pass()
        board.push(move)
        return threatened and not mates(board)
    if fact in ("falls", "misses-gain"):
        return gained(board, move, line, target, reason.get("cause"), fact == "falls")
    if fact == "remedy":
        # What the sentence says about the answer is checked only by the search: the loss must not happen.
        return board.is_legal(move)
    if fact == "exposes-king":
        checks, walk = 0, board.copy()
        for number, text in enumerate([reason["move"], *line]):
            step = walk.move_from_usi(text)
            if not walk.is_legal(step):
                return False
            walk.push(step)
            checks += number % 2 == 1 and walk.is_check()
        return checks >= 2 and walk.is_check()
    if fact in ("allows-seen-mate", "misses-seen-mate", "avoids-mate", "close"):
        return None
    if fact == "sees-mate":
        return search.sees_mate(record, reason) if search else None
    if fact == "preferred":
        # The sentence states what the engine prefers, not that it is right; the line is that of a second search.
        return line[0] == record["candidates"][0]["pv"][0]
    if fact == "accepts":
        given = previous is not None and board.move_from_usi(reason["move"]) and previous["move"][2:4] == reason["move"][2:4]
        return bool(given) and target["gain"] == exchange(board, move) >= WORTH
    if fact == "exchanges":
        victim = value(symbol(board, cshogi.move_to(move)))
        even = -WORTH < target["gain"] == exchange(board, move) < WORTH
        board.push(move)
        return victim >= WORTH and even and any(True for _ in captures(board, cshogi.move_to(move)))
    if fact == "promotes":
        gains = cshogi.move_is_promotion(move) and target["gain"] == exchange(board, move) >= WORTH
        board.push(move)
        return gains and stays(board, cshogi.move_to(move))
    if fact in ("wins", "recaptures"):
        given = lost(previous, cshogi.move_to(move))
        back = given is not None and given >= WORTH
        return target["gain"] == exchange(board, move) >= WORTH and back == (fact == "recaptures")
    board.push(move)
    to = cshogi.move_to(move)
    if fact == "ends":
        return not any(True for _ in board.legal_moves)
    if fact == "allows-mate":
        return proved(board, line)
    if fact == "hangs":
        answer = board.move_from_usi(line[0])
        return board.is_legal(answer) and target["gain"] == exchange(board, answer) >= WORTH
    if fact == "saves":
        square = square_of(target["square"])
        before.push_pass()
        by = before.move_from_usi(line[0])
        won = exchange(before, by) if cshogi.move_to(by) == square and before.is_legal(by) else 0
        won = won if won == target["gain"] else 0
        before.pop_pass()
        moved = not cshogi.move_is_drop(move) and cshogi.move_from(move) == square
        now = to if moved else square
        left = max((exchange(board, capture) for capture in captures(board, now)), default=0)
        return won >= WORTH and left <= 0
    if fact in ("threatens-mate", "threatens", "threatens-promotion"):
        if board.is_check():
            return False
        board.push_pass()
        if fact == "threatens-mate":
            return proved(board, line)
        threat = board.move_from_usi(line[0])
        if not board.is_legal(threat):
            return False
        worth = exchange(board, threat) >= WORTH
        if fact == "threatens-promotion":
            before_worth = before.is_legal(threat) and exchange(before, threat) >= WORTH
            return worth and cshogi.move_is_promotion(threat) and (cshogi.move_from(threat) == to or not before_worth)
        square = square_of(target["square"])
        old = max((exchange(before, capture) for capture in captures(before, square)), default=0)
        return worth and target["gain"] == exchange(board, threat) and (
            old < WORTH or symbol(before, square) != target["piece"])
    if fact == "refuted":
        return search(record, reason) if search else None
    return tactic(before, board, move, fact)


def recaptures(board, move):
    """Returns the squares of the pieces that can take back after a move."""
    board.push(move)
    out = {cshogi.move_from(answer) for answer in captures(board, cshogi.move_to(move))}
    board.pop()
    return out


def shown_by_itself(here, after, move, cause):
    """Returns whether a capture or promotion gives check, attacks another piece, or is supported by one."""
    if cause == "with-check":
        return after.is_check()
    to = cshogi.move_to(move)
    if cause == "also-attacks":
        passed = after.copy()
        passed.push_pass()
        return not after.is_check() and any(
            cshogi.move_from(capture) == to and exchange(passed, capture) >= WORTH for capture in captures(passed))
    for answer in list(captures(after, to)):
        after.push(answer)
        supported = any(True for _ in captures(after, to))
        after.pop()
        if not supported:
            return False
    return exchange(here, move) > 0 and bool(recaptures(here, move))


def gained(board, move, line, target, cause, falls):
    """Returns whether a line wins or promotes the piece it is said to, for the reason given."""
    moves = ([move] if falls else [board.move_from_usi(line[0])])
    boards = [board.copy()]
    walk = board.copy()
    rest = line if falls else line[1:]
    if not walk.is_legal(moves[0]):
        return False
    walk.push(moves[0])
    boards.append(walk.copy())
    for text in rest:
        step = walk.move_from_usi(text)
        if not walk.is_legal(step):
            return False
        moves.append(step)
        walk.push(step)
        boards.append(walk.copy())
    square = square_of(target["square"])

    def takes(number):
        """Returns whether a move captures the piece, or promotes it."""
        step = moves[number]
        promoted = not cshogi.move_is_drop(step) and cshogi.move_is_promotion(step)
        return cshogi.move_to(step) == square and (
            symbol(boards[number], square) == target["piece"] or promoted and symbol(boards[number + 1], square) == target["piece"])

    # The piece may be lost before the end of a line of exchanges.
    at = max((number for number in range(len(moves) - 1, -1, -2) if takes(number)), default=None)
    if at is None:
        return False
    here, walk, last = boards[at], boards[at + 1], moves[at]
    if cause is None:
        return True
    if cause == "unprotected":
        return not recaptures(here, last)
    if cause in ("with-check", "also-attacks", "supported"):
        return shown_by_itself(here, walk, last, cause)
    if at == 0:
        return cause == "guard-pinned" and not recaptures(here, last)
    reply = moves[at - 1]
    before = boards[at - 1]
    passed = before.copy()
    if not before.is_check():
        passed.push_pass()
    threatened = not before.is_check() and passed.is_legal(last)
    if cause == "placed":
        return cshogi.move_to(reply) == square
    if cause == "guard-left" and at > 1:
        old, new = cshogi.move_from(moves[0]), cshogi.move_to(moves[0])
        before_ours, ours = symbol(boards[0], old), symbol(here, new)
        same = ours is not None and ours.isupper() == before_ours.isupper()
        return same and square in attacked(boards[0], old) and not recaptures(here, last)
    if cause == "threatened-before":
        return threatened and exchange(passed, last) > 0
    if cause == "attacked":
        safe = not (boards[at - 2].is_legal(last) and exchange(boards[at - 2], last) >= WORTH)
        return threatened and exchange(passed, last) >= WORTH and safe
    if cause in ("guard-left", "guard-deflected"):
        left = not cshogi.move_is_drop(reply) and cshogi.move_to(reply) not in recaptures(here, last)
        return threatened and left and cshogi.move_from(reply) in recaptures(passed, last)
    if cause == "guard-blocked":
        return threatened and bool(recaptures(passed, last) - recaptures(here, last))
    if cause == "line-opened":
        return not threatened and not cshogi.move_is_drop(last) and not cshogi.move_is_drop(reply)
    if cause == "guard-pinned":
        after = here.copy()
        after.push(last)
        ours = after.turn == cshogi.BLACK
        own = [s for s in range(81) if symbol(after, s) and symbol(after, s).lstrip("+").isupper() == ours]
        guards = [s for s in own if symbol(after, s).upper() != "K" and square in attacked(after, s)]
        return bool(guards) and not recaptures(here, last)
    start, first = boards[at - 2], moves[at - 2]
    if cause == "check":
        return before.is_check()
    if cause == "fork":
        return bool(tactic(start, before, first, "fork"))
    if cause in ("pin", "discovered-attack", "joining-pawn", "dangling-pawn"):
        return bool(tactic(start, before, first, cause))
    if cause == "guard-taken":
        return start.is_legal(last) and cshogi.move_to(first) in recaptures(start, last)
    if cause == "mate-threat":
        return mates(passed)
    if cause == "unstoppable":
        for answer in list(before.legal_moves):
            after = before.copy()
            after.push(answer)
            if not after.is_legal(last) or exchange(after, last) < WORTH:
                return False
        return True
    if cause == "trapped":
        moved = cshogi.move_to(reply) == square and not cshogi.move_is_drop(reply)
        stood = cshogi.move_from(reply) if moved else square
        steps = [step for step in before.legal_moves if not cshogi.move_is_drop(step) and cshogi.move_from(step) == stood]
        for step in steps:
            won = gain(before, step)
            after = before.copy()
            after.push(step)
            if max((exchange(after, c) for c in captures(after, cshogi.move_to(step))), default=0) - won < WORTH:
                return False
        return max((exchange(passed, c) for c in captures(passed, stood)), default=0) >= WORTH
    return None


def stays(board, square):
    """Returns whether the side to move gains nothing by capturing on a square."""
    return all(exchange(board, capture) <= 0 for capture in captures(board, square))


def tactic(before, after, move, fact):
    to = cshogi.move_to(move)
    mover = symbol(after, to)
    ours = mover.lstrip("+").isupper()
    reach = attacked(after, to)
    enemy = {s for s in range(81) if symbol(after, s) and symbol(after, s).lstrip("+").isupper() != ours}
    king = next((s for s in enemy if symbol(after, s).upper() == "K"), None)
    if fact == "double-check":
        friends = [s for s in range(81) if symbol(after, s) and s not in enemy]
        return sum(king in attacked(after, s) for s in friends) >= 2
    if fact == "fork":
        dear = [s for s in reach & enemy if value(symbol(after, s)) >= FORKED]
        return len(dear) >= 2 and stays(after, to)
    if fact == "sacrifice":
        return -exchange(before, move) >= FORKED and value(mover) - value(symbol(before, to)) >= FORKED
    if fact in ("pin", "skewer"):
        for front in reach & enemy:
            df, dr = front // 9 - to // 9, front % 9 - to % 9
            df, dr = (df > 0) - (df < 0), (dr > 0) - (dr < 0)
            f, r = front // 9 + df, front % 9 + dr
            while 0 <= f < 9 and 0 <= r < 9 and not symbol(after, f * 9 + r):
                f, r = f + df, r + dr
            back = f * 9 + r
            if 0 <= f < 9 and 0 <= r < 9 and back in enemy:
                first, second = value(symbol(after, front)), value(symbol(after, back))
                if fact == "pin" and (back == king or second >= first + FORKED) and stays(after, to):
                    return True
                if fact == "skewer" and back != king and FORKED <= second <= first and first >= DEAR and stays(after, to):
                    return True
        return False
    if fact == "discovered-attack":
        friends = [s for s in range(81) if symbol(after, s) and s not in enemy and s != to]
        return any((attacked(after, s) - attacked(before, s)) & enemy for s in friends)
    up = -1 if ours else 1
    ahead = to + up
    pawn = symbol(after, ahead) if 0 <= to % 9 + up < 9 else None
    if fact == "edge-attack":
        return to // 9 in (0, 8) and pawn is not None and pawn.upper() == "P" and ahead in enemy
    if fact == "dangling-pawn":
        rank = ahead % 9 if ours else 8 - ahead % 9
        return cshogi.move_is_drop(move) and pawn is None and rank < 3
    if fact == "joining-pawn":
        return cshogi.move_is_drop(move) and pawn is not None and pawn.upper() == "P" and ahead in enemy
    return None


def is_repetition(records, record, fact):
    """Returns whether a move leads to a position that has occurred three times; for a loss, one in check."""
    board = cshogi.Board(record["sfen"])
    board.push_usi(record["move"])
    earlier = (other["sfen"] for other in records if "sfen" in other and other["ply"] <= record["ply"])
    same = sum(sfen.split()[:3] == board.sfen().split()[:3] for sfen in earlier)
    return same >= 3 and (fact == "draws" or board.is_check())


class Engine:
    """Verifies claims of the search by running the engine with more nodes."""

    def __init__(self, command, times):
        self.process = subprocess.Popen([command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.times = times
        self.say("usi", "usiok")
        self.say("setoption name USI_OwnBook value false\nisready", "readyok")

    def say(self, text, until):
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()
        lines = []
        for line in self.process.stdout:
            lines.append(line)
            if line.startswith(until):
                return lines
        sys.exit("the engine has exited")

    def rate(self, position, nodes):
        """Returns the winning probability of the side to move, in percent. Earlier searches have no influence on it."""
        lines = self.say(f"usinewgame\nposition {position}\ngo nodes {nodes}", "bestmove")
        score = next(line for line in reversed(lines) if " score " in line).split()
        kind, number = score[score.index("score") + 1:][:2]
        if kind == "mate":
            return 0.0 if number.startswith("-") else 100.0
        return 100.0 / (1.0 + 2.718281828 ** (-int(number) / 600))

    def __call__(self, record, reason):
        nodes = self.times * max(candidate["nodes"] for candidate in record["candidates"])
        position = "sfen " + record["sfen"]
        before = self.rate(position, nodes)
        after = 100.0 - self.rate(f"{position} moves {reason['move']}", nodes)
        return before - after >= 5.0

    def sees_mate(self, record, reason):
        """Returns whether the search still finds a mate after the move."""
        nodes = self.times * max(candidate["nodes"] for candidate in record["candidates"])
        return self.rate(f"sfen {record['sfen']} moves {reason['move']}", nodes) == 0.0


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("files", nargs="+")
    arguments.add_argument("--engine")
    arguments.add_argument("--times", type=int, default=10)
    arguments = arguments.parse_args()
    search = Engine(arguments.engine, arguments.times) if arguments.engine else None
    counts = collections.Counter()
    for path in arguments.files:
        with open(path, encoding="utf-8") as file:
            records = [json.loads(line) for line in file]
        for previous, record in zip([None, *records], records):
            for reason in record.get("reasons", []) + record.get("better", []):
                if reason["fact"] in ("draws", "loses"):
                    result = is_repetition(records, record, reason["fact"])
                else:
                    result = check(previous, record, reason, search)
                counts[reason["proof"], result] += 1
                if result is not True:
                    word = "false" if result is False else "not confirmed"
                    if result is False or search or reason["proof"] != "search":
                        print(f"{word}: {path} ply {record['ply']} {reason['move']}: {reason['en']}")
    for (proof, result), count in sorted(counts.items(), key=str):
        print(f"{proof}: {count} {'true' if result else 'false' if result is False else 'not confirmed'}")
    return 1 if any(result is False for _, result in counts) else 0


if __name__ == "__main__":
    sys.exit(main())
