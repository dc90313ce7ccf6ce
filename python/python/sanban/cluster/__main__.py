"""`python -m sanban.cluster`: large jobs on many machines."""

from __future__ import annotations

import argparse
import sys
from typing import Any, get_args

from .._games import Game
from .executor import Executor, LocalExecutor
from .jobs import AnalyzeJob, Job, JobError, MatchJob, MateJob, PerftJob, SelfplayJob, ThinkJob
from .schedule import run

GAMES = ", ".join(get_args(name)[0] for name in get_args(Game))
TASKS = "number of tasks (default: 8 per processor, at least 64)"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m sanban.cluster",
        description="Distributes a job over a Ray cluster or over local processes. Further options are passed to the "
        "command of the same name (see `sanban perft --help`), except for `selfplay`. Exit codes: 0 success, "
        "1 failure, 2 invalid command.",
    )
    commands = parser.add_subparsers(dest="job", required=True, metavar="JOB")

    def command(name: str, text: str) -> argparse.ArgumentParser:
        sub = commands.add_parser(name, help=text, description=text)
        sub.add_argument("--address", help="Ray cluster: auto, HOST:PORT, or local to start one on this machine")
        sub.add_argument("--processes", type=int, help="number of local processes (default: one per processor)")
        if name != "mate":
            sub.add_argument("--game", default=None if name == "analyze" else "shogi", help=GAMES)
        return sub

    perft = command("perft", "counts the leaves of the tree of legal moves")
    perft.add_argument("depth", type=int, help="depth in plies")
    perft.add_argument("--split", type=int, help="ply whose distinct positions are the units of work")
    perft.add_argument("--tasks", type=int, help=TASKS)
    perft.add_argument("--out", help="output file for the counts; repeat the command to resume an interrupted job")

    selfplay = command("selfplay", "plays self-play games")
    selfplay.add_argument("--games", type=int, required=True, help="number of games")
    selfplay.add_argument("--nodes", type=int, default=500, help="soft node limit per move (default: 500)")
    selfplay.add_argument("--seed", type=int, default=1, help="seed for the random openings and moves (default: 1)")
    selfplay.add_argument("--out", required=True, help="output directory for the games")
    selfplay.add_argument("--eval-file", help="network file, at the same path on every node")

    analyze = command("analyze", "analyses records move by move")
    analyze.add_argument("sources", nargs="+", help="record files, or directories of records")
    analyze.add_argument("--out", required=True, help="output directory")
    analyze.add_argument("--format", help="output formats: kif, csa, gib, json or html, separated by commas")
    analyze.add_argument("--problems", help="output directory for problems")
    analyze.add_argument("--eval-file", help="network file, at the same path on every node")

    mate = command("mate", "solves mate problems with known answers")
    mate.add_argument("suite", help="file of mate problems")
    mate.add_argument("--tasks", type=int, help=TASKS)
    mate.add_argument("--out", help="output file for the answers; repeat the command to resume an interrupted job")

    think = command("think", "extends a book by search")
    think.add_argument("book", help="the book; created if it does not exist")
    think.add_argument("--out", required=True, help="output file; repeat the command to resume an interrupted job")
    think.add_argument(
        "--tasks", type=int, default=64, help="number of tasks, each with one shard of the positions"
    )
    think.add_argument("--draw", type=int, default=0, help="value of a draw by repetition for black, in centipawns")
    think.add_argument("--eval-file", help="network file, at the same path on every node")

    match = command("match", "plays a match between two engines")
    match.add_argument("a", nargs="?", default="-", help="first engine; `-` is Sanban itself (default: -)")
    match.add_argument("b", nargs="?", default="-", help="second engine (default: -)")
    match.add_argument(
        "--games", type=int, required=True, help="number of games, which must be even; with --sprt, the maximum"
    )
    match.add_argument("--sprt", help="hypotheses of the sequential test, as ELO0,ELO1")
    match.add_argument("--out", help="output file for the games; repeat the command to resume an interrupted job")
    return parser


def _job(args: argparse.Namespace, more: list[str], executor: Executor) -> Job:
    tasks = getattr(args, "tasks", None)
    if tasks is None:
        tasks = max(64, 8 * len(executor.slots()))
    elif tasks < 1:
        raise JobError("--tasks: expected at least 1", 2)
    if args.job == "perft":
        return PerftJob(args.depth, game=args.game, split=args.split, tasks=tasks, out=args.out, more=more)
    if args.job == "think":
        return ThinkJob(
            args.book, args.out, tasks=tasks, draw=args.draw, game=args.game, network=args.eval_file, more=more
        )
    if args.job == "mate":
        return MateJob(args.suite, tasks=tasks, out=args.out, more=more)
    if args.job == "match":
        sprt = None
        if args.sprt is not None:
            try:
                elo0, elo1 = map(float, args.sprt.split(","))
            except ValueError:
                raise JobError("--sprt: expected ELO0,ELO1", 2) from None
            sprt = (elo0, elo1)
        return MatchJob(args.a, args.b, games=args.games, sprt=sprt, game=args.game, out=args.out, more=more)
    if args.job == "analyze":
        formats = tuple(args.format.split(",")) if args.format else None
        if not set(formats or ()) <= set(AnalyzeJob.WRITTEN):
            raise JobError("--format: expected kif, csa, gib, json or html, separated by commas", 2)
        return AnalyzeJob(
            args.sources,
            args.out,
            formats=formats,
            problems=args.problems,
            game=args.game,
            network=args.eval_file,
            more=more,
        )
    if more:
        raise JobError(f"unexpected argument {more[0]}", 2)
    return SelfplayJob(
        args.games, args.out, nodes=args.nodes, seed=args.seed, game=args.game, network=args.eval_file
    )


def _executor(args: argparse.Namespace) -> Executor:
    if args.address is None:
        return LocalExecutor(args.processes)
    try:
        from .on_ray import RayExecutor
    except ImportError:
        raise JobError("--address: Ray is not installed (pip install ray)", 2) from None
    try:
        return RayExecutor(args.address)
    except ConnectionError as error:
        raise JobError(f"--address {args.address}: {str(error).splitlines()[0]}") from error


def _tell(args: argparse.Namespace, job: Job, result: Any) -> int:
    """Prints the result and returns the exit code."""
    if args.job == "perft":
        print(f"Nodes searched  : {result}")
    elif args.job == "selfplay":
        print(f"{args.games} games in {result} files")
    elif args.job == "analyze":
        print(f"{result} files analysed")
    elif args.job == "think":
        print(f"{result} positions in the book")
    elif args.job == "mate":
        print(", ".join(f"{count} {word}" for word, count in result.items()))
        return 1 if result["wrong"] or result["timeout"] else 0
    elif isinstance(job, MatchJob):
        return job.print()
    return 0


def main(arguments: list[str] | None = None) -> int:
    """Runs the command line."""
    args, more = _parser().parse_known_args(arguments)
    executor = None
    try:
        executor = _executor(args)
        job = _job(args, more, executor)
        return _tell(args, job, run(job, executor, quiet=False))
    except JobError as error:
        print(f"sanban.cluster: {error}", file=sys.stderr)
        return error.code
    except KeyboardInterrupt:
        print("sanban.cluster: interrupted; repeat the command to resume the job", file=sys.stderr)
        return 1
    finally:
        if executor is not None:
            executor.close()


if __name__ == "__main__":
    sys.exit(main())
