"""Helpers of the scripts in this directory, each of which plays whole games under one program and prints one line:

    HOST VERSION: what was done: ok|failed (reason)

The exit code is 0, 1 if something failed, or 77 if the program cannot be installed. `SANBAN` is the engine (default:
`sanban`). Packages of pip and npm are installed in the directory `HOSTS` (default: `sanban-hosts` in the temporary
directory), and packages of Debian by apt, which needs root.
"""

import importlib.metadata
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
CACHE = pathlib.Path(os.environ.get("HOSTS", pathlib.Path(tempfile.gettempdir()) / "sanban-hosts"))
os.environ["PATH"] += ":/usr/games"
sys.path += [str(HERE.parent / "oracles"), str(CACHE / "python")]
CACHE.mkdir(parents=True, exist_ok=True)


class Missing(Exception):
    """A program that cannot be installed, with the reason."""


class Failed(Exception):
    """What went wrong in a game."""


def install(what, *command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        raise Missing(f"{what} cannot be installed: {(done.stdout.strip().splitlines() or ['no message'])[-1]}")


def engine():
    path = shutil.which(os.environ.get("SANBAN", "sanban"))
    if path is None:
        raise Failed("SANBAN names no program")
    return os.path.abspath(path)


def apt(command, *packages):
    """Installs Debian packages unless `command` exists; returns the version of the first."""
    if not shutil.which(command):
        install(packages[0], "apt-get", "install", "--yes", "--no-install-recommends", *packages)
    version = ["dpkg-query", "--show", "--showformat=${Version}", packages[0]]
    return subprocess.run(version, capture_output=True, text=True).stdout or "(version unknown)"


def pip(package, *others):
    """Installs Python packages; returns the version of the first."""
    for name in (package, *others):
        try:
            importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            install(name, sys.executable, "-m", "pip", "install", "--quiet", "--target", str(CACHE / "python"), name)
            importlib.invalidate_caches()
    return importlib.metadata.version(package)


def npm(command, *packages):
    """Installs packages of npm; returns the path of a command of theirs."""
    path = CACHE / "npm" / "node_modules" / ".bin" / command
    if not path.exists():
        if not shutil.which("npm"):
            raise Missing("npm is missing")
        install(command, "npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", CACHE / "npm", *packages)
    return path


def sources(variable, address):
    """Clones a repository, from the copy in the environment variable if it is set; returns its path and last date."""
    # Here it finds the packages of npm.
    path = CACHE / "npm" / pathlib.PurePath(address).name
    if not path.exists():
        address = os.environ.get(variable, address)
        install(f"{address} (or name a copy in {variable})", "git", "clone", "--quiet", "--depth", "1", address, path)
    date = ["git", "-C", path, "log", "-1", "--format=%cs"]
    return path, subprocess.run(date, capture_output=True, text=True).stdout.strip()


def judge(variant, moves, result):
    """Fails unless pyffish accepts the moves, in UCI notation, and the result for the first player (1, 0 or -1).

    A result that is no end by its rules, such as a resignation, is accepted. Returns how the game ended.
    """
    pip("pyffish")
    import pyffish

    import uci_match

    start = pyffish.start_fen(variant)
    for ply, move in enumerate(moves):
        legal = pyffish.legal_moves(variant, start, moves[:ply])
        if move == "@@@@":
            # A pass, which pyffish writes as a move of the general to its own square.
            moves[ply] = move = next((pass_ for pass_ in legal if re.match(r"(\w\d+)\1$", pass_)), move)
        if move not in legal:
            raise Failed(f"illegal move {move} after {' '.join(moves[:ply])}")
    over = uci_match.over(variant, start, moves)
    if over is not None and over != result:
        raise Failed(f"the result {result} differs from the referee's {over} after {' '.join(moves)}")
    return f"{len(moves)} moves, result {result:+d}, {'confirmed' if over is not None else 'not decided by the position'}"


def from_usi(move):
    """Converts a move on a board of nine ranks from USI to UCI notation."""
    flip = {**dict(zip("123456789", "ihgfedcba")), **dict(zip("abcdefghi", "987654321"))}
    return re.sub(r"\d[a-i]", lambda match: flip[match[0][0]] + flip[match[0][1]], move).replace("*", "@")


def main(host, play):
    """Runs `play`, which returns the version and what was done, and exits."""
    try:
        version, done = play()
        print(f"{host} {version}: {done}: ok")
        code = 0
    except Missing as error:
        print(f"{host}: not tried ({error})")
        code = 77
    except Exception as error:
        print(f"{host}: failed ({error if isinstance(error, Failed) else repr(error)})")
        code = 1
    sys.exit(code)
