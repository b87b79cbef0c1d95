#!/usr/bin/env python3
"""kmeans seen from outside, against a serial reference. Usage: kmeans_test.py WORKERS COMMAND..."""
import collections
import gzip
import json
import math
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from launched_program import LaunchedProgramTest, main, read_hdf5
from plain_random import random_bits, random_unit

OPTIONS = [
    [],
    ["--fusion", "off", "--sync", "lazy"],
    ["--fusion", "exact"],
    ["--fusion", "off", "--sync", "eager"],
    ["--sync", "lazy", "--partition", "hybrid-cut"],
    ["--sync", "eager", "--partition", "2d"],
    ["--partition", "row", "--passes=-rotate,-in-place,-join-mxv"],
]


def squared_distance(a, b):
    return sum((x - y) ** 2 for x, y in zip(a, b))


def nearest(point, centres):
    return min(range(len(centres)), key=lambda j: squared_distance(point, centres[j]))  # of equals the first


def inertia_of(points, centres, labels):
    return math.fsum(squared_distance(point, centres[label]) for point, label in zip(points, labels))


def lloyd(points, centres, iterations):
    """Centres, labels, and the inertia before and the shift in each iteration."""
    centres, inertias, shifts = [list(centre) for centre in centres], [], []
    for _ in range(iterations):
        labels = [nearest(point, centres) for point in points]
        inertias.append(inertia_of(points, centres, labels))
        moved = []
        for j, centre in enumerate(centres):
            mine = [point for point, label in zip(points, labels) if label == j]
            moved.append([math.fsum(column) / len(mine) for column in zip(*mine)] if mine else centre)
        shifts.append(max(math.sqrt(squared_distance(a, b)) for a, b in zip(moved, centres)))
        centres = moved
    return centres, [nearest(point, centres) for point in points], inertias, shifts


def random_points(count, columns, clusters, seed=5):
    generator = random.Random(seed)
    middles = [[generator.uniform(-10, 10) for _ in range(columns)] for _ in range(clusters)]
    return [[x + generator.gauss(0, 1) for x in generator.choice(middles)] for _ in range(count)]


def text_of(rows):
    return "".join(",".join(map(repr, row)) + "\n" for row in rows)


def plus_plus(points, k, seed):
    weights, centres = [1.0] * len(points), []
    for j in range(k):
        bits = random_bits(seed, j)
        keys = [math.log(1 - random_unit(bits, i)) / w if w > 0 else -math.inf for i, w in enumerate(weights)]
        centre = points[max(range(len(points)), key=lambda i: keys[i])]
        distances = [squared_distance(point, centre) for point in points]
        weights = distances if j == 0 else list(map(min, weights, distances))
        centres.append(centre)
    return centres


