#!/usr/bin/env python3
"""The programs of the graph suite seen from outside, against plain Python.

Usage: graphs_test.py WORKERS BIN LAUNCHER...
"""
import heapq
import json
import math
import pathlib
import random
import re
import shlex
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from launched_program import LaunchedProgramTest, read_hdf5

INFINITY = float("inf")


def neighbours(edges, undirected):
    """Pairs (target, weight) by source."""
    found = {vertex: [] for edge in edges for vertex in edge[:2]}
    for source, target, weight in edges:
        found[source].append((target, weight))
        if undirected:
            found[target].append((source, weight))
    return found


def levels_and_parents(edges, source, undirected=False):
    """Parents are the smallest of those that there are; -1: not reached."""
    out = neighbours(edges, undirected)
    level, parent = dict.fromkeys(out, -1), dict.fromkeys(out, -1)
    level[source], parent[source], frontier, depth = 0, source, [source], 0
    while frontier:
        depth += 1
        found = {}
        for vertex in sorted(frontier, reverse=True):
            found.update((target, vertex) for target, _ in out[vertex] if level[target] < 0)
        parent.update(found)
        level.update(dict.fromkeys(found, depth))
        frontier = list(found)
    return level, parent


def distances(edges, source, undirected=False):
    out = neighbours(edges, undirected)
    distance = dict.fromkeys(out, INFINITY)
    distance[source], queue = 0.0, [(0.0, source)]
    while queue:
        so_far, vertex = heapq.heappop(queue)
        for target, weight in out[vertex] if so_far == distance[vertex] else ():
            if so_far + weight < distance[target]:
                distance[target] = so_far + weight
                heapq.heappush(queue, (so_far + weight, target))
    return distance


def smallest_of_component(edges):
    out = neighbours(edges, True)
    smallest = {}
    for root in sorted(out):
        stack = [root] if root not in smallest else []
        while stack:
            vertex = stack.pop()
            if vertex not in smallest:
                smallest[vertex] = root
                stack += [target for target, _ in out[vertex]]
    return smallest


def hubs_and_authorities(edges, iterations):
    out = neighbours(edges, False)

    def normalised(score):
        norm = math.sqrt(sum(x * x for x in score.values()))
        return {vertex: x / norm for vertex, x in score.items()}

    hub, authority = normalised(dict.fromkeys(out, 1.0)), dict.fromkeys(out, 0.0)
    for _ in range(iterations):
        authority = dict.fromkeys(out, 0.0)
        for source, target, _ in edges:
            authority[target] += hub[source]
        authority, hub = normalised(authority), dict.fromkeys(out, 0.0)
        for source, target, _ in edges:
            hub[source] += authority[target]
        hub = normalised(hub)
    return hub, authority


def propagated(edges, seeds, of, iterations, undirected=True, weighted=False):
    out = neighbours(edges, False)
    score = {vertex: float(seeds.get(vertex) == of) for vertex in out}
    for _ in range(iterations):
        total, weight = dict.fromkeys(out, 0.0), dict.fromkeys(out, 0.0)
        for source, target, w in edges:
            w = w if weighted else 1.0
            for a, b in ((source, target), (target, source))[:2 if undirected else 1]:
                total[b] += w * score[a]
                weight[b] += w
        score = {v: score[v] if v in seeds else total[v] / weight[v] if weight[v] else 0.0 for v in out}
    return score


