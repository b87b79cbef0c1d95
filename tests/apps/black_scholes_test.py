#!/usr/bin/env python3
"""black-scholes seen from outside, against scalar formulas. Usage: black_scholes_test.py WORKERS COMMAND..."""
import json
import math
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from launched_program import LaunchedProgramTest, main, read_hdf5

PRICES = ["call", "put"]
GREEKS = ["delta_call", "delta_put", "gamma", "vega", "theta_call", "theta_put", "rho_call", "rho_put"]
OPTIONS = [
    [],
    ["--fusion", "off"],
    ["--fusion", "off", "--sync", "lazy"],
    ["--fusion", "exact"],
    ["--sync", "eager"],
    ["--sync", "lazy", "--partition", "metis"],
    ["--passes=-in-place,-reuse-buffers,-common-subexpressions"],
]
ALIKE = ["--rate", 0.03, "--volatility", 0.25, "--time", 1.5]


def distribution(x):
    return math.erfc(-x / math.sqrt(2)) / 2


def prices(spot, strike, rate, volatility, years):
    deviation = volatility * math.sqrt(years)
    d1 = (math.log(spot / strike) + (rate + volatility**2 / 2) * years) / deviation
    discounted = strike * math.exp(-rate * years)
    return (spot * distribution(d1) - discounted * distribution(d1 - deviation),
            discounted * distribution(deviation - d1) - spot * distribution(-d1))


def slopes(quote):
    """The greeks as difference quotients of the prices."""
    def change(at, step, which, sign=1):
        low, high = list(quote), list(quote)
        low[at], high[at] = low[at] - step, high[at] + step
        return sign * (prices(*high)[which] - prices(*low)[which]) / (2 * step)

    step = 1e-4 * quote[0]
    low, middle, high = (prices(quote[0] + k * step, *quote[1:])[0] for k in (-1, 0, 1))
    return [change(0, step, 0), change(0, step, 1), (low - 2 * middle + high) / step**2, change(3, 1e-5, 0),
            change(4, 1e-5, 0, -1), change(4, 1e-5, 1, -1), change(2, 1e-5, 0), change(2, 1e-5, 1)]


def random_quotes(count, seed=3):
    draw = random.Random(seed).uniform
    return [(draw(50, 150), draw(50, 150), draw(-0.01, 0.1), draw(0.1, 0.6), draw(0.1, 2)) for _ in range(count)]


def text_of(quotes, names="spot,strike,rate,volatility,years"):
    return "".join(",".join(map(repr, quote)) + "\n" for quote in quotes) if names is None else \
        names + "\n" + text_of(quotes, None)


