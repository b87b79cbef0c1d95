#!/usr/bin/env python3
"""--record, --analyze and kasen-analyze seen from outside. Usage: analyze_test.py KASEN_ANALYZE WORKERS COMMAND..."""
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from launched_program import LaunchedProgramTest, main

ANALYZE = sys.argv.pop(1)

CUT = ["--partition", "hybrid-cut", "--threshold", 20]


class AnalyzeTest(LaunchedProgramTest):
    def setUp(self):
        super().setUp()
        generator = random.Random(5)
        # Half of the edges go to few vertices, so that some are cut at a threshold of 20.
        self.graph = self.file("graph.txt", "".join(
            f"{generator.randrange(300)} {generator.randrange(300 if k % 2 else 30)}\n" for k in range(3000)))
        self.program = self.folder / "program.json"

    def record(self, *arguments, graph=None):
        self.succeed("--graph", graph or self.graph, "--quiet", "--iterations", 3, "--record", self.program, *arguments)

    def analyze(self, *arguments, environment=None):
        return subprocess.run([ANALYZE, *map(str, arguments)], capture_output=True, text=True, timeout=60, check=False,
                              env=environment)

    def analysis(self, *arguments):
        output = self.folder / "analysis.json"
        run = self.analyze(self.program, "--json", output, "--quiet", *arguments)
        self.assertEqual((run.returncode, run.stdout, run.stderr), (0, "", ""))
        return json.loads(output.read_text(encoding="utf-8"))["programs"][0]

    def test_any_number_of_workers(self):
        self.record(*CUT)
        for workers in (100_000, 1 << 20):
            with self.subTest(workers=workers):
                analysis = self.analysis("--workers", workers, "--set", "N=1000000000", "--set", "M=16000000000")
                self.assertEqual(analysis["workers"], workers)
                loop = analysis["after"]["blocks"][1]["stream"]["messages"]  # of a gather, a scatter and a reduction
                pairs = workers * (workers - 1)
                self.assertTrue(pairs < loop <= 3 * pairs, loop)
        self.refuse(2, "--set", self.program, "--set", f"P={(1 << 20) + 1}")

    def refuse(self, status, message, *arguments, environment=None):
        run = self.analyze(*arguments, environment=environment)
        self.assertEqual((run.returncode, run.stdout), (status, ""), run.stderr)
        self.assertEqual(run.stderr.count("\n"), 1)
        self.assertTrue(run.stderr.startswith("error: "))
        self.assertIn(message, run.stderr)

    def test_recorded_program_has_the_costs_of_the_run(self):
        for options in ([], CUT, ["--partition", "block"], ["--sync", "eager", "--roles", "off"]):
            with self.subTest(options=options):
                report = self.folder / "report.json"
                self.record("--report", report, *options)
                counts = json.loads(report.read_text(encoding="utf-8"))
                planning = [word for word in options if word not in (*CUT, "block")]
                analysis = self.analysis(*planning)
                self.assertEqual(analysis["workers"], self.workers)
                self.assertEqual(analysis["runs"], 1)
                (space,), (matrix,) = counts["index_spaces"], counts["matrices"]
                symbols = analysis["symbols"]
                self.assertEqual((symbols["N"], symbols["M"], symbols["S"]),
                                 (space["length"], matrix["nonzeros"], space["replicas"]))
                self.assertEqual([symbols["S_row"], symbols["S_col"]], [r["replicas"] for r in space["roles"]])
                top, loop = analysis["after"]["blocks"]
                for column, name in (("stream", "measured"), ("model", "model")):
                    for count in ("elements_read", "elements_written", "elements_initialised", "bytes_read",
                                  "bytes_written", "bytes_sent"):
                        self.assertEqual(top[column][count]["value"] + 3 * loop[column][count]["value"],
                                         counts[name][count], (column, count))
                    self.assertEqual(top[column]["messages"] + 3 * loop[column]["messages"], counts[name]["messages"])
                    self.assertEqual(analysis["after"]["buffer_bytes"][column]["value"], counts[name]["buffer_bytes"])

    def test_graph_and_workers_give_the_exact_placement(self):
        """What is counted on one machine is what as many workers would hold."""
        report = self.report("--graph", self.graph, *CUT, "--iterations", 1)
        space, = report["index_spaces"]
        self.file("other.txt", "1 2\n2 3\n")
        self.succeed("--graph", self.folder / "other.txt", "--quiet", "--record", self.program)
        analysis = self.analysis("--graph", self.graph, *CUT, "--workers", self.workers)
        symbols = analysis["symbols"]
        self.assertEqual([symbols["N"], symbols["S"], symbols["S_row"], symbols["S_col"], symbols["M"]],
                         [300, space["replicas"], *[r["replicas"] for r in space["roles"]], 3000])
        elsewhere = analysis["what_if"]["workers"].index(16)
        exact = self.analysis("--graph", self.graph, *CUT, "--workers", 16)["symbols"]["S"]
        self.assertAlmostEqual(analysis["what_if"]["symbols"]["S"][elsewhere] / exact, 1, delta=0.15)
        top, loop = analysis["after"]["blocks"]
        self.assertEqual(top["stream"]["messages"] + loop["stream"]["messages"], report["measured"]["messages"])
        self.assertEqual(top["stream"]["bytes_read"]["value"] + loop["stream"]["bytes_read"]["value"],
                         report["measured"]["bytes_read"])

    def test_weights_count_for_nothing(self):
        self.record()
        plain = self.analysis("--graph", self.graph, *CUT)
        weighted = self.file("weighted.txt", "".join(
            f"{line} 2.5\n" for line in self.graph.read_text(encoding="utf-8").splitlines()))
        self.assertEqual(self.analysis("--graph", weighted, *CUT), plain)

    def test_storage(self):
        """In blocks, the costs are those of a run in blocks, or they are refused."""
        blocked = ["--storage", "blocked"]
        report = self.folder / "report.json"
        for placement in (CUT, ["--partition", "block"]):
            self.record("--report", report, *placement, *blocked)
            measured = json.loads(report.read_text(encoding="utf-8"))["measured"]
            recorded = self.analysis(*blocked)
            self.record(*placement, "--storage", "compressed")
            counted = self.analysis("--graph", self.graph, *placement, *blocked)
            for analysis in (recorded, counted):
                top, loop = (block["stream"]["bytes_read"]["value"] for block in analysis["after"]["blocks"])
                self.assertEqual(top + 3 * loop, measured["bytes_read"])
            compressed = self.analysis("--graph", self.graph, *placement, "--storage", "compressed")
            self.assertNotEqual(compressed["after"], counted["after"])
            self.refuse(2, "--storage blocked: the program was recorded without blocks", self.without_blocks(), *blocked)
            self.refuse(2, "--storage blocked: blocks are not estimated", self.program, *blocked, "--workers", 7)
        chain = self.file("chain.txt", "".join(f"{k} {k + 1}\n" for k in range(1 << 16)))
        self.refuse(2, "--storage blocked: with more than 65536 vertices", self.program, *blocked, "--graph", chain)

    def test_stencils(self):
        """A grid, of which analyses have what a run has read; and none where another storage is asked for."""
        grid = self.file("grid.txt", "".join(f"{k} {k + 1}\n{k} {k + 100}\n" for k in range(500)))
        report, stencils = self.folder / "report.json", ["--storage", "stencils"]
        read = set()
        for storage in (stencils, [], ["--storage", "compressed"]):
            self.record("--report", report, *storage, graph=grid)
            measured = json.loads(report.read_text(encoding="utf-8"))["measured"]
            analysis = self.analysis(*storage)
            top, loop = (block["stream"]["bytes_read"]["value"] for block in analysis["after"]["blocks"])
            self.assertEqual(top + 3 * loop, measured["bytes_read"])
            read.add(measured["bytes_read"])
            has = "by stencils" in json.dumps(analysis["after"])
            self.assertTrue(has or storage != stencils)
            self.assertTrue(not has or storage != ["--storage", "compressed"])
            if storage == stencils:
                compressed = self.analysis("--storage", "compressed")
                self.assertNotIn("by stencils", json.dumps(compressed["after"]))
                self.assertIn("T_col", analysis["symbols"])
        self.assertGreater(len(read), 1)
        self.refuse(2, "--storage stencils: the program was recorded without stencils", self.program, *stencils)
        self.refuse(2, "--storage stencils: stencils are not estimated", self.program, *stencils, "--workers", 7)
        self.refuse(2, "--storage stencils: stencils depend on the local order", self.program, *stencils, "--graph", grid)

    def without_blocks(self):
        """The recorded program as if its products were not in a loop."""
        recorded = json.loads(self.program.read_text(encoding="utf-8"))
        for placement in recorded["placements"]:
            for matrix in placement["matrices"]:
                matrix.pop("blocks_by_column", None)
                matrix.pop("blocks_by_row", None)
        return self.file("without.json", json.dumps(recorded))

    def test_estimate_is_close_to_the_exact_placement(self):
        self.record(*CUT)
        for workers in (2, 8, 64):
            if workers == self.workers:
                continue
            guess = self.analysis("--workers", workers)["symbols"]
            exact = self.analysis("--workers", workers, "--graph", self.graph, *CUT)["symbols"]
            for name in ("S", "S_row", "S_col"):
                self.assertAlmostEqual(guess[name] / exact[name], 1, delta=0.15)
            self.assertEqual((guess["N"], guess["M"]), (exact["N"], exact["M"]))

    def test_set(self):
        self.record()
        analysis = self.analysis("--set", "N=900000", "--set", "M=5000000", "--set", "P=16", "--set", "S=3000000")
        loop = analysis["after"]["blocks"][1]["model"]
        self.assertEqual(loop["bytes_read"]["text"], "24N + 20M")
        self.assertEqual(loop["bytes_read"]["value"], 24 * 900000 + 20 * 5000000)
        self.assertEqual(analysis["workers"], 16)
        before = analysis["before"]["blocks"][1]["model"]
        self.assertEqual(before["bytes_written"]["value"], 32 * 3900000 + 8 * 5000000)
        recorded = self.analysis()["symbols"]
        larger = self.analysis("--set", f"N={10 * recorded['N']}")["symbols"]
        for name, value in recorded.items():  # larger data of the same kind
            self.assertAlmostEqual(larger[name], 10 * value, delta=5, msg=name)
        denser = self.analysis("--set", f"M={3 * recorded['M']}")["symbols"]
        self.assertEqual(denser["N"], recorded["N"])
        if self.workers > 1:
            self.assertTrue(recorded["S"] < denser["S"] <= (self.workers - 1) * recorded["N"], denser["S"])
        sizes = ["--set", f"N={5 * recorded['N']}", "--set", f"M={20 * recorded['M']}"]
        what_if = self.analysis(*sizes)["what_if"]  # on other numbers of workers as if planned for them
        there = self.analysis("--workers", 8, *sizes)["symbols"]
        for name in ("N", "M", "S", "S_row", "S_col"):
            self.assertEqual(what_if["symbols"][name][what_if["workers"].index(8)], there[name], name)
        text = self.analyze(self.program, "--set", "N=900000").stdout
        self.assertIn("N = 900000 as given; what is not given is in proportion", text)
        self.assertIn("space 0: length 900000\n", text)

    def test_symbols_of_several_programs(self):
        points = self.file("points.txt", "".join(f"{k % 17} {k * k % 23}\n" for k in range(400)))
        kmeans = pathlib.Path(ANALYZE).with_name("kmeans")
        subprocess.run([*self.command[:-1], kmeans, "--points", points, "--clusters", "3", "--iterations", "2", "--quiet",
                        "--record", self.program], check=True, timeout=60)
        output = self.folder / "analysis.json"

        def symbols(*arguments):
            run = self.analyze(self.program, "--json", output, "--quiet", *arguments)
            self.assertEqual((run.returncode, run.stderr), (0, ""))
            return [program["symbols"] for program in json.loads(output.read_text(encoding="utf-8"))["programs"]]

        recorded = symbols()
        first_space = {"N" if "N" in program else "N0" for program in recorded}
        self.assertEqual(first_space, {"N", "N0"}, "the programs have no different names for one space")
        for name in first_space:
            for before, after in zip(recorded, symbols("--set", f"{name}=123456")):
                its_name = "N" if "N" in before else "N0"
                self.assertEqual(after[its_name], 123456)
                self.assertEqual(after.get("N1"), before.get("N1"))
        self.refuse(2, "gives N a second value", self.program, "--set", "N=5", "--set", "N0=6")
        self.refuse(2, "there is no symbol 'X', only N0, ", self.program, "--set", "X=5")

    def test_the_recorded_value_of_a_symbol_changes_nothing(self):
        components = pathlib.Path(ANALYZE).with_name("components")
        subprocess.run([*self.command[:-1], components, "--graph", self.graph, "--quiet", "--record", self.program,
                        *map(str, CUT)], check=True, timeout=60)
        output = self.folder / "analysis.json"

        def programs(*arguments):
            run = self.analyze(self.program, "--json", output, "--quiet", *arguments)
            self.assertEqual((run.returncode, run.stderr), (0, ""))
            return [(program["symbols"], program["after"]) for program in
                    json.loads(output.read_text(encoding="utf-8"))["programs"]]

        recorded = programs()
        self.assertGreater(len(recorded), 1)
        latest = {name: value for symbols, _ in recorded for name, value in symbols.items()}
        for name, value in latest.items():
            self.assertEqual(programs("--set", f"{name}={value}"), recorded, name)

    def test_a_graph_is_square(self):
        self.record()
        for rows, columns in ((30, 300), (300, 30)):
            pattern = self.file("wide.mtx", f"%%MatrixMarket matrix coordinate pattern general\n{rows} {columns} 2\n1 1\n"
                                            f"{rows} {columns}\n")
            self.refuse(1, f"wide.mtx: found a matrix of {rows} rows and {columns} columns, expected a square one: a graph",
                        self.program, "--graph", pattern, "--workers", 4)

    def test_programs_that_no_graph_can_place(self):
        self.record()
        follows_keys = json.loads(self.program.read_text(encoding="utf-8"))
        roles = follows_keys["placements"][0]["index_spaces"][0]["roles"]
        roles.append({**roles[-1], "roles": [*roles[-1]["roles"], {"side": "everywhere"}]})
        self.refuse(2, "--graph: the program follows keys, whose replicas a graph does not say",
                    self.file("keys.json", json.dumps(follows_keys)), "--graph", self.graph)
        samples = self.file("samples.svm", "1 1:1 2:2\n-1 1:3 2:1\n1 1:1 2:1\n")
        self.command = [*self.command[:-1], pathlib.Path(self.command[-1]).with_name("lbfgs")]
        self.succeed("--data", samples, "--quiet", "--record", self.program)
        self.refuse(2, "--graph: the program does not have exactly one matrix, with one space for both sides",
                    self.program, "--graph", self.graph)
        self.refuse(2, "--storage compressed: the program was recorded with a dense matrix: record it with",
                    self.program, "--storage", "compressed")

    def test_text(self):
        self.record()
        for options in ([], ["--sync", "lazy"], ["--fusion", "off", "--passes", "-reuse-buffers"]):
            run = self.analyze(self.program, *options)
            self.assertEqual((run.returncode, run.stderr), (0, ""))
            self.assertIn("before (--fusion off --sync lazy", run.stdout)
            for word in ("after (--fusion ", "loop 1, per iteration", "saved", "transitions, the cheapest of ", "reads "):
                self.assertIn(word, run.stdout)
        self.assertIn("rejected: ", self.analyze(self.program).stdout)

    def test_drawings(self):
        self.record()
        dot, svg = self.folder / "plan.dot", self.folder / "plan.svg"
        self.assertEqual(self.analyze(self.program, "--quiet", "--dot", dot).returncode, 0)
        dumped = self.folder / "dumped.dot"
        self.succeed("--graph", self.graph, "--quiet", "--dump-dag", dumped)
        self.assertEqual(dot.read_bytes(), dumped.read_bytes())
        before = sorted(self.folder.iterdir())
        self.refuse(1, "plan.svg: Graphviz is not installed", self.program, "--quiet", "--svg", svg, "--json",
                    self.folder / "plan.json", environment={**os.environ, "PATH": "/nowhere"})
        self.assertEqual(sorted(self.folder.iterdir()), before)
        if shutil.which("dot"):
            run = self.analyze(self.program, "--quiet", "--svg", svg)
            self.assertEqual((run.returncode, run.stdout, run.stderr), (0, "", ""))
            self.assertIn("</svg>", svg.read_text(encoding="utf-8"))

    def test_wrong_programs(self):
        self.record()
        text = self.program.read_text(encoding="utf-8")
        self.refuse(1, "absent.json: cannot be opened", self.folder / "absent.json")
        self.refuse(1, "is a directory, a file was expected", self.folder)
        self.refuse(1, "graph.txt: no JSON", self.graph)
        self.refuse(1, "empty.json: no JSON", self.file("empty.json", ""))
        for length in (len(text) // 3, len(text) - 4):
            self.refuse(1, "cut.json: no JSON, or not all of it: byte ", self.file("cut.json", text[:length]))
        wrong = json.loads(text)
        wrong["version"] = 99
        self.refuse(1, "new.json: version: version 99 is not known", self.file("new.json", json.dumps(wrong)))
        wrong = json.loads(text)
        wrong["programs"] = []
        self.refuse(1, "none.json: no program was recorded", self.file("none.json", json.dumps(wrong)))
        wrong = json.loads(text)
        wrong["programs"][0]["program"]["top"]["statements"][0]["op"] = "sort"
        self.refuse(1, "op.json: programs[0].program.top.statements[0].op: 'sort' is unknown",
                    self.file("op.json", json.dumps(wrong)))
        wrong = json.loads(text)
        wrong["degrees"] = []
        self.refuse(1, "cannot be estimated", self.file("bare.json", json.dumps(wrong)), "--workers", 77)

    def test_wrong_usage(self):
        self.record()
        self.refuse(2, "PROGRAM is required")
        self.refuse(2, "there is no symbol 'X', only N, S_row, S, S_col, M", self.program, "--set", "X=3")
        for setting in ("N", "N=", "=3", "N=-1", "N=1e3", "N=99999999999999999999", "P=0"):
            self.refuse(2, "--set", self.program, "--set", setting)
        for workers in ("0", "-1", "many", "1048577"):
            self.refuse(2, "--workers", self.program, "--workers", workers)
        self.refuse(2, "--threshold", self.program, "--threshold", 5)
        self.refuse(2, "--numbering", self.program, "--numbering", "degree")
        self.refuse(2, "--graph", self.program, "--graph", "")
        self.refuse(2, "'N=20' gives N a second value", self.program, "--set", "N=10", "--set", "N=20")
        self.refuse(2, "'P=5' gives P a second value", self.program, "--workers", 3, "--set", "P=5")
        self.refuse(2, "there is no pass 'fuze'", self.program, "--passes", "-fuze")
        self.refuse(2, "--sync", self.program, "--sync", "never")
        self.refuse(1, "absent.txt", self.program, "--graph", self.folder / "absent.txt")
        self.refuse(1, "nowhere", self.program, "--json", self.folder / "nowhere" / "a.json")
        self.assertIn("--set", self.analyze("--help").stdout)
        nowhere = self.folder / "nowhere" / "program.json"
        run = self.run_program("--graph", self.graph, "--record", nowhere)
        self.assertEqual((run.returncode, run.stdout), (1, ""))
        self.assertIn("nowhere", run.stderr)

    def test_analyze_runs_no_step(self):
        output, report = self.folder / "ranks.h5", self.folder / "report.json"
        out, error = self.succeed("--graph", self.graph, "--analyze", "--output", output, "--report", report,
                                  "--record", self.program, "--top", 5)
        self.assertEqual(error, "")
        self.assertEqual(out.count("loop 1, per iteration"), 2)
        self.assertRegex(out, r"\nanalyze: stopped at \S+:\d+: \[\w+\] needs a result; no step was run\n$")
        self.assertFalse(output.exists())
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()),
                         ["graph.txt", "program.json", "report.json"])
        counts = json.loads(report.read_text(encoding="utf-8"))
        self.assertEqual((counts["iterations"], counts["runs"], counts["measured"]["bytes_read"]), (0, 0, 0))
        self.assertEqual(self.analysis()["runs"], 0)
        out, error = self.succeed("--graph", self.graph, "--analyze", "--quiet")
        self.assertEqual((out, error), ("", ""))


if __name__ == "__main__":
    main(AnalyzeTest)
