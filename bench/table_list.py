"""The tables of docs/performance.md: what is run for each, on which data, and how its rows are read from the output."""
import csv
import dataclasses
import os
import pathlib
import re
import statistics
from typing import Callable

from runs import ROOT, generated

LAUNCH = ROOT / "cluster-scripts/launch.sh"
BENCH = ROOT / "bench"
RATIOS = ("what", "variant", "ms", "beside", "ms", "ratio")


class Skipped(Exception):
    """A table that needs what was not given; the text says what."""


@dataclasses.dataclass
class Given:
    """What the user gave: where programs and data are, and how large measurements are."""

    programs: pathlib.Path
    folder: pathlib.Path  # for data
    quick: bool = False
    data: pathlib.Path | None = None
    gapbs: pathlib.Path | None = None
    peers: pathlib.Path | None = None
    under: list = dataclasses.field(default_factory=list)

    def size(self, full, quick):
        return quick if self.quick else full

    def scripts(self):
        """Options that say where programs and data are, of the scripts that find them themselves."""
        return ["--programs", self.programs, "--keep", self.folder]

    def environment(self):
        """Real data, if given; else scripts are told that there are none."""
        return {"KASEN_DATA": str(self.data) if self.data else "none"}


@dataclasses.dataclass
class Reading:
    """What the output of a command has for the table: rows, lines below it, and what failed."""

    rows: list
    notes: list = dataclasses.field(default_factory=list)
    failures: list = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Command:
    """A command, and how its output is read."""

    words: list
    read: Callable = lambda output: Reading([])
    environment: dict = dataclasses.field(default_factory=dict)
    prepares: bool = False  # for the next command; has no figures


@dataclasses.dataclass
class Table:
    name: str
    title: str
    columns: tuple
    commands: Callable  # of what is given
    data: Callable = lambda given: []
    notes: Callable = lambda rows: []
    of_page: Callable | None = None  # columns and rows as docs/performance.md has them, of the rows; None: as printed


def read_ratios(output):
    """Lines `# BENCHMARK SIZE: A / B = R ...` with the medians of A and B."""
    medians = {}
    for row in csv.reader(line for line in output.splitlines() if not line.startswith("#")):
        if len(row) == 6 and row[3].isdigit():
            medians[f"{row[0]} {row[1]}", row[2]] = 1e3 * float(row[4])
    reading = Reading([])
    for line in output.splitlines():
        found = re.match(r"# (.+?): (\w+) / (\w+) = ([\d.]+)", line)
        if not found:
            reading.notes += [line.removeprefix("# ")] if line.startswith("# ") else []
            continue
        what, of, to, ratio = found.groups()
        milliseconds, beside = medians[what, of], medians[what, to]
        what = re.sub(r"\S*/", "", what)  # a graph by the name of its file
        what = re.sub(r"^[a-z]+_sweep[_ ]", "", what)  # the table says what is measured
        what, of, to = (words.replace("_", " ") for words in (what, of, to))
        reading.rows.append((what, of, f"{milliseconds:.4g}", to, f"{beside:.4g}", f"{float(ratio):.2f}"))
    return reading


def read_csv(output):
    """Every row but the first, which names the columns."""
    return list(csv.reader(output.splitlines()))[1:]


def read_lines(pattern, columns):
    """A reader of lines that match a pattern. Of others, what says that a case was left out is a failure, and that
    something was skipped a note."""
    def read(output):
        reading = Reading([])
        for line in output.splitlines():
            found = re.fullmatch(pattern, line.rstrip())
            if found:
                reading.rows.append([found[k] for k in columns])
            elif re.match(r"\S.* left out: ", line):
                reading.failures.append(" ".join(line.split()))
            elif line.startswith(("# skipped", "# without")):
                reading.notes.append(line.removeprefix("# "))
        return reading
    return read


NUMBER, WORD = r"\s+([\d.]+)", r"\s+(\S+)"
read_choices = read_lines(r"(\S+ \S+)" + r"\s+(\d+)" * 2 + NUMBER * 2 + WORD + NUMBER * 4 + r"\s+(--\S+.*)",
                          (1, 2, 3, 4, 11, 5, 8, 7))
