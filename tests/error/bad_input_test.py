#!/usr/bin/env python3
"""Bad input, bad output and bad options: one message, the right exit status, and nobody hangs.

Usage: bad_input_test.py WORKERS COMMAND...
"""
import gzip
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from launched_program import LaunchedProgramTest, main

IS_ROOT = os.geteuid() == 0
SECONDS = 40  # starting included, on a busy machine


class BadInputTest(LaunchedProgramTest):
    ADDRESSES = 400 << 20  # bytes of them that a process with little memory may have

    def setUp(self):
        super().setUp()
        self.folder.chmod(0o755)
        self.graph = self.file("good.txt", "".join(f"{k} {k * k % 101}\n" for k in range(101)))

    def as_nobody(self):
        """What to put before a command so that it runs as nobody; skips the test where that cannot be done."""
        if not IS_ROOT:
            return []
        if shutil.which("setpriv") is None:
            self.skipTest("setpriv is not installed")
        prefix = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
        if self.run_program("--help", prefix=prefix).returncode:
            self.skipTest("nobody may not run the program where it is built")
        return prefix

    def refuse(self, arguments, status, *parts, prefix=()):
        """The run fails with `status` and says `parts` in one line."""
        before = sorted(self.folder.rglob("*"))
        run = self.run_program(*arguments, prefix=prefix, seconds=SECONDS)
        self.assertEqual(run.returncode, status, f"{arguments}: {run.stdout}{run.stderr}")
        lines = run.stderr.splitlines()
        self.assertEqual(len(lines), 1, f"{arguments}: {run.stderr}")
        self.assertTrue(lines[0].startswith("error: "), lines[0])
        for part in map(str, parts):
            self.assertIn(part, lines[0])
        self.assertEqual(run.stdout, "")
        self.assertEqual(sorted(self.folder.rglob("*")), before)

    def refuse_graph(self, content, *parts, options=()):
        graph = self.file("bad.txt", content)
        self.refuse(["--graph", graph, *options], 1, *(str(part).replace("bad.txt", str(graph)) for part in parts))

    def test_no_file(self):
        missing = self.folder / "missing.txt"
        self.refuse(["--graph", missing], 1, f"{missing}: ", "No such file")
        (self.folder / "empty").mkdir()
        self.refuse(["--graph", self.folder / "empty"], 1, f"{self.folder}/empty: ", "directory without files")
        self.refuse(["--graph", self.folder], 1, f"{self.folder}/empty: ", "is a directory")
        self.refuse(["--graph", "/dev/null"], 1, "/dev/null: ", "not a regular file")

    def test_no_edges(self):
        self.refuse_graph("", "bad.txt: the file is empty")
        self.refuse_graph("# nothing\n% but\n\n# comments\n", "bad.txt: no edges")
        self.refuse_graph("1 2\n", "bad.txt: no edges", options=["--skip-lines", 5])

    def test_wrong_lines(self):
        self.refuse_graph("# head\n1 2\n3\n4 5\n", "bad.txt:3:1: ", "expected source and target", "'3'")
        self.refuse_graph("1 2\r\n3 4\r\n\r\n5 6 7\r\n", "bad.txt:4:5: ", "third is '7'")
        self.refuse_graph("1 2\n1 99999999999999999999", "bad.txt:2:3: ", "'99999999999999999999', which does not fit")
        self.refuse_graph("1 2\n-1 9223372036854775808\n", "bad.txt:2:4: ", "does not fit")
        self.refuse_graph("1 2\n3 4\nfive 6\n", "bad.txt:3:1: ", "'five'", "--ids word")
        self.refuse_graph("a b\n", "bad.txt:1:1: ", "--ids integer", options=["--ids", "integer"])
        self.refuse_graph("http://example.org/graph\n1 2\n", "bad.txt:1:1: ", "--skip-lines")

    def test_wrong_line_in_any_part_of_the_file(self):
        for wrong in (1, 700, 1300, 2000):
            lines = [f"{k % 37}\t{k}" for k in range(1, 2001)]
            lines[wrong - 1] = "17"
            self.refuse_graph("\n".join(lines) + "\n", f"bad.txt:{wrong}:1: ", "'17'")
        lines = ["0 1"] * 900
        lines[200] = lines[850] = "wrong"
        self.refuse_graph("\n".join(lines) + "\n", "bad.txt:201:1: ")

    def test_binary_rubbish(self):
        self.refuse_graph(b"\x7fELF\x02\x01\x01" + bytes(range(256)) * 20, "bad.txt: looks like a program")
        self.refuse_graph(b"1 2\n" * 500 + b"3 \x00\x01\xff\n" + b"1 2\n" * 500, "bad.txt:501:3: ", "byte 0x00")
        self.refuse_graph(b"\x1f\x8b\x08\x00" + b"\x55" * 100, "bad.txt: is compressed with gzip and damaged")
        self.refuse_graph(b"\xff" * 3_000_000, "bad.txt:1:1: ")

    def test_other_formats(self):
        self.refuse_graph("%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n3 1 1\n", "bad.txt:4:1: ",
                          "a row from 1 to 2", "'3'")
        self.refuse_graph("@RELATION iris\n@DATA\n1,2\n", "bad.txt: looks like ARFF")
        self.refuse_graph(gzip.compress(b"1 2\n" * 5000)[:-9], "bad.txt: ", "cut off")
        within_a_line = gzip.compress(b"1 2\n" * 5000, 0)[:-11]
        self.refuse_graph(within_a_line, "bad.txt: is compressed with gzip and cut off")
        self.refuse_graph("3 2\n2 3\n1\n", "bad.txt: ", "expected 3 lines of vertices", options=["--format", "metis"])
        self.refuse(["--graph", self.graph, "--format", "libsvm"], 2, "--format", "'libsvm'", "auto|edge-list|")
        self.refuse_graph(b"\x89HDF\r\n\x1a\n" + bytes(100), "bad.txt")
        self.refuse(["--graph", self.graph, "--format", "csv"], 2, "--format", "'csv'", "auto|edge-list|")

    def test_what_is_one_file_alone(self):
        """Text may be in the files of a directory, and packed; these are read where they lie."""
        galois = struct.pack("<6Q2I", 1, 0, 2, 2, 1, 2, 1, 0)
        hdf5 = b"\x89HDF\r\n\x1a\n" + bytes(100)
        for name, content, what in (("g", galois, "Galois graph"), ("h", hdf5, "HDF5 file")):
            parts = self.folder / name
            parts.mkdir()
            for part in ("a", "b"):
                (parts / part).write_bytes(content)
            self.refuse(["--graph", parts], 1, f"{parts}: expected one {what}, found a directory of 2 files")
        self.refuse_graph(gzip.compress(hdf5), "bad.txt: expected an HDF5 file, found one that is compressed with gzip",
                          "; unpack it first")

    def test_no_permission_to_read(self):
        prefix = self.as_nobody()
        self.graph.chmod(0o000)
        self.refuse(["--graph", self.graph], 1, f"{self.graph}: ", "Permission denied", prefix=prefix)

    def test_output_cannot_be_written(self):
        for option in ("--output", "--report", "--dump-dag"):
            no_directory = self.folder / "missing" / "result"
            self.refuse(["--graph", self.graph, option, no_directory], 1, f"{no_directory}: ", "No such file")
            self.refuse(["--graph", self.graph, option, self.folder], 1, f"{self.folder}: ", "is a directory")
            self.refuse(["--graph", self.graph, option, "/dev/full"], 1, "/dev/full: ", "not a regular file")

    def test_no_permission_to_write(self):
        prefix = self.as_nobody()
        self.folder.chmod(0o555)
        self.addCleanup(self.folder.chmod, 0o755)
        for option in ("--output", "--report"):
            result = self.folder / "result"
            self.refuse(["--graph", self.graph, option, result], 1, f"{result}: ", "Permission denied", prefix=prefix)

    def test_full_disk(self):
        if not IS_ROOT:
            self.skipTest("only root can mount a small disk")
        disk = self.folder / "disk"
        disk.mkdir()
        mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", disk]
        if subprocess.run(mount, capture_output=True, check=False).returncode:
            self.skipTest("no disk can be mounted here")
        self.addCleanup(subprocess.run, ["umount", disk], check=True)
        large = self.file("large.txt", "".join(f"{k} {k + 1}\n" for k in range(10_000)))
        output = disk / "ranks.h5"
        output.write_bytes(b"as it was")
        self.refuse(["--graph", large, "--output", output, "--quiet"], 1, f"{output}: ", "No space left")
        self.assertEqual(output.read_bytes(), b"as it was")
        (disk / "filling").write_bytes(bytes(56 << 10))
        for option in ("--output", "--report"):
            self.refuse(["--graph", self.graph, option, disk / "result", "--quiet"], 1, f"{disk / 'result'}: ",
                        "No space left")

    def test_wrong_partition_files(self):
        graph, parts = self.file("graph.txt", "7 8\n8 9\n"), self.folder / "parts.txt"
        for content, *said in [
            ("0\n0\n", f"{parts}: ", "the parts of 2 elements, expected those of 3"),
            ("0\n99\n0\n", f"{parts}:2:1: ", "found '99', expected a part from 0 to "),
            ("7 0\n8 0\n5 0\n", f"{parts}:3:1: ", "found '5', expected the name of a row"),
            ("7 0\n8 0\n", f"{parts}: ", "gives no part of row '9'"),
            ("7 0\n8 0\n9 0\n8 0\n", f"{parts}:4:1: ", "line 2"),
        ]:
            with self.subTest(content=content):
                parts.write_text(content, encoding="utf-8")
                self.refuse(["--graph", graph, "--partition", parts], 1, *said)

    def test_names_of_outputs(self):
        graph = ["--graph", self.graph]
        for option in ("--output", "--report", "--record", "--dump-dag", "--profile", "--sources"):
            self.refuse([*graph, option, ""], 2, option, "the name is empty")
        self.refuse(["--graph", ""], 2, "--graph", "the name is empty")
        result, link = self.folder / "result.json", self.folder / "link.json"
        link.symlink_to("result.json")
        for other in (result, link, self.folder / "." / "result.json"):
            self.refuse([*graph, "--output", result, "--report", other], 2, ": is named twice")
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)
        (self.folder / "here").symlink_to(".")
        for other in ("./result.json", "here/result.json", result, "link.json"):  # none of them is there yet
            self.refuse([*graph, "--report", "result.json", "--record", other], 2, ": is named twice")
        result.write_text("as it was", encoding="utf-8")
        self.refuse([*graph, "--record", link, "--dump-dag", result], 2, ": is named twice")
        os.link(result, self.folder / "hard")
        self.refuse([*graph, "--report", result, "--record", self.folder / "hard"], 2, ": is named twice")

    def test_an_input_is_no_output(self):
        before = self.graph.read_bytes()
        link = self.folder / "link.txt"
        link.symlink_to(self.graph)
        for output in (self.graph, link):
            for option in ("--output", "--report"):
                self.refuse(["--graph", self.graph, option, output], 1, f"{self.graph}: is to be read and to be written")
        parts = self.folder / "parts"
        parts.mkdir()
        (parts / "a").write_text("1 2\n", encoding="utf-8")
        self.refuse(["--graph", parts, "--output", parts / "a"], 1, f"{parts}/a: is to be read and to be written")
        owners = self.file("owners.txt", "0\n" * 101)
        self.refuse(["--graph", self.graph, "--partition", owners, "--output", owners], 1,
                    f"{owners}: is to be read and to be written")
        self.assertEqual(self.graph.read_bytes(), before)

    def test_what_terminals_would_obey(self):
        odd = self.folder / "red\x1b[31m\nline\x7f\u202e.txt"
        shown = f"{self.folder}/red\\x1b[31m\\x0aline\\x7f\\xe2\\x80\\xae.txt"
        self.refuse(["--graph", odd], 1, f"{shown}: cannot be opened")
        self.refuse(["--graph", self.graph, "--fusion", "\x1b[2J"], 2, "'\\x1b[2J'")
        self.refuse(["--graph", self.graph, "--\x1b]0;title\x07"], 2, "--\\x1b]0;title\\x07")
        odd.write_text("a\x7fb gr\u00f6\u00df\na\x7fb c\u009b31m\nc\u009b31m gr\u00f6\u00df\n", encoding="utf-8")
        output, _ = self.succeed("--graph", odd, "--top", 3, "--partition", "block", "--explain")
        for name in ("a\\x7fb", "gr\u00f6\u00df", "c\\xc2\\x9b31m"):
            self.assertRegex(output, rf"(?m)^ .* {re.escape(name)}$")
        self.assertFalse([c for c in output if (ord(c) < 32 and c not in "\n\t") or 127 <= ord(c) < 160])

    def test_more_than_memory_holds(self):
        banner = "%%MatrixMarket matrix coordinate pattern general\n"
        huge = self.file("huge.mtx", banner + "1000000000000 1000000000000 1\n1 1\n")
        self.refuse(["--graph", huge], 1, f"{huge}:2:1: ", "found 1000000000000 x 1000000000000 with 1 entries",
                    "at least 16000000000016 bytes of memory are needed", "are available")

    def test_little_that_unpacks_to_much(self):
        prefix = ["prlimit", f"--as={self.ADDRESSES}"]
        if shutil.which("prlimit") is None or self.run_program("--help", prefix=prefix).returncode:
            self.skipTest("memory cannot be limited here")
        bomb = self.file("bomb.gz", gzip.compress(b"1 2\n" * 60_000_000, 1))
        # Of several workers one may run out of addresses, of which MPI takes more then, before it has looked.
        said = [f"{bomb}:", ":1: there is not enough memory for what the file holds"] if self.workers == 1 else ["memory"]
        self.refuse(["--graph", bomb], 1, *said, prefix=prefix)

    def test_byte_order_marks(self):
        self.succeed("--graph", self.file("marked.txt", "\ufeff1 2\n2 1\n"), "--quiet")
        self.refuse_graph("1 2\n".encode("utf-16"), "bad.txt: is a text in UTF-16, expected UTF-8")
        sources = self.file("sources.txt", "\ufeff5\n")
        self.succeed("--graph", self.graph, "--sources", sources, "--quiet")

    def test_wrong_options(self):
        graph = ["--graph", self.graph]
        for arguments, *parts in [
            ([], "--graph", "required"),
            (["--graph"], "--graph"),
            ([*graph, *graph], "--graph"),
            ([*graph, "--frobnicate"], "--frobnicate"),
            ([*graph, "left over"], "left over"),
            ([*graph, "--fusion", "most"], "--fusion", "'most'", "greedy|off|exact"),
            ([*graph, "--fusion"], "--fusion"),
            ([*graph, "--search-budget", "1.5"], "--search-budget", "'1.5'"),
            ([*graph, "--sync", "Lazy"], "--sync", "'Lazy'", "hybrid|eager|lazy"),
            ([*graph, "--partition", "best"], "--partition", "auto|block|range|range-column|range-2d|row|column|hybrid-cut|2d|metis|label-propagation"),
            ([*graph, "--roles", "yes"], "--roles", "on|off"),
            ([*graph, "--threshold", "-1"], "--threshold", "'-1'"),
            ([*graph, "--threshold", "many"], "--threshold", "'many'"),
            ([*graph, "--threshold", "18446744073709551616"], "--threshold"),
            ([*graph, "--passes", "-polish"], "--passes", "'polish'"),
            ([*graph, "--passes", "fuse"], "--passes", "'fuse'"),
            ([*graph, "--passes", "-normalise-loops"], "--passes", "'normalise-loops'"),
            ([*graph, "--passes", "-rotate", "-hoist"], "--passes=-rotate,-hoist"),
            ([*graph, "--print-after", "polish"], "--print-after", "'polish'"),
            ([*graph, "--damping", "1.5"], "--damping", "'1.5'"),
            ([*graph, "--damping", "nan"], "--damping", "'nan'"),
            ([*graph, "--tolerance", "-1e-6"], "--tolerance", "'-1e-6'"),
            ([*graph, "--iterations", "2.5"], "--iterations", "'2.5'"),
            ([*graph, "--top", "-1"], "--top", "'-1'"),
            ([*graph, "--ids", "name"], "--ids", "auto|integer|word"),
            ([*graph, "--threshold", "5", "--partition", "row"], "--threshold: is of --partition hybrid-cut and auto"),
            ([*graph, "--checkpoint-interval", "5"], "--checkpoint-interval: is of --checkpoint"),
            ([*graph, "--analyze", "--resume", "."], "--resume: with --analyze no step is run"),
            ([*graph, "--checkpoint", "saved", "--checkpoint-interval", "-1"], "--checkpoint-interval"),
            ([*graph, "--checkpoint", "saved", "--checkpoint-interval", "nan"], "--checkpoint-interval", "'nan'"),
            ([*graph, "--storage", "stencils", "--reproducible"], "--storage stencils: not with --reproducible"),
            ([*graph, "--search-budget", "5"], "--search-budget: is of --fusion exact"),
            ([*graph, "--search-budget", "5", "--fusion", "off"], "--search-budget: is of --fusion exact"),
            ([*graph, "--fusion", "exact", "--passes=-fuse"], "--passes=-fuse: --fusion exact"),
            ([*graph, "--dangling", "drop"], "--dangling", "ignore|redistribute"),
        ]:
            with self.subTest(arguments=arguments):
                self.refuse(arguments, 2, *parts)

    def test_help(self):
        run = self.run_program("--help")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertEqual(run.stdout.count("Usage: pagerank [OPTIONS]"), 1)
        self.assertEqual(run.stdout.count("--graph FILE"), 1)
        self.assertEqual(run.stdout.count("--fusion greedy|off|exact"), 1)


if __name__ == "__main__":
    main(BadInputTest)
