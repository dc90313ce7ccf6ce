"""Large jobs on many machines: perft, self-play, analyses, mate suites, matches and books, on a Ray cluster or in
local processes.

`python -m sanban.cluster perft 8 --address auto` runs a job from the command line. In Python, create a job and an
executor and call `run`:

>>> from sanban.cluster import LocalExecutor, PerftJob, run
>>> with LocalExecutor(2) as executor:
...     run(PerftJob(4, tasks=8), executor)
719731
"""

from .executor import Executor, LocalExecutor, Lost, Slot
from .jobs import AnalyzeJob, Job, JobError, MatchJob, MateJob, PerftJob, SelfplayJob, ThinkJob
from .schedule import run

__all__ = [
    "AnalyzeJob",
    "Executor",
    "Job",
    "JobError",
    "LocalExecutor",
    "Lost",
    "MatchJob",
    "MateJob",
    "PerftJob",
    "SelfplayJob",
    "Slot",
    "ThinkJob",
    "run",
]
