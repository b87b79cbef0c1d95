#!/usr/bin/env python3
"""The compiler's first error about each mistake of mistakes.py is Kasen's message, among its first five lines; what was
meant compiles. Where GoogleTest's variables for shards are set, the mistakes of this shard are looked at.

Usage: mistakes_test.py COMPILER OPTION...
"""
import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from mistakes import MISTAKES, PARAMETERS, STRUCTS

INCLUDES = "".join(f"#include <{name}>\n" for name in ("array", "cmath", "cstdint", "functional", "iostream", "string",
                                                       "tuple", "vector"))
HEADER = f'#include "kasen/kasen.h"\n{INCLUDES}'
LINES = 5


def function(name, body):
    return f"void {name}({PARAMETERS}) {{\n  {body}\n}}\n"


def program(*functions):
    return f"using namespace kasen;\n{STRUCTS}{''.join(functions)}"


def main(compiler, *options):
    if not shutil.which(compiler):
        print(f"skipped: no {compiler}")
        sys.exit(77)
    environment = {**os.environ, "LC_ALL": "C"}
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)

        def compile_file(name, text, *more):
            (folder / name).write_text(text, encoding="utf-8")
            return subprocess.run([compiler, *options, *more, folder / name], capture_output=True, text=True,
                                  timeout=600, env=environment)

        # What all of them include, read once.
        header = compile_file("given.h", HEADER, "-x", "c++-header", "-o", folder / "given.h.gch")
        assert header.returncode == 0, header.stderr
        use = ["-include", folder / "given.h", "-fsyntax-only", "-w"]
        if "clang" in compiler:
            use[:2] = ["-include-pch", folder / "given.h.gch"]

        def check(number):
            message, wrong, _ = MISTAKES[number]
            run = compile_file(f"wrong_{number}.cpp", program(function("wrong", wrong)), *use)
            if run.returncode == 0:
                return f"{wrong}\n  compiles"
            said = run.stderr.splitlines()
            first = next(at for at, line in enumerate(said) if "error:" in line)
            if message not in said[first]:
                return f"{wrong}\n  {message!r} expected, but:\n" + "\n".join(said[:first + 3])
            if first >= LINES:
                return f"{wrong}\n  the message is not in the first {LINES} lines:\n" + "\n".join(said[:first + 1])
            return None

        turns, turn = int(os.environ.get("GTEST_TOTAL_SHARDS", 1)), int(os.environ.get("GTEST_SHARD_INDEX", 0))
        numbers = range(turn, len(MISTAKES), turns)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            right = pool.submit(compile_file, "right.cpp", program(
                *(function(f"right_{number}", right) for number, (_, _, right) in enumerate(MISTAKES))), *use)
            problems = [problem for problem in pool.map(check, numbers) if problem]
        if right.result().returncode:
            problems.append("what is right does not compile:\n" + right.result().stderr)
    print("\n".join(problems) or f"{len(numbers)} mistakes have their message")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
