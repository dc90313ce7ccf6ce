"""Runs multithreaded commands under ThreadSanitizer and prints its reports.

    rustup component add rust-src
    RUSTC_BOOTSTRAP=1 RUSTFLAGS="-Zsanitizer=thread -Ctarget-cpu=x86-64-v3" CARGO_PROFILE_DEV_OPT_LEVEL=1 \
        cargo build -Zbuild-std --target x86_64-unknown-linux-gnu --target-dir target/threads
    python3 tests/hostile/threads.py target/threads/x86_64-unknown-linux-gnu/debug/sanban [--seconds 20]

Runs searches with four threads and a table of 1 MB, with stop, ponderhit and option changes; the mate solver,
self-play, matches, perft, training and analysis with two threads; the endgame solver; and the server of the board with
four tabs. The exit code is 1 if there is a report or a command fails.
"""

import argparse
import base64
import json
import os
import random
import re
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

MATE = "4k4/9/4P4/9/9/9/9/9/9 b G 1"
HARD = "gns1p1+NG1/l3ks3/pp5+R1/9/1P+b2P3/8S/1KLPP2PP/2LBS3+p/1+l3GPN1 b RN5Pg2p 127"
RECORD = "PI\n+\n+7776FU\n-3334FU\n+2726FU\n-8384FU\n%TORYO\n"


def usi(program, seconds):
    """Runs searches with four threads, which end in different ways."""
    engine = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(word, *lines):
        engine.stdin.write("".join(line + "\n" for line in lines))
        engine.stdin.flush()
        while not (line := engine.stdout.readline()).startswith(word):
            if not line:
                return

    choice, end = random.Random(1), time.monotonic() + seconds
    ask("usiok", "usi")
    ask("readyok", "setoption name USI_Hash value 1", "setoption name Threads value 4", "isready")
    while time.monotonic() < end:
        game = choice.choice(["shogi", "janggi", "dobutsu"])
        ask("readyok", f"setoption name USI_Variant value {game}", "usinewgame", "isready")
        go = choice.choice(["go nodes 20000", "go movetime 300", "go btime 2000 wtime 2000 binc 50 winc 50"])
        ask("bestmove", "setoption name BookFile value no_book", "position startpos", go)
        engine.stdin.write("go ponder btime 2000 wtime 2000\n")
        engine.stdin.flush()
        time.sleep(choice.uniform(0, 0.3))
        ask("bestmove", choice.choice(["ponderhit", "ponderhit btime 500 wtime 500", "stop"]))
        engine.stdin.write(f"setoption name MultiPV value {choice.randint(1, 4)}\ngo infinite\n")
        engine.stdin.flush()
        time.sleep(choice.uniform(0, 0.3))
        ask("bestmove", "stop")
        ask("readyok", f"setoption name Threads value {choice.choice([2, 4])}", "isready")
        if game == "shogi":
            ask("checkmate", f"position sfen {MATE}", "go mate infinite")
            engine.stdin.write(f"position sfen {HARD}\ngo mate infinite\n")
            engine.stdin.flush()
            time.sleep(choice.uniform(0, 0.3))
            ask("checkmate", "stop")
    engine.communicate("quit\n")
    return engine.returncode


