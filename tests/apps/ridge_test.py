#!/usr/bin/env python3
"""ridge seen from outside, against fits in plain loops and certified figures. Usage: ridge_test.py WORKERS COMMAND..."""
import json
import math
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from launched_program import LaunchedProgramTest, compose_hdf5, main, read_hdf5
from plain_models import dot, solved

OPTIONS = [
    [],
    ["--fusion", "off", "--sync", "lazy"],
    ["--fusion", "exact"],
    ["--threads", "2"],
]
WORD = 2**64


def random_bits(seed, counter):
    """splitmix64, as kasen/base/random.h describes it."""
    x = (seed * 0x9e3779b97f4a7c15 + counter + 0x9e3779b97f4a7c15) % WORD
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9 % WORD
    x = (x ^ x >> 27) * 0x94d049bb133111eb % WORD
    return x ^ x >> 31


def folds_of(count, folds, seed):
    return [random_bits(seed, i) * folds >> 64 for i in range(count)]


def mean(numbers):
    return math.fsum(numbers) / len(numbers)


class Reference:
    """Every fit from its own samples, which are rows of features without those that have no weight."""

    def __init__(self, samples, targets, penalties, folds=5, seed=1, raw=False):
        self.targets, self.penalties = targets, penalties
        self.means = [mean(column) for column in zip(*samples)]
        centred = [[x - m for x, m in zip(sample, self.means)] for sample in samples]
        self.deviations = [1.0 if raw else math.sqrt(mean([x * x for x in column])) for column in zip(*centred)]
        self.samples = [[x / s for x, s in zip(sample, self.deviations)] for sample in centred]
        fold = folds_of(len(samples), folds, seed)
        self.errors = [math.fsum(self.held_out(fold, f, penalty) for f in set(fold)) / len(samples)
                       for penalty in penalties]
        self.best = self.errors.index(min(self.errors))
        intercept, *weights = self.fit(range(len(samples)), penalties[self.best])
        self.weights = [w / s for w, s in zip(weights, self.deviations)]
        self.intercept = intercept - dot(self.weights, self.means)

    def fit(self, chosen, penalty):
        rows = [[1.0, *self.samples[i]] for i in chosen]
        targets = [self.targets[i] for i in chosen]
        columns = list(zip(*rows))
        matrix = [[dot(a, b) + penalty * (j == k > 0) for k, b in enumerate(columns)] for j, a in enumerate(columns)]
        return solved(matrix, [dot(a, targets) for a in columns])

    def held_out(self, fold, which, penalty):
        weights = self.fit([i for i in range(len(fold)) if fold[i] != which], penalty)
        return math.fsum((dot([1.0, *self.samples[i]], weights) - self.targets[i])**2
                         for i in range(len(fold)) if fold[i] == which)


def made(count=60, seed=4):
    """Rows of a, b, town and y."""
    generator = random.Random(seed)
    rows = []
    for _ in range(count):
        a, b, town = generator.gauss(1000, 3), generator.gauss(-2, 0.1), generator.choice(("Bath", "Hay, Wye", "York"))
        effect = {"Bath": 0.0, "Hay, Wye": 4.0, "York": -1.5}[town]
        rows.append((a, b, town, 0.4 * a - 7 * b + effect + generator.gauss(0, 1)))
    return rows


def table(names, rows):
    def field(value):
        return f'"{value}"' if isinstance(value, str) else repr(value)
    return ",".join(names) + "\n" + "".join(",".join(map(field, row)) + "\n" for row in rows)


def one_hot(rows, towns=("Bath", "Hay, Wye", "York")):
    return [[a, b, *(float(town == t) for t in towns)] for a, b, town, _ in rows]


