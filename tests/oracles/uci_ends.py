"""Compares how games of Janggi end over UCI and CECP with pyffish, the referee.

    pip install pyffish
    python tests/oracles/uci_ends.py target/release/sanban [GAMES [VARIANT ...]]
    python tests/oracles/uci_ends.py --cases GAMES > tests/data/janggi_ends.txt

Plays GAMES games of each variant (default 500), alternately over UCI and over CECP, from a few random moves or from a
random endgame whose halfmove clock is advanced. Over UCI, every answer must be a legal move while there is one, even
after a rule that players may claim has ended the game, and `(none)` otherwise. Over CECP, the engine must announce the
end exactly when the referee sees it, with the same result. With `--cases`, games of random moves with their ends are
written instead; a test of the rules replays them.
"""

import random
import re
import subprocess
import sys

import pyffish

VARIANTS = ["janggi", "janggicasual", "janggitraditional", "janggimodern"]
LONGEST = 260
NODES = 60


class Engine:
    def __init__(self, path, greeting, answer):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.ask(greeting, answer)

    def ask(self, text, end):
        """Sends lines; returns the answers up to the one that begins with `end`."""
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()
        lines = []
        while not lines or not lines[-1].startswith(end):
            line = self.process.stdout.readline()
            if not line:
                raise SystemExit("the engine has exited")
            lines.append(line.strip())
        return lines


def end(variant, fen, moves):
    """The result for the side to move (1, 0 or -1) if the game is over, otherwise `None`; and the legal moves."""
    legal = pyffish.legal_moves(variant, fen, moves)
    over, value = pyffish.is_immediate_game_end(variant, fen, moves)
    if not over and not legal:
        over, value = True, pyffish.game_result(variant, fen, moves)
    if not over:
        over, value = pyffish.is_optional_game_end(variant, fen, moves)
    return ((value > 0) - (value < 0) if over else None), legal


