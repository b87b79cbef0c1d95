"""Runs the same random programs with --reproducible on 1, 2, 3, 5 and 8 workers, and looks whether their results have
the same bits. Usage: reproducible_test.py PROGRAM LAUNCHER..., which starts it on 8 workers"""
import collections
import subprocess
import sys
import unittest

WORKERS = {1: 3, 2: 2, 3: 1, 5: 1, 8: 1}  # combinations of options on so many
FIRST, PROGRAMS, SECONDS = 7016, 16, 800


class ReproducibleTest(unittest.TestCase):
    launcher, program = [], ""

    def hashes(self, *options):
        """By seed, its different hashes, each with a run that has it."""
        found = collections.defaultdict(dict)
        for workers, combinations in WORKERS.items():
            command = [str(workers) if word == "8" else word for word in self.launcher]
            command += [self.program, str(FIRST), str(PROGRAMS), str(combinations), *options]
            run = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
            self.assertEqual(run.returncode, 0, run.stdout[-2000:] + run.stderr)
            for line in run.stdout.splitlines():
                seed, bits, options_drawn = line.split(maxsplit=2)
                found[seed].setdefault(bits, f"{workers} workers, {options_drawn}")
        return found

    def test_bits_are_those_of_one_worker(self):
        found = self.hashes()
        self.assertEqual(len(found), PROGRAMS)
        for seed, runs in found.items():
            self.assertEqual(len(runs), 1, f"KASEN_FUZZ_SEED={seed}: {runs}")

    def test_other_bits_would_be_found(self):
        """Without the option those of some programs differ."""
        self.assertTrue(any(len(runs) > 1 for runs in self.hashes("--plain").values()))


if __name__ == "__main__":
    ReproducibleTest.program, *ReproducibleTest.launcher = sys.argv[1:]
    unittest.main(argv=sys.argv[:1])
