"""Plays shogi over UCI and CECP and Dobutsu shogi over UCI in cutechess-cli, two games each."""

import re
import subprocess

import hosts


def play():
    hosts.apt("cutechess-cli", "cutechess")
    version = subprocess.run(["cutechess-cli", "--version"], capture_output=True, text=True).stdout.split()[1]
    done = []
    for variant, protocol in (("shogi", "uci"), ("shogi", "xboard"), ("dobutsu", "uci")):
        engine = ["-engine", f"cmd={hosts.engine()}", f"proto={protocol}"]
        command = ["cutechess-cli", *engine, "name=A", *engine, "name=B", "-each", "tc=10+0.1", "-games", "2"]
        run = subprocess.run([*command, "-variant", variant], capture_output=True, text=True, timeout=1800)
        ends = re.findall(r"Finished game .*: (\S+ \{.*\})", run.stdout)
        if len(ends) != 2 or re.search("illegal|time|disconnect|stall", " ".join(ends)):
            raise hosts.Failed(f"{variant} over {protocol}: {ends or run.stderr[-200:]}")
        done.append(f"{variant} over {protocol}: {', '.join(ends)}")
    return version, "; ".join(done)


hosts.main("cutechess-cli", play)
