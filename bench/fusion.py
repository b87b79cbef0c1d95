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
import dataclasses
import re
import statistics
import sys

from runs import Failed, Written, generated, parser_of, workplace

WAYS = {"fused": (), "unfused": ("--fusion", "off"), "baseline": ("--fusion", "off", "--sync", "lazy")}


@dataclasses.dataclass
class Case:
    name: str
    option: str  # that names the data
    data: object
    arguments: tuple
    papers_ratio: float


def ratings_of(side, numbers):
    """A matrix of so many users and items, of which each user has rated one in a hundred."""
    yield "%%MatrixMarket matrix coordinate integer general"
    yield f"{side} {side} {side * (side // 100)}"
    for user in range(1, side + 1):
        for item in numbers.sample(range(1, side + 1), side // 100):
            yield f"{user} {item} {numbers.randint(1, 5)}"


def all_cases(rows):
    samples = generated(f"dense-{rows}x10", "sparse", "--rows", rows, "--columns", 10, "--per-row", 10)
    points = generated(f"points-{rows}x10", "clusters", "--rows", rows, "--columns", 10)
    side = rows // 100
    ratings = Written(f"ratings-{side}.mtx", lambda numbers: ratings_of(side, numbers))
    images = generated(f"images-{rows // 100}x784", "clusters", "--rows", rows // 100, "--columns", 784)
    return [Case("svm", "--data", samples, ("--l2", "1e-3", "--iterations", "10"), 7 / 3),
            Case("mlogreg", "--data", samples, ("--l2", "1e-3", "--iterations", "5", "--most-products", "10"), 10 / 5),
            Case("glm", "--data", samples, ("--family", "binomial", "--link", "probit", "--l2", "1e-3", "--iterations",
                                            "5", "--most-products", "10"), 28 / 11),
            Case("kmeans", "--points", points, ("--clusters", "5", "--seed", "1", "--iterations", "10"), 11 / 4),
            Case("als", "--ratings", ratings, ("--rank", "20", "--penalty", "1e-3", "--weighted", "--iterations", "3"),
                 426 / 25),
            Case("autoencoder", "--data", images, ("--hidden", "500,2", "--batch", "512", "--epochs", "1"), 51 / 31)]


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
        for case in all_cases(arguments.rows):
            if not re.search(arguments.cases, case.name):
                continue
            for workers in map(int, arguments.workers.split(",")):
                try:
                    words = case.option, str(case.data.path(launcher, folder)), *case.arguments
                    turns = [[launcher.report(workers, case.name, *words, *way)[0]["seconds_per_iteration"]
                              for way in WAYS.values()] for _ in range(arguments.repetitions)]
                except Failed as failure:
                    print(f"{case.name:12} {workers:7} left out: {failure}", flush=True)
                    continue
                fused, unfused, baseline = (statistics.median(times) for times in zip(*turns))
                measured += 1
                print(f"{case.name:12} {workers:7} {1e3 * fused:10.3f} {1e3 * unfused:11.3f} {unfused / fused:14.2f} "
                      f"{baseline / fused:15.2f} {case.papers_ratio:6.1f}", flush=True)
    return 0 if measured else 1


if __name__ == "__main__":
    sys.exit(main())
