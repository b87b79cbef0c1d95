#!/usr/bin/env python3
"""Measures what automatic choices are worth: programs with default options beside every single alternative.

usage: bench/choices.py [--cases REGEX] [--workers 1,2] [--repetitions 5] [--profile FILE] [--keep DIR] ...

A case is a program (`pagerank` and `hits` on graphs, `lbfgs` on samples) with its data, and is run on each number of
workers as users do, by `cluster-scripts/launch.sh`. Kasen chooses by itself how matrices are stored, elements numbered
and owned, where gathers and scatters stand, what is computed early or once, and which products share a sweep (`auto`).
Every alternative is the same run with one of these choices made by an option. Left out are those that come to the same
plan, replicas and balance as `auto` (orders of elements are always tried, as reports do not show them), those that
fail, and `--fusion off`, which is no choice but the baseline.

For each case the table shows `auto` over the best alternative: the ratio of their median seconds per iteration, from
run reports. The median and the worst of all ratios are compared with the targets 1.00 and 1.10.

All alternatives of a case take turns, forwards and backwards, so that a disturbed machine disturbs all of them. All run
as many iterations: at least 10, and as many as compute for 0.3 s with `auto`. `lbfgs` has a weak penalty and runs fewer
where it would have converged, as line searches then try in vain, each another number of times. The columns:

  ratio    auto / best alternative
  spread   the least and the largest ratio of a single turn
  noise    the slower over the faster of two runs with `auto`, at both ends of a turn; the median of all turns
  fresh    auto / best alternative, in as many turns of these two alone. The best of many alternatives is the best by
           luck as well, so a ratio is too large by some of the noise; in fresh turns luck is gone
  before   seconds of a run with `auto` before its plans run: starting, reading, choosing and placing, planning
  best     the same with the best alternative: with a named partition, none are compared

Measurements need a machine that does nothing else: where workers wait for a core, no ratio means anything. Where
others use the machine now and then, minima (`--take minimum`) suffer less from them than medians.

Programs come from the preset `bench` or `release`: `ninja -C build/release pagerank hits lbfgs kasen-generate
kasen-convert`. Real data come from the folder that KASEN_DATA names, by default ../shared/data, and are left out if it
is not there. All data are brought into HDF5 without a partition first, so that runs spend little time on reading. One
case on two workers takes about a minute; a run of all takes hours, and is interrupted with Ctrl-C, which prints what is
known by then.
"""
import contextlib
import csv
import dataclasses
import json
import math
import os
import pathlib
import re
import signal
import statistics
import sys
import tempfile

from runs import Data, Failed, Launcher, converted, generated, parser_of, real_data

SECONDS = 0.3  # that a run computes
LEAST_ITERATIONS = 10
METIS_NONZEROS = 4_000_000  # beyond, METIS takes too long to be measured
MORE_STEPS = 1.05  # as many times the steps of the first iterations are those of a search in vain
MEDIAN_TARGET, WORST_TARGET = 1.00, 1.10
LITTLE_NOISE = 1.05

AUTO, AGAIN = "auto", "auto again"
ON_ANY_WORKERS = (
    "--storage compressed", "--storage blocked", "--storage stencils", "--numbering index", "--numbering degree", "--fusion exact",
    "--sync eager", "--sync lazy", "--passes -join-mxv", "--passes -hoist", "--passes -common-subexpressions")
PARTITIONS = ("block", "range", "range-column", "range-2d", "row", "column", "hybrid-cut", "2d", "metis",
              "label-propagation")

LIBSVM = ("a1a", "a9a", "news20.bz2")
COLUMNS = ("case", "workers", "alternative", "turn", "iterations", "seconds_per_iteration", "seconds_planning",
           "seconds_before")


@dataclasses.dataclass
class Case:
    program: str
    data: Data

    @property
    def name(self):
        return f"{self.program} {self.data.name}"

    @property
    def arguments(self):
        return ["--l2", "1e-6", "--data"] if self.program == "lbfgs" else ["--graph"]


