#!/usr/bin/env python3
"""Small programs that are resumed on other numbers of workers than wrote their checkpoints.
Usage: numbers_test.py FILES PROGRAM -- LAUNCHER... -- LAUNCHER... ...

There is one launcher for each number of workers. What each writes is resumed from FILES of its checkpoints, each on
the next two numbers."""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

FILES, PROGRAM = int(sys.argv[1]), sys.argv[2]
LAUNCHERS = []
for word in sys.argv[3:]:
    if word == "--":
        LAUNCHERS.append([])
    else:
        LAUNCHERS[-1].append(word)
EXACT = ["products", "search", "nested", "draws", "groups", "driven", "labels", "fixpoint", "batches", "data",
         "mended"]


class NumbersTest(unittest.TestCase):
    def run_on(self, launcher, name, *options):
        command = [*launcher, PROGRAM, "--program", name, *map(str, options)]
        run = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(run.returncode, 0, f"{command}: {run.stderr}")
        return run.stdout.split()

    def resume(self, name, same):
        with tempfile.TemporaryDirectory(prefix="kasen-") as folder:
            folder = pathlib.Path(folder)
            for writer, launcher in enumerate(LAUNCHERS):
                plain = self.run_on(launcher, name)
                saved = folder / str(writer)
                self.assertEqual(self.run_on(launcher, name, "--write", saved), plain)
                files = sorted(saved.iterdir())
                self.assertGreater(len(files), 2)
                for k in range(FILES):
                    file = files[(writer + 1 + k * len(LAUNCHERS)) * len(files) // (FILES * len(LAUNCHERS) + 1)]
                    alone = folder / f"{writer}-{k}"
                    alone.mkdir()
                    shutil.copy(file, alone)
                    for step in (1, 2):
                        other = LAUNCHERS[(writer + step) % len(LAUNCHERS)]
                        with self.subTest(file=file.name, writer=launcher, reader=other):
                            same(self.run_on(other, name, "--resume", alone), plain)

    def test_a_request_to_end_is_no_error(self):
        for launcher in LAUNCHERS[:2]:
            with self.subTest(launcher=launcher), tempfile.TemporaryDirectory(prefix="kasen-") as folder:
                plain = self.run_on(launcher, "asked")
                command = [*launcher, PROGRAM, "--program", "asked", "--write", folder]
                ended = "ended by signal 15 (SIGTERM)"
                for options in ([], ["--catch"], ["--resume", folder], ["--resume", folder, "--catch"]):
                    run = subprocess.run([*command, *options], capture_output=True, text=True, timeout=60, check=False)
                    self.assertEqual(run.returncode, 143, run.stderr)
                    catches = "--catch" in options
                    self.assertEqual(run.stdout, ended if catches else "")
                    self.assertEqual(run.stderr.count("error: "), 0 if catches else 1, run.stderr)
                    self.assertEqual(run.stderr.count(f"error: {ended}"), 0 if catches else 1, run.stderr)
                    self.assertEqual(self.run_on(launcher, "asked", "--resume", folder), plain)

    def near(self, found, expected):
        self.assertEqual(len(found), len(expected))
        for a, b in zip(found, expected):
            self.assertAlmostEqual(float(a), float(b), delta=1e-10)

    def test_exact_programs(self):
        for name in EXACT:
            with self.subTest(program=name):
                self.resume(name, self.assertEqual)

    def test_sums_of_fractions(self):
        self.resume("pagerank", self.near)
        self.resume("scanned", self.near)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
