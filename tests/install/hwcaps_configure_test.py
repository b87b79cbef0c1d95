#!/usr/bin/env python3
"""Kernels for several instruction sets, as the project is configured for them, and settings that are refused.

Usage: hwcaps_configure_test.py FOLDER CMAKE COMPILER MPI
"""
import json
import pathlib
import shutil
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).parents[2]


class HwcapsConfigureTest(unittest.TestCase):
    def configure(self, arch, hwcaps, shared="ON"):
        return subprocess.run([cmake, "-S", ROOT, "-B", folder, "-G", "Ninja", f"-DBUILD_SHARED_LIBS={shared}",
                               f"-DKASEN_ARCH={arch}", f"-DKASEN_HWCAPS={hwcaps}", "-DKASEN_BUILD_BENCH=OFF",
                               "-DKASEN_BUILD_TESTS=OFF", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON",
                               f"-DCMAKE_CXX_COMPILER={compiler}", f"-DKASEN_MPI={mpi}"],
                              check=False, capture_output=True, text=True)

    def test_what_cannot_be_is_refused(self):
        for arch, hwcaps, shared, message in (
                ("x86-64-v2", "x86-64-v3", "OFF", "KASEN_HWCAPS is for shared libraries"),
                ("native", "x86-64-v3", "ON", "KASEN_HWCAPS has x86-64-v3, which is no level of x86-64 above KASEN_ARCH"),
                ("x86-64-v3", "x86-64-v2", "ON", "KASEN_HWCAPS has x86-64-v2, which is no level"),
                ("x86-64-v2", "znver4", "ON", "KASEN_HWCAPS has znver4, which is no level")):
            with self.subTest(arch=arch, hwcaps=hwcaps):
                run = self.configure(arch, hwcaps, shared)
                self.assertNotEqual(run.returncode, 0)
                self.assertIn(message, " ".join(run.stderr.split()))

    def test_what_has_kernels_is_compiled_for_each(self):
        run = self.configure("x86-64-v2", "x86-64-v3")
        self.assertEqual(run.returncode, 0, run.stderr)
        commands = json.loads((pathlib.Path(folder) / "compile_commands.json").read_text(encoding="utf-8"))

        def sets(file):
            return sorted(word for entry in commands if entry["file"] == str(ROOT / file)
                          for word in entry["command"].split() if word.startswith("-march="))
        both = ["-march=x86-64-v2", "-march=x86-64-v3"]
        self.assertEqual(sets("apps/pagerank/pagerank.cpp"), both)
        self.assertEqual(sets("kasen/runtime/exchange_step.cpp"), both)
        self.assertEqual(sorted(set(sets("kasen/detail/record_products.cpp"))), both)
        self.assertEqual(sets("kasen/session/report.cpp"), both[:1])
        self.assertEqual(sets("apps/pagerank/main.cpp"), both[:1])

    def tearDown(self):
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    folder, cmake, compiler, mpi = sys.argv[1:]
    unittest.main(argv=sys.argv[:1])
