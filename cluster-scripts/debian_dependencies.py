#!/usr/bin/env python3
"""Writes the dependencies between Debian's packages as an edge list: package, tab, package it depends on.

Usage: debian_dependencies.py FILE < OUTPUT_OF_APT_CACHE_DUMPAVAIL
       debian_dependencies.py FILE --synthetic

Depends and Pre-Depends count, Recommends do not. Of alternatives (`a | b`) the first that is a real package counts,
as it does for apt; a dependency that only virtual packages satisfy points to the virtual name. Versions and
architectures are dropped, each pair of packages is written once. Without input there is no file and the exit status
is 1. --synthetic makes up 60,000 packages of which few are used by most.
"""
import random
import re
import sys

NAME = re.compile(r"[^\s(\[:<]+")


def read_packages(lines):
    """Package names with their dependency fields, from apt's records."""
    dependencies, package, field = {}, None, None
    for line in lines:
        key, colon, value = line.partition(":")
        if line[:1].isspace():
            value = line  # continues the field before
        elif colon:
            field = key
            if field == "Package":
                package = value.strip()
                dependencies.setdefault(package, "")
        if field in ("Depends", "Pre-Depends"):
            dependencies[package] += value.strip() + ", "
    return dependencies


def edges_of(dependencies):
    for package, clauses in sorted(dependencies.items()):
        targets = set()
        for clause in filter(None, map(str.strip, clauses.split(","))):
            names = [NAME.match(name.strip())[0] for name in clause.split("|")]
            targets.add(next((name for name in names if name in dependencies), names[0]))
        for target in sorted(targets - {package}):
            yield package, target


def synthetic_edges(packages=60_000, seed=1):
    generator = random.Random(seed)
    for package in range(1, packages):
        count = min(package, int(generator.expovariate(1 / 6)) + 1)
        for target in sorted({int(package * generator.random() ** 4) for _ in range(count)}):
            yield f"package-{package}", f"package-{target}"


def main(path, *options):
    edges = list(synthetic_edges() if options else edges_of(read_packages(sys.stdin)))
    if not edges:
        return 1
    with open(path, "w", encoding="utf-8") as file:
        file.write("# package\tdepends on\n")
        file.writelines(f"{package}\t{target}\n" for package, target in edges)
    vertices = {name for edge in edges for name in edge}
    print(f"{path}: {len(vertices):,} packages, {len(edges):,} dependencies")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]) if sys.argv[2:] in ([], ["--synthetic"]) and sys.argv[1:] else __doc__)
