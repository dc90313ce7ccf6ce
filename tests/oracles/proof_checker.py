"""Verifies files written by `sanban mate --proof FILE` and `sanban mate --check --proof FILE` with the rules of cshogi
(https://pypi.org/project/cshogi/).

    pip install cshogi
    python3 tests/oracles/proof_checker.py FILE...

Nothing computed by sanban is trusted. docs/mate.md describes the files.

A mate is proved if every line's move is legal and gives check, and after every legal defence the position is covered
by a line with at least two plies fewer, so play always ends. The absence of a mate is proved if every line has a legal
defence against each legal check, after which the position is covered by a line again, so the checks never end in mate.
A line covers all positions with the same board in which the attacker's hand has, for a mate, at least the pieces of the
line, and for no mate, at most these. With more pieces in hand, the attacker has at least the same moves, and the
defender, who has the remaining pieces, has no additional ones: the captures and king moves are the same, and there are
fewer drops. (Mating pawn drops are no exception, because a drop by the defender does not help against them.)

The length of a mate under the rules of mate problems is computed from lines with bounds. A length is a number of plies
and whether the attacker's hand is empty at the end; the defender prefers more plies, then an empty hand. A drop is
futile if a check captures it and the mate, with the piece back in the defender's hand, takes no more plies than the
longest defence without a drop. Every bound follows from bounds with fewer plies, so no two lines prove each other.
"""

import sys

import cshogi

NEVER = 10**9
LONGEST = (NEVER, True)


def hands(text):
    """Returns the piece counts of both hands, black first."""
    counts, number = ({}, {}), ""
    for letter in text.replace("-", ""):
        if letter.isdigit():
            number += letter
        else:
            counts[letter.islower()][letter.upper()], number = int(number or 1), ""
    return counts


def covers(more, less):
    return all(more.get(kind, 0) >= n for kind, n in less.items())


def fail(number, sentence):
    raise SystemExit(f"line {number}: {sentence}")


def length(text):
    """Reads `PLIES empty` or `PLIES left`."""
    plies, hand = text.split(" ")
    return int(plies), {"empty": True, "left": False}[hand]


def later(value, plies=1):
    return value[0] + plies, value[1]


def usi(moves):
    return [cshogi.move_to_usi(move) for move in moves]


class Lines:
    """Lines by board, each with the attacker's hand and a number of plies."""

    def __init__(self):
        self.known = {}

    def add(self, place, plies):
        self.known.setdefault(place[0], []).append((place[1], plies))

    def mates(self, place, most):
        return any(covers(place[1], hand) and plies <= most for hand, plies in self.known.get(place[0], []))

    def none(self, place):
        """Returns the largest number of plies within which there is no mate, or -1."""
        found = [plies for hand, plies in self.known.get(place[0], []) if covers(hand, place[1])]
        return max(found, default=-1)


