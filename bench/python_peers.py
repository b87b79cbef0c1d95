#!/usr/bin/env python3
"""Sets Kasen beside what people use from Python: scikit-learn, pandas, SQLite and NumPy, as Debian packages them.

usage: bench/python_peers.py [--cases REGEX] [--workers 2] [--repetitions 3] [--rows N] [--keep DIR] ...

  kmeans         an iteration over points in 16 dimensions, 10 clusters (python3-sklearn)
  gmm            the same of a mixture of Gaussians with diagonal covariances (python3-sklearn)
  query 1, 6     of TPC-H, over as many items, in memory (python3-pandas; SQLite)
  black-scholes  both prices of options (NumPy, with SciPy's error function)

Others have as many threads as Kasen has workers, if they use threads. Kasen's seconds are by run reports, theirs are of
the call alone, on data in memory: reading and converting counts for none. Medians. What is not installed is skipped.
Programs come from the preset `bench` or `release`: `ninja -C build/release`.
"""
import csv
import os
import pathlib
import re
import statistics
import subprocess
import sys
import time

from runs import LIMIT, Data, Failed, first_error, generated, parser_of, workplace

DEBIAN_PYTHON = pathlib.Path("/usr/bin/python3")  # which sees Debian's packages, whichever other one is used
PYTHON = str(DEBIAN_PYTHON) if DEBIAN_PYTHON.exists() else sys.executable
ITERATIONS = 5
CLUSTERS = 10
SQL = {1: "select returnflag, linestatus, sum(quantity), sum(price), sum(price * (1 - discount)), "
          "sum(price * (1 - discount) * (1 + tax)), avg(quantity), avg(price), avg(discount), count(*) from items "
          "where shipdate <= '1998-09-02' group by returnflag, linestatus order by returnflag, linestatus",
       6: "select sum(price * discount) from items where shipdate >= '1994-01-01' and shipdate < '1995-01-01' "
          "and discount between 0.05 and 0.07 and quantity < 24"}
COLUMNS = {"l_quantity": "quantity", "l_extendedprice": "price", "l_discount": "discount", "l_tax": "tax",
           "l_returnflag": "returnflag", "l_linestatus": "linestatus", "l_shipdate": "shipdate"}


# ---- theirs: each loads a file, and gives what is timed; the time is of one call, or of an iteration of it ----

def points_of(path):
    import numpy
    return numpy.loadtxt(path, delimiter=",", dtype=float, ndmin=2)


def sklearn_kmeans(path):
    from sklearn.cluster import KMeans
    points = points_of(path)
    first = points[:CLUSTERS]

    def call():
        fit = KMeans(CLUSTERS, init=first, n_init=1, max_iter=ITERATIONS, tol=0, algorithm="lloyd").fit(points)
        return fit.n_iter_
    return call


def sklearn_gmm(path):
    from sklearn.mixture import GaussianMixture
    points = points_of(path)

    def call():
        mixture = GaussianMixture(CLUSTERS, covariance_type="diag", tol=0, max_iter=ITERATIONS,
                                  init_params="random_from_data", random_state=1)
        return mixture.fit(points).n_iter_
    return call


def items_of(folder):
    import pandas
    return pandas.read_csv(f"{folder}/lineitem.csv", usecols=list(COLUMNS)).rename(columns=COLUMNS)


def pandas_query(number):
    def loaded(folder):
        import pandas
        items = items_of(folder)
        items["shipdate"] = pandas.to_datetime(items["shipdate"])
        for word in ("returnflag", "linestatus"):
            items[word] = items[word].astype("category")

        def first():
            some = items[items.shipdate <= "1998-09-02"]
            discounted = some.price * (1 - some.discount)
            some = some.assign(discounted=discounted, charged=discounted * (1 + some.tax))
            return some.groupby(["returnflag", "linestatus"], observed=True).agg(
                {"quantity": ["sum", "mean"], "price": ["sum", "mean"], "discounted": "sum", "charged": "sum",
                 "discount": ["mean", "size"]})

        def sixth():
            some = items[(items.shipdate >= "1994-01-01") & (items.shipdate < "1995-01-01")
                         & items.discount.between(0.05, 0.07) & (items.quantity < 24)]
            return (some.price * some.discount).sum()

        def call():
            first() if number == 1 else sixth()
            return 1
        return call
    return loaded


def sqlite_query(number):
    def loaded(folder):
        import sqlite3
        base = sqlite3.connect(":memory:")
        base.execute("create table items (quantity real, price real, discount real, tax real, returnflag text, "
                     "linestatus text, shipdate text)")
        with open(f"{folder}/lineitem.csv", encoding="ascii", newline="") as file:
            rows = csv.DictReader(file)
            base.executemany("insert into items values (?, ?, ?, ?, ?, ?, ?)",
                             ([row[name] for name in COLUMNS] for row in rows))

        def call():
            base.execute(SQL[number]).fetchall()
            return 1
        return call
    return loaded


def numpy_black_scholes(path):
    import numpy
    from scipy.special import erfc
    table = numpy.genfromtxt(path, delimiter=",", names=True)
    spot, strike, rate, volatility, years = (numpy.ascontiguousarray(table[name]) for name in
                                             ("spot", "strike", "rate", "volatility", "years"))

    def call():
        deviation = volatility * numpy.sqrt(years)
        discounted = strike * numpy.exp(-rate * years)
        d1 = (numpy.log(spot / strike) + rate * years) / deviation + deviation / 2
        d2 = d1 - deviation
        half = -numpy.sqrt(0.5)
        below1, below2 = erfc(half * d1) / 2, erfc(half * d2) / 2
        above1, above2 = erfc(-half * d1) / 2, erfc(-half * d2) / 2
        _ = spot * below1 - discounted * below2, discounted * above2 - spot * above1
        return 1
    return call


