"""The jobs: how they are split into tasks, how results are validated, and how results are combined."""

from __future__ import annotations

import json
import math
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from .._games import Game
from .._sanban import (
    Claim,
    Journal,
    __version__,
    book_size,
    check_games,
    command,
    is_intact,
    join_games,
    match_standing,
    record_files,
    shard_games,
    shard_name,
    write_whole,
)
from . import work

NOTHING = f"{2**63 - 1}/{2**63}"
"""A `--shard` argument without any work: the output contains only the description of the job."""


class JobError(Exception):
    """Raised when a job cannot be executed; carries the exit code."""

    def __init__(self, sentence: str, code: int = 1) -> None:
        super().__init__(sentence)
        self.code = code


class Task(NamedTuple):
    """A piece of work for one node."""

    number: int
    kind: str
    arguments: dict[str, Any]


class Job(Protocol):
    """The interface of a job that the scheduler uses."""

    name: str
    game: Game
    done: int
    """Number of finished tasks."""
    total: int
    """Number of tasks."""

    @property
    def network(self) -> str | None:
        """The network file; `None` for the embedded network."""
        ...

    def tasks(self) -> Iterator[Task | None]:
        """Yields the tasks, and `None` while the next task depends on the result of a running one."""
        ...

    def problem(self, task: Task, payload: bytes) -> str | None:
        """Returns a message about what is wrong with a result, or `None`."""
        ...

    def take(self, task: Task, payload: bytes) -> None:
        """Stores a valid result."""
        ...

    def is_done(self) -> bool:
        """Returns whether the job is complete."""
        ...

    def finish(self) -> Any:
        """Returns the result of the job."""
        ...

    def close(self) -> None:
        """Closes files."""
        ...


def _lines(payload: bytes) -> list[str]:
    lines = payload.decode().split("\n")
    if lines.pop():
        raise ValueError("the last line is truncated")
    return lines


def _texts(payload: bytes) -> list[dict[str, str]]:
    """Returns the files of an analysis and its problems, each by name."""
    texts: list[dict[str, str]] = json.loads(payload)
    return texts


def _open(path: str | os.PathLike[str], kind: str, about: Any) -> Journal:
    """Opens the file from which a job resumes."""
    try:
        return Journal(path, kind, json.dumps(about))
    except OSError as error:
        raise JobError(str(error)) from error
    except ValueError as error:
        raise JobError(str(error), 2) from error


class _Journaled:
    """A job whose tasks are shards of a command that writes JSON lines. The lines are collected in one such file."""

    name: str
    network: str | None = None
    accepted: tuple[int, ...] = (0,)
    """Exit codes that indicate a finished shard."""

    def __init__(
        self, words: list[str], inputs: dict[str, bytes], parts: int, out: str | os.PathLike[str] | None
    ) -> None:
        self.words, self.inputs, self.parts, self.out = words, inputs, parts, out
        self.done, self.total = 0, parts
        self.about: Any = None
        self.lines: dict[Any, str] = {}
        self.journal: Journal | None = None
        self.left: set[int] = set(range(parts))

    def tasks(self) -> Iterator[Task | None]:
        yield self._task(-1, NOTHING)
        while self.about is None:
            # The other tasks wait for the description of the job.
            yield None
        for part in range(self.parts):
            if part in self.left:
                yield self._task(part, f"{part}/{self.parts}")

    def _task(self, number: int, part: str) -> Task:
        words = [*self.words, "--shard", part]
        return Task(number, "journal", {"words": words, "inputs": self.inputs, "accepted": self.accepted})

    def key(self, line: dict[str, Any]) -> Any:
        """Returns the key of the unit of work that a line describes."""
        raise NotImplementedError

    def wanted(self, part: int) -> set[Any]:
        """Returns the keys of the units of a shard."""
        raise NotImplementedError

    def fault(self, text: str, line: dict[str, Any]) -> str | None:
        """Returns a message about what is wrong with a line, or `None`."""
        return None if is_intact(text) else "a checksum does not match"

    def problem(self, task: Task, payload: bytes) -> str | None:
        first, *lines = _lines(payload)
        about = json.loads(first)[self.name]
        if task.number < 0:
            return None
        if about != self.about:
            return f"the result belongs to a different job: {about}, not {self.about}"
        found: set[Any] = set()
        for text in lines:
            line = json.loads(text)
            fault = self.fault(text, line)
            if fault is not None:
                return f"{self.key(line)}: {fault}"
            found.add(self.key(line))
        return None if found == self.wanted(task.number) else "the units of work differ from those of the task"

    def take(self, task: Task, payload: bytes) -> None:
        first, *lines = _lines(payload)
        if task.number < 0:
            self.begin(json.loads(first)[self.name])
            return
        for text in lines:
            self.keep(text)
        self.left.discard(task.number)
        self.done += 1

    def begin(self, about: Any) -> None:
        """Stores the description of the job and skips the units that are already in the file."""
        self.about = about
        if self.out is None:
            return
        self.journal = _open(self.out, self.name, about)
        for text in self.journal.lines:
            line = json.loads(text)
            if self.fault(text, line) is None:
                self.lines[self.key(line)] = text
        for part in range(self.parts):
            if self.wanted(part) <= self.lines.keys():
                self.left.discard(part)
                self.done += 1

    def keep(self, text: str) -> None:
        key = self.key(json.loads(text))
        if key not in self.lines:
            self.lines[key] = text
            if self.journal is not None:
                self.journal.append(text)

    def is_done(self) -> bool:
        return self.about is not None and not self.left

    def close(self) -> None:
        self.journal = None