class RidgeTest(LaunchedProgramTest):
    CLOSE = 1e-8

    def fit(self, *arguments, target="y"):
        """What was written, and what was printed."""
        output, report = self.folder / "weights.h5", self.folder / "report.json"
        printed, _ = self.succeed("--target", target, "--output", output, "--report", report, "--verify", *arguments)
        report = json.loads(report.read_text(encoding="utf-8"))
        self.assertEqual(report["predicted"], report["measured"])
        self.assertIn("verified: errors within ", printed)
        return read_hdf5(output), printed

    def assert_as(self, found, right, names):
        self.assertEqual(found["column_names"], names)
        self.assert_close(found["errors"], right.errors)
        self.assert_close(found["weights"][0], right.weights)
        self.assert_close(found["intercepts"], [right.intercept])

    def test_every_way_of_running(self):
        rows = made()
        path = self.file("samples.csv", table(("a", "b", "town", "y"), rows))
        names = ["a", "b", "town=Bath", "town=Hay, Wye", "town=York"]
        penalties = [0.01, 0.5, 3.0, 1e3]
        right = Reference(one_hot(rows), [row[3] for row in rows], penalties)
        for options in OPTIONS:
            with self.subTest(options=options):
                found, printed = self.fit("--data", path, "--words", "town", "--penalties", "0.01,0.5,3,1000", *options)
                self.assert_as(found, right, names)
                self.assertEqual(found["penalties"], penalties)
                lines = printed.splitlines()
                self.assertEqual(lines[0].split(), ["penalty", "mean", "squared", "error"])
                self.assertTrue(lines[1 + right.best].endswith("  least"), printed)
                self.assert_close([float(line.split()[1]) for line in lines[1:5]], right.errors, 1e-7)
                self.assertIn("60 samples, 5 features, ", lines[-1])
        for arguments, more in ((["--folds", "2", "--seed", "7"], {"folds": 2, "seed": 7}), (["--raw"], {"raw": True}),
                                (["--folds", "60"], {"folds": 60})):  # of which some have no samples
            with self.subTest(arguments=arguments):
                right = Reference(one_hot(rows), [row[3] for row in rows], penalties, **more)
                found, _ = self.fit("--data", path, "--words", "town", "--penalties", "0.01,0.5,3,1000", *arguments)
                self.assert_as(found, right, names)

    def test_chosen_columns(self):
        rows = made(30)
        path = self.file("samples.csv", table(("a", "b", "town", "y"), rows))
        right = Reference([[row[1]] for row in rows], [row[3] for row in rows], [1.0])
        found, _ = self.fit("--data", path, "--columns", "b", "--penalties", 1)
        self.assert_as(found, right, ["b"])
        right = Reference([[b, a] for a, b, _, _ in rows], [row[3] for row in rows], [10.0**k for k in range(-3, 7)])
        found, _ = self.fit("--data", path, "--columns", "b,a")
        self.assert_as(found, right, ["b", "a"])

    def test_collinear_columns_without_penalty(self):
        """The words of a column add up to 1: without a penalty the last has no weight, as those of equal columns."""
        rows = made()
        path = self.file("samples.csv", table(("a", "b", "town", "c", "k", "y"),
                                              [(a, b, town, 2 * a - b, 7.25, y) for a, b, town, y in rows]))
        right = Reference(one_hot(rows, ("Bath", "Hay, Wye")), [row[3] for row in rows], [0.0])
        found, printed = self.fit("--data", path, "--words", "town", "--penalties", 0)
        self.assertEqual(found["column_names"], ["a", "b", "c", "k", "town=Bath", "town=Hay, Wye", "town=York"])
        a, b, c, k, bath, hay, york = found["weights"][0]
        self.assertEqual((c, k, york), (0, 0, 0))
        self.assert_close([a, b, bath, hay, *found["intercepts"]], [*right.weights, right.intercept], 1e-6)
        self.assert_close(found["errors"], right.errors, 1e-7)
        self.assertIn("(of 1 not determined)", printed)

    def test_more_features_than_samples(self):
        generator = random.Random(3)
        samples = [[generator.gauss(0, 1) for _ in range(20)] for _ in range(12)]
        targets = [sum(x[:3]) + generator.gauss(0, 0.1) for x in samples]
        names = [f"x{j}" for j in range(20)]
        path = self.file("wide.csv", table((*names, "y"), [(*x, y) for x, y in zip(samples, targets)]))
        found, _ = self.fit("--data", path, "--penalties", "0.1,1,10")
        self.assert_as(found, Reference(samples, targets, [0.1, 1.0, 10.0]), names)
        found, printed = self.fit("--data", path, "--penalties", 0)
        self.assertTrue(all(map(math.isfinite, found["weights"][0])))
        self.assertLess(float(printed.split("error ")[-1]), 1e-12)

    def test_numbers_far_from_0(self):
        """Means of a billion deviations, which cancel: features and targets are those without them."""
        rows = made()
        near = [[round((a - 1000) * 1024) / 1024, round(b * 1024) / 1024] for a, b, _, _ in rows]
        targets = [round(row[3] * 1024) / 1024 for row in rows]
        right = Reference(near, targets, [0.5])
        path = self.file("far.csv", table(("a", "b", "y"), [(a + 2.0**30, b - 2.0**30, y + 2.0**30)
                                                            for (a, b), y in zip(near, targets)]))
        found, _ = self.fit("--data", path, "--penalties", 0.5)
        self.assert_close(found["weights"][0], right.weights, 1e-7)
        self.assert_close(found["errors"], right.errors, 1e-7)
        intercept = right.intercept + 2.0**30 * (1 - right.weights[0] + right.weights[1])
        self.assert_close(found["intercepts"], [intercept], 1e-7)

    def test_words_and_numbers_of_one_fold(self):
        """A word that one sample has, and a column that is constant but there: without their fold they are constant."""
        rows = [(a, b, "Leeds" if i == 7 else town, y) for i, (a, b, town, y) in enumerate(made(40))]
        path = self.file("samples.csv", table(("a", "b", "k", "town", "y"),
                                              [(a, b, float(i == 3), town, y) for i, (a, b, town, y) in enumerate(rows)]))
        samples = [[a, b, float(i == 3), *(float(town == t) for t in ("Bath", "Hay, Wye", "Leeds", "York"))]
                   for i, (a, b, town, _) in enumerate(rows)]
        found, _ = self.fit("--data", path, "--words", "town", "--penalties", "1,20")
        names = ["a", "b", "k", "town=Bath", "town=Hay, Wye", "town=Leeds", "town=York"]
        self.assert_as(found, Reference(samples, [row[3] for row in rows], [1.0, 20.0]), names)

    def test_certified_figures(self):
        """Longley's data, and the least squares that NIST certifies for them."""
        rows = """60323 83.0 234289 2356 1590 107608 1947
                  61122 88.5 259426 2325 1456 108632 1948
                  60171 88.2 258054 3682 1616 109773 1949
                  61187 89.5 284599 3351 1650 110929 1950
                  63221 96.2 328975 2099 3099 112075 1951
                  63639 98.1 346999 1932 3594 113270 1952
                  64989 99.0 365385 1870 3547 115094 1953
                  63761 100.0 363112 3578 3350 116219 1954
                  66019 101.2 397469 2904 3048 117388 1955
                  67857 104.6 419180 2822 2857 118734 1956
                  68169 108.4 442769 2936 2798 120445 1957
                  66513 110.8 444546 4681 2637 121950 1958
                  68655 112.6 482704 3813 2552 123366 1959
                  69564 114.2 502601 3931 2514 125368 1960
                  69331 115.7 518173 4806 2572 127852 1961
                  70551 116.9 554894 4007 2827 130081 1962""".splitlines()
        path = self.file("longley.csv", "y,x1,x2,x3,x4,x5,x6\n" + "\n".join(",".join(row.split()) for row in rows) + "\n")
        found, _ = self.fit("--data", path, "--penalties", 0)
        self.assert_close([w / c for w, c in zip(found["weights"][0] + found["intercepts"], (
            15.0618722713733, -0.0358191792925910, -2.02022980381683, -1.03322686717359, -0.0511041056535807,
            1829.15146461355, -3482258.63459582))], [1.0] * 7, 1e-8)

    def test_predicts_further_samples(self):
        rows, further = made(), made(25, seed=9)
        further[3] = (*further[3][:2], "Leeds", further[3][3])
        path = self.file("samples.csv", table(("a", "b", "town", "y"), rows))
        more = self.file("more.csv", table(("town", "y", "z", "b", "a"), [(t, y, "?", b, a) for a, b, t, y in further]))
        right = Reference(one_hot(rows), [row[3] for row in rows], [2.0])
        squares = [(dot(x, right.weights) + right.intercept - row[3])**2 for x, row in zip(one_hot(further), further)]
        found, printed = self.fit("--data", path, "--words", "town", "--penalties", 2, "--predict", more)
        again, _ = self.succeed("--model", self.folder / "weights.h5", "--target", "y", "--predict", more)
        for text in (printed, again):
            line = next(line for line in text.splitlines() if line.startswith(f"{more}: 25 samples, mean squared error "))
            self.assert_close([float(line.split("error ")[1])], [mean(squares)], 1e-7)
        run = self.run_program("--model", self.folder / "weights.h5", "--target", "a", "--predict", more)
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertIn("the column 'a' is named twice", run.stderr)
        text = self.folder / "weights.tsv"
        self.succeed("--data", path, "--target", "y", "--words", "town", "--penalties", 2, "--output", text)
        lines = [line.split("\t") for line in text.read_text(encoding="utf-8").splitlines()]
        self.assertEqual([line[0] for line in lines[1:]], found["column_names"])
        self.assert_close([float(line[1]) for line in lines[1:]], right.weights)

    def test_weights_without_names_are_refused(self):
        path = self.file("samples.csv", table(("a", "b", "town", "y"), made()))
        self.fit("--data", path, "--words", "town", "--penalties", 2)
        whole, nameless = self.folder / "weights.h5", self.folder / "nameless.h5"
        compose_hdf5(nameless, {name: (whole, name) for name in ("weights", "intercepts")})
        run = self.run_program("--model", nameless, "--target", "y", "--predict", path)
        self.assertEqual((run.returncode, run.stderr),
                         (1, f"error: {nameless}: the weights have no names, as ridge writes them\n"))

    def test_bad_input(self):
        rows = made(12)
        good = self.file("good.csv", table(("a", "b", "town", "y"), rows))
        missing = self.file("missing.csv", "a,y\n1,2\n,3\n4,5\n")
        empty, twice = self.file("empty.csv", "a,y\n"), self.file("twice.csv", "a,a,y\n1,2,3\n")
        alone, equals = self.file("alone.csv", "y\n1\n2\n"), self.file("equals.csv", "a=b,y\n1,2\n3,4\n")
        huge = self.file("huge.csv", "a,y\n1e200,1\n-1e200,2\n1e200,3\n")
        wide = self.file("wide.csv", table([f"x{j}" for j in range(1002)], [[1.0] * 1002] * 2))
        nameless = self.file("nameless.csv", "1,2\n3,4\n")
        seed = next(s for s in range(1000) if len(set(folds_of(3, 2, s))) == 1)
        for arguments, message in (
            ([good], f"{good}:2:"),
            ([good, "--words", "city"], f"{good}: expected a column named 'city', found only a, b, town, y"),
            ([missing], f"{missing}:3:1: expected a number, found nothing"),
            ([empty], f"{empty}: there are no samples"),
            ([twice], "the column 'a' is named twice"),
            ([good, "--columns", "a,y"], "the column 'y' is named twice"),
            ([alone], f"{alone}: there are no columns but the target"),
            ([equals], f"{equals}: the column 'a=b' has the '=' of names of features in its name"),
            ([huge, "--folds", 2], f"{huge}: the sums of the squares of columns are not finite"),
            ([wide, "--target", "x0", "--folds", 2], f"{wide}: 1001 features are more than the 1000"),
            ([nameless], f"{nameless}: expected a first line that names the columns, found none"),
            ([good, "--words", "town", "--folds", 13], f"{good}: 12 samples are too few for 13 folds"),
            ([self.file("few.csv", "a,y\n1,2\n3,4\n5,7\n"), "--folds", 2, "--seed", seed],
             "all of the 3 samples are of one fold: expected more, or another --seed"),
        ):
            with self.subTest(arguments=arguments):
                target = [] if "--target" in arguments else ["--target", "y"]
                run = self.run_program("--data", *arguments, *target, "--output", self.folder / "failed.h5")
                self.assertIn(run.returncode, (1, 2))
                self.assertEqual(run.stderr.count("error: "), 1, run.stderr)
                self.assertIn(message, run.stderr)
                self.assertFalse((self.folder / "failed.h5").exists())
        for arguments, message in ((["--target", "y"], "expected either --data or --model"),
                                   (["--data", good, "--target", "y", "--penalties", "1,-2"], "'-2' is not a number from 0"),
                                   (["--data", good, "--target", "y", "--folds", 1], "'1' is not a whole number from 2")):
            run = self.run_program(*arguments)
            self.assertEqual(run.returncode, 2)
            self.assertIn(message, run.stderr)


if __name__ == "__main__":
    main(RidgeTest)
