#!/usr/bin/env python3
"""Sets six programs beside the same without fusion, and beside what the paper on SystemML's fusion plans reports.

usage: bench/fusion.py [--cases REGEX] [--repetitions 3] [--workers 1,2] [--keep DIR] ...

The programs are those of its tables 4 and 5 (docs/papers.md): samples of 10 numbers, a million of them; a matrix of
ratings with one in a hundred there; batches of 512 samples. Each is run as users do, by `cluster-scripts/launch.sh`, in
turns: as it is, with `--fusion off`, and as the baseline, `--fusion off --sync lazy`. Seconds are those per iteration
that run reports give, medians over the turns. The paper's ratio is that of its unfused baseline to its fused plans on
data of the same size, on a machine of its own, with reading and planning.

Programs come from the preset `bench` or `release`: `ninja -C build/release`.
"""
import re
import statistics
import sys

from cases import fusion_cases
from runs import Failed, parser_of, workplace

PAPERS_RATIOS = {"svm": 7 / 3, "mlogreg": 10 / 5, "glm": 28 / 11, "kmeans": 11 / 4, "als": 426 / 25,
                 "autoencoder": 51 / 31}  # seconds of its baseline and its plans
WAYS = {"fused": (), "unfused": ("--fusion", "off"), "baseline": ("--fusion", "off", "--sync", "lazy")}


def parse():
    parser = parser_of(__doc__)
    parser.add_argument("--workers", metavar="N,...", default="1,2", help="numbers of them (1,2)")
    parser.add_argument("--repetitions", metavar="N", type=int, default=3, help="turns of each case (3)")
    parser.add_argument("--rows", metavar="N", type=int, default=1_000_000, help="samples (1000000)")
    return parser.parse_args()


def main():
    arguments = parse()
    measured = 0
    with workplace(arguments) as (_, launcher, folder):
        print(f"{'program':12} {'workers':>7} {'fused ms':>10} {'unfused ms':>11} {'unfused/fused':>14} "
              f"{'baseline/fused':>15} {'paper':>6}", flush=True)
        for case in fusion_cases(arguments.rows):
            if not re.search(arguments.cases, case.program):
                continue
            for workers in map(int, arguments.workers.split(",")):
                try:
                    words = case.words(launcher, folder)
                    turns = [[launcher.report(workers, case.program, *words, *way)[0]["seconds_per_iteration"]
                              for way in WAYS.values()] for _ in range(arguments.repetitions)]
                except Failed as failure:
                    print(f"{case.program:12} {workers:7} left out: {failure}", flush=True)
                    continue
                fused, unfused, baseline = (statistics.median(times) for times in zip(*turns))
                measured += 1
                print(f"{case.program:12} {workers:7} {1e3 * fused:10.3f} {1e3 * unfused:11.3f} {unfused / fused:14.2f} "
                      f"{baseline / fused:15.2f} {PAPERS_RATIOS[case.program]:6.1f}", flush=True)
    return 0 if measured else 1


if __name__ == "__main__":
    sys.exit(main())