@dataclasses.dataclass
class Run:
    """What one run took: from its report, and the seconds that passed before its plans ran."""

    iterations: int
    seconds: float
    planning: float
    before: float
    nonzeros: int  # of the largest matrix
    steps: float  # entered per iteration
    plan: str  # with the spaces and matrices that it is for


@dataclasses.dataclass
class Result:
    """`auto` beside the best alternative of a case."""

    best: str
    ratio: float
    spread: tuple
    noise: float
    fresh: float = math.nan


def run_of(launcher, case, path, workers, options, iterations):
    """The Run of a case with some of Kasen's options."""
    report, wall = launcher.report(workers, case.program, *case.arguments, str(path), "--iterations", str(iterations),
                                   *options)
    if not report["seconds_per_iteration"] > 0:
        raise Failed("no iterations were counted")
    return Run(report["iterations"], report["seconds_per_iteration"], report["seconds_planning"],
               wall - report["seconds_total"], max(matrix["nonzeros"] for matrix in report["matrices"]),
               sum(step["entered"] for step in report["steps"]) / report["iterations"],
               json.dumps([[[step[key] for key in ("text", "details")] for step in report["steps"]],
                           report["index_spaces"], report["matrices"]]))


def all_cases(real, largest_scale):
    """Every case; those of real data only if their files are there."""
    graphs = [converted(path, "graph") for path in sorted((real / "graphs").glob("*"))]
    graphs += [generated(f"rmat-{scale}", "rmat", "--scale", scale) for scale in range(14, largest_scale + 1)]
    graphs += [generated("uniform-18", "rmat", "--scale", 18, "--a", 0.25, "--b", 0.25, "--c", 0.25),
               generated("grid-1000", "grid", "--rows", 1000, "--columns", 1000), generated("power-law", "power-law")]
    samples = [converted(real / "libsvm" / name, "samples") for name in LIBSVM if (real / "libsvm" / name).exists()]
    samples += [generated("dense-20000x200", "sparse", "--rows", 20000, "--columns", 200, "--per-row", 200),
                generated("sparse-200000x100000", "sparse", "--rows", 200000, "--columns", 100000),
               generated("sparse-838860x419430", "sparse", "--rows", 838860, "--columns", 419430)]
    return [*(Case(program, graph) for graph in graphs for program in ("pagerank", "hits")),
            *(Case("lbfgs", some) for some in samples)]


def alternatives(workers, nonzeros):
    """Names of all alternatives, which are their options."""
    names = list(ON_ANY_WORKERS)
    if workers > 1:
        names += [f"--partition {rule}" for rule in PARTITIONS if rule != "metis" or nonzeros <= METIS_NONZEROS]
    return names


def options_of(name):
    return [] if name in (AUTO, AGAIN) else name.split()


