#!/usr/bin/env python3
"""Proves that check_includes.py can fail: every forbidden include of a small tree is reported, and no allowed one."""
import sys
import tempfile
from pathlib import Path

from check_includes import check

ALLOWED = {
    "kasen/base/ids.h": ["<cstdint>"],
    "kasen/base/large_pages.cpp": ["<sys/mman.h>", "<unistd.h>"],
    "comm/communicator.h": ["<mpi.h>", "<sys/mman.h>", '"kasen/base/ids.h"'],
    "partition/space.h": ['"comm/communicator.h"', '"kasen/base/ids.h"'],
    "optimizer/laws/obeyed.h": ["<vector>"],
    "optimizer/plan/plan.h": ["<vector>", "<fmt/format.h>", '"kasen/base/ids.h"'],
    "kasen/io/hdf5/hdf5.cpp": ["<hdf5.h>", '"partition/space.h"', '"kasen/io/lines/fields.h"'],
    "kasen/io/lines/fields.h": ['"comm/communicator.h"'],
    "kasen/session/engine.h": ['"kasen/runtime/executor.h"', '"kasen/kasen.h"', '"optimizer/plan/plan.h"'],
    "kasen/recording/slot.h": ['"optimizer/laws/obeyed.h"', '"kasen/runtime/executor.h"'],
    "kasen/runtime/executor.h": ['"optimizer/plan/plan.h"', '"partition/space.h"'],
    "kasen/kasen.h": ['"kasen/base/ids.h"'],
    "apps/pagerank.cpp": ["<kasen/kasen.h>", "<CLI/CLI.hpp>"],
    "tests/comm/comm_test.cpp": ["<gtest/gtest.h>", "<mpi.h>", '"comm/communicator.h"'],
}
FORBIDDEN = {
    "kasen/base/large_pages.h": ["<sys/mman.h>"],
    "kasen/base/state.h": ['"kasen/kasen.h"', '"comm/communicator.h"', "<fmt/format.h>", "<unistd.h>"],
    "comm/exchange.cpp": ['"partition/space.h"', '"communicator.h"', "<hdf5.h>"],
    "partition/placement.cpp": ['"optimizer/plan/plan.h"', "<mpi.h>"],
    "optimizer/cost.cpp": ['"comm/communicator.h"', '"partition/space.h"', '"kasen/runtime/executor.h"', "<mpi.h>"],
    "kasen/session.h": ["<mpi.h>", "<hdf5.h>", '"tests/comm/x.h"', '"kasen/absent.h"'],
    "kasen/io/lines/text.cpp": ["<hdf5.h>", '"kasen/io/hdf5/hdf5.h"', '"apps/pagerank.h"', '"kasen/kasen.h"', '"kasen/runtime/executor.h"'],
    "kasen/io/stray.h": ['"comm/communicator.h"'],
    "kasen/recording/recorder.h": ['"kasen/session/engine.h"', '"kasen/kasen.h"', '"optimizer/plan/plan.h"'],
    "kasen/runtime/sweep.cpp": ['"kasen/session/engine.h"', '"kasen/recording/slot.h"'],
    "apps/kmeans.cpp": ["<mpi.h>", "<boost/any.hpp>"],
}
# A circle of two units through a header and a source, and what only the public header may not reach.
REACHED = {"kasen/kasen.h": ['"kasen/input.h"'], "kasen/input.h": ['"comm/worker.h"'], "comm/worker.h": ["<mpi.h>"]}
CIRCLE = {"comm/a.h": ["<mpi.h>"], "comm/a.cpp": ['"comm/b.h"'], "comm/b.h": ['"comm/a.h"']}


def report(files):
    """What is reported of a tree of these files, as pairs of file:line and header."""
    with tempfile.TemporaryDirectory() as directory:
        root = Path(directory)
        for name, headers in files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text("".join(f"#include {header}\n" for header in headers))
        return {tuple(violation.split(": ")[:2]) for violation in check(root)}


def compare(expected, reported):
    for missed in sorted(expected - reported):
        print("not reported:", *missed)
    for wrong in sorted(reported - expected):
        print("wrongly reported:", *wrong)
    return reported != expected


def main():
    forbidden = {
        (f"{name}:{number}", header.strip('<>"'))
        for name, headers in FORBIDDEN.items()
        for number, header in enumerate(headers, 1)
    }
    failed = compare(forbidden, report({**ALLOWED, **FORBIDDEN}))
    failed |= compare({("kasen/input.h:1", "comm/worker.h"), ("comm/worker.h:1", "mpi.h")}, report(REACHED))
    failed |= compare({("comm/a", "comm/b")}, report(CIRCLE))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
