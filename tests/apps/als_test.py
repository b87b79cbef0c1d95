#!/usr/bin/env python3
"""als seen from outside, against exact alternating least squares in plain loops. Usage: als_test.py WORKERS COMMAND..."""
import json
import math
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from launched_program import LaunchedProgramTest, main, read_hdf5
from plain_models import dot, solved
from plain_random import random_unit

OPTIONS = [
    [],
    ["--fusion", "off", "--sync", "lazy"],
    ["--fusion", "exact"],
    ["--sync", "eager", "--partition", "2d"],
    ["--partition", "hybrid-cut", "--storage", "blocked"],
    ["--partition", "row", "--passes=-rotate,-in-place"],
]


class Reference:
    """Each factor is the solution of its own equations, which are solved exactly."""

    def __init__(self, ratings, users, items, rank, penalty, weighted=False, seed=1):
        self.ratings, self.rank, self.penalty, self.weighted = ratings, rank, penalty, weighted
        self.of_user, self.of_item = [[] for _ in range(users)], [[] for _ in range(items)]
        for i, j, x in ratings:
            self.of_user[i].append((j, x))
            self.of_item[j].append((i, x))
        self.users = [[random_unit(seed, i * rank + k) - 0.5 for k in range(rank)] for i in range(users)]
        self.items = [[random_unit(seed + 1, i * rank + k) - 0.5 for k in range(rank)] for i in range(items)]

    def weight(self, mine):
        return self.penalty * ((len(mine) or 1) if self.weighted else 1)

    def improved(self, fixed, lists):
        result = []
        for mine in lists:
            matrix = [[math.fsum(fixed[j][a] * fixed[j][b] for j, _ in mine) + (a == b) * self.weight(mine)
                       for b in range(self.rank)] for a in range(self.rank)]
            right = [math.fsum(fixed[j][a] * x for j, x in mine) for a in range(self.rank)]
            result.append(solved(matrix, right))
        return result

    def squares(self):
        return math.fsum((x - dot(self.users[i], self.items[j]))**2 for i, j, x in self.ratings)

    def loss(self):
        norms = math.fsum(self.weight(mine) * dot(factor, factor) for factors, lists in (
            (self.users, self.of_user), (self.items, self.of_item)) for factor, mine in zip(factors, lists))
        return (self.squares() + norms) / 2

    def iterate(self, times):
        """The loss after each iteration."""
        losses = []
        for _ in range(times):
            self.users = self.improved(self.items, self.of_user)
            self.items = self.improved(self.users, self.of_item)
            losses.append(self.loss())
        return losses


def random_ratings(users, items, each, seed=3):
    """Of all but the last user and item, which nobody has rated or rates."""
    generator = random.Random(seed)
    return [(i, j, generator.randint(1, 5) / 1) for i in range(users - 1)
            for j in sorted(generator.sample(range(items - 1), generator.randint(1, each)))]


def matrix_market(ratings, users, items):
    lines = "".join(f"{i + 1} {j + 1} {x!r}\n" for i, j, x in ratings)
    return f"%%MatrixMarket matrix coordinate real general\n{users} {items} {len(ratings)}\n{lines}"


