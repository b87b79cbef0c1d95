#!/usr/bin/env python3
"""All C and C++ files are as clang-format 14, Debian 12's, leaves them; a badly laid out line is reported. Usage:
format_test.py ROOT. Skipped without that clang-format: others lay code out in other ways."""
import os
import subprocess
import sys
import unittest
from pathlib import Path

FOLDERS = ("apps", "bench", "comm", "kasen", "optimizer", "partition", "tests")
TOOL = "clang-format-14"


class FormatTest(unittest.TestCase):
    def test_files_are_formatted(self):
        files = [str(file) for folder in FOLDERS for ending in ("h", "c", "cpp")
                 for file in sorted((root / folder).rglob(f"*.{ending}"))]
        self.assertGreater(len(files), 100)
        share = -(-len(files) // (os.cpu_count() or 1))
        runs = [subprocess.Popen([TOOL, "--dry-run", "-Werror", *files[first:first + share]], cwd=root,
                                 stderr=subprocess.PIPE, text=True) for first in range(0, len(files), share)]
        wrong = [line for run in runs for line in run.communicate()[1].splitlines() if ": error:" in line]
        self.assertEqual(wrong, [])
        self.assertEqual([run.returncode for run in runs], [0] * len(runs))

    def test_a_bad_layout_is_reported(self):
        run = subprocess.run([TOOL, "--dry-run", "-Werror", "--assume-filename", str(root / "kasen/kasen.h")],
                             input="int  f( ) {return 1 ;}\n", capture_output=True, text=True, check=False)
        self.assertNotEqual(run.returncode, 0)


if __name__ == "__main__":
    root = Path(sys.argv[1]).resolve()
    try:
        subprocess.run([TOOL, "--version"], capture_output=True, check=True)
    except FileNotFoundError:
        print(f"skipped: no {TOOL}")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1], verbosity=2)
