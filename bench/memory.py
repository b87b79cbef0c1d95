#!/usr/bin/env python3
"""Measures the memory of runs beside what their plans need: while data are loaded, and while a loop runs.

usage: bench/memory.py [--cases REGEX] [--workers 1,2] [--scale 20] [--keep DIR] ...

A case is an application with data in some format, its matrix in some storage. For each the table shows, summed over
workers, in MB:

  needs    what the loop of the plan needs: each storage of each matrix that its sweeps walk, once, the buffers of its
           plan, as kasen-analyze counts them, and the vectors that it reads and leaves
  steady   the memory in RAM while the loop runs: the median over the middle of its time
  peak     the most that each worker ever had, mostly while data were read and placed

Subtracted from steady and peak is what the same program has that runs on next to nothing: MPI, HDF5 and the program
itself. The aims are steady / needs at most 1.2, and peak / needs at most 2.

Programs come from the preset `bench` or `release`. Other programs may run meanwhile.
"""
import contextlib
import dataclasses
import json
import math
import pathlib
import re
import statistics
import sys
import tempfile

from runs import ROOT, Data, Failed, Launcher, generated, parser_of

SECONDS = 1.5  # that a loop runs, so that there are enough samples
FEW = 10  # iterations, to learn how long one takes
MIDDLE = (0.25, 0.75)  # of the time in steps: when memory is steady
SWEEP = re.compile(r"sweep over matrix (\d+)( in blocks| by stencils)?")
STORAGES = ("auto", "compressed", "blocked")
EMPTY = {"--graph": generated("empty-graph", "rmat", "--scale", 4),
         "--data": generated("empty-samples", "sparse", "--rows", 100, "--columns", 50),
         "--points": generated("empty-points", "clusters", "--rows", 100, "--columns", 16)}
EMPTY_ITERATIONS = 1000


@dataclasses.dataclass
class Case:
    program: str
    option: str  # that names the data
    data: Data
    storage: str = "auto"
    arguments: tuple = ()

    @property
    def name(self):
        return f"{self.program} {self.data.name}{self.data.suffix} {self.storage}"


def in_format(data, suffix, *options):
    """The same data, in a file of another format."""
    return Data(data.name, ["kasen-convert", data, "{out}", *options], suffix)


