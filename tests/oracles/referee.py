"""Checks the rules of sanban against a referee: cshogi for shogi, Fairy-Stockfish (pyffish) for the other games.

    pip install pyffish cshogi
    python3 tests/oracles/referee.py target/release/sanban [--games 1000] [--self-play 200] [--only NAME]

Random games, from the start position and from the positions in `perft/`, and self-play games of sanban with few nodes.
After every move, both programs must list the same legal moves. If a self-play game ends by a rule, the referee must
also consider it over, with the same result; if it continues, the referee must not consider it over. The exit code is 1
if anything differs.

The following is not compared:

- `janggi` has a pass rule that Fairy-Stockfish cannot express. Its moves are those of `janggicasual`, without the pass
  if the general has another move.
- `janggimodern` and `janggi` of Fairy-Stockfish forbid the move that would repeat a position once more
  (`moveRepetitionIllegal`); sanban allows the move, and counts points at the third occurrence. Such moves (which were
  played in the last two dozen plies and are legal in the variant without this rule) and ends by repetition are not
  compared there.
- Dead material: Fairy-Stockfish has no such rule in Janggi. If sanban ends a self-play game by it, the referee only has
  to agree that neither side has won.
- Perpetual check and repetition in random games: the moves are compared, but not the ends.
- `dobutsu`: Fairy-Stockfish allows a lion to enter an attacked square of the last rank, whereas sanban allows the move
  only if the entry wins. These moves are removed from the referee's list. Fairy-Stockfish also continues after an entry
  that is safe for one move only, where sanban ends the game immediately.
- Entering king, the move limit (`MaxMovesToDraw`), and impasse: neither referee implements these rules.
"""

import argparse
import collections
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

import cshogi
import pyffish

HERE = pathlib.Path(__file__).parent
PERFT = HERE.parent.parent / "perft"
# Maximum length of a random game, in plies.
LONGEST = 160
# Files and ranks.
JANGGI = (9, 10)
# Number of plies that the rules look back, and the maximum number of further plies that are replayed: a call of pyffish
# takes as long as dozens of moves.
WINDOW = 8
STEP = 16


class Engine:
    """A running sanban process, which lists legal moves."""

    def __init__(self, path, options):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.send(*(f"setoption name {name} value {value}" for name, value in options.items()))

    def send(self, *lines):
        self.process.stdin.write("".join(line + "\n" for line in lines))
        self.process.stdin.flush()

    def moves(self, sfen, moves):
        """Returns the legal moves before each of these moves and after the last. The list ends at a rejected move."""
        lines = []
        for ply in range(len(moves) + 1):
            lines += [f"position sfen {sfen} moves {' '.join(moves[:ply])}", "moves"]
        self.send(*lines)
        found = []
        while len(found) <= len(moves):
            line = self.process.stdout.readline()
            if re.match(r"\d+ moves:", line):
                found.append(set(line.split(":")[1].split()))
            elif "sfen:" in line or not line:
                raise RuntimeError(f"{sfen} moves {' '.join(moves)}: {line!r}")
            elif "illegal" in line:
                refused = len(found)
                while len(found) <= len(moves):
                    if re.match(r"\d+ moves:", self.process.stdout.readline()):
                        found.append(None)
                return found[:refused]
        return found

    def start(self):
        """Returns the start position as SFEN."""
        self.send("position startpos", "d")
        return next(line[5:].strip() for line in self.process.stdout if line.startswith("sfen "))

    def close(self):
        self.process.stdin.close()
        self.process.wait()


