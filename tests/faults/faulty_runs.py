"""Small runs of each application, in which calls are made to fail (failing_calls.cpp), and what must hold of them."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import time

SECONDS = 10  # what a run may take once a call has failed

GRAPH = "1 2\n2 3\n3 1\n4 1\n5 2\n1 5\n6 3\n2 6\n"
WEIGHTED = "1 2 0.5\n2 3 2\n3 1 1\n4 1 4\n5 2 1\n1 5 3\n6 3 1\n2 6 2.5\n"
SAMPLES = "1 1:0.5 3:2\n-1 2:1\n1 1:1 2:0.25 3:1\n-1 1:0.125 2:2\n1 3:1\n-1 2:0.5\n"
POINTS = "x,y\n0,0\n0,1\n5,5\n5,6\n1,0\n6,5\n"
QUOTES = "spot,strike,rate,volatility,years\n100,90,0.05,0.2,1\n100,110,0.05,0.3,0.5\n50,50,0.01,0.4,2\n80,70,0,0.25,1\n"
SEEDS = "1 a\n3 b\n"
CUSTOMERS = "c_custkey,c_mktsegment\n1,BUILDING\n2,MACHINERY\n"
ORDERS = ("o_orderkey,o_custkey,o_orderdate,o_shippriority\n1,1,1995-01-02,0\n2,2,1995-02-03,0\n3,1,1996-01-01,0\n"
          "4,1,1994-12-24,0\n")
ITEMS = ("l_orderkey,l_shipdate,l_extendedprice,l_discount\n1,1995-03-20,100,0.05\n1,1995-04-01,20,0\n"
         "2,1995-04-01,30,0.1\n3,1996-02-01,40,0\n4,1995-03-16,50,0.02\n4,1995-01-01,60,0\n")

# Arguments of each program; {in} is where the input is, {out} where output belongs.
PROGRAMS = {
    "pagerank": "--graph {in}/graph.txt --iterations 2 --top 2 --output {out}/ranks.h5 "
                "--report {out}/report.json --trace {out}/trace.json",
    "lbfgs": "--data {in}/samples.svm --loss logistic --l2 1 --max-iterations 2 --history 1 --sync lazy "
             "--output {out}/model.h5",
    "kmeans": "--points {in}/points.csv --clusters 2 --output {out}/clusters.h5",
    "als": "--ratings {in}/weighted.txt --rank 2 --iterations 2 --users 1 --top 1 --output {out}/factors.h5",
    "autoencoder": "--data {in}/points.csv --hidden 2,1 --batch 3 --epochs 1 --output {out}/encoder.h5",
    "gmm": "--points {in}/points.csv --components 2 --iterations 2 --output {out}/mixture.h5",
    "mlogreg": "--data {in}/samples.svm --iterations 1 --most-products 2 --output {out}/weights.h5",
    "svm": "--data {in}/samples.svm --iterations 1 --output {out}/weights.h5",
    "glm": "--data {in}/samples.svm --iterations 1 --most-products 2 --output {out}/weights.h5",
    "ridge": "--data {in}/points.csv --target y --words x --folds 2 --output {out}/weights.h5",
    "black-scholes": "--options {in}/quotes.csv --output {out}/prices.tsv",
    "crime-index": "--data {in}/quotes.csv --population spot --adults strike --robberies rate --report {out}/report.json",
    "clean-words": "--data {in}/quotes.csv --column spot --keep 1 --report {out}/report.json",
    "tpch": "--data {in} --query 3 --report {out}/report.json",
    "bfs": "--graph {in}/graph.txt --source 1 --output {out}/levels.tsv",
    "sssp": "--graph {in}/weighted.txt --source 1 --output {out}/distances.h5",
    "components": "--graph {in}/graph.txt --top 1 --output {out}/components.tsv",
    "hits": "--graph {in}/graph.txt --iterations 2 --output {out}/scores.mtx --record {out}/record.json",
    "label-propagation": "--graph {in}/graph.txt --seeds {in}/seeds.txt --iterations 2 --output {out}/classes.tsv",
    "kasen-convert": "{in}/graph.txt {out}/graph.h5 --prepare",
    "kasen-generate": "sparse {out}/train.svm --rows 9 --columns 5 --per-row 2 --weights {out}/weights.tsv",
    "kasen-analyze": "{in}/record.json --json {out}/analysis.json --dot {out}/plan.dot --html {out}/analysis.html",
    "kasen-report": "{in}/report.json {in}/trace.json --output {out}/run.html",
    "kasen-calibrate": "{out}/profile.json --memory 1M",
}
ALONE = {"kasen-analyze", "kasen-report"}  # run on one worker
NOT_REPEATABLE = {"report.json", "profile.json", "record.json", "trace.json"}  # hold times


class Run:
    """What a finished run left."""

    def __init__(self, status, stdout, stderr, seconds=0.0):
        self.status, self.stdout, self.stderr, self.seconds = status, stdout, stderr, seconds


class FaultyRuns:
    """One program on so many workers; `launcher` is the command before it, `library` the one that is preloaded."""

    def __init__(self, program, workers, launcher, library, bin_folder):
        self.name, self.workers, self.library = program, workers, library
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="kasen-faults-"))
        self.out, self.input = self.folder / "out", self.folder / "in"
        self.log, self.backup = self.folder / "log", self.folder / "backup"
        for folder in (self.out, self.input, self.backup):
            folder.mkdir()
        for name, text in (("graph.txt", GRAPH), ("weighted.txt", WEIGHTED), ("samples.svm", SAMPLES),
                           ("points.csv", POINTS), ("quotes.csv", QUOTES), ("seeds.txt", SEEDS),
                           ("customer.csv", CUSTOMERS), ("orders.csv", ORDERS), ("lineitem.csv", ITEMS)):
            (self.input / name).write_text(text, encoding="utf-8")
        self.bin = pathlib.Path(bin_folder)
        arguments = PROGRAMS[program].replace("{in}", str(self.input)).replace("{out}", str(self.out)).split()
        self.program = [str(self.bin / program), *arguments]
        self.launcher, self.preload = list(launcher), [str(library)]
        if "LD_PRELOAD" in self.launcher:  # -genv LD_PRELOAD LIBRARY
            at = self.launcher.index("LD_PRELOAD")
            self.preload.insert(0, self.launcher[at + 1])
            del self.launcher[at - 1:at + 2]
        if program in ALONE:
            record = [str(self.bin / "pagerank"), "--graph", str(self.input / "graph.txt"), "--iterations", "2",
                      "--quiet", "--record", str(self.input / "record.json"), "--report", str(self.input / "report.json"),
                      "--trace", str(self.input / "trace.json")]
            subprocess.run(record, check=True, capture_output=True)
        self.whole = {}  # what each output is when nothing fails

    def command(self):
        if not self.launcher:
            return self.program
        return [*self.launcher, "-genv", "LD_PRELOAD", ":".join(self.preload), *self.program]

    def environment(self, **more):
        environment = {k: v for k, v in os.environ.items() if not k.startswith("KASEN_FAULTS")}
        if not self.launcher:
            environment["LD_PRELOAD"] = ":".join(self.preload)
        return environment | {"KASEN_FAULTS_FOLDER": str(self.out), "KASEN_FAULTS_LOG": str(self.log)} | more

    def clear(self):
        for path in self.out.iterdir():
            path.unlink()
        self.log.unlink(missing_ok=True)

    def remove(self):
        shutil.rmtree(self.folder)

    def run(self, keep=False, **environment):
        """@param keep: what is there, where the output belongs, stays"""
        if not keep:
            self.clear()
        start = time.monotonic()
        with subprocess.Popen(self.command(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL,
                              env=self.environment(**environment), start_new_session=True) as process:
            try:
                out, error = process.communicate(timeout=3 * SECONDS)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, 9)
                out, error = process.communicate()
                return Run("hangs", out, error, time.monotonic() - start)
        return Run(process.returncode, out.decode("utf-8", "replace"), error.decode("utf-8", "replace"),
                   time.monotonic() - start)

    def notes(self, what):
        """Lines of the log that begin so, without that word."""
        if not self.log.exists():
            return []
        return [line.split()[1:] for line in self.log.read_text(encoding="utf-8").splitlines() if line.startswith(what)]

    def clean_run(self, places=0):
        """Runs without a failure. @return by kind and worker: how many calls, and the first of each place"""
        run = self.run(KASEN_FAULTS_PLACES=str(places))
        if run.status != 0:
            raise RuntimeError(f"{self.name}: without failures: {run.status}: {run.stderr}")
        self.whole = {path.name: path.read_bytes() for path in self.out.iterdir()}
        counts = {(kind, int(worker)): int(number) for worker, kind, number in self.notes("count")}
        first = {}
        for worker, kind, n, _ in self.notes("first"):
            first.setdefault((kind, int(worker)), []).append(int(n))
        return counts, first

    def half_files(self, kind=None):
        """What is wrong with the files that are there now. HDF5 without memory may leave free space at a file's end."""
        problems = []
        for path in self.out.iterdir():
            if path.name not in self.whole:
                problems.append(f"left {path.name}")
            elif path.name in NOT_REPEATABLE:
                try:
                    json.loads(path.read_text(encoding="utf-8"))
                except ValueError:
                    problems.append(f"half a file {path.name}")
            else:
                found = path.read_bytes()
                if kind == "hdf5-allocation" and path.suffix == ".h5":
                    found = found[:len(self.whole[path.name])]
                if found != self.whole[path.name]:
                    problems.append(f"half a file {path.name}")
        return problems

    def problem(self, run, kind):
        """What is wrong with a run in which a call failed; None if nothing. Whether it ended with its error or went on
        without what failed, the files are whole. HDF5 may crash without memory, and say so in many words."""
        problems = self.half_files(kind)
        lines = run.stderr.splitlines() if isinstance(run.stderr, str) else [str(run.stderr)]
        if run.status == 0:
            missing = set(self.whole) - {path.name for path in self.out.iterdir()}
            problems += [f"went on, without {name}" for name in missing]
            if kind == "mpi":  # MPICH counts, at its end, what it could not free
                lines = [line for line in lines if line and not line.startswith("[WARNING] yaksa: ")]
            problems += [f"went on, but said: {line}" for line in lines if kind != "hdf5-allocation"]
        elif kind != "hdf5-allocation" or run.status == "hangs":
            if run.status != 1:
                problems.append(f"status {run.status}")
            if len(lines) != 1 or not lines[0].startswith("error: "):
                problems.append(f"{len(lines)} messages: {run.stderr[-600:]!r}")
        if run.seconds > SECONDS:
            problems.append(f"took {run.seconds:.1f} s")
        return "; ".join(problems) or None

    def failing_run(self, kind, n, worker=None, and_later=False):
        """@return the run, or None if there was no n-th call"""
        more = {} if worker is None else {"KASEN_FAULTS_WORKER": str(worker)}
        run = self.run(KASEN_FAULTS=f"{kind}:{n}" + ("+" if and_later else ""), **more)
        return run if self.notes("failed") or run.status != 0 else None

    def fork_every(self, kind, step=1, places=0, and_later=False):
        """One run, on one worker, in which calls fail in a child of their own each: one in `step`, or the first from
        each place of so many callers.
        @return a list of (n, name of the call, Run, what is wrong with it)"""
        self.clear()
        to_read, to_write = os.pipe(), os.pipe()
        errors, words = self.folder / "stderr", self.folder / "stdout"
        runs = []
        more = {"KASEN_FAULTS": f"{kind}:0" + ("+" if and_later else ""),
                "KASEN_FAULTS_FORKS": f"{to_write[0]},{to_read[1]}", "KASEN_FAULTS_STEP": str(step),
                "KASEN_FAULTS_PLACES": str(places)}
        with open(errors, "ab") as stderr, open(words, "ab") as stdout:
            with subprocess.Popen(self.program, stdout=stdout, stderr=stderr, stdin=subprocess.DEVNULL,
                                  env=self.environment(**more) | {"LD_PRELOAD": ":".join(self.preload)},
                                  pass_fds=(to_write[0], to_read[1])) as process:
                os.close(to_write[0])
                os.close(to_read[1])
                said = os.fdopen(to_read[0], encoding="utf-8")
                for line in said:
                    _, n, name = line.rstrip("\n").split(" ", 2)
                    self.keep()
                    before = errors.stat().st_size
                    start = time.monotonic()
                    os.write(to_write[1], b"y")
                    status = os.waitstatus_to_exitcode(int(said.readline().split()[1]))
                    text = errors.read_bytes()[before:].decode("utf-8", "replace")
                    run = Run(status, "", text, time.monotonic() - start)
                    runs.append((int(n), name, run, self.problem(run, kind)))
                    self.restore()
                    os.write(to_write[1], b"g")
                said.close()
                os.close(to_write[1])
                if process.wait(60) != 0:
                    raise RuntimeError(f"{self.name}: the run that forks failed: {errors.read_text()}")
        errors.unlink()
        words.unlink()
        return runs

    def keep(self):
        for path in self.out.iterdir():
            os.link(path, self.backup / path.name)

    def restore(self):
        for path in self.out.iterdir():
            path.unlink()
        for path in self.backup.iterdir():
            path.rename(self.out / path.name)
