#!/usr/bin/env python3
"""gmm seen from outside, against expectation maximisation in plain loops. Usage: gmm_test.py WORKERS COMMAND..."""
import gzip
import json
import math
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from launched_program import LaunchedProgramTest, compose_hdf5, main, read_hdf5

OPTIONS = [
    [],
    ["--fusion", "off", "--sync", "lazy"],
    ["--fusion", "exact"],
    ["--sync", "eager"],
    ["--threads", 2],
    ["--passes=-rotate,-in-place"],
]


class Reference:
    """Densities by their definition; an iteration goes over the points twice."""

    def __init__(self, points, means, part=1e-6):
        self.points, self.columns = points, list(zip(*points))
        spread = []
        for column in self.columns:
            mean = math.fsum(column) / len(column)
            variance = math.fsum((x - mean)**2 for x in column) / len(column)
            spread.append(variance if math.sqrt(variance) > 1e-12 * abs(mean) else 1.0)
        self.least = [part * variance for variance in spread]
        self.weights = [1 / len(means)] * len(means)
        self.means = [list(mean) for mean in means]
        self.variances = [[v * len(means)**(-2 / len(spread)) for v in spread] for _ in means]

    def logs(self, point):
        return [math.log(weight) - math.fsum((math.log(2 * math.pi * v) + (x - m)**2 / v) / 2
                                             for x, m, v in zip(point, mean, variance)) if weight > 0 else -math.inf
                for weight, mean, variance in zip(self.weights, self.means, self.variances)]

    @staticmethod
    def log_of_sum(logs):
        most = max(logs)
        return most + math.log(math.fsum(math.exp(log - most) for log in logs))

    def likelihood(self, points=None):
        return math.fsum(self.log_of_sum(self.logs(point)) for point in points or self.points)

    def labels(self):
        return [logs.index(max(logs)) for logs in map(self.logs, self.points)]

    def iterate(self, times):
        """The log-likelihood per point before each iteration."""
        found = []
        for _ in range(times):
            found.append(self.likelihood() / len(self.points))
            shares = []
            for logs in map(self.logs, self.points):
                total = self.log_of_sum(logs)
                shares.append([math.exp(log - total) for log in logs])
            for k, mine in enumerate(zip(*shares)):
                count = math.fsum(mine)
                self.weights[k] = count / len(self.points)
                if count == 0:
                    continue
                for c, column in enumerate(self.columns):
                    mean = math.fsum(r * x for r, x in zip(mine, column)) / count
                    self.means[k][c] = mean
                    variance = math.fsum(r * (x - mean)**2 for r, x in zip(mine, column)) / count
                    self.variances[k][c] = max(variance, self.least[c])
        return found


def random_points(count, columns, groups, seed=5, away=0):
    generator = random.Random(seed)
    middles = [[generator.uniform(-8, 8) for _ in range(columns)] for _ in range(groups)]
    widths = [[generator.uniform(0.3, 2) for _ in range(columns)] for _ in range(groups)]
    chosen = [generator.randrange(groups) for _ in range(count)]
    return [[away + generator.gauss(m, s) for m, s in zip(middles[k], widths[k])] for k in chosen]


def text_of(rows):
    return "".join(",".join(map(repr, row)) + "\n" for row in rows)