class Problem:
    def __init__(self, sfen):
        self.root = self.board(sfen)
        self.attacker = self.root.turn
        self.places = {}
        self.material = self.pieces(self.root)

    @staticmethod
    def board(sfen):
        board = cshogi.Board(sfen=f"{sfen} 1")
        given, read = sfen.split(" "), board.sfen().split(" ")
        if given[:2] != read[:2] or len(given) != 3 or hands(given[2]) != hands(read[2]):
            raise ValueError(f"no position: {sfen}")
        return board

    @staticmethod
    def pieces(board):
        squares, _, hand, _ = board.sfen().split()
        counts = {}
        for letter in filter(str.isalpha, squares.upper()):
            counts[letter] = counts.get(letter, 0) + 1
        for side in hands(hand):
            for kind, n in side.items():
                counts[kind] = counts.get(kind, 0) + n
        return counts

    def read(self, number, sfen):
        """Returns the position of a line."""
        board = self.board(sfen)
        if board.turn != self.attacker or self.pieces(board) != self.material:
            fail(number, "the side to move or the pieces differ from those of the problem")
        return board

    def place(self, board):
        """Returns the board with the side to move, and the attacker's hand."""
        text = board.sfen().rsplit(" ", 1)[0]
        if text not in self.places:
            squares, side, hand = text.split()
            self.places[text] = (squares + side, hands(hand)[self.attacker])
        return self.places[text]

    def exact(self, board):
        squares, hand = self.place(board)
        return squares, tuple(sorted(hand.items()))

    @staticmethod
    def checks(board):
        for move in list(board.legal_moves):
            board.push(move)
            if board.is_check():
                yield move
            board.pop()

    def check(self, number, board, text):
        """Returns a move, which must be legal and give check."""
        move = board.move_from_usi(text)
        if move not in list(self.checks(board)):
            fail(number, f"{text} is no legal check")
        return move

    def mate(self, number, board, plies, move, lines):
        """Verifies a line of a proof of a mate."""
        board.push(self.check(number, board, move))
        for reply in list(board.legal_moves):
            board.push(reply)
            if not lines.mates(self.place(board), plies - 2):
                fail(number, f"not covered: {move} {cshogi.move_to_usi(reply)}: {board.sfen()}")
            board.pop()
        board.pop()

    def none(self, number, board, moves, lasts):
        """Verifies a line of a proof that there is no mate. `lasts` judges the position before a defence."""
        answers = dict(zip(moves[::2], moves[1::2]))
        for check in self.checks(board):
            text = cshogi.move_to_usi(check)
            reply = board.move_from_usi(answers[text]) if text in answers else None
            if reply not in list(board.legal_moves):
                fail(number, f"no legal defence against {text}")
            if not lasts(board, reply):
                fail(number, f"not covered: {text} {cshogi.move_to_usi(reply)}: {board.sfen()}")


class Tree:
    """The lines of a proof of a mate, or that there is none."""

    def __init__(self, problem, is_mate):
        self.problem, self.is_mate = problem, is_mate
        self.lines, self.nodes = Lines(), []

    def add(self, number, fields):
        plies, sfen, moves = fields if self.is_mate else (NEVER, *fields)
        board = self.problem.read(number, sfen)
        self.lines.add(self.problem.place(board), int(plies))
        self.nodes.append((number, board, int(plies), moves))

    def verify(self, covered=lambda place: False):
        def lasts(board, reply):
            board.push(reply)
            place = self.problem.place(board)
            board.pop()
            return self.lines.none(place) == NEVER or covered(place)

        for number, board, plies, moves in self.nodes:
            if self.is_mate:
                self.problem.mate(number, board, plies, moves, self.lines)
            else:
                self.problem.none(number, board, moves.split(), lasts)


