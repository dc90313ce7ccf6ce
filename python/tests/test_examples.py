"""The programs in `examples` run."""

import subprocess
import sys
from pathlib import Path

import pytest

import sanban

EXAMPLES = Path(__file__).parents[1] / "examples"


@pytest.fixture
def record() -> sanban.Record:
    moves = ["7g7f", "3c3d", "2h6h", "8c8d", "5i4h", "5a4b"]
    return sanban.Record(sanban.Position(moves=moves), headers={"先手": "A", "後手": "B"})


def run(name: str, *arguments: object) -> str:
    command = [sys.executable, EXAMPLES / name, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_legal_moves():
    assert "7g7f" in run("legal_moves.py").split()


def test_search_callback():
    lines = run("search_callback.py", 0.1).splitlines()
    assert lines[0].startswith("depth") and lines[-1].startswith("best move:")


def test_games_table(tmp_path, record):
    (tmp_path / "a.kif").write_bytes(record.encode("kif"))
    assert "Fourth-File Rook" in run("games_table.py", tmp_path)


def test_training_batches(tmp_path, record):
    positions = [sanban.Position(moves=record.moves[:n]) for n in range(6)]
    (tmp_path / "a.bin").write_bytes(sanban.psv.from_positions(positions).tobytes())
    assert run("training_batches.py", tmp_path / "a.bin", 4).count("positions") == 2


def test_engine_match():
    assert "手数----" in run("engine_match.py", 6, sys.executable, "-m", "sanban")