def iterations_for(launcher, case, path, workers):
    """How many iterations every run of a case makes, and the non-zeros of its matrix."""
    def run(iterations):
        return run_of(launcher, case, path, workers, [], iterations)

    first = run(LEAST_ITERATIONS)
    loops = first.iterations / LEAST_ITERATIONS  # several where classes are trained in groups

    def enough(seconds):
        return max(LEAST_ITERATIONS, math.ceil(SECONDS / (loops * seconds)))

    longer, iterations = first, LEAST_ITERATIONS
    while longer.seconds * longer.iterations < SECONDS / 3:  # first iterations are slower, or undisturbed by luck
        iterations = min(10 * iterations, enough(longer.seconds))
        longer = run(iterations)
    iterations = enough(longer.seconds)
    while iterations > LEAST_ITERATIONS and run(iterations).steps > MORE_STEPS * first.steps:
        iterations = max(LEAST_ITERATIONS, iterations // 2)
    return iterations, first.nonzeros


def sort_out(launcher, case, path, workers, names):
    """Of the names those that are alternatives, those that come to the same as `auto`, and what failed and why."""
    plan = run_of(launcher, case, path, workers, [], LEAST_ITERATIONS).plan
    other, same, failed = [], [], {}
    for name in names:
        try:
            run = run_of(launcher, case, path, workers, options_of(name), LEAST_ITERATIONS)
            (same if run.plan == plan and not name.startswith("--numbering") else other).append(name)
        except Failed as failure:
            failed[name] = str(failure)
    return other, same, failed


def take_turns(launcher, case, path, workers, names, iterations, repetitions):
    """Runs of each name, one a turn, without names that failed; and why these did."""
    runs, failed = {name: [] for name in names}, {}
    for turn in range(repetitions):
        for name in names if turn % 2 == 0 else reversed(names):
            try:
                if name in runs:
                    runs[name].append(run_of(launcher, case, path, workers, options_of(name), iterations))
            except Failed as failure:
                if name in (AUTO, AGAIN):
                    raise
                failed[name] = str(failure)
                del runs[name]
    return runs, failed


def compare(runs, take):
    """The Result of a case's runs by name, among them an alternative; `take` makes one number of several."""
    def seconds(name):
        return take(run.seconds for run in runs[name])

    others = [name for name in runs if name not in (AUTO, AGAIN)]
    best = min(others, key=seconds)
    turns = [ours.seconds / theirs.seconds for ours, theirs in zip(runs[AUTO], runs[best])]
    twice = [(one.seconds, other.seconds) for one, other in zip(runs[AUTO], runs[AGAIN])]
    return Result(best, seconds(AUTO) / seconds(best), (min(turns), max(turns)),
                  statistics.median(max(pair) / min(pair) for pair in twice))


def say(text):
    print(text, flush=True)


def show(case, workers, iterations, runs, result, take):
    seconds = {name: take(run.seconds for run in some) for name, some in runs.items()}
    before = {name: take(run.before for run in runs[name]) for name in (AUTO, result.best)}
    low, high = result.spread
    say(f"{case.name:30} {workers:7} {iterations:10} {1e3 * seconds[AUTO]:12.4f} {result.ratio:6.2f}  "
        f"{low:5.2f}..{high:<5.2f} {result.noise:6.2f} {result.fresh:6.2f} {before[AUTO]:8.2f} "
        f"{before[result.best]:8.2f}  {result.best}")


def show_all(runs, same, take):
    seconds = {name: take(run.seconds for run in some) for name, some in runs.items()}
    for name in sorted(seconds, key=seconds.get):
        say(f"    {1e3 * seconds[name]:12.4f} ms  auto takes {seconds[AUTO] / seconds[name]:5.2f} of it  {name}")
    for name in same:
        say(f"    the same as auto: {name}")


def summarise(results):
    if not results:
        say("# nothing was measured")
        return

    def verdict(value, target):
        return f"{value:.2f} (target {target:.2f}: {'met' if round(value, 2) <= target else 'missed'})"

    def line(title, some, field):
        ratios = [getattr(result, field) for _, result in some]
        worst_case, worst = max(some, key=lambda pair: getattr(pair[1], field))
        beaten = "beaten by" if max(ratios) > 1 else "the best alternative being"
        say(f"# {title}, {len(ratios)} ratios: median {verdict(statistics.median(ratios), MEDIAN_TARGET)}, "
            f"worst {verdict(max(ratios), WORST_TARGET)}: {worst_case}, {beaten} {worst.best}")

    calm = [(name, result) for name, result in results if result.noise <= LITTLE_NOISE]
    for field, title in (("ratio", "auto / best alternative"), ("fresh", "the same in fresh turns")):
        line(title, results, field)
        if calm and len(calm) < len(results):
            line(f"{title}, where noise is at most {LITTLE_NOISE:.2f}", calm, field)
    noise = [result.noise for _, result in results]
    say(f"# noise: median {statistics.median(noise):.2f}, worst {max(noise):.2f}")


def measure(launcher, case, workers, folder, arguments, rows):
    """The Result of a case on some workers, printed and with its raw rows written; None if there is none."""
    take = {"median": statistics.median, "minimum": min}[arguments.take]

    def turns(names, first_turn):
        runs, failed_now = take_turns(launcher, case, path, workers, names, iterations, arguments.repetitions)
        failed.update(failed_now)
        for name, some in runs.items():
            rows.writerows((case.name, workers, name, turn, run.iterations, run.seconds, run.planning, run.before)
                           for turn, run in enumerate(some, first_turn))
        return runs

    try:
        path = case.data.path(launcher, folder)
        iterations, nonzeros = iterations_for(launcher, case, path, workers)
        names = [name for name in alternatives(workers, nonzeros) if re.search(arguments.alternatives, name)]
        others, same, failed = sort_out(launcher, case, path, workers, names)
        runs = turns([AUTO, *others, AGAIN], 0)
        if len(runs) == 2:
            raise Failed("no alternative is left")
        result = compare(runs, take)
        fresh = turns([AUTO, result.best], arguments.repetitions)
        if result.best in failed:
            raise Failed(failed[result.best])
    except Failed as failure:
        say(f"{case.name:30} {workers:7} left out: {failure}")
        return None
    result.fresh = take(run.seconds for run in fresh[AUTO]) / take(run.seconds for run in fresh[result.best])
    show(case, workers, iterations, runs, result, take)
    for name, text in failed.items():
        say(f"    {name}: left out: {text}")
    if arguments.all:
        show_all(runs, same, take)
    return result


def parse():
    def numbers(text):
        values = [int(part) for part in text.split(",")]
        if min(values) < 1:
            raise ValueError
        return values

    def positive(text):
        return numbers(text)[0]

    parser = parser_of(__doc__)
    parser.add_argument("--alternatives", metavar="REGEX", default="", help="tries those options only that match")
    parser.add_argument("--workers", metavar="N,...", type=numbers, default=[1, 2], help="numbers of workers (1,2)")
    parser.add_argument("--repetitions", metavar="N", type=positive, default=5, help="turns of each case (5)")
    parser.add_argument("--take", choices=("median", "minimum"), default="median",
                        help="which of the seconds of all turns counts (median)")
    parser.add_argument("--largest-scale", metavar="N", type=positive, default=20, help="of R-MAT, from 14 (20)")
    parser.add_argument("--profile", metavar="FILE", type=pathlib.Path, help="of kasen-calibrate, for all runs")
    parser.add_argument("--csv", metavar="FILE", type=pathlib.Path, help="writes a row for each run")
    parser.add_argument("--all", action="store_true", help="prints every alternative of each case")
    parser.add_argument("--list", action="store_true", help="prints the names of the cases, and runs nothing")
    return parser.parse_args()


def main():
    arguments = parse()
    real = real_data()
    cases = [case for case in all_cases(real, arguments.largest_scale) if re.search(arguments.cases, case.name)]
    if arguments.list:
        print("\n".join(case.name for case in cases))
        return 0
    if not real.is_dir():
        say("# without real data: KASEN_DATA names no folder")
    results = []
    with contextlib.ExitStack() as stack:
        scratch = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="kasen-choices-")))
        if arguments.keep:
            arguments.keep.mkdir(parents=True, exist_ok=True)
        rows = csv.writer(stack.enter_context(open(arguments.csv or os.devnull, "w", encoding="utf-8", newline="")))
        rows.writerow(COLUMNS)
        launcher = Launcher(arguments.programs.resolve(), scratch, arguments.profile and arguments.profile.resolve())
        say(f"{'case':30} {'workers':>7} {'iterations':>10} {'ms/iteration':>12} {'ratio':>6}  {'spread':<12} "
            f"{'noise':>6} {'fresh':>6} {'before':>8} {'best':>8}  best alternative")
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        try:
            for case in cases:
                for workers in arguments.workers:
                    result = measure(launcher, case, workers, arguments.keep or scratch, arguments, rows)
                    if result:
                        results.append((f"{case.name} on {workers} worker{'s' * (workers > 1)}", result))
        except KeyboardInterrupt:
            say("# interrupted: what follows is of the cases above")
        summarise(results)
    return 0 if results else 1


if __name__ == "__main__":
    sys.exit(main())
