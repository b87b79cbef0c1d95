#!/usr/bin/env python3
"""lbfgs seen from outside, against the objective by its definition. Usage: lbfgs_test.py WORKERS COMMAND..."""
import json
import math
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from launched_program import LaunchedProgramTest, compose_hdf5, main, read_hdf5

SAMPLES, FEATURES = 50, 9
MODES = [
    ["--fusion", "off", "--sync", "lazy"],
    ["--fusion", "exact", "--search-budget", "50"],
    ["--sync", "eager", "--partition", "block"],
    ["--sync", "lazy", "--partition", "2d", "--roles", "off"],
    ["--partition", "hybrid-cut", "--threshold", "3"],
    ["--partition", "row"],
]


def sparse_samples(classes, seed, count=SAMPLES):
    """(label, {feature: value}) with labels that the features say something about; some samples are empty."""
    generator = random.Random(seed)
    samples = []
    for k in range(count):
        row = {j: round(generator.uniform(-2, 2), 3) for j in generator.sample(range(FEATURES), generator.randrange(5))}
        best = max(range(len(classes)), key=lambda c: sum(v * math.sin(3 * c + j) for j, v in row.items()))
        samples.append((classes[k % len(classes)] if generator.random() < 0.2 else classes[best], row))
    return samples


def as_libsvm(samples):
    return "".join(" ".join([f"{label:g}"] + [f"{j + 1}:{v}" for j, v in sorted(row.items())]) + "\n"
                   for label, row in samples)


def score(weights, intercept, row):
    return intercept + sum(v * weights[j] for j, v in row.items() if j < len(weights))


LOSSES = {
    "logistic": (lambda m: max(-m, 0) + math.log1p(math.exp(-abs(m))), lambda m: -1 / (1 + math.exp(m))),
    "squared": (lambda m: (1 - m) ** 2 / 2, lambda m: m - 1),
    "squared-hinge": (lambda m: max(0, 1 - m) ** 2, lambda m: -2 * max(0, 1 - m)),
}


def objective(signed, weights, intercept, loss, l2, l1):
    """`signed` samples have the labels -1 and 1."""
    value, _ = LOSSES[loss]
    return (sum(value(y * score(weights, intercept, row)) for y, row in signed) +
            sum(l2 / 2 * w * w + l1 * abs(w) for w in weights))


def far_from_minimum(signed, weights, intercept, loss, l2, l1, has_intercept):
    """The norm of what is left of the gradient, by the conditions of a minimum."""
    _, slope = LOSSES[loss]
    gradient, of_intercept = [l2 * w for w in weights], 0
    for y, row in signed:
        u = y * slope(y * score(weights, intercept, row))
        of_intercept += u
        for j, v in row.items():
            gradient[j] += u * v
    left = [g + math.copysign(l1, w) if w else max(abs(g) - l1, 0) for g, w in zip(gradient, weights)]
    return math.hypot(*left, of_intercept if has_intercept else 0)


def signed(samples, positive):
    return [(1 if label == positive else -1, row) for label, row in samples]


def area_under_curve(scores, positives):
    pairs = [(a, b) for a, p in zip(scores, positives) for b, q in zip(scores, positives) if p and not q]
    return sum(1 if a > b else 0.5 if a == b else 0 for a, b in pairs) / len(pairs)


