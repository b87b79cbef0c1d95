"""Runs a program of Kasen from outside, as a user would, and reads what it wrote."""
import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import tempfile
import time
import unittest

SECONDS = 60  # no run of these tests may take longer: it would be a worker that hangs


class LaunchedProgramTest(unittest.TestCase):
    """`workers` and `command` (launcher and program) are set by the test's main; each test has a scratch folder.

    The tests of a class take turns by GoogleTest's variables for shards, if they are set."""

    workers, command = 1, []
    CLOSE = 1e-6  # relative, or absolute below 1

    def setUp(self):
        turns, turn = (int(os.environ.get(f"GTEST_{name}", default)) for name, default in
                       (("TOTAL_SHARDS", 1), ("SHARD_INDEX", 0)))
        if unittest.defaultTestLoader.getTestCaseNames(type(self)).index(self._testMethodName) % turns != turn:
            self.skipTest("runs with another number of workers, and nightly with this one")
        folder = tempfile.TemporaryDirectory(prefix="kasen-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def file(self, name, content):
        path = self.folder / name
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            path.write_text(content, encoding="utf-8")
        return path

    def data(self, name):
        """A file of the public data sets; the test is skipped without it."""
        path = pathlib.Path(os.environ.get("KASEN_DATA", "/nowhere")) / name
        if not path.exists():
            self.skipTest(f"KASEN_DATA has no {name}")
        return path

    def assert_close(self, found, expected, relative=None):
        self.assertEqual(len(found), len(expected))
        for a, b in zip(found, expected):
            self.assertLess(abs(a - b), (relative or self.CLOSE) * max(1, abs(b)), (found, expected))

    def run_program(self, *arguments, prefix=(), seconds=SECONDS):
        """The finished process, with `seconds` it took."""
        start = time.monotonic()
        command = [*prefix, *self.command, *map(str, arguments)]
        run = subprocess.run(command, capture_output=True, timeout=seconds, check=False, stdin=subprocess.DEVNULL)
        run.stdout, run.stderr = run.stdout.decode("utf-8", "replace"), run.stderr.decode("utf-8", "replace")
        run.seconds = time.monotonic() - start
        return run

    def succeed(self, *arguments):
        """Standard output and standard error of a run that must succeed."""
        run = self.run_program(*arguments)
        self.assertEqual(run.returncode, 0, f"{arguments}: {run.stderr}")
        return run.stdout, run.stderr

    def fail_without_output(self, *arguments):
        """Standard error of a run that must fail with status 1, and leave no file behind."""
        before = sorted(self.folder.iterdir())
        run = self.run_program(*arguments, "--output", self.folder / "failed.h5")
        self.assertEqual((run.returncode, run.stderr.count("error: ")), (1, 1), f"{arguments}: {run.stderr}")
        self.assertEqual(sorted(self.folder.iterdir()), before)
        return run.stderr

    def report(self, *arguments):
        path = self.folder / "report.json"
        self.succeed(*arguments, "--quiet", "--report", path)
        return json.loads(path.read_text(encoding="utf-8"))


def main(test_case):
    """For test programs that are called with WORKERS COMMAND..."""
    import sys
    test_case.workers, test_case.command = int(sys.argv[1]), sys.argv[2:]
    unittest.main(module=test_case.__module__, argv=sys.argv[:1], verbosity=2)


H5DUMP_NUMBERS = {"F64": "d", "F32": "f", "I64": "q", "I32": "i", "U64": "Q", "U32": "I", "U8": "B"}


def read_hdf5(path):
    """Datasets by name, as lists of float, int or str, or of their rows; skips the test where nothing can read HDF5."""
    try:
        import h5py
    except ImportError:
        return read_by_h5dump(path)
    with h5py.File(path, "r") as file:
        datasets = {name: dataset[...].tolist() for name, dataset in file.items()}
    return {name: [v.decode("utf-8") if isinstance(v, bytes) else v for v in values]
            for name, values in datasets.items()}


def compose_hdf5(path, datasets):
    """Makes a file of datasets of others: of `datasets`, by name, the file and the name there; skips the test where
    nothing can write HDF5. @return the path"""
    try:
        import h5py
    except ImportError:
        h5py = None
        if shutil.which("h5copy") is None:
            raise unittest.SkipTest("neither h5py nor h5copy is installed") from None
    path.unlink(missing_ok=True)
    for name, (source, there) in datasets.items():
        if h5py is None:
            subprocess.run(["h5copy", "-i", source, "-o", path, "-s", "/" + there, "-d", "/" + name],
                           capture_output=True, check=True)
        else:
            with h5py.File(source, "r") as read, h5py.File(path, "a") as written:
                read.copy(there, written, name)
    return path


def read_by_h5dump(path):
    if shutil.which("h5dump") is None:
        raise unittest.SkipTest("neither h5py nor h5dump is installed")

    def h5dump(*options):
        return subprocess.run(["h5dump", *options, str(path)], capture_output=True, text=True, check=True).stdout

    datasets = {}
    for block in h5dump("-H").split("DATASET ")[1:]:
        name, head = block.split('"')[1], block.split("ATTRIBUTE")[0]
        shape = [int(length) for length in re.search(r"SIMPLE \{ \(([ \d,]*)\)", head)[1].split(",")]
        raw = path.with_suffix(".raw")
        h5dump("-d", "/" + name, "-b", "FILE", "-o", str(raw))
        content = raw.read_bytes()
        raw.unlink()
        if "H5T_STRING" in head:
            width = int(re.search(r"STRSIZE (\d+)", head)[1])
            words = [content[k:k + width] for k in range(0, len(content), width)]
            values = [word.rstrip(b"\0").decode("utf-8") for word in words]
        else:
            code = H5DUMP_NUMBERS[re.search(r"H5T_\w+_([FIU]\d+)LE", head)[1]]
            values = list(struct.unpack(f"<{len(content) // struct.calcsize(code)}{code}", content))
        for length in reversed(shape[1:]):
            values = [values[k:k + length] for k in range(0, len(values), length)]
        datasets[name] = values
    return datasets
