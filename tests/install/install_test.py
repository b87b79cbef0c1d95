#!/usr/bin/env python3
"""The package from the outside: the program and the CMake file that README.md shows, built against an installation.

Usage: install_test.py BUILD SCRATCH CMAKE COMPILER BUILD_TYPE LAUNCHER...

Installs BUILD into a prefix below SCRATCH, moves that elsewhere (a package must not depend on where it was made), and
runs the program by LAUNCHER, with kasen::checked, too.
"""
import json
import pathlib
import re
import subprocess
import sys
import unittest

here = pathlib.Path(__file__).parent
sys.path.insert(0, str(here.parent / "support"))
from installed_package import WITHOUT_OPTIMIZATION, build_programs, configure, install
from launched_program import read_hdf5


def block_of_readme(language):
    """The first block of code in that language."""
    readme = (here.parents[1] / "README.md").read_text(encoding="utf-8")
    return re.search(rf"^```{language}\n(.*?)^```$", readme, re.M | re.S)[1]


def main(build, scratch, cmake, compiler, build_type, *launcher):
    scratch = pathlib.Path(scratch)
    prefix, source = install(cmake, build, scratch), scratch / "rank"
    source.mkdir()

    (source / "rank.cpp").write_text(block_of_readme("cpp"), encoding="utf-8")
    shown = block_of_readme("cmake")
    checked = shown[shown.index("add_executable"):].replace("(rank ", "(rank_checked ")
    assert checked.count("rank_checked") == 2 and "kasen::kasen" in checked, checked
    (source / "CMakeLists.txt").write_text(shown + checked.replace("kasen::kasen", "kasen::checked"), encoding="utf-8")
    programs = build_programs(cmake, compiler, build_type, source, prefix)

    warnings = " ".join(configure(cmake, compiler, "", source, source / "unoptimized", prefix).split())
    assert WITHOUT_OPTIMIZATION in warnings and "-DCMAKE_BUILD_TYPE=Release" in warnings, warnings

    other = subprocess.run([cmake, "-S", source, "-B", source / "other", f"-DCMAKE_PREFIX_PATH={prefix}",
                            f"-DCMAKE_CXX_COMPILER={compiler}", "-DKASEN_ARCH=x86-64"],
                           check=False, capture_output=True, text=True)
    if list(prefix.rglob("libkasen.a")):
        assert other.returncode != 0 and "KASEN_ARCH is x86-64, but these libraries" in other.stderr, other.stderr
    else:
        assert other.returncode == 0, other.stderr

    # A cycle of four pages: all ranks are one.
    (scratch / "web.txt").write_text("# from to\n1 2\n2 3\n3 4\n4 1\n", encoding="utf-8")
    subprocess.run([*launcher, programs / "rank", "--report", "report.json"], check=True, cwd=scratch)
    report = json.loads((scratch / "report.json").read_text(encoding="utf-8"))
    assert report["program"] == "rank" and report["iterations"] > 0, report
    assert report["predicted"] == report["measured"], report
    subprocess.run([*launcher, programs / "rank_checked", "--report", "checked.json"], check=True, cwd=scratch)
    checked = json.loads((scratch / "checked.json").read_text(encoding="utf-8"))
    assert checked["predicted"] == report["predicted"], checked
    try:
        assert read_hdf5(scratch / "ranks.h5") == {"rank": [1.0] * 4}
    except unittest.SkipTest as reason:
        print("ranks not read:", reason)

    run = subprocess.run([prefix / "bin" / "kasen-run", "-n", "2", "pagerank", "--graph", "web.txt", "--top", "1"],
                         check=True, cwd=scratch, capture_output=True, text=True)
    assert "4 vertices, 2 workers" in run.stdout, run.stdout


if __name__ == "__main__":
    main(*sys.argv[1:])
