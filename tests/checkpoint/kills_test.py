#!/usr/bin/env python3
"""Applications of which a worker is killed at a random moment, again and again, each time to be resumed; what they
write in the end has the bytes of an undisturbed run. Usage: kills_test.py KILLS BIN WORKERS LAUNCHER...

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

KILLS, BIN, WORKERS, LAUNCHER = int(sys.argv[1]), pathlib.Path(sys.argv[2]), int(sys.argv[3]), sys.argv[4:]
SEED = int(os.environ.get("KASEN_SEED", "1"))
SECONDS = 60

PROGRAMS = {
    "pagerank": "--graph {in}/graph.txt --iterations 60",
    "bfs": "--graph {in}/graph.txt --source 1",
    "lbfgs": "--data {in}/samples.svm --loss logistic --l2 1 --max-iterations 15",
    "kmeans": "--points {in}/points.csv --clusters 4 --max-iterations 30",
    "als": "--ratings {in}/ratings.txt --rank 2 --iterations 8",
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


class KillsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="kasen-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        write_inputs(self.folder)

    def command(self, name, *options):
        arguments = PROGRAMS[name].replace("{in}", str(self.folder)).split()
        return [*LAUNCHER, str(BIN / name), *arguments, *map(str, options)]

    def checkpoints(self, saved):
        return sorted(saved.glob("checkpoint-*.h5")) if saved.exists() else []

    def run_with_kills(self, name, kills, moments):
        plain, out, saved = self.folder / "plain.h5", self.folder / "out.h5", self.folder / f"saved-{name}"
        run = subprocess.run(self.command(name, "--output", plain, "--quiet"), capture_output=True, text=True,
                             timeout=SECONDS, check=False)
        self.assertEqual(run.returncode, 0, run.stderr)
        done = resumed = 0
        while True:
            options = ["--output", out, "--checkpoint", saved, "--checkpoint-interval", 0]
            if self.checkpoints(saved):
                options += ["--resume", saved]
                resumed += 1
            process = subprocess.Popen(self.command(name, *options), stdout=subprocess.DEVNULL,
                                       stderr=subprocess.PIPE, text=True)
            if done < kills:
                before = self.checkpoints(saved)
                while process.poll() is None and self.checkpoints(saved) == before:
                    time.sleep(0.001)
                time.sleep(moments.uniform(0, 0.05))
                workers = workers_under(process.pid, name)
                if workers:
                    try:
                        os.kill(moments.choice(workers), signal.SIGKILL)
                        done += 1
                    except ProcessLookupError:  # it has ended by itself
                        pass
            error = errors_of(process, SECONDS)
            if process.returncode == 0:
                break
            self.assertNotIn("error: ", error)
            self.assertLess(resumed, kills + 20, error)
        self.assertEqual(out.read_bytes(), plain.read_bytes())
        self.assertEqual([p for p in saved.iterdir() if not p.name.startswith("checkpoint-")], [])
        return resumed

    def test_killed_and_resumed(self):
        moments = random.Random(SEED)
        each = max(KILLS // len(PROGRAMS), 1)
        resumed = sum(self.run_with_kills(name, each, moments) for name in PROGRAMS)
        self.assertGreater(resumed, 0)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
