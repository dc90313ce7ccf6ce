"""Compares how sanban, tsshogi and cshogi read record files.

    pip install cshogi && npm install --prefix /tmp/tsshogi tsshogi
    python3 tests/oracles/public_records.py target/release/sanban FOLDER /tmp/tsshogi

All three read every file of the folder; the start position and the main line of its first game are compared. The
script reports files that sanban reads differently from both other programs, or from the only one that reads them, and
files that sanban rejects. The other programs get decoded text.
"""

import collections
import json
import os
import subprocess
import sys

import cshogi
from cshogi import CSA, KI2, KIF

NODE = r"""
const shogi = require("module").createRequire(process.argv[1] + "/x.js")("tsshogi");
const fs = require("fs");
const readers = { kif: shogi.importKIF, kifu: shogi.importKIF, ki2: shogi.importKI2, ki2u: shogi.importKI2,
  csa: shogi.importCSA, jkf: shogi.importJKFString, sfen: (t) => shogi.Record.newByUSI(t.trim()),
  usi: (t) => shogi.Record.newByUSI(t.trim()) };
for (const [file, kind, text] of JSON.parse(fs.readFileSync(0, "utf8"))) {
  let out = null;
  try {
    const record = readers[kind](text);
    if (!(record instanceof Error)) out = record.getUSI({ allMoves: true, startpos: false }).replace(/^position /, "");
  } catch (error) {}
  console.log(JSON.stringify([file, out]));
}
"""


def decoded(data):
    if data.startswith(b"\xff\xfe") or data.startswith(b"\xfe\xff"):
        return data.decode("utf-16")
    for encoding in ["utf-8-sig", "cp932", "euc_jp"]:
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            pass
    return data.decode("cp932", "replace")


def plain(line):
    """Splits a line into the start position, without its move count, and the moves."""
    if line is None:
        return None
    start, _, moves = line.partition(" moves")
    words = start.replace("startpos", "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1").split()
    return " ".join(words[1:4]), moves.split()


def by_cshogi(kind, text):
    """Runs in a separate process, because some files crash cshogi."""
    source, target = os.pipe()
    child = os.fork()
    if child == 0:
        found = parsed_by_cshogi(kind, text)
        os.write(target, json.dumps(found).encode())
        os._exit(0)
    os.close(target)
    with open(source, "rb") as pipe:
        found = pipe.read()
    os.waitpid(child, 0)
    found = json.loads(found or "null")
    return tuple(found) if found else None


def parsed_by_cshogi(kind, text):
    parsers = {"kif": KIF, "kifu": KIF, "ki2": KI2, "ki2u": KI2, "csa": CSA}
    if kind not in parsers:
        return None
    try:
        found = parsers[kind].Parser.parse_str(text)
        found = found[0] if isinstance(found, list) else found
        return " ".join(found.sfen.split()[:3]), [cshogi.move_to_usi(mv) for mv in found.moves]
    except Exception:
        return None


def main():
    program, folder, modules = sys.argv[1:4]
    files = sorted(os.listdir(folder))
    kinds = {name: name.rsplit(".", 1)[-1] for name in files}
    texts = {name: decoded(open(os.path.join(folder, name), "rb").read()) for name in files}
    known = ["kif", "kifu", "ki2", "ki2u", "csa", "jkf", "sfen", "usi"]
    asked = [[name, kinds[name], texts[name]] for name in files if kinds[name] in known]
    done = subprocess.run(["node", "-e", NODE, modules], input=json.dumps(asked), capture_output=True, text=True)
    others = {name: plain(line) for name, line in map(json.loads, done.stdout.splitlines())}
    count = collections.Counter()
    for name in files:
        command = [program, "convert", "--to", "sfen", os.path.join(folder, name)]
        done = subprocess.run(command, capture_output=True, text=True)
        lines = done.stdout.splitlines()
        own = plain(lines[0]) if lines else None
        one, two = others.get(name), by_cshogi(kinds[name], texts[name])
        count["files"] += 1
        count["read"] += own is not None
        count["tsshogi"] += one is not None
        count["cshogi"] += two is not None
        said = done.stderr.strip().splitlines()
        if own is None:
            count["rejected"] += 1
            print(
                f"rejected{', but read by both' if one and two else ', but read by one' if one or two else ''}"
                f": {name}: {said[:1]}"
            )
        elif one != own and two != own and (one or two):
            what = "different from both" if one and two and one == two else "different"
            count[what] += 1
            sizes = [len(each[1]) if each else None for each in (own, one, two)]
            starts = [each[0] if each else None for each in (own, one, two)]
            print(
                f"{what}: {name}: number of moves in sanban, tsshogi, cshogi: {sizes}, "
                f"same start: {starts[0] == starts[1], starts[0] == starts[2]}: {said[:2]}"
            )
    print(dict(count))


main()
