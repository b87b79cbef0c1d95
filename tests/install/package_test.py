#!/usr/bin/env python3
"""The Debian package from the outside: what it depends on, a program of it, and a program that is built against it without
CMake. It is unpacked below SCRATCH, not installed.

Usage: package_test.py BUILD SCRATCH CPACK COMPILER MPI
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys


def output_of(*command, **more):
    return subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True, **more).stdout


def main(build, scratch, cpack, compiler, mpi):
    scratch = pathlib.Path(scratch)
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True)
    output_of(cpack, "-G", "DEB", "-B", scratch, cwd=build)
    package, = scratch.glob("kasen*.deb")

    needed = output_of("dpkg-deb", "--field", package, "Depends")
    for library in (f"lib{mpi}", f"libhdf5-{mpi}", "mpich" if mpi == "mpich" else "openmpi-bin", "libmetis", "libc6"):
        assert re.search(rf"\b{re.escape(library)}", needed), f"{library} is not among {needed}"
    output_of("dpkg-deb", "--extract", package, scratch / "root")
    prefix = scratch / "root/usr"

    (scratch / "web.txt").write_text("1 2\n2 3\n3 4\n4 1\n", encoding="utf-8")
    out = output_of(prefix / "bin/kasen-run", "-n", 2, "pagerank", "--graph", "web.txt", "--verify", cwd=scratch)
    assert "4 vertices, 2 workers" in out, out

    readme = (pathlib.Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    (scratch / "rank.cpp").write_text(re.search(r"^```cpp\n(.*?)^```$", readme, re.M | re.S)[1], encoding="utf-8")
    for name in ("kasen", "kasen-checked"):
        flags = output_of("pkg-config", "--cflags", "--libs", name, env=os.environ | {
            "PKG_CONFIG_PATH": str(next(prefix.rglob("kasen.pc")).parent)}).split()
        assert ("-DKASEN_CHECKED" in flags, "-lkasen_checked" in flags) == (name == "kasen-checked",) * 2, flags
        output_of(compiler, "-O1", "rank.cpp", *flags, "-o", "rank", cwd=scratch)
        assert "error" not in output_of(prefix / "bin/kasen-run", "-n", 2, scratch / "rank", cwd=scratch)
    shutil.rmtree(scratch)


if __name__ == "__main__":
    main(*sys.argv[1:])
