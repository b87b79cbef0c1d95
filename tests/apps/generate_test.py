#!/usr/bin/env python3
"""kasen-generate: the same data for any number of workers, with the properties that were asked for.

usage: generate_test.py WORKERS COMMAND...
"""
import collections
import csv
import datetime
import math
import pathlib
import statistics
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from launched_program import LaunchedProgramTest, main


class GenerateTest(LaunchedProgramTest):
    def made(self, kind, name, *arguments):
        path = self.folder / name
        self.succeed(kind, path, "--quiet", *arguments)
        return path

    def lines(self, *arguments):
        return self.made(*arguments).read_text(encoding="utf-8").splitlines()

    def edges(self, *arguments):
        return [tuple(map(int, line.split())) for line in self.lines(*arguments) if not line.startswith("#")]

    def test_the_same_for_any_number_of_workers(self):
        for kind, name, *arguments in (
                ("rmat", "a.txt", "--scale", 7), ("rmat", "a.h5", "--scale", 5, "--seed", 3),
                ("power-law", "a.mtx", "--vertices", 100, "--edges", 777),
                ("grid", "g.txt", "--rows", 13, "--columns", 7), ("grid", "g.h5", "--rows", 1, "--columns", 2),
                ("grid", "w.h5", "--rows", 9, "--max-weight", 8, "--seed", 5), ("rmat", "w.txt", "--max-weight", 3),
                ("sparse", "a.svm", "--rows", 33, "--columns", 9, "--per-row", 4), ("sparse", "a.h5", "--rows", 1),
                ("clusters", "a.tsv", "--rows", 101), ("clusters", "b.mtx", "--rows", 11, "--columns", 5),
                ("clusters", "b.h5", "--rows", 3), ("options", "a.csv", "--rows", 21), ("options", "a.h5", "--rows", 0)):
            with self.subTest(kind=kind, name=name):
                together = self.made(kind, name, *arguments).read_bytes()
                alone = self.folder / ("alone-" + name)
                subprocess.run([self.command[-1], kind, alone, *map(str, arguments)], check=True, capture_output=True)
                self.assertEqual(together, alone.read_bytes())
                if name in ("a.txt", "a.tsv"):
                    self.assertNotEqual(together, self.made(kind, name, *arguments, "--seed", 9).read_bytes())

    def test_rmat_falls_into_quadrants(self):
        edges = self.edges("rmat", "g.txt", "--scale", 10, "--in-order")
        self.assertEqual(len(edges), 16 << 10)
        quadrants = collections.Counter((source >> 9, target >> 9) for source, target in edges)
        for quadrant, share in (((0, 0), 0.57), ((0, 1), 0.19), ((1, 0), 0.19), ((1, 1), 0.05)):
            self.assertAlmostEqual(quadrants[quadrant] / len(edges), share, delta=0.02)
        lowest = collections.Counter((source & 1, target & 1) for source, target in edges)
        self.assertAlmostEqual(lowest[0, 0] / len(edges), 0.57, delta=0.02)
        # Other numbers of the same vertices.
        degrees = [sorted(collections.Counter(source for source, _ in some).values())
                   for some in (edges, self.edges("rmat", "h.txt", "--scale", 10))]
        self.assertEqual(*degrees)

    def test_rmat_of_other_quadrants(self):
        edges = self.edges("rmat", "g.txt", "--scale", 10, "--in-order", "--a", 0.4, "--b", 0.3, "--c", 0.1)
        for bit in (0, 9):
            quadrants = collections.Counter((source >> bit & 1, target >> bit & 1) for source, target in edges)
            for quadrant, share in (((0, 0), 0.4), ((0, 1), 0.3), ((1, 0), 0.1), ((1, 1), 0.2)):
                self.assertAlmostEqual(quadrants[quadrant] / len(edges), share, delta=0.02)

    def test_power_law_exponents(self):
        edges = self.edges("power-law", "g.txt", "--vertices", 20000, "--edges", 200000, "--out-exponent", 3,
                           "--in-exponent", 2.2)
        self.assertEqual(len(edges), 200000)
        for side, exponent in ((0, 3), (1, 2.2)):
            degrees = sorted(collections.Counter(edge[side] for edge in edges).values(), reverse=True)
            tail = degrees[:600]  # Hill's estimate of the exponent
            estimate = 1 + len(tail) / sum(math.log(degree / tail[-1]) for degree in tail)
            self.assertAlmostEqual(estimate, exponent, delta=0.25)

    def test_grid_joins_neighbours(self):
        for rows, columns in ((5, 7), (7, 5), (1, 9), (9, 1), (2, 2), (3, 1)):
            with self.subTest(rows=rows, columns=columns):
                expected = []
                for row in range(rows):
                    for column in range(columns):
                        for down, right in ((-1, 0), (0, -1), (0, 1), (1, 0)):
                            if 0 <= row + down < rows and 0 <= column + right < columns:
                                expected.append((row * columns + column, (row + down) * columns + column + right))
                edges = self.edges("grid", "g.txt", "--rows", rows, "--columns", columns)
                self.assertEqual(sorted(edges), sorted(expected))
        degrees = collections.Counter(source for source, _ in self.edges("grid", "g.txt", "--rows", 20, "--columns", 30))
        self.assertEqual(collections.Counter(degrees.values()), {2: 4, 3: 2 * 18 + 2 * 28, 4: 18 * 28})
        header = self.lines("grid", "one.mtx", "--rows", 1, "--columns", 1)
        self.assertEqual(header[-1].split(), ["1", "1", "0"])

    def test_weights_of_edges(self):
        grid = ("--rows", 30, "--columns", 20, "--max-weight", 5)
        for kind, *arguments in (("grid", *grid), ("rmat", "--scale", 7, "--max-weight", 5),
                                 ("power-law", "--vertices", 50, "--edges", 2000, "--max-weight", 5)):
            with self.subTest(kind=kind):
                edges = self.edges(kind, "w.txt", *arguments)
                self.assertEqual([edge[:2] for edge in edges], self.edges(kind, "g.txt", *arguments[:-2]))
                drawn = collections.Counter(weight for _, _, weight in edges)
                self.assertEqual(sorted(drawn), [1, 2, 3, 4, 5])
                self.assertLess(max(drawn.values()), 1.3 * len(edges) / 5)
                self.assertNotEqual(edges, self.edges(kind, "s.txt", *arguments, "--seed", 2))
        weights = {edge[:2]: edge[2] for edge in self.edges("grid", "w.txt", *grid)}
        self.assertEqual(weights, {(v, u): weight for (u, v), weight in weights.items()})

    def samples(self, *arguments):
        rows = []
        for line in self.lines("sparse", "s.svm", "--rows", 400, "--columns", 12, "--per-row", 5,
                               "--weights", self.folder / "w.tsv", *arguments):
            label, *entries = line.split()
            rows.append((float(label), [(int(c), float(x)) for c, x in (entry.split(":") for entry in entries)]))
        weights = [float(line) for line in (self.folder / "w.tsv").read_text(encoding="utf-8").splitlines()]
        self.assertEqual(len(weights), 12)
        return [(label, sum(x * weights[c - 1] for c, x in row), row) for label, row in rows]

    def test_planted_models(self):
        for label, product, row in self.samples("--model", "least-squares", "--noise", 0):
            self.assertAlmostEqual(label, product, delta=1e-12)
            self.assertEqual(len({column for column, _ in row}), 5)
        residuals = [label - product for label, product, _ in self.samples("--model", "least-squares", "--noise", 2)]
        self.assertAlmostEqual(statistics.pstdev(residuals), 2, delta=0.3)
        for label, product, _ in self.samples("--noise", 0):
            self.assertEqual(label, math.copysign(1, product))
        samples = self.samples()
        expected = sum(1 / (1 + math.exp(-abs(product))) for _, product, _ in samples)
        right = sum(label == math.copysign(1, product) for label, product, _ in samples)
        self.assertAlmostEqual(right / len(samples), expected / len(samples), delta=0.07)

    def test_clusters_stand_around_their_centres(self):
        for spread, *options in ((0.03,), (0.2, "--spread", 0.2)):
            points = [tuple(map(float, line.split())) for line in self.lines(
                "clusters", "c.tsv", "--rows", 2000, "--clusters", 4, "--columns", 3, "--labels", self.folder / "l.tsv",
                *options)]
            labels = (self.folder / "l.tsv").read_text(encoding="utf-8").split()
            self.assertEqual((len(points), len(labels)), (2000, 2000))
            for cluster in range(4):
                members = [point for point, label in zip(points, labels) if label == str(cluster)]
                self.assertAlmostEqual(len(members), 500, delta=100)
                for coordinate in zip(*members):
                    self.assertAlmostEqual(statistics.pstdev(coordinate), spread, delta=0.2 * spread)

    def test_options_are_within_their_ranges(self):
        header, *lines = self.lines("options", "o.csv", "--rows", 500)
        self.assertEqual(header, "spot,strike,rate,volatility,years,call")
        calls = 0
        for line in lines:
            spot, strike, rate, volatility, years, call = map(float, line.split(","))
            self.assertTrue(10 <= spot <= 200 and 0.5 <= strike / spot <= 1.5 and 0.01 <= rate <= 0.1)
            self.assertTrue(0.05 <= volatility <= 0.65 and 0.05 <= years <= 2 and call in (0, 1))
            calls += call
        self.assertAlmostEqual(calls, 250, delta=60)

    def tables(self, name, *arguments):
        """Rows of each table as dictionaries, by its name."""
        folder = self.made("tpch", name, *arguments)
        return {table: list(csv.DictReader((folder / f"{table}.csv").read_text(encoding="utf-8").splitlines()))
                for table in ("customer", "orders", "lineitem")}

    def test_tpch_is_the_same_for_any_number_of_workers(self):
        together, alone = self.folder / "together", self.folder / "alone"
        printed = self.succeed("tpch", together, "--scale", 0.0007)[0]
        subprocess.run([self.command[-1], "tpch", alone, "--scale", "0.0007"], check=True, capture_output=True)
        counts = []
        for name in ("customer.csv", "orders.csv", "lineitem.csv"):
            self.assertEqual((together / name).read_bytes(), (alone / name).read_bytes())
            counts.append((alone / name).read_bytes().count(b"\n") - 1)
        self.assertEqual(printed, "{}: {} customers, {} orders, {} items\n".format(together, *counts))
        other = self.made("tpch", "other", "--scale", 0.0007, "--seed", 2)
        self.assertNotEqual((together / "lineitem.csv").read_bytes(), (other / "lineitem.csv").read_bytes())
        self.assertEqual(len(self.tables("least", "--scale", 0.000001)["orders"]), 2)

    def test_tpch_rows_follow_the_specification(self):
        tables = self.tables("t", "--scale", 0.002)
        self.assertEqual((len(tables["customer"]), len(tables["orders"])), (300, 3000))
        self.assertEqual([int(row["c_custkey"]) for row in tables["customer"]], list(range(1, 301)))
        shares = collections.Counter(row["c_mktsegment"] for row in tables["customer"])
        self.assertEqual(set(shares), {"AUTOMOBILE", "BUILDING", "FURNITURE", "MACHINERY", "HOUSEHOLD"})
        order_date, today = {}, datetime.date(1995, 6, 17)
        for k, row in enumerate(tables["orders"]):
            self.assertEqual(int(row["o_orderkey"]), k // 8 * 32 + k % 8 + 1)
            self.assertTrue(1 <= int(row["o_custkey"]) <= 300 and int(row["o_custkey"]) % 3 != 0)
            date = order_date[row["o_orderkey"]] = datetime.date.fromisoformat(row["o_orderdate"])
            self.assertTrue(datetime.date(1992, 1, 1) <= date <= datetime.date(1998, 8, 2))
            self.assertEqual(row["o_shippriority"], "0")
        self.assertEqual(set(collections.Counter(row["o_orderpriority"] for row in tables["orders"])),
                         {"1-URGENT", "2-HIGH", "3-MEDIUM", "4-NOT SPECIFIED", "5-LOW"})
        items = collections.defaultdict(list)
        for row in tables["lineitem"]:
            items[row["l_orderkey"]].append(int(row["l_linenumber"]))
            date = order_date[row["l_orderkey"]]
            ship, commit, receipt = (datetime.date.fromisoformat(row[f"l_{name}date"])
                                     for name in ("ship", "commit", "receipt"))
            self.assertTrue(1 <= (ship - date).days <= 121 and 30 <= (commit - date).days <= 90)
            self.assertTrue(1 <= (receipt - ship).days <= 30)
            self.assertIn(row["l_returnflag"], "AR" if receipt <= today else "N")
            self.assertEqual(row["l_linestatus"], "O" if ship > today else "F")
            quantity, price = int(row["l_quantity"]), round(100 * float(row["l_extendedprice"]))
            self.assertTrue(1 <= quantity <= 50 and price % quantity == 0)
            self.assertTrue(90000 <= price // quantity <= 90000 + 20000 + 99900)
            self.assertTrue(0 <= float(row["l_discount"]) <= 0.10 and 0 <= float(row["l_tax"]) <= 0.08)
        self.assertEqual(set(items), set(order_date))
        self.assertTrue(all(numbers == list(range(1, len(numbers) + 1)) for numbers in items.values()))
        sizes = collections.Counter(map(len, items.values()))
        self.assertTrue(all(abs(sizes[size] - 3000 / 7) < 100 for size in range(1, 8)), sizes)
        for column, values in (("l_discount", 11), ("l_tax", 9), ("l_shipmode", 7), ("l_quantity", 50)):
            seen = collections.Counter(row[column] for row in tables["lineitem"])
            self.assertEqual(len(seen), values)
            self.assertLess(max(seen.values()), 1.5 * len(tables["lineitem"]) / values)

    def test_wrong_command_lines_and_places(self):
        for status, text, *arguments in (
                (2, "its name does not say how", "rmat", self.folder / "a.foo"),
                (2, "its name does not say how", "clusters", self.folder / "a.svm"),
                (2, "--labels", "clusters", self.folder / "a.csv", "--labels", ""),
                (2, "is not from 0 to 40", "rmat", self.folder / "a.h5", "--scale", 41),
                (2, "more than 1", "rmat", self.folder / "a.h5", "--a", 0.9),
                (2, "is not from 1 to", "grid", self.folder / "a.h5", "--rows", 0),
                (2, "is not from 1 to", "grid", self.folder / "a.h5", "--columns", 0),
                (2, "more than 1099511627776 vertices", "grid", self.folder / "a.h5", "--rows", 1 << 20, "--columns",
                 (1 << 20) + 1),
                (2, "more than 1099511627776 vertices", "grid", self.folder / "a.h5", "--rows", 1 << 40, "--columns",
                 1 << 40),
                (2, "--seed requires --max-weight", "grid", self.folder / "a.h5", "--seed", 2),
                (2, "is not from 1 to", "grid", self.folder / "a.h5", "--max-weight", 0),
                (2, "fewer columns", "sparse", self.folder / "a.h5", "--columns", 3),
                (2, "--scale", "tpch", self.folder / "t", "--scale", 0),
                (1, "cannot be made", "tpch", "/dev/null/t"),
                (2, "subcommand"),
                (1, "No such file or directory", "rmat", self.folder / "missing" / "a.h5")):
            with self.subTest(arguments=arguments):
                run = self.run_program(*arguments)
                errors = [line for line in run.stderr.splitlines() if line.startswith("error: ")]
                self.assertEqual((run.returncode, len(errors)), (status, 1), run.stderr)
                self.assertIn(text, errors[0])
        self.assertEqual(list(self.folder.iterdir()), [])


if __name__ == "__main__":
    main(GenerateTest)