def endgame(rng):
    """A random position with few pieces, in which the side to move cannot capture the general."""
    while True:
        board = [["."] * 9 for _ in range(10)]
        for letter, ranks in (("K", (7, 9)), ("k", (0, 2))):
            board[rng.randint(*ranks)][rng.randint(3, 5)] = letter
        for letter in rng.sample("RRCCNNBBPPPPPrrccnnbbppppp", k=rng.randint(2, 6)):
            # Soldiers never stand behind the rank on which they begin.
            square = rng.randrange(*{"P": (0, 63), "p": (27, 90)}.get(letter, (0, 90)))
            if board[square // 9][square % 9] == ".":
                board[square // 9][square % 9] = letter
        rows = [re.sub(r"\.+", lambda dots: str(len(dots[0])), "".join(row)) for row in board]
        clock = rng.choice([0, 0, 60, 90, 95, 150, 190])
        fen = f"{'/'.join(rows)} {rng.choice('wb')} - - {clock} {100 + clock // 2}"
        other = fen.replace(" w ", " X ").replace(" b ", " w ").replace(" X ", " b ")
        if not pyffish.gives_check("janggicasual", other, []):
            return fen


def beginning(variant, rng):
    if rng.random() < 0.5:
        return endgame(rng), []
    fen, moves = pyffish.start_fen(variant), []
    for _ in range(8):
        legal = pyffish.legal_moves(variant, fen, moves)
        if not legal:
            break
        moves.append(rng.choice(legal))
    return fen, moves


def uci_game(engine, variant, fen, moves):
    """Plays a game over UCI; returns how it differs from what the referee expects, or `None`."""
    while len(moves) < LONGEST:
        result, legal = end(variant, fen, moves)
        position = f"position fen {fen} moves {' '.join(moves)}"
        best = engine.ask(f"{position}\ngo nodes {NODES}", "bestmove")[-1].split()[1]
        if best not in legal and (legal or best != "(none)"):
            return f"{position}: bestmove {best}"
        if result is not None:
            return None
        moves.append(best)
    return None


RESULTS = {"1-0": 1, "0-1": -1, "1/2-1/2": 0}


def from_cecp(move, king):
    """A move of CECP, whose ranks are counted from 0, as a move of UCI."""
    if move == "@@@@":
        return king + king
    return re.sub(r"([a-i])(\d)", lambda square: f"{square[1]}{int(square[2]) + 1}", move)


def cecp_game(engine, variant, fen, moves, number):
    """Plays a game over CECP, in which the engine announces the end."""
    fen, moves = pyffish.get_fen(variant, fen, moves), []
    engine.ask(f"new\nvariant {variant}\nforce\nsetboard {fen}\nping {number}", f"pong {number}")
    for ply in range(LONGEST):
        result, legal = end(variant, fen, moves)
        lines = engine.ask(f"go\nping {number}.{ply}", f"pong {number}.{ply}")
        said = [RESULTS[line.split()[0]] for line in lines if line.split() and line.split()[0] in RESULTS]
        played = [line.split()[1] for line in lines if line.startswith("move ")]
        white = pyffish.get_fen(variant, fen, moves).split()[1] == "w"
        if result is not None:
            expected = result if white else -result
            ok = said[:1] == [expected] and not played
            return None if ok else f"{variant}: {fen} moves {' '.join(moves)}: expected {expected}, found {lines}"
        passes = [move for move in legal if re.fullmatch(r"([a-i]\d+)\1", move)]
        move = from_cecp(played[0], passes[0][: len(passes[0]) // 2] if passes else "") if played else None
        if move not in legal:
            return f"{variant}: {fen} moves {' '.join(moves)}: the game goes on, found {lines}"
        moves.append(move)
        if said and end(variant, fen, moves)[0] is None:
            return f"{variant}: {fen} moves {' '.join(moves)}: announced too early: {lines}"
    return None


def random_game(variant, rng):
    """A game of random moves, in which pieces often return and sides often pass."""
    fen, moves = (endgame(rng), []) if rng.random() < 0.9 else (pyffish.start_fen(variant), [])
    restless = rng.random()
    for _ in range(LONGEST):
        result, legal = end(variant, fen, moves)
        if result is not None:
            return fen, moves, result
        back = ""
        if len(moves) > 1 and rng.random() < restless:
            squares = re.findall(r"[a-i]\d+", moves[-2])
            back = squares[1] + squares[0]
        passes = [move for move in legal if re.fullmatch(r"([a-i]\d+)\1", move)]
        if passes and rng.random() < 0.05:
            moves.append(passes[0])
        elif back in legal:
            moves.append(back)
        else:
            checks = [move for move in legal if pyffish.gives_check(variant, fen, [*moves, move])]
            moves.append(rng.choice(checks if checks and rng.random() < restless else legal))
    return None


def write_cases(count):
    print("# Variant, FEN, moves, and the result for the side to move: random games up to the end that pyffish sees.")
    for variant in VARIANTS:
        rng = random.Random(variant)
        games = (random_game(variant, rng) for _ in iter(int, 1))
        cases = (game for game in games if game and game[1])
        for _ in range(count):
            fen, moves, result = next(cases)
            print(f"{variant}\t{fen}\t{' '.join(moves)}\t{result}")


def main():
    if sys.argv[1] == "--cases":
        return write_cases(int(sys.argv[2]))
    program = sys.argv[1]
    games = int(sys.argv[2]) if len(sys.argv) > 2 else 500
    wrong = 0
    for variant in sys.argv[3:] or VARIANTS:
        rng = random.Random(variant)
        uci = Engine(program, "uci", "uciok")
        uci.ask(f"setoption name UCI_Variant value {variant}\nisready", "readyok")
        cecp = Engine(program, "xboard\nprotover 2", "feature done=1")
        cecp.ask(f"easy\noption NodesLimit={NODES}\nsd 30\nping 0", "pong 0")
        for number in range(games):
            fen, moves = beginning(variant, rng)
            if number % 2:
                difference = cecp_game(cecp, variant, fen, moves, number)
            else:
                difference = uci_game(uci, variant, fen, moves)
            if difference:
                wrong += 1
                print(difference, flush=True)
        print(f"{variant}: {games} games; differences so far: {wrong}", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
