"""Plays a game of shogi and one of Janggi between two Sanbans in xboard, over CECP."""

import os
import pathlib
import re
import signal
import subprocess
import tempfile
import time

import hosts

RESULTS = {"1-0": 1, "0-1": -1, "1/2-1/2": 0}


def game(variant, *options):
    """Plays a game in xboard with these options; the referee judges the moves that the engines sent."""
    hosts.apt("Xvfb", "xvfb", "xauth")
    with tempfile.TemporaryDirectory() as folder:
        debug, pgn = pathlib.Path(folder) / "debug", pathlib.Path(folder) / "game.pgn"
        command = ["xvfb-run", "-a", "xboard", "-variant", variant, *options, "-mg", "1", "-tc", "0:10", "-inc", "0.1"]
        command += ["-xexit", "-debug", "-nameOfDebugFile", debug, "-sgf", pgn]
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
        )
        # xboard may stay open after the match.
        deadline = time.monotonic() + 900
        while process.poll() is None and time.monotonic() < deadline:
            time.sleep(1)
            if pgn.exists() and pgn.stat().st_size:
                time.sleep(2)
                break
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait()
        if not pgn.exists():
            raise hosts.Failed(f"{variant}: no game in 15 minutes")
        log, record = debug.read_text(errors="replace"), pgn.read_text(errors="replace")
    # uci2wb marks moves without promotion by `=`.
    moves = re.findall(r"<(?:first|second)\s*: move ([^\s=]+)", log)
    for fault in ("Illegal move", "forfeits", "exited"):
        if fault in record or re.search(rf"<(?:first|second)\s*: {re.escape(fault)}", log):
            raise hosts.Failed(f"{variant}: {fault}: {record[-200:]}")
    if variant == "janggi":
        moves = [re.sub(r"([a-i])(\d+)", lambda at: f"{at[1]}{int(at[2]) + 1}", move) for move in moves]
    return f"{variant}: {hosts.judge(variant, moves, RESULTS[record.split()[-1]])}"


def play():
    version, sanban = hosts.apt("xboard", "xboard"), hosts.engine()
    engines = ["-fcp", sanban, "-scp", sanban]
    return version, "; ".join([game("shogi", *engines), game("janggi", "-testLegality", "false", *engines)])


if __name__ == "__main__":
    hosts.main("xboard", play)
