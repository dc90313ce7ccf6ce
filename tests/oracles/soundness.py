"""Compares `sanban mate --check` with an exhaustive search over the rules of cshogi (https://pypi.org/project/cshogi/).

    pip install cshogi
    python3 tests/oracles/soundness.py target/release/sanban [--unsound 100] [--seed N] [--suite tests/data/mates.tsv]

Small sound problems are found among random positions. Then a piece is added to or removed from each of them, on the
board or in the attacker's hand, until this script has proved --unsound of the results unsound: at a position of the
main line with at least three plies left, two checks mate within the remaining plies, and they are neither the same move
with and without promotion nor the same piece dropped nearer or farther on one line. All of these must be reported as
cooked. A problem that is reported as sound must not have a position with such a second check. Every cook reported on
the main line must be a mate, by an exhaustive search or by proofs that proof_checker.py verifies.

Only the main line of sanban is trusted, and its length is checked as well. Futile interpositions count in this script,
so problems whose length they change are excluded, as are problems that need more than --limit positions; both are
counted. With --suite, the problems of the file are compared as well.
"""

import argparse
import collections
import contextlib
import io
import os
import random
import subprocess
import tempfile

import cshogi

import proof_checker

COUNTS = {"R": 2, "B": 2, "G": 4, "S": 4, "N": 4, "L": 4, "P": 18}
LONGEST = 7
FUTILE = "longer or futile interpositions"


class TooLarge(Exception):
    pass


class Mates:
    """An exhaustive search for mates within a number of plies."""

    def __init__(self, limit):
        self.left = limit
        self.known = {}

    def replies(self, board, check):
        """Returns the defences against a check; None if the move does not give check."""
        self.left -= 1
        if self.left < 0:
            raise TooLarge
        board.push(check)
        if not board.is_check():
            board.pop()
            return None
        out = list(board.legal_moves)
        board.pop()
        return out

    def by(self, board, check, plies):
        replies = self.replies(board, check)
        if replies is None or (replies and plies < 3):
            return False
        board.push(check)
        found = True
        for reply in replies:
            board.push(reply)
            found = self.within(board, plies - 2)
            board.pop()
            if not found:
                break
        board.pop()
        return found

    def within(self, board, plies):
        key = board.zobrist_hash()
        shortest, none = self.known.get(key, (99, -1))
        if plies >= shortest or plies <= none:
            return plies >= shortest
        for n in range(max(1, none + 2), plies + 1, 2):
            if any(self.by(board, check, n) for check in list(board.legal_moves)):
                self.known[key] = (n, n - 2)
                return True
        self.known[key] = (99, plies)
        return False

    def length(self, board):
        return next((n for n in range(1, LONGEST + 1, 2) if self.within(board, n)), None)


def ways(board, checks):
    """Groups checks that composers count as one: a move with and without promotion, and drops on one line."""
    groups = []
    king = board.king_square(cshogi.opponent(board.turn))
    for check in checks:
        usi = cshogi.move_to_usi(check)
        if usi[1] == "*":
            to = cshogi.move_to(check)
            file, rank = to // 9 - king // 9, to % 9 - king % 9
            size = max(abs(file), abs(rank)) or 1
            key = (usi[0], file / size, rank / size)
            if usi[0] not in "LRB":
                key += (size,)
        else:
            key = usi[:4]
        if key not in groups:
            groups.append(key)
    return groups


class Report:
    def __init__(self, text):
        head, *rest = text
        fields = head.split("\t")
        self.sfen, self.verdict = fields[0], fields[1]
        self.line = fields[2].split()[2:] if len(fields) > 2 and fields[2].startswith("mate") else []
        self.findings = [line.strip().split("\t") for line in rest]


def ask(program, sfens, nodes):
    """Returns the reports on several problems."""
    command = [program, "mate", "--check", "--hash", "16", "--nodes", str(nodes), "-"]
    done = subprocess.run(command, input="\n".join(sfens) + "\n", capture_output=True, text=True)
    if done.returncode not in (0, 1, 3):
        raise SystemExit(done.stderr)
    out = done.stdout
    reports, text = [], []
    for line in out.splitlines():
        if not line.startswith("  ") and text:
            reports.append(Report(text))
            text = []
        text.append(line)
    if text:
        reports.append(Report(text))
    if len(reports) != len(sfens):
        raise SystemExit(f"{len(sfens)} problems, {len(reports)} reports")
    return reports


