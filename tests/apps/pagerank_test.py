#!/usr/bin/env python3
"""pagerank seen from outside, against a serial reference. Usage: pagerank_test.py WORKERS COMMAND..."""
import bz2
import gzip
import json
import math
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from launched_program import LaunchedProgramTest, main, read_hdf5

COUNTS = {"elements_read", "elements_written", "elements_initialised", "bytes_read", "bytes_written", "bytes_sent",
          "messages", "buffer_bytes"}

# Every value of every option at least once, and the pairs that meet in one decision.
OPTIONS = [
    [],
    ["--fusion", "off", "--storage", "compressed", "--numbering", "index"],
    ["--fusion", "exact", "--storage", "blocked", "--partition", "range-column"],
    ["--fusion", "off", "--sync", "lazy", "--threads", "2"],
    ["--fusion", "off", "--sync", "eager", "--partition", "block", "--overlap", "on"],
    ["--sync", "eager", "--partition", "2d", "--routes", "neighbours"],
    ["--sync", "lazy", "--roles", "off", "--partition", "metis", "--overlap", "off"],
    ["--partition", "block", "--storage", "stencils", "--routes", "all-to-all"],
    ["--partition", "hybrid-cut", "--threshold", "5", "--numbering", "degree"],
    ["--partition", "hybrid-cut", "--threshold", "0", "--roles", "off", "--routes", "neighbours", "--overlap", "on"],
    ["--normalize", "--dangling", "redistribute", "--partition", "range"],
    ["--normalize", "--dangling", "redistribute", "--fusion", "off", "--sync", "lazy", "--partition", "range-2d"],
    ["--passes", "-rotate", "--partition", "column"],
    ["--passes", "-dead-values,-in-place", "--partition", "row"],
    ["--passes=-fuse,-join-mxv,-reuse-buffers", "--partition", "label-propagation"],
]


def random_edges(names, seed=7):
    """Some vertices have no out-edges, some no in-edges; one has many in-edges; duplicates and self-loops occur."""
    generator = random.Random(seed)
    sources, targets = names[:-8], names[8:]
    edges = [(generator.choice(sources), generator.choice(targets)) for _ in range(5 * len(names))]
    edges += [(source, targets[3]) for source in sources[::2]]
    edges += generator.sample(edges, 10) + [(name, name) for name in names[10:30:4]]
    generator.shuffle(edges)
    return edges


def text_of(edges):
    return "# source target\n" + "".join(f"{source}\t{target}\n" for source, target in edges)


def reference(edges, damping=0.85, iterations=None, normalize=False, redistribute=False):
    """Ranks by vertex, after so many iterations or when nothing changes any more."""
    vertices = sorted({vertex for edge in edges for vertex in edge})
    degree = dict.fromkeys(vertices, 0)
    for source, _ in edges:
        degree[source] += 1
    mean = 1 / len(vertices) if normalize else 1.0
    rank = dict.fromkeys(vertices, mean)
    for _ in range(1000 if iterations is None else iterations):
        lost = sum(rank[v] for v in vertices if degree[v] == 0) if redistribute else 0
        new_rank = dict.fromkeys(vertices, (1 - damping) * mean + damping * lost / len(vertices))
        for source, target in edges:
            new_rank[target] += damping * rank[source] / degree[source]
        rank = new_rank
    return rank


