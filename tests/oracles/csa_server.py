"""Lets two clients play games on a local shogi-server, over a slow network that drops connections.

    git clone https://github.com/TadaoYamaoka/shogi-server    # or another copy of shogi-server; needs Ruby
    python tests/oracles/csa_server.py target/release/sanban shogi-server [GAMES]

Each client connects through a proxy that delays every packet by up to 100 ms. Between games, the proxy cuts the
connection of a client that is waiting for a game; in one game of five, it cuts a connection during the game, which the
server counts as a loss. At the end, each client must have finished its games, and every record that a client has
written must have the same moves as the record of the server.
"""

import glob
import os
import random
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time

DELAY = 0.1


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Proxy:
    """Forwards connections to the server with a delay, and can drop them."""

    def __init__(self, target):
        self.target = target
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.pairs = []
        self.cuts = 0
        self.in_game = False
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            client, _ = self.listener.accept()
            server = socket.create_connection(("127.0.0.1", self.target))
            self.pairs.append((client, server))
            for source, sink in [(client, server), (server, client)]:
                threading.Thread(target=self.pump, args=(source, sink), daemon=True).start()

    def pump(self, source, sink):
        try:
            while data := source.recv(4096):
                if b"START:" in data:
                    self.in_game = True
                if b"#WIN" in data or b"#LOSE" in data or b"#DRAW" in data or b"#CENSORED" in data:
                    self.in_game = False
                time.sleep(random.uniform(0, DELAY))
                sink.sendall(data)
        except OSError:
            pass
        for end in (source, sink):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def cut(self):
        for pair in self.pairs[-1:]:
            self.cuts += 1
            for end in pair:
                try:
                    end.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass


def wait_for(port):
    """Waits until the server accepts connections."""
    for _ in range(60):
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return
        except ConnectionRefusedError:
            time.sleep(1)
    raise SystemExit("the server has not started")


def moves(path):
    with open(path, encoding="euc_jp", errors="replace") as file:
        return [line.strip() for line in file if re.match(r"[+-]\d{4}[A-Z]{2}", line)]


def main():
    program, server = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    games = int(sys.argv[3]) if len(sys.argv) > 3 else 20
    folder = tempfile.mkdtemp(prefix="csa")
    port, pid_file = free_port(), os.path.join(folder, "shogi-server.pid")
    subprocess.Popen(
        ["ruby", os.path.join(server, "shogi-server"), "--daemon", folder, "--pid-file", pid_file, "test", str(port)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    wait_for(port)
    proxies = [Proxy(port), Proxy(port)]
    clients = []
    for name, proxy in zip(["one", "two"], proxies, strict=True):
        command = [program, "csa", "--host", "127.0.0.1", "--port", str(proxy.port), "--user", name]
        command += ["--game-name", "test-60-5F", "--games", str(games), "--keep-alive", "30"]
        command += ["--records", os.path.join(folder, name)]
        for option in ["NodesLimit=2000", "USI_Hash=16", "MaxMovesToDraw=120", "ResignValue=1500"]:
            command += ["--option", option]
        environment = {**os.environ, "CSA_PASSWORD": f"secret-{name}"}
        clients.append(
            subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        )
    rng = random.Random(1)
    begin = time.time()
    while all(client.poll() is None for client in clients) and time.time() - begin < 3600:
        time.sleep(rng.uniform(5, 15))
        proxy = rng.choice(proxies)
        if not proxy.in_game or rng.random() < 0.05:
            proxy.cut()
    # The other client waits for a game that does not start.
    time.sleep(20)
    bad = 0
    for name, client, proxy in zip(["one", "two"], clients, proxies, strict=True):
        if client.poll() is None:
            client.terminate()
        said, noted = client.communicate(timeout=60)
        leaked = "secret" in said + noted
        print(f"{name}: {said.strip()}; dropped connections: {proxy.cuts}; password shown: {leaked}")
        bad += leaked
        for line in noted.splitlines():
            if "panicked" in line or "a move by another client" in line:
                bad += 1
                print(f"  {line}")
    theirs = {os.path.basename(path): path for path in glob.glob(f"{folder}/2*/**/*.csa", recursive=True)}
    equal = 0
    for path in glob.glob(f"{folder}/one/*.csa") + glob.glob(f"{folder}/two/*.csa"):
        ours, other = moves(path), moves(theirs[os.path.basename(path)])
        cut = "%CHUDAN" in open(path).read()
        if ours == other or cut and other[: len(ours)] == ours:
            equal += 1
        else:
            bad += 1
            print(f"{path}: {len(ours)} moves, the server has {len(other)}")
    print(f"{equal} records have the same moves as those of the server")
    # A game that is cut at its start may leave no record.
    if equal < games:
        bad += 1
        print(f"fewer records than games: {equal} of {games}")
    with open(pid_file, encoding="ascii") as file:
        os.kill(int(file.read()), 15)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
