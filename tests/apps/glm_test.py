#!/usr/bin/env python3
"""glm seen from outside, against steps in plain loops and published figures. Usage: glm_test.py WORKERS COMMAND..."""
import json
import math
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from launched_program import LaunchedProgramTest, main, read_hdf5
from plain_models import dot, solved, sparse

OPTIONS = [
    [],
    ["--fusion", "off", "--sync", "lazy"],
    ["--fusion", "exact"],
    ["--sync", "eager", "--partition", "2d"],
    ["--partition", "hybrid-cut", "--storage", "blocked"],
]
CANONICAL = {"gaussian": "identity", "poisson": "log", "gamma": "inverse", "binomial": "logit"}


def normal(x):
    return math.erfc(-x / math.sqrt(2)) / 2


MEAN = {"identity": lambda s: s, "log": math.exp, "logit": lambda s: 1 / (1 + math.exp(-s)), "probit": normal,
        "inverse": lambda s: 1 / s}
SLOPE = {"identity": lambda s: 1.0, "log": math.exp, "logit": lambda s: MEAN["logit"](s) * (1 - MEAN["logit"](s)),
         "probit": lambda s: math.exp(-s * s / 2) / math.sqrt(2 * math.pi), "inverse": lambda s: -1 / (s * s)}
VARIANCE = {"gaussian": lambda m: 1.0, "poisson": lambda m: m, "gamma": lambda m: m * m,
            "binomial": lambda m: m * (1 - m)}


def times_log(y, ratio):
    return y * math.log(ratio) if y > 0 else 0.0


DEVIANCE = {
    "gaussian": lambda y, m: (y - m)**2,
    "poisson": lambda y, m: 2 * (times_log(y, y / m) - (y - m)),
    "gamma": lambda y, m: 2 * ((y - m) / m - math.log(y / m)),
    "binomial": lambda y, m: 2 * (times_log(y, y / m) + times_log(1 - y, (1 - y) / (1 - m))),
}


class Reference:
    """Weights with the constant's last; from weights that are nearly right, each step solved exactly."""

    def __init__(self, samples, targets, family, link, l2=0.0, constant=1):
        self.samples = [list(x) + [1.0] * constant for x in samples]
        self.targets, self.family, self.link = targets, family, link
        self.penalty = [l2] * (len(self.samples[0]) - constant) + [0.0] * constant

    def minimise(self, weights):
        w, d = list(weights), len(self.penalty)
        for _ in range(60):
            matrix = [[self.penalty[a] * (a == b) for b in range(d)] for a in range(d)]
            right = [-p * v for p, v in zip(self.penalty, w)]
            for x, y in zip(self.samples, self.targets):
                score = dot(x, w)
                mean, slope = MEAN[self.link](score), SLOPE[self.link](score)
                by = slope / VARIANCE[self.family](mean)
                for a in range(d):
                    right[a] += x[a] * by * (y - mean)
                    for b in range(d):
                        matrix[a][b] += x[a] * x[b] * by * slope
            step = solved(matrix, right)
            w = [v + s for v, s in zip(w, step)]
            if max(map(abs, step)) < 1e-11 * max(1, *map(abs, w)):
                self.weights = w
                return self
        raise AssertionError("no minimum")

    def deviance(self, samples=None, targets=None):
        samples = self.samples if samples is None else [[*x, 1.0] for x in samples]
        return math.fsum(DEVIANCE[self.family](y, MEAN[self.link](dot(x, self.weights)))
                         for x, y in zip(samples, targets or self.targets))


def made(family, link, count=120, seed=4):
    """Samples, targets, and the weights by which they were made, all means such as the family can have."""
    generator = random.Random(seed)
    weights = {"identity": [1.0, 0.5, 4.0], "log": [0.6, -0.4, 0.3], "logit": [1.2, -0.8, 0.2],
               "probit": [0.8, -0.5, 0.1], "inverse": [0.1, -0.05, 0.8]}[link]
    if (family, link) == ("binomial", "log"):
        weights = [0.3, -0.2, -1.5]
    if (family, link) == ("binomial", "identity"):
        weights = [0.1, -0.08, 0.5]
    samples = [[generator.uniform(-1, 1), generator.uniform(-1, 1)] for _ in range(count)]
    targets = []
    for x in samples:
        mean = MEAN[link](dot([*x, 1.0], weights))
        if family == "gaussian":
            targets.append(generator.gauss(mean, 0.3))
        elif family == "gamma":
            targets.append(generator.gammavariate(4, mean / 4))
        elif family == "binomial":
            targets.append(float(generator.random() < mean))
        else:
            limit, k, p = math.exp(-mean), 0, generator.random()
            while p > limit:
                k, p = k + 1, p * generator.random()
            targets.append(float(k))
    return samples, targets, weights