class Tab:
    """A WebSocket connection to the board."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=120)
        key = base64.b64encode(os.urandom(16)).decode()
        head = f"GET /socket HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\n"
        head += "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        self.socket.sendall(f"{head}Sec-WebSocket-Key: {key}\r\n\r\n".encode())
        self.file = self.socket.makefile("rb")
        if b" 101 " not in self.file.readline():
            raise RuntimeError("the board refused the WebSocket")
        while self.file.readline().strip():
            pass

    def ask(self, question):
        text = json.dumps(question).encode()
        mask = os.urandom(4)
        length = bytes([0x80 | len(text)]) if len(text) < 126 else b"\xfe" + struct.pack(">H", len(text))
        masked = bytes(byte ^ mask[index % 4] for index, byte in enumerate(text))
        self.socket.sendall(b"\x81" + length + mask + masked)

    def answer(self, number):
        while True:
            _, length = self.file.read(2)
            if length == 126:
                length = struct.unpack(">H", self.file.read(2))[0]
            elif length == 127:
                length = struct.unpack(">Q", self.file.read(8))[0]
            message = json.loads(self.file.read(length))
            if message.get("id") == number and "finding" not in message:
                return message


def board(program, seconds):
    """Opens four tabs that search, stop, and close in the middle of a search."""
    server = subprocess.Popen([program, "board", "--no-open", "--port", "0"], stdout=subprocess.PIPE, text=True)
    port = int(server.stdout.readline().strip().rstrip("/").rsplit(":", 1)[1])
    end = time.monotonic() + seconds

    def tab(seed):
        choice = random.Random(seed)
        while time.monotonic() < end:
            page = Tab(port)
            for number in range(choice.randrange(1, 6)):
                game = choice.choice(["shogi", "janggi", "dobutsu"])
                page.ask({"id": 3 * number, "ask": "view", "game": game})
                page.answer(3 * number)
                page.ask({"id": 3 * number + 1, "ask": "go", "game": game, "infinite": True, "lines": 3})
                time.sleep(choice.uniform(0, 0.2))
                page.ask({"id": 3 * number + 2, "ask": "stop"})
                page.answer(3 * number + 2)
            page.ask({"id": 99, "ask": "mate", "game": "shogi", "sfen": HARD})
            time.sleep(choice.uniform(0, 0.2))
            page.socket.close()

    tabs = [threading.Thread(target=tab, args=[seed]) for seed in range(4)]
    for thread in tabs:
        thread.start()
    for thread in tabs:
        thread.join()
    # A thread of a closed tab that the server has not joined yet would be reported as a leak.
    time.sleep(2)
    server.terminate()
    return server.wait()


def command(program, *words):
    run = subprocess.run([program, *words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if run.returncode:
        print(run.stderr.strip().splitlines()[-1])
    return run.returncode


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--seconds", type=float, default=20, help="duration of the search test and of the board test, in seconds each")
    args = parser.parse_args()
    program, bad = os.path.abspath(args.program), 0
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TSAN_OPTIONS"] = f"exitcode=0 log_path={folder}/report"
        for number in range(4):
            with open(f"{folder}/{number}.csa", "w") as file:
                file.write(RECORD)
        records = [f"{folder}/{number}.csa" for number in range(4)]
        small = ["--threads", "2"]
        jobs = {
            "search": lambda: usi(program, args.seconds),
            "mate": lambda: command(program, "mate", *small, "--hash", "1", "--nodes", "200000", HARD, MATE),
            "selfplay": lambda: command(
                program, "selfplay", "--games", "110", "--nodes", "10", *small, "--out", f"{folder}/games"
            ),
            "match": lambda: command(
                program, "match", "-", "-", "--games", "4", "--go", "nodes 60", "--concurrency", "2", "--max-moves", "40"
            ),
            "perft": lambda: command(program, "perft", "3", *small, "--hash", "1"),
            "train": lambda: command(
                program, "train", "--data", f"{folder}/games", "--hidden", "32", "--epochs", "1", *small, "--out", f"{folder}/net"
            ),
            "analyze": lambda: command(program, "analyze", "--nodes", "300", *small, "--out", f"{folder}/out", *records),
            "solve": lambda: command(program, "solve", "--game", "janggi", "--pieces", "KRvK", "--out", f"{folder}/tables"),
            "board": lambda: board(program, args.seconds),
        }
        for name, job in jobs.items():
            code = job()
            reports = []
            for path in [entry.path for entry in os.scandir(folder) if entry.name.startswith("report.")]:
                with open(path) as file:
                    reports += re.findall(r"WARNING: ThreadSanitizer.*?(?=\n={18})", file.read(), re.DOTALL)
                os.remove(path)
            print(f"{name}: exit code {code}, {len(reports)} reports", flush=True)
            for report in reports:
                print(report, flush=True)
            bad |= bool(code) or bool(reports)
    sys.exit(bad)


if __name__ == "__main__":
    main()
