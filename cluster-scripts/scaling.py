#!/usr/bin/env python3
"""Runs a Kasen program on several numbers of workers: a table and a plot of how it scales, predicted beside measured.

usage: scaling.py [--workers 1,2,4] [--repeat 3] [--weak] [--run-option OPTION]... [--output FOLDER] PROGRAM ARGUMENT...

Strong scaling runs the same arguments on each number of workers. In an argument {workers} stands for their number, so
that each can have its own data: with --weak, which takes these to grow in proportion, efficiency is the time on the
least workers over the time on more; without, that times their ratio.

  cluster-scripts/scaling.py --workers 1,2,4,8 pagerank --graph web.h5
  cluster-scripts/scaling.py --workers 1,2,4 --weak --run-option=--hosts --run-option=hosts lbfgs --data {workers}.h5

Of the runs on a number of workers the one with the median time counts: that of an iteration, or of the whole program if it
has none. The table is printed; FOLDER, by default `scaling`, gets it as scaling.tsv, the plot as scaling.svg, and each
run's report as PROGRAM-WORKERS-RUN.json. PROGRAM is what launch.sh takes, and has --report. Exit status 1, after what
has been measured is written, if a run fails.
"""
import argparse
import json
import math
import pathlib
import subprocess
import sys
import xml.sax.saxutils

HERE = pathlib.Path(__file__).resolve()
LAUNCH = next(path for path in (HERE.with_name("launch.sh"), HERE.with_name("kasen-run")) if path.exists())
NAME = pathlib.Path(sys.argv[0]).name  # kasen-scaling where it is installed
COLUMNS = ("workers", "ms", "predicted ms", "speed-up", "efficiency", "MB sent", "messages")
WIDTH, HEIGHT, MARGIN = 640, 420, 64
COLOURS = {"measured": "#0b6bcb", "predicted": "#c2570c", "ideal": "#8a8f98"}


