#!/usr/bin/env python3
"""Prints the tables of docs/performance.md, as Markdown, each under the commands that were run for it.

usage: bench/tables.sh [--quick] [--data DIR] [--gapbs DIR] [--peers DIR] [--into FILE] [--list] [TABLE...]

Without names of tables all are measured, which takes more than an hour on two cores; `--quick` does it in about a
minute, on data too small to mean much. A table that needs what is not given is skipped, with a line that says so. A
program that fails is named in its table, and the exit status is 1 then. `--into docs/performance.md` puts each table
that was measured, and of which nothing failed, in place of the one that the page has.

Nothing else should run meanwhile. Data are made in build/tables, once.
"""
import argparse
import os
import pathlib
import subprocess
import sys

import machine
import performance_page
from runs import ROOT, Failed, Launcher, first_error
from table_list import TABLES, Command, Given, Skipped

LIMIT = 1800  # seconds after which a command counts as failed


def say(text=""):
    print(text, flush=True)


def shown(command):
    """A command as it can be typed in the project's folder."""
    words = [os.path.relpath(word, ROOT) if word.startswith(str(ROOT)) else word for word in map(str, command.words)]
    set_first = [f"{name}={value}" for name, value in command.environment.items()]
    return " ".join([*set_first, *(f"'{word}'" if set(word) & set(" |*()$") else word for word in words)])


def run(command, given):
    """What a command prints, and how it failed, or None."""
    environment = {**os.environ, **command.environment}
    try:
        done = subprocess.run([*given.under, *map(str, command.words)], cwd=ROOT, env=environment, timeout=LIMIT,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", check=False)
    except subprocess.TimeoutExpired as late:
        return (late.stdout or b"").decode(errors="replace"), f"takes longer than {LIMIT} s"
    except OSError as error:
        return "", str(error)
    return done.stdout, first_error(done.stdout + done.stderr, done.returncode) if done.returncode else None


def print_table(table, given):
    """Measures and prints a table, each row as soon as it is known. @return its rows, and whether nothing failed"""
    say(f"## {table.name}: {table.title}\n")
    try:
        commands = table.commands(given)
    except Skipped as reason:
        say(f"skipped: {reason}\n")
        return [], True
    rows, notes, failures = [], [], []
    data_of_table = table.data(given)
    say("```sh")
    for data in data_of_table:
        made = given.folder / f"{data.name}{data.suffix}"
        say(shown(Command([given.programs / data.command[0],
                           *(made if word == "{out}" else word for word in data.command[1:])])))
    for command in commands:
        say(shown(command))
    say("```\n")
    for data in data_of_table:
        try:
            data.path(Launcher(given.programs, given.folder, None), given.folder)
        except Failed as failure:
            failures.append(f"{data.name}: {failure}")
    for command in commands:
        output, failure = run(command, given)
        reading = command.read(output)
        if reading.rows and not rows:
            say("\n".join(performance_page.lines_of(table.columns, [])))
        for row in reading.rows:
            say(performance_page.row_of(row))
        rows += reading.rows
        notes += reading.notes
        if not (failure or reading.rows or reading.failures or command.prepares):
            failure = "printed no figures"
        failures += [f"{shown(command)}: {text}" for text in reading.failures or [failure] if text]
    if rows:
        say()
    for note in dict.fromkeys([*table.notes(rows), *notes]):
        say(f"{note}\n")
    for failure in failures:
        say(f"**failed**: {failure}\n")
    return rows, not failures


def put_into(file, table, measured, rows):
    """Puts a table into the page, which has been read again, as others may have been put there."""
    columns, rows = table.of_page(rows) if table.of_page else (table.columns, rows)
    page = file.read_text(encoding="utf-8")
    file.write_text(performance_page.with_table(page, table.name, measured, columns, rows), encoding="utf-8")


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tables", metavar="TABLE", nargs="*", help="names of tables; none: all")
    parser.add_argument("--list", action="store_true", help="prints the names of all tables, and runs nothing")
    parser.add_argument("--quick", action="store_true", help="small data and few repetitions")
    parser.add_argument("--data", metavar="DIR", type=pathlib.Path, default=os.environ.get("KASEN_DATA") or None,
                        help="real data: DIR/graphs, DIR/libsvm (KASEN_DATA)")
    parser.add_argument("--gapbs", metavar="DIR", type=pathlib.Path, default=os.environ.get("KASEN_GAPBS") or None,
                        help="the built GAP Benchmark Suite: bfs, cc, pr_spmv, sssp (KASEN_GAPBS)")
    parser.add_argument("--peers", metavar="DIR", type=pathlib.Path, default=os.environ.get("KASEN_PEERS") or None,
                        help="other built programs for PageRank, and txt2el for their input (KASEN_PEERS)")
    parser.add_argument("--programs", metavar="DIR", type=pathlib.Path, default=ROOT / "build/release/bin",
                        help="where Kasen's programs are; builds nothing")
    parser.add_argument("--keep", metavar="DIR", type=pathlib.Path, default=ROOT / "build/tables",
                        help="where data are made, and stay (build/tables)")
    parser.add_argument("--into", metavar="FILE", type=pathlib.Path,
                        help="a page whose tables are replaced, such as docs/performance.md")
    parser.add_argument("--under", metavar="COMMAND", default="",
                        help="runs every measurement by this command, such as 'nice -n -5' or 'taskset -c 2,3'")
    arguments = parser.parse_args()
    unknown = set(arguments.tables) - {table.name for table in TABLES}
    if unknown:
        parser.error(f"no table is called {', '.join(sorted(unknown))}; --list prints all names")
    if arguments.into:
        if not arguments.into.is_file():
            parser.error(f"--into {arguments.into}: is no file")
        page = arguments.into.read_text(encoding="utf-8")
        for name in arguments.tables or [table.name for table in TABLES]:
            try:
                performance_page.with_table(page, name, "", (), [])
            except ValueError as reason:
                parser.error(f"--into {arguments.into}: {reason}")
    return arguments


def main():
    arguments = parse()
    if arguments.list:
        for table in TABLES:
            say(f"{table.name:14} {table.title}")
        return 0
    folder = arguments.keep.resolve()
    folder.mkdir(parents=True, exist_ok=True)

    def absolute(path):
        return path and pathlib.Path(path).resolve()

    given = Given(absolute(arguments.programs), folder, arguments.quick, absolute(arguments.data),
                  absolute(arguments.gapbs), absolute(arguments.peers), arguments.under.split())
    say("# Performance of Kasen, measured\n")
    on = machine.measure(given.quick)
    for line in on.lines():
        say(line)
    say(f"- sizes: {'quick, too small to mean much' if given.quick else 'full'}\n")
    measured = f"{performance_page.version()}; {on.in_short()}{'; sizes too small to mean much' if given.quick else ''}"
    good = True
    for table in TABLES:
        if arguments.tables and table.name not in arguments.tables:
            continue
        rows, whole = print_table(table, given)
        good = good and whole
        if arguments.into and rows and whole:
            put_into(arguments.into, table, measured, rows)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