class BlackScholesTest(LaunchedProgramTest):
    def setUp(self):
        super().setUp()
        self.quotes = random_quotes(1237)
        self.table = self.file("quotes.csv", text_of(self.quotes))

    def values(self, *arguments, table=None):
        path = self.folder / "prices.h5"
        self.succeed("--options", table or self.table, "--quiet", "--verify", "--output", path, *arguments)
        return read_hdf5(path)

    def assert_prices(self, found, quotes, relative=1e-13):
        expected = [prices(*quote) for quote in quotes]
        for k, name in enumerate(PRICES):
            self.assertEqual(len(found[name]), len(quotes))
            for value, right, quote in zip(found[name], expected, quotes):
                self.assertLess(abs(value - right[k]), relative * (quote[0] + quote[1]))

    def test_every_way_of_running(self):
        for alike, operations in ((ALIKE, 14), ([], None)):
            quotes = [(*quote[:2], 0.03, 0.25, 1.5) for quote in self.quotes] if alike else self.quotes
            for options in OPTIONS:
                with self.subTest(options=options, alike=alike):
                    report_file = self.folder / "report.json"
                    self.assert_prices(self.values(*alike, *options, "--report", report_file), quotes)
                    report = json.loads(report_file.read_text(encoding="utf-8"))
                    self.assertEqual(report["predicted"], report["measured"])
                    sweeps = [step for step in report["steps"] if step["kind"] == "sweep"]
                    if "off" in options:
                        self.assertGreaterEqual(len(sweeps), operations or 8)
                        continue
                    (sweep,) = sweeps
                    self.assertEqual((sweep["inputs"], sweep["outputs"]), (2 if alike else 5, 2))
                    if operations:
                        self.assertEqual(sweep["operations"], operations)

    def test_greeks(self):
        report_file = self.folder / "report.json"
        found = self.values("--greeks", "--report", report_file)
        self.assertEqual(sorted(found), sorted(PRICES + GREEKS))
        self.assert_prices(found, self.quotes)
        for row in range(0, len(self.quotes), 7):
            for name, slope in zip(GREEKS, slopes(self.quotes[row])):
                self.assertLess(abs(found[name][row] - slope), 1e-5 * max(1, abs(slope)), (name, self.quotes[row]))
        report = json.loads(report_file.read_text(encoding="utf-8"))
        (sweep,) = [step for step in report["steps"] if step["kind"] == "sweep"]
        self.assertEqual((sweep["inputs"], sweep["outputs"]), (5, 10))
        self.assertEqual(report["predicted"], report["measured"])
        alike = self.values("--greeks", *ALIKE)
        for name, slope in zip(GREEKS, slopes((*self.quotes[5][:2], 0.03, 0.25, 1.5))):
            self.assertLess(abs(alike[name][5] - slope), 1e-5 * max(1, abs(slope)), name)

    def test_one_value_for_all(self):
        found = self.values("--rate", 0.02)
        self.assert_prices(found, [(s, k, 0.02, v, t) for s, k, _, v, t in self.quotes])
        found = self.values("--volatility", 0.4, "--time", 2)
        self.assert_prices(found, [(s, k, r, 0.4, 2) for s, k, r, _, _ in self.quotes])

    def test_columns(self):
        swapped = [(t, k, s, v, r) for s, k, r, v, t in self.quotes]
        named = self.file("named.csv", text_of(swapped, "T,K,S,vol,r"))
        names = ["--spot-column", "S", "--strike-column", "K", "--rate-column", "r", "--volatility-column", "vol",
                 "--time-column", "T"]
        numbers = ["--spot-column", 2, "--strike-column", 1, "--rate-column", 4, "--volatility-column", 3,
                   "--time-column", 0]
        self.assert_prices(self.values(*names, table=named), self.quotes)
        self.assert_prices(self.values(*numbers, table=named), self.quotes)
        self.assert_prices(self.values(*numbers, table=self.file("bare.txt", text_of(swapped, None))), self.quotes)

    def test_nothing_left_to_chance(self):
        """Without volatility, or at expiry: what is exercised is worth its distance from the strike."""
        quotes = [(100, 150, 0.05, 0.2, 0), (100, 100, 0, 0, 1), (100, 50, 0.05, 0, 1), (80, 80, 0.01, 0.3, 0)]
        table = self.file("certain.csv", text_of(quotes))
        found = self.values("--greeks", table=table)
        for row, (spot, strike, rate, _, years) in enumerate(quotes):
            certain = spot - strike * math.exp(-rate * years)
            self.assertAlmostEqual(found["call"][row], max(certain, 0), delta=1e-12)
            self.assertAlmostEqual(found["put"][row], max(-certain, 0), delta=1e-12)
        self.assertEqual([abs(x) for x in found["delta_call"]], [0, 0.5, 1, 0.5])

    def test_few_options_and_text_output(self):
        table, text = self.file("one.csv", text_of(self.quotes[:1])), self.folder / "prices.tsv"
        out, _ = self.succeed("--options", table, "--verify", "--output", text)
        self.assertRegex(out, r"^verified: largest difference .*\n1 option, \d+ workers?, mean call ")
        header, line = text.read_text(encoding="utf-8").splitlines()
        self.assertEqual(header, "call\tput")
        for value, right in zip(map(float, line.split("\t")), prices(*self.quotes[0])):
            self.assertAlmostEqual(value, right, delta=1e-10)

    def test_same_bits_again(self):
        files = [self.folder / name for name in ("first.h5", "second.h5")]
        for file in files:
            self.succeed("--options", self.table, "--greeks", "--quiet", "--output", file)
        self.assertEqual(files[0].read_bytes(), files[1].read_bytes())

    def refuse(self, status, *parts, arguments=(), table=None):
        path = self.folder / "refused.h5"
        run = self.run_program("--options", table or self.table, "--output", path, *arguments)
        self.assertEqual(run.returncode, status, f"{arguments}: {run.stdout}{run.stderr}")
        (line,) = run.stderr.splitlines()
        for part in ("error: ", *map(str, parts)):
            self.assertIn(part, line)
        self.assertFalse(path.exists())

    def test_a_failed_verification_leaves_no_output(self):
        far = self.file("far.csv", text_of([(1e-300, 1e300, 0.0, 5.0, 100.0)]))  # rounding decides over its gamma
        error = self.fail_without_output("--options", far, "--greeks", "--verify")
        self.assertIn("verification failed: ", error)

    def test_bad_input(self):
        for column, value, message in [(3, -0.2, "row 9: found volatility -0.2, expected a number from 0"),
                                       (4, -1.0, "row 9: found time -1, expected a number from 0"),
                                       (0, 0.0, "row 9: found spot 0, expected a number above 0"),
                                       (1, -5.0, "row 9: found strike -5, expected a number above 0")]:
            quotes = [list(quote) for quote in self.quotes[:12]]
            quotes[8][column] = quotes[10][column] = value
            bad = self.file("bad.csv", text_of(quotes))
            self.refuse(1, f"{bad}: {message}", table=bad)
        text = self.file("text.csv", "spot,strike,rate,volatility,years\n1,2,3,x,5\n")
        self.refuse(1, f"{text}:2:", table=text)
        missing = self.folder / "missing.csv"
        self.refuse(1, f"{missing}: ", "No such file", table=missing)
        self.refuse(1, f"{self.table}: expected a column 'S', found 5 columns: spot, strike, rate, ",
                    arguments=["--spot-column", "S"])
        self.refuse(1, f"{self.table}: expected a column '5'", arguments=["--spot-column", "5"])
        self.refuse(2, "--rate-column excludes --rate", arguments=["--rate", 0, "--rate-column", "rate"])
        none = self.file("none.mtx", "%%MatrixMarket matrix array real general\n0 2\n")
        self.refuse(1, f"{none}: expected options, found none", table=none,
                    arguments=["--spot-column", 0, "--strike-column", 1, "--rate", 0, "--volatility", 1, "--time", 1])
        bare = self.file("bare.txt", "1 2 3\n")
        self.refuse(1, f"{bare}: expected a column 'spot', found 3 columns without names", table=bare)
        self.refuse(2, "--volatility", arguments=["--volatility", "-0.1"])
        self.refuse(2, "--time", arguments=["--time", "-1"])
        self.refuse(2, "--rate", arguments=["--rate", "nan"])

    def test_reference_prices(self):
        """PARSEC's data with DerivaGem's prices. Those are of another polynomial for the normal distribution, right to
        about six digits."""
        lines = self.data("options/parsec_optionData.txt").read_text(encoding="utf-8").splitlines()
        rows = [[field.strip() for field in line.strip("{}, ").split(",")] for line in lines if line.startswith("{")]
        self.assertEqual(len(rows), 1000)
        table = self.file("parsec.csv", text_of([tuple(float(row[k]) for k in (0, 1, 2, 4, 5)) for row in rows]))
        found = self.values("--greeks", table=table)
        for row, call, put in zip(rows, found["call"], found["put"]):
            self.assertLess(abs((call if row[6] == '"C"' else put) - float(row[8])), 1e-4, row)


if __name__ == "__main__":
    main(BlackScholesTest)
