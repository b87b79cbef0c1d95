"""Processes of a job, as the system shows them."""
import os
import pathlib
import subprocess


def descendants(pid):
    """Processes under a process, which may go on ending."""
    found = []
    for child in filter(str.isdigit, os.listdir("/proc")):
        try:
            fields = pathlib.Path(f"/proc/{child}/stat").read_text(encoding="utf-8", errors="replace")
        except OSError:
            continue
        if int(fields.rpartition(")")[2].split()[1]) == pid:
            found += [int(child), *descendants(int(child))]
    return found


def runs_program(pid, name):
    try:
        return os.readlink(f"/proc/{pid}/exe").rpartition("/")[2] == name
    except OSError:
        return False


def workers_under(pid, name):
    return [child for child in descendants(pid) if runs_program(child, name)]


def errors_of(process, seconds):
    """What it has said on stderr when it has ended. Raises AssertionError if that takes longer."""
    try:
        return process.communicate(timeout=seconds)[1]
    except subprocess.TimeoutExpired:
        process.kill()
        raise AssertionError("hangs") from None
