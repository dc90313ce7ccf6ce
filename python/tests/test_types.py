"""The type hints are valid, for the package and for its users."""

from pathlib import Path

import pytest

PROGRAM = """
import sanban
from sanban.cluster import LocalExecutor, PerftJob, run

position = sanban.Position(game="janggi")
for move in position.legal_moves:
    position.push(move)
    taken: sanban.Move = position.pop()
    square: str | None = taken.from_square
first: sanban.Move = position.legal_moves[0]
some: list[sanban.Move] = position.legal_moves[:3]
outcome = sanban.Engine().search(position, nodes=1000, moves=some, on_line=lambda line: print(line.pv))
if outcome.best is not None:
    position.push(outcome.best)
text: str = sanban.read_records("game.kif")[0].write("csa")
entries = sanban.psv.load("train.bin")
total = int(sanban.Network().evaluate(entries, threads=2).sum())
where, score, answer, result = sanban.psv.unpack(entries[0])
verdict, plies = sanban.DobutsuTable("table").probe(sanban.Position(game="dobutsu"))
languages: list[str] = [reason.text("ja") for reason in sanban.reasons(sanban.Position(), "7g7f")]
solution: list[sanban.Move] = sanban.problems()[0].line
with LocalExecutor(2) as executor:
    count: int = run(PerftJob(4), executor)
"""


def test_hints(tmp_path, monkeypatch):
    api = pytest.importorskip("mypy.api")
    package = Path(__file__).parents[1]
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    monkeypatch.setenv("MYPYPATH", str(package))
    words = ["--config-file", str(package / "pyproject.toml"), "--cache-dir", str(tmp_path / "cache")]
    said, wrong, code = api.run([*words, str(package / "sanban"), str(program)])
    assert code == 0, said + wrong
    program.write_text(PROGRAM + "position.push(7)\n")
    said, _, code = api.run([*words, str(program)])
    assert code == 1 and 'incompatible type "int"' in said
