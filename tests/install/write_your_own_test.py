#!/usr/bin/env python3
"""docs/write_your_own.md, as a reader would follow it: its files, built against an installation, on its matrix.

Usage: write_your_own_test.py BUILD SCRATCH CMAKE COMPILER BUILD_TYPE LAUNCHER...

The largest and smallest eigenvalue and the solution are compared with what is known of that matrix, the totals of part
two with sums in Python.
"""
import csv
import datetime
import io
import json
import math
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from installed_package import build_programs, install

PAGE = pathlib.Path(__file__).parents[2] / "docs" / "write_your_own.md"


def files_of_page(page):
    """Blocks of code behind a line that ends with "`NAME`:", by name."""
    return dict(re.findall(r"`([\w.]+)`:\n\n```\w+\n(.*?)^```$", page, re.M | re.S))


def number(pattern, text):
    return float(re.search(pattern, text)[1])


def column(path):
    return [float(line) for line in path.read_text(encoding="utf-8").splitlines()[1:]]


def check_plan(page, what, printed):
    """The lines of the plan that the page shows stand in the printed one, in order; values may have other names."""
    shown = re.search(what + r", on two workers:\n\n```text\n(.*?)^```$", page, re.M | re.S)[1]
    lines = iter(re.sub(r"\bv\d+\b", "v", printed).splitlines())
    for line in re.sub(r"\bv\d+\b", "v", shown).splitlines():
        assert line in lines, f"the page shows a line that --explain does not print: {line}"


def runner_of(page, names, source, build_in, launcher):
    """The files of a part of the page in a folder, and a function that runs its programs there."""
    source.mkdir()
    files = files_of_page(page)
    assert set(files) == names, files
    for name, content in files.items():
        (source / name).write_text(content, encoding="utf-8")
    programs = build_in(source)

    def run(program, *arguments):
        command = [*launcher, programs / program, *arguments]
        return subprocess.run(command, check=True, cwd=source, capture_output=True, text=True).stdout

    return files, run


def check_groups(page, files, run, report):
    """Part two: amounts and counts by region, of the sales of listed shops since 2000."""
    sales, shops = (list(csv.DictReader(io.StringIO(files[name]))) for name in ("sales.csv", "shops.csv"))
    regions = {row["name"]: row["region"] for row in shops}
    since = [row for row in sales if datetime.date.fromisoformat(row["day"]).year >= 2000 and row["shop"] in regions]
    assert 0 < len(since) < len(sales) - 1
    expected = ""
    for region in sorted(set(regions.values())):
        amounts = [float(row["amount"]) for row in since if regions[row["shop"]] == region]
        expected += f"{region}: {len(amounts)} sales, {sum(amounts):.2f}\n"
    assert expected in page, expected
    for options in ([], ["--fusion", "off", "--sync", "lazy"], ["--threads", "2"]):
        assert run("sales", "--report", report, *options) == expected
        counted = json.loads(report.read_text(encoding="utf-8"))
        assert counted["predicted"] == counted["measured"], counted
    check_plan(page, "The group-by", run("sales", "--explain"))


def main(build, scratch, cmake, compiler, build_type, *launcher):
    scratch = pathlib.Path(scratch)
    prefix, source = install(cmake, build, scratch), scratch / "eigen"
    page, second = PAGE.read_text(encoding="utf-8").split("\n## Part two")

    def build_in(folder):
        return build_programs(cmake, compiler, build_type, folder, prefix)

    names = {"CMakeLists.txt", "matrix.mtx", "power.cpp", "recorded.cpp", "smallest.cpp", "cg.cpp"}
    _, run = runner_of(page, names, source, build_in, launcher)

    rows = 9
    largest, smallest = (2 - 2 * math.cos(k * math.pi / (rows + 1)) for k in (rows, 1))
    for options in ([], ["--fusion", "off", "--sync", "lazy"], ["--partition", "block"]):
        assert abs(number(r"largest eigenvalue (\S+)", run("power", *options)) - largest) < 1e-9
        report = source / "report.json"
        printed = run("recorded", "--explain", "--report", report, *options)
        assert abs(number(r"largest eigenvalue (\S+)", printed) - largest) < 1e-9
        if not options:
            check_plan(page, "The loop", printed)
        report = json.loads(report.read_text(encoding="utf-8"))
        assert report["predicted"] == report["measured"], report
        x = [0.0, *column(source / "vector.tsv"), 0.0]
        residual = [2 * x[i] - x[i - 1] - x[i + 1] - largest * x[i] for i in range(1, rows + 1)]
        assert max(map(abs, residual)) < 1e-5 and abs(sum(a * a for a in x) - 1) < 1e-9, residual
        assert abs(number(r"smallest eigenvalue (\S+)", run("smallest", *options)) - smallest) < 1e-9

        if "lazy" in options:
            assert re.search(r"zip_with\(function\) .* rule 15, smallest\.cpp:\d+$", run("smallest", "--explain", *options), re.M)

        run("cg", "--matrix", "matrix.mtx", "--output", "x.tsv", "--report", "report.json", *options)
        solution = [i * (rows + 1 - i) / 2 for i in range(1, rows + 1)]
        assert all(abs(a - b) < 1e-8 for a, b in zip(column(source / "x.tsv"), solution, strict=True))
        report = json.loads((source / "report.json").read_text(encoding="utf-8"))
        assert report["predicted"] == report["measured"], report
        assert report["iterations"] == 5, report["iterations"]  # b is in the span of so many eigenvectors

    files, run = runner_of(second, {"CMakeLists.txt", "sales.csv", "shops.csv", "sales.cpp"}, scratch / "sales", build_in,
                           launcher)
    check_groups(second, files, run, scratch / "report.json")


if __name__ == "__main__":
    main(*sys.argv[1:])
