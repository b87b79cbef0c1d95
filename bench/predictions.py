#!/usr/bin/env python3
"""Sets predicted beside measured seconds of applications, on some numbers of workers.

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
import pathlib
import re
import statistics
import sys
import tempfile

from cases import all_cases, seconds_of
from runs import Failed, Launcher, parser_of, real_data

AIM = 0.20


def both_seconds(launcher, workers, case, folder):
    """Predicted and measured seconds of one run."""
    report, _ = launcher.report(workers, case.program, *case.words(launcher, folder))
    if report["predicted"] != report["measured"]:
        raise SystemExit(f"{case.name}: predicted counts are not what was counted")
    return seconds_of(report, "_predicted"), seconds_of(report)


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
                    runs = [both_seconds(launcher, workers, case, folder) for _ in range(arguments.repetitions)]
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