def table(samples, targets):
    names = [f"x{j}" for j in range(len(samples[0]))] + ["y"]
    return ",".join(names) + "\n" + "".join(",".join(map(repr, [*x, y])) + "\n" for x, y in zip(samples, targets))


class GlmTest(LaunchedProgramTest):
    CLOSE = 1e-5

    def fit(self, *arguments):
        """What was written, the report, and what was printed."""
        output, report = self.folder / "weights.h5", self.folder / "report.json"
        printed, _ = self.succeed("--output", output, "--report", report, "--verify", *arguments)
        report = json.loads(report.read_text(encoding="utf-8"))
        self.assertEqual(report["predicted"], report["measured"])
        self.assertIn("verified: objective within ", printed)
        found = read_hdf5(output)
        return found["weights"] + found["intercepts"], report, printed

    def deviance_of(self, printed):
        return float(printed.split("iterations, deviance ")[1].split(",")[0])

    def test_families_and_links(self):
        for family, link in (("gaussian", "identity"), ("gaussian", "log"), ("gaussian", "inverse"), ("poisson", "log"),
                             ("poisson", "identity"), ("gamma", "inverse"), ("gamma", "log"), ("gamma", "identity"),
                             ("binomial", "logit"), ("binomial", "probit"), ("binomial", "log"),
                             ("binomial", "identity")):
            with self.subTest(family=family, link=link):
                samples, targets, weights = made(family, link)
                path = self.file("samples.csv", table(samples, targets))
                right = Reference(samples, targets, family, link).minimise(weights)
                found, _, printed = self.fit("--data", path, "--label", "y", "--family", family, "--link",
                                             "canonical" if CANONICAL[family] == link else link, "--intercept",
                                             "--tolerance", 1e-12)
                self.assert_close(found, right.weights)
                self.assert_close([self.deviance_of(printed)], [right.deviance()], 1e-7)

    def test_every_way_of_running(self):
        samples, targets, weights = made("poisson", "log")
        samples = [[x if (i + j) % 3 else 0.0 for j, x in enumerate(sample)] for i, sample in enumerate(samples)]
        dense, few = self.file("samples.csv", table(samples, targets)), self.file("few.svm", sparse(samples, targets))
        for constant in (1, 0):
            right = Reference(samples, targets, "poisson", "log", 0.5, constant).minimise(weights[:2 + constant])
            for options in OPTIONS if constant else OPTIONS[:1]:
                for data in ([dense, "--label", 2], [few]):
                    with self.subTest(constant=constant, options=options, data=data):
                        found, report, printed = self.fit(
                            "--data", *data, "--family", "poisson", "--l2", 0.5, "--tolerance", 1e-12, *options,
                            *(["--intercept"] if constant else []))
                        self.assert_close(found, right.weights + [0.0] * (1 - constant))
                        self.assertIn("120 samples, 2 features, ", printed)
                        self.assertLess(report["iterations"], 12)

    def test_published_figures(self):
        """Counts of Dobson (An Introduction to Generalized Linear Models, 1990), page 93, and clotting times of
        McCullagh and Nelder, pages 300 to 302, as R's documentation of glm fits them."""
        counts = [18, 17, 15, 20, 10, 20, 25, 13, 12]
        rows = [[float(i % 3 == 1), float(i % 3 == 2), float(i // 3 == 1), float(i // 3 == 2)] for i in range(9)]
        path = self.file("dobson.csv", table(rows, list(map(float, counts))))
        found, _, printed = self.fit("--data", path, "--label", "y", "--family", "poisson", "--intercept",
                                     "--tolerance", 1e-12)
        self.assert_close(found, [-0.4542553, -0.2929871, 0.0, 0.0, 3.0445224], 1e-6)
        self.assert_close([self.deviance_of(printed)], [5.129141], 1e-6)
        self.assertIn("dispersion 1\n", printed)
        u, lot = [5, 10, 15, 20, 30, 40, 60, 80, 100], [118, 58, 42, 35, 27, 25, 21, 19, 18]
        path = self.file("clotting.csv", table([[math.log(x)] for x in u], list(map(float, lot))))
        found, _, printed = self.fit("--data", path, "--label", "y", "--family", "gamma", "--intercept",
                                     "--tolerance", 1e-12)
        self.assert_close(found, [0.01534311, -0.01655438], 1e-7)
        self.assert_close([self.deviance_of(printed), float(printed.split("dispersion ")[1])],
                          [0.01672967, 0.002446059], 1e-6)

    def test_two_labels_and_shares(self):
        """Of a binomial family: labels of two classes, or shares from 0 to 1."""
        samples, targets, weights = made("binomial", "logit")
        right = Reference(samples, targets, "binomial", "logit").minimise(weights)
        for labels in (targets, [3.0 if y else -1.0 for y in targets]):
            path = self.file("samples.csv", table(samples, labels))
            found, _, _ = self.fit("--data", path, "--label", "y", "--family", "binomial", "--intercept")
            self.assert_close(found, right.weights)
        shares = [0.25 + 0.5 * y for y in targets]
        right = Reference(samples, shares, "binomial", "logit").minimise(weights)
        path = self.file("shares.csv", table(samples, shares))
        found, _, _ = self.fit("--data", path, "--label", "y", "--family", "binomial", "--intercept")
        self.assert_close(found, right.weights)

    def test_predicts_further_samples(self):
        samples, targets, weights = made("binomial", "probit")
        further, of_further, _ = made("binomial", "probit", 40, seed=9)
        path, other = (self.file(name, table(*of)) for name, of in (("samples.csv", (samples, targets)),
                                                                    ("more.csv", (further, of_further))))
        right = Reference(samples, targets, "binomial", "probit").minimise(weights)
        how = ["--family", "binomial", "--link", "probit", "--label", "y", "--predict", other]
        _, _, printed = self.fit("--data", path, *how, "--intercept", "--tolerance", 1e-12)
        model = self.folder / "weights.h5"
        again, _ = self.succeed("--model", model, *how[4:])
        for option in (how[:2], how[2:4]):  # the model has its own
            run = self.run_program("--model", model, *how[4:], *option)
            self.assertEqual((run.returncode, f"{option[0]} excludes --model" in run.stderr), (2, True), run.stderr)
        means = [normal(dot([*x, 1.0], right.weights)) for x in further]
        hits = sum((m > 0.5) == (y > 0.5) for m, y in zip(means, of_further)) / 40
        squares = math.fsum((y - m)**2 for m, y in zip(means, of_further)) / 40
        for text in (printed, again):
            line = next(line for line in text.splitlines() if line.startswith(f"{other}: 40 samples, deviance "))
            self.assert_close([float(line.split("deviance ")[1].split(",")[0])], [right.deviance(further, of_further)])
            self.assert_close([float(line.split("error ")[1].split(",")[0])], [squares])
            self.assertTrue(line.endswith(f", accuracy {hits:.7f}"))

    def test_labels_stand_for_what_they_did_in_the_samples(self):
        """Also where further samples have one of them only."""
        samples, targets, _ = made("binomial", "logit")
        path = self.file("samples.csv", table(samples, [y + 1 for y in targets]))
        how = ["--family", "binomial", "--label", "y"]
        for label in (0.0, 1.0):
            some = [x for x, y in zip(samples, targets) if y == label]
            plain = self.file("plain.csv", table(samples, targets))
            of_plain, of_shifted = (self.file(name, table(some, [label + by] * len(some)))
                                    for name, by in (("some.csv", 0), ("shifted.csv", 1)))
            lines = []
            for data, further in ((plain, of_plain), (path, of_shifted)):
                _, _, printed = self.fit("--data", data, *how, "--predict", further)
                again, _ = self.succeed("--model", self.folder / "weights.h5", *how[2:], "--predict", further)
                lines += [text[text.index(f"{further}: "):].split(": ")[1].splitlines()[0] for text in (printed, again)]
            self.assertEqual(len(set(lines)), 1, lines)
        other = self.file("other.csv", table(samples[:2], [0.0, 3.0]))
        self.assertIn("expected the labels 1 and 2", self.fail_without_output("--data", path, *how, "--predict", other))

    def test_constant_columns_and_columns_that_are_equal(self):
        """Among weights that fit alike, conjugate gradients find some; means are those of the others."""
        samples, targets, weights = made("gaussian", "identity")
        right = Reference(samples, targets, "gaussian", "identity").minimise(weights)
        path = self.file("samples.csv", table([[*x, x[0], 7.0, 0.0] for x in samples], targets))
        found, _, printed = self.fit("--data", path, "--label", "y", "--intercept")
        self.assert_close([found[0] + found[2], found[1], 7 * found[3] + found[5]], right.weights)
        self.assertEqual(found[4], 0)
        self.assert_close([self.deviance_of(printed)], [right.deviance()], 1e-7)

    def test_more_features_than_samples(self):
        """The fit is exact: nothing is left but rounding."""
        generator = random.Random(4)
        path = self.file("wide.csv", table([[generator.gauss(0, 1) for _ in range(20)] for _ in range(8)],
                                           [generator.gauss(0, 1) for _ in range(8)]))
        _, _, printed = self.fit("--data", path, "--label", "y", "--intercept")
        self.assertLess(self.deviance_of(printed), 1e-12)
        self.assertIn("dispersion nan", printed)

    def test_separable_classes_and_many_iterations(self):
        path = self.file("samples.csv", table([[float(i)] for i in range(20)], [float(i > 9) for i in range(20)]))
        found, _, printed = self.fit("--data", path, "--label", "y", "--family", "binomial", "--intercept", "--predict",
                                     path)
        self.assertTrue(all(map(math.isfinite, found)))
        self.assertIn("accuracy 1.0000000", printed)
        samples, targets, _ = made("gamma", "log")
        path = self.file("gamma.csv", table(samples, targets))
        for iterations in (0, 25):  # long after nothing changes any more
            _, report, _ = self.fit("--data", path, "--label", "y", "--family", "gamma", "--link", "log", "--intercept",
                                    "--iterations", iterations)
            self.assertEqual(len(report["series"].get("objective", [])), iterations)

    def test_no_iterations(self):
        for family, link in (("gaussian", "identity"), ("poisson", "identity"), ("binomial", "logit")):
            path = self.file("samples.csv", table(*made(family, link)[:2]))
            self.fit("--data", path, "--label", "y", "--family", family, "--link", link, "--iterations", 0)

    def test_bad_input(self):
        samples, targets, _ = made("gaussian", "identity", 12)

        def file(name, labels, columns=samples):
            return self.file(name, table(columns, labels))
        good, zero = file("good.csv", targets), file("zero.csv", [0.0] * 12)
        below, three = file("below.csv", [-1.0, *targets[1:]]), file("three.csv", [1.0, 2.0, 3.0] * 4)
        nan, huge = file("nan.csv", [math.nan] * 12), file("huge.csv", targets, [[1e200, -1e200]] * 12)
        family = ["--label", "y", "--family"]
        for arguments, message in (
            ([below, *family, "poisson"], f"{below}: there are labels below 0, which a Poisson family does not have"),
            ([zero, *family, "gamma"], f"{zero}: there are labels that are not above 0, which a gamma family does not"),
            ([three, *family, "binomial"], f"{three}: expected labels from 0 to 1, or two of them, for a binomial"),
            ([zero, *family, "binomial"], f"{zero}: the mean of the labels is 0, which the family and link cannot"),
            ([zero, *family, "poisson"], f"{zero}: the mean of the labels is 0, which the family and link cannot"),
            ([zero, *family, "gaussian", "--link", "inverse"], f"{zero}: the mean of the labels is 0, which the"),
            ([nan, *family, "gaussian"], f"{nan}:2:"),
            ([nan, *family, "gaussian", "--allow-non-finite"], f"{nan}: there are labels that are not finite"),
            ([huge, *family, "gaussian"], f"{huge}: no weights were found with which all means are such as"),
            ([good, "--label", "z"], f"{good}: expected a column 'z', found 3 columns: x0, x1, y"),
        ):
            with self.subTest(arguments=arguments):
                self.assertIn(message, self.fail_without_output("--data", *arguments))
        for arguments, message in (([], "expected either --data or --model"),
                                   (["--data", good, "--family", "gamma", "--link", "logit"],
                                    "--link logit and probit are of --family binomial")):
            run = self.run_program(*arguments)
            self.assertEqual(run.returncode, 2)
            self.assertIn(message, run.stderr)

    def test_real_data(self):
        """a9a, on which linear classifiers are 0.85 right."""
        _, _, printed = self.fit("--data", self.data("libsvm/a9a"), "--intercept", "--family", "binomial", "--link",
                                 "probit", "--predict", self.data("libsvm/a9a.t"), "--l2", 1)
        self.assertGreater(float(printed.split("accuracy ")[1].split("\n")[0]), 0.848)


if __name__ == "__main__":
    main(GlmTest)
