#!/usr/bin/env python3
"""While steps run, nothing is allocated: programs of more iterations make as many allocations as those of fewer. Those
of MPI do not count. Usage: allocations_test.py WORKERS BIN_FOLDER LIBRARY [LAUNCHER...]"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

VERTICES = range(100, 160)
FILES = {
    "graph.txt": "".join(f"{v} {100 + v * 7 % 60}\n{v} {100 + (v * 13 + 5) % 60}\n" for v in VERTICES),
    "path.txt": "".join(f"{v} {v + 1}\n{v + 1} {v}\n" for v in VERTICES),
    "weighted.txt": "".join(f"{v} {v + 1} 2\n{v + 1} {v} 2\n" for v in VERTICES),
    # Of a grid, with ways of few edges that are longer than those of more: what is told again goes on in another order.
    "streets.txt": "".join(f"{v} {v + d} {1 + v * 31 % 97 * (d + 1) % 89}\n{v + d} {v} {1 + v * 17 % 89}\n"
                           for v in range(900) for d in (1, 30) if (v % 30 < 29 if d == 1 else v < 870)),
    "samples.svm": "".join(f"{1 if v * v % 7 < 3 else -1} {v % 9 + 1}:{v % 5 + 0.5} {v % 9 + 5}:{v * 3 % 11 + 0.25}\n"
                           for v in VERTICES),
    "points.csv": "x,y\n" + "".join(f"{v * 37 % 61},{v * 53 % 59}\n" for v in VERTICES),
    "seeds.txt": "101 a\n130 b\n",
}
# Two runs each that differ in nothing but the number of iterations; both are at most as many as a series of the numbers
# that a program tracks has room for when it has taken 17.
RUNS = {
    "pagerank": ("--graph graph.txt --iterations", "17", "31"),
    "hits": ("--graph graph.txt --iterations", "17", "31"),
    "label-propagation": ("--graph graph.txt --seeds seeds.txt --iterations", "17", "31"),
    "kmeans": ("--points points.csv --clusters 3 --iterations", "17", "31"),
    "lbfgs": ("--data samples.svm --loss logistic --l2 0.001 --iterations", "17", "31"),
    "als": ("--ratings weighted.txt --rank 2 --iterations", "17", "31"),
    "autoencoder": ("--data points.csv --hidden 3,1 --batch 61 --epochs", "17", "31"),
    "gmm": ("--points points.csv --components 3 --iterations", "17", "31"),
    "mlogreg": ("--data samples.svm --most-products 3 --iterations", "17", "31"),
    "svm": ("--data samples.svm --iterations", "17", "31"),
    "glm": ("--data samples.svm --l2 1 --most-products 3 --iterations", "17", "31"),
    "bfs": ("--graph path.txt --source", "135", "150"),
    "sssp": ("--graph streets.txt --source", "0", "435"),
}
# The same with a trace of as many iterations in both.
TRACED = "--graph graph.txt --trace trace.json --trace-every 16 --threads 2 --iterations", "17", "31"


class AllocationsTest(unittest.TestCase):
    def allocations(self, program, arguments):
        """By worker, and what the program said at its end."""
        with tempfile.TemporaryDirectory(prefix="kasen-allocations-") as folder:
            for name, text in FILES.items():
                (pathlib.Path(folder) / name).write_text(text, encoding="utf-8")
            log = pathlib.Path(folder) / "log"
            environment = {**os.environ, "KASEN_FAULTS_LOG": str(log), "KASEN_CHECK_STATES": "0"}
            command = [str(bin_folder / program), *arguments]
            if launcher:
                command = [*launcher, "-genv", "LD_PRELOAD", ":".join(preload), *command]
            else:
                environment["LD_PRELOAD"] = ":".join(preload)
            run = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=120,
                                 check=False)
            self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
            counts = re.findall(r"^count (\d+) allocation (\d+)$", log.read_text(encoding="utf-8"), re.M)
            return dict(counts), run.stdout.splitlines()[-1]

    def test_iterations_allocate_nothing(self):
        for program, (arguments, *numbers) in [*RUNS.items(), ("pagerank", TRACED)]:
            with self.subTest(program=program):
                few, many = (self.allocations(program, [*arguments.split(), number]) for number in numbers)
                self.assertEqual(len(few[0]), workers)
                self.assertNotEqual(few[1], many[1], "as many iterations")
                self.assertEqual(few[0], many[0])


if __name__ == "__main__":
    workers, bin_folder, preload = int(sys.argv[1]), pathlib.Path(sys.argv[2]), [sys.argv[3]]
    launcher = sys.argv[4:]
    if "LD_PRELOAD" in launcher:  # -genv LD_PRELOAD LIBRARY
        at = launcher.index("LD_PRELOAD")
        preload.insert(0, launcher[at + 1])
        del launcher[at - 1:at + 2]
    unittest.main(argv=sys.argv[:1], verbosity=2)
