"""Checks the reasons in the output of `sanban analyze --format json` for games of Janggi and Dobutsu shogi.

    pip install pyffish
    sanban analyze games --format json --nodes 5000 --out judged
    python3 tests/oracles/plain_reasons.py judged/*.jsonl

The rules are those of pyffish; exchanges are played out by a simple search in this script. Claims based on the engine's
search are counted, but not checked. Every false claim is printed; the exit code is 1 if there is any.
"""

import argparse
import collections
import functools
import json
import sys

import pyffish

VALUES = {
    "janggi": {"K": 15000, "A": 150, "R": 650, "C": 350, "N": 250, "B": 150, "P": 100},
    "dobutsu": {"L": 5000, "G": 300, "E": 250, "C": 100, "+C": 350},
}
SIZES = {"janggi": (9, 10), "dobutsu": (3, 4)}
# Records of Janggi are judged without the rule of facing generals.
VARIANTS = {"dobutsumate": "dobutsu", "janggi": "janggicasual"}
WORTH = 150
SACRIFICE = 200
KING = 4000


def family(game):
    return "dobutsu" if game.startswith("dobutsu") else "janggi"


class Position:
    """A position of pyffish: a variant and a FEN."""

    def __init__(self, game, fen):
        self.game, self.fen = game, fen
        self.files, self.ranks = SIZES[family(game)]
        self.variant = VARIANTS.get(game, game)

    @staticmethod
    def read(game, sfen):
        """Reads an SFEN, in which the first player is `b` and the hands are a separate field."""
        board, side, hands, number = sfen.split()[:4]
        side = "w" if side == "b" else "b"
        if family(game) == "janggi":
            board = board.replace("H", "N").replace("h", "n").replace("E", "B").replace("e", "b")
            return Position(game, f"{board} {side} - - 0 {number}")
        held, count = "", 1
        for letter in hands.replace("-", ""):
            if letter.isdigit():
                count = int(letter)
            else:
                held, count = held + letter * count, 1
        return Position(game, f"{board}[{held or '-'}] {side} 0 {number}")

    def square(self, text):
        """Converts a square such as `5e` to the notation of pyffish."""
        file, rank = int(text[:-1]), ord(text[-1]) - ord("a")
        return f"{chr(ord('a') + self.files - file)}{self.ranks - rank}"

    def move(self, usi):
        if "*" in usi:
            letter, to = usi.split("*")
            return f"{letter}@{self.square(to)}"
        usi, plus = usi.removesuffix("+"), usi.endswith("+")
        cut = 2
        return self.square(usi[:cut]) + self.square(usi[cut:]) + ("+" if plus else "")

    @functools.cached_property
    def moves(self):
        return pyffish.legal_moves(self.variant, self.fen, [])

    @functools.cached_property
    def board(self):
        """The letter of each piece, by square."""
        out, rows = {}, self.fen.split()[0].split("[")[0].split("/")
        for number, row in enumerate(rows):
            file, plus, digits = 0, "", ""
            for letter in row:
                if letter.isdigit():
                    digits += letter
                    continue
                file, digits = file + int(digits or 0), ""
                if letter == "+":
                    plus = "+"
                    continue
                out[f"{chr(ord('a') + file)}{self.ranks - number}"] = plus + letter
                file, plus = file + 1, ""
        return out

    def value(self, square):
        piece = self.board.get(square)
        return VALUES[family(self.game)][piece.upper()] if piece else 0

    def gain(self, move):
        plus = VALUES["dobutsu"]["+C"] - VALUES["dobutsu"]["C"] if move.endswith("+") else 0
        return self.value(target(move)) + plus

    def after(self, move):
        return Position(self.game, pyffish.get_fen(self.variant, self.fen, [move]))

    def passed(self):
        parts = self.fen.split()
        parts[1] = "b" if parts[1] == "w" else "w"
        return Position(self.game, " ".join(parts))

    def in_check(self):
        return pyffish.gives_check(self.variant, self.fen, [])

    def captures(self):
        moves = [move for move in self.moves if target(move) in self.board and target(move) != origin(move)]
        if family(self.game) == "janggi":
            return moves
        # Captures after which the lion can be captured are legal, but do not count.
        return [move for move in moves if self.gain(move) >= KING or not self.after(move).takes_lion()]

    def takes_lion(self):
        return any(self.gain(move) >= KING for move in self.moves)

    def exchange(self, move):
        """Returns a move's gain minus the best sequence of optional captures on its square."""
        to = target(move)
        if self.gain(move) >= KING:
            return self.gain(move)
        then = self.after(move)
        best = max((then.exchange(answer) for answer in then.captures() if target(answer) == to), default=0)
        return self.gain(move) - max(0, best)

    def stays(self, square):
        """Returns whether the side to move gains nothing by capturing on a square."""
        return all(self.exchange(move) <= 0 for move in self.captures() if target(move) == square)

    def best_on(self, square):
        return max((self.exchange(move) for move in self.captures() if target(move) == square), default=0)