# name: the case it is set beside, what has to be installed, and how it is loaded
THEIRS = {"scikit-learn kmeans": ("sklearn", sklearn_kmeans), "scikit-learn gmm": ("sklearn", sklearn_gmm),
          "pandas query 1": ("pandas", pandas_query(1)), "pandas query 6": ("pandas", pandas_query(6)),
          "SQLite query 1": ("sqlite3", sqlite_query(1)), "SQLite query 6": ("sqlite3", sqlite_query(6)),
          "NumPy black-scholes": ("scipy", numpy_black_scholes)}


def measure_theirs(name, path, repetitions):
    """Prints the median seconds of an iteration. Runs in a process of its own, with its number of threads."""
    call = THEIRS[name][1](path)
    call()
    seconds = []
    for _ in range(repetitions):
        start = time.perf_counter()
        iterations = call()
        seconds.append((time.perf_counter() - start) / iterations)
    print(statistics.median(seconds))


def is_installed(library):
    return subprocess.run([PYTHON, "-c", f"import {library}"], capture_output=True, check=False).returncode == 0


def their_seconds(name, path, threads, repetitions):
    limits = {f"{library}_NUM_THREADS": str(threads) for library in ("OMP", "OPENBLAS", "BLIS", "MKL")}
    done = subprocess.run([PYTHON, __file__, "--theirs", name, str(path), "--repetitions", str(repetitions)],
                          env={**os.environ, **limits, "PYTHONWARNINGS": "ignore"}, capture_output=True, text=True,
                          timeout=LIMIT, check=False)
    if done.returncode:
        raise Failed(first_error(done.stderr.strip().splitlines()[-1] if done.stderr.strip() else "", done.returncode))
    return float(done.stdout)


# ---- ours ----

def all_cases(rows):
    """What it is set beside, its name in the table, data, and Kasen's program with its arguments."""
    points = generated(f"points-{rows}x16", "clusters", "--rows", rows, "--columns", 16, "--clusters", CLUSTERS)
    points = Data(points.name, points.command, ".csv")
    scale = rows / 2_000_000
    orders = Data(f"tpch-{scale:g}", ["kasen-generate", "tpch", "{out}", "--scale", f"{scale:g}"], "")
    options = Data(f"options-{rows}", ["kasen-generate", "options", "{out}", "--rows", str(rows)], ".csv")
    clusters = ("--init", "first", "--iterations", str(ITERATIONS))
    return [("kmeans", f"kmeans {rows}x16", points, "kmeans", "--points", ("--clusters", str(CLUSTERS), *clusters)),
            ("gmm", f"gmm {rows}x16", points, "gmm", "--points", ("--components", str(CLUSTERS), *clusters)),
            ("query 1", "query 1", orders, "tpch", "--data", ("--query", "1")),
            ("query 6", "query 6", orders, "tpch", "--data", ("--query", "6")),
            ("black-scholes", f"black-scholes {rows}", options, "black-scholes", "--options", ())]


def our_seconds(launcher, workers, repetitions, program, *arguments):
    reports = [launcher.report(workers, program, *arguments)[0] for _ in range(repetitions)]
    return statistics.median(report["seconds_per_iteration" if report["iterations"] else "seconds_total"]
                             for report in reports)


def parse():
    parser = parser_of(__doc__)
    parser.add_argument("--workers", metavar="N", type=int, default=2, help="of Kasen, and threads of the others (2)")
    parser.add_argument("--repetitions", metavar="N", type=int, default=3, help="runs, and calls (3)")
    parser.add_argument("--rows", metavar="N", type=int, default=2_000_000,
                        help="points and options; items of orders are three times as many (2000000)")
    parser.add_argument("--theirs", nargs=2, metavar=("NAME", "FILE"), help="measures one of the others")
    return parser.parse_args()


def main():
    arguments = parse()
    if arguments.theirs:
        measure_theirs(*arguments.theirs, arguments.repetitions)
        return 0
    failed = False
    with workplace(arguments) as (_, launcher, folder):
        print(f"{'case':24} {'workers':>7} {'Kasen ms':>12} {'their ms':>12} {'Kasen / theirs':>14}  theirs",
              flush=True)
        for case, title, data, program, option, options in all_cases(arguments.rows):
            if not re.search(arguments.cases, case):
                continue
            others = [name for name in THEIRS if name.endswith(f" {case}")]
            for name in [name for name in others if not is_installed(THEIRS[name][0])]:
                print(f"# skipped: {name.removesuffix(f' {case}')} is not installed, for {case}", flush=True)
                others.remove(name)
            ours = None
            for name in others:
                library = name.removesuffix(f" {case}")
                try:
                    path = str(data.path(launcher, folder))
                    if ours is None:
                        ours = our_seconds(launcher, arguments.workers, arguments.repetitions, program, option, path,
                                           *options)
                    theirs = their_seconds(name, path, arguments.workers, arguments.repetitions)
                except (Failed, subprocess.TimeoutExpired) as failure:
                    failed = True
                    print(f"{title:24} {arguments.workers:7} left out: {failure}", flush=True)
                    continue
                print(f"{title:24} {arguments.workers:7} {1e3 * ours:12.3f} {1e3 * theirs:12.3f} "
                      f"{ours / theirs:14.3f}  {library}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
