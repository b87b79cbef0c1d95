#!/usr/bin/env python3
"""The Debian package from the outside: built as cluster-scripts/package.sh does and unpacked below SCRATCH, not
installed. What it depends on; its programs, on each instruction set that this machine has; and programs that are built
against it without CMake.

Usage: package_test.py SOURCE BUILD SCRATCH CMAKE CPACK COMPILER MPI
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

here = pathlib.Path(__file__).parent
sys.path.insert(0, str(here.parent / "support"))
from launched_program import read_hdf5

# What is taken from the processor, and the level that is left.
LEVELS = {"": "x86-64-v4", "-AVX512F": "x86-64-v3", "-AVX2,-AVX512F": "x86-64-v2"}

ROWS = """#include <cstdio>
#include <kasen/kasen.h>
int main(int argc, char** argv) {
  kasen::Session session(argc, argv);
  const auto ones = [](std::int64_t, std::span<double> out) { for (double& x : out) x = 1; };
  const kasen::Rows<double> W = kasen::map(ones, kasen::iota(2), kasen::width(2));
  kasen::Rows<double> X = kasen::map(ones, kasen::iota(3), kasen::width(2));
  kasen::Shared<std::uint64_t> k = std::uint64_t{0};
  kasen::while_([&] { return k < std::uint64_t{3}; }, [&] {
    X = kasen::product(X, kasen::whole(W));
    k = k + std::uint64_t{1};
  });
  const auto x = X.get();
  std::printf("%g %g %g\\n", x[0], x[2], x[5]);
}
"""


def output_of(*command, **more):
    return subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True, **more).stdout


def without(features):
    return os.environ | ({"GLIBC_TUNABLES": f"glibc.cpu.hwcaps={features}"} if features else {})


def has(level):
    return re.search(rf"{level} \(supported", output_of("/lib64/ld-linux-x86-64.so.2", "--help"))


def jobs():
    """One compiler takes up to 2 GiB."""
    available = re.search(r"^MemAvailable: +(\d+) kB", pathlib.Path("/proc/meminfo").read_text(encoding="utf-8"), re.M)
    return max(1, min(os.cpu_count(), int(available[1]) >> 21))


class Package(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        shutil.rmtree(scratch, ignore_errors=True)
        scratch.mkdir(parents=True)
        output_of(cmake, "-S", source, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DBUILD_SHARED_LIBS=ON",
                  "-DKASEN_ARCH=x86-64-v2", "-DKASEN_HWCAPS=x86-64-v3;x86-64-v4", "-DKASEN_BUILD_BENCH=OFF",
                  "-DKASEN_BUILD_TESTS=OFF", f"-DCMAKE_CXX_COMPILER={compiler}", f"-DKASEN_MPI={mpi}")
        output_of(cmake, "--build", build, "--parallel", jobs())
        output_of(cpack, "-G", "DEB", "-B", scratch, cwd=build)
        cls.package, = scratch.glob("kasen*.deb")
        output_of("dpkg-deb", "--extract", cls.package, scratch / "root")
        cls.prefix = scratch / "root/usr"
        edges = {(a, a * b % 101) for a in range(100) for b in range(3, 9)}
        (scratch / "web.txt").write_text("".join(f"{a} {b}\n" for a, b in sorted(edges)), encoding="utf-8")

    def run_pagerank(self, *arguments, features=""):
        return output_of(self.prefix / "bin/kasen-run", "-n", 2, "pagerank", "--graph", "web.txt", "--verify", *arguments,
                         cwd=scratch, env=without(features))

    def test_dependencies(self):
        needed = output_of("dpkg-deb", "--field", self.package, "Depends")
        for library in (f"lib{mpi}", f"libhdf5-{mpi}", "mpich" if mpi == "mpich" else "openmpi-bin", "libmetis", "libc6"):
            self.assertRegex(needed, rf"\b{re.escape(library)}")

    def test_every_machine_takes_its_kernels(self):
        ranks = {}
        for features, level in LEVELS.items():
            with self.subTest(level):
                if not has(level):
                    self.skipTest(f"this machine has no {level}")
                self.run_pagerank("--report", f"{level}.json", "--output", f"{level}.h5", features=features)
                report = json.loads((scratch / f"{level}.json").read_text(encoding="utf-8"))
                self.assertEqual(report["instruction_set"], level)
                self.assertEqual(report["predicted"], report["measured"])
                ranks[level] = read_hdf5(scratch / f"{level}.h5")["rank"]
                for one, other in zip(ranks[level], ranks["x86-64-v4" if "x86-64-v4" in ranks else level]):
                    self.assertAlmostEqual(one, other, delta=1e-12)

    def test_workers_whose_kernels_differ_are_refused(self):
        if not has("x86-64-v3"):
            self.skipTest("this machine has one level")
        if mpi != "mpich":
            self.skipTest("environments of workers are MPICH's option")
        pagerank = [self.prefix / "bin/pagerank", "--graph", "web.txt"]
        run = subprocess.run(["mpirun.mpich", "-n", "1", *pagerank, ":", "-n", "1", "-env", "GLIBC_TUNABLES",
                              "glibc.cpu.hwcaps=-AVX2,-AVX512F", *pagerank], capture_output=True, text=True, cwd=scratch)
        self.assertNotEqual(run.returncode, 0)
        self.assertRegex(run.stderr, r"error: the kernels of worker 1 are for x86-64-v2, those of worker 0 for x86-64-v")

    def test_a_checkpoint_fits_other_machines(self):
        if not has("x86-64-v3"):
            self.skipTest("this machine has one level")
        saved = ("--iterations", 20, "--checkpoint", "saved")
        self.run_pagerank(*saved, "--checkpoint-interval", 0)
        max((scratch / "saved").glob("checkpoint-*.h5")).unlink()  # that of the end
        run = subprocess.run([self.prefix / "bin/kasen-run", "-n", "2", "pagerank", "--graph", "web.txt", "--verify",
                              *map(str, saved), "--resume", "saved"], check=True, capture_output=True, text=True,
                             cwd=scratch, env=without("-AVX2,-AVX512F"))
        self.assertIn("101 vertices, 2 workers, 1 iterations", run.stdout)
        self.assertRegex(run.stderr, "resume: kernels for x86-64-v[34] have written it, and these round otherwise")

    def test_hosts_with_other_libraries_are_refused(self):
        """A script in place of ssh has one library in the place of another."""
        libraries = next(self.prefix.rglob("libkasen.so")).parent.resolve()
        (scratch / "hosts").write_text("other\n", encoding="utf-8")
        for name, other in (("libkasen_optimizer", "libkasen_partition"),
                            ("glibc-hwcaps/x86-64-v3/libkasen", "glibc-hwcaps/x86-64-v4/libkasen")):
            with self.subTest(name):
                ssh = scratch / "ssh"
                ssh.write_text("#!/bin/bash\nwhile [[ $1 == -* ]]; do shift; done\n"
                               f'exec bash -c "${{2//{name.replace("/", chr(92) + "/")}.so/{other}.so}}"\n', encoding="utf-8")
                ssh.chmod(0o755)
                run = subprocess.run([self.prefix / "bin/kasen-run", "--hosts", "hosts", "pagerank", "--graph", "web.txt"],
                                     capture_output=True, text=True, cwd=scratch,
                                     env=os.environ | {"HYDRA_LAUNCHER_EXEC": str(ssh)})
                self.assertEqual((run.returncode, run.stderr.splitlines()),
                                 (1, [f"kasen-run: host other has another {libraries}/{name}.so.0.1"]))

    def test_programs_of_users(self):
        readme = (here.parents[1] / "README.md").read_text(encoding="utf-8")
        (scratch / "rank.cpp").write_text(re.search(r"^```cpp\n(.*?)^```$", readme, re.M | re.S)[1], encoding="utf-8")
        libraries = next(self.prefix.rglob("libkasen.so")).parent
        for name in ("kasen", "kasen-checked"):
            flags = output_of("pkg-config", "--cflags", "--libs", name, env=os.environ | {
                "PKG_CONFIG_PATH": str(libraries / "pkgconfig")}).split()
            self.assertEqual(("-DKASEN_CHECKED" in flags, "-lkasen_checked" in flags), (name == "kasen-checked",) * 2)
            self.assertIn("-march=x86-64-v2", flags)
            for more in ((), ("-march=native",)):
                output_of(compiler, "-O1", "rank.cpp", *flags, *more, "-o", "rank", cwd=scratch)
                output_of(self.prefix / "bin/kasen-run", "-n", 2, scratch / "rank", cwd=scratch,
                          env=os.environ | {"LD_LIBRARY_PATH": str(libraries)})

    def test_hidden_symbols_of_a_program(self):
        """Rows are of one type for the program and the library, in a loop that both have a part in."""
        (scratch / "rows.cpp").write_text(ROWS, encoding="utf-8")
        libraries = next(self.prefix.rglob("libkasen.so")).parent
        flags = output_of("pkg-config", "--cflags", "--libs", "kasen", env=os.environ | {
            "PKG_CONFIG_PATH": str(libraries / "pkgconfig")}).split()
        output_of(compiler, "-O1", "-fvisibility=hidden", "rows.cpp", *flags, "-o", "rows", cwd=scratch)
        out = output_of(self.prefix / "bin/kasen-run", "-n", 1, scratch / "rows", cwd=scratch,
                        env=os.environ | {"LD_LIBRARY_PATH": str(libraries)})
        self.assertEqual(out, "8 8 8\n")

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(scratch)


if __name__ == "__main__":
    source, build, scratch, cmake, cpack, compiler, mpi = sys.argv[1:]
    scratch = pathlib.Path(scratch)
    unittest.main(argv=sys.argv[:1])