def is_proved(program, board, check):
    """Returns whether a check mates after every defence, by proofs that proof_checker.py verifies."""
    board.push(check)
    found = True
    with tempfile.TemporaryDirectory() as folder:
        for number, reply in enumerate(list(board.legal_moves)):
            path = os.path.join(folder, str(number))
            board.push(reply)
            command = [program, "mate", "--hash", "16", "--nodes", "2000000", "--proof", path, board.sfen()]
            out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
            board.pop()
            found = found and "\tmate\t" in out
            if found:
                with contextlib.redirect_stdout(io.StringIO()):
                    proof_checker.verify(path)
    board.pop()
    return found


def judge(program, report, limit):
    """Returns the alternative solutions (ply, moves), the differences from the report, and the reason for exclusion."""
    board = cshogi.Board(sfen=report.sfen)
    mates = Mates(limit)
    try:
        length = mates.length(board)
        if length is None or length != len(report.line):
            return None, [], FUTILE
        seconds, wrong = [], []
        for ply in range(0, length - 1, 2):
            left = length - ply
            here = [check for check in list(board.legal_moves) if mates.by(board, check, left)]
            move = board.move_from_usi(report.line[ply])
            if move not in here:
                if any(cshogi.move_is_drop(reply) for reply in mates.replies(board, move) or []):
                    return None, [], FUTILE
                wrong.append(f"ply {ply + 1}: {report.line[ply]} does not mate in {left}")
            if len(ways(board, here)) > 1:
                seconds.append((ply + 1, [cshogi.move_to_usi(check) for check in here]))
            for kind, where, usi, plies, of, *_ in report.findings:
                if kind != "cook" or of != "main line" or where != f"ply {ply + 1}":
                    continue
                # Futile interpositions, which count here, can make the cook longer.
                n, cook = 0 if plies == "longer" else int(plies.split()[1]), board.move_from_usi(usi)
                if not mates.by(board, cook, n) and not is_proved(program, board, cook):
                    wrong.append(f"ply {ply + 1}: the cook {usi} is not a mate")
            board.push(move)
            board.push(board.move_from_usi(report.line[ply + 1]))
            if mates.length(board) != left - 2:
                return None, [], FUTILE
    except TooLarge:
        return None, [], "too large"
    if seconds and report.verdict != "cooked":
        wrong.append(f"reported as {report.verdict}, but {seconds}")
    return seconds, wrong, None


def to_sfen(board, ours):
    left = dict(COUNTS)
    ranks = []
    for rank in board:
        text = "".join(piece or "." for piece in rank)
        for n in range(9, 0, -1):
            text = text.replace("." * n, str(n))
        ranks.append(text)
        for piece in rank:
            if piece and piece[-1].upper() != "K":
                left[piece[-1].upper()] -= 1
    for kind, n in ours.items():
        left[kind] -= n
    if min(left.values()) < 0:
        return None
    hand = "".join((str(n) if n > 1 else "") + kind for kind, n in ours.items() if n)
    hand += "".join((str(n) if n > 1 else "") + kind.lower() for kind, n in left.items() if n)
    return f"{'/'.join(ranks)} b {hand or '-'} 1"


def may_be(piece, rank, column):
    """Returns whether a piece may be on this rank, given the other pieces on its file."""
    kind, edge = piece.upper(), rank if piece.isupper() else 8 - rank
    if edge < {"P": 1, "L": 1, "N": 2}.get(kind, 0):
        return False
    return kind != "P" or piece not in column


def is_playable(sfen):
    """Returns whether a position is legal; the defender must not be in check before the first move."""
    return cshogi.Board(sfen=sfen).is_ok() and not cshogi.Board(sfen=sfen.replace(" b ", " w ")).is_check()


