#!/usr/bin/env python3
"""crime-index seen from outside, against a plain loop. Usage: crime_index_test.py WORKERS COMMAND..."""
import gzip
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from launched_program import LaunchedProgramTest, main

OPTIONS = [[], ["--fusion", "off", "--sync", "lazy"], ["--fusion", "exact"], ["--threads", "2"], ["--reproducible"]]


def index_of(people, adults, robberies):
    score = (people + 2 * adults - 2000 * robberies) / 100000
    return 0.032 if score > 0.02 else 0.005 if score < 0.01 else score


class CrimeIndexTest(LaunchedProgramTest):
    def cities(self, rows):
        numbers = random.Random(rows)
        cities = []
        for _ in range(rows):
            people = numbers.choice([numbers.randint(1, 2_000_000), 500_000, 500_001])
            adults = numbers.randint(0, people)
            # Most scores are around the bounds of 0.01 and 0.02.
            robberies = numbers.choice([numbers.randint(0, 1000), (people + 2 * adults - numbers.randint(0, 3000)) / 2000])
            cities.append((people, adults, robberies))
        lines = ["name,adults,population,robberies", *(f'"a, b",{a},{p},{r!r}' for p, a, r in cities)]
        return self.file("cities.csv", "\n".join(lines) + "\n"), cities

    def found(self, *arguments):
        printed = self.succeed(*arguments)[0].splitlines()
        self.assertEqual(printed[-2], "cities\ttotal\tmean")
        count, total, mean = printed[-1].split("\t")
        return int(count), float(total), float(mean)

    def expect(self, found, cities, more_than=500_000):
        large = [index_of(*city) for city in cities if city[0] > more_than]
        self.assertEqual(found[0], len(large))
        self.assert_close(found[1:], [sum(large), sum(large) / len(large) if large else 0])

    def test_sums_are_those_of_a_plain_loop(self):
        path, cities = self.cities(1003)
        for options in OPTIONS:
            with self.subTest(options=options):
                self.expect(self.found("--data", path, "--verify", *options), cities)
        self.expect(self.found("--data", path, "--more-than", 1_999_000), cities, 1_999_000)
        self.expect(self.found("--data", path, "--more-than", 1e9, "--verify"), cities, 1e9)

    def test_one_pass_stores_nothing_and_counts_are_as_predicted(self):
        path, cities = self.cities(100)
        report = self.report("--data", path)
        self.assertEqual(report["predicted"], report["measured"])
        counts = report["measured"]
        self.assertEqual((counts["elements_read"], counts["elements_written"]), (3 * len(cities), 0))

    def test_few_rows_and_other_names(self):
        path = self.file("t.tsv", "p\ta\tr\n")
        names = ["--population", "p", "--adults", "a", "--robberies", "r"]
        self.assertEqual(self.found("--data", path, *names, "--verify"), (0, 0.0, 0.0))
        path.write_text("# one city\np\ta\tr\n600000\t1\t200\n", encoding="utf-8")
        self.assertEqual(self.found("--data", path, *names, "--verify"), (1, 0.032, 0.032))
        path.write_text("p\ta\tr\n600000\t1e-400\t1e-400\n", encoding="utf-8")  # of which doubles are 0
        self.assertEqual(self.found("--data", path, *names, "--verify"), (1, 0.032, 0.032))

    def test_blanks_separate_and_compressed_files_and_directories_are_not_verified(self):
        text = "  population   adults robberies\n 600000 1  200 \n700000 2 1\n"
        path = self.file("t.txt", text)
        self.assertEqual(self.found("--data", path, "--verify"), (2, 0.064, 0.032))
        packed = self.file("t.txt.gz", gzip.compress(text.encode()))
        self.assertEqual(self.found("--data", packed), (2, 0.064, 0.032))
        run = self.run_program("--data", packed, "--verify")
        self.assertEqual(run.returncode, 1)
        self.assertIn("--verify reads text that is not compressed", run.stderr)
        parts = self.folder / "parts"
        parts.mkdir()
        path.rename(parts / "t.txt")
        self.assertEqual(self.found("--data", parts), (2, 0.064, 0.032))
        run = self.run_program("--data", parts, "--verify")
        self.assertEqual(run.returncode, 1)
        self.assertIn("--verify reads one file of text, and this is a directory", run.stderr)

    def test_what_is_wrong_is_refused(self):
        path = self.file("t.csv", "population,adults,robberies\n1,2,x\n")
        for status, text, *arguments in (
                (2, "--data"), (2, "it has no --output", "--data", path, "--output", self.folder / "o.tsv"),
                (2, "--more-than", "--data", path, "--more-than", -1),
                (1, ":2:5: expected a number, found 'x'", "--data", path),
                (1, "expected a column named 'q', found only", "--data", path, "--adults", "q")):
            run = self.run_program(*arguments)
            self.assertEqual((run.returncode, run.stderr.count("error: ")), (status, 1), run.stderr)
            self.assertIn(text, run.stderr)


if __name__ == "__main__":
    main(CrimeIndexTest)