def parse(arguments):
    said = __doc__.replace("launch.sh", LAUNCH.name)
    if LAUNCH.name == "kasen-run":
        said = said.replace("cluster-scripts/scaling.py", NAME).replace("scaling.py", NAME)
    usage, description = said.split("usage: ")[1].split("\n", 1)
    parser = argparse.ArgumentParser(usage=usage, description=said.split("\n")[0] + "\n" + description,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workers", default="1,2,4", type=numbers)
    parser.add_argument("--repeat", default=3, type=int)
    parser.add_argument("--weak", action="store_true")
    parser.add_argument("--run-option", action="append", default=[])
    parser.add_argument("--output", default="scaling", type=pathlib.Path)
    parser.add_argument("program")
    parser.add_argument("arguments", nargs=argparse.REMAINDER)
    options = parser.parse_args(arguments)
    if options.repeat < 1:
        parser.error("--repeat takes a number of runs")
    return options


def numbers(text):
    """Numbers of workers, separated by commas, in order."""
    values = sorted({int(part) for part in text.split(",")})
    if values[0] < 1:
        raise argparse.ArgumentTypeError("numbers of workers begin with 1")
    return values


def run(options, workers, number):
    """The report of a run, or None if it fails; what it says goes to stderr."""
    path = options.output / f"{pathlib.Path(options.program).name}-{workers}-{number}.json"
    path.unlink(missing_ok=True)
    arguments = [argument.replace("{workers}", str(workers)) for argument in options.arguments]
    done = subprocess.run([LAUNCH, "-n", str(workers), *options.run_option, options.program, *arguments, "--report", path],
                          stdout=sys.stderr, check=False)
    if done.returncode:
        print(f"{NAME}: {workers} workers: exit status {done.returncode}", file=sys.stderr)
        return None
    if not path.exists():
        print(f"{NAME}: {workers} workers: it has written no report, as programs of Kasen do", file=sys.stderr)
        return None
    return json.loads(path.read_text(encoding="utf-8"))


def seconds(report, kind=""):
    """Of an iteration, or of all steps where there are none."""
    return report[f"seconds_per_iteration{kind}" if report["iterations"] else f"seconds_total{kind}"]


def row(report, first, weak):
    """A line of the table, by column, beside the report on the least workers."""
    speed_up = seconds(first) / seconds(report)
    more = report["workers"] / first["workers"]
    each = report["measured"]
    iterations = max(report["iterations"], 1)
    return dict(zip(COLUMNS, (report["workers"], 1e3 * seconds(report), 1e3 * seconds(report, "_predicted"),
                              speed_up * more if weak else speed_up, speed_up if weak else speed_up / more,
                              each["bytes_sent"] / 1e6 / iterations, each["messages"] / iterations)))


def lines_of(rows):
    """The table: names, and values of four digits."""
    return [list(COLUMNS)] + [[f"{value:.4g}" for value in line.values()] for line in rows]


def plot(rows, title, weak):
    """An SVG: milliseconds an iteration by workers, both in powers of two."""
    title = xml.sax.saxutils.escape(title)
    series = {
        "measured": [line["ms"] for line in rows],
        "predicted": [line["predicted ms"] for line in rows],
        "ideal": [rows[0]["ms"] / (1 if weak else line["workers"] / rows[0]["workers"]) for line in rows],
    }
    across = [math.log2(line["workers"]) for line in rows]
    values = [math.log2(value) for line in series.values() for value in line if value > 0]
    low, high = math.floor(min(values)), math.ceil(max(values))
    high += high == low

    def x(value):
        return MARGIN + (value - across[0]) / max(across[-1] - across[0], 1) * (WIDTH - 2 * MARGIN)

    def y(value):
        return HEIGHT - MARGIN - (value - low) / (high - low) * (HEIGHT - 2 * MARGIN)

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" '
           f'font-size="13"><title>{title}</title><rect width="100%" height="100%" fill="#ffffff"/>',
           f'<text x="{MARGIN}" y="24" font-size="15">{title}</text>',
           f'<text x="{WIDTH / 2}" y="{HEIGHT - 14}" text-anchor="middle">workers</text>',
           f'<text x="16" y="{MARGIN - 14}">ms</text>']
    for power in range(low, high + 1):
        out.append(f'<line x1="{MARGIN}" x2="{WIDTH - MARGIN}" y1="{y(power):.1f}" y2="{y(power):.1f}" stroke="#e3e6ea"/>'
                   f'<text x="{MARGIN - 8}" y="{y(power) + 4:.1f}" text-anchor="end">{2.0 ** power:g}</text>')
    for line, place in zip(rows, across):
        out.append(f'<text x="{x(place):.1f}" y="{HEIGHT - MARGIN + 20}" text-anchor="middle">{line["workers"]}</text>')
    for number, (name, line) in enumerate(series.items()):
        points = [(x(place), y(math.log2(value))) for place, value in zip(across, line) if value > 0]
        dashes = ' stroke-dasharray="5 4"' if name != "measured" else ""
        out.append(f'<polyline fill="none" stroke="{COLOURS[name]}" stroke-width="2"{dashes} points="'
                   + " ".join(f"{a:.1f},{b:.1f}" for a, b in points) + '"/>')
        if name != "ideal":
            out += [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3.5" fill="{COLOURS[name]}"/>' for a, b in points]
        out.append(f'<text x="{WIDTH - MARGIN - 80}" y="{MARGIN + 18 * number}" fill="{COLOURS[name]}">{name}</text>')
    return "\n".join(out) + "\n</svg>\n"


def main(arguments):
    options = parse(arguments)
    try:
        options.output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        print(f"{NAME}: --output: {error}", file=sys.stderr)
        return 2
    rows, first, failed = [], None, False
    for workers in options.workers:
        reports = [run(options, workers, number) for number in range(options.repeat)]
        whole = sorted((report for report in reports if report), key=seconds)
        failed = failed or len(whole) < options.repeat
        if whole:
            median = whole[(len(whole) - 1) // 2]
            first = first or median
            rows.append(row(median, first, options.weak))
    if rows:
        table = lines_of(rows)
        widths = [max(len(line[k]) for line in table) for k in range(len(COLUMNS))]
        for line in table:
            print("  ".join(value.rjust(width) for value, width in zip(line, widths)))
        (options.output / "scaling.tsv").write_text("".join("\t".join(line) + "\n" for line in table), encoding="utf-8")
        title = f"{pathlib.Path(options.program).name}, {'weak' if options.weak else 'strong'} scaling"
        (options.output / "scaling.svg").write_text(plot(rows, title, options.weak), encoding="utf-8")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
