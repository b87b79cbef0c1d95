#!/usr/bin/env python3
"""Every mutant still finds what it changes: they are built at night only.

Usage: mutants_apply_test.py ROOT
"""
import pathlib
import sys

import mutate


def main(root):
    mutants = sorted((pathlib.Path(root) / "tests/fuzz/mutants").glob("*.mutant"))
    assert mutants, "no mutants"
    for mutant in mutants:
        mutate.altered(mutant, root)


if __name__ == "__main__":
    main(*sys.argv[1:])
