"""What tests of the cluster scripts share. Usage of each: TEST.py CLUSTER_SCRIPTS PAGERANK"""
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from small_graph import write_small_graph

SCRIPTS, PAGERANK = pathlib.Path(sys.argv[1]), sys.argv[2]
SECONDS = 240
SKIPPED = 77  # as CTest is told


class ClusterTest(unittest.TestCase):
    environment = {}

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="kasen-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.saved = self.folder / "saved"
        self.graph = write_small_graph(self.folder)

    def pagerank(self, iterations, *options):
        return [PAGERANK, "--graph", str(self.graph), "--iterations", str(iterations), "--tolerance", "0",
                *map(str, options)]

    def endless(self):
        """Runs until it is asked to end."""
        return self.pagerank(10**9, "--checkpoint", self.saved, "--checkpoint-interval", "0.2")

    def variables(self):
        """Without the launcher that other tests set."""
        return {name: value for name, value in os.environ.items() if not name.startswith("HYDRA_")} | self.environment

    def run_script(self, script, *arguments, **environment):
        """@return the process when it has ended"""
        return subprocess.run([SCRIPTS / script, *map(str, arguments)], env=self.variables() | environment,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=SECONDS, check=False)

    def start_script(self, script, *arguments):
        """@return the process, whose stderr is the file `errors` of the folder"""
        with open(self.folder / "errors", "w", encoding="utf-8") as errors:
            return subprocess.Popen([SCRIPTS / script, *map(str, arguments)], env=self.variables(),
                                    stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors)

    def wait_until(self, condition, what, process=None):
        end = time.monotonic() + SECONDS
        while not condition():
            if process is not None:
                self.assertIsNone(process.poll(), f"ended before {what}: {self.said()}")
            self.assertLess(time.monotonic(), end, f"not in time: {what}: {self.said()}")
            time.sleep(0.05)

    def said(self):
        path = self.folder / "errors"
        return path.read_text(encoding="utf-8") if path.exists() else ""

    def checkpoints(self):
        return sorted(self.saved.glob("checkpoint-*.h5"))


def skip(reason):
    """Ends the test as one that CTest shows as skipped."""
    print(f"skipped: {reason}")
    sys.exit(SKIPPED)


def main():
    unittest.main(argv=sys.argv[:1], verbosity=2)
