#!/usr/bin/env python3
"""kasen-convert: round trips through every format, what --describe says, and files for and from h5py.

usage: convert_test.py WORKERS COMMAND...
"""
import os
import pathlib
import struct
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from launched_program import LaunchedProgramTest, main

try:
    import h5py
except ImportError:
    h5py = None

GRAPH = "# a comment\npear apple\nfig apple\nGröße pear\npear apple\nfig fig\n"
WEIGHTED = "-3 5 0.1\n5 700000000000 -2.5e-300\n700000000000 -3 1\n-3 5 4\n"
SAMPLES = "1 1:0.5 3:-2\n-1 2:1e+300\n-1\n1 1:0.1 2:3 4:5e-324\n"
COORDINATES = "%%MatrixMarket matrix coordinate real general\n3 4 4\n1 1 0.1\n1 4 -7\n3 2 1e-320\n3 2 8\n"
PATTERN = "%%MatrixMarket matrix coordinate pattern general\n3 4 3\n1 1\n1 4\n3 2\n"
ARRAY = "%%MatrixMarket matrix array real general\n2 3\n1\n-0.5\n2\n1e+22\n3\n0.1\n"
TABLE = "a,b,the third\n1,2,3\n-0.5,1e+22,0.1\n"


class ConvertTest(LaunchedProgramTest):
    def convert(self, source, name, *arguments):
        path = self.folder / name
        self.succeed(source, path, "--quiet", *arguments)
        return path

    def text(self, path):
        return path.read_text(encoding="utf-8")

    def rows(self, text):
        """Lines without comments, in no order: what is written is in the order of rows."""
        return sorted(line for line in text.splitlines() if line and line[0] not in "#")

    def described(self, path, *arguments):
        out, _ = self.succeed("--describe", path, *arguments)
        return {line[:14].strip(): line[14:] for line in out.splitlines()}

    def test_round_trips(self):
        for name, content, *arguments in (
                ("graph.txt", GRAPH), ("weighted.txt", WEIGHTED), ("samples.svm", SAMPLES),
                ("coordinates.mtx", COORDINATES), ("pattern.mtx", PATTERN), ("array.mtx", ARRAY), ("table.csv", TABLE),
                ("one.mtx", "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 2\n"),
                ("empty.mtx", "%%MatrixMarket matrix coordinate real general\n3 4 0\n"),
                ("infinite.csv", "x,y\ninf,-inf\n1,2\n", "--allow-non-finite"),
                ("infinite.svm", "1 1:inf 2:-inf\n", "--allow-non-finite")):
            with self.subTest(name=name):
                source = self.file(name, content)
                through = self.convert(source, "through.h5", *arguments)
                back = self.convert(through, "back-" + name)
                self.assertEqual(self.rows(self.text(back)), self.rows(content))
                if self.workers == 1:
                    direct = self.convert(source, "direct-" + name, *arguments)
                    self.assertEqual(self.text(back), self.text(direct))

    def test_prepared_files_hold_the_same(self):
        for name, content, *arguments in (
                ("graph.txt", GRAPH, "--partition", "metis"), ("samples.svm", SAMPLES),
                ("pattern.mtx", PATTERN, "--workers", 3, "--partition", "hybrid-cut", "--threshold", 1),
                ("weighted.txt", WEIGHTED, "--workers", 4, "--partition", "2d")):
            with self.subTest(name=name):
                prepared = self.convert(self.file(name, content), "prepared.h5", "--prepare", *arguments)
                again = self.convert(prepared, "again-" + name)
                self.assertEqual(self.rows(self.text(again)), self.rows(content))

    def test_prepared_by_a_file(self):
        owners = self.file("owners.txt", "pear 1\nfig 0\napple 1\nGröße 0\n")
        graph = self.file("graph.txt", GRAPH)
        prepared = self.convert(graph, "p.h5", "--prepare", "--workers", 2, "--partition", owners)
        if h5py is not None:
            with h5py.File(prepared, "r") as file:
                self.assertEqual(file["partition/row_owner"][...].tolist(), [0, 1, 0, 1])
        self.assertEqual(self.rows(self.text(self.convert(prepared, "g.txt"))), self.rows(GRAPH))

    def test_between_formats(self):
        samples = self.file("samples.svm", SAMPLES)
        matrix = self.convert(samples, "m.mtx", "--labels", self.folder / "labels.tsv")
        self.assertEqual(self.text(matrix).splitlines()[1], "4 4 6")
        self.assertEqual(self.text(self.folder / "labels.tsv"), "1\n-1\n-1\n1\n")
        edges = self.convert(self.file("g.txt", GRAPH), "g.mtx")
        self.assertEqual(self.text(edges).splitlines(),
                         ["%%MatrixMarket matrix coordinate pattern general", "4 4 5", "1 4", "3 2", "3 3", "4 2", "4 2"])
        table = self.convert(self.file("t.csv", TABLE), "t.tsv")
        self.assertEqual(self.text(table), TABLE.replace(",", "\t"))
        self.assertEqual(self.text(self.convert(self.file("t.csv", TABLE), "t.mtx")), ARRAY)
        other = self.convert(samples, "named.whatever", "--to", "libsvm")
        self.assertEqual(self.text(other), SAMPLES)

    def test_galois_graphs(self):
        header = struct.pack("<4Q", 1, 8, 3, 4)
        path = self.folder / "g.gr"
        _, notes = self.succeed(self.file("weighted.txt", WEIGHTED), path)
        self.assertIn("g.gr holds no vertex ids", notes)
        self.assertEqual(path.read_bytes(),
                         header + struct.pack("<3Q", 2, 3, 4) + struct.pack("<4I", 1, 1, 2, 0) +
                         struct.pack("<4d", 0.1, 4, -2.5e-300, 1))
        self.assertEqual(self.rows(self.text(self.convert(path, "back.txt"))),
                         ["0 1 0.1", "0 1 4", "1 2 -2.5e-300", "2 0 1"])
        path.write_bytes(struct.pack("<6Q2I2I", 1, 4, 2, 2, 1, 2, 1, 0, 7, 4294967295))
        self.assertEqual(self.described(path)["file"], "graph, gr")
        back = self.convert(path, "back.mtx", "--format", "gr:uint32")
        self.assertEqual(self.text(back).splitlines()[1:], ["2 2 2", "1 2 7", "2 1 4294967295"])
        run = self.run_program(path, self.folder / "a.h5", "--format", "gr:float64")
        self.assertEqual(run.returncode, 1)
        self.assertIn("expected data of type float64, found 4 bytes an edge", run.stderr)

    def test_notes_say_what_is_lost(self):
        _, notes = self.succeed(self.file("samples.svm", SAMPLES), self.folder / "a.mtx")
        self.assertIn("holds no labels", notes)
        square = self.file("square.mtx", "%%MatrixMarket matrix coordinate pattern general\n4 4 1\n1 2\n")
        _, notes = self.succeed(square, self.folder / "a.txt")
        self.assertIn("vertices without an edge: 2 of 4", notes)
        wide = self.file("wide.mtx", "%%MatrixMarket matrix coordinate real general\n2 5 2\n1 1 3\n2 2 4\n")
        _, notes = self.succeed(wide, self.folder / "a.svm")
        self.assertIn("columns behind the last value: 3 of 5 are left out", notes)
        full = self.file("full.mtx", "%%MatrixMarket matrix coordinate real general\n2 3 2\n1 1 3\n2 3 4\n")
        _, notes = self.succeed(full, self.folder / "a.svm")
        self.assertNotIn("columns", notes)
        _, notes = self.succeed(self.file("g.txt", GRAPH), self.folder / "a.h5")
        self.assertNotIn("note:", notes)

    def test_describe(self):
        graph = self.described(self.file("g.txt", GRAPH))
        self.assertEqual(graph["file"], "graph, edge-list")
        self.assertEqual((graph["vertices"], graph["edges"]), ("4", "5, density 0.312"))
        self.assertEqual(graph["out-degrees"], "0 to 2, mean 1.25; 1 of 4 without")
        self.assertEqual(graph["in-degrees"], "0 to 3, mean 1.25; 1 of 4 without")
        self.assertEqual((graph["duplicates"], graph["self-loops"], graph["symmetric"], graph["vertex ids"],
                          graph["values"]), ("1", "1", "no", "words", "none: a pattern"))
        samples = self.described(self.file("s.svm", SAMPLES))
        self.assertEqual((samples["file"], samples["rows"], samples["columns"]), ("samples, libsvm", "4", "4"))
        self.assertEqual(samples["labels"], "2 classes: -1: 2, 1: 2")
        self.assertEqual(samples["per row"], "0 to 3, mean 1.5; 1 of 4 without")
        table = self.described(self.file("t.csv", TABLE))
        self.assertEqual((table["file"], table["rows"], table["a"]),
                         ("table, table", "2", "-0.5 to 1, mean 0.25"))
        both = self.described(self.file("both.txt", "1 2 5\n2 1 5\n3 3 1\n"))
        self.assertEqual((both["symmetric"], both["values"]), ("yes", "1 to 5, mean 3.66667"))
        directed = self.described(self.file("both.txt", "1 2 5\n2 1 4\n"))
        self.assertEqual(directed["symmetric"], "no")
        self.assertEqual(list(self.folder.glob("*.h5")), [])

    def test_describe_partitions(self):
        edges = "".join(f"{source} {source * source % 97}\n" for source in range(500))
        out, _ = self.succeed("--describe", self.file("g.txt", edges), "--workers", 4)
        self.assertIn("over 4 workers:", out)
        for name in ("block", "range", "range-column", "range-2d", "hybrid-cut", "2d", "label-propagation"):
            self.assertIn(name, out)

    def test_what_a_file_is_can_be_given(self):
        square = self.file("square.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 3\n")
        self.assertEqual(self.described(square)["file"], "graph, matrix-market")
        self.assertEqual(self.described(square, "--as", "samples")["file"], "samples, matrix-market")
        pairs = self.file("pairs", "1 2\n3 4\n5 6\n")
        self.assertEqual(self.described(pairs)["vertices"], "6")
        self.assertEqual(self.described(pairs, "--as", "table")["rows"], "3")
        self.assertEqual(self.described(pairs, "--format", "table")["rows"], "3")
        self.assertEqual(self.described(square, "--ignore-weights")["values"], "none: a pattern")

    def test_progress(self):
        _, progress = self.succeed(self.file("g.txt", GRAPH), self.folder / "g.h5", "--progress")
        for step in ("reading", "writing", "done"):
            self.assertEqual(sum(step in line for line in progress.splitlines()), 1, progress)
        self.assertEqual(self.succeed(self.folder / "g.txt", self.folder / "q.h5", "--progress", "--quiet"), ("", ""))

    def test_errors(self):
        graph, table = self.file("g.txt", GRAPH), self.file("t.csv", TABLE)
        empty = self.file("empty.mtx", "%%MatrixMarket matrix array real general\n3 0\n")
        samples = self.file("s.svm", SAMPLES)
        before = sorted(self.folder.iterdir())
        for status, text, *arguments in (
                (2, "OUT is required", graph), (2, "its name does not say how", graph, self.folder / "a.foo"),
                (2, "libsvm does not hold tables", table, self.folder / "a.h5", "--to", "libsvm"),
                (2, "its name does not say how", table, self.folder / "a.svm"),
                (2, "--prepare", graph, self.folder / "a.mtx", "--prepare"),
                (2, "--prepare", table, self.folder / "a.h5", "--prepare"),
                (2, "--threads", graph, self.folder / "a.h5", "--threads", 2),
                (2, "--partition requires --prepare", graph, self.folder / "a.h5", "--partition", "row"),
                (2, "--threshold requires --prepare", graph, self.folder / "a.h5", "--threshold", 3),
                (2, "--threshold: is of", graph, self.folder / "a.h5", "--prepare", "--partition", "2d", "--threshold", 3),
                (2, "--workers: is of --prepare and --describe", graph, self.folder / "a.h5", "--workers", 3),
                (2, "--workers: a table is not partitioned", table, "--describe", "--workers", 3),
                (2, "OUT: the name is empty", graph, ""),
                (2, "--to excludes --describe", graph, "--describe", "--to", "gr"),
                (2, "--labels excludes --describe", graph, "--describe", "--labels", self.folder / "l.tsv"),
                (1, "t.csv: found no labels", table, self.folder / "a.h5", "--labels", self.folder / "l.tsv"),
                (2, "--drop-duplicates: is of graphs", table, self.folder / "a.h5", "--drop-duplicates"),
                (1, "g.txt: is read as edge-list, to which --zero-based does not apply", graph, self.folder / "a.h5",
                 "--zero-based"),
                (1, "t.csv: is read as table, to which --ids does not apply", table, self.folder / "a.h5", "--ids",
                 "word"),
                (2, "is named twice", graph, self.folder / "a.h5", "--labels", self.folder / "a.h5"),
                (1, "g.txt: is to be read and to be written", graph, graph),
                (1, "cannot hold 3 rows of 0 columns", empty, self.folder / "a.csv"),
                (1, "an edge list holds graphs, and these are samples", samples, self.folder / "a.txt", "--to",
                 "edge-list", "--labels", self.folder / "l.tsv"),
                (1, "No such file", self.folder / "none", self.folder / "a.h5"),
                (1, "No such file", graph, self.folder / "none" / "a.h5"),
                (1, "is a directory", graph, self.folder), (1, "not a regular file", graph, "/dev/full"),
                (1, ":2:", self.file("bad.txt", "1 2\n3\n"), self.folder / "a.h5"),
                (1, "stray.txt:1:", self.file("stray.txt", "http://x/y\n1 2\n3 4\n"), self.folder / "a.h5"),
                (1, "no labels", graph, self.folder / "a.h5", "--labels", self.folder / "l.tsv"),
                (1, "looks like ARFF, expected a graph, samples or a table", self.file("iris.arff", "@relation iris\n"), self.folder / "a.h5")):
            with self.subTest(arguments=arguments):
                if str(arguments[1:2]).find("/dev/full") >= 0:
                    arguments += ["--to", "edge-list"]
                run = self.run_program(*arguments)
                errors = [line for line in run.stderr.splitlines() if line.startswith("error: ")]
                self.assertEqual((run.returncode, len(errors)), (status, 1), run.stderr)
                self.assertIn(text, errors[0])
        for extra in ("bad.txt", "iris.arff", "stray.txt"):
            (self.folder / extra).unlink()
        self.assertEqual(sorted(self.folder.iterdir()), before)

    @unittest.skipIf(h5py is None, "h5py is not installed")
    def test_h5py_opens_what_is_written(self):
        path = self.convert(self.file("s.svm", SAMPLES), "s.h5")
        with h5py.File(path, "r") as file:
            self.assertEqual((file.attrs["kasen_format"].tolist(), file.attrs["kasen_content"]), ([1], b"samples"))
            matrix = file["matrix"]
            self.assertEqual(matrix.attrs["encoding-type"], b"csr_matrix")
            self.assertEqual(matrix.attrs["shape"].tolist(), [4, 4])
            self.assertEqual(matrix["indptr"][...].tolist(), [0, 2, 3, 3, 6])
            self.assertEqual(matrix["indices"][...].tolist(), [0, 2, 1, 0, 1, 3])
            self.assertEqual(matrix["data"][...].tolist(), [0.5, -2, 1e300, 0.1, 3, 5e-324])
            self.assertEqual((matrix["indptr"].dtype, matrix["indices"].dtype, matrix["data"].dtype), ("i8", "i4", "f8"))
            self.assertEqual(file["labels"][...].tolist(), [1, -1, -1, 1])
        with h5py.File(self.convert(self.file("g.txt", GRAPH), "g.h5"), "r") as file:
            self.assertEqual(file["vertex"].asstr()[...].tolist(), ["Größe", "apple", "fig", "pear"])
            self.assertEqual(sorted(file["matrix"]), ["indices", "indptr"])
        with h5py.File(self.convert(self.file("t.csv", TABLE), "t.h5"), "r") as file:
            self.assertEqual(file["values"][...].tolist(), [[1, 2, 3], [-0.5, 1e22, 0.1]])
            self.assertEqual(file["column_names"].asstr()[...].tolist(), ["a", "b", "the third"])
        with h5py.File(self.convert(self.file("s.svm", SAMPLES), "p.h5", "--prepare", "--workers", 2), "r") as file:
            matrix, partition = file["matrix"], file["partition"]
            self.assertEqual(matrix.attrs["encoding-type"], b"coo_matrix")
            self.assertEqual(sorted(zip(matrix["row"][...].tolist(), matrix["col"][...].tolist())),
                             [(0, 0), (0, 2), (1, 1), (3, 0), (3, 1), (3, 3)])
            self.assertEqual(partition.attrs["workers"].tolist(), [2])
            self.assertEqual((partition["offsets"].shape, partition["offsets"][2]), ((3,), 6))

    @unittest.skipIf(h5py is None, "h5py is not installed")
    def test_what_h5py_writes_is_read(self):
        path = self.folder / "anndata.h5ad"
        with h5py.File(path, "w") as file:
            for name, encoding in (("X", "csr_matrix"), ("layers/raw", "csc_matrix")):
                group = file.create_group(name)
                group.attrs["encoding-type"], group.attrs["encoding-version"] = encoding, "0.1.0"
                group.attrs["shape"] = (3, 2) if encoding[2] == "r" else (2, 3)
                group.create_dataset("indptr", data=[0, 2, 2, 3], dtype="i4")
                group.create_dataset("indices", data=[0, 1, 1], dtype="i4", compression="gzip")
                group.create_dataset("data", data=[1.5, 2, -3], dtype="f4", chunks=True)
            file.create_dataset("obs/name", data=["a", "b", "c"])
            file.create_dataset("obsm/pca", data=[[1, 2], [3, 4], [5, 6]], dtype=">i2")
        expected = "%%MatrixMarket matrix coordinate real general\n"
        first = self.convert(path, "X.mtx", "--dataset", "X")
        self.assertEqual(self.text(first), expected + "3 2 3\n1 1 1.5\n1 2 2\n3 2 -3\n")
        second = self.convert(path, "raw.mtx", "--dataset", "/layers/raw")
        self.assertEqual(self.text(second), expected + "2 3 3\n1 1 1.5\n2 1 2\n2 3 -3\n")
        table = self.convert(path, "pca.tsv", "--dataset", "obsm/pca")
        self.assertEqual(self.text(table), "1\t2\n3\t4\n5\t6\n")
        for text, *arguments in (("variable-length strings", "--dataset", "obs/name"),
                                 ("found 2 datasets that fit (/X, /layers/raw)", "--as", "samples")):
            run = self.run_program(path, self.folder / "a.h5", *arguments)
            self.assertEqual(run.returncode, 1)
            self.assertIn(text, run.stderr)

    def test_real_data(self):
        data = pathlib.Path(os.environ.get("KASEN_DATA", ""))
        if self.workers > 1 or not (data / "libsvm" / "a1a").is_file():
            self.skipTest("one worker, with KASEN_DATA")
        for name, *expected in (
                ("libsvm/a1a", ("rows", "1605"), ("non-zeros", "22249")), ("libsvm/heart_scale", ("rows", "270")),
                ("graphs/wiki-Vote.txt", ("vertices", "7115"), ("edges", "103689")),
                ("graphs/email-Eu-core.txt", ("vertices", "1005"), ("edges", "25571")),
                ("graphs/PGPgiantcompo.graph", ("vertices", "10680"), ("edges", "48632"), ("symmetric", "yes")),
                ("graphs/hep-th.mtx", ("symmetric", "yes")),
                ("clusters/s1.data.gz", ("rows", "5000"), ("columns", "2"))):
            with self.subTest(name=name):
                found = self.described(data / name)
                for key, text in expected:
                    self.assertEqual(found[key].split(",")[0], text)


if __name__ == "__main__":
    main(ConvertTest)