class Verdict:
    """The lines of a proof of a verdict."""

    def __init__(self, problem, lines):
        self.problem = problem
        self.most, self.least, self.solution, self.others = {}, {}, {}, {}
        self.none, self.claims = Lines(), []
        section = None
        for number, line in enumerate(lines, 3):
            kind, *fields = line.split("\t")
            if kind == "":
                section.add(number, fields)
            elif kind == "solution":
                moves = fields[0].split()
                self.claims.append((1, len(moves), number, moves))
            elif kind in ("refuted", "detour", "cook"):
                section = Tree(problem, kind == "cook")
                self.claims.append((2, 0, number, (kind, fields[0].split(), fields[1].split(), section)))
            else:
                self.bound(number, kind, fields)

    def bound(self, number, kind, fields):
        if kind == "never":
            kind, fields = "none", [NEVER, *fields]
        bound, board = fields[0], self.problem.read(number, fields[1])
        key = self.problem.exact(board)
        if kind == "none":
            self.none.add(self.problem.place(board), int(bound))
        elif kind == "most":
            self.most[key] = min(length(bound), self.most.get(key, LONGEST))
        elif kind == "least":
            self.least[key] = max(length(bound), self.least.get(key, (0, False)))
        else:
            fail(number, f"unknown: {kind}")
        self.claims.append((0, 0, number, (kind, bound, board, fields[2:])))

    # The bounds of positions with the attacker to move.

    def hi(self, board):
        return self.most.get(self.problem.exact(board), LONGEST)

    def lo(self, board, exact=True):
        """Returns a lower bound. `exact`: also from lines that hold for one hand only."""
        none = self.none.none(self.problem.place(board))
        bound = LONGEST if none == NEVER else (none + 2, False)
        return max(bound, self.least.get(self.problem.exact(board), bound)) if exact else bound

    # The bounds of positions with the defender to move.

    def hand(self, board):
        return self.problem.place(board)[1]

    @staticmethod
    def replies(board):
        """Returns the moves of the defender, and the drops by square."""
        moves, drops = [], {}
        for move in list(board.legal_moves):
            if cshogi.move_is_drop(move):
                drops.setdefault(cshogi.move_to(move), []).append(move)
            else:
                moves.append(move)
        return moves, drops

    @staticmethod
    def after(board, move, ask, *args):
        board.push(move)
        found = ask(board, *args)
        board.pop()
        return found

    def captures(self, board, drop):
        """Returns the positions after the checks that capture a drop, with the piece back in the defender's hand."""
        before, found = dict(self.hand(board)), []
        board.push(drop)
        for move in self.problem.checks(board):
            if cshogi.move_is_drop(move) or cshogi.move_to(move) != cshogi.move_to(drop):
                continue
            squares, side, hand, _ = board.sfen().split()
            both = hands(hand)
            theirs = dict(both[not self.problem.attacker])
            for kind, n in both[self.problem.attacker].items():
                theirs[kind] = theirs.get(kind, 0) + n - before.get(kind, 0)
            text = ""
            for color, pieces in ((self.problem.attacker, before), (not self.problem.attacker, theirs)):
                text += "".join(f"{n}{k.lower() if color else k}" for k, n in pieces.items() if n)
            found.append(self.problem.board(f"{squares} {side} {text or '-'}"))
        board.pop()
        return found

    def is_futile(self, board, drop, plies):
        return any(self.hi_after(without)[0] <= plies for without in self.captures(board, drop))

    def hi_after(self, board):
        """Returns an upper bound."""
        moves, drops = self.replies(board)
        found = [later(self.after(board, move, self.hi)) for move in moves]
        plies = max((later(self.after(board, move, self.lo))[0] for move in moves), default=0)
        for same in drops.values():
            bounds = [later(self.after(board, drop, self.hi)) for drop in same]
            if not self.is_futile(board, same[0], plies):
                found += bounds
        return max(found, default=(0, not self.hand(board)))

    def lasts(self, board, reply, bound, exact=True):
        """Returns whether a defence proves a lower bound of the position before it."""
        if later(self.after(board, reply, self.lo, exact)) < bound:
            return False
        if not cshogi.move_is_drop(reply):
            return True
        # If the drop is futile, a move takes at least as many plies as the mate after its capture.
        plies = bound[0] + (2 if bound[1] else 0)
        if all(self.at_least(without, (plies, False), exact) for without in self.captures(board, reply)):
            return True
        return exact and self.is_needed(board, reply)

    def is_needed(self, board, drop):
        """Returns whether a drop is proved not to be futile."""
        moves = self.replies(board)[0]
        plies = max((later(self.after(board, move, self.hi))[0] for move in moves), default=0)
        return all(self.at_least(without, (plies + 1, False)) for without in self.captures(board, drop))

    def at_least(self, board, bound, exact=True):
        """Returns whether a lower bound is proved."""
        empty = not self.hand(board)
        if bound <= (0, empty):
            return True
        moves, drops = self.replies(board)
        replies = moves + [drop for same in drops.values() for drop in same]
        return any(self.lasts(board, reply, bound, exact) for reply in replies)

    def verify_bound(self, number, kind, bound, board, moves):
        if kind == "most":
            move, bound = self.problem.check(number, board, moves[0]), length(bound)
            if later(self.after(board, move, self.hi_after)) > bound:
                fail(number, "the mate may take longer")
        elif kind == "least":
            bound = later(length(bound), -1)
            for check in self.problem.checks(board):
                if not self.at_least(board, bound):
                    fail(number, f"the mate may be shorter: {cshogi.move_to_usi(check)}")
        elif bound == NEVER:

            def covered(board, reply):
                return self.after(board, reply, self.lo, False) == LONGEST

            self.problem.none(number, board, moves[0].split(), covered)
        else:
            plies = (int(bound) + 1, False)
            self.problem.none(
                number, board, moves[0].split(), lambda board, reply: self.lasts(board, reply, plies, False)
            )

    # The solution.

    def is_exact(self, board, bound):
        return self.hi(board) == self.lo(board) == bound

    def follow(self, number, board, bound, moves):
        """Makes moves of the solution on the board, and returns the positions before its checks."""
        places = [self.problem.place(board)]
        for check, defence in zip(moves[::2], moves[1::2]):
            if self.solution.get(self.problem.exact(board), [None])[0] != check:
                fail(number, f"{check} is not the solution")
            board.push(board.move_from_usi(check))
            reply = board.move_from_usi(defence)
            if reply not in list(board.legal_moves):
                fail(number, f"{defence} is not legal")
            if cshogi.move_is_drop(reply) and not self.is_needed(board, reply):
                fail(number, f"{defence} may be futile")
            board.push(reply)
            bound = later(bound, -2)
            if not self.is_exact(board, bound):
                fail(number, f"{defence} is not one of the best defences")
            places.append(self.problem.place(board))
        return places

    def start(self):
        return self.problem.board(self.problem.root.sfen().rsplit(" ", 1)[0])

    def verify_solution(self, number, moves):
        board = self.start()
        self.follow(number, board, self.bound_of_root, moves[:-1])
        bound = later(self.bound_of_root, 1 - len(moves))
        move = self.problem.check(number, board, moves[-1])
        if len(moves) % 2 == 0 or later(self.after(board, move, self.hi_after)) > bound:
            fail(number, "the solution may take longer")
        self.solution.setdefault(self.problem.exact(board), (moves[-1], bound, moves[:-1]))

    def alike(self, board, main, move):
        """Returns whether composers count two checks as one if they take equally long."""
        drops = [cshogi.move_is_drop(one) for one in (main, move)]
        texts = usi([main, move])
        if not any(drops):
            return texts[0][:4] == texts[1][:4]
        return all(drops) and texts[0][0] == texts[1][0] and (
            self.can_interpose(board, main, move) or self.can_interpose(board, move, main)
        )

    def can_interpose(self, board, far, near):
        return cshogi.move_to(near) in self.after(board, far, self.replies)[1]

    def verify_other(self, number, kind, moves, line, section):
        """Verifies a section about another check."""
        board = self.start()
        places = self.follow(number, board, self.bound_of_root, moves[:-1])
        main, bound, before = self.solution.get(self.problem.exact(board), (None, None, None))
        if before != moves[:-1] or main == moves[-1]:
            fail(number, "no other check of the solution")
        move = self.problem.check(number, board, moves[-1])
        is_alike = self.alike(board, board.move_from_usi(main), move)
        is_longer = self.after(board, move, self.at_least, (bound[0] + 1, False))
        if line:
            places += self.follow(number, self.problem.board(board.sfen().rsplit(" ", 1)[0]), bound, line[:-1])[1:]
        if kind == "cook" and bound[0] == 1 and before:
            fail(number, "another last move is no cook")
        if kind == "cook" and not line:
            if section.nodes or is_alike or later(self.after(board, move, self.hi_after)) > (bound[0], True):
                fail(number, "no cook as fast as the solution")
            self.others[tuple(moves)] = kind
            return
        if kind == "cook" and is_alike and not is_longer or kind == "detour" and not is_longer:
            fail(number, "the mate may be as fast as the solution")

        def forbidden(place):
            return any(board == place[0] and covers(hand, place[1]) for board, hand in places)

        def covered(place):
            return forbidden(place) or self.none.none(place) == NEVER

        section.verify(covered)
        board.push(move)
        replies = [self.after(board, reply, self.problem.place) for reply in list(board.legal_moves)]
        if kind == "cook":
            if any(forbidden(self.problem.place(node[1])) for node in section.nodes):
                fail(number, "the cook returns to the solution")
            proved = all(section.lines.mates(place, NEVER) for place in replies)
        else:
            proved = any(covered(place) or section.lines.none(place) == NEVER for place in replies)
        if not proved:
            fail(number, "not proved")
        self.others[tuple(moves)] = kind

    def verify_sound(self, number):
        """Verifies that the solution has all best defences, and that all other checks are refuted or tolerated."""
        if self.problem.exact(self.start()) not in self.solution:
            fail(number, "no solution")
        for main, bound, before in list(self.solution.values()):
            board = self.start()
            for text in before:
                board.push(board.move_from_usi(text))
            main = board.move_from_usi(main)
            for check in [move for move in list(self.problem.checks(board)) if move != main]:
                other = self.others.get((*before, cshogi.move_to_usi(check)))
                if bound[0] == 1 and before or other in ("refuted", "detour"):
                    continue
                is_alike = self.alike(board, main, check)
                board.push(check)
                replies = [self.after(board, reply, self.problem.place) for reply in list(board.legal_moves)]
                tolerated = is_alike and later(self.hi_after(board)) <= (bound[0], True)
                board.pop()
                if not tolerated and all(self.none.none(place) != NEVER for place in replies):
                    fail(number, f"not decided: {' '.join(before)} {cshogi.move_to_usi(check)}")
            if bound[0] == 1:
                continue
            board.push(main)
            moves, drops = self.replies(board)
            plies = max((later(self.after(board, move, self.lo))[0] for move in moves), default=0)
            for same in drops.values():
                if not self.is_futile(board, same[0], plies):
                    moves += same
            left = later(bound, -2)
            for move in moves:
                board.push(move)
                known = self.solution.get(self.problem.exact(board), (None, None))[1]
                if self.hi(board) >= left and known != left:
                    fail(number, f"not examined: {cshogi.move_to_usi(move)}: {board.sfen()}")
                board.pop()

    def verify(self, claim, plies):
        root = self.start()
        hand = {"sound": True, "leftover": False}.get(claim, self.hi(root)[1])
        self.bound_of_root = (plies, hand)
        if claim == "exact":
            if self.hi(root)[0] > plies or self.lo(root)[0] < plies:
                fail(2, "the length is not proved")
        elif not self.is_exact(root, self.bound_of_root):
            fail(2, "the length is not proved")
        for order, _, number, args in sorted(self.claims, key=lambda claim: claim[:3]):
            if order == 0:
                kind, bound, board, moves = args
                self.verify_bound(number, kind, bound, board, moves)
            elif order == 1:
                self.verify_solution(number, args)
            else:
                self.verify_other(number, *args)
        if claim in ("sound", "leftover"):
            self.verify_sound(2)
        if claim == "cooked" and "cook" not in self.others.values():
            fail(2, "no cook")