def split(move):
    """Splits a move into origin and target. Squares of Janggi have up to three characters."""
    move = move.rstrip("+")
    if "@" in move:
        return None, move.split("@")[1]
    cut = 2 if not (len(move) > 2 and move[2].isdigit()) else 3
    return move[:cut], move[cut:]


def origin(move):
    return split(move)[0]


def target(move):
    return split(move)[1]


def check(previous, record, reason):
    """Returns True, False, or None if the claim was not decided."""
    game, fact = record["game"], reason["fact"]
    before = Position.read(game, record["sfen"])
    move = before.move(reason["move"])
    if move not in before.moves:
        return None
    after, to = before.after(move), target(move)
    worth = reason.get("target", {}).get("gain", 0)
    square = before.square(reason["target"]["square"]) if "target" in reason else None
    answer = before.move(reason["line"][0]) if reason["line"] else None
    if fact == "ends":
        return not after.moves or pyffish.is_immediate_game_end(after.variant, after.fen, [])[0] or None
    if fact.startswith("allows-") and fact != "allows-mate":
        # The merit of the answer is checked as if the answer had been played.
        inner = {"allows-threat": "threatens-mate", "allows-promotion": "promotes", "allows-gain": "wins", "allows-attack": "threatens"}
        fact = inner.get(fact, fact.removeprefix("allows-"))
        before, move, previous = after, answer, record | {"move": reason["move"]}
        if move not in before.moves:
            return False
        after, to = before.after(move), target(move)
    if fact == "accepts":
        return before.exchange(move) == worth >= WORTH
    if fact == "exchanges":
        even = -WORTH < before.exchange(move) == worth < WORTH
        return even and before.value(to) >= WORTH and any(target(answer) == to for answer in after.captures())
    if fact == "promotes":
        return move.endswith("+") and before.exchange(move) == worth >= WORTH and after.stays(to)
    if fact in ("wins", "recaptures"):
        given = None
        if previous and "move" in previous:
            earlier = Position.read(game, previous["sfen"])
            last = earlier.move(previous["move"])
            if target(last) == to and to in earlier.board and origin(last) != to:
                given = earlier.value(to)
        back = given is not None and given >= WORTH
        return before.exchange(move) == worth >= WORTH and back == (fact == "recaptures")
    if fact == "hangs":
        return answer in after.moves and after.exchange(answer) == worth >= WORTH
    if fact == "saves":
        passed = before.passed()
        old = passed.exchange(answer) if answer in passed.moves and target(answer) == square else 0
        now = to if origin(move) == square else square
        return old >= WORTH and after.best_on(now) <= 0
    if fact in ("threatens", "threatens-promotion"):
        passed = after.passed()
        if after.in_check() or answer not in passed.moves:
            return None
        gain = passed.exchange(answer)
        if fact == "threatens-promotion":
            old = before.exchange(answer) if answer in before.moves else 0
            return gain >= WORTH and answer.endswith("+") and (origin(answer) == to or old < WORTH)
        known = before.best_on(square) >= WORTH and before.board.get(square) == passed.board.get(square)
        return gain == worth >= WORTH and not known
    if fact == "sacrifice":
        return -before.exchange(move) >= SACRIFICE
    passed = after.passed()
    winning = [capture for capture in passed.captures() if passed.gain(capture) < KING]
    winning = [capture for capture in winning if passed.exchange(capture) >= WORTH]
    if fact == "fork":
        squares = {target(capture) for capture in winning if origin(capture) == to}
        return len(squares) >= 2 and after.stays(to)
    if fact == "discovered-attack":
        old = before.captures()
        return any(origin(capture) != to and capture not in old for capture in winning)
    return None


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("files", nargs="+")
    arguments = arguments.parse_args()
    counts = collections.Counter()
    for path in arguments.files:
        with open(path, encoding="utf-8") as file:
            records = [json.loads(line) for line in file]
        records = [record for record in records if "sfen" in record]
        for previous, record in zip([None, *records], records):
            for reason in record.get("reasons", []) + record.get("better", []):
                result = check(previous, record, reason)
                counts[record["game"], reason["fact"], result] += 1
                if result is False:
                    print(f"false: {path} ply {record['ply']} {reason['move']}: {reason['en']}")
    for (game, fact, result), count in sorted(counts.items(), key=str):
        print(f"{game} {fact}: {count} {'true' if result else 'false' if result is False else 'not decided'}")
    return 1 if any(result is False for _, _, result in counts) else 0


if __name__ == "__main__":
    sys.exit(main())
