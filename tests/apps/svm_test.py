#!/usr/bin/env python3
"""svm seen from outside, against the same algorithm in plain loops. Usage: svm_test.py WORKERS COMMAND..."""
import json
import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from launched_program import LaunchedProgramTest, main, read_hdf5
from plain_models import dot, random_samples, sparse

OPTIONS = [
    [],
    ["--fusion", "off", "--sync", "lazy"],
    ["--fusion", "exact"],
    ["--sync", "eager", "--partition", "2d"],
    ["--partition", "hybrid-cut", "--storage", "blocked"],
]


class Reference:
    """Conjugate gradients with a line search by bisection; weights with the constant's last."""

    def __init__(self, samples, signs, l2, constant):
        self.samples = [list(x) + ([1.0] if constant else []) for x in samples]
        self.signs = signs
        self.penalty = [l2] * (len(self.samples[0]) - constant) + [0.0] * constant
        self.weights = [0.0] * len(self.samples[0])

    def missing(self, w):
        return [max(0.0, 1 - y * dot(x, w)) for x, y in zip(self.samples, self.signs)]

    def objective(self, w=None):
        w = self.weights if w is None else w
        return math.fsum([h * h for h in self.missing(w)] + [p / 2 * v * v for p, v in zip(self.penalty, w)])

    def gradient(self, w):
        lacks = self.missing(w)
        return [p * v - 2 * math.fsum(h * y * x[j] for h, y, x in zip(lacks, self.signs, self.samples))
                for j, (p, v) in enumerate(zip(self.penalty, w))]

    def iterate(self, times):
        """The objective after each iteration."""
        objectives = []
        g = self.gradient(self.weights)
        s = [-x for x in g]
        for _ in range(times):
            def at(step):
                return [w + step * d for w, d in zip(self.weights, s)]
            low, high = 0.0, 1.0
            while dot(self.gradient(at(high)), s) < 0:
                high *= 2
            for _ in range(80):
                middle = (low + high) / 2
                low, high = (middle, high) if dot(self.gradient(at(middle)), s) < 0 else (low, middle)
            self.weights = at(low)
            new = self.gradient(self.weights)
            turn = dot(new, new) / dot(g, g)
            g, s = new, [turn * d - x for d, x in zip(s, new)]
            objectives.append(self.objective())
        return objectives


def table(samples, labels):
    names = ["kind"] + [f"x{j}" for j in range(len(samples[0]))]
    lines = [[label, *x] for x, label in zip(samples, labels)]
    return ",".join(names) + "\n" + "".join(",".join(map(repr, line)) + "\n" for line in lines)


