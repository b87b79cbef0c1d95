#!/usr/bin/env python3
"""bench/tables.sh lists the tables of docs/performance.md, prints one with what was run, and says what went wrong; the
scripts that it calls can be called. Usage: tables_test.py PROGRAMS, the folder of the built programs"""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPTS = ("checkpoints.py", "choices.py", "fusion.py", "hosts.py", "predictions.py", "many_workers.py", "memory.py",
           "peers.py", "python_peers.py", "reproducible.py", "threads.py")


def run(*command):
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=120, check=False)


class TablesTest(unittest.TestCase):
    def setUp(self):
        self._scratch = tempfile.TemporaryDirectory(prefix="kasen-tables-test-")
        self.addCleanup(self._scratch.cleanup)
        self.folder = pathlib.Path(self._scratch.name)

    def tables(self, *arguments, programs=None):
        return run(ROOT / "bench/tables.sh", "--quick", "--programs", programs or self.programs, "--keep", self.folder,
                   *arguments)

    def test_lists_the_tables_of_the_page(self):
        listed = run(ROOT / "bench/tables.sh", "--list")
        self.assertEqual(listed.returncode, 0, listed.stderr)
        page = (ROOT / "docs/performance.md").read_text(encoding="utf-8")
        self.assertEqual([line.split()[0] for line in listed.stdout.splitlines()],
                         re.findall(r"^## `([a-z-]+)`", page, re.MULTILINE))

    def test_prints_a_table_with_what_was_run(self):
        done = self.tables("rows")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"(?m)^- processor: ")
        self.assertRegex(done.stdout, r"```sh\n\S*row_sweep --scale 12 .*\n```")
        figure = r"[\d.]+"
        row = rf"(?m)^\| rmat-12-16 \| planned \| {figure} \| apart \| {figure} \| {figure} \|$"
        self.assertRegex(done.stdout, row)
        self.assertNotIn("failed", done.stdout)

    def test_puts_a_table_into_the_page(self):
        page = self.folder / "page.md"
        others = "## `dense`\n\n| a |\n|---|\n| 1 |\n", "Text.\n\n| not this |\n|---|\n\n## `graphs`\n"
        page.write_text(f"{others[0]}\n## `rows`\n\nA line.\n\n| old |\n|---|\n| 2 |\n\n{others[1]}", encoding="utf-8")
        for _ in range(2):  # the second time in place of the first
            done = self.tables("rows", "--into", page)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            text = page.read_text(encoding="utf-8")
            self.assertTrue(text.startswith(others[0]) and text.endswith(others[1]), text)
            self.assertRegex(text, r"## `rows`\n\nA line\.\n\n\*Measured: (?:unknown )?commit [^*]*\*\n\n"
                                   r"\| what \| variant \| ms \| beside \| ms \| ratio \|\n\|---.*\n(\| .*planned.* \|\n)+\n")
            self.assertNotIn("old", text)
        (self.folder / "row_sweep").write_text("#!/bin/sh\nexit 1\n", encoding="ascii")
        (self.folder / "row_sweep").chmod(0o755)
        self.assertEqual(self.tables("rows", "--into", page, programs=self.folder).returncode, 1)
        self.assertEqual(page.read_text(encoding="utf-8"), text)

    def test_a_program_that_fails_is_named(self):
        broken = self.folder / "row_sweep"
        broken.write_text("#!/bin/sh\necho row_sweep: error: variants disagree >&2\nexit 1\n", encoding="ascii")
        broken.chmod(0o755)
        done = self.tables("rows", programs=self.folder)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stdout, r"\*\*failed\*\*: .*row_sweep.*: error: variants disagree")

    def test_replicas_of_a_sample_are_figures(self):
        estimated = self.folder / "partitioners"
        estimated.write_text("""#!/bin/sh
echo "R-MAT scale 16, 16 edges a vertex: 65536 vertices, 1048576 edges"
echo "2 workers; 1 candidate, auto took 0.06 s"
echo "  hybrid-cut 30   ~16608    ~7168   1.013   0.1   0.2   ~190208  chosen: fewest replicas"
""", encoding="ascii")
        estimated.chmod(0o755)
        done = self.tables("partitioners", programs=self.folder)
        self.assertIn("| hybrid-cut 30 | ~16608 | ~7168 | 1.013 | ~190208 | chosen: fewest replicas (0.06 s) |", done.stdout)

    def test_figures_that_are_missing_are_a_failure(self):
        silent = self.folder / "row_sweep"
        silent.write_text("#!/bin/sh\n", encoding="ascii")
        silent.chmod(0o755)
        done = self.tables("rows", programs=self.folder)
        self.assertEqual(done.returncode, 1)
        self.assertIn("printed no figures", done.stdout)

    def test_what_is_not_given_is_skipped(self):
        done = run("env", "-u", "KASEN_GAPBS", "-u", "KASEN_PEERS", ROOT / "bench/tables.sh", "--quick", "--programs",
                   self.programs, "--keep", self.folder, "peers")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("skipped: GAPBS not given", done.stdout)

    def test_unknown_tables_are_refused(self):
        done = self.tables("nothing")
        self.assertEqual(done.returncode, 2)
        self.assertIn("no table is called nothing", done.stderr)

    def test_scripts_can_be_called(self):
        for script in SCRIPTS:
            done = run(sys.executable, ROOT / "bench" / script, "--help")
            self.assertEqual(done.returncode, 0, f"{script}: {done.stderr}")
            self.assertIn("usage", done.stdout)


if __name__ == "__main__":
    TablesTest.programs = pathlib.Path(sys.argv.pop(1))
    unittest.main()
