#!/usr/bin/env python3
"""Runs a program and notes the memory that it has in RAM, a file for each worker.

usage: launch.sh -n WORKERS bench/resident.py FOLDER PROGRAM [ARGUMENT...]

FOLDER/WORKER.json gets `peak`, in bytes, and `samples`: [seconds before the end, bytes] every 10 ms. The status is the
program's.
"""
import json
import os
import pathlib
import sys
import time

PERIOD = 0.01  # seconds


def resident(process):
    """Bytes in RAM, or None for a process that has ended."""
    try:
        with open(f"/proc/{process}/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):
        return None


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    folder, *command = sys.argv[1:]
    process = os.posix_spawn(command[0], command, os.environ)
    samples = []
    while True:
        ended, status, usage = os.wait4(process, os.WNOHANG)
        if ended:
            break
        bytes_now = resident(process)
        if bytes_now:
            samples.append((time.monotonic(), bytes_now))
        time.sleep(PERIOD)
    end = time.monotonic()
    result = {"peak": usage.ru_maxrss * 1024, "samples": [(end - at, some) for at, some in samples]}
    worker = os.environ.get("PMI_RANK", os.environ.get("OMPI_COMM_WORLD_RANK", "0"))
    pathlib.Path(folder, f"{worker}.json").write_text(json.dumps(result), encoding="ascii")
    return os.waitstatus_to_exitcode(status) & 0xFF


if __name__ == "__main__":
    sys.exit(main())
