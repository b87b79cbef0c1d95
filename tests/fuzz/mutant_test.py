#!/usr/bin/env python3
"""Random programs find what a mutant gets wrong.

Usage: mutant_test.py PROGRAMS COMMAND...

COMMAND is fuzz_random with a fix taken back. Within so many PROGRAMS it must fail, and say by which.
"""
import os
import subprocess
import sys


def main(programs, *command):
    environment = dict(os.environ, KASEN_FUZZ_PROGRAMS=programs, KASEN_FUZZ_COMBINATIONS="3", KASEN_FUZZ_FINDINGS="1")
    run = subprocess.run(command, env=environment, capture_output=True, text=True, errors="replace", timeout=800)
    text = run.stdout + run.stderr
    assert run.returncode != 0, f"nothing was found in {programs} programs of each class\n{text[-2000:]}"
    assert "KASEN_FUZZ_SEED=" in text, f"no program was named\n{text[-2000:]}"
    print(next(line for line in text.splitlines() if "KASEN_FUZZ_SEED=" in line))


if __name__ == "__main__":
    main(*sys.argv[1:])