class SvmTest(LaunchedProgramTest):
    def train(self, *arguments):
        """What was written, the report, and what was printed."""
        output, report = self.folder / "weights.h5", self.folder / "report.json"
        printed, _ = self.succeed("--output", output, "--report", report, "--verify", *arguments)
        report = json.loads(report.read_text(encoding="utf-8"))
        self.assertEqual(report["predicted"], report["measured"])
        self.assertIn("verified: objective within ", printed)
        return read_hdf5(output), report, printed

    def test_every_way_of_running(self):
        samples, labels = random_samples(90, 4, [-1.0, 1.0])
        dense, zeros = self.file("samples.csv", table(samples, labels)), [
            [x if (i + j) % 3 else 0.0 for j, x in enumerate(sample)] for i, sample in enumerate(samples)]
        few = self.file("samples.svm", sparse(zeros, labels))
        for path, of, more, constant in ((dense, samples, ["--label", "kind", "--intercept"], 1), (few, zeros, [], 0),
                                         (few, zeros, ["--intercept"], 1)):
            right = Reference(of, labels, 0.7, constant)
            objectives = right.iterate(5)
            for options in OPTIONS[:1] if constant and not more[1:] else OPTIONS:
                with self.subTest(path=path, more=more, options=options):
                    found, report, printed = self.train("--data", path, *more, "--l2", 0.7, "--iterations", 5, *options)
                    self.assert_close(found["weights"] + (found["intercepts"] if constant else []), right.weights)
                    self.assert_close(report["series"]["objective"], objectives, 1e-8)
                    self.assertIn("90 samples, 4 features, ", printed)
                    self.assertEqual(report["iterations"], 5)

    def test_ends_where_the_objective_hardly_falls(self):
        samples, labels = random_samples(200, 3, [3.0, 8.0])
        path = self.file("samples.csv", table(samples, labels))
        _, report, _ = self.train("--data", path, "--label", 0, "--tolerance", 1e-5, "--intercept")
        changes = report["series"]["change"]
        self.assertTrue(all(change > 1e-5 for change in changes[:-1]) and -1e-9 < changes[-1] <= 1e-5, changes)
        right = Reference(samples, [1 if label == 8 else -1 for label in labels], 1, 1)
        self.assert_close(report["series"]["objective"], right.iterate(len(changes)))

    def test_several_classes(self):
        samples, labels = random_samples(90, 3, [1.0, 2.0, 4.0])
        path = self.file("samples.csv", table(samples, labels))
        further, of_further = random_samples(45, 3, [1.0, 2.0, 4.0], seed=9)
        other = self.file("other.csv", table(further, of_further))
        found, _, printed = self.train("--data", path, "--label", "kind", "--iterations", 4, "--intercept", "--predict",
                                       other)
        models = []
        for c, one in enumerate([1.0, 2.0, 4.0]):
            right = Reference(samples, [1 if label == one else -1 for label in labels], 1, 1)
            right.iterate(4)
            self.assert_close(found["weights"][c] + [found["intercepts"][c]], right.weights)
            models.append(right.weights)
        hits = sum([1.0, 2.0, 4.0][max(range(3), key=lambda c: dot(models[c], [*x, 1.0]))] == label
                   for x, label in zip(further, of_further))
        again, _ = self.succeed("--model", self.folder / "weights.h5", "--predict", other, "--label", "kind")
        for text in (printed, again):
            self.assertIn(f"{other}: 45 samples, accuracy {hits / 45:.7f}\n", text)

    def test_what_is_separable_and_what_is_constant(self):
        samples = [[float(i), 3.0, 0.0] for i in range(20)]
        path = self.file("samples.csv", table(samples, [1.0] * 10 + [2.0] * 10))
        for l2 in (1, 0):
            found, _, printed = self.train("--data", path, "--label", "kind", "--l2", l2, "--intercept", "--tolerance",
                                           1e-12, "--max-iterations", 300, "--predict", path)
            self.assertIn("accuracy 1.0000000", printed)
            self.assertEqual(found["weights"][2], 0)
        for iterations in (0, 30):  # long after nothing changes any more
            _, report, _ = self.train("--data", path, "--label", "kind", "--iterations", iterations)
            self.assertEqual(len(report["series"].get("objective", [])), iterations)

    def test_verified_where_the_gradient_is_0(self):
        path = self.file("balanced.svm", "".join(f"{i % 2} 1:{i % 5} 3:{i % 3}\n" for i in range(30)))
        _, report, _ = self.train("--data", path, "--intercept")
        self.assertLess(report["series"]["objective"][-1], 30 + 1e-9)

    def test_samples_without_a_score(self):
        samples, labels = random_samples(30, 2, [1.0, 2.0])
        given = ["--data", self.file("samples.csv", table(samples, labels)), "--label", "kind"]
        nan = self.file("nan.csv", table([[math.nan, 0.0], [1.0, 0.0], [2.0, 0.0]], [1.0, 2.0, 2.0]))
        _, _, printed = self.train(*given, "--predict", nan, "--allow-non-finite")
        line = next(line for line in printed.splitlines() if line.startswith(f"{nan}: 3 samples"))
        self.assertNotIn("AUC", line)

    def test_bad_input(self):
        samples, labels = random_samples(12, 2, [1.0, 2.0])
        good = self.file("good.csv", table(samples, labels))
        one = self.file("one.svm", sparse(samples, [3.0] * 12))
        nan = self.file("nan.csv", table([[1.0, math.nan]] * 2, [1.0, 2.0]))
        huge = self.file("huge.csv", table([[1e200, 1.0], [-1e200, 2.0]], [1.0, 2.0]))
        bare = self.file("bare.svm", "1:1 2:3\n1:4\n")
        for arguments, message in (
            (["--data", one], f"{one}: expected at least two different labels, found only 3"),
            (["--data", nan, "--label", "kind"], f"{nan}:2:"),
            (["--data", nan, "--label", "kind", "--allow-non-finite"], f"{nan}: the objective ("),
            (["--data", huge, "--label", "kind"], f"{huge}: the objective ("),
            (["--data", bare], f"{bare}"),
            (["--data", good, "--label", "colour"], f"{good}: expected a column 'colour', found 3 columns: kind"),
        ):
            with self.subTest(arguments=arguments):
                self.assertIn(message, self.fail_without_output(*arguments))
        run = self.run_program("--model", good, "--predict", good, "--l2", 3)
        self.assertEqual(run.returncode, 2)

    def test_real_data(self):
        """a9a, on which linear classifiers are 0.85 right."""
        _, _, printed = self.train("--data", self.data("libsvm/a9a"), "--intercept", "--predict",
                                   self.data("libsvm/a9a.t"), "--tolerance", 1e-5)
        self.assertGreater(float(printed.split("accuracy ")[1].split(",")[0]), 0.848)


if __name__ == "__main__":
    main(SvmTest)
