#!/usr/bin/env python3
"""Extreme values in every option, flipped bits in the program's own files, and writers on a full disk.

    tests/hostile/extremes.py target/release/sanban [--runs 1000] [--flips 500] [--seed 1] [--full DIR]

Every run must end by itself with a known exit code and without a panic. A file with a flipped bit must be refused or be
read as what it now says: the program must not crash. With `--full`, DIR is a small file system, such as
`mount -t tmpfs -o size=1m tmpfs DIR`, that the script fills: each writer must exit with 1 and a sentence, and leave no
file that looks complete.
"""

import argparse
import collections
import os
import random
import re
import subprocess
import tempfile
from pathlib import Path

NUMBERS = [
    "0",
    "1",
    "-1",
    "2",
    "255",
    "65536",
    "2147483648",
    "4294967296",
    "18446744073709551615",
    "99999999999999999999999",
    "1e308",
    "nan",
    "inf",
    "-inf",
    "0.5",
    "",
    " ",
    "x",
    "1,2",
    "0/0",
    "3/2",
    "\u0660",
]
MATE = "4k4/9/4P4/9/9/9/9/9/9 b G 1"
GAME = "PI\n+\n+7776FU\n-3334FU\n+2726FU\n-8384FU\n%TORYO\n"
BOOK = (
    "#YANEURAOU-DB2016 1.00\nsfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n7g7f 3c3d 40 32 1\n"
)
# Commands with small work, so that an option whose extreme value is accepted ends soon.
COMMANDS = [
    "perft 2",
    "perft 1 --kinds",
    "bench 1",
    "eval",
    "selfplay --games 2 --nodes 20 --out OUT/games",
    "match - - --games 2 --max-moves 4",
    "mate MATE",
    "convert --to kif IN/game.csa",
    "convert --repair --from western --to usi IN/scan.txt",
    "analyze --nodes 10 --out OUT/analysis IN/game.csa",
    "book show IN/book.db",
    "book merge IN/book.db --out OUT/merged.db",
    "book prune IN/book.db --out OUT/pruned.db",
    "book from-games IN/game.csa --out OUT/new.db",
    "book think IN/book.db --nodes 20 --positions 2 --out OUT/thought.db",
    "book minimax IN/book.db --out OUT/min.db",
    "psv IN/games/shogi-1-000000.games --out OUT/positions.bin",
    "train --data IN/games --out OUT/net.nnue --hidden 32 --epochs 1",
    "problems --nodes 10 IN/game.csa",
    "probe --game janggi --table IN",
    "solve --game janggi --pieces KNvK --out OUT/table",
]
WRITERS = [
    "selfplay --games 4000 --nodes 5 --out OUT/games",
    "match - - --games 400 --go depth=1 --max-moves 20 --out OUT/match",
    "match - - --games 4 --go depth=1 --max-moves 20 --pgn OUT/games.pgn --out OUT/match2",
    "mate --proof OUT/proof MATE",
    "convert --to kif --out OUT/kif IN/game.csa",
    "analyze --nodes 10 --out OUT/analysis IN/game.csa",
    "book merge IN/book.db --out OUT/merged.db",
    "book prune IN/book.db --out OUT/pruned.db --moves 1",
    "book from-games IN/game.csa --out OUT/new.db",
    "book think IN/book.db --nodes 20 --positions 2 --out OUT/thought.db",
    "book minimax IN/book.db --out OUT/min.db",
    "psv IN/games/shogi-1-000000.games --out OUT/positions.bin",
    "train --data IN/games --out OUT/net.nnue --hidden 32 --epochs 1",
    "solve --game janggi --pieces KNvK --out OUT/table",
]


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("program", type=os.path.abspath)
    arguments.add_argument("--runs", type=int, default=1000)
    arguments.add_argument("--flips", type=int, default=500)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--full", type=lambda path: Path(path).absolute())
    arguments = arguments.parse_args()
    choice = random.Random(arguments.seed)
    folder = Path(tempfile.mkdtemp(prefix="sanban-extremes-"))
    (folder / "in").mkdir()
    for name, text in [("game.csa", GAME), ("book.db", BOOK), ("scan.txt", "1.P7f P3d 3.P2e P8e 4.G7h G3b\n")]:
        (folder / "in" / name).write_text(text)
    bad, codes = [], collections.Counter()

    def run(words, out, wanted=(0, 1, 2, 3), seconds=30):
        words = [word.replace("OUT", str(out)).replace("IN/", f"{folder}/in/").replace("MATE", MATE) for word in words]
        words = [word.replace("depth=1", "depth 1").replace("~", " ") for word in words]
        limit = [
            "timeout",
            "-k",
            "5",
            str(seconds),
            "bash",
            "-c",
            'ulimit -v 3000000; exec "$@"',
            "-",
            arguments.program,
        ]
        try:
            done = subprocess.run(limit + words, input=b"", capture_output=True, timeout=seconds + 30, cwd=out)
        except ValueError:
            return None
        said = done.stderr.decode(errors="replace")
        codes[done.returncode] += 1
        # Work that is large because an option says so may take long.
        if (
            "panicked" in said
            or done.returncode not in wanted + ((124,) if seconds == 30 else ())
            or done.returncode == 2
            and not said.strip()
        ):
            bad.append((words, done.returncode, said[:300]))
            print("FAULT", words, done.returncode, said[:300], flush=True)
        return done

    run("selfplay --games 400 --nodes 5 --out IN/games".split(), folder, (0,), 600)
    options = {}
    for command in COMMANDS:
        words = command.split()
        name = words[:2] if words[0] == "book" else words[:1]
        text = subprocess.run([arguments.program, *name, "--help"], capture_output=True, text=True).stdout
        options[command] = re.findall(r"^ +(--[a-z0-9-]+) <", text, flags=re.M)
    for _ in range(arguments.runs):
        command = choice.choice(COMMANDS)
        option = choice.choice(options[command] or ["--hash"])
        if option in ("--out", "--table", "--page", "--pgn", "--logs", "--problems", "--threads", "--concurrency"):
            continue
        words = [word for word in command.split()]
        if option in words:
            del words[words.index(option) : words.index(option) + 2]
        with tempfile.TemporaryDirectory(dir=folder) as out:
            run(words + [f"{option}={choice.choice(NUMBERS)}"], out)
    print("extremes", dict(codes), flush=True)

    codes.clear()
    with tempfile.TemporaryDirectory(dir=folder) as out:
        for words in (
            "train --data IN/games --out OUT/net.nnue --hidden 32 --epochs 1",
            "mate --proof OUT/proof MATE",
            "solve --game janggi --pieces KNvK --out OUT/table",
        ):
            run(words.split(), out, (0,), 600)
        shard = folder / "in/games/shogi-1-000000.games"
        readers = [
            (shard, "convert --to usi FILE"),
            (shard, "psv FILE --print"),
            (Path(out) / "net.nnue", "eval --eval-file FILE"),
            (
                next((Path(out) / "table").glob("*.literal")),
                "probe --game janggi --table FOLDER 4k4/9/9/9/9/9/9/9/4N4/4K4~w~-~1",
            ),
        ]
        silent = collections.Counter()
        for path, words in readers:
            run(
                [word.replace("FILE", str(path)).replace("FOLDER", str(path.parent)) for word in words.split()],
                out,
                (0,),
            )
        for number in range(arguments.flips):
            path, words = readers[number % len(readers)]
            data = bytearray(path.read_bytes())
            bit = choice.randrange(8 * len(data))
            data[bit // 8] ^= 1 << bit % 8
            flipped = Path(out) / "flipped" / path.name
            flipped.parent.mkdir(exist_ok=True)
            flipped.write_bytes(data)
            done = run(
                [word.replace("FILE", str(flipped)).replace("FOLDER", str(flipped.parent)) for word in words.split()],
                out,
            )
            if done.returncode == 0:
                silent[words.split()[0], path.name] += 1
        print("flipped bits", dict(codes), "undetected", dict(silent), flush=True)

    if arguments.full:
        codes.clear()
        filler = arguments.full / "filler"
        for words in WRITERS:
            with open(filler, "wb", buffering=0) as file:
                try:
                    while file.write(b"x" * 4096):
                        pass
                except OSError:
                    pass
            done = run(words.split(), arguments.full, (1, 2))
            left = [
                path.name
                for path in arguments.full.rglob("*")
                if path.is_file() and path != filler and path.stat().st_size
            ]
            print(
                words.split()[0], done.returncode, done.stderr.decode(errors="replace").strip()[-120:], left, flush=True
            )
            for path in sorted(arguments.full.rglob("*"), reverse=True):
                path.rmdir() if path.is_dir() else path.unlink()
        print("full disk", dict(codes))
    raise SystemExit(1 if bad else 0)


main()
