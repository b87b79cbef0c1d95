#!/usr/bin/env python3
"""The project is configured for Clang, its check of the compiler included, with the fuzzers of the parsers.

Usage: clang_configure_test.py FOLDER [BUILD_TARGET...]

Builds the targets after that. Skipped where there is no clang.
"""
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).parents[2]


def main(folder, *targets):
    if not shutil.which("clang++"):
        print("skipped: no clang++")
        sys.exit(77)
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run(["cmake", "-S", ROOT, "-B", folder, "-G", "Ninja", "-DCMAKE_CXX_COMPILER=clang++",
                    "-DKASEN_FUZZERS=ON"], check=True)
    if targets:
        subprocess.run(["ninja", "-C", folder, *targets], check=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