class PerftJob(_Journaled):
    """Counts the leaves of the tree of legal moves. The result is their number."""

    name = "perft"

    def __init__(
        self,
        depth: int,
        *,
        game: Game = "shogi",
        split: int | None = None,
        tasks: int = 64,
        out: str | os.PathLike[str] | None = None,
        more: list[str] | None = None,
    ) -> None:
        split = min(3, max(depth - 3, 0)) if split is None else split
        words = ["perft", str(depth), "--game", game, "--split", str(split), *(more or [])]
        super().__init__(words, {}, tasks, out)
        self.game: Game = game

    def key(self, line: dict[str, Any]) -> int:
        return int(line["unit"])

    def wanted(self, part: int) -> set[int]:
        return set(range(part, self.about["units"], self.parts))

    def finish(self) -> int:
        counts = [json.loads(text) for text in self.lines.values()]
        return sum(count["times"] * count["nodes"] for count in counts)


class MateJob(_Journaled):
    """Solves a suite of mate problems. The result is the number of correct, wrong and timed-out answers."""

    name = "mate"
    game: Game = "shogi"
    accepted = (0, 1)

    def __init__(
        self,
        suite: str | os.PathLike[str],
        *,
        tasks: int = 64,
        out: str | os.PathLike[str] | None = None,
        more: list[str] | None = None,
    ) -> None:
        try:
            content = Path(suite).read_bytes()
        except OSError as error:
            raise JobError(str(error), 2) from error
        super().__init__(["mate", "--suite", "suite.tsv", *(more or [])], {"suite.tsv": content}, tasks, out)

    def key(self, line: dict[str, Any]) -> int:
        return int(line["problem"])

    def wanted(self, part: int) -> set[int]:
        return set(range(part, self.about["problems"], self.parts))

    def finish(self) -> dict[str, int]:
        verdicts = [json.loads(text)["verdict"] for text in self.lines.values()]
        return {word: verdicts.count(word) for word in ("right", "wrong", "timeout")}