def all_cases(scale):
    graph = generated(f"rmat-{scale}", "rmat", "--scale", scale)
    cases = [Case("pagerank", "--graph", graph, storage) for storage in STORAGES]
    cases += [Case("pagerank", "--graph", in_format(graph, suffix)) for suffix in (".txt", ".txt.gz", ".mtx", ".gr")]
    cases += [Case("hits", "--graph", graph)]
    rows = (16 << scale) // 10  # as many non-zeros as the graph has
    samples = generated(f"sparse-{rows}x{rows // 2}", "sparse", "--rows", rows, "--columns", rows // 2)
    few = ("--l2", "1e-6", "--history", "5")
    cases += [Case("lbfgs", "--data", samples, storage, few) for storage in STORAGES]
    cases += [Case("lbfgs", "--data", in_format(samples, ".svm"), "auto", few)]
    points = generated(f"clusters-{1 << scale}x16", "clusters", "--rows", 1 << scale, "--columns", 16)
    clusters = ("--clusters", "10")
    cases += [Case("kmeans", "--points", points, "auto", clusters),
              Case("kmeans", "--points", in_format(points, ".csv"), "auto", clusters)]
    return cases


def has_loop(program):
    return any(statement["op"] == "while" for statement in program["program"]["top"]["statements"])


def vectors(program, plan, spaces):
    """Bytes of the buffers of a plan, and of the vectors that it reads and leaves."""
    values = program["program"]["values"]
    total = plan["after"]["buffer_bytes"]["stream"]["value"]
    for live_in in program["program"].get("live_in", []):
        value = values[live_in["value"]]
        if value["kind"] == "vector" and not live_in.get("dies"):  # others are taken over, or given back
            total += value["bytes"] * spaces[value["space"]]["length"]
    return total


def needs(report, recorded, analysis):
    """Bytes that the loop of a run needs, over all workers."""
    loops = [pair for pair in zip(recorded["programs"], analysis["programs"]) if has_loop(pair[0])]
    placements = [recorded["placements"][program["placement"]] for program, _ in loops]
    wanted, placement = max(((vectors(*loop, placement["index_spaces"]), placement)
                             for loop, placement in zip(loops, placements)), key=lambda pair: pair[0])
    storages = set()
    for step in report["steps"]:
        found = SWEEP.match(step["text"])
        if found and step["entered"] >= report["iterations"]:
            dense = placement["matrices"][int(found[1])].get("dense", False)  # one storage, whichever way it is walked
            side = "row" if "mxvt(" in step["details"][0] and not dense else "column"
            storages.add((int(found[1]), found[2], side))
    return wanted + sum(storage_bytes(placement, *storage) for storage in storages)


def storage_bytes(placement, number, form, outputs):
    """Bytes of a matrix in one storage, over all workers."""
    matrix = placement["matrices"][number]
    value = matrix["value_bytes"]
    if matrix.get("dense"):
        return matrix["nonzeros"] * value
    if form == " by stencils":
        stencils = matrix[f"stencils_by_{outputs}"]
        return 32 * stencils["runs"] + (8 + value) * stencils["entries"]
    if form == " in blocks":
        blocks = matrix[f"blocks_by_{outputs}"]
        return matrix["nonzeros"] * (2 + value) + 2 * blocks["runs"] + 4 * blocks["long_runs"]
    space = placement["index_spaces"][matrix[f"{outputs}s"]]
    replicas = max((some["replicas"] for some in space["roles"]
                    if some["roles"] == [{"matrix": number, "side": outputs}]), default=0)
    return matrix["nonzeros"] * (4 + value) + 8 * (space["length"] + replicas)


class Watch:
    """Runs cases and has what they need, and what they have."""

    def __init__(self, programs, folder):
        self._programs, self._folder = programs, folder
        self._launcher = Launcher(programs, folder, None)
        self._empty = {}

    def measure(self, case, path, workers):
        """Bytes needed, steady and at the peak, over all workers."""
        arguments = [case.option, str(path), "--storage", case.storage, *case.arguments]
        record, analysed = self._folder / "program.json", self._folder / "analysis.json"
        report, _ = self._launcher.report(workers, case.program, *arguments, "--iterations", str(FEW), "--record",
                                          str(record))
        self._launcher.run(1, "kasen-analyze", str(record), "--storage", case.storage, "--json", str(analysed),
                           "--quiet")
        wanted = needs(report, *(json.loads(file.read_text(encoding="utf-8")) for file in (record, analysed)))
        iterations = max(FEW, math.ceil(SECONDS / report["seconds_per_iteration"]))
        steady, peak = self._run(case.program, [*arguments, "--iterations", str(iterations)], workers)
        empty_steady, empty_peak = self._of_empty(case, workers)
        return wanted, steady - empty_steady, peak - empty_peak

    def _run(self, program, arguments, workers):
        """Bytes in RAM while steps run, and at the peak, over all workers."""
        for old in self._folder.glob("[0-9]*.json"):
            old.unlink()
        report, _ = self._launcher.report(workers, str(ROOT / "bench/resident.py"), str(self._folder),
                                          str(self._programs / program), *arguments)
        steady = peak = 0
        for file in self._folder.glob("[0-9]*.json"):
            worker = json.loads(file.read_text(encoding="ascii"))
            begin, end = (part * report["seconds_total"] for part in MIDDLE)
            some = [had for before, had in worker["samples"] if begin <= before <= end]
            steady += statistics.median(some or [had for _, had in worker["samples"][-1:]])
            peak += worker["peak"]
        return steady, peak

    def _of_empty(self, case, workers):
        """The same of the program on next to nothing."""
        if (case.program, workers) not in self._empty:
            path = EMPTY[case.option].path(self._launcher, self._folder)
            arguments = [case.option, str(path), *case.arguments, "--iterations", str(EMPTY_ITERATIONS)]
            self._empty[case.program, workers] = self._run(case.program, arguments, workers)
        return self._empty[case.program, workers]


def parse():
    parser = parser_of(__doc__)
    parser.add_argument("--workers", metavar="N,...", type=lambda text: [int(part) for part in text.split(",")],
                        default=[1, 2], help="numbers of workers (1,2)")
    parser.add_argument("--scale", metavar="N", type=int, default=20, help="of the R-MAT graph (20)")
    return parser.parse_args()


def main():
    arguments = parse()
    cases = [case for case in all_cases(arguments.scale) if re.search(arguments.cases, case.name)]
    measured = failed = 0
    with contextlib.ExitStack() as stack:
        scratch = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="kasen-memory-")))
        folder = arguments.keep or scratch
        folder.mkdir(parents=True, exist_ok=True)
        watch = Watch(arguments.programs.resolve(), scratch)
        print(f"{'case':46} {'workers':>7} {'needs':>8} {'steady':>8} {'peak':>8} {'steady/needs':>12} "
              f"{'peak/needs':>10}", flush=True)
        for workers in arguments.workers:
            for case in cases:
                try:
                    path = case.data.path(Launcher(arguments.programs.resolve(), scratch, None), folder)
                    wanted, steady, peak = watch.measure(case, path, workers)
                except Failed as failure:
                    failed += 1
                    print(f"{case.name:46} {workers:7} left out: {failure}", flush=True)
                    continue
                measured += 1
                print(f"{case.name:46} {workers:7} {wanted / 1e6:8.1f} {steady / 1e6:8.1f} {peak / 1e6:8.1f} "
                      f"{steady / wanted:12.2f} {peak / wanted:10.2f}", flush=True)
    return 0 if measured and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
