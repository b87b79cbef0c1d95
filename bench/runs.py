"""Running the built programs as users do, for measurements: data that are made once, and reports of runs."""
import argparse
import contextlib
import dataclasses
import gzip
import json
import os
import pathlib
import random
import shutil
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
LIMIT = 300  # seconds after which a run counts as failed
SKIPPED_LINES = {"ca-GrQc.txt": 1}  # where a file begins with something else than its format


class Failed(Exception):
    """A program that ended with an error, or took too long; the text is the first line of what it said."""


def first_error(output, status):
    """The line to show of a program that has failed."""
    lines = output.splitlines()
    return ([line for line in lines if "error: " in line] or lines or [f"status {status}"])[0]


@dataclasses.dataclass
class Data:
    """Data that are made by `command`: a program and its arguments, with {out} for the file to write, and other Data
    for their files. A file whose suffix ends in .gz is compressed afterwards."""

    name: str
    command: list
    suffix: str = ".h5"

    def path(self, launcher, folder):
        path = folder / f"{self.name}{self.suffix}"
        if not path.exists():
            plain = path.with_suffix("") if path.suffix == ".gz" else path
            files = {"{out}": str(plain)}
            launcher.run(1, *(str(part.path(launcher, folder)) if isinstance(part, Data) else files.get(part, part)
                              for part in self.command), "--quiet")
            if plain != path:
                with open(plain, "rb") as source, gzip.open(path, "wb", compresslevel=1) as packed:
                    shutil.copyfileobj(source, packed)
        return path


@dataclasses.dataclass
class Written:
    """A text file of lines that are made by a function of random numbers."""

    name: str
    lines: object

    def path(self, _, folder):
        path = folder / self.name
        if not path.exists():
            path.write_text("\n".join(self.lines(random.Random(1))) + "\n", encoding="ascii")
        return path


class Launcher:
    """Runs programs as a user would."""

    def __init__(self, programs, folder, profile):
        self._programs, self._report = programs, folder / "report.json"
        self._planned = ["--profile", str(profile)] if profile else []

    def output(self, workers, program, *arguments):
        """What a run printed, which must succeed."""
        command = [str(ROOT / "cluster-scripts/launch.sh"), "-n", str(workers), str(self._programs / program),
                   *arguments]
        with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, errors="replace") as process:
            try:
                output, _ = process.communicate(timeout=LIMIT)
            except (subprocess.TimeoutExpired, KeyboardInterrupt) as end:
                process.terminate()  # which the launcher passes on to the workers
                process.communicate()
                if isinstance(end, KeyboardInterrupt):
                    raise
                raise Failed(f"takes longer than {LIMIT} s") from None
        if process.returncode:
            raise Failed(first_error(output, process.returncode))
        return output

    def run(self, workers, program, *arguments):
        """The seconds that a run took, which must succeed."""
        start = time.monotonic()
        self.output(workers, program, *arguments)
        return time.monotonic() - start

    def report(self, workers, program, *arguments):
        """The run report, and the seconds that the run took as a whole."""
        self._report.unlink(missing_ok=True)
        wall = self.run(workers, program, *arguments, "--quiet", "--report", str(self._report), *self._planned)
        return json.loads(self._report.read_text(encoding="utf-8")), wall


@contextlib.contextmanager
def workplace(arguments, profile=None):
    """A folder that is gone afterwards, a launcher of the programs that works there, and the folder of data: the same,
    unless data are kept."""
    with tempfile.TemporaryDirectory(prefix="kasen-bench-") as name:
        scratch = pathlib.Path(name)
        folder = (arguments.keep or scratch).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        yield scratch, Launcher(arguments.programs.resolve(), scratch, profile), folder


def parser_of(description):
    """Options of every script that measures cases: which, and where programs and data are."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", metavar="REGEX", default="", help="measures those cases only whose names match")
    parser.add_argument("--programs", metavar="DIR", type=pathlib.Path, default=ROOT / "build/release/bin",
                        help="where the programs are (build/release/bin)")
    parser.add_argument("--keep", metavar="DIR", type=pathlib.Path, help="keeps the data there, for the next time")
    return parser


def real_data():
    """The folder of real data: KASEN_DATA, or the one beside the project."""
    return pathlib.Path(os.environ.get("KASEN_DATA") or ROOT.parent / "shared/data")


def generated(name, *arguments):
    kind, *rest = arguments
    return Data(name, ["kasen-generate", kind, "{out}", *map(str, rest)])


def converted(path, kind):
    skipped = SKIPPED_LINES.get(path.name)
    return Data(path.name.split(".")[0], ["kasen-convert", str(path), "{out}", "--as", kind,
                                          *(["--skip-lines", str(skipped)] if skipped else [])])
