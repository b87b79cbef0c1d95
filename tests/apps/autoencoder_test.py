#!/usr/bin/env python3
"""autoencoder seen from outside, against training in plain loops. Usage: autoencoder_test.py WORKERS COMMAND..."""
import json
import math
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from launched_program import LaunchedProgramTest, compose_hdf5, main, read_hdf5
from plain_random import random_unit

OPTIONS = [
    [],
    ["--fusion", "off", "--sync", "lazy"],
    ["--fusion", "exact"],
    ["--sync", "eager"],
    ["--threads", 2],
    ["--passes=-rotate,-in-place"],
]


class Reference:
    """Layers of weights, a row for each number that they get and one for the constant."""

    def __init__(self, samples, hidden, activation="tanh", seed=1):
        self.raw, self.activation, n = samples, activation, len(samples)
        self.mean = [math.fsum(column) / n for column in zip(*samples)]
        self.deviation = []
        for column, mean in zip(zip(*samples), self.mean):
            deviation = math.sqrt(math.fsum((x - mean)**2 for x in column) / n)
            self.deviation.append(deviation if deviation > 1e-12 * abs(mean) else 1.0)
        self.samples = self.scaled(samples)
        d = len(self.mean)
        widths = [d, hidden[0], hidden[1], hidden[0], d]
        self.weights, self.change = [], []
        for l, (before, after) in enumerate(zip(widths, widths[1:])):
            most = math.sqrt(6 / (before + after))
            self.weights.append([[most * (2 * random_unit(seed + l, i * after + j) - 1) for j in range(after)]
                                 for i in range(before)] + [[0.0] * after])
            self.change.append([[0.0] * after for _ in range(before + 1)])

    def scaled(self, samples):
        return [[(x - m) / s for x, m, s in zip(sample, self.mean, self.deviation)] for sample in samples]

    def made(self, sample):
        """What each layer makes, the sample first."""
        made = [sample]
        for l, layer in enumerate(self.weights):
            sums = [math.fsum(x * row[j] for x, row in zip(made[-1] + [1.0], layer)) for j in range(len(layer[0]))]
            bend = math.tanh if self.activation == "tanh" else lambda x: 1 / (1 + math.exp(-x))
            made.append(sums if l + 1 == len(self.weights) else [bend(x) for x in sums])
        return made

    def objective(self, samples):
        return math.fsum((y - x)**2 for s in samples for x, y in zip(s, self.made(s)[-1])) / 2 / len(samples)

    def gradient(self, samples):
        total = [[[0.0] * len(row) for row in layer] for layer in self.weights]
        for sample in samples:
            made = self.made(sample)
            by = [y - x for x, y in zip(sample, made[-1])]
            for l in reversed(range(len(self.weights))):
                for i, x in enumerate(made[l] + [1.0]):
                    for j, b in enumerate(by):
                        total[l][i][j] += x * b
                slope = (lambda y: 1 - y * y) if self.activation == "tanh" else (lambda y: y * (1 - y))
                by = [slope(y) * math.fsum(w * b for w, b in zip(row, by)) for y, row in zip(made[l], self.weights[l])]
        return total

    def train(self, batch, epochs, step, decay, momentum):
        """The objective of each batch before its step."""
        count, found = len(self.samples) // batch, []
        for epoch in range(epochs):
            for b in range(count):
                some = self.samples[b:count * batch:count]
                found.append(self.objective(some))
                gradient = self.gradient(some)
                for weights, change, by in zip(self.weights, self.change, gradient):
                    for i, row in enumerate(by):
                        for j, g in enumerate(row):
                            change[i][j] = momentum * change[i][j] - step * decay**epoch / batch * g
                            weights[i][j] += change[i][j]
        return found


def random_samples(count, columns, seed=5):
    """Points near a curve."""
    generator = random.Random(seed)
    along = [generator.uniform(-2, 2) for _ in range(count)]
    return [[3 * c + math.sin(t * (c + 1) / 2) + generator.gauss(0, 0.05) for c in range(columns)] for t in along]


def text_of(rows):
    return "".join(",".join(map(repr, row)) + "\n" for row in rows)