read_predictions = read_lines(r"(\S.*?)\s+(\d+)" + NUMBER * 3, (1, 2, 3, 4, 5))
read_threads = read_lines(r"(\S.*?)\s+(\d+)" + NUMBER * 3, (1, 2, 3, 4, 5))
read_reproducible = read_lines(r"(\S.*?)\s+(\d+)" + NUMBER * 4, range(1, 7))
read_checkpoints = read_lines(r"(\S.*?)\s+(\d+)" + NUMBER * 5, range(1, 8))
read_memory = read_lines(r"(\S+ \S+ \S+)\s+(\d+)" + NUMBER * 3 + NUMBER * 2, range(1, 8))
read_many_workers = read_lines(r"(\S+)\s+(\d+)" + NUMBER * 2, range(1, 5))
read_fusion = read_lines(r"(\S+)\s+(\d+)" + NUMBER * 5, range(1, 8))
read_hosts = read_lines(r"(\S+ \S+)\s+(\d+)" + WORD + NUMBER * 6, range(1, 10))
read_peers = read_lines(r"(\S+ \S+)\s+(\d+)" + NUMBER * 3 + r"\s\s(.+)", (1, 2, 6, 3, 4, 5))


FIGURE = r"\s+(~?[\d.]+|-)"  # of a sample with ~, and - where there is none


def read_partitioners(output):
    """A row for each partition, graph and number of workers."""
    rows = []
    graph = workers = seconds = None
    for line in output.splitlines():
        if found := re.match(r"(.+): \d+ vertices, \d+ edges", line):
            graph = pathlib.Path(found[1]).name
        elif found := re.match(r"(\d+) workers; .* auto took ([\d.]+) s", line):
            workers, seconds = found.groups()
        elif found := re.match(r"  (\S+(?: \d+)?)" + FIGURE * 3 + r"\s+\S+" * 2 + FIGURE + r"\s+(.*)", line):
            name, by_row, by_column, imbalance, sent, verdict = found.groups()
            rows.append((graph, workers, name, by_row, by_column, imbalance, sent,
                         f"{verdict} ({seconds} s)" if verdict.startswith("chosen") else verdict))
    return Reading(rows)


def partitioners_of_page(rows):
    """What was chosen, and beside it a hash of the rows."""
    shown = [row for row in rows if row[2] == "row" or row[7].startswith("chosen")]
    return ("graph", "workers", "partition", "row replicas", "column replicas", "imbalance", "bytes a product",
            "verdict"), shown


def program(given, name, *arguments):
    return [given.programs / name, *map(str, arguments)]


def ratios_of(name, full, quick):
    """Commands of one program that prints ratios, with the arguments of each."""
    return lambda given: [Command(program(given, name, *arguments), read_ratios)
                          for arguments in given.size(full, quick)]


def on_two_workers_too(name, full, quick):
    """The same on one worker, and on two, which say so."""
    def read_of_two(output):
        reading = read_ratios(output)
        return dataclasses.replace(reading, rows=[(f"{row[0]}, 2 workers", *row[1:]) for row in reading.rows])

    def commands(given):
        alone = ratios_of(name, full, quick)(given)
        return alone + [Command([LAUNCH, "-n", "2", *command.words], read_of_two) for command in alone]
    return commands


def real_graph(given):
    """The crawl among the real data; none where there is none, or little is to be measured."""
    file = given.data and given.data / "graphs/cnr-2000.txt.gz"
    return file if file and file.exists() and not given.quick else None


def products(given):
    sizes = given.size((("--scale", 18, "--repetitions", 11), ("--scale", 20, "--repetitions", 5)),
                       (("--scale", 14, "--repetitions", 3),))
    commands = [Command(program(given, "matrix_sweep", *arguments), read_ratios) for arguments in sizes]
    if real := real_graph(given):
        commands.append(Command(program(given, "matrix_sweep", "--graph", real, "--repetitions", 5), read_ratios))
    return commands


def loading(given):
    megabytes = given.size(50, 5)
    arguments = ["--megabytes", str(megabytes), "--repetitions", given.size("3", "2"), "--folder", given.folder]
    return [Command([LAUNCH, "-n", str(workers), given.programs / "load_speed", *arguments],
                    lambda output: Reading([row[1:] for row in read_csv(output)])) for workers in (1, 2)]