class Fairy:
    """A variant of pyffish on a board of `files` and `ranks`, with moves in USI notation."""

    # Whether games end by repetition as in sanban.
    repeats = True

    def __init__(self, variant, files, ranks):
        self.variant, self.files, self.ranks = variant, files, ranks
        # The current game: its start position, its moves, and the known FENs by number of moves.
        self.start, self.moves, self.fens = None, [], {}

    def square(self, text):
        return f"{self.files - ord(text[0]) + ord('a')}{self.ranks - int(text[1:])}"

    def to_usi(self, move):
        def square(match):
            file = chr(ord("0") + self.files - (ord(match[1]) - ord("a")))
            return file + chr(ord("a") + self.ranks - int(match[2]))

        return re.sub(r"([a-i])(\d+)", square, move).replace("@", "*")

    def from_usi(self, move):
        def square(match):
            file = chr(ord("a") + self.files - int(match[1]))
            return file + str(self.ranks - (ord(match[2]) - ord("a")))

        return re.sub(r"(\d)([a-j])", square, move).replace("*", "@")

    def fen(self, sfen):
        board, side, hands = sfen.split()[:3]
        if hands != "-":
            hands = re.sub(r"(\d+)(\w)", lambda match: match[2] * int(match[1]), hands)
        pocket = f"[{hands}]" if self.files != 9 or self.ranks != 10 else ""
        return f"{board}{pocket} {'w' if side == 'b' else 'b'} - - 0 1"

    def follow(self, sfen, moves):
        """Returns a FEN and the moves from it to the position; the rules look back only a few moves."""
        moves = [self.from_usi(move) for move in moves]
        if self.start != sfen or self.moves != moves[: len(self.moves)]:
            self.start, self.fens = sfen, {0: self.fen(sfen)}
        self.moves = moves
        first = max(0, len(moves) - WINDOW) // STEP * STEP
        return self.fen_after(first), moves[first:]

    def fen_after(self, ply):
        """Returns the FEN after `ply` moves of the game."""
        if ply not in self.fens:
            last = max(known for known in self.fens if known < ply)
            self.fens[ply] = pyffish.get_fen(self.variant, self.fens[last], self.moves[last:ply])
        return self.fens[ply]

    def legal(self, sfen, moves):
        fen, moves = self.follow(sfen, moves)
        return {self.to_usi(move) for move in pyffish.legal_moves(self.variant, fen, moves)}

    def end(self, sfen, moves):
        """Returns the result for the side to move (1, 0 or -1), or `None` if the game continues."""
        fen, last = self.follow(sfen, moves)
        sign = lambda value: (value > 0) - (value < 0)
        over, value = pyffish.is_immediate_game_end(self.variant, fen, last)
        if over:
            return sign(value)
        if not pyffish.legal_moves(self.variant, fen, last):
            return sign(pyffish.game_result(self.variant, fen, last))
        seen = [self.fen_after(ply).split()[:2] for ply in range(len(moves) + 1)]
        if seen.count(seen[-1]) >= 3:
            over, value = pyffish.is_optional_game_end(self.variant, self.fens[0], self.moves)
            return sign(value) if over else None
        return None


class LiteralPass(Fairy):
    """Janggi by the written rules: no pass if the general has another move."""

    def legal(self, sfen, moves):
        found = super().legal(sfen, moves)
        passes = {move for move in found if move[:2] == move[2:]}
        general = {move for move in found - passes if any(move[:2] == wait[:2] for wait in passes)}
        return found - passes if general else found


class NoRepetitionRule(Fairy):
    """A variant of Janggi plus the moves that only its repetition rule forbids; `base` is the variant without the rule."""

    repeats = False

    def __init__(self, variant, base):
        super().__init__(variant, *JANGGI)
        self.base = base

    def legal(self, sfen, moves):
        found = super().legal(sfen, moves)
        if not found:
            return found
        fen, last = self.follow(sfen, moves)
        others = {self.to_usi(move) for move in pyffish.legal_moves(self.base, fen, last)} - found
        return found | (others & set(moves[-WINDOW - STEP :]))