class AutoencoderTest(LaunchedProgramTest):
    CLOSE = 1e-8

    def fit(self, samples, *arguments):
        """What was written, the report, and what was printed."""
        path = samples if isinstance(samples, pathlib.Path) else self.file("samples.csv", text_of(samples))
        output, report = self.folder / "encoder.h5", self.folder / "report.json"
        printed, _ = self.succeed("--data", path, "--output", output, "--report", report, "--verify", *arguments)
        report = json.loads(report.read_text(encoding="utf-8"))
        self.assertEqual(report["predicted"], report["measured"])
        return read_hdf5(output), report, printed

    def assert_weights(self, found, right):
        self.assert_close(found["mean"] + found["deviation"], right.mean + right.deviation)
        for l, layer in enumerate(right.weights):
            self.assert_close(sum(found[f"weights{l + 1}"], []), sum(layer, []))

    def test_every_way_of_running(self):
        samples = random_samples(43, 4)
        right = Reference(samples, (5, 2))
        objectives = right.train(8, 3, 0.1, 0.9, 0.5)
        for options in OPTIONS:
            with self.subTest(options=options):
                found, report, printed = self.fit(samples, "--hidden", "5,2", "--batch", 8, "--epochs", 3, "--step", 0.1,
                                                  "--decay", 0.9, "--momentum", 0.5, *options)
                self.assert_weights(found, right)
                self.assert_close(report["series"]["objective"], objectives)
                self.assertEqual(len(report["series"]["step"]), 15)
                self.assertIn("verified: means and deviations off by ", printed)
                self.assertIn(f"43 samples, 4 columns, 5,2 hidden, {self.workers} worker", printed)
                self.assert_close([float(printed.split("objective ")[-1])], [right.objective(right.samples)])
                for code, sample in zip(found["codes"], right.samples, strict=True):
                    self.assert_close(code, right.made(sample)[2])

    def test_sigmoid_and_all_samples_at_once(self):
        samples = random_samples(19, 3)
        right = Reference(samples, (4, 1), "sigmoid", seed=7)
        right.train(19, 2, 0.5, 0.95, 0.9)
        found, _, _ = self.fit(samples, "--hidden", "4,1", "--activation", "sigmoid", "--epochs", 2, "--step", 0.5,
                               "--seed", 7)
        self.assert_weights(found, right)
        self.assertEqual(found["sigmoid"], [1])

    def test_gradients_are_differences(self):
        """One step without momentum, beside differences of the objective: of the program's own plain loop none is left."""
        samples = random_samples(12, 3)
        right = Reference(samples, (3, 2))
        found, _, _ = self.fit(samples, "--hidden", "3,2", "--epochs", 1, "--step", 1)
        small = 1e-5
        for l, layer in enumerate(right.weights):
            for i, row in enumerate(layer):
                for j, first in enumerate(row):
                    beside = []
                    for off in small, -small:
                        row[j] = first + off
                        beside.append(right.objective(right.samples))
                    row[j] = first
                    slope = (beside[0] - beside[1]) / (2 * small)
                    self.assertLess(abs(first - found[f"weights{l + 1}"][i][j] - slope), 1e-8)

    def test_it_learns(self):
        """What lies along a curve is nearly all in one number."""
        found, report, printed = self.fit(random_samples(400, 3), "--hidden", "12,1", "--batch", 20, "--epochs", 60)
        objectives = report["series"]["objective"]
        self.assertLess(sum(objectives[-20:]) / 20, 0.25 * sum(objectives[:20]) / 20)
        self.assertLess(float(printed.split("objective ")[-1]), 0.25)
        self.assertEqual(len(found["codes"]), 400)

    def test_constant_columns_and_one_sample(self):
        samples = [[x, 0.1, y] for x, y, _ in random_samples(30, 3)]
        found, _, _ = self.fit(samples, "--hidden", "2,1", "--batch", 10)
        self.assertEqual(found["deviation"][1], 1)
        self.fit([[7.0, -1.0]], "--hidden", "2,1", "--epochs", 1)

    def test_constant_columns_of_large_numbers_are_left_out(self):
        for constant in (1700000000123456789.0, 123456789012345680.0, 1e20, 1e100, 0.1):
            samples = [[constant, x, y] for x, y, _ in random_samples(200, 3)]
            found, _, printed = self.fit(samples, "--hidden", "2,1", "--batch", 10)
            self.assertEqual((found["mean"][0], found["deviation"][0]), (constant, 1))
            self.assertLess(float(printed.split("objective ")[-1]), 2)  # with nothing learnt it is 1 for both columns

    def test_numbers_without_a_variance_are_refused(self):
        for scale, size in ((1e155, "large"), (1e307, "large"), (1e-160, "small"), (1e-200, "small"), (1e-310, "small")):
            path = self.file("extreme.csv", text_of([[scale * x for x in sample] for sample in random_samples(30, 3)]))
            message = self.fail_without_output("--data", path, "--hidden", "2,1", "--batch", 10)
            self.assertIn(f"extreme.csv: column 1: its numbers are too {size} for a variance", message)

    def test_encodes_further_samples(self):
        further = random_samples(17, 3, seed=9)
        path = self.file("further.csv", text_of(further))
        arguments = "--hidden", "4,2", "--batch", 10, "--epochs", 4
        found, _, printed = self.fit(random_samples(50, 3), *arguments, "--predict", path)
        right = Reference(random_samples(50, 3), (4, 2))
        right.weights = [found[f"weights{l}"] for l in (1, 2, 3, 4)]
        codes = self.folder / "codes.h5"
        again, _ = self.succeed("--model", self.folder / "encoder.h5", "--predict", path, "--output", codes)
        for text in printed, again:
            line = next(line for line in text.splitlines() if line.startswith(f"{path}: "))
            self.assertIn(": 17 samples, objective ", line)
            self.assert_close([float(line.split("objective ")[1])], [right.objective(right.scaled(further))])
        made = read_hdf5(codes)
        for k, sample in enumerate(right.scaled(further)):
            layers = right.made(sample)
            self.assert_close(made["codes"][k], layers[2])
            self.assert_close(made["reconstructions"][k],
                              [m + s * y for m, s, y in zip(right.mean, right.deviation, layers[-1])])
        self.succeed("--model", self.folder / "encoder.h5", "--predict", path, "--output", self.folder / "codes.tsv")
        lines = (self.folder / "codes.tsv").read_text(encoding="utf-8").splitlines()
        self.assertIn(len(lines) - 17, (0, 1))

    def test_the_model_file_is_checked(self):
        samples = self.file("samples.csv", text_of(random_samples(20, 2)))
        wide = self.file("wide.csv", text_of(random_samples(20, 3)))
        self.fit(samples, "--hidden", "2,1", "--batch", 5, "--epochs", 1)
        model = self.folder / "encoder.h5"
        self.assertIn("expected samples of 2 columns, found 3", self.fail_without_output("--model", model, "--predict",
                                                                                         wide))
        self.assertIn(f"{samples}: ", self.fail_without_output("--model", samples, "--predict", samples))
        for arguments, message in (([], "expected either --data or --model"),
                                   (["--model", model], "--model needs --predict"),
                                   (["--model", model, "--predict", samples, "--verify"],
                                    "--model does not go with --verify"),
                                   (["--model", model, "--batch", 3], "--batch"),
                                   (["--data", samples, "--hidden", "3"], "--hidden"),
                                   (["--data", samples, "--hidden", "3,0"], "--hidden"),
                                   (["--data", samples, "--activation", "relu"], "--activation")):
            with self.subTest(arguments=arguments):
                run = self.run_program(*arguments)
                self.assertEqual(run.returncode, 2)
                self.assertIn(message, run.stderr)

    def test_parts_of_models_that_do_not_fit_are_refused(self):
        samples = self.file("samples.csv", text_of(random_samples(20, 2)))
        small, large, mixed = self.folder / "small.h5", self.folder / "large.h5", self.folder / "mixed.h5"
        for hidden, path in (("2,1", small), ("3,2", large)):
            self.succeed("--data", samples, "--hidden", hidden, "--batch", 5, "--epochs", 1, "--output", path)
        names = ("mean", "deviation", "sigmoid", "hidden", *(f"weights{l}" for l in (1, 2, 3, 4)))
        whole = {name: (small, name) for name in names}
        for name, other in (("hidden", (large, "hidden")), ("deviation", (small, "sigmoid")),
                            ("sigmoid", (small, "mean"))):
            with self.subTest(name=name):
                compose_hdf5(mixed, {**whole, name: other})
                self.assertIn(f"{mixed}: weights, means and deviations do not fit together",
                              self.fail_without_output("--model", mixed, "--predict", samples))
        self.succeed("--model", compose_hdf5(mixed, whole), "--predict", samples)

    def test_bad_input(self):
        text, nan = self.file("text.csv", "1,2\n3,word\n"), self.file("nan.csv", "1,2\n3,nan\n5,6\n")
        good = self.file("good.csv", text_of(random_samples(30, 3)))
        for arguments, message in (
            (["--data", text], f"{text}:2:3: "),
            (["--data", nan], f"{nan}:2:3: "),
            (["--data", good, "--hidden", "4,1", "--batch", 2, "--step", "1e9", "--epochs", 50],
             f"{good}: the objective is no finite number: expected a smaller --step"),
            (["--data", self.folder / "missing.csv"], "No such file"),
        ):
            with self.subTest(arguments=arguments):
                self.assertIn(message, self.fail_without_output(*arguments))


if __name__ == "__main__":
    main(AutoencoderTest)
