#!/usr/bin/env python3
"""Applications under kasen-run, of which workers are killed at random moments, while they start, compute and write a
checkpoint; it starts them again each time, and what they write in the end has the bytes of an undisturbed run.
Usage: kills_test.py KILLS KASEN_RUN BIN WORKERS

KASEN_SEED chooses the moments (by default 1)."""
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from processes import errors_of, workers_under

KILLS, KASEN_RUN, BIN, WORKERS = int(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3]), sys.argv[4]
SEED = int(os.environ.get("KASEN_SEED", "1"))
SECONDS = 120
MOST_OF_RUN = 6  # kills of one run of a program
LONGEST = 0.2    # seconds from the start of workers to the next kill

PROGRAMS = {
    "pagerank": "--graph {in}/graph.txt --iterations 60",
    "bfs": "--graph {in}/graph.txt --source 1",
    "lbfgs": "--data {in}/samples.svm --loss logistic --l2 1 --max-iterations 15",
    "kmeans": "--points {in}/points.csv --clusters 4 --max-iterations 30",
    "als": "--ratings {in}/ratings.txt --rank 2 --iterations 8",
    "hits": "--graph {in}/graph.txt --iterations 40",
    "components": "--graph {in}/graph.txt",
    "svm": "--data {in}/samples.svm --intercept",
    "mlogreg": "--data {in}/samples.svm --max-iterations 8",
    "gmm": "--points {in}/points.csv --components 3 --max-iterations 20",
    "autoencoder": "--data {in}/points.csv --hidden 3,1 --epochs 4 --batch 20",
}


def write_inputs(folder):
    choose = random.Random(7)
    chain = [f"{k} {k + 1}" for k in range(1, 60)]
    more = [f"{choose.randint(1, 60)} {choose.randint(1, 60)}" for _ in range(100)]
    (folder / "graph.txt").write_text("\n".join(chain + more) + "\n")
    rated = sorted({(choose.randint(1, 20), choose.randint(1, 15)) for _ in range(150)})
    (folder / "ratings.txt").write_text("".join(f"{u} {i} {choose.randint(1, 5)}\n" for u, i in rated))
    points = [f"{choose.random():.4f},{choose.random():.4f}" for _ in range(80)]
    (folder / "points.csv").write_text("x,y\n" + "\n".join(points) + "\n")
    samples = [f"{choose.choice((-1, 1))} " + " ".join(f"{c}:{choose.random():.3f}" for c in range(1, 6))
               for _ in range(60)]
    (folder / "samples.svm").write_text("\n".join(samples) + "\n")


def kill_one(process, name, moment, choose):
    """Kills one of its workers so many seconds after they are there; returns when all have gone, and whether one was
    killed, which is not so of a run that has ended before."""
    while not (workers := workers_under(process.pid, name)):
        if process.poll() is not None:
            return False
        time.sleep(0.001)
    time.sleep(moment)
    victim = choose.choice(workers)
    try:
        os.kill(victim, signal.SIGKILL)
    except ProcessLookupError:
        return False
    while set(workers) & set(workers_under(process.pid, name)):
        time.sleep(0.001)
    return True


class KillsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="kasen-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        write_inputs(self.folder)
        self.plain = {}

    def command(self, name, *options, launcher=()):
        arguments = PROGRAMS[name].replace("{in}", str(self.folder)).split()
        return [KASEN_RUN, "-n", WORKERS, *launcher, BIN / name, *arguments, *map(str, options)]

    def undisturbed(self, name):
        if name not in self.plain:
            path = self.folder / f"plain-{name}.h5"
            run = subprocess.run(self.command(name, "--output", path, "--quiet"), capture_output=True, text=True,
                                 timeout=SECONDS, check=False)
            self.assertEqual(run.returncode, 0, run.stderr)
            self.plain[name] = path.read_bytes()
        return self.plain[name]

    def run_with_kills(self, name, kills, choose):
        """@return how many workers were killed, and how often the program was started again"""
        plain = self.undisturbed(name)
        with tempfile.TemporaryDirectory(dir=self.folder) as folder:
            out, saved = pathlib.Path(folder) / "out.h5", pathlib.Path(folder) / "saved"
            process = subprocess.Popen(self.command(name, "--output", out, "--checkpoint", saved,
                                                    "--checkpoint-interval", 0, "--quiet",
                                                    launcher=("--restarts", str(MOST_OF_RUN))),
                                       stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            killed = 0
            while killed < kills and kill_one(process, name, choose.uniform(0, LONGEST), choose):
                killed += 1
            error = errors_of(process, SECONDS)
            self.assertEqual(process.returncode, 0, error)
            restarts = error.count("a worker was lost: started again")
            self.assertLessEqual(restarts, killed, error)
            self.assertEqual(out.read_bytes(), plain, name)
            self.assertEqual([p for p in saved.iterdir() if not p.name.startswith("checkpoint-")], [])
        return killed, restarts

    def test_killed_and_started_again(self):
        choose = random.Random(SEED)
        runs = done = restarts = 0
        while done < KILLS:
            name = list(PROGRAMS)[runs % len(PROGRAMS)]
            killed, restarted = self.run_with_kills(name, choose.randint(1, MOST_OF_RUN), choose)
            done, restarts, runs = done + killed, restarts + restarted, runs + 1
        print(f"{done} workers killed in {runs} runs, which were started again {restarts} times", flush=True)
        self.assertGreater(restarts, 0)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
