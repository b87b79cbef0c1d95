"""What measurements are made on: the processor, its cores, and how fast it copies memory."""
import dataclasses
import multiprocessing
import os
import pathlib
import platform
import statistics
import time

BYTES, QUICK_BYTES = 1 << 28, 1 << 24  # of each array that is copied: more than caches hold, and not
TURNS = 5


def processor():
    for line in pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()


def memory_bytes():
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def copy_rate(size):
    """Bytes that one core reads and writes a second while it copies an array: the median of several turns."""
    source, target = bytearray(size), bytearray(size)
    source[:] = b"\1" * size
    taken = []
    for _ in range(TURNS + 1):
        begin = time.perf_counter()
        memoryview(target)[:] = source
        taken.append(time.perf_counter() - begin)
    return 2 * size / statistics.median(taken[1:])  # the first touches the pages


@dataclasses.dataclass
class Machine:
    """What measurements are made on."""

    cores: int
    alone: float  # bytes that one core copies a second
    together: float  # and all at once

    def lines(self):
        """Lines of Markdown."""
        return [f"- processor: {processor()}, {self.cores} cores for this run, {memory_bytes() / 2**30:.0f} GiB of memory",
                f"- a copy loop moves {self.alone / 1e9:.1f} GB/s on one core, {self.together / 1e9:.1f} GB/s on all at "
                "once (bytes read and written)",
                f"- {platform.system()} {platform.release()}, {platform.python_implementation()} "
                f"{platform.python_version()}"]

    def in_short(self):
        return (f"{processor()}, {self.cores} cores, of which one copies {self.alone / 1e9:.1f} GB/s and all "
                f"{self.together / 1e9:.1f}")


def measure(quick):
    size = QUICK_BYTES if quick else BYTES
    cores = len(os.sched_getaffinity(0))
    alone = copy_rate(size)
    with multiprocessing.Pool(cores) as pool:
        together = sum(pool.map(copy_rate, [size] * cores, chunksize=1))
    return Machine(cores, alone, together)