class Dobutsu(Fairy):
    """Dobutsu shogi: the lion is captured, and enters the last rank only if it is safe there."""

    def legal(self, sfen, moves):
        if self.end(sfen, moves) is not None and moves:
            return set()
        found = super().legal(sfen, moves)
        lions = self.lions(sfen, moves)
        goal = "a" if lions["side"] == "w" else "d"
        return {move for move in found if not (move[:2] == lions["own"] and move[3] == goal and self.loses(sfen, moves, move))}

    def lions(self, sfen, moves):
        self.follow(sfen, moves)
        board, side = self.fen_after(len(moves)).split()[:2]
        letter = "L" if side == "w" else "l"
        for rank, row in enumerate(board.split("[")[0].split("/")):
            file = self.files
            for symbol in row.replace("+", ""):
                if symbol == letter:
                    return {"side": side, "own": f"{file}{chr(ord('a') + rank)}"}
                file -= int(symbol) if symbol.isdigit() else 1
        return {"side": side, "own": ""}

    def loses(self, sfen, moves, move):
        """Returns whether the lion can be captured on the last rank after a move."""
        after = [*moves, move]
        if self.end(sfen, after) is not None:
            return False
        return any(reply[2:4] == move[2:4] for reply in super().legal(sfen, after))


class Cshogi:
    """Shogi by the rules of cshogi."""

    repeats = True

    def __init__(self):
        self.start, self.moves, self.board, self.seen = None, [], None, []

    def follow(self, sfen, moves):
        if self.start != sfen or self.moves != moves[: len(self.moves)]:
            self.start, self.moves, self.board = sfen, [], cshogi.Board(sfen=sfen)
            self.seen = [self.board.sfen().split()[:3]]
        for move in moves[len(self.moves) :]:
            if self.board.push_usi(move) == 0:
                raise ValueError(move)
            self.seen.append(self.board.sfen().split()[:3])
        self.moves = list(moves)

    def legal(self, sfen, moves):
        self.follow(sfen, moves)
        return {cshogi.move_to_usi(move) for move in self.board.legal_moves}

    def end(self, sfen, moves):
        self.follow(sfen, moves)
        if self.board.is_game_over():
            return -1
        if self.seen.count(self.seen[-1]) < 4:
            return None
        return {cshogi.REPETITION_WIN: 1, cshogi.REPETITION_LOSE: -1}.get(self.board.is_draw(), 0)


VARIANTS = {
    "shogi": ("shogi", {}, Cshogi()),
    "janggi": ("janggi", {}, LiteralPass("janggicasual", *JANGGI)),
    "janggi-free": ("janggi", {"Janggi_Pass": "free"}, Fairy("janggicasual", *JANGGI)),
    "janggi-forced": ("janggi", {"Janggi_Pass": "forced"}, Fairy("janggiforced", *JANGGI)),
    "janggicasual": ("janggicasual", {}, Fairy("janggicasual", *JANGGI)),
    "janggitraditional": ("janggitraditional", {}, Fairy("janggitraditional", *JANGGI)),
    "janggimodern": ("janggimodern", {}, NoRepetitionRule("janggimodern", "janggicasual")),
    "janggi-counting": (
        "janggicasual",
        {"Janggi_Bikjang": "true", "Janggi_Counting": "true"},
        NoRepetitionRule("janggi", "janggitraditional"),
    ),
    "dobutsu": ("dobutsu", {}, Dobutsu("dobutsu", 3, 4)),
    "dobutsumate": ("dobutsumate", {}, Fairy("dobutsumate", 3, 4)),
}


def positions_of(game):
    """Returns the positions in the perft files of a game."""
    found = []
    for name in (game, "janggi" if game.startswith("janggi") else game):
        path = PERFT / f"{name}.perft"
        if path.exists():
            rows = path.read_text().splitlines()
            found += [row.split(" ;D")[0] for row in rows if row and not row.startswith("#")]
    return found