class GraphProgramTest(LaunchedProgramTest):
    bin = pathlib.Path()
    launcher = []

    def use(self, program):
        self.command = [*self.launcher, self.bin / program]

    def setUp(self):
        super().setUp()
        generator = random.Random(11)
        names = [k * k * 1_000_003 - 70_000 for k in range(50)]  # sparse, some negative
        pairs = [(generator.choice(names[:-4]), generator.choice(names[6:])) for _ in range(70)]
        pairs += [(names[-1], names[-2]), (names[20], names[20]), pairs[0]]
        self.edges = [(source, target, generator.randrange(0, 40) / 4) for source, target in pairs]
        self.source = pairs[0][0]
        self.graph = self.file("graph.txt", "".join(f"{s} {t}\n" for s, t, _ in self.edges))
        self.roads = self.file("roads.txt", "".join(f"{s} {t} {w}\n" for s, t, w in self.edges))

    def table(self, program, *arguments):
        """What a run writes, by column and vertex; predictions must be true, and --verify must agree."""
        self.use(program)
        path, report = self.folder / "result.tsv", self.folder / "report.json"
        out, _ = self.succeed(*arguments, "--output", path, "--report", report, "--verify")
        self.assertIn("verified: ", out)
        content = json.loads(report.read_text(encoding="utf-8"))
        self.assertEqual(content["program"], program)
        self.assertEqual(content["predicted"], content["measured"])
        self.assertEqual(len(content["series"]), 0 if program in ("components", "sssp") else 1)
        header, *lines = path.read_text(encoding="utf-8").splitlines()
        columns = header.split("\t")
        self.assertEqual(columns[-1], "vertex")
        table = {name: {} for name in columns[:-1]}
        for line in lines:
            *fields, vertex = line.split("\t")
            for name, field in zip(columns, fields):
                table[name][vertex] = field
        return table, out

    def assert_column(self, column, expected, convert=int):
        self.assertEqual({vertex: convert(field) for vertex, field in column.items()},
                         {str(vertex): value for vertex, value in expected.items()})

    def assert_near(self, column, expected, tolerance=1e-10):
        self.assertEqual(sorted(column), sorted(map(str, expected)))
        for vertex, value in expected.items():
            self.assertAlmostEqual(float(column[str(vertex)]), value, delta=tolerance)

    def refuse(self, program, arguments, status, *parts):
        self.use(program)
        before = sorted(self.folder.rglob("*"))
        run = self.run_program(*arguments, seconds=40)
        self.assertEqual(run.returncode, status, run.stderr)
        lines = run.stderr.splitlines()
        self.assertEqual(len(lines), 1, run.stderr)
        for part in ("error: ", *map(str, parts)):
            self.assertIn(part, lines[0])
        self.assertEqual(sorted(self.folder.rglob("*")), before)


