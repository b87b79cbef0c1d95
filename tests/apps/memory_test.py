#!/usr/bin/env python3
"""--memory seen from outside: what would not fit is refused, and what is said to fit does. Usage: memory_test.py
PROGRAMS LAUNCHER..., the folder of the built programs and a command that starts workers, with their number behind -n"""
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAMS = pathlib.Path(sys.argv.pop(1))
LAUNCHER = sys.argv[1:]
SECONDS = 120
MIB = 1 << 20
SCALE = 15  # of the graph, with 64 edges a vertex
BOUND = 1.5  # what is needed by what is said, over what was taken at the most


class MemoryTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory(prefix="kasen-memory-test-")
        cls.addClassCleanup(cls.scratch.cleanup)
        cls.folder = pathlib.Path(cls.scratch.name)
        cls.graph = cls.folder / "graph.h5"
        for command in (["kasen-generate", "rmat", cls.graph, "--scale", SCALE, "--edge-factor", 64],
                        ["kasen-convert", cls.graph, cls.folder / "graph.mtx"],
                        ["kasen-convert", cls.graph, cls.folder / "graph.txt"],
                        ["kasen-convert", cls.graph, cls.folder / "graph.gr"]):
            subprocess.run([PROGRAMS / command[0], *map(str, command[1:]), "--quiet"], check=True, timeout=SECONDS)

    def run_program(self, workers, program, *arguments):
        """The status, standard error, and the most bytes in RAM of a process."""
        launcher = LAUNCHER.copy() if workers > 1 else []
        if launcher:
            launcher[launcher.index("-n") + 1] = str(workers)
        with tempfile.TemporaryFile() as errors:
            process = subprocess.Popen([*launcher, PROGRAMS / program, *map(str, arguments)], stdin=subprocess.DEVNULL,
                                       stdout=subprocess.DEVNULL, stderr=errors)
            end = time.monotonic() + SECONDS
            ended = 0
            while not ended and time.monotonic() < end:
                ended, status, usage = os.wait4(process.pid, os.WNOHANG)
                time.sleep(0.01)
            if not ended:
                process.kill()
                self.fail(f"{arguments} takes longer than {SECONDS} s")
            process.returncode = os.waitstatus_to_exitcode(status)
            errors.seek(0)
            return process.returncode, errors.read().decode(), usage.ru_maxrss * 1024

    def pagerank(self, workers, suffix, memory):
        return self.run_program(workers, "pagerank", "--graph", self.graph.with_suffix(suffix), "--iterations", 3,
                                "--quiet", *(["--memory", memory] if memory is not None else []))

    def refusal(self, workers, suffix, memory):
        """What a worker is said to need in MiB, and how many workers would do, 0 if none: None if nothing was refused."""
        status, errors, _ = self.pagerank(workers, suffix, memory)
        if status == 0:
            return None
        self.assertEqual((status, errors.count("\n")), (1, 1), errors)
        found = re.search(r"a worker needs ([\d.]+) MiB, more than the ([\d.]+) MiB of --memory: (.*); "
                          r"(?:(\d+)|no number of) workers would do", errors)
        self.assertIsNotNone(found, errors)
        parts = [float(part) for part in re.findall(r"([\d.]+) MiB", found[3])]
        self.assertEqual(parts, sorted(parts, reverse=True))
        self.assertAlmostEqual(sum(parts), float(found[1]), delta=1)
        self.assertGreaterEqual(float(found[1]), float(found[2]))  # of a tenth
        return float(found[1]), int(found[4] or 0)

    def test_partitioners_count_where_they_run(self):
        """They do on several workers; on one there is nothing to cut."""
        for partition, words in (("metis", "METIS, which runs on one worker"),
                                 ("label-propagation", "label propagation")):
            for workers in (1, 3):
                with self.subTest(partition=partition, workers=workers):
                    status, errors, _ = self.run_program(workers, "pagerank", "--graph", self.graph, "--quiet",
                                                         "--partition", partition, "--memory", "80M")
                    self.assertEqual(status, 1 if workers > 1 else 0, errors)
                    self.assertEqual(words in errors, workers > 1, errors)

    def test_what_is_said_to_be_needed_is_enough(self):
        """A limit that is raised to what each refusal names ends at a run that keeps to it, and is not far above."""
        for suffix in (".h5", ".mtx", ".gr"):
            for workers in (1, 3):
                with self.subTest(suffix=suffix, workers=workers):
                    memory = 20.0
                    for _ in range(5):
                        found = self.refusal(workers, suffix, f"{int(memory * MIB)}")
                        if found is None:
                            break
                        memory = found[0] + 0.5
                    memory += 1.5  # what a process has at its start differs a little from run to run
                    status, errors, peak = self.pagerank(workers, suffix, int(memory * MIB))
                    self.assertEqual((status, errors), (0, ""))
                    self.assertLessEqual(peak, memory * MIB)
                    self.assertLessEqual(memory * MIB, BOUND * peak)

    def test_as_many_workers_as_are_named_do(self):
        for suffix in (".h5", ".gr"):
            with self.subTest(suffix=suffix):
                memory, workers = "48M", 1
                found = self.refusal(workers, suffix, memory)
                self.assertIsNotNone(found)
                self.assertGreater(found[1], workers)
                self.assertIsNone(self.refusal(found[1], suffix, memory), found)

    def test_texts_are_watched_while_they_are_read(self):
        status, errors, _ = self.pagerank(1, ".txt", "40M")
        self.assertEqual((status, errors.count("\n")), (1, 1), errors)
        self.assertRegex(errors, r"graph\.txt:\d+:1: .*of --memory; about \d+ workers would do")
        self.assertEqual(self.pagerank(1, ".txt", "400M")[0], 0)

    def test_what_no_number_of_workers_has_room_for(self):
        for workers in (1, 3):
            status, errors, _ = self.pagerank(workers, ".h5", "1M")
            self.assertEqual((status, errors.count("\n")), (1, 1), errors)
            self.assertIn("no number of workers would do", errors)

    def test_vectors_of_a_plan(self):
        options = self.folder / "options.h5"
        subprocess.run([PROGRAMS / "kasen-generate", "options", options, "--rows", "200000", "--quiet"], check=True,
                       timeout=SECONDS)
        arguments = ["black-scholes", "--options", options, "--quiet"]
        self.assertEqual(self.run_program(1, *arguments, "--memory", "1G")[0], 0)
        status, errors, _ = self.run_program(1, *arguments, "--memory", "30M")
        self.assertEqual((status, errors.count("\n")), (1, 1), errors)
        self.assertRegex(errors, r"a worker needs [\d.]+ MiB, more than the 30.0 MiB of --memory: ")

    def test_sizes(self):
        for size in ("0", "", " ", "-1", "4.5G", "4GB", "G", "1e9", "99999999999999999999", "16777216T"):
            status, errors, _ = self.pagerank(1, ".h5", size)
            self.assertEqual((status, errors.count("\n")), (2, 1), size)
            self.assertIn(f"--memory: '{size}' is no number of bytes such as 800M or 4G", errors)
        for size in ("1073741824", "1048576K", "1024M", "1G", "1T"):
            self.assertEqual(self.pagerank(1, ".h5", size)[0], 0, size)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