class LbfgsTest(LaunchedProgramTest):
    def setUp(self):
        super().setUp()
        self.samples = sparse_samples([2, 5], seed=1)
        self.svm = self.file("data.svm", as_libsvm(self.samples))

    def train(self, *arguments, data=None):
        """Lines that were printed, and columns of the weights by name."""
        path = self.folder / "weights.tsv"
        out, _ = self.succeed("--data", data or self.svm, "--history", 4, "--output", path, "--max-iterations", 500,
                              *arguments)
        header, *lines = path.read_text(encoding="utf-8").splitlines()
        columns = zip(*([float(number) for number in line.split("\t")] for line in lines))
        return out.splitlines(), dict(zip(header.split("\t"), map(list, columns)))

    def test_minima(self):
        """Every loss, penalty and mode ends at a point that meets the conditions of a minimum."""
        for k, (loss, options) in enumerate((loss, options) for loss in LOSSES
                                            for options in ([], ["--l1", "0.8"], ["--intercept"])):
            mode = MODES[k % len(MODES)]
            if self.workers > 2 and k % 2:
                continue  # slow where workers share cores
            with self.subTest(loss=loss, options=options, mode=mode):
                l1 = 0.8 if "--l1" in options else 0.0
                arguments = ["--loss", loss, "--l2", 0.5, "--tolerance", 1e-8, *options]
                (line, verified, _), columns = self.train(*arguments, "--verify", *mode)
                self.assertRegex(verified, "^verified: objective within ")
                if "--intercept" in options:
                    continue  # text has no intercept; verified above
                weights, given = columns["weights"], signed(self.samples, 5)
                first = far_from_minimum(given, [0] * FEATURES, 0, loss, 0.5, l1, False)
                self.assertLess(far_from_minimum(given, weights, 0, loss, 0.5, l1, False), 1.1e-8 * first)
                expected = objective(given, weights, 0, loss, 0.5, l1)
                self.assertAlmostEqual(float(line.split()[1].rstrip(",")), expected, delta=1e-9 * expected)
                if l1:
                    self.assertIn(0.0, weights)
                    self.assertTrue(any(weights))

    def test_modes_agree(self):
        """Down to what is sent and what the report says."""
        for options in ([], ["--l1", "0.8"]):
            objectives = []
            for mode in [[], *MODES[:2 if options and self.workers > 2 else None]]:
                report = self.report("--data", self.svm, "--history", 3, "--max-iterations", 9, *options, *mode)
                self.assertEqual(report["predicted"], report["measured"])
                self.assertEqual(report["measured"]["bytes_sent"] > 0, self.workers > 1)
                self.assertEqual(set(report["series"]), {"objective", "gradient norm"})
                self.assertEqual([len(values) for values in report["series"].values()], [report["iterations"]] * 2)
                series = report["series"]["objective"]
                self.assertEqual(series, sorted(series, reverse=True))
                objectives.append(series[-1])
            for other in objectives:
                self.assertAlmostEqual(other, objectives[0], delta=1e-9 * objectives[0])

    def test_iterations_are_as_asked_for(self):
        for options in ([], ["--l1", "0.5"]):
            for count in (0, 1, 4):
                report = self.report("--data", self.svm, "--iterations", count, "--history", 2, *options)
                self.assertEqual(report["iterations"], count)
        most = self.report("--data", self.svm, "--iterations", 80, "--history", 2, "--intercept")  # far beyond the end
        self.assertEqual(most["iterations"], 80)
        self.assertLess(most["series"]["gradient norm"][-1], 1e-5 * most["series"]["gradient norm"][0])

    def test_intercept(self):
        weights_file = self.folder / "weights.h5"
        self.succeed("--data", self.svm, "--intercept", "--tolerance", 1e-9, "--output", weights_file)
        content = read_hdf5(weights_file)
        self.assertEqual(content["classes"], [2, 5])
        left = far_from_minimum(signed(self.samples, 5), content["weights"], content["intercepts"][0], "logistic", 1, 0,
                                True)
        self.assertLess(left, 1e-6)

    def test_tables(self):
        """The same numbers in a table, with the labels in any column."""
        _, expected = self.train("--tolerance", 1e-9)
        rows = [[row.get(j, 0) for j in range(FEATURES)] for _, row in self.samples]
        for label, at, names in (("kind", 4, True), ("0", 0, False), (str(FEATURES), FEATURES, False)):
            lines = [[str(v) for v in row[:at]] + [str(kind)] + [str(v) for v in row[at:]]
                     for (kind, _), row in zip(self.samples, rows)]
            header = [f"f{j}" for j in range(FEATURES)]
            if names:
                lines.insert(0, header[:at] + ["kind"] + header[at:])
            table = self.file("table.csv", "".join(",".join(line) + "\n" for line in lines))
            out, columns = self.train("--label", label, "--tolerance", 1e-9, "--verify", data=table)
            self.assertEqual(len(out), 3)
            for a, b in zip(columns["weights"], expected["weights"], strict=True):
                self.assertAlmostEqual(a, b, delta=1e-7)

    def test_several_classes(self):
        """One against the rest: as if each class was trained alone."""
        kinds = [-1, 0, 2, 7, 8, 11]
        samples = sparse_samples(kinds, seed=3, count=70)
        data = self.file("kinds.svm", as_libsvm(samples))
        other = self.file("other.svm", as_libsvm(sparse_samples(kinds, seed=4, count=30)))
        for options in (["--intercept"], ["--l1", "0.3"])[:1 if self.workers > 2 else 2]:
            out, columns = self.train("--tolerance", 1e-8, "--verify", "--predict", other, *options, data=data)
            self.assertEqual(list(columns), [f"weights_{k}" for k in range(6)])
            self.assertEqual([line.split(":")[0] for line in out[:6]], [f"class {kind}" for kind in kinds])
            self.assertRegex(out[6], r"other.svm: 30 samples, accuracy [01]\.\d+$")
            self.assertTrue(out[7].startswith("verified: "))
            for k in (0, 5):
                alone = self.file("alone.svm", as_libsvm(signed(samples, kinds[k])))
                (line, *_), expected = self.train("--tolerance", 1e-8, *options, data=alone)
                self.assertAlmostEqual(float(line.split()[1].rstrip(",")), float(out[k].split()[3].rstrip(",")), delta=1e-8)
                for a, b in zip(columns[f"weights_{k}"], expected["weights"], strict=True):
                    self.assertAlmostEqual(a, b, delta=1e-6)
        weights_file = self.folder / "weights.h5"
        self.succeed("--data", data, "--output", weights_file, "--quiet", "--max-iterations", 3)
        content = read_hdf5(weights_file)
        self.assertEqual(content["classes"], kinds)
        flat = [v for row in content["weights"] for v in (row if isinstance(row, list) else [row])]
        self.assertEqual((len(flat), len(content["intercepts"])), (6 * FEATURES, 6))

    def test_a_class_that_starts_at_its_minimum(self):
        """It keeps its weights, whatever the others do, and holds up no other."""
        halves = self.file("halves.svm", "1\n2\n2\n3\n")  # the best constant for class 2 is 0
        for options in ([], ["--l1", 1]):
            for last in ([], ["--iterations", 3]):
                out, _ = self.succeed("--data", halves, "--intercept", "--verify", "--history", 2, *options, *last)
                one, two, three, verified, _ = out.splitlines()
                self.assertEqual(two, f"class 2: objective {4 * math.log(2):.12g}, gradient 0 of the first")
                self.assertTrue(verified.startswith("verified: "))
                if not last:
                    for line in (one, three):  # a quarter of the samples, so -log(3) is the best constant
                        self.assertAlmostEqual(float(line.split()[3].rstrip(",")),
                                               4 * math.log(4) - 3 * math.log(3), delta=1e-9)
        flat = self.file("flat.svm", "1 1:1\n2 2:1\n2 2:-1\n3 1:2\n")
        out, _ = self.succeed("--data", flat, "--loss", "squared", "--intercept", "--l1", 3, "--verify", "--history", 2)
        self.assertIn("class 2: objective 2, gradient 0 of the first", out)

    def test_predictions(self):
        """Of samples with more features than were trained, or fewer."""
        samples = sparse_samples([2, 5], seed=5, count=40) + [(5, {0: 1.0, FEATURES + 4: 3.0}), (2, {})]
        few = [(label, {j: v for j, v in row.items() if j < 3}) for label, row in samples]
        for given in (samples, few):
            out, columns = self.train("--predict", self.file("more.svm", as_libsvm(given)))
            scores = [score(columns["weights"], 0, row) for _, row in given]
            right = sum((5 if s > 0 else 2) == label for s, (label, _) in zip(scores, given))
            auc = area_under_curve(scores, [label == 5 for label, _ in given])
            self.assertTrue(out[1].endswith(f"more.svm: {len(given)} samples, accuracy {right / len(given):.7f}, "
                                            f"AUC {auc:.7f}"), (out[1], right / len(given), auc))

    def test_models_from_files(self):
        """What was written predicts as what was trained."""
        kinds = [1, 2, 3, 4, 5]
        more = self.file("more.svm", as_libsvm(sparse_samples(kinds, seed=6, count=30)))
        model = self.folder / "model.h5"
        for classes, options in (([2, 5], ["--intercept"]), (kinds, []), (kinds, ["--labels", "numbers"])):
            data = self.file("data.svm", as_libsvm(sparse_samples(classes, seed=7)))
            options = [*options, "--predict", data if len(classes) == 2 else more]
            out, _ = self.succeed("--data", data, "--loss", "squared", "--history", 2, "--output", model, *options)
            (trained,) = (line for line in out.splitlines() if " samples, accuracy " in line or "squared error" in line)
            out, _ = self.succeed("--model", model, *(option for option in options if option != "--intercept"))
            self.assertEqual(out.splitlines(), [trained])
        run = self.run_program("--model", model, "--predict", more)
        self.assertEqual((run.returncode, run.stderr.count("error: ")), (1, 1), run.stderr)
        self.assertIn("model.h5: found a model of labels that are numbers, expected one of classes", run.stderr)
        self.succeed("--data", data, "--output", model)
        run = self.run_program("--model", model, "--labels", "numbers", "--predict", more)
        self.assertIn("model.h5: found a model of classes, expected one of labels that are numbers", run.stderr)

    def test_parts_of_models_that_do_not_fit_are_refused(self):
        two, three, mixed = self.folder / "two.h5", self.folder / "three.h5", self.folder / "mixed.h5"
        for classes, path in (([2, 5], two), ([1, 2, 3], three)):
            data = self.file("data.svm", as_libsvm(sparse_samples(classes, seed=7)))
            self.succeed("--data", data, "--max-iterations", 2, "--intercept", "--output", path)
        misfit = "weights, intercepts and classes do not fit together"
        for model, name, other, message in (
                (two, "classes", (two, "intercepts"), "expected two classes or more, found 1"),
                (two, "classes", (three, "classes"), misfit),
                (two, "intercepts", (two, "classes"), misfit),
                (three, "weights", (two, "classes"), misfit)):
            with self.subTest(model=model, name=name):
                whole = {part: (model, part) for part in ("weights", "intercepts", "classes")}
                compose_hdf5(mixed, {**whole, name: other})
                run = self.run_program("--model", mixed, "--predict", data)
                self.assertEqual((run.returncode, run.stderr.count("error: ")), (1, 1), run.stderr)
                self.assertIn(f"{mixed}: {message}", run.stderr)
        self.succeed("--model", compose_hdf5(mixed, whole), "--predict", data)

    def test_labels_as_numbers(self):
        samples = [(3 * row.get(0, 0) - row.get(4, 0) + 1.5, row) for _, row in self.samples]
        data = self.file("numbers.svm", as_libsvm(samples))
        out, columns = self.train("--labels", "numbers", "--loss", "squared", "--l2", 0, "--intercept", "--tolerance", 1e-12,
                                  "--predict", data, "--verify", data=data)
        for j, weight in enumerate(columns["weights"]):
            self.assertAlmostEqual(weight, {0: 3, 4: -1}.get(j, 0), delta=1e-3)  # labels have six digits
        self.assertLess(float(out[1].split()[-1]), 1e-6)
        run = self.run_program("--data", data, "--labels", "numbers", "--loss", "logistic")
        self.assertEqual((run.returncode, run.stderr.count("error: ")), (2, 1))
        self.assertIn("error: --labels numbers needs --loss squared", run.stderr)

    def test_tiny(self):
        """Fewer samples than workers; features that say nothing; no step at all."""
        for text, gradient in (("-1 1:1\n1 2:1\n", None), ("0\n1\n", 0), ("0 1:1\n1 1:1\n", 0)):
            with self.subTest(text=text):
                data = self.file("tiny.svm", text)
                out, _ = self.succeed("--data", data, "--columns", 2, "--verify", "--history", 2)
                if gradient is not None:
                    self.assertIn("gradient 0 of the first", out)
                    self.assertIn(f"objective {2 * math.log(2):.12g},", out)

    def test_what_ends_too_early_is_said(self):
        for scale, options, stuck in ((1e150, ["--l1", 1], True), (1, ["--l1", 1], False), (1e150, [], False),
                                      (1, ["--max-iterations", 1], False)):
            with self.subTest(scale=scale, options=options):
                text = "".join(f"{k % 5 // 3 * 2 - 1} 1:{scale * (k % 5 - 2)}\n" for k in range(20))
                out, _ = self.succeed("--data", self.file("samples.svm", text), *options)
                self.assertEqual("gradient 1 of the first; no step decreases the objective" in out, stuck)
                self.assertEqual("no step" in out, stuck)

    def test_failures_leave_no_output(self):
        self.assertIn("none.svm: ", self.fail_without_output("--data", self.svm, "--predict", self.folder / "none.svm"))
        huge = self.file("huge.svm", "1 1:1e200\n-1 1:-1e200\n")
        for options in ([], ["--l1", 1], ["--verify"], ["--loss", "squared", "--labels", "numbers"]):
            self.assertRegex(self.fail_without_output("--data", huge, *options),
                             r"huge.svm: the objective \(.*\) or the norm of its gradient \(.*\) is not finite: ")

    def test_bad_input(self):
        one = self.file("one.svm", "1 1:1\n1 2:1\n")
        table = self.file("table.csv", "1,2,3\n4,5,6\n")
        infinite = self.file("infinite.svm", "inf 1:1\n1 2:1\n")
        for arguments, status, message in (
            ([one], 1, "one.svm: expected at least two different labels, found only 1"),
            ([self.file("empty.svm", "")], 1, "empty.svm: "),
            ([self.folder / "none.svm"], 1, "none.svm: "),
            ([self.file("bad.svm", "1 1:1\n-1 0:x\n")], 1, "bad.svm:2:"),
            ([infinite, "--allow-non-finite"], 1, "infinite.svm: there are labels that are not finite"),
            ([self.file("graph.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 3\n")], 1,
             "graph.mtx: there are no labels"),
            ([table, "--label", "price"], 1, "table.csv: expected a column 'price', found 3 columns"),
            ([table, "--label", "3"], 1, "table.csv: expected a column '3', found 3 columns"),
            ([self.svm, "--predict", self.folder / "none.svm", "--max-iterations", 1], 1, "none.svm: "),
            ([self.svm, "--predict", self.file("wide.csv", "1,2,3\n"), "--max-iterations", 1], 1, "wide.csv"),
            ([self.svm, "--loss", "hinge"], 2, "--loss"),
            ([self.svm, "--l2", "-1"], 2, "--l2"),
            ([self.svm, "--history", "0"], 2, "--history"),
            ([self.svm, "--output", self.folder / "no" / "weights.h5", "--max-iterations", 1], 1, "weights.h5: "),
            ([], 2, "--data"),
            ([self.svm, "--model", self.folder / "none.h5"], 2, "--model"),
            ([self.svm, "--model", self.folder / "none.h5", "--l2", 3], 2, "--l2 excludes --model"),
            ([self.svm, "--model", self.folder / "none.h5", "--columns", 3], 2, "--model excludes --columns"),
        ):
            with self.subTest(arguments=arguments):
                run = self.run_program(*(["--data", *arguments] if arguments else []))
                self.assertEqual(run.returncode, status, run.stderr)
                self.assertEqual(run.stderr.count("error: "), 1, run.stderr)
                self.assertIn(message, run.stderr)

    def test_a9a(self):
        if self.workers > 2:
            self.skipTest("one and two workers do")
        samples, further = self.data("libsvm/a9a"), self.data("libsvm/a9a.t")
        for l2, tolerance, expected in ((1, 1e-6, 10529.56258), (0.1, 1e-6, 10508.83453)):
            out, _ = self.succeed("--data", samples, "--l2", l2, "--tolerance", tolerance, "--max-iterations", 2000,
                                  "--predict", further)
            self.assertAlmostEqual(float(out.split()[1].rstrip(",")), expected, delta=1e-7 * expected)
            if l2 == 1:
                self.assertIn("16281 samples, accuracy 0.8498864, AUC 0.90222", out)


if __name__ == "__main__":
    main(LbfgsTest)
