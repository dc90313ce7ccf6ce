"""Compares how fast two builds of sanban read record files, in CPU time (user and system), alternating
between them.

    sanban convert --to kifu games/*.games > games.kifu     # then split into one file per game in FOLDER
    python3 tests/oracles/reading_speed.py OLD NEW FOLDER [--pairs 9]

Both builds convert all files of the folder to USI. The script prints the seconds of each pair and the median ratio of
old to new; above 1, the new build is faster. Both builds must use the same profile.
"""

import argparse
import os
import statistics
import subprocess


def seconds(program, files):
    child = subprocess.Popen(
        [program, "convert", "--to", "usi", *files], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    assert child.returncode == 0, f"{program} failed"
    return usage.ru_utime + usage.ru_stime


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("old")
    arguments.add_argument("new")
    arguments.add_argument("folder")
    arguments.add_argument("--pairs", type=int, default=9)
    arguments = arguments.parse_args()
    files = sorted(os.path.join(arguments.folder, name) for name in os.listdir(arguments.folder))
    ratios = []
    for _ in range(arguments.pairs):
        old, new = seconds(arguments.old, files), seconds(arguments.new, files)
        ratios.append(old / new)
        print(f"{old:.3f} s, {new:.3f} s, {ratios[-1]:.3f}", flush=True)
    print(f"median {statistics.median(ratios):.3f}")


main()
