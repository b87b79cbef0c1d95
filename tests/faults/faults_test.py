#!/usr/bin/env python3
"""Each program, with calls that fail: one message, exit status 1, soon, and no file that is not whole.

Usage: faults_test.py sample|every WORKERS BIN_FOLDER LIBRARY LAUNCHER...

On one worker a run forks before calls: all of MPI and of files are tried, and of allocations the first from each place,
which is a chain of callers. On several workers, each failure is a run of its own: calls from places of fewer callers are
tried, failing on all workers, or on the last one alone. `sample` tries some. LIBRARY is failing_calls.cpp.
"""
import collections
import os
import sys
import time

from faulty_runs import ALONE, PROGRAMS, FaultyRuns

EVERY, WORKERS, BIN, LIBRARY = sys.argv[1] == "every", int(sys.argv[2]), sys.argv[3], sys.argv[4]
LAUNCHER = sys.argv[5:]
# For a part of `every`: these programs, these kinds.
CHOSEN = os.environ.get("KASEN_FAULTS_PROGRAMS", "").split(",")
CHOSEN_KINDS = os.environ.get("KASEN_FAULTS_KINDS", "mpi,write,allocation,hdf5-allocation").split(",")
# What fails, once or from there on, on one worker: a sample takes one call in so many, but so many at least if there
# are as many, `every` the first of each place of so many callers, or if that is 0 all.
KINDS = {("mpi", False): (11, 4, 0), ("write", False): (2, 4, 0), ("allocation", False): (2003, 4, 14),
         ("allocation", True): (19997, 1, 2), ("hdf5-allocation", False): (2003, 1, 14)}
ALWAYS = ("mpi", "write", "allocation")  # kinds of which every program has calls
PLACE = 3  # callers that make a place, on several workers
SAMPLE, MOST = 2, 60  # places of a kind, on several workers
SAMPLED_PROGRAMS = ["pagerank"]
LONG_PROGRAMS = ["kasen-calibrate"]  # not sampled


class Table:
    """What was tried, and how it ended."""

    def __init__(self):
        self.failed = 0
        self.number = collections.Counter()  # of what was tried, by program and kind

    def require(self, program, kinds):
        """Something of each of them that every program has was tried."""
        for kind in kinds:
            if kind in ALWAYS and self.number[program, kind] == 0:
                print(f"{program:18} {kind}: nothing was tried", flush=True)
                self.failed += 1

    def add(self, program, kind, how, tried, seconds):
        """@param tried: [(n, name of the call, Run, problem)]"""
        self.number[program, kind] += len(tried)
        bad = [(n, name, problem) for n, name, _, problem in tried if problem]
        went_on = sum(1 for _, _, run, problem in tried if run.status == 0 and not problem)
        slowest = max((run.seconds for _, _, run, _ in tried), default=0)
        what, ended = kind + how, len(tried) - went_on - len(bad)
        print(f"{program:18} {what:28} {len(tried):6} tried {ended:6} ended with the error "
              f"{went_on:5} went on {len(bad):4} wrong; slowest {slowest:5.2f} s, all {seconds:6.1f} s", flush=True)
        for problem, number in collections.Counter(problem for _, _, problem in bad).most_common(8):
            example = next((n, name) for n, name, other in bad if other == problem)
            print(f"    {number} x {problem}, as when call {example[0]} ({example[1]}) fails", flush=True)
        self.failed += len(bad)


def try_alone(runs, counts, table):
    for (kind, and_later), (step, least, places) in KINDS.items():
        if kind not in CHOSEN_KINDS:
            continue
        start = time.monotonic()
        step = max(1, min(step, counts.get((kind, 0), 0) // least))
        tried = runs.fork_every(kind, 1, places, and_later) if EVERY else runs.fork_every(kind, step, 0, and_later)
        table.add(runs.name, kind, " and later" if and_later else "", tried, time.monotonic() - start)


def try_together(runs, first, table):
    for kind in ("mpi", "write", "allocation"):
        if kind not in CHOSEN_KINDS:
            continue
        for worker in (None, WORKERS - 1):
            start = time.monotonic()
            places = first.get((kind, WORKERS - 1 if worker is not None else 0), [])
            most = MOST if kind == "allocation" else len(places)
            if not EVERY and kind != "write":
                most = SAMPLE
            most = max(most, 1)
            places = places[::-(-len(places) // most)] if places else []
            tried = []
            for n in places:
                run = runs.failing_run(kind, n, worker)
                if run is not None:
                    tried.append((n, "", run, runs.problem(run, kind)))
            who = "all" if worker is None else f"worker {worker}"
            table.add(runs.name, kind, f" on {who}", tried, time.monotonic() - start)


def main():
    table = Table()
    for program in PROGRAMS:
        if CHOSEN != [""] and program not in CHOSEN or WORKERS > 1 and program in ALONE:
            continue
        if not EVERY and (program in LONG_PROGRAMS or WORKERS > 1 and program not in SAMPLED_PROGRAMS):
            continue
        runs = FaultyRuns(program, WORKERS, LAUNCHER if WORKERS > 1 else [], LIBRARY, BIN)
        counts, first = runs.clean_run(PLACE if WORKERS > 1 else 0)
        if WORKERS == 1:
            try_alone(runs, counts, table)
        else:
            try_together(runs, first, table)
        table.require(program, CHOSEN_KINDS)
        runs.remove()
    return 1 if table.failed else 0


if __name__ == "__main__":
    sys.exit(main())