class PageRankTest(LaunchedProgramTest):
    def setUp(self):
        super().setUp()
        self.names = [k * k * 1_000_003 - 700_000 for k in range(60)]  # sparse, some negative
        self.edges = random_edges(self.names)
        self.graph = self.file("graph.txt", text_of(self.edges))

    def ranks(self, *arguments, graph=None):
        output = self.folder / "ranks.h5"
        self.succeed("--graph", graph or self.graph, "--quiet", "--output", output, *arguments)
        content = read_hdf5(output)
        self.assertEqual(sorted(content), ["rank", "vertex"])
        self.assertEqual(content["vertex"], sorted(content["vertex"]))
        return dict(zip(content["vertex"], content["rank"], strict=True))

    def assert_close(self, ranks, expected, tolerance=1e-12):
        self.assertEqual(list(ranks), list(expected))
        for vertex, rank in ranks.items():
            self.assertTrue(math.isclose(rank, expected[vertex], rel_tol=tolerance), (vertex, rank, expected[vertex]))

    def test_every_option_gives_the_reference_ranks_and_true_predictions(self):
        for options in OPTIONS:
            with self.subTest(options=options):
                textbook = "--normalize" in options
                report = self.folder / "report.json"
                ranks = self.ranks("--iterations", 12, "--report", report, *options)
                self.assert_close(ranks, reference(self.edges, iterations=12, normalize=textbook, redistribute=textbook))
                self.check_report(json.loads(report.read_text(encoding="utf-8")))

    def test_every_value_is_among_the_options(self):
        given = {pair for options in OPTIONS for pair in zip(options, options[1:])}
        text, _ = self.succeed("--help")
        for name in ("fusion", "sync", "partition", "roles", "storage", "numbering", "overlap", "routes"):
            default, *values = re.search(rf"^ *--{name} (\S+)", text, re.M)[1].split("|")
            self.assertIn(default, ("auto", "greedy", "hybrid", "on"))
            for value in values:
                if value != "FILE":  # which other tests give
                    self.assertIn((f"--{name}", value), given)

    def test_names_that_are_no_text_are_in_reports(self):
        partition = self.file(os.fsdecode(b"parts\xe9.txt"), "".join(f"{name} 0\n" for name in self.names))
        report, record = self.folder / "report.json", self.folder / "record.json"
        self.ranks("--iterations", 2, "--report", report, "--record", record, "--partition", partition)
        self.assertIn("parts\ufffd.txt", report.read_text(encoding="utf-8"))
        self.assertTrue(record.exists())

    def check_report(self, report):
        self.assertEqual(report["program"], "pagerank")
        self.assertEqual(set(report["options"]), {"fusion", "sync", "partition", "storage", "numbering", "overlap", "routes",
                                                  "threshold", "roles", "reproducible", "passes_off",
                                                  "search_budget"})
        self.assertEqual(report["workers"], self.workers)
        self.assertEqual(report["iterations"], 12)
        self.assertGreater(report["seconds_per_iteration"], 0)
        self.assertGreater(report["seconds_total"], report["seconds_per_iteration"])
        self.assertGreater(report["seconds_planning"], 0)
        (space,), (matrix,) = report["index_spaces"], report["matrices"]
        self.assertEqual(space["length"], 60)
        self.assertIsInstance(space["name"], str)
        self.assertEqual([role["side"] for role in space["roles"]], ["row", "column"])
        for role in space["roles"]:
            self.assertLessEqual(role["replicas"], space["replicas"])
            self.assertEqual(role["matrix"], 0)
            self.assertLessEqual(role["pairs"], self.workers * (self.workers - 1))
        self.assertEqual((matrix["rows"], matrix["columns"], matrix["nonzeros"]), (60, 60, len(self.edges)))
        self.assertGreaterEqual(matrix["imbalance"], 1)
        for column in ("predicted", "measured", "model"):
            self.assertEqual(set(report[column]), COUNTS)
        self.assertEqual(report["predicted"], report["measured"])
        self.assertGreater(report["measured"]["bytes_read"], 0)
        self.assertEqual(report["measured"]["bytes_sent"] > 0, self.workers > 1)
        self.assertEqual({step["kind"] for step in report["steps"]}, {"sweep", "exchange", "scalar"})
        for step in report["steps"]:
            self.assertLessEqual({"kind", "operations", "inputs", "outputs", "entered", "seconds",
                                  "seconds_predicted"}, set(step))
            self.assertIn(step["entered"], (1, 12))

    def test_output_as_text(self):
        expected = reference(self.edges, iterations=3)
        table, array = self.folder / "ranks.tsv", self.folder / "ranks.mtx"
        for path in (table, array):
            self.succeed("--graph", self.graph, "--quiet", "--output", path, "--iterations", 3)
        header, *lines = table.read_text(encoding="utf-8").splitlines()
        self.assertEqual(header, "rank\tvertex")
        ranks = {int(vertex): float(rank) for rank, vertex in (line.split("\t") for line in lines)}
        self.assert_close(ranks, expected)
        header, size, *numbers = array.read_text(encoding="utf-8").splitlines()
        self.assertEqual((header, size), ("%%MatrixMarket matrix array real general", f"{len(expected)} 1"))
        self.assertEqual([float(number) for number in numbers], list(ranks.values()))

    def test_textbook_definition(self):
        """NetworkX's pagerank(): no duplicate edges, ranks sum to one, lost rank is spread evenly."""
        ranks = self.ranks("--dangling", "redistribute", "--normalize", "--drop-duplicates", "--tolerance", 1e-13,
                           "--max-iterations", 1000)
        expected = reference(sorted(set(self.edges)), normalize=True, redistribute=True)
        self.assertEqual(list(ranks), list(expected))
        for vertex, rank in ranks.items():
            self.assertLess(abs(rank - expected[vertex]), 1e-9)
        self.assertAlmostEqual(sum(ranks.values()), 1, delta=1e-9)

    def test_dropped_edges(self):
        once = sorted(set(self.edges))
        self.assert_close(self.ranks("--iterations", 5, "--drop-duplicates"), reference(once, iterations=5))
        no_loops = [edge for edge in self.edges if edge[0] != edge[1]]
        self.assert_close(self.ranks("--iterations", 5, "--drop-self-loops"), reference(no_loops, iterations=5))

    def test_normalize_and_redistribute_alone_and_other_damping(self):
        self.assert_close(self.ranks("--iterations", 9, "--normalize"),
                          reference(self.edges, iterations=9, normalize=True))
        self.assert_close(self.ranks("--iterations", 9, "--dangling", "redistribute", "--damping", 0.5),
                          reference(self.edges, iterations=9, redistribute=True, damping=0.5))

    def test_words(self):
        names = [f"{letter}{k}-Größe" for letter in "xyz" for k in range(20)]
        edges = random_edges(names)
        graph = self.file("words.txt", text_of(edges))
        expected = reference(edges, iterations=5)
        in_bytes = sorted(expected, key=lambda word: word.encode("utf-8"))
        ranks = self.ranks("--iterations", 5, graph=graph)
        self.assert_close(ranks, {word: expected[word] for word in in_bytes})
        as_words = [(str(source), str(target)) for source, target in self.edges]
        self.assert_close(self.ranks("--iterations", 5, "--ids", "word"), reference(as_words, iterations=5))

    def test_formats(self):
        """One graph in every format gives the same ranks."""
        names = list(range(1, 61))
        edges = random_edges(names) + [(k, k % 60 + 1) for k in names]
        lines = [f"{source} {target}\n" for source, target in edges]
        parts = self.folder / "parts"
        parts.mkdir()
        (parts / "part-0.gz").write_bytes(gzip.compress("".join(lines[:100]).encode()))
        (parts / "part-1").write_text("".join(lines[100:]), encoding="utf-8")
        (parts / "_SUCCESS").touch()
        banner = f"%%MatrixMarket matrix coordinate pattern general\n60 60 {len(edges)}\n"
        weighted = self.file("weighted.txt", "".join(f"{line.rstrip()} 0.5\n" for line in lines))
        expected, _ = self.succeed("--graph", self.file("plain.txt", "".join(lines)), "--top", 5)
        for arguments in [
            [self.file("packed", bz2.compress("".join(lines).encode()))],
            [parts],
            [self.file("graph.mtx", banner + "".join(lines))],
            [weighted, "--ignore-weights", "--format", "edge-list"],
        ]:
            with self.subTest(arguments=arguments):
                self.assertEqual(self.succeed("--graph", *arguments, "--top", 5)[0], expected)

        triangle = "4 4\n2 3\n1 3\n1 2 4\n3\n"
        metis, _ = self.succeed("--graph", self.file("small.graph", triangle), "--top", 4)
        both = "1 2\n1 3\n2 1\n2 3\n3 1\n3 2\n3 4\n4 3\n"
        self.assertEqual(metis, self.succeed("--graph", self.file("small.txt", both), "--top", 4)[0])

    def test_same_bits_again(self):
        files = [self.folder / name for name in ("first.h5", "second.h5")]
        for file in files:
            self.succeed("--graph", self.graph, "--quiet", "--output", file)
        self.assertEqual(files[0].read_bytes(), files[1].read_bytes())

    def test_same_bits_however_data_is_spread(self):
        ranks = self.folder / "ranks.tsv"
        bits = set()
        for options in (["block"], ["2d", "--storage", "blocked"], ["hybrid-cut", "--numbering", "degree", "--fusion", "off"]):
            self.succeed("--graph", self.graph, "--reproducible", "--output", ranks, "--partition", *options)
            bits.add(ranks.read_bytes())
        self.assertEqual(len(bits), 1)

    def test_reproducible_runs_go_on_as_such(self):
        saved, whole, rest = self.folder / "saved", self.folder / "whole.h5", self.folder / "rest.h5"
        run = ["--graph", self.graph, "--iterations", "5", "--quiet"]
        self.succeed(*run, "--reproducible", "--checkpoint", saved, "--checkpoint-interval", "0", "--output", whole,
                     "--partition", "block")
        *_, before, newest = sorted(saved.iterdir())
        newest.unlink()  # so that there is something left to do
        report = self.report(*run, "--reproducible", "--resume", saved, "--output", rest, "--partition", "2d")
        self.assertEqual(report["checkpoints"]["resumed_from"], str(before))
        self.assertEqual(report["iterations"], 1)
        self.assertEqual(rest.read_bytes(), whole.read_bytes())
        other = self.run_program(*run, "--resume", saved)
        self.assertEqual(other.returncode, 2)
        self.assertIn("--reproducible was 'on' and is 'off'", other.stderr)

    def test_checkpoints_of_others_and_no_folder_are_refused(self):
        saved, plain = self.folder / "saved", self.file("plain", "")
        run = ["--graph", self.graph, "--iterations", 5, "--quiet", "--checkpoint"]
        self.succeed(*run, saved, "--checkpoint-interval", 0)
        newest = sorted(saved.iterdir())[-1]
        ranks = self.run_program(*run, plain)
        self.assertEqual((ranks.returncode, ranks.stderr),
                         (1, f"error: {plain}: is no folder that checkpoints can be written to\n"))
        self.command = [*self.command[:-1], pathlib.Path(self.command[-1]).with_name("hits")]
        scores = self.run_program(*run[:-1], "--resume", saved)
        self.assertEqual((scores.returncode, scores.stderr),
                         (1, f"error: {newest}: is a checkpoint of another program, or of another build of it\n"))

    def test_iterations(self):
        expected = reference(self.edges, iterations=200)
        for count in (0, 1, 7, 150):  # more than the tolerance and --max-iterations allow
            report = self.report("--graph", self.graph, "--iterations", count)
            self.assertEqual(report["iterations"], count)
            self.assertEqual(report["predicted"], report["measured"])
        self.assertEqual(self.report("--graph", self.graph, "--max-iterations", 3)["iterations"], 3)
        until_tolerance = self.ranks("--tolerance", 1e-10)
        change = sum(abs(until_tolerance[vertex] - expected[vertex]) for vertex in expected)
        self.assertLess(change, 1e-9)

    def test_top(self):
        expected = reference(self.edges)
        best = sorted(expected, key=lambda vertex: (-expected[vertex], vertex))
        for count in ("003", 1000):
            out, _ = self.succeed("--graph", self.graph, "--top", count, "--tolerance", 1e-12)
            *lines, summary = out.splitlines()
            self.assertEqual([int(line.split()[2]) for line in lines], best[:int(count)])
            self.assertEqual([int(line.split()[0]) for line in lines], list(range(1, len(lines) + 1)))
            for line in lines:
                self.assertAlmostEqual(float(line.split()[1]), expected[int(line.split()[2])], delta=1e-6)
            self.assertRegex(summary, rf"^60 vertices, {self.workers} workers?, \d+ iterations, last change ")

    def test_verify(self):
        for options in ([], ["--normalize", "--dangling", "redistribute"], ["--drop-duplicates", "--drop-self-loops"]):
            out, _ = self.succeed("--graph", self.graph, "--verify", *options)
            self.assertEqual(out.count("verified: residual "), 1)

    def test_explain(self):
        out, _ = self.succeed("--graph", self.graph, "--explain", "--storage", "compressed")
        self.assertEqual(out.count("plan 1\n"), 1)
        loop = out[out.index("\nwhile "):out.index("\nbuffers: ")]
        self.assertEqual(len(re.findall(r"^  sweep over matrix 0: 1 operation, 1 in, 1 out$", loop, re.M)), 1)
        self.assertEqual(len(re.findall(r"^  sweep over elements .* 3 in, 2 out$", loop, re.M)), 1)
        self.assertEqual(loop.count("sweep over"), 2)
        self.assertEqual(loop.count("gather v"), 1)
        self.assertEqual(loop.count("scatter v"), 1)
        self.assertIn("    reads 24N = 1440 bytes\n", loop)

    def line_of(self, code):
        """Where it stands in the program, as plans name it."""
        source = (pathlib.Path(__file__).parents[2] / "apps/pagerank/pagerank.cpp").read_text(encoding="utf-8").splitlines()
        return f"pagerank.cpp:{next(number for number, line in enumerate(source, 1) if code in line)}"

    def test_plans_name_source_lines(self):
        drawing, report = self.folder / "plan.dot", self.folder / "report.json"
        out, _ = self.succeed("--graph", self.graph, "--explain", "--dump-dag", drawing, "--report", report)
        loop = out[out.index("\nwhile "):out.index("\nbuffers: ")]
        self.assertRegex(loop, rf"\nwhile v\d+, .*, {self.line_of('while_(')}\n")
        self.assertRegex(loop, rf"\n    map\(.*, rule 8, {self.line_of('(1 - q) + q * x')}\n")
        operations = re.findall(r"^ *(?:\S.*, rule \d|scalar: ).*$", out, re.M)
        self.assertEqual([line for line in operations if not re.search(r", pagerank\.cpp:\d+$", line)], [])
        self.assertIn(self.line_of("(1 - q) + q * x"), drawing.read_text(encoding="utf-8"))
        steps = json.loads(report.read_text(encoding="utf-8"))["steps"]
        self.assertIn(self.line_of("(1 - q) + q * x"), " ".join(line for step in steps for line in step["details"]))

    def test_a_threshold_is_what_auto_tries(self):
        if self.workers == 1:
            self.skipTest("there is nothing to choose")
        for options, thresholds in (([], ["10", "30", "100", "300", "1000"]), (["--threshold", 5], ["5"])):
            out, _ = self.succeed("--graph", self.graph, "--explain", "--verify", *options)
            self.assertEqual(re.findall(r"^ *hybrid-cut (\d+) ", out, re.M), thresholds)

    def test_contradictions_are_refused(self):
        for arguments, status, *said in (
            (["--iterations", 3, "--max-iterations", 2], 2, "--iterations", "--max-iterations"),
            (["--sources", 1, "--normalize"], 2, "--normalize: ranks of --sources sum to 1 without it"),
            (["--dataset", "foo"], 1, "graph.txt: is read as edge-list, to which --dataset does not apply"),
            (["--skip-lines", "1", "--format", "hdf5"], 1, "graph.txt: is read as hdf5, to which --skip-lines does not"),
        ):
            run = self.run_program("--graph", self.graph, *arguments)
            self.assertEqual((run.returncode, run.stderr.count("error: ")), (status, 1), run.stderr)
            for word in said:
                self.assertIn(word, run.stderr)

    def test_print_after(self):
        out, _ = self.succeed("--graph", self.graph, "--print-after", "rotate,storage")
        self.assertEqual(re.findall(r"^after (.*):$", out, re.M), ["rotate", "storage"])
        out, _ = self.succeed("--graph", self.graph, "--print-after", "all")
        self.assertEqual(re.findall(r"^after (.*):$", out, re.M),
                         ["dead-values", "renames", "hoist", "common-subexpressions", "normalise-loops", "semi-naive", "fixpoints", "rotate",
                          "merge-branches", "common-subexpressions", "dead-values", "derive-laws", "place-transitions", "drop-empty",
                          "sweeps", "liveness", "delta-loops", "storage", "walks", "routes",
                          "sparse-exchanges", "overlap"])
        texts = dict(re.findall(r"^after (.*):\n(.*)$", out, re.M))
        self.assertEqual(texts["dead-values"], "(unchanged)")
        self.assertNotEqual(texts["rotate"], "(unchanged)")
        run = self.run_program("--graph", self.graph, "--print-after", "fuse")
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertEqual(run.stderr, "error: --print-after: 'fuse' is a part of a pass, not a pass\n")

    def test_drawing(self):
        drawing = self.folder / "plan.dot"
        for options in ([], ["--fusion", "off", "--sync", "lazy"]):
            self.succeed("--graph", self.graph, "--dump-dag", drawing, *options)
            text = drawing.read_text(encoding="utf-8")
            self.assertTrue(text.startswith("digraph plan {") and text.endswith("}\n"))
            self.assertEqual(text.count("{"), text.count("}"))
            self.assertIn('label=" gather {', text)
            if shutil.which("dot"):
                subprocess.run(["dot", "-Tsvg", "-o", self.folder / "plan.svg", drawing], check=True)

    def test_quiet_and_progress(self):
        out, error = self.succeed("--graph", self.graph, "--quiet", "--explain", "--top", 5, "--verify")
        self.assertEqual((out, error), ("", ""))
        self.assertEqual(self.succeed("--graph", self.graph, "--quiet", "--progress"), ("", ""))
        _, error = self.succeed("--graph", self.graph, "--progress")
        self.assertRegex(error, r"^(iteration \d+ of 100, change \S+(, \S+ s left at most)?\n)+$")

    def test_series(self):
        report = self.report("--graph", self.graph, "--iterations", 7)
        change = report["series"]["change"]
        self.assertEqual(len(change), 7)
        self.assertTrue(all(later < 0.86 * before for before, later in zip(change, change[1:])), change)

    def test_tiny_graphs(self):
        """Fewer vertices than workers, one edge, one self-loop, nothing but a vertex."""
        for text, options, expected in [
            ("1 2\n", [], {1: 0.15, 2: 0.15 + 0.85 * 0.15}),
            ("1 2\n", ["--normalize", "--dangling", "redistribute", "--tolerance", "1e-14"], {1: 20 / 57, 2: 37 / 57}),
            ("7 7\n", [], {7: 1}),
            ("7 7", ["--drop-self-loops"], {7: 0.15}),
            ("7 7", ["--drop-self-loops", "--normalize", "--dangling", "redistribute"], {7: 1}),
            ("1 2\n2 1\n", ["--partition", "block"], {1: 1, 2: 1}),
        ]:
            graph = self.file("tiny.txt", text)
            with self.subTest(text=text, options=options):
                self.assert_close(self.ranks(*options, graph=graph), expected)
                report = self.report("--graph", graph, *options)
                self.assertEqual(report["predicted"], report["measured"])


if __name__ == "__main__":
    main(PageRankTest)
