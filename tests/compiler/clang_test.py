#!/usr/bin/env python3
"""The project through Clang: it compiles, and clang-tidy finds nothing (.clang-tidy says what it looks for).

Usage: clang_test.py (compile | tidy) BUILD [FOLDER...]

Without folders: the programs that README.md and the pages of docs/ show, which include all public headers. With them:
every source file below, as BUILD compiles it. Skipped where there is no clang.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).parents[2]
OF_GCC = ("-fno-tree-sink", "-fcx-fortran-rules")  # which Clang 14 does not know


def options_of(command, left_out=()):
    """What of a g++ command line says how to understand the source."""
    options, words = [], shlex.split(command)
    for at, word in enumerate(words):
        if word.startswith(("-D", "-I", "-std=", "-fopenmp", "-fno-", "-fcx-", "-march=")) and word not in left_out:
            options.append(word)
        elif word == "-isystem":
            options += [word, words[at + 1]]
    return options


def shown_programs(folder):
    """Written to files of `folder`."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    pages = [page.read_text(encoding="utf-8") for page in sorted((ROOT / "docs").glob("*.md"))]
    programs = dict(re.findall(r"`(\w+\.cpp)`:\n\n```\w+\n(.*?)^```$", "\n".join(pages), re.M | re.S))
    programs["readme.cpp"] = re.search(r"^```cpp\n(.*?)^```$", readme, re.M | re.S)[1]
    for name, text in programs.items():
        (folder / name).write_text(text, encoding="utf-8")
    return [folder / name for name in sorted(programs)]


def main(mode, build, *folders):
    tool = {"compile": "clang++", "tidy": "clang-tidy"}[mode]
    if not shutil.which(tool):
        print(f"skipped: no {tool}")
        sys.exit(77)
    entries = json.loads((pathlib.Path(build) / "compile_commands.json").read_text(encoding="utf-8"))
    entries.sort(key=lambda entry: "-DKASEN_CHECKED" not in entry["command"])  # as users' programs, where it is both
    commands = {pathlib.Path(entry["file"]): entry["command"] for entry in entries}
    like_a_program = options_of(commands[ROOT / "tests" / "runtime" / "element_kernel_test.cpp"], OF_GCC)

    with tempfile.TemporaryDirectory() as scratch:
        if folders:
            sources = {file: options_of(command, OF_GCC) for file, command in commands.items()
                       if file.suffix == ".cpp" and any(file.is_relative_to(ROOT / f) for f in folders)}
        else:
            sources = {file: like_a_program for file in shown_programs(pathlib.Path(scratch))}
        assert sources, folders

        def check(file):
            if mode == "compile":
                command = [tool, "-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror", *sources[file],
                           file]
            else:
                command = [tool, "--quiet", f"--config-file={ROOT / '.clang-tidy'}", file, "--", *sources[file]]
            run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=ROOT)
            if run.returncode:
                print(f"== {file}\n{run.stdout}", flush=True)
            return run.returncode

        with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
            failed = sum(code != 0 for code in pool.map(check, sorted(sources)))
    print(f"{failed} of {len(sources)} files fail")
    sys.exit(failed != 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