class SearchTest(GraphProgramTest):
    def test_levels_and_parents(self):
        for options in ([], ["--undirected"]):
            level, parent = levels_and_parents(self.edges, self.source, bool(options))
            table, out = self.table("bfs", "--graph", self.graph, "--source", self.source, *options)
            self.assert_column(table["level"], level)
            self.assert_column(table["parent"], parent)
            reached = sum(depth >= 0 for depth in level.values())
            self.assertIn(f"{reached} reached from '{self.source}' in {max(level.values()) + 1} levels", out)

    def test_more_levels_than_in_turn(self):
        edges = [(v, v + 1, 1) for v in range(150)] + [(v, v + 2, 1) for v in range(0, 150, 5)]
        path = self.file("path.txt", "".join(f"{a} {b}\n" for a, b, _ in edges))
        for source, options in ((0, []), (140, ["--undirected"])):
            level, parent = levels_and_parents(edges, source, bool(options))
            table, out = self.table("bfs", "--graph", path, "--source", source, *options)
            self.assert_column(table["level"], level)
            self.assert_column(table["parent"], parent)
            self.assertIn(f"in {max(level.values()) + 1} levels", out)

    def test_words_and_hdf5(self):
        graph = self.file("words.txt", "b a\nb c\nc d\na d\nz b\n")
        table, _ = self.table("bfs", "--graph", graph, "--source", "b")
        self.assertEqual(table["level"], {"a": "1", "b": "0", "c": "1", "d": "2", "z": "-1"})
        self.assertEqual(table["parent"], {"a": "b", "b": "b", "c": "b", "d": "a", "z": ""})
        output = self.folder / "levels.h5"
        self.succeed("--graph", self.graph, "--source", self.source, "--output", output, "--quiet")
        content = read_hdf5(output)
        _, parent = levels_and_parents(self.edges, self.source)
        self.assertEqual(dict(zip(content["vertex"], content["parent"])), parent)

    def test_undirected_formats(self):
        """METIS and symmetric Matrix Market have every edge both ways."""
        metis = self.file("path.graph", "5 3\n2\n1 3\n2 4\n3\n\n")
        market = self.file("path.mtx", "%%MatrixMarket matrix coordinate real symmetric\n5 5 3\n"
                                       "2 1 0.5\n3 2 2\n4 3 0.25\n")
        for graph in (metis, market):
            table, _ = self.table("bfs", "--graph", graph, "--source", 4)
            self.assert_column(table["level"], {1: 3, 2: 2, 3: 1, 4: 0, 5: -1})
        table, _ = self.table("sssp", "--graph", market, "--source", 4)
        self.assert_column(table["distance"], {1: 2.75, 2: 2.25, 3: 0.25, 4: 0, 5: INFINITY}, float)
        self.assert_column(table["parent"], {1: 2, 2: 3, 3: 4, 4: 4, 5: -1})

    def test_distances(self):
        for options in ([], ["--undirected"]):
            distance = distances(self.edges, self.source, "--undirected" in options)
            table, out = self.table("sssp", "--graph", self.roads, "--source", self.source, *options)
            self.assert_column(table["distance"], distance, float)
            farthest = max(d for d in distance.values() if d < INFINITY)
            self.assertIn(f"the farthest at {farthest:.12g}", out)

    def test_infinite_distances(self):
        """What no finite path leads to is not reached, and has no vertex before it."""
        endless = self.file("endless.txt", "1 2 inf\n1 3 2\n3 4 1e308\n4 5 1e308\n4 6 0\n")
        table, out = self.table("sssp", "--graph", endless, "--source", 1, "--allow-non-finite")
        self.assert_column(table["distance"], {1: 0, 2: INFINITY, 3: 2, 4: 1e308, 5: INFINITY, 6: 1e308}, float)
        self.assert_column(table["parent"], {1: 1, 2: -1, 3: 1, 4: 3, 5: -1, 6: 4})
        self.assertIn("4 reached", out)

    def test_wrong_weights(self):
        for weight in ("-2.5", "nan", "-inf"):
            graph = self.file("bad.txt", f"1 2 -1\n2 3 {weight}\n3 1 0\n1 3 {weight}\n")
            self.refuse("sssp", ["--graph", graph, "--source", 1, "--allow-non-finite"], 1,
                        f"{graph}: found an edge from '1' to '3' of weight {weight}, expected weights from 0")
        skew = self.file("skew.mtx", "%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 3\n")
        self.refuse("label-propagation", ["--graph", skew, "--seeds", self.file("s.txt", "1 a\n"), "--weighted"], 1,
                    f"{skew}: found an edge from '1' to '2' of weight -3, expected weights from 0")
        self.refuse("sssp", ["--graph", self.graph, "--source", 1], 1, f"{self.graph}:1:")
        self.refuse("sssp", ["--graph", self.roads, "--source", 1, "--ignore-weights"], 2, "--ignore-weights")

    def test_analyze(self):
        """The search itself is planned, and no result is asked for before."""
        for program, graph, product in (("bfs", self.graph, "mxv(first, min)"),
                                        ("sssp", self.roads, "mxv(way + weight, min)")):
            self.use(program)
            self.assertIn(product, self.succeed("--graph", graph, "--source", self.source, "--analyze")[0])

    def test_wrong_source_and_graph(self):
        for program, graph in (("bfs", self.graph), ("sssp", self.roads)):
            for source in (123456, "x"):
                self.refuse(program, ["--graph", graph, "--source", source], 1,
                            f"{graph}: has no vertex '{source}', which --source names")
            self.refuse(program, ["--graph", graph], 2, "--source")
        self.refuse("bfs", ["--graph", self.file("empty.txt", ""), "--source", 1], 1, "the file is empty")
        self.refuse("bfs", ["--graph", self.folder / "none", "--source", 1], 1, "No such file")
        market = "%%MatrixMarket matrix coordinate pattern general\n"
        self.refuse("bfs", ["--graph", self.file("empty.mtx", market + "0 0 0\n"), "--source", 1], 1, "no vertex '1'")
        wide = self.file("wide.mtx", market + "2 3 1\n1 3\n")
        for program, options in (("bfs", ["--source", 1]), ("pagerank", [])):
            self.refuse(program, ["--graph", wide, *options], 1, f"{wide}: found a matrix of 2 rows and 3 columns")


