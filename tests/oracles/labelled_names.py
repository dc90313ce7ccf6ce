"""Compares the names of openings and castles with the labels of a public collection.

    python3 tests/oracles/labelled_names.py CLONE [--program target/debug/sanban] [--count 150] [--seed 49] [--all]

CLONE is a clone of akicho8/bioshogi. Its labelled games are KIF files in folders `戦型` (openings) and `囲い` (castles),
under `experiment` or, in older versions, `lib/bioshogi`. The name of a file is the label of its game, and the headers
state for which side. A game agrees if `sanban analyze` finds the name for this side, or for either side if no header
contains the label. Labels that differ only in spelling, and synonyms, count as equal. The script draws `--count` games
at random, one for every label before a second one for any; with `--all`, it takes all games. It prints the games that
differ, and marks labels that are not in our table. The exit code is 1 if less than 90 % of the games agree.
"""

import argparse
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import unicodedata

# Pairs of names for the same thing; the second one is in our table.
SYNONYMS = {
    "8五飛車戦法": "中座飛車",
    "阪田流向飛車": "阪田流向かい飛車",
    "33金型早繰り銀": "3三金型早繰り銀",
    "2手目74歩戦法": "2手目7四歩戦法",
    "2三歩戦法": "横歩取り2三歩戦法",
    "3三桂戦法": "横歩取り3三桂戦法",
    "3三角型空中戦法": "横歩取り3三角戦法",
    "4五角戦法": "横歩取り4五角戦法",
    "7八飛戦法": "初手7八飛戦法",
    "超速3七銀": "超速3七銀戦法",
    "オールド雁木": "雁木囲い",
    "新型雁木": "ツノ銀雁木",
    "elmo囲い": "エルモ囲い",
    "elmo急戦": "エルモ急戦",
    "蟹罐囲い": "カニ缶囲い",
    "中原玉": "中原囲い",
}
SIDES = {"先手": "b", "下手": "b", "後手": "w", "上手": "w"}
HEADER = re.compile("(先手|後手|上手|下手)の(?:戦型|囲い)：(.*)")
FOLDERS = ("戦型", "囲い")


def plain(name):
    """Normalises the spelling of a name."""
    name = unicodedata.normalize("NFKC", name)
    # An error in the collection: the katakana ニ instead of the numeral 二.
    name = re.sub("[▲△]", "", name).replace("3ニ飛", "3二飛")
    return SYNONYMS.get(name, name)


def labelled(clone):
    """Returns the labelled files: path, label, and the sides that it applies to."""
    found = []
    for path in sorted(pathlib.Path(clone).rglob("*.kif")):
        if path.parent.name not in FOLDERS:
            continue
        label = plain(re.sub(r"\d+$", "", path.stem) if path.stem[-1] in "23456789" else path.stem)
        text = path.read_text(encoding="utf-8", errors="replace")
        sides = set()
        for side, names in HEADER.findall(text):
            if label in map(plain, re.split(r"[,、]\s*", names.strip())):
                sides.add(SIDES[side])
        found.append((path, label, sides))
    return found


def drawn(files, count, seed):
    """Draws files at random, with as many different labels as possible."""
    files = list(files)
    random.Random(seed).shuffle(files)
    seen, first, rest = set(), [], []
    for file in files:
        (rest if file[1] in seen else first).append(file)
        seen.add(file[1])
    return (first + rest)[:count]


def names_of(program, folder, path):
    """Returns the pairs of side and name that the program finds."""
    # A copy, so that special characters in the file name do not matter.
    copy = pathlib.Path(folder, "game.kif")
    copy.write_bytes(path.read_bytes())
    command = [program, "analyze", str(copy), "--nodes", "1", "--format", "json", "--out", folder, "--again"]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f"{path}: {run.stderr}")
    found = set()
    for line in pathlib.Path(folder, "game.jsonl").read_text(encoding="utf-8").splitlines():
        found |= {(name["side"], plain(name["ja"])) for name in json.loads(line).get("names", [])}
    return found


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("clone")
    arguments.add_argument("--program", default="target/debug/sanban")
    arguments.add_argument("--count", type=int, default=150)
    arguments.add_argument("--seed", type=int, default=49)
    arguments.add_argument("--all", action="store_true")
    arguments = arguments.parse_args()
    table = pathlib.Path(__file__).parents[2] / "crates/study/src/teach/names/shogi.tsv"
    rows = [row.split("\t") for row in table.read_text(encoding="utf-8").splitlines() if not row.startswith("#")]
    known = {plain(row[3]) for row in rows if len(row) == 5}
    files = labelled(arguments.clone)
    if not files:
        sys.exit(f"{arguments.clone}: no labelled games")
    chosen = files if arguments.all else drawn(files, arguments.count, arguments.seed)
    agreed = 0
    with tempfile.TemporaryDirectory() as folder:
        for path, label, sides in chosen:
            found = names_of(arguments.program, folder, path)
            wanted = [(side, label) for side in sides]
            if found.issuperset(wanted) if wanted else any(name == label for _, name in found):
                agreed += 1
                continue
            reason = "differs" if label in known else "not in the table"
            others = ", ".join(sorted(f"{side} {name}" for side, name in found))
            print(f"{reason}: {path.parent.name}/{path.name} {''.join(sorted(sides))}: {others}")
    print(f"{agreed} of {len(chosen)} agree (of {len(files)} labelled games)")
    return 0 if 10 * agreed >= 9 * len(chosen) else 1


if __name__ == "__main__":
    sys.exit(main())