def check(lines):
    """Verifies the lines of a file, and returns the claim and its position."""
    if lines[0] != "sanban proof 1":
        fail(1, "not a proof")
    claim, rest = lines[1].split(" ", 1)
    plies, sfen = (0, rest) if claim == "nomate" else rest.split(" ", 1)
    problem = Problem(sfen)
    if claim in ("sound", "leftover", "cooked", "exact"):
        Verdict(problem, lines[2:]).verify(claim, int(plies))
        return f"{claim}, {plies} plies", sfen
    if claim not in ("mate", "nomate"):
        fail(2, f"unknown: {claim}")
    tree = Tree(problem, claim == "mate")
    for number, line in enumerate(lines[2:], 3):
        tree.add(number, line.split("\t"))
    place = problem.place(problem.root)
    if not (tree.lines.mates(place, int(plies)) if tree.is_mate else tree.lines.none(place) == NEVER):
        fail(2, "the problem itself is not covered")
    tree.verify()
    return (f"mate in {plies}" if tree.is_mate else "no mate"), sfen


def verify(path):
    with open(path, encoding="ascii") as file:
        lines = [line.rstrip("\n") for line in file]
    try:
        words, sfen = check(lines)
    except (ValueError, LookupError, AttributeError, RuntimeError, TypeError) as error:
        raise SystemExit(f"{path}: not a proof: {error!r}") from error
    print(f"{path}: {words} verified: {sfen}, {len(lines) - 2} lines")


if __name__ == "__main__":
    sys.setrecursionlimit(10_000)
    for name in sys.argv[1:]:
        verify(name)