def partitioners(given):
    scale, parts = given.size((16, "2,16,64"), (10, "2"))
    commands = [Command(program(given, "partitioners", "--scale", scale, "--parts", parts), read_partitioners,
                        {"KASEN_DATA": "none"})]
    for name in ("cnr-2000.txt.gz", "wiki-Vote.txt") if given.data and not given.quick else ():
        if (given.data / "graphs" / name).exists():
            commands.append(Command(program(given, "partitioners", given.data / "graphs" / name, "--parts", "2,16"),
                                    read_partitioners))
    return commands


PLANNED = (("pagerank", "graph", ()), ("hits", "graph", ()), ("bfs", "graph", ("--source", "1")),
           ("lbfgs", "samples", ("--history", "10")), ("lbfgs", "samples", ("--l1", "1e-3")),
           ("kmeans", "points", ("--clusters", "10")))
OPTIONS = {"graph": "--graph", "samples": "--data", "points": "--points"}


def planning_data(_):
    return {"graph": generated("rmat-10", "rmat", "--scale", 10),
            "samples": generated("sparse-2000x1000", "sparse", "--rows", 2000, "--columns", 1000),
            "points": generated("clusters-1000x16", "clusters", "--rows", 1000, "--columns", 16)}


def planning(given):
    commands, files = [], []
    for name, kind, arguments in PLANNED:
        files.append(given.folder / f"{name}{'-l1' if '--l1' in arguments else ''}.json")
        data = given.folder / f"{planning_data(given)[kind].name}.h5"
        iterations = [] if name == "bfs" else ["--iterations", "2"]
        commands.append(Command([LAUNCH, "-n", "2", given.programs / name, OPTIONS[kind], data, *arguments, *iterations,
                                 "--quiet", "--record", files[-1]], prepares=True))
    repetitions = given.size("11", "3")
    for exact in ([], ["--exact"]):
        way = "exact" if exact else "greedy"
        commands.append(Command(
            [given.programs / "planning", "--repetitions", repetitions, *exact, *files],
            lambda output, way=way: Reading([(pathlib.Path(row[0]).stem, way, *row[1:6],
                                              *(row[6:8] if way == "exact" else ("", "")))
                                             for row in read_csv(output)])))
    commands.append(Command(
        [given.programs / "planning", "--repetitions", repetitions, "--growth", given.size("128", "16")],
        lambda output: Reading([(row[0], "greedy", *row[1:6], "", "") for row in read_csv(output)])))
    return commands


def exchanges(given):
    return [Command([LAUNCH, "-n", workers, given.programs / "exchanges", "--repetitions", given.size("11", "3")],
                    lambda output: Reading(read_csv(output)))
            for workers in given.size(("2", "8", "64", "128"), ("2", "8"))]


def choices(given):
    cases = given.size(["pagerank rmat-16", "hits rmat-16", "pagerank power-law", "lbfgs dense-20000x200"],
                       ["pagerank rmat-14"])
    if given.data and not given.quick:
        cases += ["pagerank cnr-2000", "pagerank wiki-Vote", "lbfgs a9a"]
    repetitions = given.size("3", "2")
    alternatives = given.size([], ["--alternatives", "storage|range$"])
    return [Command([BENCH / "choices.py", "--cases", f"^{case}$", "--workers", workers, "--repetitions", repetitions,
                     *alternatives, *given.scripts()], read_choices, given.environment())
            for case in cases for workers in given.size(("1", "2"), ("2",))]


def choices_notes(rows):
    if not rows:
        return []
    ratios = [float(row[5]) for row in rows]
    worst = max(rows, key=lambda row: float(row[5]))
    beyond = sum(ratio > 1.10 for ratio in ratios)
    return [f"auto / best alternative: median {statistics.median(ratios):.2f} (target 1.00), worst {max(ratios):.2f} "
            f"(target 1.10): {worst[0]} on {worst[1]}, by {worst[4]}; {beyond} of {len(ratios)} beyond 1.10"]


