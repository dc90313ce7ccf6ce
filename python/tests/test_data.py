"""Records, training positions, networks, tables and the command."""

import os
import random
import subprocess
import sys

import numpy as np
import pytest

import sanban


def game(seed: int, plies: int = 60, name: str = "shogi") -> sanban.Position:
    rng = random.Random(seed)
    position = sanban.Position(game=name)
    while len(position.moves) < plies and position.outcome is None:
        position.push(rng.choice(position.legal_moves))
    return position


@pytest.mark.parametrize("format", ["kif", "kifu", "ki2", "csa", "csa3", "jkf", "usi", "sfen", "western"])
def test_records_come_back(format, tmp_path):
    position = game(1)
    record = sanban.Record(position, headers={"先手": "羽生"}, comments={0: "start", 3: "三手目"})
    path = tmp_path / f"game.{format}"
    path.write_bytes(record.encode(format))
    (back,) = sanban.read_records(path)
    assert back.moves == [move.usi for move in position.moves] == record.moves
    assert back.position() == position
    if format in ("kif", "kifu", "csa", "csa3", "jkf"):
        assert back.black == "羽生"
        assert back.comments[3] == "三手目"
    assert back.write("usi") == record.write("usi")


def test_records_of_other_games():
    position = game(2, name="janggicasual")
    record = sanban.Record(position)
    (back,) = sanban.read_records(record.write("usi").encode(), game="janggicasual")
    assert back.game == "janggicasual" and back.position() == position


def test_bad_records_are_refused_with_their_place(tmp_path):
    with pytest.raises(ValueError, match="line 2"):
        sanban.read_records("手合割：平手\n   1 ９九歩(77)\n".encode())
    with pytest.raises(OSError, match="not there"):
        sanban.read_records(tmp_path / "not there")
    with pytest.raises(ValueError, match="unknown format sgf: expected one of"):
        sanban.Record(game(1)).write("sgf")


def test_training_positions_are_arrays(tmp_path):
    positions = []
    position = game(3, 40)
    while position.moves:
        move = position.pop()
        positions.append((position.copy(), move))
    entries = np.array([sanban.psv.pack(p, 100 - n, m, 1 - n % 3) for n, (p, m) in enumerate(positions)])
    assert entries.dtype.itemsize == 40 and list(entries["score"][:2]) == [100, 99]
    entries.tofile(tmp_path / "a.psv")
    back = sanban.psv.load(tmp_path / "a.psv")
    for n, ((position, move), entry) in enumerate(zip(positions, back, strict=True)):
        assert sanban.psv.unpack(entry) == (position, 100 - n, move, 1 - n % 3)
    bare = sanban.psv.from_positions([position for position, _ in positions])
    assert (bare["sfen"] == back["sfen"]).all() and (bare["gamePly"] == back["gamePly"]).all()
    with pytest.raises(ValueError, match="the entry is not a position"):
        sanban.psv.unpack(b"\xff" * 40)


def hcpe(positions: list[sanban.Position], path) -> None:
    """Writes positions as hcpe entries with cshogi."""
    cshogi = pytest.importorskip("cshogi")
    entries = np.zeros(len(positions), cshogi.HuffmanCodedPosAndEval)
    for number, (position, entry) in enumerate(zip(positions, entries, strict=True)):
        board = cshogi.Board(position.sfen)
        board.to_hcp(entry["hcp"])
        entry["eval"] = 100 - number
        move = board.move_from_usi(position.legal_moves[0].usi)
        entry["bestMove16"] = np.uint16(cshogi.move16(move)).astype(np.int16)
        entry["gameResult"] = number % 3
    entries.tofile(path)


def test_entries_of_cshogi_are_read(tmp_path):
    positions = [game(seed, 30 + seed % 2) for seed in range(60)]
    path = tmp_path / "a.hcpe"
    hcpe(positions, path)
    entries = sanban.hcpe.load(path)
    assert entries.dtype.itemsize == 38 and list(entries["eval"][:2]) == [100, 99]
    for number, (position, entry) in enumerate(zip(positions, entries, strict=True)):
        black = (0, 1, -1)[number % 3]
        result = black if position.side == "black" else -black
        assert sanban.hcpe.unpack(entry) == (position, 100 - number, position.legal_moves[0], result)
    mapped = sanban.hcpe.load(path, mmap_mode="r")
    network = sanban.Network()
    assert isinstance(mapped, np.memmap)
    assert list(network.evaluate(mapped)) == list(network.evaluate(positions))
    with pytest.raises(ValueError, match="the entry is not a position"):
        sanban.hcpe.unpack(b"\xff" * 38)


