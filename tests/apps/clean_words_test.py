#!/usr/bin/env python3
"""clean-words seen from outside, against a plain loop. Usage: clean_words_test.py WORKERS COMMAND..."""
import collections
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from launched_program import LaunchedProgramTest, main

OPTIONS = [[], ["--fusion", "off", "--sync", "lazy"], ["--fusion", "exact"], ["--threads", "2"], ["--reproducible"]]
ZIPS = ["11206", "10001", "10001-2345", "11206-0000", "NO CLUE", "N/A", "0", "00000", "00000-1234", "", "77092-2016",
        "000000", "é1234567", "1, 2", "29616-0759"]
MISSING = ["NO CLUE", "N/A", "0", "00000"]


def cleaned(word, missing, keep):
    kept = word.encode()[:keep or None]
    return None if not word or word in missing or kept in [m.encode() for m in missing] else kept


class CleanWordsTest(LaunchedProgramTest):
    def found(self, *arguments):
        run = self.run_program(*arguments)
        self.assertEqual(run.returncode, 0, run.stderr)
        lines = run.stdout.splitlines()
        lines = lines[lines.index("word\trows") + 1:]
        return dict((word, int(rows)) for word, rows in (line.split("\t") for line in lines[:-1])), lines[-1]

    def expect(self, found, words, missing, keep=0):
        counts = collections.Counter(cleaned(word, missing, keep) for word in words)
        without = counts.pop(None, 0)
        self.assertEqual(found[0], {word.decode("utf-8", "replace"): rows for word, rows in counts.items()})
        self.assertEqual(list(found[0]), sorted(found[0], key=lambda word: word.encode()))
        self.assertEqual(found[1], f"{len(words) - without} rows have {len(counts)} words, {without} have none")

    def test_counts_are_those_of_a_plain_loop(self):
        words = random.Random(1).choices(ZIPS, k=1001)
        path = self.file("requests.csv", "id,zip\n" + "".join(f'{k},"{word}"\n' for k, word in enumerate(words)))
        for options in OPTIONS:
            with self.subTest(options=options):
                self.expect(self.found("--data", path, "--column", "zip", "--keep", 5, "--missing", ",".join(MISSING),
                                       "--verify", *options), words, MISSING, 5)
        self.expect(self.found("--data", path, "--column", "zip", "--verify"), words, [])
        self.expect(self.found("--data", path, "--column", "zip", "--missing", "N/A"), words, ["N/A"])
        report = self.report("--data", path, "--column", "zip", "--keep", 5)
        self.assertEqual(report["predicted"], report["measured"])

    def test_few_rows(self):
        for text, line in (("w\n", "0 rows have 0 words, 0 have none"), ("w\nx\n", "1 rows have 1 words, 0 have none"),
                           ("w\nN/A\n", "0 rows have 0 words, 1 have none")):
            path = self.file("t.csv", text)
            self.assertEqual(self.found("--data", path, "--column", "w", "--missing", "N/A", "--verify")[1], line)

    def test_quotes_within_fields_and_byte_order_marks(self):
        for text, counts in (('w,v\n3" bolt,x\n3" bolt,y\n"a, ""b""",z\n', {'3" bolt': 2, 'a, "b"': 1}),
                             ("\ufeffw,v\nx,y\n", {"x": 1})):
            path = self.file("t.csv", text)
            self.assertEqual(self.found("--data", path, "--column", "w", "--verify")[0], counts)

    def test_what_is_wrong_is_refused(self):
        path = self.file("t.csv", "w,v\nx,y\n")
        for status, text, *arguments in (
                (2, "--column", "--data", path), (2, "--keep", "--data", path, "--column", "w", "--keep", 0),
                (2, "it has no --output", "--data", path, "--column", "w", "--output", self.folder / "o.tsv"),
                (1, "expected a column named 'q', found only w, v", "--data", path, "--column", "q")):
            run = self.run_program(*arguments)
            self.assertEqual((run.returncode, run.stderr.count("error: ")), (status, 1), run.stderr)
            self.assertIn(text, run.stderr)


if __name__ == "__main__":
    main(CleanWordsTest)