def shared_cases(given):
    """Beginnings of names in bench/cases.py: a command each, so that none takes too long."""
    return given.size(("pagerank", "hits", "components", "bfs", "sssp", "label-propagation", "lbfgs", "kmeans", "gmm",
                       "black-scholes", "svm", "mlogreg", "glm", "als", "autoencoder", "tpch"), ("pagerank rmat-16",))


def predictions(given):
    repetitions = given.size("3", "1")
    commands = []
    for workers in given.size(("1", "2"), ("2",)):
        profile = given.folder / f"profile-{workers}.json"
        commands.append(Command([LAUNCH, "-n", workers, given.programs / "kasen-calibrate", profile], prepares=True))
        commands += [Command([BENCH / "predictions.py", "--cases", f"^{name}", "--workers", workers, "--repetitions",
                              repetitions, "--profile", profile, *given.scripts()], read_predictions,
                             given.environment()) for name in shared_cases(given)]
    return commands


def predictions_notes(rows):
    within = sum(abs(float(row[4]) - 1) <= 0.20 for row in rows)
    return [f"{within} of {len(rows)} within 20 %"] if rows else []


def predictions_of_page(rows):
    """A row for each case, with what it takes on one worker and on two."""
    cases = list(dict.fromkeys(row[0] for row in rows))
    measured = {(row[0], row[1]): (row[2], row[4]) for row in rows}
    return (("case", "1 worker, ms", "measured / predicted", "2 workers, ms", "measured / predicted"),
            [(case, *(cell for workers in "12" for cell in measured.get((case, workers), ("", "")))) for case in cases])


def threads(given):
    repetitions = given.size("5", "1")
    return [Command([BENCH / "threads.py", "--cases", f"^{name}", "--repetitions", repetitions, *given.scripts()],
                    read_threads, given.environment()) for name in shared_cases(given)]


def threads_notes(rows):
    within = sum(float(row[4]) <= 1.05 for row in rows)
    return [f"{within} of {len(rows)} at most 1.05"] if rows else []


def reproducible(given):
    cases, repetitions = given.size(("", "9"), ("pagerank rmat-16", "1"))
    return [Command([BENCH / "reproducible.py", "--cases", cases, "--repetitions", repetitions, *given.scripts()],
                    read_reproducible, given.environment())]


def checkpoints(given):
    cases, repetitions = given.size(("", 5), ("components", 1))
    return [Command([BENCH / "checkpoints.py", "--cases", cases, "--repetitions", repetitions, *given.scripts()],
                    read_checkpoints)]


def fusion(given):
    rows, repetitions, cases = given.size((1_000_000, 3, ""), (10_000, 1, "svm"))
    return [Command([BENCH / "fusion.py", "--cases", cases, "--rows", rows, "--repetitions", repetitions,
                     *given.scripts()], read_fusion)]


def hosts(given):
    if os.geteuid() != 0:
        raise Skipped("only root may make network namespaces")
    scale, rows, number, rates = given.size((18, 200_000, "2,4,8", "1gbit,10gbit"), (10, 1000, "2", "1gbit"))
    return [Command([BENCH / "hosts.py", "--cases", given.size("", "pagerank"), "--scale", scale, "--rows", rows,
                     "--hosts", number, "--rate", rates, "--repetitions", given.size("3", "1"), *given.scripts()],
                    read_hosts)]


def keys(given):
    sizes = given.size(((10_000_000, "1248"), (100_000_000, "12")), ((10_007, "12"),))
    return [Command([LAUNCH, "-n", workers, *program(given, "keys_speed", "--keys", number, "--elements", number,
                                                     "--skew", skew, "--quiet")],
                    lambda output: Reading(read_csv(output)))
            for number, several in sizes for workers in several for skew in (0, 1.2)]


def memory(given):
    scale = given.size("19", "14")
    cases = given.size(["(pagerank|hits)", "(lbfgs|kmeans)"], ["pagerank .*h5 auto"])
    return [Command([BENCH / "memory.py", "--cases", f"^{case}", "--workers", workers, "--scale", scale,
                     *given.scripts()], read_memory) for workers in given.size(("1", "2"), ("1",)) for case in cases]


