"""Exchanges game records between sanban and cshogi (https://pypi.org/project/cshogi/).

    pip install cshogi
    python3 tests/oracles/cshogi_records.py target/release/sanban [GAMES] [--keep FILE]

Random games are converted in both directions: sanban writes and cshogi reads, then cshogi writes and sanban reads. A
game that is rejected or read with different moves is reported with the reason. --keep stores the games in a file, one
SFEN with moves per line.

Known limits of cshogi 1.1 are avoided. Its KIF and KI2 readers skip diagrams, so every game starts from the even
position or a named handicap. Its KI2 reader finds at most two moves per line (it counts the third from the start of the
line), so every move gets its own line. It counts drops as candidates of 右 and 引, and any piece on the same file as a
candidate of 直, so about five games in a thousand differ. Its KI2 writer does not support handicaps, so it writes only
even games.
"""

import argparse
import collections
import os
import random
import subprocess
import tempfile

import cshogi
from cshogi import CSA, KI2, KIF

NAMES = ["羽生 善治", "Bonanza 6.0"]
LONGEST = 150


def random_games(count):
    """Returns the start position, handicap name and moves (in cshogi's encoding) of random games."""
    handicaps = [(name, sfen) for name, sfen in KIF.Parser.HANDYCAP_SFENS.items() if sfen]
    choice = random.Random(1)
    out = []
    for number in range(count):
        name, sfen = handicaps[0] if number % 2 == 0 else choice.choice(handicaps)
        board = cshogi.Board(sfen=sfen)
        moves = []
        for _ in range(choice.randrange(1, LONGEST)):
            legal = list(board.legal_moves)
            if not legal:
                break
            moves.append(choice.choice(legal))
            board.push(moves[-1])
        out.append((sfen, name, moves))
    return out


def usi(moves):
    return [cshogi.move_to_usi(move) for move in moves]


def line(sfen, moves):
    return " ".join(["sfen", sfen, "moves", *usi(moves)])


def convert(program, files, folder, to):
    """Converts files into a directory; returns the error messages."""
    done = subprocess.run(
        [program, "convert", "--to", to, "--out", folder, *files], capture_output=True, text=True
    )
    return [line for line in done.stderr.splitlines() if line.startswith("sanban: ")]


def read_ki2(path):
    with open(path, encoding="cp932") as file:
        text = file.read()
    return KI2.Parser.parse_str(text.replace(" ▲", "\n▲").replace(" △", "\n△"))


def report(what, total, failures):
    print(f"{what:<28} {total - sum(failures.values())} of {total} the same")
    for reason, count in failures.most_common():
        print(f"    {count}: {reason}")


def read_by_cshogi(program, games, folder):
    source = os.path.join(folder, "games.sfen")
    with open(source, "w") as out:
        out.writelines(line(sfen, moves) + "\n" for sfen, _, moves in games)
    readers = {"kif": KIF.Parser.parse_file, "kifu": KIF.Parser.parse_file, "ki2": read_ki2}
    for kind in ["kif", "kifu", "ki2", "csa"]:
        failures = collections.Counter(convert(program, [source], folder, kind))
        if kind == "csa":
            results = CSA.Parser.parse_file(os.path.join(folder, "games.csa"))
        for number, (sfen, name, moves) in enumerate(games):
            try:
                if kind == "csa":
                    parser = results[number]
                else:
                    parser = readers[kind](os.path.join(folder, f"games-{number + 1}.{kind}"))
                found = usi(parser.moves)
            except Exception as error:
                failures[f"{type(error).__name__}: {error}"] += 1
                continue
            wanted = usi(moves)
            if parser.sfen.split()[:3] != sfen.split()[:3]:
                failures[f"{name}: different start position"] += 1
            elif found != wanted:
                at = next((i for i, pair in enumerate(zip(found, wanted)) if pair[0] != pair[1]), len(found))
                failures[f"game {number + 1}: differs at move {at + 1} of {len(wanted)}: {found[at:at + 1]}"] += 1
        report(f"sanban {kind} read by cshogi", len(games), failures)


def write_kif(path, game):
    _, name, moves = game
    exporter = KIF.Exporter(path)
    exporter.header(NAMES, handicap=name)
    for move in moves:
        exporter.move(move)
    exporter.end("resign")
    exporter.close()


def write_diagram(path, game):
    sfen, _, moves = game
    exporter = KIF.Exporter(path)
    exporter.header(NAMES, handicap="sfen " + sfen)
    for move in moves:
        exporter.move(move)
    exporter.close()


def write_ki2(path, game):
    exporter = KI2.Exporter(path)
    exporter.header(NAMES)
    for move in game[2]:
        exporter.move(move)
    exporter.end("%TORYO")
    exporter.close()


def write_csa(path, game):
    sfen, _, moves = game
    exporter = CSA.Exporter(path)
    exporter.info(init_board=cshogi.Board(sfen=sfen), names=NAMES, version="V2.2")
    for move in moves:
        exporter.move(move)
    exporter.endgame("%TORYO")
    exporter.close()


def read_by_sanban(program, games, folder):
    kinds = [("kif", write_kif), ("kifu", write_kif), ("bod.kifu", write_diagram), ("ki2", write_ki2), ("csa", write_csa)]
    for kind, write in kinds:
        some = [game for game in games if kind != "ki2" or game[1] == "平手"]
        inside, outside = os.path.join(folder, "in-" + kind), os.path.join(folder, "out-" + kind)
        os.mkdir(inside)
        paths = [os.path.join(inside, f"{number}.{kind}") for number in range(len(some))]
        for path, game in zip(paths, some):
            write(path, game)
        failures = collections.Counter()
        for failure in convert(program, paths, outside, "sfen"):
            failures[failure] += 1
        for path, (sfen, name, moves) in zip(paths, some):
            name = os.path.splitext(os.path.basename(path))[0] + ".sfen"
            try:
                with open(os.path.join(outside, name)) as file:
                    found = file.read().split()
            except FileNotFoundError:
                continue
            wanted = line(sfen, moves).split()
            if found[1:4] + found[6:] != wanted[1:4] + wanted[6:]:
                failures[f"{path}: different moves"] += 1
        report(f"cshogi {kind} read by sanban", len(some), failures)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("program")
    arguments.add_argument("games", nargs="?", type=int, default=1000)
    arguments.add_argument("--keep")
    arguments = arguments.parse_args()
    program = os.path.abspath(arguments.program)
    games = random_games(arguments.games)
    if arguments.keep:
        with open(arguments.keep, "w") as out:
            out.writelines(line(sfen, moves) + "\n" for sfen, _, moves in games)
    with tempfile.TemporaryDirectory() as folder:
        read_by_cshogi(program, games, folder)
        read_by_sanban(program, games, folder)


main()
