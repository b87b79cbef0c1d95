#!/usr/bin/env python3
"""Runs every application on many workers of this machine, and shows what a run on next to nothing takes.

usage: bench/many_workers.py [--cases REGEX] [--workers 1,8,64,256] [--keep DIR] ...

The data are small: a few elements for each of 64 workers, and none for most of 256. A run verifies its result. For each
application and number of workers the table shows

  seconds  that the run took, with the start of all workers and their end
  MB       the most memory in RAM that one worker ever had, MPI and the program themselves included

So a program that takes memory or time for pairs of workers, as P squared, shows here. More workers than cores give
their core away while they wait (cluster-scripts/launch.sh). Programs come from the preset `bench` or `release`.
"""
import contextlib
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

from cases import Case
from runs import LIMIT, ROOT, Data, Failed, Launcher, Written, first_error, generated, parser_of

ROWS = 600


def ratings(numbers):
    return [f"{user} {item} {numbers.randint(1, 5)}" for user in range(ROWS // 4)
            for item in numbers.sample(range(40), 8)]


def houses(numbers):
    """A table with words, and numbers that depend on each other."""
    lines = ["area,town,price"]
    for _ in range(ROWS):
        area, town = numbers.uniform(30, 200), numbers.choice("abc")
        lines.append(f"{area:.1f},{town},{10 * area + 100 * ord(town) + numbers.gauss(0, 5):.2f}")
    return lines


def cities(numbers):
    """People, adults among them, and robberies."""
    lines = ["population,adults,robberies"]
    for _ in range(ROWS):
        people = numbers.randint(1_000, 2_000_000)
        lines.append(f"{people},{people * 3 // 4},{numbers.randint(0, people // 500)}")
    return lines


def digits(numbers):
    """A table of three classes around centres of their own."""
    lines = ["x,y,digit"]
    for k in range(ROWS):
        lines.append(f"{numbers.gauss(k % 3, 1):.3f},{numbers.gauss(k % 3 - 1, 1):.3f},{k % 3}")
    return lines


def seeds(_):
    return ["1 a", "2 b"]


def roads(numbers):
    """Weighted edges of a ring, and some across it."""
    return [f"{k} {(k + step) % ROWS} {numbers.uniform(1, 9):.2f}" for k in range(ROWS) for step in (1, 17)]


def claims(numbers):
    return ["age,claims"] + [f"{numbers.uniform(0, 1):.3f},{numbers.randint(0, 3)}" for _ in range(ROWS)]


def all_cases():
    """One for each application."""
    graph = generated("many-graph", "rmat", "--scale", 9)
    samples = generated("many-samples", "sparse", "--rows", ROWS, "--columns", 100)
    points = generated("many-points", "clusters", "--rows", ROWS, "--columns", 4)
    few = ("--iterations", "3")
    return [Case("pagerank", "--graph", graph), Case("hits", "--graph", graph),
            Case("bfs", "--graph", graph, ("--source", "1")), Case("components", "--graph", graph),
            Case("sssp", "--graph", Written("many-roads.txt", roads), ("--source", "1")),
            Case("label-propagation", "--graph", graph, ("--seeds", Written("many-seeds.txt", seeds))),
            Case("kmeans", "--points", points, ("--clusters", "5")),
            Case("gmm", "--points", points, ("--components", "3", *few)),
            Case("black-scholes", "--options", generated("many-options", "options", "--rows", ROWS)),
            Case("lbfgs", "--data", samples, few), Case("svm", "--data", samples, few),
            Case("glm", "--data", Written("many-claims.csv", claims),
                 ("--label", "claims", "--family", "poisson", *few)),
            Case("mlogreg", "--data", Written("many-digits.csv", digits), ("--label", "digit", *few)),
            Case("ridge", "--data", Written("many-houses.csv", houses), ("--target", "price", "--words", "town")),
            Case("als", "--ratings", Written("many-ratings.txt", ratings), ("--rank", "3", *few)),
            Case("autoencoder", "--data", points, ("--hidden", "3,2", "--batch", "100", "--epochs", "2")),
            Case("crime-index", "--data", Written("many-cities.csv", cities)),
            Case("clean-words", "--data", Written("many-houses.csv", houses), ("--column", "town", "--missing", "a")),
            Case("tpch", "--data", Data("many-tpch", ["kasen-generate", "tpch", "{out}", "--scale", "0.001"], ""),
                 ("--query", "3"))]


def measure(programs, workers, command):
    """The seconds that a run took, which must succeed, and the most bytes in RAM of one of its processes."""
    with tempfile.TemporaryFile() as output:
        start = time.monotonic()
        process = subprocess.Popen([ROOT / "cluster-scripts/launch.sh", "-n", str(workers), programs / command[0],
                                    *command[1:]], stdin=subprocess.DEVNULL, stdout=output, stderr=output)
        try:
            ended = 0
            while not ended:
                ended, status, usage = os.wait4(process.pid, os.WNOHANG)  # with the processes that it has waited for
                if not ended and time.monotonic() - start > LIMIT:
                    raise Failed(f"takes longer than {LIMIT} s")
                time.sleep(0.005)
        except BaseException:
            process.terminate()  # which the launcher passes on to the workers
            process.wait()
            raise
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.monotonic() - start
        if process.returncode:
            output.seek(0)
            raise Failed(first_error(output.read().decode(errors="replace"), process.returncode))
    return seconds, usage.ru_maxrss * 1024


def parse():
    parser = parser_of(__doc__)
    parser.add_argument("--workers", metavar="N,...", type=lambda text: [int(part) for part in text.split(",")],
                        default=[1, 8, 64, 256], help="numbers of workers (1,8,64,256)")
    return parser.parse_args()


def main():
    arguments = parse()
    programs = arguments.programs.resolve()
    measured = failed = 0
    with contextlib.ExitStack() as stack:
        scratch = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="kasen-many-")))
        folder = arguments.keep or scratch
        folder.mkdir(parents=True, exist_ok=True)
        launcher = Launcher(programs, scratch, None)

        print(f"{'application':20} {'workers':>7} {'seconds':>8} {'MB':>8}", flush=True)
        for case in all_cases():
            if not re.search(arguments.cases, case.program):
                continue
            for workers in arguments.workers:
                try:
                    command = [case.program, *case.words(launcher, folder), "--verify", "--quiet"]
                    seconds, most = measure(programs, workers, command)
                except Failed as failure:
                    failed += 1
                    print(f"{case.program:20} {workers:7} left out: {failure}", flush=True)
                    continue
                measured += 1
                print(f"{case.program:20} {workers:7} {seconds:8.2f} {most / 1e6:8.1f}", flush=True)
    return 0 if measured and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