def test_files_are_mapped_into_memory(tmp_path, monkeypatch):
    positions = [game(seed, 20) for seed in range(50)]
    path = tmp_path / "a.psv"
    sanban.psv.from_positions(positions).tofile(path)
    mapped = sanban.psv.load(path, mmap_mode="r")
    assert isinstance(mapped, np.memmap) and (mapped == sanban.psv.load(path)).all()
    with pytest.raises(ValueError):
        mapped["score"][0] = 7
    changed = sanban.psv.load(path, mmap_mode="r+")
    changed["score"][0] = 7
    changed.flush()
    assert sanban.psv.load(path)["score"][0] == 7
    network = sanban.Network()
    expected = list(network.evaluate(positions))
    # The size of the blocks does not matter.
    monkeypatch.setattr("sanban._arrays.BLOCK", 7)
    assert list(network.evaluate(mapped)) == expected
    changed["sfen"][20] = 255
    with pytest.raises(ValueError, match="entry 20 is not a valid position"):
        network.evaluate(changed)
    with pytest.raises(ValueError, match="entries of 16 bytes, expected 40 or 38"):
        network.evaluate(np.zeros(1, dtype=[("a", "u8"), ("b", "u8")]))
    for load in (sanban.psv.load, sanban.hcpe.load):
        (tmp_path / "bad").write_bytes(b"x" * 41)
        with pytest.raises(ValueError, match="the file size 41 is not a multiple of"):
            load(tmp_path / "bad")
        (tmp_path / "empty").write_bytes(b"")
        assert len(load(tmp_path / "empty", mmap_mode="r")) == 0


def test_networks_evaluate_many_positions_at_once():
    positions = [game(seed, 30) for seed in range(600)]
    network = sanban.Network()
    engine = sanban.Engine(network=network)
    expected = [engine.evaluate(position) for position in positions]
    for given in (positions, [position.sfen for position in positions], sanban.psv.from_positions(positions)):
        for threads in (1, 2):
            scores = network.evaluate(given, threads=threads)
            assert scores.dtype == np.int32 and list(scores) == expected
    assert len(network.fingerprint) == 16 and network.name
    assert sanban.Network("handwritten").fingerprint != network.fingerprint
    with pytest.raises(ValueError, match="entry 1 is not a valid position"):
        network.evaluate_entries(sanban.psv.from_positions(positions[:1]).tobytes() + b"\xff" * 40, 40, 1)
    with pytest.raises(ValueError, match="found one of janggi"):
        network.evaluate([sanban.Position(game="janggi")])


def test_tables_are_refused_with_a_sentence(tmp_path):
    (tmp_path / "table").write_bytes(b"no table")
    with pytest.raises(ValueError, match="table"):
        sanban.DobutsuTable(tmp_path / "table")


def test_a_table_knows_what_perfect_play_leads_to():
    path = os.environ.get("DOBUTSU_TABLE")
    if path is None:
        pytest.skip("DOBUTSU_TABLE is not set to a table of `sanban solve`")
    table, position = sanban.DobutsuTable(path), sanban.Position(game="dobutsu")

    def left_after(move: sanban.Move) -> int | None:
        position.push(move)
        left = 0 if position.outcome else table.probe(position)[1]
        position.pop()
        return left

    for plies in range(78, 0, -1):
        assert table.probe(position) == ("win" if plies % 2 else "loss", plies)
        position.push(next(move for move in position.legal_moves if left_after(move) == plies - 1))
    assert position.outcome is not None


def command(*words: str, module: str = "sanban") -> subprocess.CompletedProcess:
    return subprocess.run([sys.executable, "-m", module, *words], capture_output=True, text=True, check=False)


def test_the_command_is_the_program(tmp_path):
    out = command("perft", "3")
    assert out.returncode == 0 and out.stdout.startswith("Nodes searched  : 25470\n")
    out = command("perft")
    assert out.returncode == 2 and out.stderr.startswith("sanban: ")
    out = command("match", "--games", "2", "--go", "nodes 50", "--option", "USI_Hash=1")
    assert out.returncode == 0 and out.stdout.startswith("2 games, "), out.stderr
    told = subprocess.run(
        [sys.executable, "-m", "sanban"], input="usi\nquit\n", capture_output=True, text=True, check=True
    )
    assert "usiok" in told.stdout


def test_games_of_self_play_become_arrays(tmp_path):
    out = command("selfplay", "--games", "4", "--nodes", "40", "--out", str(tmp_path))
    assert out.returncode == 0, out.stderr
    (shard,) = tmp_path.glob("*.games")
    entries = sanban.psv.from_games(shard)
    assert len(entries) > 20 and set(entries["game_result"]) <= {-1, 0, 1}
