#!/usr/bin/env python3
"""What kasen-run does with a program that writes checkpoints: signals, and workers that are lost.
Usage: kasen_run_test.py KASEN_RUN WORKERS PAGERANK, beside which sssp is"""
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from processes import descendants, errors_of, workers_under
from small_graph import write_small_graph

KASEN_RUN, WORKERS, PAGERANK = sys.argv[1:4]
SECONDS = 60


class KasenRunTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="kasen-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.saved = self.folder / "saved"
        self.graph = write_small_graph(self.folder)

    def command(self, iterations, *options, launcher=()):
        return [KASEN_RUN, "-n", WORKERS, *launcher, PAGERANK, "--graph", self.graph, "--iterations",
                str(iterations), "--tolerance", "0", *options]

    def start(self, *arguments, **more):
        return subprocess.Popen(self.command(*arguments, **more), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                text=True)

    def wait_for(self, condition, process):
        while not condition():
            self.assertIsNone(process.poll(), "it has ended by itself")
            time.sleep(0.002)

    def files(self):
        return sorted(path.name for path in self.saved.glob("*"))

    def test_a_request_takes_a_checkpoint_first(self):
        written = []
        for number, (request, status) in enumerate([(signal.SIGTERM, 143), (signal.SIGINT, 130)], start=1):
            options = ["--checkpoint", self.saved, "--checkpoint-interval", "3600"]
            if number > 1:
                options += ["--resume", self.saved]
            process = self.start(10**9, *options)
            self.wait_for(lambda: len(workers_under(process.pid, "pagerank")) == int(WORKERS) and self.saved.exists(),
                          process)
            time.sleep(1.5)  # it has come to its loop, or is about to
            below = descendants(process.pid)
            process.send_signal(request)
            error = errors_of(process, SECONDS)
            self.assertEqual(process.returncode, status, error)
            self.assertIn("error: ended by signal ", error)
            self.assertEqual(error.count("error: "), 1, error)
            written.append(f"checkpoint-{number:08}.h5")
            self.assertEqual(self.files(), written)
            self.assertFalse([pid for pid in below if os.path.exists(f"/proc/{pid}/exe")])

    def test_a_second_request_ends_at_once(self):
        process = self.start(10**9, "--checkpoint", self.saved, "--checkpoint-interval", "3600")
        self.wait_for(lambda: len(workers_under(process.pid, "pagerank")) == int(WORKERS) and self.saved.exists(), process)
        time.sleep(0.5)
        stopped = workers_under(process.pid, "pagerank")[0]
        os.kill(stopped, signal.SIGSTOP)  # so that no checkpoint can be taken
        process.send_signal(signal.SIGTERM)
        time.sleep(0.3)
        process.send_signal(signal.SIGTERM)
        os.kill(stopped, signal.SIGCONT)
        error = errors_of(process, SECONDS)
        self.assertEqual(process.returncode, 143, error)

    def test_lost_workers_are_replaced(self):
        plain, out = self.folder / "plain.h5", self.folder / "out.h5"
        subprocess.run(self.command(300, "--output", plain), stdout=subprocess.DEVNULL, timeout=SECONDS, check=True)
        process = self.start(300, "--output", out, "--checkpoint", self.saved, "--checkpoint-interval", "0",
                             launcher=("--restarts", "2"))
        self.kill_one(process)
        self.kill_one(process, signal.SIGILL)  # of which, and of how others end, the launcher makes another status
        error = errors_of(process, SECONDS)
        self.assertEqual(process.returncode, 0, error)
        self.assertEqual(re.findall(r"a worker was lost: started again from its newest checkpoint in \S+ \((.*)\)", error),
                         ["1 of 2", "2 of 2"])
        self.assertEqual(out.read_bytes(), plain.read_bytes())

    def kill_one(self, process, by=signal.SIGKILL):
        """When it has written a checkpoint more, and so is up; returns when its workers are gone."""
        def newest():
            return max((name for name in self.files() if name.startswith("checkpoint-")), default="")

        before = newest()
        self.wait_for(lambda: newest() > before, process)
        workers = workers_under(process.pid, "pagerank")
        os.kill(workers[-1], by)
        while set(workers) & set(workers_under(process.pid, "pagerank")):
            time.sleep(0.002)

    def test_no_more_than_so_often(self):
        process = self.start(10**9, "--checkpoint", self.saved, "--checkpoint-interval", "0",
                             launcher=("--restarts", "1"))
        self.kill_one(process)
        self.kill_one(process)
        error = errors_of(process, SECONDS)
        self.assertEqual(process.returncode, 137, error)
        self.assertIn("(1 of 1)", error)

    def test_a_search_goes_on_on_other_numbers_of_workers(self):
        choose = random.Random(3)
        edges = [f"{choose.randint(1, 40)} {choose.randint(1, 40)} {choose.random():.3f}\n" for _ in range(150)]
        (self.folder / "weights.txt").write_text("".join(edges))

        def search(workers, name, *options):
            out = self.folder / name
            subprocess.run([KASEN_RUN, "-n", str(workers), pathlib.Path(PAGERANK).with_name("sssp"), "--graph",
                            self.folder / "weights.txt", "--source", "1", "--output", out, "--quiet", *options],
                           timeout=SECONDS, check=True)
            return out.read_bytes()

        plain = search(2, "plain.h5", "--checkpoint", self.saved, "--checkpoint-interval", "0")
        for workers in (1, 2, 3):
            self.assertEqual(search(workers, "out.h5", "--resume", self.saved), plain)

    def test_workers_that_are_killed_at_once_end_the_job(self):
        for wait in (0, 0.01, 0.02, 0.1):
            process = self.start(10**9)
            while not workers_under(process.pid, "pagerank"):
                time.sleep(0.001)
            time.sleep(wait)
            os.kill(workers_under(process.pid, "pagerank")[-1], signal.SIGKILL)
            error = errors_of(process, SECONDS)
            # The other one may be in MPI_Init just then, which fails for want of the first.
            self.assertIn(process.returncode, (137, 15), error)
            self.assertRegex(error, "was killed by signal 9|MPI_Init_thread.* failed|the launcher lost its workers")

    def test_crashes_have_the_status_of_their_signal(self):
        for crash in (signal.SIGABRT, signal.SIGFPE, signal.SIGILL, signal.SIGTRAP):
            process = self.start(10**9)
            while len(workers_under(process.pid, "pagerank")) < int(WORKERS):
                time.sleep(0.001)
            time.sleep(0.5)
            os.kill(workers_under(process.pid, "pagerank")[-1], crash)
            error = errors_of(process, SECONDS)
            self.assertEqual(process.returncode, 128 + crash, error)
            self.assertRegex(error, f"worker \\d was killed by signal {crash:d} ")

    def test_errors_are_not_repeated(self):
        run = subprocess.run([KASEN_RUN, "--restarts", "5", PAGERANK, "--graph", "nowhere", "--checkpoint", self.saved],
                             capture_output=True, text=True, timeout=SECONDS, check=False)
        self.assertEqual(run.returncode, 1, run.stderr)
        self.assertNotIn("started again", run.stderr)
        run = subprocess.run([KASEN_RUN, "--restarts", "5", PAGERANK, "--graph", "nowhere"], capture_output=True,
                             text=True, timeout=SECONDS, check=False)
        self.assertEqual(run.returncode, 2, run.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
