#!/usr/bin/env python3
"""Every line of a program marked `// refused: TEXT` is an error of the compiler that says TEXT, and no other line is.

Usage: refused_program_test.py SOURCE -- COMPILER ARGUMENT...
"""
import os
import pathlib
import re
import subprocess
import sys

source, command = pathlib.Path(sys.argv[1]), sys.argv[3:]
expected = {}
for number, text in enumerate(source.read_text(encoding="utf-8").splitlines(), 1):
    if "// refused: " in text:
        expected[number] = text.split("// refused: ")[1]
run = subprocess.run([*command, str(source)], capture_output=True, text=True, timeout=600, check=False,
                     env={**os.environ, "LC_ALL": "C"})
if run.returncode == 0:
    sys.exit("it compiles")

# An error belongs to the line of the source that was named last: "required from here" of GCC, a note of Clang.
LINE = re.compile(re.escape(str(source)) + r":(\d+):")
said, line = {}, None
for text in run.stderr.splitlines():
    if place := LINE.search(text):
        line = int(place[1])
    if "error: " in text:
        said.setdefault(line, []).append(text)
problems = [f"line {number}: nothing says {text!r}, but {said.get(number)}" for number, text in expected.items()
            if not any(text in error for error in said.get(number, []))]
problems += [f"line {number}: {errors}" for number, errors in said.items() if number not in expected]
print("\n".join(problems) or f"{len(expected)} lines are refused")
sys.exit(1 if problems else 0)
