#!/usr/bin/env python3
"""Sets two threads of one worker beside two workers of one thread, for most applications.

usage: bench/threads.py [--cases REGEX] [--threads 2] [--repetitions 5] [--profile FILE] [--keep DIR] ...

The cases are those of bench/cases.py, run as users do, by `cluster-scripts/launch.sh`. Seconds are those that run
reports give: of recorded loops, or in all where a program has none; by the iterations that the workers take, as a loop
to a fixpoint takes others on one worker. Both kinds of runs take turns, and the ratio is the median over turns that
followed each other. The aim is at most 1.05.

Programs come from the preset `bench` or `release`: `ninja -C build/release`. Real data come from the folder that
KASEN_DATA names, by default ../shared/data, and are left out if it is not there. Nothing else should run meanwhile.
"""
import pathlib
import re
import statistics
import sys

from cases import all_cases, seconds_of
from runs import Failed, parser_of, real_data, workplace

AIM = 1.05


def run(launcher, workers, threads, case, folder):
    """The seconds of loops, or in all, and the number of iterations."""
    report, _ = launcher.report(workers, case.program, *case.words(launcher, folder), "--threads", str(threads))
    iterations = max(report["iterations"], 1)
    return seconds_of(report) * iterations, iterations


def turn(launcher, threads, case, folder):
    """Seconds on threads and on workers, by the iterations of the latter."""
    on_threads, _ = run(launcher, 1, threads, case, folder)
    on_workers, iterations = run(launcher, threads, 1, case, folder)
    return on_threads / iterations, on_workers / iterations


def parse():
    parser = parser_of(__doc__)
    parser.add_argument("--threads", metavar="N", type=int, default=2, help="of the one, and the number of workers (2)")
    parser.add_argument("--repetitions", metavar="N", type=int, default=5, help="turns of each case (5)")
    parser.add_argument("--profile", metavar="FILE", type=pathlib.Path, help="of kasen-calibrate")
    return parser.parse_args()


def main():
    arguments = parse()
    beyond = []
    with workplace(arguments, arguments.profile and arguments.profile.resolve()) as (_, launcher, folder):
        print(f"{'case':34} {'threads':>7} {'threads ms':>12} {'workers ms':>12} {'threads / workers':>18}", flush=True)
        for case in all_cases(real_data()):
            if not re.search(arguments.cases, case.name):
                continue
            try:
                turns = [turn(launcher, arguments.threads, case, folder) for _ in range(arguments.repetitions)]
            except Failed as failure:
                print(f"{case.name:34} {arguments.threads:7} left out: {failure}", flush=True)
                continue
            ratio = statistics.median(threads / workers for threads, workers in turns)
            threads, workers = (statistics.median(some) for some in zip(*turns))
            beyond.append(ratio > AIM)
            print(f"{case.name:34} {arguments.threads:7} {1e3 * threads:12.4f} {1e3 * workers:12.4f} {ratio:18.2f}",
                  flush=True)
    if not beyond:
        return 1
    print(f"# {len(beyond) - sum(beyond)} of {len(beyond)} at most {AIM}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
