#!/usr/bin/env python3
"""mlogreg seen from outside, against Newton's method in plain loops. Usage: mlogreg_test.py WORKERS COMMAND..."""
import json
import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from launched_program import LaunchedProgramTest, main, read_hdf5
from plain_models import random_samples, solved, sparse

OPTIONS = [
    [],
    ["--fusion", "off", "--sync", "lazy"],
    ["--fusion", "exact"],
    ["--sync", "eager", "--threads", 2],
]


class Reference:
    """Weights by feature and class; each Newton step is solved exactly."""

    def __init__(self, samples, labels, l2, constant):
        self.classes = sorted(set(labels))
        self.samples = [list(x) + ([1.0] if constant else []) for x in samples]
        self.labels = [self.classes.index(label) for label in labels]
        self.d, self.k = len(self.samples[0]), len(self.classes)
        # The constant of all classes together is of no consequence; a trace of a penalty leaves it 0.
        self.penalty = [l2] * (self.d - constant) + [1e-7] * constant
        self.weights = [[0.0] * self.k for _ in range(self.d)]

    def shares(self, x):
        scores = [math.fsum(x[j] * self.weights[j][c] for j in range(self.d)) for c in range(self.k)]
        most = max(scores)
        powers = [math.exp(score - most) for score in scores]
        total = math.fsum(powers)
        return [power / total for power in powers], most + math.log(total), scores

    def objective(self):
        parts = [self.penalty[j] / 2 * w * w for j in range(self.d) for w in self.weights[j]]
        for x, label in zip(self.samples, self.labels):
            _, log, scores = self.shares(x)
            parts.append(log - scores[label])
        return math.fsum(parts)

    def minimise(self):
        size = self.d * self.k
        for _ in range(30):
            gradient = [self.penalty[a // self.k] * self.weights[a // self.k][a % self.k] for a in range(size)]
            hessian = [[self.penalty[a // self.k] if a == b else 0.0 for b in range(size)] for a in range(size)]
            for x, label in zip(self.samples, self.labels):
                share, _, _ = self.shares(x)
                for a in range(size):
                    j, c = divmod(a, self.k)
                    gradient[a] += x[j] * (share[c] - (c == label))
                    for b in range(size):
                        i, e = divmod(b, self.k)
                        hessian[a][b] += x[j] * x[i] * share[c] * ((c == e) - share[e])
            step = solved(hessian, gradient)
            for a in range(size):
                self.weights[a // self.k][a % self.k] -= step[a]
            if max(map(abs, step)) < 1e-8:
                return self
        raise AssertionError("no minimum")

    def predictions(self, samples):
        """Share of those whose class is predicted, and log-likelihood, of (sample, label)."""
        right, logs = 0, []
        for x, label in samples:
            share, log, scores = self.shares(x)
            right += self.classes[max(range(self.k), key=lambda c: share[c])] == label
            logs.append(scores[self.classes.index(label)] - log)
        return right / len(samples), math.fsum(logs)


def table(samples, labels):
    """The labels stand in the second column."""
    names = ["x0", "kind"] + [f"x{j}" for j in range(1, len(samples[0]))]
    lines = [[x[0], label, *x[1:]] for x, label in zip(samples, labels)]
    return ",".join(names) + "\n" + "".join(",".join(map(repr, line)) + "\n" for line in lines)


class MultinomialTest(LaunchedProgramTest):
    def train(self, *arguments):
        """What was written, the report, and what was printed."""
        output, report = self.folder / "weights.h5", self.folder / "report.json"
        printed, _ = self.succeed("--output", output, "--report", report, "--verify", *arguments)
        report = json.loads(report.read_text(encoding="utf-8"))
        self.assertEqual(report["predicted"], report["measured"])
        self.assertIn("verified: objective within ", printed)
        return read_hdf5(output), report, printed

    def assert_model(self, found, right, constant):
        """Of more than two classes."""
        self.assertEqual(found["classes"], right.classes)
        features = right.d - constant
        for c in range(right.k):
            self.assert_close(found["weights"][c], [right.weights[j][c] for j in range(features)])
            self.assert_close([found["intercepts"][c]], [right.weights[-1][c] if constant else 0])

    def test_what_ends_too_early_is_said(self):
        samples, labels = [[1e150 * (k % 5 - 2)] for k in range(20)], [k % 5 // 3 for k in range(20)]
        path = self.file("large.csv", table(samples, labels))
        printed, _ = self.succeed("--data", path, "--label", "kind")
        self.assertIn("gradient 1 of the first; no step decreases the objective\n", printed)
        samples = [[x[0] / 1e150] for x in samples]
        for options in ([], ["--iterations", 1], ["--max-iterations", 1]):
            printed, _ = self.succeed("--data", self.file("usual.csv", table(samples, labels)), "--label", "kind", *options)
            self.assertNotIn("no step", printed)

    def test_every_way_of_running(self):
        samples, labels = random_samples(90, 3, [-1.0, 2.0, 7.0])
        path, right = self.file("samples.csv", table(samples, labels)), Reference(samples, labels, 0.7, 1).minimise()
        for options in OPTIONS:
            with self.subTest(options=options):
                found, report, printed = self.train("--data", path, "--label", "kind", "--l2", 0.7, "--intercept",
                                                    "--tolerance", 1e-9, *options)
                self.assert_model(found, right, 1)
                self.assert_close([report["series"]["objective"][-1]], [right.objective()], 1e-9)
                self.assertIn("90 samples, 3 features, 3 classes, ", printed)
                self.assertLess(report["iterations"], 12)

    def test_sparse_samples(self):
        samples, labels = random_samples(80, 4, [1.0, 2.0, 4.0])  # there is no class 3
        samples = [[x if (i + j) % 2 else 0.0 for j, x in enumerate(sample)] for i, sample in enumerate(samples)]
        path = self.file("samples.svm", sparse(samples, labels))
        for constant in (0, 1):
            right = Reference(samples, labels, 0.3, constant).minimise()
            for options in [], ["--fusion", "off"], ["--partition", "2d"]:
                with self.subTest(constant=constant, options=options):
                    found, _, _ = self.train("--data", path, "--l2", 0.3, "--tolerance", 1e-9, *options,
                                             *(["--intercept"] if constant else []))
                    self.assert_model(found, right, constant)

    def test_two_classes_and_predictions(self):
        samples, labels = random_samples(70, 2, [0.0, 5.0])
        further, of_further = random_samples(30, 2, [0.0, 5.0], seed=8)
        path, other = (self.file(name, table(*of)) for name, of in (("samples.csv", (samples, labels)),
                                                                    ("more.csv", (further, of_further))))
        right = Reference(samples, labels, 0.5, 1).minimise()
        accuracy, likelihood = right.predictions([([*x, 1.0], label) for x, label in zip(further, of_further)])
        found, _, printed = self.train("--data", path, "--label", 1, "--l2", 0.5, "--intercept", "--tolerance", 1e-9,
                                       "--predict", other)
        self.assert_close(found["weights"], [b - a for a, b in right.weights[:2]])
        self.assert_close(found["intercepts"], [right.weights[2][1] - right.weights[2][0]])
        again, _ = self.succeed("--model", self.folder / "weights.h5", "--predict", other, "--label", "kind")
        for text in (printed, again):
            first, second = [line for line in text.splitlines() if line.startswith(f"{other}: ")]
            self.assertIn(f": 30 samples, accuracy {accuracy:.7f}, AUC ", first)
            self.assert_close([float(second.split("log-likelihood ")[1].split(",")[0])], [likelihood])

    def test_a_label_that_is_no_class_is_never_predicted(self):
        samples, labels = random_samples(60, 2, [1.0, 2.0, 3.0])
        path = self.file("samples.csv", table(samples, labels))
        other = self.file("other.csv", table(samples[:2], [1.0, 9.0]))
        _, _, printed = self.train("--data", path, "--label", "kind", "--predict", other)
        self.assertIn(f"{other}: log-likelihood -inf, -inf a sample", printed)

    def test_constant_columns_and_separable_classes(self):
        samples = [[float(i), 3.0, 0.0] for i in range(20)]
        labels = [1.0] * 10 + [2.0] * 10
        path = self.file("samples.csv", table(samples, labels))
        for l2 in (1, 0):  # without a penalty there is no minimum, and the gradient tends to 0
            found, report, _ = self.train("--data", path, "--label", "kind", "--l2", l2, "--intercept", "--tolerance",
                                          1e-3, "--predict", path)
            self.assertLessEqual(report["series"]["gradient"][-1], 1e-3)
            self.assertEqual(found["weights"][2], 0)

    def test_weights_of_0_that_are_the_minimum(self):
        path = self.file("same.csv", "a,b,y\n1,1,0\n1,1,1\n1,1,0\n1,1,1\n")
        found, _, _ = self.train("--data", path, "--label", "y", "--intercept")
        self.assertEqual(found["weights"], [0, 0])

    def test_exactly_so_many_iterations(self):
        samples, labels = random_samples(40, 2, [1.0, 2.0, 3.0])
        path = self.file("samples.csv", table(samples, labels))
        for iterations in (0, 1, 25):  # long after nothing changes any more
            _, report, _ = self.train("--data", path, "--label", "kind", "--iterations", iterations)
            self.assertEqual(len(report["series"].get("objective", [])), iterations)

    def test_bad_input(self):
        samples, labels = random_samples(12, 2, [1.0, 2.0])
        good = self.file("good.csv", table(samples, labels))
        one = self.file("one.csv", table(samples, [3.0] * 12))
        nan = self.file("nan.csv", table([[1.0, math.nan]] * 2, [1.0, 2.0]))
        huge = self.file("huge.csv", table([[1e200, 1.0], [-1e200, 2.0], [1e200, -1.0]], [1.0, 2.0, 3.0]))
        many = self.file("many.csv", table([[1.0, 2.0]] * 1002, [i / 3 for i in range(1002)]))
        wide = self.file("wide.csv", table([[1.0, 2.0, 3.0]] * 2, [1.0, 2.0]))
        for arguments, message in (
            (["--data", one, "--label", "kind"], f"{one}: expected at least two different labels, found only 3"),
            (["--data", nan, "--label", "kind"], f"{nan}:2:"),
            (["--data", nan, "--label", "kind", "--allow-non-finite"], f"{nan}: the objective ("),
            (["--data", huge, "--label", "kind"], f"{huge}: the objective ("),
            (["--data", many, "--label", "kind"], f"{many}: there are more than 1000 different labels"),
            (["--data", good, "--label", "colour"], f"{good}: expected a column 'colour', found 3 columns: x0, "),
            (["--data", good, "--label", "kind", "--predict", wide], f"{wide}: expected 2 features, found 3"),
        ):
            with self.subTest(arguments=arguments):
                self.assertIn(message, self.fail_without_output(*arguments))
        for arguments, message in (([], "expected either --data or --model"),
                                   (["--model", self.folder / "none.h5"], "--model needs --predict")):
            run = self.run_program(*arguments)
            self.assertEqual(run.returncode, 2)
            self.assertIn(message, run.stderr)

    def test_real_data(self):
        """Iris, of which 147 flowers or more are told apart, and a9a, on which logistic regression is 0.85 right."""
        lines = self.data("clusters/iris.arff").read_text(encoding="utf-8").splitlines()
        rows = [line.split(",") for line in lines if line and line[0].isdigit()]
        names = sorted({row[-1] for row in rows})
        iris = self.file("iris.csv", table([list(map(float, row[:-1])) for row in rows],
                                           [float(names.index(row[-1])) for row in rows]))
        _, _, printed = self.train("--data", iris, "--label", "kind", "--l2", 0.1, "--intercept", "--predict", iris)
        self.assertGreater(float(printed.split("accuracy ")[1].split("\n")[0].split(",")[0]), 147 / 150 - 1e-6)
        _, _, printed = self.train("--data", self.data("libsvm/a9a"), "--intercept", "--predict",
                                   self.data("libsvm/a9a.t"), "--tolerance", 1e-3)
        self.assertGreater(float(printed.split("accuracy ")[1].split(",")[0]), 0.849)


if __name__ == "__main__":
    main(MultinomialTest)
