#!/usr/bin/env python3
"""However a worker fails: one message, an exit status, and nobody hangs. Usage: failing_worker_test.py WORKERS COMMAND..."""
import subprocess
import sys
import time

WORKERS, COMMAND = int(sys.argv[1]), sys.argv[2:]
SECONDS = 15  # of which a second is spent on waiting for the others; the rest is for starting up on a busy machine
ANY_FAILURE = -1

# How it fails, the message, the exit status.
CASES = [
    ("none", None, 0),
    ("all", "met by all", 3),
    ("all_agreed", "agreed on", 1),
    ("one", "met by one", 3),
    ("all_but_one", "met by most", 1),
    ("one_caught_outside", "caught", 3 if WORKERS == 1 else ANY_FAILURE),  # the launcher's, which ends the others
]
if WORKERS == 1:  # without MPI workers cannot know of each other
    CASES += [("before_init", "without MPI", 4), ("after_finalize", "without MPI", 4)]


def check(mode, message, status):
    """What is wrong with how the job ended, or None."""
    start = time.monotonic()
    try:
        run = subprocess.run([*COMMAND, mode], capture_output=True, text=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return f"still running after {SECONDS} seconds"
    print(f"{mode}: exit status {run.returncode} after {time.monotonic() - start:.2f} s")
    errors = [line for line in run.stderr.splitlines() if line.startswith("error: ")]
    if errors != ([f"error: {message}"] if message else []):
        return f"messages {errors}\n{run.stderr}"
    if run.returncode != status and (status != ANY_FAILURE or run.returncode == 0):
        return f"exit status {run.returncode}, expected {status}\n{run.stderr}"
    if mode != "before_init" and run.stdout.count("buffered output") != 1:
        return f"standard output was {run.stdout!r}"
    return None


problems = {mode: problem for mode, message, status in CASES if (problem := check(mode, message, status))}
for mode, problem in problems.items():
    print(f"FAILED {mode}: {problem}")
sys.exit(1 if problems else 0)
