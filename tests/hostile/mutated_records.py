"""Feeds mutated records of every format to `sanban convert` and reports crashes, silent losses, and reads that take too
much time or memory.

    python3 tests/hostile/mutated_records.py target/release/sanban FOLDER... [--minutes 60] [--seed 1] [--keep FOLDER]

The folders contain seeds: record files of any format. Each seed is also written in every other format that can
represent it. A mutation deletes, repeats, swaps or overwrites bytes or lines, joins two files, or inserts a word that
does not occur in records. Each read must end with exit code 0 or 1, within one second of processor time and 100 MB. An
inserted word must appear in the output (JKF keeps all text), or a warning must be printed, or the record must be
rejected. Inputs that fail are kept.
"""

import argparse
import collections
import os
import random
import subprocess
import tempfile
import time

FORMATS = ["kif", "ki2", "csa", "csa3", "jkf", "usi", "sfen", "bod", "western", "hodges", "psn"]
# Words that do not occur in records. Readers must not lose them silently.
FOREIGN = ["Ωδ", "qqzz", "歩歩歩"]
# Lines that name the program or the format, and lines of KIF that begin with `#`, are not part of the game.
SIGNATURES = ["#KIF", "#KI2", "'CSA", "V2", "V3"]


def run(program, arguments, data):
    """Runs `convert`. Returns exit code, output, messages, processor time in seconds and memory in MB."""
    with tempfile.TemporaryFile() as source, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        source.write(data)
        source.seek(0)
        child = subprocess.Popen([program, "convert", *arguments, "-"], stdin=source, stdout=out, stderr=err)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        spent = usage.ru_utime + usage.ru_stime
        return child.returncode, out.read(), err.read(), spent, usage.ru_maxrss / 1024


def seeds_of(program, folders):
    out = []
    for folder in folders:
        for name in sorted(os.listdir(folder)):
            path = os.path.join(folder, name)
            if os.path.isfile(path) and os.path.getsize(path) < 50_000:
                with open(path, "rb") as file:
                    data = file.read()
                out.append(data)
                for form in FORMATS:
                    code, text, *_ = run(program, ["--to", form], data)
                    if code == 0 and text:
                        out.append(text)
    return out


def mutated(choice, seeds):
    """Returns a mutated seed, and the inserted word if that was the only mutation."""
    data = bytearray(choice.choice(seeds))
    if choice.random() < 0.4:
        try:
            text = data.decode()
        except UnicodeDecodeError:
            text = None
        if text:
            word = choice.choice(FOREIGN)
            at = choice.randrange(len(text))
            line = text[text.rfind("\n", 0, at) + 1 :]
            remark = line.lstrip("\ufeff").startswith("#") and "手" in text
            if not remark and not line.startswith(tuple(SIGNATURES)):
                return (text[:at] + word + text[at:]).encode(), word
    for _ in range(choice.randint(1, 6)):
        at = choice.randrange(len(data) + 1)
        kind = choice.randrange(7)
        if kind == 0:
            del data[at : at + choice.randint(1, 40)]
        elif kind == 1:
            data[at:at] = bytes(data[at : at + choice.randint(1, 200)]) * choice.randint(1, 50)
        elif kind == 2 and data:
            data[at % len(data)] = choice.randrange(256)
        elif kind == 3:
            lines = bytes(data).split(b"\n")
            choice.shuffle(lines) if choice.random() < 0.2 else lines.insert(choice.randrange(len(lines)), choice.choice(lines))
            data = bytearray(b"\n".join(lines))
        elif kind == 4:
            other = choice.choice(seeds)
            begin = choice.randrange(len(other) + 1)
            data[at:at] = other[begin : begin + choice.randint(1, 2000)]
        elif kind == 5:
            data[at:at] = choice.choice([b"\r", b"\n", b"\0", b"\xff", b"(", b"{", b"1.", "変化：1手\n".encode(), b"+", b"["]) * choice.randint(1, 2000)
        else:
            data = data.replace(b"\n", choice.choice([b"\r\n", b"\r", b"\n\n", b" "]))
    return bytes(data[:200_000]), None


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("program")
    arguments.add_argument("folders", nargs="+")
    arguments.add_argument("--minutes", type=float, default=60)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--keep", default="mutated")
    arguments = arguments.parse_args()
    program = os.path.abspath(arguments.program)
    choice = random.Random(arguments.seed)
    seeds = seeds_of(program, arguments.folders)
    print(f"{len(seeds)} seeds", flush=True)
    os.makedirs(arguments.keep, exist_ok=True)
    count = collections.Counter()
    slowest = largest = 0.0
    until = time.monotonic() + 60 * arguments.minutes
    while time.monotonic() < until:
        data, word = mutated(choice, seeds)
        # Some runs use the repair option.
        options = ["--repair"] if word is None and choice.random() < 0.05 else []
        target = "jkf" if word else choice.choice(FORMATS)
        code, out, err, spent, memory = run(program, ["--to", target, *options], data)
        count["inputs"] += 1
        fault = None
        if code not in (0, 1):
            fault = f"exit{code}"
        elif spent > 1 and not options:
            fault = "slow"
        elif memory > 100 and not options:
            fault = "large"
        elif word and code == 0 and not err.strip() and word.encode() not in out:
            fault = "lost"
        if not options:
            slowest, largest = max(slowest, spent), max(largest, memory)
        if fault:
            count[fault] += 1
            name = os.path.join(arguments.keep, f"{fault}-{count['inputs']}")
            with open(name, "wb") as file:
                file.write(data)
            print(f"{name}: to {target} {options}, exit {code}, {spent:.2f} s, {memory:.0f} MB", flush=True)
    print(f"{dict(count)}; slowest {slowest:.2f} s, largest {largest:.0f} MB")


main()
