#!/usr/bin/env python3
"""What scaling.py makes of runs."""
import csv
import json
import pathlib
import xml.etree.ElementTree

from cluster_test import PAGERANK, ClusterTest, main


class ScalingTest(ClusterTest):
    def test_table_and_plot(self):
        out = self.folder / "out"
        done = self.run_script("scaling.py", "--workers", "2,1,3", "--repeat", 2, "--output", out, *self.pagerank(20))
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(out / "scaling.tsv", encoding="utf-8") as file:
            rows = list(csv.DictReader(file, delimiter="\t"))
        self.assertEqual([row["workers"] for row in rows], ["1", "2", "3"])
        self.assertEqual([line.split()[0] for line in done.stdout.splitlines()[1:]], ["1", "2", "3"])
        for row in rows:
            times = []
            for number in range(2):
                path = out / f"pagerank-{row['workers']}-{number}.json"
                report = json.loads(path.read_text(encoding="utf-8"))
                times.append(1e3 * report["seconds_per_iteration"])
                sent = report["measured"]["bytes_sent"] / 1e6 / 20
            self.assertAlmostEqual(float(row["ms"]) / min(times), 1, places=2)
            self.assertAlmostEqual(float(row["MB sent"]), sent, places=6)
            ratio = float(rows[0]["ms"]) / float(row["ms"])
            self.assertAlmostEqual(float(row["speed-up"]) / ratio, 1, places=2)
            self.assertAlmostEqual(float(row["efficiency"]) * int(row["workers"]) / ratio, 1, places=2)
        lines = xml.etree.ElementTree.parse(out / "scaling.svg").getroot().findall(".//{*}polyline")
        self.assertEqual([len(line.get("points").split()) for line in lines], [3, 3, 3])

    def test_data_for_each_number_of_workers(self):
        out = self.folder / "out"
        (self.folder / "1.txt").write_text("1 2\n2 3\n", encoding="utf-8")
        (self.folder / "2.txt").write_text("1 2\n2 3\n3 4\n4 5\n", encoding="utf-8")
        done = self.run_script("scaling.py", "--weak", "--workers", "1,2,4", "--repeat", 1, "--output", out, PAGERANK,
                               "--graph", self.folder / "{workers}.txt", "--iterations", 3)
        self.assertEqual(done.returncode, 1)  # there is no 4.txt
        self.assertIn("4 workers: exit status 1", done.stderr)
        with open(out / "scaling.tsv", encoding="utf-8") as file:
            rows = list(csv.DictReader(file, delimiter="\t"))
        self.assertEqual([row["workers"] for row in rows], ["1", "2"])
        self.assertAlmostEqual(float(rows[1]["efficiency"]) / (float(rows[0]["ms"]) / float(rows[1]["ms"])), 1, places=2)
        self.assertIn("weak scaling", (out / "scaling.svg").read_text(encoding="utf-8"))

    def test_programs_without_iterations(self):
        table = self.folder / "options.csv"
        table.write_text("spot,strike\n" + "100,110\n" * 50, encoding="utf-8")
        done = self.run_script("scaling.py", "--workers", "1,2", "--repeat", 1, "--output", self.folder / "out",
                               pathlib.Path(PAGERANK).with_name("black-scholes"), "--options", table, "--rate", "0.02",
                               "--volatility", "0.3", "--time", "1")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(done.stdout.splitlines()), 3, done.stdout)

    def test_programs_without_reports(self):
        done = self.run_script("scaling.py", "--workers", "1", "--repeat", 1, "--output", self.folder / "out", "/bin/true")
        self.assertEqual(done.returncode, 1)
        self.assertIn("it has written no report", done.stderr)
        done = self.run_script("scaling.py", "--output", self.graph, *self.pagerank(3))
        self.assertEqual(done.returncode, 2)
        self.assertIn("scaling.py: --output: ", done.stderr)

    def test_arguments(self):
        for arguments in (["--workers", "0"], ["--workers", "a"], ["--repeat", "0"]):
            self.assertEqual(self.run_script("scaling.py", *arguments, *self.pagerank(3)).returncode, 2, arguments)


if __name__ == "__main__":
    main()
