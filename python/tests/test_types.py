"""The type hints are valid for the package and for programs that use it."""

import importlib.metadata
import importlib.util
import re
from pathlib import Path

import pytest

import sanban

PROGRAM = """
from collections.abc import Hashable

import sanban
from sanban.cluster import LocalExecutor, PerftJob, run

def start(game: sanban.Game) -> sanban.Position:
    return sanban.Position(game=game)

position = start("janggi")
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
entries = sanban.psv.load("train.bin", mmap_mode="r")
known: bool = "7g7f" in position.legal_moves
ordered: list[sanban.Move] = sorted(position.legal_moves)
best: dict[sanban.Line, str] = {line: line.bound for line in outcome.lines}
total = int(sanban.Network().evaluate(entries, threads=2).sum())
where, score, answer, result = sanban.psv.unpack(entries[0])
verdict, plies = sanban.DobutsuTable("table").probe(sanban.Position(game="dobutsu"))
languages: list[str] = [reason.text("ja") for reason in sanban.reasons(sanban.Position(), "7g7f")]
solution: list[sanban.Move] = sanban.problems()[0].line
with LocalExecutor(2) as executor:
    count: int = run(PerftJob(4), executor)
"""


CONFIGURATION = Path(__file__).parents[1] / "pyproject.toml"
EXAMPLES = Path(__file__).parents[1] / "examples"

# Invalid lines, and part of the error expected for each.
MISTAKES = {
    "position.push(7)": 'incompatible type "int"',
    # An assignment, because `hash` accepts any object.
    "key: Hashable = position": "Incompatible types in assignment",
    'sanban.Position(game="chess")': r'incompatible type "Literal\[\'chess\'\]"',
    'sanban.Engine("chess")': r'incompatible type "Literal\[\'chess\'\]"',
    "class Own(sanban.Engine): pass": "Cannot inherit from final class",
    "class Other(sanban.Line): pass": "Cannot inherit from final class",
    "outcome.score = 1": "read-only",
    'first.usi = "7g7f"': "read-only",
    'first < "7g7f"': "Unsupported operand",
}


def test_hints(tmp_path):
    api = pytest.importorskip("mypy.api")
    program = tmp_path / "program.py"
    program.write_text(PROGRAM + "".join(f"{line}\n" for line in MISTAKES))
    words = ["--config-file", str(CONFIGURATION), "--cache-dir", str(tmp_path / "cache")]
    for checked in (["--package", "sanban"], map(str, EXAMPLES.glob("*.py"))):
        said, wrong, code = api.run([*words, *checked])
        assert code == 0, said + wrong
    said, wrong, _ = api.run([*words, str(program)])
    errors: dict[int, str] = {}
    for line, text in re.findall(r"^\S+:(\d+): error: (.*)$", said, re.MULTILINE):
        errors[int(line)] = errors.get(int(line), "") + text
    first = PROGRAM.count("\n") + 1
    assert list(errors) == list(range(first, first + len(MISTAKES))), said + wrong
    for (mistake, expected), error in zip(MISTAKES.items(), errors.values(), strict=True):
        assert re.search(expected, error), (mistake, error)


def test_the_hints_are_those_of_the_module(monkeypatch, tmp_path, capsys):
    stubtest = pytest.importorskip("mypy.stubtest")
    pytest.importorskip("numpy")
    monkeypatch.chdir(tmp_path)
    words = ["sanban", "--mypy-config-file", str(CONFIGURATION)]
    if importlib.util.find_spec("ray") is None:
        allowed = tmp_path / "allowed"
        allowed.write_text("sanban.cluster.on_ray\n")
        words += ["--allowlist", str(allowed)]
    assert stubtest.test_stubs(stubtest.parse_options(words)) == 0, capsys.readouterr().out


def test_the_package_is_the_installed_one():
    assert Path(sanban.__file__).parent != Path(__file__).parents[1] / "sanban"
    assert importlib.metadata.version("sanban") == sanban.__version__
