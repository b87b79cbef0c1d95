"""An exception that one worker alone meets and the program catches: with other workers it ends the job."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from launched_program import LaunchedProgramTest, main  # noqa: E402


class CaughtAlone(LaunchedProgramTest):
    def test_nobody_waits(self):
        run = self.run_program()
        if self.workers == 1:
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertRegex(run.stdout, r"^1\ncaught: \S*caught_alone.cpp:17: .*: this worker only\n55\n$")
        else:
            self.assertEqual(run.returncode, 1, run.stdout)
            self.assertEqual(run.stderr.count("error: "), 1, run.stderr)
            self.assertIn("this worker only", run.stderr)
            self.assertNotIn("55", run.stdout)


if __name__ == "__main__":
    main(CaughtAlone)
