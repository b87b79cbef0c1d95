#!/usr/bin/env python3
"""Sets predicted beside measured seconds of six applications, on some numbers of workers.

usage: bench/predictions.py [--cases REGEX] [--workers 1,2] [--repetitions 5] [--profile FILE] [--keep DIR] ...

Each case is an application with its data, run as users do, by `cluster-scripts/launch.sh`. Seconds are those that run
reports give: per iteration of recorded loops, or in all where a program has none. `measured` is the median over runs.
Predictions are as good as the profile: without --profile, `kasen-calibrate` makes one first, for each number of
workers. The aim is an error of at most 20 % for every case. A run whose predicted counts differ from its counters is an
error of Kasen's, and ends the measurement.

Programs come from the preset `bench` or `release`: `ninja -C build/release`. Real data come from the folder that
KASEN_DATA names, by default ../shared/data, and are left out if it is not there. Nothing else should run meanwhile.
"""
import contextlib
import dataclasses
import pathlib
import re
import statistics
import sys
import tempfile

from runs import Data, Failed, Launcher, converted, generated, parser_of, real_data

AIM = 0.20


@dataclasses.dataclass
class Case:
    program: str
    option: str  # that names the data
    data: Data
    arguments: tuple = ()

    @property
    def name(self):
        return f"{self.program} {self.data.name}{' --l1' if '--l1' in self.arguments else ''}"


def all_cases(real):
    """Every case; those of real data only if their files are there."""
    graphs = [converted(path, "graph") for path in (real / "graphs/cnr-2000.txt.gz", real / "graphs/wiki-Vote.txt")
              if path.exists()]
    graphs += [generated(f"rmat-{scale}", "rmat", "--scale", scale) for scale in (16, 20)]
    graphs += [generated("grid-300", "grid", "--rows", 300, "--columns", 300)]
    cases = [Case("pagerank", "--graph", graph, ("--iterations", "30")) for graph in graphs]
    cases += [Case("hits", "--graph", graph, ("--iterations", "30")) for graph in graphs]
    cases += [Case("components", "--graph", graph) for graph in graphs]
    samples = [converted(path, "samples") for path in (real / "libsvm/a9a", real / "libsvm/news20.bz2")
               if path.exists()]
    samples += [generated("sparse-200000x100000", "sparse", "--rows", 200000, "--columns", 100000)]
    cases += [Case("lbfgs", "--data", some, ("--iterations", "20", "--l2", "1e-6")) for some in samples]
    cases += [Case("lbfgs", "--data", some, ("--iterations", "20", "--l1", "1e-6")) for some in samples[:1]]
    points = generated("clusters-1000000x16", "clusters", "--rows", 1000000, "--columns", 16)
    options = generated("options-5000000", "options", "--rows", 5000000)
    cases += [Case("kmeans", "--points", points, ("--clusters", "10", "--iterations", "10")),
              Case("black-scholes", "--options", options)]
    return cases


def seconds_of(launcher, workers, case, path):
    """Predicted and measured seconds of one run."""
    report, _ = launcher.report(workers, case.program, case.option, str(path), *case.arguments)
    if report["predicted"] != report["measured"]:
        raise SystemExit(f"{case.name}: predicted counts are not what was counted")
    of = "seconds_per_iteration" if report["iterations"] else "seconds_total"
    return report[f"{of}_predicted"], report[of]


def parse():
    def numbers(text):
        return [int(part) for part in text.split(",")]

    parser = parser_of(__doc__)
    parser.add_argument("--workers", metavar="N,...", type=numbers, default=[1, 2], help="numbers of workers (1,2)")
    parser.add_argument("--repetitions", metavar="N", type=int, default=5, help="runs of each case (5)")
    parser.add_argument("--profile", metavar="FILE", type=pathlib.Path, help="of kasen-calibrate; else it is made")
    return parser.parse_args()


def main():
    arguments = parse()
    cases = [case for case in all_cases(real_data()) if re.search(arguments.cases, case.name)]
    errors = []
    with contextlib.ExitStack() as stack:
        scratch = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="kasen-predictions-")))
        folder = arguments.keep or scratch
        folder.mkdir(parents=True, exist_ok=True)
        print(f"{'case':34} {'workers':>7} {'measured ms':>12} {'predicted ms':>12} {'measured / predicted':>21}",
              flush=True)
        for workers in arguments.workers:
            profile = arguments.profile
            if profile is None:
                profile = scratch / f"profile-{workers}.json"
                Launcher(arguments.programs.resolve(), scratch, None).run(workers, "kasen-calibrate", str(profile))
            launcher = Launcher(arguments.programs.resolve(), scratch, profile.resolve())
            for case in cases:
                try:
                    path = case.data.path(launcher, folder)
                    runs = [seconds_of(launcher, workers, case, path) for _ in range(arguments.repetitions)]
                except Failed as failure:
                    print(f"{case.name:34} {workers:7} left out: {failure}", flush=True)
                    continue
                predicted, measured = (statistics.median(some) for some in zip(*runs))
                errors.append((abs(measured / predicted - 1), f"{case.name} on {workers}"))
                print(f"{case.name:34} {workers:7} {1e3 * measured:12.4f} {1e3 * predicted:12.4f} "
                      f"{measured / predicted:21.2f}", flush=True)
    if not errors:
        return 1
    within = sum(error <= AIM for error, _ in errors)
    worst, name = max(errors)
    print(f"# {within} of {len(errors)} within {100 * AIM:.0f} %; the worst is {name}: {100 * worst:.0f} %")
    return 0


if __name__ == "__main__":
    sys.exit(main())