class KMeansTest(LaunchedProgramTest):
    CLOSE = 1e-9

    def cluster(self, points, *arguments, verify=True):
        """Centroids as rows, labels, and the report."""
        path = points if isinstance(points, pathlib.Path) else self.file("points.csv", text_of(points))
        output, report = self.folder / "clusters.h5", self.folder / "report.json"
        self.succeed("--points", path, "--quiet", "--output", output, "--report", report,
                     *(["--verify"] if verify else []), *arguments)
        found = read_hdf5(output)
        return found["centroids"], found["labels"], json.loads(report.read_text(encoding="utf-8"))

    def assert_clusters(self, found, expected):
        centres, labels, report = found
        right, right_labels, inertias, shifts = expected
        for centre, other in zip(centres, right):
            self.assert_close(centre, other)
        self.assertEqual(len(centres), len(right))
        self.assertEqual(labels, right_labels)
        self.assert_close(report["series"]["inertia"], inertias)
        self.assert_close(report["series"]["shift"], shifts)
        self.assertEqual(report["iterations"], len(shifts))
        self.assertEqual(report["predicted"], report["measured"])

    def test_every_way_of_running(self):
        for columns, k, form, ways in ((1, 5, "auto", OPTIONS[:4]), (1, 5, "rows", OPTIONS[:1]),
                                       (3, 11, "auto", OPTIONS)):
            points = random_points(211, columns, k)
            init = self.file("init.csv", text_of(points[:k]))
            expected = lloyd(points, points[:k], 6)
            for options in ways:
                with self.subTest(columns=columns, form=form, options=options):
                    found = self.cluster(points, "--init", init, "--form", form, "--iterations", 6, *options)
                    self.assert_clusters(found, expected)
                    sweeps = [step for step in found[2]["steps"] if step["kind"] == "sweep" and step["entered"] == 6]
                    if columns == 1 and form == "auto" and "off" not in options:
                        (sweep,) = sweeps
                        self.assertEqual((sweep["operations"], sweep["inputs"], sweep["outputs"]), (3 * k, 1, 0))

    def test_until_nothing_moves(self):
        points = random_points(300, 2, 4)
        centres, labels, report = self.cluster(points, "--clusters", 4, "--init", "first", "--tolerance", 0)
        shifts = report["series"]["shift"]
        self.assertEqual(shifts[-1], 0)
        self.assertGreater(min(shifts[:-1]), 0)
        self.assertEqual(labels, [nearest(point, centres) for point in points])
        out, _ = self.succeed("--points", self.folder / "points.csv", "--clusters", 4, "--init", "first",
                              "--max-iterations", 2, "--verify")
        self.assertRegex(out, r"^verified: .*\n300 points, 4 clusters, \d workers?, 2 iterations, inertia ")
        loose = self.cluster(points, "--clusters", 4, "--init", "first", "--tolerance", shifts[1])[2]
        self.assertEqual(loose["iterations"], 2)

    def test_empty_and_equal_centres(self):
        """A cluster without points stays; of two centres in one place the first has the points."""
        points = [[float(k * k % 23)] for k in range(60)] + [[1000.0]] * 3
        for init in ([[5.0], [5.0], [20.0], [500.0]], [[5.0], [-9999.0], [5.0], [5.0], [14.0]],
                     [[k % 3 * 1.0] for k in range(10)]):
            path = self.file("init.csv", text_of(init))
            for form in ("elements", "rows"):
                with self.subTest(init=init, form=form):
                    found = self.cluster(points, "--init", path, "--form", form, "--iterations", 5)
                    self.assert_clusters(found, lloyd(points, init, 5))

    def test_first_centres(self):
        for columns in (1, 3):
            points = random_points(150, columns, 6) + [[3.0] * columns] * 50
            for k, seed in ((9, 1), (9, 77)):
                by_key = sorted(range(len(points)), key=lambda i: (-random_unit(seed, i), i))
                for init, expected in (("kmeans++", plus_plus(points, k, seed)), ("first", points[:k]),
                                       ("random", [points[i] for i in by_key[:k]])):
                    if init != "kmeans++" and seed == 77:
                        continue
                    drawn = [] if init == "first" else ["--seed", seed]
                    with self.subTest(columns=columns, k=k, seed=seed, init=init):
                        centres, _, report = self.cluster(points, "--clusters", k, "--init", init, *drawn,
                                                          "--iterations", 0)
                        self.assertEqual(centres, expected)
                        self.assertEqual(report["predicted"], report["measured"])

    def test_fewer_places_than_clusters(self):
        points = [[1.0, 2.0]] * 5 + [[3.0, 4.0]] * 3
        centres, labels, _ = self.cluster(points, "--clusters", 4, "--tolerance", 0)
        self.assertEqual([centres[label] for label in labels], points)

    def test_few_points(self):
        self.assertEqual(self.cluster([[7.0]], "--clusters", 1)[:2], ([[7.0]], [0]))
        centres, labels, _ = self.cluster([[1.0, 0.0], [0.0, 5.0]], "--clusters", 2)
        self.assertEqual([centres[label] for label in labels], [[1.0, 0.0], [0.0, 5.0]])
        centres, labels, _ = self.cluster([[1.0, 0.0, 2.0], [0.0, 5.0, 4.0]], "--clusters", 1, "--tolerance", 0)
        self.assertEqual((centres, labels), ([[0.5, 2.5, 3.0]], [0, 0]))

    def test_many_clusters_of_numbers(self):
        """More than the elements form takes on its own."""
        points = random_points(200, 1, 40)
        expected = lloyd(points, points[:33], 4)
        self.assert_clusters(self.cluster(points, "--clusters", 33, "--init", "first", "--iterations", 4), expected)
        self.assert_clusters(self.cluster(points, "--clusters", 33, "--init", "first", "--iterations", 4,
                                          "--form", "elements"), expected)

    def test_output(self):
        points = random_points(50, 2, 3)
        path, text = self.file("points.csv", text_of(points)), self.folder / "labels.tsv"
        files = [self.folder / name for name in ("first.h5", "second.h5")]
        for file in files:
            self.succeed("--points", path, "--clusters", 3, "--quiet", "--output", file)
        self.assertEqual(files[0].read_bytes(), files[1].read_bytes())
        self.succeed("--points", path, "--clusters", 3, "--quiet", "--output", text)
        header, *labels = text.read_text(encoding="utf-8").splitlines()
        self.assertEqual((header, list(map(int, labels))), ("labels", read_hdf5(files[0])["labels"]))
        again, _, report = self.cluster(path, "--init", files[0], "--init-dataset", "centroids", "--iterations", 1)
        self.assertEqual(again, read_hdf5(files[0])["centroids"])
        self.succeed("--points", path, "--clusters", 3, "--init", files[0], "--init-dataset", "centroids", "--analyze")
        try:
            import h5py
        except ImportError:
            return
        with h5py.File(files[0]) as file:
            self.assertEqual(file["centroids"].shape, (3, 2))
            self.assert_close([file.attrs["inertia"]], report["series"]["inertia"])

    def refuse(self, status, *parts, arguments):
        before = sorted(self.folder.rglob("*"))
        run = self.run_program("--output", self.folder / "refused.h5", *arguments)
        self.assertEqual(run.returncode, status, f"{arguments}: {run.stdout}{run.stderr}")
        (line,) = run.stderr.splitlines()
        for part in ("error: ", *map(str, parts)):
            self.assertIn(part, line)
        self.assertEqual(sorted(self.folder.rglob("*")), before)

    def test_an_error_after_the_run_leaves_no_output(self):
        huge = self.file("huge.csv", "1e200\n-1e200\n3\n")  # whose squares are infinite
        for more in [], ["--verify"]:
            error = self.fail_without_output("--points", huge, "--clusters", 2, *more)
            self.assertIn("the squared distances between these points are no finite numbers", error)

    def test_bad_input(self):
        points = self.file("points.csv", text_of(random_points(20, 2, 3)))
        one, three = self.file("one.csv", "1\n2\n3\n"), self.file("three.csv", "1,2,3\n4,5,6\n")
        two, missing = self.file("two.csv", "1,2\n3,4\n"), self.folder / "missing.csv"
        iris = self.file("iris.csv", "5.1,3.5,Iris-setosa\n4.9,3.0,Iris-setosa\n")
        given = ["--points", points]
        self.refuse(2, "--clusters", arguments=[*given])
        self.refuse(2, "--clusters", "'0'", arguments=[*given, "--clusters", 0])
        self.refuse(2, "--init-dataset", arguments=[*given, "--clusters", 2, "--init-dataset", "centroids"])
        self.refuse(2, "--seed", arguments=[*given, "--clusters", 2, "--init", "first", "--seed", 3])
        self.refuse(2, "--clusters", "'-3'", arguments=[*given, "--clusters", -3])
        self.refuse(1, f"{points}: expected at least 21 points, as many as clusters, found 20",
                    arguments=[*given, "--clusters", 21])
        self.refuse(1, f"{three}: expected centres of 2 columns, as the points have, found 3",
                    arguments=[*given, "--init", three])
        self.refuse(1, f"{two}: expected 3 centres, as --clusters says, found 2",
                    arguments=[*given, "--init", two, "--clusters", 3])
        self.refuse(1, f"{missing}: ", "No such file", arguments=[*given, "--init", missing])
        self.refuse(1, f"{missing}: ", "No such file", arguments=["--points", missing, "--clusters", 2])
        self.refuse(1, f"{points}: expected one column for --form elements, found 2",
                    arguments=[*given, "--clusters", 2, "--form", "elements"])
        huge = self.file("huge.csv", "1e200,0\n-1e200,0\n-9e199,0\n")
        self.refuse(1, f"{huge}: the squared distances", arguments=["--points", huge, "--clusters", 2])
        self.refuse(1, f"{iris}", "found '", arguments=["--points", iris, "--clusters", 2])
        head = "%%MatrixMarket matrix array real general\n"
        bare, none = self.file("bare.mtx", head + "3 0\n"), self.file("none.mtx", head + "0 2\n")
        for arguments in (["--clusters", 1], ["--init", bare], ["--init", points]):
            self.refuse(1, f"{bare}: expected points, found a table without columns",
                        arguments=["--points", bare, *arguments])
            self.refuse(1, f"{none}: expected points, found none", arguments=["--points", none, *arguments])
        self.refuse(1, f"{none}: expected centres, found none", arguments=[*given, "--init", none])
        self.refuse(2, "--tolerance", arguments=["--points", one, "--clusters", 2, "--tolerance", -1])

    def test_real_data(self):
        """S1 and Birch1, whose centres form a grid of 10 x 10, reach the sums of squares that are published for them (P.
        Fraenti, S. Sieranoja, K-means properties on six clustering benchmark datasets, 2018). ARFF has text."""
        points = self.data("clusters/s1.data.gz")
        planted = gzip.open(self.data("clusters/s1.labels0.gz"), "rt").read().split()
        _, labels, report = self.cluster(points, "--clusters", 15, "--seed", 3, "--tolerance", 0)
        pairs = collections.Counter(zip(labels, planted))
        own = {label: max((count, name) for (found, name), count in pairs.items() if found == label)
               for label in set(labels)}
        self.assertEqual(len({name for _, name in own.values()}), 15)
        self.assertGreater(sum(count for count, _ in own.values()), 0.99 * len(planted))
        self.assertLess(abs(report["series"]["inertia"][-1] / 8.9177e12 - 1), 1e-4)
        grid = [[x * 90000 + 100000, y * 90000 + 100000] for x in range(10) for y in range(10)]
        _, _, report = self.cluster(self.data("clusters/birch1.data.gz"), "--init", self.file("grid.csv", text_of(grid)))
        self.assertLess(abs(report["series"]["inertia"][-1] / 9.2773e13 - 1), 1e-5)
        self.assertEqual(report["predicted"], report["measured"])
        self.refuse(1, "iris.arff", arguments=["--points", self.data("clusters/iris.arff"), "--clusters", 3])


if __name__ == "__main__":
    main(KMeansTest)
