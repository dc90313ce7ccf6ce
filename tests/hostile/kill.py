#!/usr/bin/env python3
"""Runs every command that writes files, kills it with SIGKILL at random moments, and runs it again.

    cargo build --release --features tune && tests/hostile/kill.py target/release/sanban [--times 25] [--only NAME ...]

After every kill, every file under its final name must be complete or an older version. After the last run, the results
must equal those of an uninterrupted run, and the directory must contain nothing else.
"""

import argparse
import json
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

BOOK = """#YANEURAOU-DB2016 1.00
sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1
7g7f 3c3d 40 32 1
2g2f 8c8d 38 32 1
"""
RECORD = "PI\n+\n+7776FU\n-3334FU\n+2726FU\n-8384FU\n%TORYO\n"
MATE = "4k4/9/4P4/9/9/9/9/9/9 b G 1\tmate 1\n"
PART = re.compile(r"\.part$|\.sanban-lock$")


def lines(path):
    """Returns the sorted lines of a journal without times. A truncated last line is dropped."""
    out = []
    for line in path.read_bytes().split(b"\n")[:-1]:
        value = json.loads(line)
        for key in ("time", "times", "us", "at", "sum"):
            value.pop(key, None)
        out.append(json.dumps(value, sort_keys=True))
    return sorted(set(out))


def content(path):
    return path.read_bytes()


# Name: the arguments, further arguments that are not split at spaces, and the function by which results are compared
# (None: only the names of the files are compared).
COMMANDS = {
    "match": ("match --games 40 --option USI_Hash=1 --max-moves 40 --plies 6 --out OUT/games --go", ["nodes 40"], lines),
    "perft": ("perft 5 --split 2 --out OUT/counts", [], lines),
    "mate": ("mate --suite IN/suite --hash 1 --out OUT/answers", [], lines),
    "tune": ("tune --games 40 --nodes 60 --out OUT/pairs", [], lines),
    "selfplay": ("selfplay --games 40 --nodes 40 --out OUT", [], content),
    "train": ("train --data IN/games --out OUT/net.nnue --hidden 32 --epochs 3", [], None),
    "psv": ("psv IN/games/shogi-1-000000.games --out OUT/positions", [], content),
    "merge": ("book merge IN/book.db --out OUT/book.db", [], content),
    "think": ("book think IN/book.db --nodes 300 --positions 32 --hash 1 --out OUT/book.db", [], None),
    "minimax": ("book minimax IN/book.db --out OUT/book.db", [], content),
    "prune": ("book prune IN/book.db --loss 50 --out OUT/book.db", [], content),
    "from-games": ("book from-games IN/records --out OUT/book.db", [], content),
    "book": ("book convert IN/book.db OUT/book.ybb", [], content),
    "proof": ("mate --hash 1 --proof OUT/proof", [MATE.split("\t")[0]], content),
    "problems": ("problems IN/records --nodes 100 --out OUT/problems", [], content),
    "endings": ("solve --game janggi --pieces KRCvK --out OUT", [], content),
    "solve": ("solve --game dobutsu --out OUT/table", [], content),
    "convert": ("convert --to kif --out OUT IN/records", [], content),
    "analyze": ("analyze --nodes 200 --hash 1 --format json --out OUT IN/records", [], None),
}


def prepare(program, folder):
    (folder / "book.db").write_text(BOOK)
    (folder / "suite").write_text(MATE * 10000)
    (folder / "records").mkdir()
    for number in range(60):
        (folder / "records" / f"{number}.csa").write_text(RECORD)
    run = [program, "selfplay", "--games", "30", "--nodes", "30", "--out", str(folder / "games")]
    subprocess.run(run, check=True, capture_output=True)


def differences(whole, out, compare):
    """Returns the differences between the results of an interrupted and an uninterrupted job."""
    names = [sorted(str(path.relative_to(folder)) for path in folder.rglob("*")) for folder in (whole, out)]
    if names[0] != names[1]:
        return [f"files {names[1]}, not {names[0]}"]
    if not compare:
        return []
    files = [path for path in whole.rglob("*") if path.is_file()]
    changed = [path for path in files if compare(path) != compare(out / path.relative_to(whole))]
    return [f"{path.name} differs from that of an uninterrupted run" for path in changed]


def attack(program, name, times, inputs):
    """Kills a command `times` times. Returns the faults found, as messages, and a summary."""
    words, more, compare = COMMANDS[name]
    faults = []
    with tempfile.TemporaryDirectory() as scratch:
        def arguments(out):
            out.mkdir(exist_ok=True)
            text = words.replace("OUT", str(out)).replace("IN", str(inputs))
            return [program, *text.split(), *more]

        whole, out = Path(scratch, "whole"), Path(scratch, "out")
        begin = time.monotonic()
        run = subprocess.run(arguments(whole), capture_output=True, text=True)
        length = time.monotonic() - begin
        if run.returncode:
            if "unrecognized subcommand" in run.stderr:
                return [], "not in this build"
            return [f"the uninterrupted run failed: {run.stderr.strip()}"], ""
        killed = 0
        for _ in range(20 * times):
            if killed == times:
                break
            process = subprocess.Popen(arguments(out), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            time.sleep(random.uniform(0, length))
            process.send_signal(signal.SIGKILL)
            said = process.communicate()[1]
            if process.returncode == -signal.SIGKILL:
                killed += 1
            elif process.returncode:
                faults.append(f"failed after a kill: {said.strip()}")
            else:
                # The job is complete, so the next run starts from the beginning.
                faults += differences(whole, out, compare)
                shutil.rmtree(out)
                continue
            # Files that exist after a kill must be complete. For commands whose results are compared byte by byte, they
            # must equal those of the uninterrupted run.
            if compare is content:
                for path in out.rglob("*"):
                    other = whole / path.relative_to(out)
                    if path.is_file() and not PART.search(path.name) and other.read_bytes() != path.read_bytes():
                        faults.append(f"{path.name} has wrong contents after a kill")
        run = subprocess.run(arguments(out), capture_output=True, text=True)
        if run.returncode:
            faults.append(f"the last run failed: {run.stderr.strip()}")
        faults += differences(whole, out, compare)
    if killed < times:
        faults.append(f"the command finished too soon to be killed {times} times")
    return faults, f"{killed} runs killed, {length:.1f} s each"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--times", type=int, default=25)
    parser.add_argument("--only", nargs="*", choices=list(COMMANDS), default=list(COMMANDS))
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    random.seed(args.seed)
    program, bad = str(Path(args.program).resolve()), 0
    with tempfile.TemporaryDirectory() as folder:
        prepare(program, Path(folder))
        for name in args.only:
            faults, told = attack(program, name, args.times, Path(folder))
            print(f"{name:9} {'FAULT' if faults else 'ok':6} {told}", flush=True)
            for fault in faults:
                print(f"    {fault}", flush=True)
            bad += bool(faults)
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