class ScoresTest(GraphProgramTest):
    def test_components(self):
        smallest = smallest_of_component(self.edges)
        table, out = self.table("components", "--graph", self.graph, "--top", 3)
        self.assert_column(table["component"], smallest)
        sizes = {root: list(smallest.values()).count(root) for root in set(smallest.values())}
        best = sorted(sizes, key=lambda root: (-sizes[root], root))[:3]
        lines = [line.split() for line in out.splitlines()]
        printed = [(int(line[1]), int(line[2])) for line in lines[:len(best)]]
        self.assertEqual(printed, [(sizes[root], root) for root in best])
        self.assertIn(f"{len(sizes)} components, the largest of {sizes[best[0]]}", out)

    def test_components_are_found_at_once(self):
        """Of the two products the first one finds what is connected, once; plans and analyses know that none walks."""
        self.use("components")
        report = self.report("--graph", self.graph)
        products = [step for step in report["steps"] if "found_connected" in step or "settled" in step]
        self.assertEqual([step.get("found_connected") for step in products], [1, None])
        self.assertEqual([step["settled_entries"] for step in products], [0, 0])
        self.assertGreater(sum(step["settled"] for step in products), 0)
        for step in products:
            self.assertIn(", at once to all that is connected", "\n".join(step["details"]))
        out, _ = self.succeed("--graph", self.graph, "--explain")
        told = r"and telling A elements what they are connected with, once found, reads 8N \+ 8S_\w+ \+ 4M \+ 4A"
        self.assertEqual(len(re.findall(told, out)), 1, out)
        out, _ = self.succeed("--graph", self.graph, "--analyze")
        self.assertRegex(out, r"mxv\(first, min\).* at once to all that is connected")

    def test_components_of_nothing(self):
        self.use("components")
        graph = self.file("empty.mtx", "%%MatrixMarket matrix coordinate pattern general\n0 0 0\n")
        self.assertIn("0 components, the largest of 0", self.succeed("--graph", graph)[0])

    def test_nothing_but_ids(self):
        output = self.folder / "components.mtx"
        self.refuse("components", ["--graph", self.graph, "--output", output], 1,
                    f"{output}: cannot be written: it has no vectors, and Matrix Market")

    def test_a_failed_verification_leaves_no_output(self):
        """Authorities move less in one iteration than in the next, which the verifier does not expect."""
        self.use("hits")
        graph = self.file("pairs.txt", "0 1\n" + "".join(f"{k} {k + 1}\n" for k in range(0, 10_000, 2)))
        error = self.fail_without_output("--graph", graph, "--iterations", 2, "--verify")
        self.assertIn("verification failed: ", error)

    def test_hits(self):
        hub, authority = hubs_and_authorities(self.edges, 9)
        table, out = self.table("hits", "--graph", self.graph, "--iterations", 9, "--top", 2)
        self.assert_near(table["hub"], hub)
        self.assert_near(table["authority"], authority)
        lines = out.splitlines()
        self.assertEqual(int(lines[1].split()[2]), max(authority, key=authority.get))
        self.assertEqual(int(lines[4].split()[2]), max(hub, key=hub.get))

    def test_hits_before_the_first_iteration(self):
        table, _ = self.table("hits", "--graph", self.graph, "--max-iterations", 0)
        hub, authority = hubs_and_authorities(self.edges, 0)
        self.assert_near(table["hub"], hub)
        self.assert_near(table["authority"], authority)

    def test_label_propagation(self):
        vertices = sorted(neighbours(self.edges, False))
        for classes, options in ((["9", "10"], []), ([f"c{k:02}" for k in range(9)], ["--directed"]),
                                 (["one", "two"], ["--weighted"])):
            seeds = {vertices[3 * k + 5]: name for k, name in enumerate(classes)}
            path = self.file("seeds.txt", "# vertex class\n" + "".join(f"{v}\t{c}\n" for v, c in seeds.items()))
            graph = self.roads if "--weighted" in options else self.graph
            table, out = self.table("label-propagation", "--graph", graph, "--seeds", path, "--iterations", 8, *options)
            self.assertEqual(list(table), ["class", *(f"score_{name}" for name in classes)])
            scores = {name: propagated(self.edges, seeds, name, 8, "--directed" not in options,
                                       "--weighted" in options) for name in classes}
            for name in classes:
                self.assert_near(table[f"score_{name}"], scores[name])
            for vertex, name in seeds.items():
                self.assertEqual(table["class"][str(vertex)], name)
            for vertex in vertices:
                best = max(scores[name][vertex] for name in classes)
                given = table["class"][str(vertex)]
                if best == 0:
                    self.assertEqual(given, "-1" if classes[0] == "9" else "")
                else:
                    self.assertAlmostEqual(scores[given][vertex], best, delta=1e-12)
            self.assertIn(f"{len(seeds)} seeds of {len(classes)} classes", out)

    def test_wrong_seeds(self):
        vertex = self.edges[0][0]
        for text, message in [("17 a\n", ":1:1: found '17', expected a vertex of the graph"),
                              (f"# seeds\n\n  {vertex}\n", "expected a class after the vertex"),
                              (f"{vertex} a b\n", "found 'b', expected the end of the line"),
                              (f"{vertex} a\n{vertex} b\n", ":2:1: found"),
                              ("# none\n", ": no seeds")]:
            seeds = self.file("seeds.txt", text)
            self.refuse("label-propagation", ["--graph", self.graph, "--seeds", seeds], 1, f"{seeds}:", message)
        self.refuse("label-propagation", ["--graph", self.graph, "--seeds", self.folder / "none"], 1, "No such file")
        self.refuse("label-propagation", ["--graph", self.graph, "--seeds", "s.txt", "--weighted", "--ignore-weights"], 2,
                    "excludes")
        huge = self.file("huge.txt", "1 2 1e308\n1 3 1e308\n")
        self.refuse("label-propagation", ["--graph", huge, "--seeds", self.file("s.txt", "2 a\n3 a\n"), "--weighted"], 1,
                    f"{huge}: scores are no numbers")

    def test_personalised_ranks(self):
        sources = [self.edges[0][0], self.edges[7][1], self.edges[3][0]]
        named = self.file("sources.txt", "".join(f"{source}\n" for source in sources))
        for given, options in ((",".join(map(str, sources)), []), (named, ["--dangling", "redistribute"])):
            table, out = self.table("pagerank", "--graph", self.graph, "--sources", given, "--iterations", 6,
                                    "--top", 1, *options)
            self.assertEqual(list(table), [f"rank_{source}" for source in sources])
            self.assertEqual(out.count("verified: source "), len(sources))
            for source in sources:
                self.assert_near(table[f"rank_{source}"], self.personal_ranks(source, 6, bool(options)))

    def test_names_with_slashes(self):
        """A slash in the name of a dataset would make a group."""
        graph, output = self.file("paths.txt", "/usr /usr/bin\n/usr/bin /usr\n"), self.folder / "scores.h5"
        seeds = self.file("seeds.txt", "/usr a\n/usr/bin a/b\n")
        for program, arguments, names in (
                ("label-propagation", ["--seeds", seeds], ["class", "score_a", "score_a%2Fb", "vertex"]),
                ("pagerank", ["--sources", "/usr,/usr/bin"], ["rank_%2Fusr", "rank_%2Fusr%2Fbin", "vertex"])):
            self.use(program)
            self.succeed("--graph", graph, "--output", output, *arguments)
            self.assertEqual(sorted(read_hdf5(output)), names)

    def personal_ranks(self, source, iterations, redistribute):
        out = neighbours(self.edges, False)
        rank = {vertex: float(vertex == source) for vertex in out}
        for _ in range(iterations):
            new_rank = dict.fromkeys(out, 0.0)
            new_rank[source] = 0.15 + (0.85 * sum(rank[v] for v in out if not out[v]) if redistribute else 0)
            for start, end, _ in self.edges:
                new_rank[end] += 0.85 * rank[start] / len(out[start])
            rank = new_rank
        return rank

    def test_wrong_sources(self):
        name = self.edges[0][0]
        for sources, status, message in [
            (f"{name},77", 1, "has no vertex '77', which --sources names"),
            (f"{name},{name}", 2, f"--sources: names '{name}' twice"),
            (f"{name},{name:015}", 2, f"--sources: names '{name:015}' twice"),
            (self.file("twice.txt", f"{name}\n{name}\n"), 1, f"twice.txt: names '{name}' twice"),
            (self.file("none.txt", "# none\n"), 1, "no sources"),
            (self.folder, 1, f"has no vertex '{self.folder}', which --sources names"),
        ]:
            self.refuse("pagerank", ["--graph", self.graph, "--sources", sources], status, message)