def many_workers(given):
    return [Command([BENCH / "many_workers.py", "--workers", given.size("1,8,64,256", "1,8"), "--cases",
                     given.size("", "^(pagerank|tpch)$"), *given.scripts()], read_many_workers)]


def peers(given):
    missing = [what for what, path in (("GAPBS not given", given.gapbs), ("other peers not given", given.peers))
               if path is None]
    if len(missing) == 2:
        raise Skipped(", ".join(missing))
    where = [*(["--gapbs", given.gapbs] if given.gapbs else []), *(["--peers", given.peers] if given.peers else [])]
    graphs = given.size([("18", "0"), ("20", "0"), ("0", "300"), ("0", "2000")], [("12", "0")])
    cases = [["--scale", scale, "--grid", grid] for scale, grid in graphs]
    if real := real_graph(given):
        cases.append(["--scale", "0", "--grid", "0", "--graph", real])
    return [Command([BENCH / "peers.py", *where, *case, "--repetitions", given.size("9", "2"), *given.scripts()],
                    read_peers) for case in cases]


def python(given):
    return [Command([BENCH / "python_peers.py", "--rows", given.size("2000000", "2000"), "--repetitions",
                     given.size("3", "1"), *given.scripts()], read_peers)]


TABLES = (
    Table("elements", "the element work of PageRank", RATIOS,
          ratios_of("element_sweep", (("--elements", 100_000_000, "--repetitions", 9),
                                      ("--elements", 20_000, "--repetitions", 1001)),
                    (("--elements", 100_000, "--repetitions", 5),))),
    Table("sums", "sums of expressions, of what bools choose, of squares and structs, and the largest element", RATIOS,
          ratios_of("sums", ((),), (("--elements", 10_000, "--repetitions", 5),))),
    Table("stencils", "products with stencils of grids, stored as such and compressed", RATIOS,
          ratios_of("stencils", ((), ("--storage", "compressed"), ("--edge", 200, "--repetitions", 101),
                                 ("--edge", 200, "--repetitions", 101, "--storage", "compressed")),
                    (("--edge", 60, "--repetitions", 3),))),
    Table("products", "products with sparse matrices", RATIOS, products),
    Table("rows", "X'f(Xv), planned beside three sweeps", RATIOS,
          ratios_of("row_sweep", (("--scale", 18, "--repetitions", 11, "--fusion", "exact"),),
                    (("--scale", 12, "--rows", 1000, "--columns", 50, "--repetitions", 3),))),
    Table("dense", "products with dense matrices", RATIOS,
          ratios_of("dense_sweep", (("--rows", 20_000, "--columns", 1000, "--repetitions", 11),
                                    ("--rows", 200_000, "--columns", 100, "--repetitions", 11),
                                    ("--rows", 2_000_000, "--columns", 16, "--repetitions", 11)),
                    (("--rows", 2000, "--columns", 100, "--repetitions", 3),))),
    Table("graphs", "a superstep of the graph suite", RATIOS,
          on_two_workers_too("graphs_speed", (("--scale", 18, "--repetitions", 5),),
                             (("--scale", 12, "--repetitions", 3),))),
    Table("hosts", "iterations on hosts, which are network namespaces, beside the same workers on one",
          ("case", "hosts", "rate", "one host ms", "ms", "predicted ms", "unoptimized ms", "MB sent", "links / plan"),
          hosts),
    Table("lbfgs", "an iteration of L-BFGS", RATIOS,
          ratios_of("lbfgs_speed", ((),), (("--samples", 20_000, "--features", 20_000, "--repetitions", 2),))),
    Table("kmeans", "an iteration of K-means", RATIOS,
          ratios_of("kmeans_speed", (("--rows", 0, "--iterations", 5, "--repetitions", 3),
                                     ("--points", 0, "--iterations", 5, "--repetitions", 3)),
                    (("--points", 200_000, "--rows", 20_000, "--iterations", 5, "--repetitions", 2),))),
    Table("als", "an iteration of alternating least squares", RATIOS,
          on_two_workers_too("als_speed", ((),), (("--users", 2000, "--items", 500, "--ratings", 50_000,
                                                   "--repetitions", 2),))),
    Table("descent", "a step of gradient descent on a batch of a sparse matrix", RATIOS,
          ratios_of("descent_speed", ((), ("--batch", 10_000, "--steps", 100)),
                    (("--samples", 3000, "--features", 500, "--batch", 100, "--steps", 40, "--repetitions", 2),))),
    Table("autoencoder", "a step of an autoencoder's training", RATIOS,
          on_two_workers_too("autoencoder_speed", ((),),
                             (("--batches", 1, "--batch", 50, "--columns", 20, "--first", 10, "--repetitions", 2),))),
    Table("gmm", "an iteration of a mixture of Gaussians", RATIOS,
          on_two_workers_too("gmm_speed", ((),), (("--points", 20_000, "--repetitions", 2),))),
    Table("queries", "queries over tables", RATIOS,
          on_two_workers_too("tpch_speed", (("--repetitions", 21),), (("--scale", 0.02, "--repetitions", 3),))),
    Table("fusion", "an iteration without fusion beside one with it, of the programs of SystemML's fusion plans",
          ("program", "workers", "fused ms", "unfused ms", "unfused / fused", "baseline / fused", "the paper's"),
          fusion),
    Table("order", "scans, sorting and quantiles", RATIOS,
          ratios_of("order_speed", ((),), (("--elements", 10_001, "--repetitions", 2),))),
    Table("keys", "sums by as many keys as elements",
          ("keys", "elements", "law", "workers", "way", "ms", "way / hand", "MB sent", "made in ms"), keys),
    Table("black-scholes", "the prices of options", RATIOS,
          ratios_of("black_scholes_speed", (("--elements", 20_000_000, "--repetitions", 5),),
                    (("--elements", 200_000, "--repetitions", 2),))),
    Table("loading", "text read, in MB a second: bytes alone, a plain parser on one thread, Kasen",
          ("format", "workers", "MB", "bytes alone", "one thread", "Kasen", "Kasen / one thread"), loading),
    Table("partitioners", "replicas of each partition",
          ("graph", "workers", "partition", "row replicas", "column replicas", "imbalance", "bytes a product",
           "verdict"), partitioners, of_page=partitioners_of_page),
    Table("planning", "time of planning, on 2 workers",
          ("program", "fusion", "programs", "operations", "repetitions", "median ms", "least ms",
           "looked at", "search / their time"), planning,
          lambda given: list(planning_data(given).values())),
    Table("exchanges", "exchanges between neighbours, by one call of all workers and by messages",
          ("workers", "neighbours", "bytes", "one call us", "messages us", "messages / call"), exchanges),
    Table("choices", "what is chosen beside the best alternative",
          ("case", "workers", "iterations", "ms an iteration", "best alternative", "auto / best", "in fresh turns",
           "noise"), choices, notes=choices_notes),
    Table("predictions", "predicted beside measured seconds",
          ("case", "workers", "measured ms", "predicted ms", "measured / predicted"), predictions,
          notes=predictions_notes, of_page=predictions_of_page),
    Table("threads", "threads of one worker beside as many workers of one thread",
          ("case", "threads", "threads ms", "workers ms", "threads / workers"), threads, notes=threads_notes),
    Table("reproducible", "programs with --reproducible beside the same without",
          ("case", "workers", "plain ms", "reproducible ms", "ratio", "predicted ratio"), reproducible),
    Table("checkpoints", "what checkpoints cost",
          ("case", "workers", "plain ms", "waiting", "checkpoint ms", "MB", "% of 60 s"), checkpoints),
    Table("memory", "memory beside what the plan needs, in MB over all workers",
          ("case", "workers", "needs", "steady", "peak", "steady / needs", "peak / needs"), memory),
    Table("many-workers", "runs on next to nothing, on more workers than cores",
          ("application", "workers", "seconds", "MB a worker"), many_workers),
    Table("peers", "Kasen beside other systems",
          ("case", "workers", "beside", "Kasen ms", "their ms", "Kasen / theirs"), peers),
    Table("python", "Kasen beside libraries for Python",
          ("case", "workers", "beside", "Kasen ms", "their ms", "Kasen / theirs"), python),
)
