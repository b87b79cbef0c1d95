#!/usr/bin/env python3
"""A random program as C++ gives the results of the interpreter.

Usage: printed_program_test.py PRINTER ARGUMENT... -- COMMAND...

PRINTER with these arguments prints what COMMAND should print; a line of it that is "?" may be any.
"""
import subprocess
import sys


def output(command):
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=60).stdout


def main(*arguments):
    separator = arguments.index("--")
    expected, got = output(arguments[:separator]), output(arguments[separator + 1:])
    assert expected, "nothing to compare"
    wanted, lines = expected.splitlines(), got.splitlines()
    same = len(wanted) == len(lines) and all(want in ("?", line) for want, line in zip(wanted, lines))
    assert same, f"expected\n{expected}\nbut got\n{got}"


if __name__ == "__main__":
    main(*sys.argv[1:])
