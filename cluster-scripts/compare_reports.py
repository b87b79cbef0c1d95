#!/usr/bin/env python3
"""Prints run reports side by side, with the first divided by the last. Usage: compare_reports.py NAME=PATTERN...

Of several files that match a pattern, the fastest run counts.
"""
import glob
import json
import sys

# Label, unit, and the value of a report per iteration; the counts are sums over workers and iterations.
ROWS = [
    ("milliseconds per iteration", lambda r: 1e3 * r["seconds_per_iteration"]),
    ("MB read per iteration", lambda r: r["measured"]["bytes_read"] / 1e6 / r["iterations"]),
    ("MB written per iteration", lambda r: r["measured"]["bytes_written"] / 1e6 / r["iterations"]),
    ("MB sent per iteration", lambda r: r["measured"]["bytes_sent"] / 1e6 / r["iterations"]),
    ("messages per iteration", lambda r: r["measured"]["messages"] / r["iterations"]),
    ("MB of buffers", lambda r: r["measured"]["buffer_bytes"] / 1e6),
]


def main(arguments):
    reports = []
    for argument in arguments:
        name, _, pattern = argument.partition("=")
        runs = []
        for path in sorted(glob.glob(pattern)):
            with open(path, encoding="utf-8") as file:
                runs.append(json.load(file))
        if not runs:
            sys.exit(f"{pattern}: no such file")
        reports.append((name, min(runs, key=lambda run: run["seconds_per_iteration"])))
    for name, report in reports:
        counts = set(report["predicted"]) & set(report["measured"])
        wrong = [count for count in sorted(counts) if report["predicted"][count] != report["measured"][count]]
        print(f"{name}: {report['iterations']} iterations, {report['workers']} workers, "
              + (f"predicted differs from measured in {', '.join(wrong)}" if wrong else
                 f"all {len(counts)} predicted counts equal the measured ones"))
    print(f"{'':28}" + "".join(f"{name:>14}" for name, _ in reports) + f"{'ratio':>10}")
    for label, value in ROWS:
        values = [value(report) for _, report in reports]
        ratio = f"{values[0] / values[-1]:10.2f}" if values[-1] else f"{'-':>10}"
        print(f"{label:28}" + "".join(f"{v:14.3f}" for v in values) + ratio)


if __name__ == "__main__":
    main(sys.argv[1:])
