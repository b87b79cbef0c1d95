#!/usr/bin/env python3
"""Checks that every #include follows the layer rule, that what programs include keeps the inside out, and that no files
include each other in a circle. Usage: check_includes.py ROOT"""
import re
import sys
from pathlib import Path

IO = {  # by kind, and what each may include of the others
    "bytes": [],
    "lines": ["bytes"],
    "ids": ["lines"],
    "data": ["ids", "lines"],
    "hdf5": ["data", "ids", "lines", "bytes"],
    "formats": ["hdf5", "data", "ids", "lines", "bytes"],
}
IO_ROOMS = [f"kasen/io/{room}" for room in IO]
KASEN = ["kasen", "kasen/detail", "kasen/session", "kasen/checkpoint", "kasen/recording", "kasen/runtime", *IO_ROOMS]  # one target
OPTIMIZER = {  # each stage of docs/optimizer.md, and what it may include of the others
    "plan": [],
    "laws": [],
    "rewrite": ["laws"],
    "record": [],
    "cost": ["plan"],
    "states": ["plan", "cost"],
    "sweeps": ["plan", "cost", "states"],
    "search": ["plan", "cost", "states", "sweeps"],
    "text": ["plan", "cost"],
    "analysis": ["plan", "cost", "states", "text", "record"],
}
ROOMS = [f"optimizer/{room}" for room in OPTIMIZER]
LOWER = ["optimizer", *ROOMS, "partition", "comm", "kasen/base"]
# What a folder's files may include of the project, besides their own folder's. The longest folder of a path counts.
MAY_INCLUDE = {
    "kasen/base": [],
    "comm": ["kasen/base"],
    "partition": ["comm", "kasen/base"],
    "optimizer": ["kasen/base", *(room for room in ROOMS if room != "optimizer/analysis")],
    **{f"optimizer/{room}": ["kasen/base", *(f"optimizer/{other}" for other in may)] for room, may in OPTIMIZER.items()},
    "optimizer/analysis": ["kasen/base", "optimizer", *(f"optimizer/{other}" for other in OPTIMIZER["analysis"])],
    "kasen/io": [],  # holds rooms only
    **{f"kasen/io/{room}": ["partition", "comm", "kasen/base", *(f"kasen/io/{other}" for other in may)]
       for room, may in IO.items()},
    "kasen/runtime": LOWER,
    "kasen/recording": ["kasen/runtime", "optimizer/laws", "kasen/base"],
    "kasen/checkpoint": ["kasen/runtime", *IO_ROOMS, *LOWER],
    "kasen/session": KASEN + LOWER,
    "kasen/detail": KASEN + LOWER,  # what public templates need
    "kasen": KASEN + LOWER,
    "apps": KASEN + LOWER,
    "bench": KASEN + LOWER + ["apps", "tests/support"],  # the algorithms, and the generators of graphs
    "tests": KASEN + LOWER + ["apps", "tests/support"],
    "tests/support": KASEN + LOWER,
}

# Who may include a third party's headers, by the start of the header's name.
PROGRAMS = ["apps", "bench", "tests", "tests/support"]
THIRD_PARTY = {
    "mpi.h": ["comm", "tests", "tests/support"],
    "fmt/": ["comm", "partition", "optimizer", *ROOMS, *KASEN, *PROGRAMS],
    "nlohmann/": ["optimizer/record", "optimizer/analysis", *KASEN, *PROGRAMS],
    "CLI/": ["kasen", "kasen/session", *PROGRAMS],
    "hdf5": ["kasen/io/hdf5", "tests"],
    "H5": ["kasen/io/hdf5", "tests"],
    "metis.h": ["partition"],
    "Eigen/": ["kasen/runtime", "bench", "tests"],
    "gtest/": ["tests", "tests/support"],
    "gmock/": ["tests"],
}
# What programs include holds nothing of these, however far down.
PUBLIC = "kasen/kasen.h"
INSIDE = ("mpi.h", "comm/", "partition/", "optimizer/", "kasen/session/", "kasen/checkpoint/", "kasen/io/hdf5/")
# Folders that see the C++ standard library and nothing of the operating system, but for one file.
PORTABLE = ["kasen/base", "optimizer", *ROOMS]
OF_THE_SYSTEM = "kasen/base/large_pages.cpp"  # from which memory comes

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
STANDARD = re.compile(r"^(experimental/)?[a-z_]+$")
SYSTEM = re.compile(r"^((sys|linux|netinet|arpa)/)?[a-z0-9_]+\.h$")


def folder_of(path):
    """The folder whose rule holds for a path from the root, or None."""
    matches = [folder for folder in MAY_INCLUDE if path.startswith(folder + "/")]
    return max(matches, key=len, default=None)


def problem(name, folder, header, quoted, root):
    """What is wrong with this include of the file, or None."""
    target = folder_of(header)
    if target is not None:
        if target != folder and target not in MAY_INCLUDE[folder]:
            return f"{folder} may not include {target}"
        return None if (root / header).is_file() else "no such file"
    for start, users in THIRD_PARTY.items():
        if header.startswith(start):
            return None if folder in users else f"{folder} may not include {start.rstrip('/')}"
    if quoted:
        return "not a path from the top of the project"
    portable = folder in PORTABLE and name != OF_THE_SYSTEM
    if STANDARD.match(header) or (SYSTEM.match(header) and not portable):
        return None
    return f"{folder} may not include it" if SYSTEM.match(header) else "a library that no rule knows"


def includes(root, name):
    """The headers that a file includes, with the numbers of the lines."""
    for number, line in enumerate((root / name).read_text().splitlines(), 1):
        if match := INCLUDE.match(line):
            yield number, match[2], match[1] == '"'


def check_public(root):
    """What the public header reaches of the inside."""
    reached, waiting = set(), [PUBLIC]
    while waiting:
        name = waiting.pop()
        if name in reached or not (root / name).is_file():
            continue
        reached.add(name)
        for number, header, quoted in includes(root, name):
            if header.startswith(INSIDE):
                yield f"{name}:{number}: {header}: programs that include {PUBLIC} would see it"
            if quoted:
                waiting.append(header)


def check_circles(units):
    """Circles of units, a header and its source being one. `units`: what each includes, by name without suffix."""
    done, path = set(), []

    def visit(unit):
        if unit in path:
            yield path[path.index(unit) :] + [unit]
        elif unit not in done:
            path.append(unit)
            for other in sorted(units.get(unit, ())):
                yield from visit(other)
            path.pop()
            done.add(unit)

    for unit in sorted(units):
        for circle in visit(unit):
            yield f"{circle[0]}: {circle[1]}: includes itself in the end: {' -> '.join(circle)}"


def check(root):
    """All violations below root, as 'file:line: header: reason'."""
    found, units = list(check_public(root)), {}
    tops = {folder.split("/")[0] for folder in MAY_INCLUDE}
    for path in sorted(file for top in tops for file in (root / top).rglob("*")):
        if path.suffix not in (".h", ".cpp", ".c"):
            continue
        name = path.relative_to(root).as_posix()
        for number, header, quoted in includes(root, name):
            reason = problem(name, folder_of(name), header, quoted, root)
            if reason:
                found.append(f"{name}:{number}: {header}: {reason}")
            unit, other = name.rsplit(".", 1)[0], header.rsplit(".", 1)[0]
            if quoted and unit != other and not name.startswith("tests/"):
                units.setdefault(unit, set()).add(other)
    return found + list(check_circles(units))


if __name__ == "__main__":
    violations = check(Path(sys.argv[1]).resolve())
    print("\n".join(violations) or "every include follows the layer rule")
    sys.exit(1 if violations else 0)