def self_play(path, game, options, count):
    """Yields the records of self-play games of sanban."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "games"
        command = [path, "match", "-", "-", "--game", game, "--games", str(count), "--out", str(out)]
        command += ["--go-a", "nodes 60", "--go-b", "nodes 150", "--seed", "7"]
        for name, value in options.items():
            command += ["--option", f"{name}={value}"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for line in out.read_text().splitlines()[1:]:
            yield json.loads(line)


class Referee:
    """Counts comparisons and prints differences."""

    def __init__(self):
        self.positions, self.differences, self.ends = 0, 0, collections.Counter()

    def differ(self, sfen, moves, text):
        self.differences += 1
        if self.differences <= 10:
            print(f"  {text}\n    position sfen {sfen} moves {' '.join(moves)}", flush=True)

    def compare(self, sfen, moves, ours, theirs):
        """Compares the legal moves; returns whether they are equal."""
        self.positions += 1
        if ours != theirs:
            mine, others = sorted(ours - theirs), sorted(theirs - ours)
            self.differ(sfen, moves, f"only sanban: {mine}, only the referee: {others}")
        return ours == theirs


def random_game(referee, engine, oracle, sfen, choice):
    """Plays a random game with the referee's moves, up to the first difference."""
    moves, lists = [], []
    while len(moves) < LONGEST:
        lists.append(oracle.legal(sfen, moves))
        if not lists[-1]:
            break
        moves.append(choice.choice(sorted(lists[-1])))
    for ply, (ours, theirs) in enumerate(zip(engine.moves(sfen, moves), lists)):
        if not referee.compare(sfen, moves[:ply], ours, theirs):
            return


def played_game(referee, engine, oracle, start, record):
    words = record["opening"].split()
    at = words.index("moves") if "moves" in words else len(words)
    sfen = start if words[0] == "startpos" else " ".join(words[words[0] == "sfen" : at])
    moves = [*words[at + 1 :], *record["moves"]]
    for ply, legal in enumerate(engine.moves(sfen, moves)):
        before = moves[:ply]
        referee.compare(sfen, before, legal, oracle.legal(sfen, before))
        if ply < len(moves) and moves[ply] not in legal:
            return referee.differ(sfen, before, f"{moves[ply]} was played")
        over = oracle.end(sfen, before)
        if ply < len(moves):
            if over is not None:
                referee.differ(sfen, before, f"sanban continues, the result of the referee is {over}")
        elif record["reason"] in ("no-move", "rule"):
            result = {"win": 1, "draw": 0, "loss": -1}[record["result"]]
            black = len(before) % 2 == (sfen.split()[1] == "w")
            mine = result * (1 if (record["black"] == "a") == black else -1)
            referee.ends[f"{record['reason']} {'with' if legal else 'without'} moves"] += 1
            if over is None and legal and (mine == 0 or not oracle.repeats):
                referee.ends["by a rule that the referee does not have"] += 1
            elif over != mine:
                referee.differ(sfen, before, f"sanban: {mine} by {record['reason']}, the referee: {over}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("engine")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--self-play", type=int, default=200)
    parser.add_argument("--only", action="append", choices=VARIANTS)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    pyffish.load_variant_config((HERE / "fairy-variants.ini").read_text())
    failed = False
    for name in args.only or VARIANTS:
        game, options, oracle = VARIANTS[name]
        engine, referee = Engine(args.engine, {"USI_Variant": game, **options}), Referee()
        start, positions, choice = engine.start(), positions_of(game), random.Random(args.seed)
        for number in range(args.games):
            sfen = start if number % 2 == 0 else choice.choice(positions)
            random_game(referee, engine, oracle, sfen, choice)
        for record in self_play(args.engine, game, options, args.self_play) if args.self_play else ():
            played_game(referee, engine, oracle, start, record)
        engine.close()
        ends = ", ".join(f"{count} {reason}" for reason, count in sorted(referee.ends.items()))
        print(f"{name}: {referee.positions} positions, {referee.differences} differences; {ends}", flush=True)
        failed |= referee.differences > 0
    sys.exit(failed)


if __name__ == "__main__":
    main()
