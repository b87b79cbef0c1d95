"""Runs the same programs on 1, 2, 3, 5 and 8 workers, and looks whether all results have the same bits."""
import collections
import subprocess
import sys
import unittest

WORKERS = {1: 3, 2: 7, 3: 11, 5: 19, 8: 29}  # one of so many ways is tried on so many
SECONDS = 600


class ReproducibleProgramsTest(unittest.TestCase):
    """`launcher` is the command that starts a program on 8 workers, `program` run_programs."""

    launcher, program = [], ""

    def hashes(self, *options):
        """By program, its different hashes, each with a run that has it."""
        found = collections.defaultdict(dict)
        for first, (workers, step) in enumerate(WORKERS.items()):
            command = [str(workers) if word == "8" else word for word in self.launcher]
            command += [self.program, "--first", str(first), "--step", str(step), *options]
            run = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
            self.assertEqual(run.returncode, 0, run.stdout[-2000:] + run.stderr)
            for line in run.stdout.splitlines():
                name, bits, way = line.split(maxsplit=2)
                found[name].setdefault(bits, f"{workers} workers, {way}")
        return found

    def test_bits_are_those_of_one_worker(self):
        found = self.hashes()
        self.assertEqual(len(found), 13)
        for name, runs in found.items():
            self.assertEqual(len(runs), 1, f"{name}: {runs}")

    def test_other_programs_would_be_found(self):
        """Without the option bits differ."""
        for name, runs in self.hashes("--plain").items():
            self.assertGreater(len(runs), 1, name)


if __name__ == "__main__":
    ReproducibleProgramsTest.program, *ReproducibleProgramsTest.launcher = sys.argv[1:]
    unittest.main(argv=sys.argv[:1])
