#!/usr/bin/env python3
"""Sets programs with --reproducible beside the same without it.

usage: bench/reproducible.py [--cases REGEX] [--repetitions 7] [--workers 1,2] [--profile FILE] [--keep DIR] ...

The cases are PageRank, L-BFGS and K-means of bench/cases.py, run as users do, by `cluster-scripts/launch.sh`.
Seconds are those per iteration that run reports give. Both kinds of runs take turns. The ratio is that of the least
times, which other work on the machine spoils least. Predicted is the ratio of the seconds that the plans were predicted
to take.

Programs come from the preset `bench` or `release`: `ninja -C build/release`. Real data come from the folder that
KASEN_DATA names, by default ../shared/data, and are left out if it is not there.
"""
import pathlib
import re
import sys

from cases import all_cases
from runs import Failed, parser_of, real_data, workplace

PROGRAMS = ("pagerank", "lbfgs", "kmeans")


def times_of(launcher, workers, case, folder, *options):
    """Seconds of an iteration, as they were and as they were predicted."""
    report, _ = launcher.report(workers, case.program, *case.words(launcher, folder), *options)
    return report["seconds_per_iteration"], report["seconds_per_iteration_predicted"]


def parse():
    parser = parser_of(__doc__)
    parser.add_argument("--workers", metavar="N,...", default="1,2", help="numbers of them (1,2)")
    parser.add_argument("--repetitions", metavar="N", type=int, default=7, help="turns of each case (7)")
    parser.add_argument("--profile", metavar="FILE", type=pathlib.Path, help="of kasen-calibrate")
    return parser.parse_args()


def main():
    arguments = parse()
    measured = 0
    with workplace(arguments, arguments.profile and arguments.profile.resolve()) as (_, launcher, folder):
        print(f"{'case':34} {'workers':>7} {'plain ms':>12} {'reproducible ms':>16} {'ratio':>8} {'predicted':>10}",
              flush=True)
        for case in all_cases(real_data()):
            if case.program not in PROGRAMS or not re.search(arguments.cases, case.name):
                continue
            for workers in map(int, arguments.workers.split(",")):
                try:
                    turns = [(times_of(launcher, workers, case, folder),
                              times_of(launcher, workers, case, folder, "--reproducible"))
                             for _ in range(arguments.repetitions)]
                except Failed as failure:
                    print(f"{case.name:34} {workers:7} left out: {failure}", flush=True)
                    continue
                plain, same = (min(times) for times in zip(*turns))
                measured += 1
                print(f"{case.name:34} {workers:7} {1e3 * plain[0]:12.4f} {1e3 * same[0]:16.4f} "
                      f"{same[0] / plain[0]:8.2f} {same[1] / plain[1]:10.2f}", flush=True)
    return 0 if measured else 1


if __name__ == "__main__":
    sys.exit(main())
