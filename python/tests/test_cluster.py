"""Jobs on several processes and on Ray give the same results as one process, despite failures."""

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import sanban
from sanban import _sanban
from sanban.cluster import (
    AnalyzeJob,
    JobError,
    LocalExecutor,
    MatchJob,
    MateJob,
    PerftJob,
    SelfplayJob,
    ThinkJob,
    run,
    work,
)
from sanban.cluster.__main__ import main

MATES = Path(__file__).parents[2] / "tests" / "data" / "mates.tsv"
QUICK = ["--go", "nodes 60", "--option", "USI_Hash=1"]


def single(*words: str) -> None:
    """Runs a command in a single process."""
    out = subprocess.run([sys.executable, "-m", "sanban", *words], capture_output=True, text=True, check=False)
    assert out.returncode in (0, 1), out.stderr


def lines(path: Path, *without: str) -> list[dict]:
    """Returns the lines of a file after the first, sorted, without some of their keys."""
    _, *texts = path.read_text().splitlines()
    found = [{key: value for key, value in json.loads(text).items() if key not in without} for text in texts]
    return sorted(found, key=lambda line: json.dumps(line))


@pytest.fixture
def executor():
    with LocalExecutor(2) as executor:
        yield executor


def kill_one(executor: LocalExecutor, after: float) -> threading.Timer:
    """Kills a worker process after a number of seconds."""
    timer = threading.Timer(after, lambda: os.kill(executor.pids()[0], signal.SIGKILL))
    timer.start()
    return timer