class MatchJob(_Journaled):
    """Plays a match between two USI engines, one pair of games per task, until the SPRT reaches a decision. The result
    is the list of games that count and the decision (`H0`, `H1` or `None`).

    Pairs are counted in order. With a node limit and one search thread, the games are the same as in a single process.
    """

    name = "match"
    accepted = (0, 1)

    def __init__(
        self,
        a: str = "-",
        b: str = "-",
        *,
        games: int,
        sprt: tuple[float, float] | None = None,
        game: Game = "shogi",
        out: str | os.PathLike[str] | None = None,
        more: list[str] | None = None,
    ) -> None:
        if games < 2 or games % 2:
            raise JobError("games: expected an even number, at least 2", 2)
        words = ["match", a, b, "--games", str(games), "--game", game, *(more or [])]
        super().__init__(words, {}, games // 2, out)
        self.game: Game = game
        self.sprt = sprt
        self.decision: str | None = None
        self.counted = 0

    def key(self, line: dict[str, Any]) -> tuple[int, str]:
        return line["pair"], line["black"]

    def wanted(self, part: int) -> set[tuple[int, str]]:
        return {(part, "a"), (part, "b")}

    def fault(self, text: str, line: dict[str, Any]) -> str | None:
        # The referee of the match has checked the legality of the moves, which depends on the rule settings.
        return None if isinstance(line["moves"], list) and line["result"] in ("win", "draw", "loss") else "not a game"

    def begin(self, about: Any) -> None:
        super().begin(about)
        self._judge()

    def take(self, task: Task, payload: bytes) -> None:
        super().take(task, payload)
        if task.number >= 0:
            self._judge()

    def _judge(self) -> None:
        if self.decision is None:
            self.counted, self.decision = match_standing(self._ordered(), self.sprt)

    def _ordered(self) -> list[str]:
        return [self.lines[key] for key in sorted(self.lines)]

    def is_done(self) -> bool:
        return super().is_done() or self.decision is not None

    def finish(self) -> tuple[list[dict[str, Any]], str | None]:
        return [json.loads(text) for text in self._counting()], self.decision

    def _counting(self) -> list[str]:
        """Returns the games that count: those of all pairs up to the deciding one."""
        return [self.lines[key] for key in sorted(self.lines) if key[0] < self.counted]

    def print(self) -> int:
        """Prints the result of the match as `sanban match` does, and returns the exit code."""
        lines = [json.dumps({self.name: self.about}), *self._counting()]
        with tempfile.TemporaryDirectory(prefix="sanban-") as folder:
            path = Path(folder, "match.jsonl")
            path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
            more = [] if self.sprt is None else ["--sprt", f"{self.sprt[0]},{self.sprt[1]}"]
            code, sentence = command(["match", "--tally", str(path), *more])
        if sentence is not None:
            raise JobError(sentence, code)
        return code


class ThinkJob:
    """Extends a book by search, one shard of the positions per task, as `sanban book think --shard` does. The result is
    the number of positions in the book.

    The shards are stored next to the output book, in a file of JSON lines, until all are finished.
    """

    name = "think"

    def __init__(
        self,
        book: str | os.PathLike[str],
        out: str | os.PathLike[str],
        *,
        tasks: int = 64,
        draw: int = 0,
        game: Game = "shogi",
        network: str | None = None,
        more: list[str] | None = None,
    ) -> None:
        self.game: Game = game
        self.network, self.draw = network, draw
        self.book, self.out = Path(book), Path(out)
        try:
            content = self.book.read_bytes()
        except OSError as error:
            raise JobError(str(error), 2) from error
        self.words = ["book", "think", "in.db", "--game", game, f"--draw={draw}", *(more or [])]
        if network is not None:
            self.words += ["--eval-file", network]
        self.inputs = {"in.db": content}
        self.total = tasks
        self.parts: dict[int, str] = {}
        about = {"words": self.words, "book": work.digest(content), "tasks": tasks, "version": __version__}
        self.kept = self.out.with_name(self.out.name + ".parts")
        self.journal: Journal | None = _open(self.kept, self.name, about)
        for text in self.journal.lines:
            line = json.loads(text)
            if work.digest(line["book"].encode()) == line["sum"]:
                self.parts[line["part"]] = line["book"]
        self.done = len(self.parts)

    def tasks(self) -> Iterator[Task]:
        for part in range(self.total):
            if part not in self.parts:
                words = [*self.words, "--shard", f"{part}/{self.total}"]
                arguments = {"words": words, "inputs": self.inputs, "accepted": (0,), "output": "part.db"}
                yield Task(part, "journal", arguments)

    def problem(self, task: Task, payload: bytes) -> str | None:
        with tempfile.TemporaryDirectory(prefix="sanban-") as folder:
            path = Path(folder, "part.db")
            path.write_bytes(payload)
            book_size(path, self.game)
        return None

    def take(self, task: Task, payload: bytes) -> None:
        text = payload.decode()
        self.parts[task.number] = text
        if self.journal is not None:
            self.journal.append(json.dumps({"part": task.number, "book": text, "sum": work.digest(payload)}))
        self.done += 1

    def is_done(self) -> bool:
        return self.done == self.total

    def finish(self) -> int:
        with tempfile.TemporaryDirectory(prefix="sanban-") as folder:
            books = [str(self.book)]
            for part, text in sorted(self.parts.items()):
                books.append(str(Path(folder, f"{part}.db")))
                Path(books[-1]).write_text(text, "utf-8")
            minimax = ["minimax", str(self.out), f"--draw={self.draw}"]
            for words in (["merge", *books, "--out", str(self.out)], minimax):
                code, sentence = command(["book", *words, "--game", self.game])
                if code:
                    raise JobError(sentence or f"exit code {code}", code)
        self.kept.unlink()
        return book_size(self.out, self.game)

    def close(self) -> None:
        self.journal = None


class SelfplayJob:
    """Plays self-play games and writes the same files as `sanban selfplay`. The result is the number of files."""

    name = "selfplay"

    def __init__(
        self,
        games: int,
        out: str | os.PathLike[str],
        *,
        nodes: int = 500,
        seed: int = 1,
        game: Game = "shogi",
        network: str | None = None,
        piece: int = 16,
    ) -> None:
        self.game: Game = game
        self.network, self.nodes, self.seed = network, nodes, seed
        self.games, self.out, self.piece = games, Path(out), piece
        self.size = shard_games(nodes)
        self.done, self.total = 0, sum(len(self._pieces(shard)) for shard in self._shards())
        try:
            self.weights = work.network(game, network)
            self.out.mkdir(parents=True, exist_ok=True)
            self.claim: Claim | None = Claim(self.out / "cluster.lock")
        except OSError as error:
            raise JobError(f"{self.out}: {error}") from error
        except ValueError as error:
            raise JobError(str(error), 2) from error
        self.pieces: dict[int, dict[int, bytes]] = {}
        self.files = 0

    def _shards(self) -> range:
        return range(math.ceil(self.games / self.size))

    def _range(self, shard: int) -> tuple[int, int]:
        first = shard * self.size
        return first, min(first + self.size, self.games)

    def _pieces(self, shard: int) -> list[tuple[int, int]]:
        """Returns the first game and the number of games of each chunk."""
        first, end = self._range(shard)
        return [(at, min(self.piece, end - at)) for at in range(first, end, self.piece)]

    def _path(self, shard: int) -> Path:
        return self.out / shard_name(self.game, self.seed, shard)

    def tasks(self) -> Iterator[Task]:
        for shard in self._shards():
            first, end = self._range(shard)
            path = self._path(shard)
            if path.exists() and self._fault(path.read_bytes(), first, end - first) is None:
                self.done += len(self._pieces(shard))
                self.files += 1
                continue
            for at, games in self._pieces(shard):
                where = {"game": self.game, "path": self.network, "seed": self.seed, "nodes": self.nodes}
                yield Task(at, "games", {**where, "first": at, "games": games})

    def _fault(self, games: bytes, first: int, number: int) -> str | None:
        return check_games(games, self.weights, self.seed, self.nodes, first, number)

    def problem(self, task: Task, payload: bytes) -> str | None:
        return self._fault(payload, task.arguments["first"], task.arguments["games"])

    def take(self, task: Task, payload: bytes) -> None:
        shard = task.number // self.size
        pieces = self.pieces.setdefault(shard, {})
        pieces[task.number] = payload
        self.done += 1
        if len(pieces) == len(self._pieces(shard)):
            whole = join_games([pieces[at] for at in sorted(pieces)])
            try:
                write_whole(self._path(shard), whole)
            except OSError as error:
                raise JobError(str(error)) from error
            del self.pieces[shard]
            self.files += 1

    def is_done(self) -> bool:
        return self.files == len(self._shards())

    def finish(self) -> int:
        return self.files

    def close(self) -> None:
        self.claim = None


class AnalyzeJob:
    """Analyses records, one file per task, like `sanban analyze --out`. The result is the number of files analysed."""

    name = "analyze"
    WRITTEN = {"kif": ".kifu", "csa": ".csa", "gib": ".gib", "json": ".jsonl", "html": ".html"}
    """The output formats and their file extensions. The default depends on the game and always includes `html`."""

    def __init__(
        self,
        sources: list[str | os.PathLike[str]],
        out: str | os.PathLike[str],
        *,
        formats: tuple[str, ...] | None = None,
        problems: str | os.PathLike[str] | None = None,
        game: Game | None = None,
        network: str | None = None,
        more: list[str] | None = None,
    ) -> None:
        self.game: Game = game or "shogi"
        self.network, self.formats = network, formats or ("html",)
        self.out, self.problems = Path(out), None if problems is None else Path(problems)
        self.words = ["analyze", *(["--format", ",".join(formats)] if formats else []), *(more or [])]
        if game is not None:
            self.words += ["--game", game]
        if network is not None:
            self.words += ["--eval-file", network]
        self.files = [pair for source in sources for pair in self._walk(Path(source))]
        targets = [folder / path.stem for path, folder in self.files]
        if not targets:
            raise JobError("the given directories contain no records", 2)
        if len(set(targets)) < len(targets):
            twice = next(target for target in targets if targets.count(target) > 1)
            raise JobError(f"two files would be written to {twice}", 2)
        try:
            self.out.mkdir(parents=True, exist_ok=True)
            self.claim: Claim | None = Claim(self.out / "cluster.lock")
        except OSError as error:
            raise JobError(f"{self.out}: {error}") from error
        self.done, self.total, self.written = 0, len(self.files), 0

    def _walk(self, source: Path) -> list[tuple[Path, Path]]:
        """Returns the record files and the output directories of their analyses."""
        if not source.is_dir():
            return [(source, self.out)]
        records = [path for path in record_files(source) if not path.stem.endswith("-analysis")]
        return [(path, self.out / path.relative_to(source).parent) for path in records]

    def tasks(self) -> Iterator[Task]:
        for number, (path, folder) in enumerate(self.files):
            names = [folder / (path.stem + self.WRITTEN[kind]) for kind in self.formats]
            # The output of the first game is written last, so its presence means that all games are complete.
            if self.problems is None and all(name.exists() for name in names):
                self.done += 1
                continue
            try:
                content = path.read_bytes()
            except OSError as error:
                raise JobError(str(error), 2) from error
            arguments = {"words": self.words, "name": path.name, "content": content}
            yield Task(number, "files", {**arguments, "problems": self.problems is not None})

    def problem(self, task: Task, payload: bytes) -> str | None:
        written, cut = _texts(payload)
        stem = self.files[task.number][0].stem
        wanted = {stem + self.WRITTEN[kind] for kind in self.formats}
        if not wanted <= written.keys() or not all(text for text in [*written.values(), *cut.values()]):
            return "a file is missing or empty"
        return None

    def take(self, task: Task, payload: bytes) -> None:
        written, cut = _texts(payload)
        folder = self.files[task.number][1]
        try:
            for target, texts in ((self.problems or folder, cut), (folder, written)):
                # The output of the first game, whose name has no number, comes last: it marks the others as complete.
                for name in sorted(texts, key=lambda name: (name.count("-"), name), reverse=True):
                    target.mkdir(parents=True, exist_ok=True)
                    write_whole(target / name, texts[name].encode())
        except OSError as error:
            raise JobError(str(error)) from error
        self.done += 1
        self.written += 1

    def is_done(self) -> bool:
        return self.done == self.total

    def finish(self) -> int:
        return self.written

    def close(self) -> None:
        self.claim = None
