#!/usr/bin/env python3
"""Sets Kasen beside other systems on the same graphs, with as many workers as they have threads.

usage: bench/peers.py [--gapbs DIR] [--peers DIR] [--scale 18] [--grid 300] [--graph FILE] [--workers 1,2] ...

The graphs are an R-MAT graph, a grid, and a file if one is given. `--gapbs` names a folder with programs of the GAP
Benchmark Suite, of which those that are there are run: `bfs`, `sssp` (weights 1 to 255; the fastest of four deltas),
`cc`, and 20 iterations of `pr_spmv`. `--peers` names a folder with programs that measure an iteration of PageRank and
print `median X ms/iter`, called as `PROGRAM GRAPH.el ITERATIONS [THREADS]`, and with common/txt2el, which makes the
file that they read of an edge list.

Searches are trials in one process on either side, from the call until the result is there: Kasen's after the first,
which plans, by `search_trials`, and GAPBS's. Of PageRank it is an iteration, by a run report. Reading and building
graphs counts for none. All are medians. Kasen's results are exact, so are the others'. Searches begin at the
vertex with most edges to others, the first of them.
"""
import argparse
import collections
import contextlib
import dataclasses
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

from runs import LIMIT, ROOT, Data, Failed, Launcher, converted, first_error, generated

ITERATIONS = 20  # of PageRank
DELTAS = ("2", "16", "64", "256")  # of sssp, of which the fastest counts
PAGERANKS = {"hand/pagerank": "by hand, OpenMP", "graphblas/pagerank_grb": "GraphBLAS", "scipy/pagerank.py": "SciPy"}
WITH_THREADS = "graphblas/pagerank_grb"  # takes them as an argument


@dataclasses.dataclass
class Graph:
    """A graph for all systems: Kasen's file, edges as text, and both with weights."""

    data: Data

    def prepare(self, launcher, folder):
        name = self.data.name
        self.plain = self.data.path(launcher, folder)
        text = Data(name, ["kasen-convert", self.data, "{out}"], ".txt").path(launcher, folder)
        self.edges, self.weighted_edges = folder / f"{name}.el", folder / f"{name}.wel"  # without a line about them
        if not self.weighted_edges.exists():
            with (open(text, encoding="ascii") as source, open(self.edges, "w", encoding="ascii") as plain,
                  open(self.weighted_edges, "w", encoding="ascii") as weighted):
                for line in source:
                    if line[0].isdigit():
                        u, v = line.split()
                        plain.write(line)
                        weighted.write(f"{u} {v} {1 + (int(u) * 40503 + int(v)) % 255}\n")
        self.weighted = folder / f"{name}-weighted.h5"
        if not self.weighted.exists():
            launcher.run(1, "kasen-convert", str(self.weighted_edges), str(self.weighted), "--format", "edge-list",
                         "--as", "graph", "--quiet")
        with open(self.edges, encoding="ascii") as source:
            self.source = collections.Counter(line.split(None, 1)[0] for line in source).most_common(1)[0][0]


@dataclasses.dataclass
class Task:
    """What GAPBS and Kasen both do."""

    theirs: str
    program: str
    weighted: bool = False
    from_source: bool = False
    options: tuple = ()  # of GAPBS
    variants: tuple = ((),)  # more of these, of which the fastest counts


PAGERANK = Task("pr_spmv", "pagerank", options=("-i", str(ITERATIONS), "-t", "0"))
TASKS = (Task("bfs", "bfs", from_source=True),
         Task("sssp", "sssp", weighted=True, from_source=True, variants=tuple(("-d", delta) for delta in DELTAS)),
         Task("cc", "components"),
         PAGERANK)


