"""Verifies a file written by `sanban mate --proof FILE` with the rules of cshogi (https://pypi.org/project/cshogi/).

    pip install cshogi
    python3 tests/oracles/proof_checker.py FILE...

Nothing computed by sanban is trusted. The second line of the file names the problem, `mate PLIES SFEN` or `nomate
SFEN`; each further line has one position with the attacker to move:

    PLIES <tab> SFEN <tab> CHECK              in a proof of a mate
    SFEN <tab> CHECK DEFENCE CHECK DEFENCE …  in a proof that there is none

A mate is proved if every line's move is legal and gives check, and after every legal defence the position is covered
by a line with at least two plies fewer, so play always ends. The absence of a mate is proved if every line has a legal
defence against each legal check, after which the position is covered by a line again, so the checks never end in mate.
A line covers all positions with the same board in which the attacker's hand has, for a mate, at least the pieces of the
line, and for no mate, at most these. With more pieces in hand, the attacker has at least the same moves, and the
defender, who has the remaining pieces, has no additional ones: the captures and king moves are the same, and there are
fewer drops. (Mating pawn drops are no exception, because a drop by the defender does not help against them.)
"""

import sys

import cshogi


def split(board):
    """Returns the board with the side to move, and the piece counts of the attacker's and the defender's hand."""
    squares, side, hands, _ = board.sfen().split()
    counts, number = {}, ""
    for letter in hands.replace("-", ""):
        if letter.isdigit():
            number += letter
        else:
            counts[letter], number = int(number or 1), ""
    ours = {k.upper(): n for k, n in counts.items() if k.isupper() == (side == "b")}
    theirs = {k.upper(): n for k, n in counts.items() if k.isupper() != (side == "b")}
    return squares + side, ours, theirs


def covers(more, less):
    return all(more.get(kind, 0) >= n for kind, n in less.items())


def pieces(squares, *hands):
    """Counts all pieces of a position by kind. Every line must have the same pieces as the problem."""
    counts = {}
    for letter in squares[:-1].upper():
        if letter.isalpha():
            counts[letter] = counts.get(letter, 0) + 1
    for hand in hands:
        for kind, n in hand.items():
            counts[kind] = counts.get(kind, 0) + n
    return counts


def fail(number, sentence):
    raise SystemExit(f"line {number}: {sentence}")


def verify(path):
    with open(path, encoding="ascii") as file:
        lines = [line.rstrip("\n") for line in file]
    if lines[0] != "sanban proof 1":
        fail(1, "not a proof")
    claim, rest = lines[1].split(" ", 1)
    plies, root = rest.split(" ", 1) if claim == "mate" else ("0", rest)
    start = split(cshogi.Board(sfen=f"{root} 1"))
    material = pieces(*start)
    # The lines by board, each as the attacker's hand and the plies.
    known, nodes = {}, []
    for number, line in enumerate(lines[2:], 3):
        fields = line.split("\t")
        count, sfen, moves = fields if claim == "mate" else ("0", *fields)
        board = cshogi.Board(sfen=f"{sfen} 1")
        squares, ours, theirs = split(board)
        if pieces(squares, ours, theirs) != material:
            fail(number, "the pieces differ from those of the problem")
        known.setdefault(squares, []).append((ours, int(count)))
        nodes.append((number, board, int(count), moves.split()))

    def is_covered(board, most):
        squares, ours, _ = split(board)
        if claim == "mate":
            return any(covers(ours, hand) and n <= most for hand, n in known.get(squares, []))
        return any(covers(hand, ours) for hand, _ in known.get(squares, []))

    if not is_covered(cshogi.Board(sfen=f"{root} 1"), int(plies)):
        fail(2, "the problem itself is not covered")
    for number, board, count, moves in nodes:
        if claim == "mate":
            checks, answers = [board.move_from_usi(moves[0])], {}
            if len(moves) != 1 or not board.is_legal(checks[0]):
                fail(number, f"expected one legal move: {moves}")
        else:
            checks, answers = list(board.legal_moves), dict(zip(moves[::2], moves[1::2]))
        for check in checks:
            board.push(check)
            text = cshogi.move_to_usi(check)
            if not board.is_check():
                if claim == "mate":
                    fail(number, f"{text} does not give check")
                board.pop()
                continue
            replies = list(board.legal_moves)
            if claim == "nomate":
                reply = board.move_from_usi(answers[text]) if text in answers else None
                if reply not in replies:
                    fail(number, f"no legal defence against {text}")
                replies = [reply]
            for reply in replies:
                board.push(reply)
                if not is_covered(board, count - 2):
                    fail(number, f"not covered: {text} {cshogi.move_to_usi(reply)}: {board.sfen()}")
                board.pop()
            board.pop()
    words = f"mate in {plies}" if claim == "mate" else "no mate"
    print(f"{path}: {words} verified: {root}, {len(nodes)} positions")


if __name__ == "__main__":
    for name in sys.argv[1:]:
        verify(name)
