"""Lets four Sanbans play 20 games on shogi-server, two games at a time, and measures the time between games.

The moves and results in the records of the server are judged by pyffish. The median time from the end of a game to the
start of the client's next one must be below three seconds.
"""

import collections
import os
import re
import statistics
import subprocess
import tempfile
import threading
import time
from pathlib import Path

import hosts

GAMES = 10
PAIRS = (("one", "two"), ("three", "four"))


def judge(path):
    """Judges a record of the server; returns how the game ended."""
    import cshogi
    import cshogi.CSA

    text = path.read_text(encoding="euc_jp", errors="replace")
    summary = re.search(r"'summary:([^:]+):(\S+) (\w+):(\S+) (\w+)", text)
    if not summary or re.search("time up|illegal|abnormal", summary[1]):
        raise hosts.Failed(f"{path.name}: {summary[0] if summary else 'no end'}")
    record = cshogi.CSA.Parser.parse_str(text)[0]
    moves = [hosts.from_usi(cshogi.move_to_usi(move)) for move in record.moves]
    result = {"win": 1, "lose": -1, "draw": 0}[summary[3]]
    hosts.judge("shogi", moves, result if f"N+{summary[2]}" in text.split() else -result)
    return summary[1]


def play():
    hosts.apt("ruby", "ruby")
    hosts.pip("cshogi", "pyffish")
    (server, version), sanban = hosts.sources("SHOGI_SERVER", "https://github.com/TadaoYamaoka/shogi-server"), hosts.engine()
    import csa_server

    lines, clients = collections.defaultdict(list), {}
    with tempfile.TemporaryDirectory() as folder:
        port, pid = csa_server.free_port(), Path(folder) / "pid"
        command = ["ruby", server / "shogi-server", "--daemon", folder, "--pid-file", pid, "test", str(port)]
        subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        csa_server.wait_for(port)
        try:
            for user, game in [(user, f"{pair[0]}-60-5F") for pair in PAIRS for user in pair]:
                command = [sanban, "csa", "--host", "127.0.0.1", "--port", str(port), "--user", user, "--no-ponder"]
                command += ["--game-name", game, "--games", str(GAMES)]
                for option in ("NodesLimit=500", "USI_Hash=16", "MaxMovesToDraw=160", "ResignValue=1500"):
                    command += ["--option", option]
                environment = {**os.environ, "CSA_PASSWORD": f"secret-{user}"}
                client = subprocess.Popen(
                    command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
                )
                clients[user] = client

                def read(stream=client.stderr, to=lines[user]):
                    to.extend((time.monotonic(), line.strip()) for line in stream)

                threading.Thread(target=read, daemon=True).start()
            for user, client in clients.items():
                if client.wait(timeout=1800):
                    raise hosts.Failed(f"{user}: exit code {client.returncode}: {lines[user][-1:]}")
        finally:
            for client in clients.values():
                client.kill()
            os.kill(int(pid.read_text()), 15)
        records = list(Path(folder).rglob("*.csa"))
        if len(records) != GAMES * len(PAIRS):
            raise hosts.Failed(f"{len(records)} records instead of {GAMES * len(PAIRS)}")
        ends = collections.Counter(judge(path) for path in records)
    pauses = []
    for told in lines.values():
        begins = [at for at, line in told if " begins: " in line]
        over = [at for at, line in told if re.search(r"^test\S+ (won|lost|drawn|draw|ended)\b", line)]
        pauses += [begin - end for end, begin in zip(over, begins[1:])]
    if len(pauses) != len(clients) * (GAMES - 1):
        raise hosts.Failed(f"{len(pauses)} pauses: {dict(lines)}")
    done = f"{len(records)} games by {len(clients)} clients, ends {dict(ends)}, "
    done += f"between games {statistics.median(pauses):.1f} s (median), {max(pauses):.1f} s (longest)"
    if statistics.median(pauses) >= 3:
        raise hosts.Failed(done)
    return version, done


hosts.main("shogi-server", play)