class GmmTest(LaunchedProgramTest):
    CLOSE = 1e-8

    def fit(self, points, *arguments, verify=True):
        """What was written, the report, and what was printed."""
        path = points if isinstance(points, pathlib.Path) else self.file("points.csv", text_of(points))
        output, report = self.folder / "mixture.h5", self.folder / "report.json"
        printed, _ = self.succeed("--points", path, "--output", output, "--report", report,
                                  *(["--verify"] if verify else []), *arguments)
        report = json.loads(report.read_text(encoding="utf-8"))
        self.assertEqual(report["predicted"], report["measured"])
        return read_hdf5(output), report, printed

    def assert_mixture(self, found, right, relative=1e-8):
        self.assert_close(found["weights"], right.weights, relative)
        for name in "means", "variances":
            rows = getattr(right, name)
            self.assertEqual(len(found[name]), len(rows))
            for row, other in zip(found[name], rows):
                self.assert_close(row, other, relative)

    def test_every_way_of_running(self):
        points = random_points(211, 3, 4)
        init = self.file("init.csv", text_of(points[:5]))
        right = Reference(points, points[:5])
        likelihoods = right.iterate(6)
        for options in OPTIONS:
            with self.subTest(options=options):
                found, report, printed = self.fit(points, "--init", init, "--iterations", 6, *options)
                self.assert_mixture(found, right)
                self.assertEqual(found["labels"], right.labels())
                self.assert_close(report["series"]["log-likelihood"], likelihoods)
                self.assertIn("verified: log-likelihood off by ", printed)
                self.assertIn(f"211 points, 5 components, {self.workers} worker", printed)
                self.assert_close([float(printed.split("log-likelihood ")[-1].split(",")[0])], [right.likelihood()])

    def test_far_from_the_origin(self):
        """Squares cancel there, unless they are of distances from the mean."""
        points = random_points(150, 2, 3, away=1e7)
        right = Reference(points, points[:3])
        right.iterate(5)
        found, _, _ = self.fit(points, "--components", 3, "--init", "first", "--iterations", 5)
        self.assert_mixture(found, right, 1e-6)

    def test_the_likelihood_grows_until_it_hardly_does(self):
        _, report, _ = self.fit(random_points(300, 2, 3), "--components", 3, "--tolerance", 1e-6)
        changes = report["series"]["change"][1:]
        self.assertTrue(all(change > 1e-6 for change in changes[:-1]) and -1e-9 < changes[-1] <= 1e-6, changes)
        self.assertLess(len(changes), 99)

    def test_one_column_and_one_component(self):
        found, _, _ = self.fit([[1.0], [2.0], [6.0]], "--components", 1)
        self.assert_close(found["weights"] + found["means"][0] + found["variances"][0], [1, 3, 14 / 3])
        self.assertEqual(found["labels"], [0, 0, 0])
        self.fit([[7.0, -1.0]], "--components", 1)

    def test_constant_columns_and_equal_points(self):
        points = [[x, 0.1, y] for x, _, y in random_points(60, 3, 2)]
        right = Reference(points, points[:2])
        right.iterate(4)
        found, _, _ = self.fit(points, "--components", 2, "--init", "first", "--iterations", 4)
        self.assert_mixture(found, right)
        self.assertEqual(found["variances"][0][1], 1e-6)
        same, _, _ = self.fit([[3.0, 4.0]] * 6, "--components", 3)
        self.assertEqual(same["means"], [[3.0, 4.0]] * 3)
        self.assert_close(same["weights"], [1 / 3] * 3)

    def test_least_variance(self):
        """Points of two groups that are so far apart that variances within are less than that."""
        points = random_points(60, 2, 2, seed=3)
        right, narrow = Reference(points, points[:2], part=0.7), Reference(points, points[:2])
        for mixture in (right, narrow):
            mixture.iterate(4)
        self.assertTrue(any(v < least for row in narrow.variances for v, least in zip(row, right.least, strict=True)))
        found, _, _ = self.fit(points, "--components", 2, "--init", "first", "--iterations", 4, "--least-variance", 0.7)
        self.assert_mixture(found, right)
        at_least = [v / least for row in found["variances"] for v, least in zip(row, right.least, strict=True)]
        self.assertTrue(all(ratio >= 1 - 1e-9 for ratio in at_least) and min(at_least) < 1 + 1e-9, at_least)

    def test_components_without_points(self):
        """One so far away that nothing belongs to it stays where it is, with weight 0; equal ones stay equal."""
        points = random_points(80, 2, 2)
        means = [points[0], [1e6, -1e6], points[1], points[1]]
        init = self.file("init.csv", text_of(means))
        right = Reference(points, means)
        right.iterate(4)
        found, _, _ = self.fit(points, "--init", init, "--iterations", 4)
        self.assert_mixture(found, right)
        self.assertEqual((found["weights"][1], found["means"][1]), (0, [1e6, -1e6]))
        # Nothing is also what is far less likely than another one, and could still be told from 0.
        found, _, _ = self.fit([[-1.0], [1.0]], "--init", self.file("far.csv", "0\n19\n"), "--iterations", 1)
        self.assertEqual((found["weights"], found["means"]), ([1, 0], [[0], [19]]))

    def test_predicts_further_points(self):
        points, further = random_points(120, 2, 3), random_points(40, 2, 3, seed=9)
        path = self.file("further.csv", text_of(further))
        found, _, printed = self.fit(points, "--components", 3, "--predict", path)
        right = Reference(points, found["means"])
        right.weights, right.means, right.variances = found["weights"], found["means"], found["variances"]
        again, _ = self.succeed("--model", self.folder / "mixture.h5", "--predict", path)
        for text in (printed, again):
            line = next(line for line in text.splitlines() if line.startswith(f"{path}: "))
            self.assertIn(": 40 points, log-likelihood ", line)
            self.assert_close([float(line.split("log-likelihood ")[1].split(",")[0])], [right.likelihood(further)])
        wide = self.file("wide.csv", text_of(random_points(4, 3, 1)))
        run = self.run_program("--model", self.folder / "mixture.h5", "--predict", wide)
        self.assertEqual(run.returncode, 1)
        self.assertIn(f"{wide}: expected points of 2 columns, found 3", run.stderr)
        # what is written is a file of first means, too
        first = self.file("first.h5", (self.folder / "mixture.h5").read_bytes())
        again, _, _ = self.fit(points, "--init", first, "--init-dataset", "means")
        self.assertEqual(len(again["means"]), 3)

    def test_the_model_file_is_checked(self):
        other = self.folder / "labels.h5"
        points = self.file("points.csv", text_of(random_points(20, 2, 2)))
        self.fit(points, "--components", 2)
        run = self.run_program("--model", other, "--predict", points)
        self.assertEqual((run.returncode, run.stderr.count("error: ")), (1, 1))
        for arguments, message in (([], "expected either --points or --model"),
                                   (["--model", other], "--model needs --predict"),
                                   (["--model", other, "--predict", points, "--verify"], "--model goes with neither")):
            with self.subTest(arguments=arguments):
                run = self.run_program(*arguments)
                self.assertEqual(run.returncode, 2)
                self.assertIn(message, run.stderr)

    def test_parts_of_models_that_do_not_fit_are_refused(self):
        points = self.file("points.csv", text_of([[x] for x in (-3.0, -2.0, -2.5, -2.2)]))
        one, two, mixed = self.folder / "one.h5", self.folder / "two.h5", self.folder / "mixed.h5"
        for components, path in ((1, one), (2, two)):
            self.succeed("--points", points, "--components", components, "--output", path)
        whole = {name: (two, name) for name in ("weights", "means", "variances")}
        misfit = "weights, means and variances do not fit together"
        wrong = "there are weights or variances that are negative"
        for name, other, message in (("variances", (one, "variances"), misfit), ("weights", (two, "means"), wrong),
                                     ("variances", (two, "means"), wrong)):
            with self.subTest(name=name):
                compose_hdf5(mixed, {**whole, name: other})
                run = self.run_program("--model", mixed, "--predict", points)
                self.assertEqual((run.returncode, run.stderr.count("error: ")), (1, 1), run.stderr)
                self.assertIn(f"{mixed}: {message}", run.stderr)
        self.succeed("--model", compose_hdf5(mixed, whole), "--predict", points)

    def test_bad_input(self):
        points = self.file("points.csv", text_of(random_points(20, 2, 3)))
        text, nan = self.file("text.csv", "1,2\n3,word\n"), self.file("nan.csv", "1,2\n3,nan\n5,6\n")
        huge = self.file("huge.csv", "1e200,0\n-1e200,0\n-9e199,0\n")
        none = self.file("none.mtx", "%%MatrixMarket matrix array real general\n0 2\n")
        for arguments, message in (
            (["--points", points, "--components", 21],
             f"{points}: expected at least 21 points, as many as components, found 20"),
            (["--points", text, "--components", 1], f"{text}:2:3: "),
            (["--points", nan, "--components", 1], f"{nan}:2:3: "),
            (["--points", nan, "--components", 1, "--allow-non-finite"],
             f"{nan}: the log-likelihood of these points is no finite number"),
            (["--points", huge, "--components", 2], f"{huge}: the log-likelihood of these points is no finite number"),
            (["--points", none, "--components", 1], f"{none}: expected points, found none"),
            (["--points", self.folder / "missing.csv", "--components", 1], "No such file"),
        ):
            with self.subTest(arguments=arguments):
                self.assertIn(message, self.fail_without_output(*arguments))
        run = self.run_program("--points", points)
        self.assertEqual(run.returncode, 2)
        self.assertIn("--components is needed, unless --init is a file", run.stderr)

    def test_real_data(self):
        """S1 has 15 groups: from good first means nearly every point gets the label of its own."""
        points = self.data("clusters/s1.data.gz")
        planted = gzip.open(self.data("clusters/s1.labels0.gz"), "rt").read().split()
        found, _, _ = self.fit(points, "--components", 15, "--seed", 5, "--tolerance", 1e-6)
        groups = {}
        for label, name in zip(found["labels"], planted):
            counts = groups.setdefault(label, {})
            counts[name] = counts.get(name, 0) + 1
        best = [max(counts, key=counts.get) for counts in groups.values()]
        self.assertEqual(len(set(best)), 15)
        self.assertGreater(sum(max(counts.values()) for counts in groups.values()), 0.99 * len(planted))


if __name__ == "__main__":
    main(GmmTest)
