"""The functions that run on the nodes."""

from __future__ import annotations

import hashlib
import json
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .._games import Game
from .._sanban import Network, command, play_games
from .._sanban import identity as node_identity
from .executor import quiet


class CommandError(Exception):
    """Raised when a command fails; carries its exit code."""

    def __init__(self, sentence: str, code: int) -> None:
        super().__init__(sentence, code)
        self.sentence, self.code = sentence, code

    def __str__(self) -> str:
        return self.sentence


def digest(payload: bytes) -> str:
    """Returns the checksum of a result, which the node sends with it."""
    return hashlib.blake2b(payload, digest_size=16).hexdigest()


# Keyed by game, path, and size and modification time of the file.
_networks: dict[tuple[Game, str | None, Any], Network] = {}
_identities: dict[tuple[Game, str | None, Any], tuple[str, str, int]] = {}


def identity(game: Game, path: str | None) -> tuple[str, str, int]:
    """Returns the version, network fingerprint and search node count of this node; computed once."""
    key = (game, path, _stamp(path))
    if key not in _identities:
        _identities[key] = node_identity(network(game, path))
    return _identities[key]


def _stamp(network: str | None) -> Any:
    if network is None or not os.path.exists(network):
        return None
    about = os.stat(network)
    return about.st_size, about.st_mtime_ns


def network(game: Game, path: str | None) -> Network:
    """Returns the network of a file, which is read once."""
    key = (game, path, _stamp(path))
    if key not in _networks:
        _networks[key] = Network(path, game)
    return _networks[key]


def do(kind: str, arguments: dict[str, Any]) -> tuple[bytes, str]:
    """Executes a task; returns its result and the checksum of the result."""
    kinds: dict[str, Callable[..., bytes]] = {"games": _games, "journal": _journal, "files": _files}
    payload = kinds[kind](**arguments)
    return payload, digest(payload)


def _games(game: Game, path: str | None, seed: int, nodes: int, first: int, games: int) -> bytes:
    return play_games(network(game, path), seed, nodes, first, games)


def _command(words: list[str], accepted: tuple[int, ...] = (0,)) -> None:
    code, sentence = command(words, [sys.executable, "-m", "sanban"])
    if code not in accepted:
        raise CommandError(sentence or f"exit code {code}", code)


def _journal(words: list[str], inputs: dict[str, bytes], accepted: tuple[int, ...], output: str = "out.jsonl") -> bytes:
    """Runs a command that writes one file, and returns its contents. Words that name an input become its path."""
    quiet()
    with tempfile.TemporaryDirectory(prefix="sanban-") as folder:
        for name, content in inputs.items():
            Path(folder, name).write_bytes(content)
        out = Path(folder, output)
        words = [str(Path(folder, word)) if word in inputs else word for word in words]
        _command([*words, "--out", str(out)], accepted)
        return out.read_bytes()


def _files(words: list[str], name: str, content: bytes, problems: bool) -> bytes:
    """Analyses a file; returns the contents of the written files by name, as JSON."""
    quiet()
    with tempfile.TemporaryDirectory(prefix="sanban-") as folder:
        source, out, extra = Path(folder, "in", name), Path(folder, "out"), Path(folder, "problems")
        source.parent.mkdir()
        source.write_bytes(content)
        more = ["--problems", str(extra)] if problems else []
        _command([*words, *more, "--out", str(out), str(source)])
        cut = sorted(extra.iterdir()) if extra.exists() else []
        texts = [{path.name: path.read_text("utf-8") for path in files} for files in (sorted(out.iterdir()), cut)]
        return json.dumps(texts).encode()