class DocumentationTest(GraphProgramTest):
    def test_examples(self):
        """Those of docs/graphs.md, with this test's launcher."""
        page = (pathlib.Path(__file__).parents[2] / "docs" / "graphs.md").read_text(encoding="utf-8")
        commands, shown = re.search(r"^```sh\n(.*?)^```$.*?^```\n(.*?)^```$", page, re.M | re.S).groups()
        for line in commands.splitlines():
            words = shlex.split(line)
            if words[0] == "kasen-run":
                words = [*self.launcher, self.bin / words[3], *words[4:]]
                subprocess.run(words, cwd=self.folder, check=True, capture_output=True, timeout=60)
            else:
                subprocess.run(line, shell=True, cwd=self.folder, check=True)
        self.assertEqual((self.folder / "levels.tsv").read_text(encoding="utf-8"), shown)
        self.assertIn("\tvertex\n", (self.folder / "classes.tsv").read_text(encoding="utf-8"))


class RealGraphsTest(GraphProgramTest):
    """Public graphs, read by this test on its own; --verify checks every run."""

    def edges_of(self, path, skip=0):
        lines = path.read_text(encoding="utf-8").splitlines()[skip:]
        return [(*map(int, line.split()[:2]), 1.0) for line in lines if line and line[0] not in "#%"]

    def test_wiki_vote(self):
        path = self.data("graphs/wiki-Vote.txt")
        edges = self.edges_of(path)
        level, parent = levels_and_parents(edges, 30)
        table, _ = self.table("bfs", "--graph", path, "--source", 30)
        self.assert_column(table["level"], level)
        self.assert_column(table["parent"], parent)
        table, _ = self.table("components", "--graph", path)
        self.assert_column(table["component"], smallest_of_component(edges))
        self.table("hits", "--graph", path, "--tolerance", 1e-8)

    def test_email(self):
        path = self.data("graphs/email-Eu-core.txt")
        edges = self.edges_of(path)
        seeds = {vertex: str(vertex % 7) for vertex in range(0, 100, 3)}
        file = self.file("seeds.txt", "".join(f"{v} {c}\n" for v, c in seeds.items()))
        table, _ = self.table("label-propagation", "--graph", path, "--seeds", file, "--iterations", 5)
        self.assert_near(table["score_4"], propagated(edges, seeds, "4", 5))
        self.table("pagerank", "--graph", path, "--sources", "0,5,17,200,1004")

    def test_ca_grqc(self):
        path = self.data("graphs/ca-GrQc.txt")
        self.refuse("components", ["--graph", path], 1, "ca-GrQc.txt:1:1: ", "--skip-lines")
        table, _ = self.table("components", "--graph", path, "--skip-lines", 1)
        self.assert_column(table["component"], smallest_of_component(self.edges_of(path, 1)))

    def test_pgp(self):
        out = self.table("bfs", "--graph", self.data("graphs/PGPgiantcompo.graph"), "--source", 1)[1]
        self.assertIn("10680 reached from '1'", out)

    def test_hep_th(self):
        path = self.data("graphs/hep-th.mtx")
        lines = [line.split() for line in path.read_text(encoding="utf-8").splitlines() if line[0] != "%"][1:]
        edges = [(int(row), int(column), float(value)) for row, column, value in lines]
        distance = distances(edges + [(v, v, 0.0) for v in range(1, 8362)], edges[0][0], True)
        table, _ = self.table("sssp", "--graph", path, "--source", edges[0][0])
        self.assert_column(table["distance"], distance, float)


if __name__ == "__main__":
    GraphProgramTest.workers = int(sys.argv[1])
    GraphProgramTest.bin, GraphProgramTest.launcher = pathlib.Path(sys.argv[2]).resolve(), sys.argv[3:]
    unittest.main(argv=sys.argv[:1], verbosity=2)