def test_perft_is_that_of_one_process(executor, tmp_path):
    one, many = tmp_path / "one", tmp_path / "many"
    single("perft", "5", "--split", "2", "--out", str(one))
    timer = kill_one(executor, 0.5)
    assert run(PerftJob(5, split=2, tasks=40, out=many), executor) == 19861490
    timer.join()
    assert lines(one, "us", "at", "sum") == lines(many, "us", "at", "sum")
    single("perft", "--tally", str(many))
    # The job resumes from a truncated file, and nothing is counted twice.
    text = many.read_bytes()
    many.write_bytes(text[: len(text) * 2 // 3])
    job = PerftJob(5, split=2, tasks=40, out=many)
    assert run(job, executor) == 19861490
    assert lines(one, "us", "at", "sum") == lines(many, "us", "at", "sum")


def test_selfplay_makes_the_same_files(executor, tmp_path):
    one, many = tmp_path / "one", tmp_path / "many"
    single("selfplay", "--games", "1100", "--nodes", "10", "--game", "dobutsu", "--out", str(one))
    timer = kill_one(executor, 0.5)
    job = SelfplayJob(1100, many, nodes=10, game="dobutsu", piece=30)
    assert job.size < 1100
    assert run(job, executor) == len(list(one.iterdir())) > 1
    timer.join()
    for path in one.iterdir():
        assert (many / path.name).read_bytes() == path.read_bytes()
    # Existing games are not played again; damaged ones are.
    first = min(many.glob("*.games"))
    good = first.read_bytes()
    first.write_bytes(good[:-1] + bytes([good[-1] ^ 1]))
    again = SelfplayJob(1100, many, nodes=10, game="dobutsu", piece=30)
    run(again, executor)
    assert first.read_bytes() == good


def test_a_suite_is_answered_alike(executor, tmp_path):
    suite, one, many = tmp_path / "suite.tsv", tmp_path / "one", tmp_path / "many"
    suite.write_text("\n".join(MATES.read_text().splitlines()[:30]))
    single("mate", "--suite", str(suite), "--nodes", "20000", "--out", str(one))
    counts = run(MateJob(suite, tasks=7, out=many, more=["--nodes", "20000"]), executor)
    assert lines(one, "at", "sum") == lines(many, "at", "sum")
    assert sum(counts.values()) == len(lines(many))


def test_a_match_is_decided_alike(executor, tmp_path):
    one, many = tmp_path / "one", tmp_path / "many"
    more = [*QUICK, "--seed", "3", "--go-a", "nodes 600", "--go-b", "nodes 60", "--resign", "1000,3"]
    single("match", "--games", "80", "--sprt", "0,300", *more, "--out", str(one))
    games, decision = run(MatchJob(games=80, sprt=(0.0, 300.0), out=many, more=more), executor)
    expected = lines(one, "time", "times")
    assert decision == "H1" and len(expected) < 80
    found = [{key: value for key, value in game.items() if key not in ("time", "times")} for game in games]
    assert sorted(found, key=json.dumps) == expected
    # Games still in progress do not affect the next job.
    assert run(PerftJob(4, tasks=8), executor) == 719731
    # The match is decided, so no more games are played.
    before = many.read_bytes()
    assert run(MatchJob(games=80, sprt=(0.0, 300.0), out=many, more=more), executor)[1] == "H1"
    assert many.read_bytes() == before


def test_records_are_judged_alike(executor, tmp_path):
    source, one, many = tmp_path / "in", tmp_path / "one", tmp_path / "many"
    games = {"0.usi": "7g7f 3c3d 2g2f", "deep/1.psn": "2g2f 8c8d", "deep/2.PGN": "7g7f 8c8d 7f7e 8d8e"}
    for name, moves in games.items():
        path = source / name
        path.parent.mkdir(parents=True, exist_ok=True)
        record = sanban.Record(sanban.Position(moves=moves.split()))
        path.write_text(record.write(path.suffix[1:].lower()))
    (source / "notes.txt").write_text("no record\n")
    more = ["--nodes", "2000"]
    single("analyze", str(source), "--format", "kif,json", "--out", str(one), *more)
    job = AnalyzeJob([source], many, formats=("kif", "json"), more=more)
    assert run(job, executor) == 3
    found = sorted(path.relative_to(one) for path in one.rglob("*") if path.is_file())
    assert len(found) == 6
    for path in found:
        assert without_times((many / path).read_text()) == without_times((one / path).read_text())
    assert run(AnalyzeJob([source], many, formats=("kif", "json"), more=more), executor) == 0


def test_a_book_grows_alike(executor, tmp_path):
    book, one, many = tmp_path / "book.db", tmp_path / "one.db", tmp_path / "many.db"
    more = ["--game", "dobutsu", "--nodes", "60", "--hash", "1"]
    single("book", "think", str(book), "--positions", "16", *more)
    parts = [tmp_path / f"{part}.db" for part in range(3)]
    for part, path in enumerate(parts):
        single("book", "think", str(book), "--shard", f"{part}/3", "--out", str(path), "--positions", "8", *more)
    single("book", "merge", "--game", "dobutsu", *map(str, [book, *parts]), "--out", str(one))
    single("book", "minimax", "--game", "dobutsu", str(one))
    job = ThinkJob(book, many, tasks=3, game="dobutsu", more=["--positions", "8", *more[2:]])
    timer = kill_one(executor, 0.1)
    assert run(job, executor) >= _sanban.book_size(book, "dobutsu") + 24
    timer.join()
    assert many.read_bytes() == one.read_bytes()
    assert not job.kept.exists()


def test_a_book_goes_on_with_what_is_done(executor, tmp_path):
    book, out = tmp_path / "book.db", tmp_path / "out.db"
    more = ["--nodes", "60", "--hash", "1", "--positions", "4"]
    single("book", "think", str(book), "--game", "dobutsu", *more)
    job = ThinkJob(book, out, tasks=4, game="dobutsu", more=more)
    first = next(job.tasks())
    job.take(first, work.do(first.kind, first.arguments)[0])
    job.close()
    with pytest.raises(JobError, match="a different job: tasks was 4, not 5") as error:
        ThinkJob(book, out, tasks=5, game="dobutsu", more=more)
    assert error.value.code == 2
    again = ThinkJob(book, out, tasks=4, game="dobutsu", more=more)
    assert [task.number for task in again.tasks()] == [1, 2, 3]
    with pytest.raises(ValueError, match="line 2"):
        again.problem(first, b"#YANEURAOU-DB2016 1.00\nno book\n")
    run(again, executor)
    assert out.exists()


def without_times(text: str) -> str:
    return re.sub(r'"ms":\d+|時間 \S+', "", text)


class Liar(LocalExecutor):
    """An executor that passes every result through `change`. No task ends before both nodes have been identified."""

    def __init__(self, change):
        super().__init__(2)
        self.change, self.places, self.ended, self.told = change, {}, [], 0

    def submit(self, slot, function, *arguments):
        handle = super().submit(slot, function, *arguments)
        self.places[handle] = (slot, function, arguments)
        return handle

    def wait(self, timeout):
        self.ended += super().wait(timeout)
        told = [(handle, result) for handle, result in self.ended if self.places[handle][1] is work.identity]
        self.told += len(told)
        ready, self.ended = (self.ended, []) if self.told > 1 else (told, [it for it in self.ended if it not in told])
        return [(handle, self.change(*self.places[handle], result)) for handle, result in ready]


@pytest.mark.parametrize(
    ("at", "other", "sentence"),
    [
        (0, "0.0.0", "version 0.0.0, not"),
        (1, "0123456789abcdef", "network 0123456789abcdef, not"),
        (2, 1, "search 1, not"),
    ],
)
def test_another_program_or_network_is_refused_by_name(at, other, sentence, capsys):
    worked = set()

    def change(slot, function, _, result):
        if function is work.identity and slot.node == "process-1":
            return (*result[:at], other, *result[at + 1 :])
        if function is work.do:
            worked.add(slot.node)
        return result

    with Liar(change) as executor:
        assert run(PerftJob(4, tasks=8), executor, quiet=False) == 719731
    assert worked == {"process-0"}
    assert f"process 1 is rejected: {sentence}" in capsys.readouterr().err
    with Liar(lambda slot, function, _, result: ("0", "", 0) if function is work.identity else result) as executor:
        with pytest.raises(JobError, match="no nodes are left"):
            run(PerftJob(4, tasks=8), executor)


def damaged_transfer(payload, digest):
    return payload[:-2] + b"?\n", digest


def other_count(payload, _):
    changed = payload.replace(b'"nodes":', b'"nodes":1', 1)
    return changed, work.digest(changed)


def unit_left_out(payload, _):
    changed = b"".join(payload.splitlines(keepends=True)[:-1])
    return changed, work.digest(changed)


@pytest.mark.parametrize("damage", [damaged_transfer, other_count, unit_left_out])
def test_a_damaged_result_is_computed_again_and_reported(damage, capsys):
    damages = []

    def change(_, function, arguments, result):
        if function is work.do and len(damages) < 2 and b'"unit":' in result[0]:
            damages.append(arguments)
            return damage(*result)
        return result

    with Liar(change) as executor:
        assert run(PerftJob(4, split=2, tasks=8), executor, quiet=False) == 719731
    assert capsys.readouterr().err.count("; retrying") == 2


def test_games_with_an_illegal_move_are_played_again(tmp_path, capsys):
    foreign = _sanban.play_games(sanban.Network(None, "dobutsu"), 2, 40, 0, 4)
    damages = []

    def change(_, function, arguments, result):
        if function is work.do and not damages:
            damages.append(arguments)
            return foreign, work.digest(foreign)
        return result

    with Liar(change) as executor:
        run(SelfplayJob(8, tmp_path, nodes=40, game="dobutsu", piece=4), executor, quiet=False)
    assert "; retrying" in capsys.readouterr().err


def test_what_always_fails_ends_the_job(tmp_path):
    with Liar(lambda _, function, __, result: damaged_transfer(*result) if function is work.do else result) as executor:
        with pytest.raises(JobError, match="4 times"):
            run(PerftJob(4, tasks=8), executor)


def test_the_second_job_on_one_output_is_refused(executor, tmp_path, capsys):
    out = tmp_path / "counts"
    run(PerftJob(3, tasks=2, out=out), executor)
    first = json.loads(out.read_text().splitlines()[0])["perft"]
    held = _sanban.Journal(out, "perft", json.dumps(first))
    assert main(["perft", "3", "--processes", "1", "--out", str(out)]) == 1
    assert "another perft is writing to it" in capsys.readouterr().err
    del held
    claim = _sanban.Claim(tmp_path / "cluster.lock")
    assert main(["selfplay", "--games", "1", "--processes", "1", "--out", str(tmp_path)]) == 1
    assert "another process is writing to it" in capsys.readouterr().err
    del claim


def test_the_command_line(tmp_path, capsys):
    assert main(["perft", "4", "--processes", "2", "--tasks", "8"]) == 0
    assert capsys.readouterr().out == "Nodes searched  : 719731\n"
    assert main(["perft", "4", "--processes", "1", "--nonsense"]) == 2
    assert "unexpected argument '--nonsense'" in capsys.readouterr().err
    assert main(["match", "--games", "3", "--processes", "1"]) == 2
    assert main(["mate", str(tmp_path / "not there"), "--processes", "1"]) == 2
    with pytest.raises(SystemExit) as error:
        main(["nonsense"])
    assert error.value.code == 2


def test_two_nodes_of_ray_one_worker_killed(tmp_path):
    ray = pytest.importorskip("ray")
    from ray.cluster_utils import Cluster

    from sanban.cluster.on_ray import RayExecutor

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    try:
        cluster.add_node(num_cpus=1)
        with RayExecutor(cluster.address) as executor:
            victims = []

            def kill():
                # The process that executes a task, as soon as it exists.
                end = time.monotonic() + 60
                while not victims and time.monotonic() < end:
                    busy = subprocess.run(["pgrep", "-f", "ray::_call"], capture_output=True, text=True, check=False)
                    mine = [int(pid) for pid in busy.stdout.split() if is_descendant(int(pid), os.getpid())]
                    if mine:
                        time.sleep(0.3)
                        victims.append(mine[0])
                        os.kill(mine[0], signal.SIGKILL)
                    time.sleep(0.02)

            killer = threading.Thread(target=kill)
            killer.start()
            one, many = tmp_path / "one", tmp_path / "many"
            assert run(PerftJob(6, split=2, tasks=60, out=many), executor) == 547581517
            killer.join()
            assert victims
            single("perft", "6", "--split", "2", "--out", str(one))
            assert lines(one, "us", "at", "sum") == lines(many, "us", "at", "sum")
            single("selfplay", "--games", "24", "--nodes", "100", "--out", str(tmp_path / "one-games"))
            run(SelfplayJob(24, tmp_path / "many-games", nodes=100, piece=4), executor)
            (whole,) = (tmp_path / "one-games").glob("*.games")
            assert (tmp_path / "many-games" / whole.name).read_bytes() == whole.read_bytes()
    finally:
        ray.shutdown()
        cluster.shutdown()


def is_descendant(pid: int, ancestor: int) -> bool:
    """Returns whether a process descends from another, according to /proc."""
    while pid > 1:
        if pid == ancestor:
            return True
        try:
            pid = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
        except (OSError, ValueError):
            return False
    return False
