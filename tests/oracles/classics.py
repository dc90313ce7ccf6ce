"""Checks the problems of Shogi Muso and Shogi Zuko (tests/data/classics.tsv) with `sanban mate --check --proof`, verifies
the certificates with proof_checker.py, which needs cshogi, and writes the table docs/classics.md.

    python3 tests/oracles/classics.py target/release/sanban [--time SECONDS] [--out JSONL] [--only NAME…]

--time is a budget on two idle cores, once for the check and once for the certificate; on a busy machine it is stretched
to the same processor time. Each attempt is a line of JSONL as soon as it has ended. Another start goes on there, the
shortest printed solutions first: a problem without a certified verdict is tried again if --time is larger than before
(0: only the table). What all attempts have proved is combined.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from proof_corpus import is_verified

ROOT = pathlib.Path(__file__).resolve().parents[2]
INCOMPLETE = [f"muso-{number}" for number in (5, 6, 8, 31, 37, 40, 57, 63, 64, 65, 79, 92)]
HEAD = """# The problems of Shogi Muso and Shogi Zuko

The 200 problems of 将棋無双 (Ito Sokan, 1734) and 将棋図巧 (Ito Kanju, 1755), checked by `sanban mate --check --proof` under
the rules in [mate.md](mate.md#soundness---check). `tests/oracles/classics.py` makes this page and verifies every
certificate by a checker that does not rely on Sanban. `tests/data/classics.tsv` has the positions and printed solutions
of a public transcription, not compared with the first prints. A variation may be longer there than the solution (変長):
here, the longest defence is the solution, so that some lengths exceed the printed ones, and a cook may be one in a
variation, which is no flaw by old customs.
"""
TABLE = """
A printed length in bold is proved wrong under these rules. A length `13–23` is at least 13 and at most 23 plies. One cook
is listed, in the printed solution if there is one there; `+2` means two more. `s` is processor time in seconds.

| problem | printed | length | verdict | certificate | s |
|---|---|---|---|---|---|
"""


class Problem:
    """A problem, and what all attempts have proved about it."""

    def __init__(self, line):
        self.name, self.sfen, plies, moves = line.split("\t")
        self.printed, self.moves = int(plies), moves.split()
        self.tried, self.cpu, self.least, self.most, self.is_mate = 0, 0, 1, 9999, False
        self.result, self.report, self.certificate = "open", None, None

    def learn(self, attempt):
        report = attempt["report"]
        self.tried, self.cpu = max(self.tried, attempt["time"]), self.cpu + attempt["cpu"]
        if "at_most" in report:
            self.is_mate = True
            self.least, self.most = max(self.least, report["at_least"]), min(self.most, report["at_most"])
        if self.result == "open":
            self.result, self.report = report["result"], report
        if not self.certificate or self.certificate["claim"] == "exact":
            self.certificate = attempt["certificate"] or self.certificate

    def is_settled(self):
        """Whether there is a verdict, and a certificate of it."""
        return self.certificate is not None and self.certificate["claim"] == self.result

    def differs(self):
        """Whether the printed length is proved wrong."""
        return self.least > self.printed or self.most < self.printed

    def length(self):
        return "–".join(dict.fromkeys([str(self.least), str(self.most)])) if self.is_mate else ""

    def is_printed(self, check):
        """Whether a check deviates from the printed solution."""
        return check["before"] == self.moves[: len(check["before"])]

    def found(self, kind):
        """The checks with a result, those that deviate from the printed solution first."""
        checks = [check for check in (self.report or {}).get("checks", []) if check["result"] == kind]
        return sorted(checks, key=lambda check: (not self.is_printed(check), len(check["before"])))

    def verdict(self):
        if self.result == "cooked":
            cooks = self.found("cook")
            first, at = cooks[0], len(cooks[0]["before"])
            # The printed move may be the cook, and another one the solution.
            is_print = self.is_printed(first) and first["main_line"] and self.moves[at] == first["move"]
            move = self.report["moves"][at] if is_print else first["move"]
            kind = f"mate {first['plies']}" if first["plies"] else "longer"
            place = f"ply {at + 1}" + " of a variation" * (not self.is_printed(first))
            return f"cooked at {place}: {move} ({kind})" + f", +{len(cooks) - 1}" * (len(cooks) > 1)
        if self.result != "open":
            return {"leftover": "pieces left over", "nomate": "no mate"}.get(self.result, self.result)
        if self.least < self.most:
            return "open: length" if self.is_mate else "open: no mate found"
        return f"open: {len(self.found('open'))} checks"

    def state(self):
        """Whether the problem is flawed by the customs of its time."""
        if self.result == "nomate" or any(map(self.is_printed, self.found("cook"))) or self.most < self.printed:
            return "confirmed"
        if self.least > self.printed:
            return "longer than printed"
        return {"open": "open", "cooked": "cooked in a variation only"}.get(self.result, "not confirmed")

    def row(self):
        proof = self.certificate or {"claim": "", "accepted": None}
        note = proof["claim"] + {True: ", accepted", False: ", REFUSED", None: ""}[proof["accepted"]]
        stars = "**" * self.differs()
        return f"| {self.name} | {stars}{self.printed}{stars} | {self.length()} | {self.verdict()} | {note} | {self.cpu:.0f} |\n"


def attempt(program, problem, seconds, stretch):
    """Checks a problem, and returns the attempt and the factor by which a busy machine stretches the time."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "proof")
        limits = ["--time", str(round(1000 * seconds * stretch)), "--threads", "2", "--hash", "256"]
        command = [program, "mate", "--check", "--json", *limits, "--proof", path, problem.sfen]
        before = os.times()
        done = subprocess.run(command, capture_output=True, check=False, text=True)
        _, _, user, system, wall = (b - a for a, b in zip(before, os.times()))
        if done.returncode not in (0, 1, 3):
            raise RuntimeError(f"{problem.name}: exit code {done.returncode}: {done.stderr}")
        cpu = user + system
        report, certificate = json.loads(done.stdout), None
        if report["proof"] is not None:
            claim = "exact" if report["result"] == "open" else report["result"]
            certificate = {"claim": claim, "lines": report["proof"], "accepted": is_verified(path)}
    if wall > 1:
        stretch = min(20, max(1, 0.7 * stretch + 0.3 * 2 * wall / max(cpu, 0.1)))
    line = {"name": problem.name, "time": seconds, "cpu": round(cpu, 2), "wall": round(wall, 2)}
    return {**line, "certificate": certificate, "report": report}, stretch


def page(problems):
    def share(flags):
        return f"{sum(flags)} of {len(flags)} ({100 * sum(flags) / len(flags):.1f} %)"

    short = [p for p in problems if p.printed < 20]
    budgets = ", ".join(f"{seconds:g}" for seconds in sorted({p.tried for p in problems}))
    kinds = [p.result for p in problems]
    certificates = [p.certificate["accepted"] for p in problems if p.certificate]
    text = f"""{HEAD}
- Budget: {budgets} s on two cores; {sum(p.cpu for p in problems) / 3600:.1f} hours of processor time.
- Mate found: {share([p.is_mate for p in problems])}; its exact length: {share([p.least == p.most for p in problems])}.
- Verdict: {share([p.result != "open" for p in problems])}; of those printed with less than 20 plies:
  {share([p.result != "open" for p in short])}. {", ".join(f"{kinds.count(k)} {k}" for k in sorted(set(kinds)))}.
- Certificates: {len(certificates)}, of which the checker accepted {sum(certificates)}.

## Printed lists

The problems of Shogi Muso that lists in print call incomplete:

"""
    for p in (p for p in problems if p.name in INCOMPLETE):
        text += f"- {p.name}: {p.state()} ({p.verdict()}; printed {p.printed}, here {p.length() or 'unknown'})\n"
    text += "\nPrinted lengths that differ from the length under these rules: "
    text += ", ".join(f"{p.name} ({p.printed}, not {p.length()})" for p in problems if p.differs()) or "none"
    return text + ".\n\n## All problems\n" + TABLE + "".join(p.row() for p in problems)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--time", type=float, default=60)
    parser.add_argument("--out", default="classics.jsonl")
    parser.add_argument("--only", nargs="*")
    args = parser.parse_args()
    sys.setrecursionlimit(10_000)
    lines = (ROOT / "tests/data/classics.tsv").read_text(encoding="utf-8").splitlines()
    problems = [Problem(line) for line in lines if not line.startswith("#")]
    by_name, stretch = {p.name: p for p in problems}, 1
    with open(args.out, "a+", encoding="utf-8") as journal:
        journal.seek(0)
        # A line that a crash has cut off is tried again.
        whole, end, _ = journal.read().rpartition("\n")
        journal.truncate(len((whole + end).encode()))
        for past in map(json.loads, whole.splitlines()):
            by_name[past["name"]].learn(past)
        try:
            for p in sorted(problems, key=lambda p: p.printed):
                if p.is_settled() or p.tried >= args.time or p.name not in (args.only or by_name):
                    continue
                try:
                    done, stretch = attempt(args.program, p, args.time, stretch)
                except RuntimeError as error:
                    print(error, file=sys.stderr)
                    continue
                journal.write(json.dumps(done, ensure_ascii=False) + "\n")
                journal.flush()
                p.learn(done)
                print(f"{p.row().strip()} stretch {stretch:.1f}", flush=True)
        except KeyboardInterrupt:
            pass
    (ROOT / "docs/classics.md").write_text(page(problems), encoding="utf-8")


if __name__ == "__main__":
    main()
