#!/usr/bin/env python3
"""Random programs find what a mutant gets wrong.

Usage: mutant_test.py PROGRAMS COMMAND...

COMMAND is fuzz_random with a fix taken back. Within so many PROGRAMS it must fail, and say by which, or meet one that
does not end.
"""
import os
import re
import signal
import subprocess
import sys

SECONDS, SECONDS_OF_ONE = 400, 60  # after which programs, and one alone, do not end


def run(command, seconds, **variables):
    """Whether it failed, or was aborted as it did not end, and what it printed."""
    environment = dict(os.environ, KASEN_FUZZ_COMBINATIONS="3", KASEN_FUZZ_FINDINGS="1", **variables)
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", start_new_session=True) as started:
        try:
            text, ended = started.communicate(timeout=seconds)[0], True
        except subprocess.TimeoutExpired:
            os.killpg(started.pid, signal.SIGABRT)
            text, ended = started.communicate(timeout=seconds)[0], False
    return started.returncode != 0, ended, text


def main(programs, *command):
    failed, ended, text = run(command, SECONDS, KASEN_FUZZ_PROGRAMS=programs)
    assert failed, f"nothing was found in {programs} programs of each class\n{text[-2000:]}"
    named = re.search(r"KASEN_FUZZ_SEED=(\d+)", text)
    assert named, f"no program was named\n{text[-2000:]}"
    if not ended:
        assert not run(command, SECONDS_OF_ONE, KASEN_FUZZ_SEED=named[1], KASEN_FUZZ_PROGRAMS="1")[1], \
            f"nothing was found in {SECONDS} seconds"
    print(named[0] if ended else f"{named[0]} does not end")


if __name__ == "__main__":
    main(*sys.argv[1:])
