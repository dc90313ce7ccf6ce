"""Plays two games between Sanbans in cshogi.cli, with and without pondering."""

import pathlib
import subprocess
import sys
import tempfile

import hosts


def play():
    version, sanban = hosts.pip("cshogi"), hosts.engine()
    import cshogi.CSA

    done = []
    for options in ([], ["--ponder"]):
        with tempfile.TemporaryDirectory() as folder:
            command = [sys.executable, "-m", "cshogi.cli", sanban, sanban, "--time", "20000", "--inc", "500", *options]
            command += ["--csa", folder]
            paths = {"PYTHONPATH": str(hosts.CACHE / "python"), "PATH": "/usr/bin:/bin"}
            run = subprocess.run(command, env=paths, capture_output=True, text=True, timeout=900)
            records = list(pathlib.Path(folder).glob("*.csa"))
            if run.returncode or len(records) != 1:
                raise hosts.Failed(f"exit code {run.returncode}: {(run.stderr or run.stdout).strip()[-300:]}")
            record = cshogi.CSA.Parser.parse_file(str(records[0]))[0]
        moves = [hosts.from_usi(cshogi.move_to_usi(move)) for move in record.moves]
        if record.endgame in ("%ILLEGAL_MOVE", "%TIME_UP"):
            raise hosts.Failed(f"{record.endgame} after {' '.join(moves)}")
        result = {cshogi.BLACK_WIN: 1, cshogi.WHITE_WIN: -1}.get(record.win, 0)
        done.append(f"{options[0] if options else 'no pondering'}: {hosts.judge('shogi', moves, result)}, {record.endgame}")
    return version, "; ".join(done)


hosts.main("cshogi.cli", play)