def output_of(command, threads):
    environment = {**os.environ, "OMP_NUM_THREADS": str(threads), "OMP_PROC_BIND": "true"}
    try:
        done = subprocess.run(list(map(str, command)), env=environment, timeout=LIMIT, capture_output=True, text=True,
                              check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Failed(str(error)) from None
    if done.returncode:
        raise Failed(first_error(done.stdout + done.stderr, done.returncode))
    return done.stdout


def seconds_of_iteration(launcher, workers, graph, repetitions):
    """Of PageRank."""
    reports = [launcher.report(workers, "pagerank", "--graph", str(graph.plain), "--iterations", str(ITERATIONS))[0]
               for _ in range(repetitions)]
    return statistics.median(report["seconds_per_iteration"] for report in reports)


def seconds_of_search(launcher, workers, file, task, start, trials):
    output = launcher.output(workers, "search_trials", "--search", task.program, "--graph", str(file), "--trials",
                             str(trials), *start)
    found = re.search(r"then median ([\d.]+) s", output)
    if not found:
        raise Failed("search_trials printed no time")
    return float(found[1])


def seconds_of_gapbs(arguments, graph, task, variant, workers):
    output = output_of([arguments.gapbs / task.theirs, "-f", graph.weighted_edges if task.weighted else graph.edges,
                        "-n", arguments.repetitions, *(["-r", graph.source] if task.from_source else []),
                        *task.options, *variant], workers)
    trials = [float(some) for some in re.findall(r"Trial Time:\s*([\d.]+)", output)]
    if not trials:
        raise Failed(f"{task.theirs} printed no time")
    return statistics.median(trials)


def beside_gapbs(launcher, arguments, graph, task, workers):
    """Seconds of Kasen and of GAPBS."""
    if task is PAGERANK:
        ours = seconds_of_iteration(launcher, workers, graph, arguments.repetitions)
    else:
        start = ["--source", graph.source] if task.from_source else []
        ours = seconds_of_search(launcher, workers, graph.weighted if task.weighted else graph.plain, task, start,
                                 arguments.repetitions)
    theirs = min(seconds_of_gapbs(arguments, graph, task, variant, workers) for variant in task.variants)
    return ours, theirs / ITERATIONS if task is PAGERANK else theirs


def beside_pagerank(launcher, program, graph, el, workers, repetitions):
    one = seconds_of_iteration(launcher, workers, graph, repetitions)
    threads = [workers] if str(program).endswith(WITH_THREADS) else []
    found = re.search(r"median ([\d.]+) ms/iter", output_of([program, el, ITERATIONS, *threads], workers))
    if not found:
        raise Failed(f"{program.name} printed no time")
    return one, float(found[1]) / 1e3


def comparisons(arguments, launcher, scratch, graph):
    """Name, what it is set beside, and how to measure it, of everything that is there for a graph."""
    if arguments.gapbs:
        for task in TASKS:
            if not (arguments.gapbs / task.theirs).exists():
                print(f"# skipped: GAPBS has no {task.theirs} there", flush=True)
                continue
            yield task.program, "GAPBS", lambda workers, task=task: beside_gapbs(
                launcher, arguments, graph, task, workers)
    if arguments.peers:
        el = scratch / f"{graph.data.name}.container"
        converter = arguments.peers / "common/txt2el"
        if not converter.exists():
            print("# skipped: no common/txt2el there", flush=True)
            return
        output_of([converter, graph.edges, el], 1)
        for path, name in PAGERANKS.items():
            if not (arguments.peers / path).exists():
                print(f"# skipped: no {path} there", flush=True)
                continue
            yield "pagerank", name, lambda workers, path=path: beside_pagerank(
                launcher, arguments.peers / path, graph, el, workers, arguments.repetitions)


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gapbs", metavar="DIR", type=pathlib.Path, help="the built GAP Benchmark Suite")
    parser.add_argument("--peers", metavar="DIR", type=pathlib.Path, help="other programs for PageRank")
    parser.add_argument("--scale", metavar="N", type=int, default=18, help="of the R-MAT graph (18); 0: none")
    parser.add_argument("--grid", metavar="N", type=int, default=300, help="edge of the grid (300); 0: none")
    parser.add_argument("--graph", metavar="FILE", type=pathlib.Path,
                        help="a graph of numbered vertices, without weights")
    parser.add_argument("--workers", metavar="N,...", type=lambda text: [int(part) for part in text.split(",")],
                        default=[1, 2], help="numbers of workers and threads (1,2)")
    parser.add_argument("--repetitions", metavar="N", type=int, default=9, help="runs and trials of each (9)")
    parser.add_argument("--programs", metavar="DIR", type=pathlib.Path, default=ROOT / "build/release/bin",
                        help="where Kasen's programs are (build/release/bin)")
    parser.add_argument("--keep", metavar="DIR", type=pathlib.Path, help="keeps the graphs there, for the next time")
    return parser.parse_args()


def main():
    arguments = parse()
    if not arguments.gapbs:
        print("# skipped: GAPBS not given", flush=True)
    if not arguments.peers:
        print("# skipped: other peers not given", flush=True)
    failed = False
    with contextlib.ExitStack() as stack:
        scratch = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="kasen-peers-")))
        folder = arguments.keep or scratch
        folder.mkdir(parents=True, exist_ok=True)
        launcher = Launcher(arguments.programs.resolve(), scratch, None)
        graphs = [generated(f"rmat-{arguments.scale}", "rmat", "--scale", arguments.scale)] if arguments.scale else []
        if arguments.grid:
            graphs.append(generated(f"grid-{arguments.grid}", "grid", "--rows", arguments.grid, "--columns",
                                    arguments.grid))
        if arguments.graph:
            graphs.append(converted(arguments.graph.resolve(), "graph"))
        print(f"{'case':30} {'workers':>7} {'Kasen ms':>12} {'their ms':>12} {'Kasen / theirs':>14}  theirs",
              flush=True)
        for data in graphs:
            graph = Graph(data)
            graph.prepare(launcher, folder)
            for program, name, measure in comparisons(arguments, launcher, scratch, graph):
                case = f"{program} {data.name}"
                for workers in arguments.workers:
                    try:
                        ours, theirs = measure(workers)
                    except Failed as failure:
                        failed = True
                        print(f"{case:30} {workers:7} left out: {failure}", flush=True)
                        continue
                    print(f"{case:30} {workers:7} {1e3 * ours:12.4f} {1e3 * theirs:12.4f} "
                          f"{ours / theirs:14.2f}  {name}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
