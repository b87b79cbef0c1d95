#!/usr/bin/env python3
"""What checkpoints cost.

usage: bench/checkpoints.py [--cases REGEX] [--repetitions 5] [--workers 1,2] [--folder DIR] [--keep DIR] ...

Each case is a program with its data, run as users do, by `cluster-scripts/launch.sh`: plain; with checkpoints that are
never due; and with one after each iteration. The three take turns. Then the table shows

  plain ms       an iteration without checkpoints
  waiting        how many times that an iteration takes while no checkpoint is due: the medians of both
  checkpoint ms  one checkpoint, on the slowest worker, as run reports give it
  MB             the size of its file
  of 60 s        the share of a run that has one every 60 seconds, in percent

Programs come from the preset `bench` or `release`: `ninja -C build/release`. Nothing else should run meanwhile.
"""
import pathlib
import re
import shutil
import statistics
import sys

from cases import Case
from runs import Failed, generated, parser_of, workplace

NEVER = "1000000"  # seconds


def all_cases():
    return [Case("pagerank", "--graph", generated("rmat-20", "rmat", "--scale", 20), ("--iterations", "20")),
            Case("lbfgs", "--data", generated("sparse-200000x100000", "sparse", "--rows", 200000, "--columns", 100000),
                 ("--iterations", "20", "--l2", "1e-6")),
            Case("kmeans", "--points", generated("clusters-1000000x16", "clusters", "--rows", 1000000, "--columns", 16),
                 ("--clusters", "10", "--iterations", "20")),
            Case("components", "--graph", generated("rmat-18", "rmat", "--scale", 18))]


def turn(launcher, workers, case, folder, saved):
    """Seconds of an iteration without and with checkpoints that are never due; and what was written when they were."""
    words = case.program, *case.words(launcher, folder)
    written = "--checkpoint", str(saved), "--checkpoint-interval"
    seconds = [launcher.report(workers, *words, *options)[0]["seconds_per_iteration"]
               for options in ((), (*written, NEVER))]
    report, _ = launcher.report(workers, *words, *written, "0")
    shutil.rmtree(saved)
    return *seconds, report["checkpoints"]


def parse():
    parser = parser_of(__doc__)
    parser.add_argument("--workers", metavar="N,...", default="1,2", help="numbers of them (1,2)")
    parser.add_argument("--repetitions", metavar="N", type=int, default=5, help="turns of each case (5)")
    parser.add_argument("--folder", metavar="DIR", type=pathlib.Path,
                        help="where checkpoints are written, in a new folder (with temporary files)")
    return parser.parse_args()


def main():
    arguments = parse()
    measured = 0
    with workplace(arguments) as (scratch, launcher, folder):
        saved = (arguments.folder or scratch) / "kasen-checkpoints"
        print(f"{'case':34} {'workers':>7} {'plain ms':>10} {'waiting':>8} {'checkpoint ms':>14} {'MB':>9} {'of 60 s':>8}",
              flush=True)
        for case in all_cases():
            if not re.search(arguments.cases, case.name):
                continue
            for workers in map(int, arguments.workers.split(",")):
                try:
                    turns = [turn(launcher, workers, case, folder, saved) for _ in range(arguments.repetitions)]
                except Failed as failure:
                    print(f"{case.name:34} {workers:7} left out: {failure}", flush=True)
                    continue
                plain, waiting = (statistics.median(times) for times in list(zip(*turns))[:2])
                taken = [each["seconds"] / each["taken"] for *_, each in turns]
                each = turns[0][2]
                measured += 1
                print(f"{case.name:34} {workers:7} {1e3 * plain:10.4f} {waiting / plain:8.2f} "
                      f"{1e3 * statistics.median(taken):14.3f} {each['file_bytes'] / each['taken'] / 1e6:9.2f} "
                      f"{100 * statistics.median(taken) / 60:8.3f}", flush=True)
    return 0 if measured else 1


if __name__ == "__main__":
    sys.exit(main())
