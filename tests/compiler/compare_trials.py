#!/usr/bin/env python3
"""Kernels over structs compute the same with and without optimization.

Usage: compare_trials.py [--needs FLAG] PLAIN OPTIMIZED

Both programs print a line for each trial (trial.h). Skipped on processors without FLAG of /proc/cpuinfo.
"""
import argparse
import pathlib
import subprocess
import sys


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--needs")
    parser.add_argument("plain")
    parser.add_argument("optimized")
    arguments = parser.parse_args()
    if arguments.needs and arguments.needs not in pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").split():
        print(f"skipped: this processor has no {arguments.needs}")
        sys.exit(77)
    plain, optimized = (subprocess.run([program], check=True, capture_output=True, text=True).stdout.splitlines()
                        for program in (arguments.plain, arguments.optimized))
    assert len(plain) == len(optimized) > 200, (len(plain), len(optimized))
    wrong = [a.rsplit(" ", 1)[0] for a, b in zip(plain, optimized) if a != b]
    if wrong:
        sys.exit(f"{len(wrong)} of {len(plain)} trials differ from what -O0 computes: {', '.join(wrong)}")
    print(len(plain), "trials")


if __name__ == "__main__":
    main()