class AlsTest(LaunchedProgramTest):
    USERS, ITEMS, RANK = 29, 17, 3

    def setUp(self):
        super().setUp()
        self.ratings = random_ratings(self.USERS, self.ITEMS, 11)
        self.path = self.file("ratings.mtx", matrix_market(self.ratings, self.USERS, self.ITEMS))

    def factor(self, *arguments):
        """What was written, the report, and what was printed."""
        output, report = self.folder / "factors.h5", self.folder / "report.json"
        printed, _ = self.succeed("--ratings", self.path, "--rank", self.RANK, "--output", output, "--report", report,
                                  "--verify", *arguments)
        self.assertIn("verified: loss off by ", printed)
        return read_hdf5(output), json.loads(report.read_text(encoding="utf-8")), printed

    def reference(self, **how):
        return Reference(self.ratings, self.USERS, self.ITEMS, self.RANK, **how)

    def assert_factors(self, found, right):
        for name, factors in (("users", right.users), ("items", right.items)):
            self.assertEqual(len(found[name]), len(factors))
            for row, other in zip(found[name], factors):
                self.assert_close(row, other, 1e-3)

    def test_every_way_of_running(self):
        right = self.reference(penalty=0.5)
        losses = right.iterate(3)
        for options in OPTIONS:
            with self.subTest(options=options):
                found, report, _ = self.factor("--penalty", 0.5, "--iterations", 3, *options)
                self.assert_factors(found, right)
                self.assert_close(report["series"]["loss"], losses, 1e-6)
                self.assertEqual(report["predicted"], report["measured"])

    def test_penalties_of_each_rating(self):
        right = self.reference(penalty=0.1, weighted=True, seed=7)
        losses = right.iterate(2)
        found, report, _ = self.factor("--penalty", 0.1, "--weighted", "--seed", 7, "--iterations", 2)
        self.assert_factors(found, right)
        self.assert_close(report["series"]["loss"], losses, 1e-6)

    def test_factors_without_ratings_are_0(self):
        path = self.file("two.mtx", matrix_market([(0, 0, 4.0), (19, 14, 3.0)], 20, 15))
        output = self.folder / "factors.h5"
        for options in ([], ["--weighted"]):
            self.succeed("--ratings", path, "--verify", "--output", output, *options)
            found = read_hdf5(output)
            for k in range(1, 14):
                self.assertLess(max(map(abs, found["users"][k] + found["items"][k])), 1e-100)
            self.succeed("--ratings", path, "--verify", "--iterations", 0, *options)  # when they are not yet

    def test_ends_where_the_loss_hardly_falls(self):
        _, report, printed = self.factor("--penalty", 1, "--tolerance", 1e-3)
        changes = report["series"]["change"]
        self.assertTrue(all(change > 1e-3 for change in changes[:-1]) and 0 <= changes[-1] <= 1e-3, changes)
        self.assertIn(f"{len(self.ratings)} ratings, rank {self.RANK}", printed)

    def test_recommends_what_is_not_rated(self):
        users = [4, 0, 28, 4] + list(range(5, 21))  # one of them twice
        found, _, printed = self.factor("--users", ",".join(map(str, users)), "--top", 4)
        rated = {(i, j) for i, j, _ in self.ratings}
        expected = []
        for user in users:
            scores = [(dot(found["users"][user], item), j) for j, item in enumerate(found["items"])
                      if (user, j) not in rated]
            expected += [(user, j, score) for score, j in sorted(scores, key=lambda s: (-s[0], s[1]))[:4]]
        self.assertEqual([(int(u), int(j)) for u, j in zip(found["top_users"], found["top_items"])],
                         [(user, j) for user, j, _ in expected])
        self.assert_close(found["top_ratings"], [score for _, _, score in expected], 1e-9)
        lines = [line.split() for line in printed.splitlines()]
        self.assertEqual([line[:2] for line in lines if len(line) == 3 and line[0].isdigit()],
                         [[str(user), str(j)] for user, j, _ in expected])

    def test_predicts_further_ratings(self):
        further = random_ratings(self.USERS, self.ITEMS, 5, seed=9)
        path = self.file("further.mtx", matrix_market(further, self.USERS, self.ITEMS))
        found, _, printed = self.factor("--predict", path)
        error = math.sqrt(math.fsum((x - dot(found["users"][i], found["items"][j]))**2
                                    for i, j, x in further) / len(further))
        again, _ = self.succeed("--model", self.folder / "factors.h5", "--predict", path)
        for text in (printed, again):
            line = next(line for line in text.splitlines() if line.startswith(f"{path}: "))
            self.assertIn(f": {len(further)} ratings, root mean square error ", line)
            self.assertLess(abs(float(line.split()[-1]) - error), 1e-6)

    def test_users_and_items_with_names(self):
        """An edge list: users and items are vertices alike, and go by their names."""
        names = self.file("ratings.txt", "".join(f"u{i} i{j} {x!r}\n" for i, j, x in self.ratings))
        printed, _ = self.succeed("--ratings", names, "--rank", 2, "--iterations", 2, "--verify", "--users", "u3",
                                  "--top", 2)
        lines = [line.split() for line in printed.splitlines() if line.startswith("u3 ")]
        self.assertEqual(len(lines), 2)
        rated = {f"i{j}" for i, j, _ in self.ratings if i == 3}
        self.assertFalse(rated & {line[1] for line in lines})

    def test_predicts_further_ratings_by_names(self):
        """Of some of the users and items, which another file numbers otherwise."""
        def lines(ratings):
            return "".join(f"u{i} i{j} {x!r}\n" for i, j, x in ratings)

        further = [(i, j, 6 - x) for i, j, x in reversed(self.ratings) if i % 3 == 1]
        names = sorted({f"u{i}" for i, _, _ in self.ratings} | {f"i{j}" for _, j, _ in self.ratings})
        self.path = self.file("ratings.txt", lines(self.ratings))
        path = self.file("further.txt", lines(further))
        found, _, printed = self.factor("--predict", path)
        self.assertEqual(found["vertex"], names)
        error = math.sqrt(math.fsum((x - dot(found["users"][names.index(f"u{i}")],
                                             found["items"][names.index(f"i{j}")]))**2
                                    for i, j, x in further) / len(further))
        line = next(line for line in printed.splitlines() if line.startswith(f"{path}: "))
        self.assertLess(abs(float(line.split()[-1]) - error), 1e-6)

        stranger = self.file("stranger.txt", lines(further) + "u1 somebody 3\n")
        message = self.fail_without_output("--ratings", self.path, "--predict", stranger)
        self.assertIn(f"has 'somebody', of which {self.path} has no rating", message)
        run = self.run_program("--model", self.folder / "factors.h5", "--predict", path)
        self.assertEqual(run.returncode, 1)
        self.assertIn("expected users and items that go by their number, as those of ", run.stderr)

    def test_mistakes(self):
        empty = self.file("empty.mtx", matrix_market([], 3, 4))
        other = self.file("other.mtx", matrix_market([(0, 0, 1.0)], 3, 4))
        for arguments, message in (
            (["--ratings", empty], "there are no ratings"),
            (["--ratings", self.path, "--users", f"3,{self.USERS}"], f"has no user '{self.USERS}', which --users names"),
            (["--ratings", self.path, "--users", "x"], "has no user 'x', which --users names"),
            (["--ratings", self.path, "--predict", other],
             f"expected ratings of {self.ITEMS} items by {self.USERS} users, found of 4 by 3"),
            (["--ratings", other, "--predict", empty], f"{empty}: there are no ratings"),
        ):
            with self.subTest(arguments=arguments):
                self.assertIn(message, self.fail_without_output(*arguments))
        for arguments, message in (([], "expected either --ratings or --model"),
                                   (["--model", self.folder / "none.h5"], "--model needs --predict"),
                                   (["--ratings", self.path, "--penalty", 0], "'0' is not a number above 0"),
                                   (["--ratings", self.path, "--output", self.folder / "f.tsv", "--progress"],
                                    "f.tsv: a text has columns of one length")):
            with self.subTest(arguments=arguments):
                run = self.run_program(*arguments)
                self.assertEqual(run.returncode, 2)
                self.assertIn(message, run.stderr)
                self.assertNotIn("iteration 1 ", run.stderr)


if __name__ == "__main__":
    main(AlsTest)
