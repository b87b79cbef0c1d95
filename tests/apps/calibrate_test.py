"""kasen-calibrate writes a profile that programs read; a file that is none is refused."""
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import launched_program


class CalibrateTest(launched_program.LaunchedProgramTest):
    profile = None

    def setUp(self):
        super().setUp()
        *launcher, calibrate, pagerank = type(self).command
        self.calibrate, self.pagerank = [*launcher, calibrate], [*launcher, pagerank]
        self.graph = self.file("graph.txt", "1 2\n2 3\n3 1\n")

    def rank_with(self, profile):
        self.command = self.pagerank
        return self.run_program("--graph", self.graph, "--profile", profile)

    def calibrated(self):
        """The profile, which is measured once for all tests."""
        path = self.folder / "profile.json"
        if type(self).profile is None:
            self.command = self.calibrate
            self.succeed(path, "--memory", "16M")
            type(self).profile = path.read_text(encoding="utf-8")
        path.write_text(type(self).profile, encoding="utf-8")
        return path

    def test_a_profile_is_written_and_read(self):
        path = self.calibrated()
        profile = json.loads(path.read_text(encoding="utf-8"))
        self.assertEqual(profile["kasen_profile"], 5)
        numbers = [n for value in profile.values() for n in (value if isinstance(value, list) else [value])]
        self.assertEqual(len(numbers), 45)
        self.assertTrue(all(isinstance(n, int) and n > 0 for n in numbers), profile)
        first, second = profile["cache_bytes"][:2]
        self.assertLess(first, second)
        run = self.rank_with(path)
        self.assertEqual(run.returncode, 0, run.stderr)

    def refuse(self, path, *expected):
        run = self.rank_with(path)
        self.assertEqual(run.returncode, 1, run.stderr)
        messages = [line for line in run.stderr.splitlines() if line.startswith("error: ")]
        self.assertEqual(len(messages), 1, run.stderr)
        for text in (str(path), *expected):
            self.assertIn(text, messages[0])

    def test_what_is_no_profile_is_refused(self):
        self.refuse(self.folder / "missing.json", "No such file")
        self.refuse(self.folder, "directory")
        self.refuse(self.file("empty.json", ""), "not a profile")
        self.refuse(self.file("rubbish.json", b"\x00\xff{"), "not a profile")
        self.refuse(self.file("list.json", "[1]"), "not a profile")
        self.refuse(self.file("future.json", '{"kasen_profile": 6}'), "version 6")
        good = json.loads(self.calibrated().read_text(encoding="utf-8"))
        for field, value in (("cache_bytes", [1, 2, 3]), ("flop_picoseconds", 0), ("message_picoseconds", -3),
                             ("read_bytes_per_second", "fast"), ("read_bytes_per_second", [1] * 7),
                             ("random_access_picoseconds", [1, 2, 3, 4, 5, 6, 7, 8.5])):
            self.refuse(self.file("bad.json", json.dumps({**good, field: value})), field)
        del good["launch_picoseconds"]
        self.refuse(self.file("less.json", json.dumps(good)), "launch_picoseconds is missing")

    def test_where_nothing_can_be_written_nothing_is_measured(self):
        self.command = self.calibrate
        nowhere, profile = self.folder / "nowhere" / "profile.json", self.folder / "profile.json"
        for status, message, *arguments in (
            (1, f"{nowhere}: cannot be written: directory {nowhere.parent}: No such file or directory", nowhere),
            (2, "PROFILE is required"),
            (2, "The following arguments were not expected: off --fusion", profile, "--fusion", "off"),
            (2, "--memory: '0' is no number of bytes", profile, "--memory", "0"),
        ):
            with self.subTest(arguments=arguments):
                run = self.run_program(*arguments)
                self.assertEqual((run.returncode, run.stderr.count("error: ")), (status, 1), run.stderr)
                self.assertIn(f"error: {message}", run.stderr)
                self.assertEqual(run.stdout, "")
                self.assertLess(run.seconds, 5)  # what is measured takes longer
                self.assertFalse(profile.exists())


if __name__ == "__main__":
    launched_program.main(CalibrateTest)