def put(board, piece, choice, king=None):
    for _ in range(30):
        if king:
            rank, file = (king[0] + choice.randrange(-3, 4), king[1] + choice.randrange(-3, 4))
        else:
            rank, file = choice.randrange(9), choice.randrange(9)
        if not (0 <= rank < 9 and 0 <= file < 9) or board[rank][file]:
            continue
        if may_be(piece, rank, [board[r][file] for r in range(9)]):
            board[rank][file] = piece
            return True
    return False


def random_problem(choice):
    board = [[""] * 9 for _ in range(9)]
    king = (choice.choice([0, 0, 1, 1, 2]), choice.randrange(9))
    board[king[0]][king[1]] = "k"
    pieces = ["R", "B", "G", "S", "N", "L", "P", "+R", "+B", "+P", "S", "G", "N", "P"]
    for _ in range(choice.randrange(1, 5)):
        put(board, choice.choice(pieces), choice, king)
    for _ in range(choice.randrange(0, 4)):
        put(board, choice.choice("pppsngl"), choice, king)
    ours = collections.Counter(choice.choice("GSNLPRB") for _ in range(choice.randrange(1, 4)))
    return board, king, ours


def changed(problem, choice):
    """Adds or removes a piece."""
    board, king, ours = problem
    board, ours = [list(rank) for rank in board], collections.Counter(ours)
    where = choice.randrange(4)
    if where == 0:
        put(board, choice.choice(["P", "G", "S", "N", "+P", "L"]), choice, king)
    elif where == 1:
        put(board, choice.choice("ppsnl"), choice, king)
    elif where == 2:
        squares = [(r, f) for r in range(9) for f in range(9) if board[r][f] not in ("", "k")]
        if squares:
            rank, file = choice.choice(squares)
            board[rank][file] = ""
    elif choice.random() < 0.5 and sum(ours.values()) > 1:
        ours[choice.choice([kind for kind, n in ours.items() if n])] -= 1
    else:
        ours[choice.choice("GSNP")] += 1
    return board, king, ours


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--unsound", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=int, default=60_000)
    parser.add_argument("--nodes", type=int, default=100_000)
    parser.add_argument("--suite")
    args = parser.parse_args()
    choice = random.Random(args.seed)
    tally, wrong = collections.Counter(), []

    def compare(report, name):
        tally[f"{name}: reported {report.verdict}"] += 1
        if report.verdict not in ("sound", "leftover", "cooked"):
            return False
        seconds, differences, left_out = judge(args.program, report, args.limit)
        if left_out:
            tally[f"{name}: excluded ({left_out})"] += 1
            return False
        tally[f"{name}: compared, " + ("proved unsound" if seconds else "no second mate as short")] += 1
        for difference in differences:
            wrong.append(f"{report.sfen}: {difference}")
            print(wrong[-1], flush=True)
        return bool(seconds)

    if args.suite:
        with open(args.suite, encoding="utf-8") as file:
            lines = [line.split("\t")[0] for line in file if line.strip() and not line.startswith("#")]
        for report in ask(args.program, lines, args.nodes):
            compare(report, "suite")
    unsound = 0
    while unsound < args.unsound:
        problems = [random_problem(choice) for _ in range(400)]
        named = {to_sfen(board, ours): (board, king, ours) for board, king, ours in problems}
        sfens = [sfen for sfen in named if sfen and is_playable(sfen)]
        sound = []
        for report in ask(args.program, sfens, args.nodes // 10):
            if report.verdict == "sound" and 3 <= len(report.line) <= LONGEST:
                sound.append(named[report.sfen])
                compare(report, "random")
        variants = {to_sfen(b, h) for p in sound for b, _, h in [changed(p, choice) for _ in range(6)]}
        variants = sorted(sfen for sfen in variants if sfen and is_playable(sfen))
        for report in ask(args.program, variants, args.nodes) if variants else []:
            if len(report.line) != 1:
                unsound += compare(report, "changed")
            if unsound >= args.unsound:
                break
    for name, n in sorted(tally.items()):
        print(f"{n:6} {name}")
    print(f"{len(wrong)} differences")
    raise SystemExit(bool(wrong))


if __name__ == "__main__":
    main()
