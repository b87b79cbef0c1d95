#!/usr/bin/env python3
"""Whether the compiler makes vectors of loops over functions that programs commonly have, with the flags they get.

Usage: vectorised_test.py COMPILER BUILD

Each function is compiled in the loop of its kernel, for x86-64-v3; its assembly must have wide registers, and call
vector variants of exponentials and logarithms. Skipped where the compiler is not GCC, or the processor not x86-64: for
others nothing is promised.
"""
import json
import pathlib
import platform
import re
import subprocess
import sys
import tempfile

from clang_test import ROOT, options_of

# Result, function, types of the vectors' elements: of maps and zips, of sums of what they make, of steps of folds.
MAPS = [
    ("double", "KASEN_FN((auto x, auto y), x * y)", "double, double"),
    ("bool", "KASEN_FN((auto x), x > 0.5)", "double"),
    ("double", "KASEN_FN((auto holds, auto x), kasen::select(holds, x, 0.0))", "bool, double"),
    ("int", "KASEN_FN((auto holds, auto x), kasen::select(holds, x, 0))", "bool, int"),
    ("double", "[](bool holds, double x) { return holds ? x : -x; }", "bool, double"),
    ("bool", "KASEN_FN((auto holds, auto x, auto y), holds && (x > y || x < 0.1))", "bool, double, double"),
    ("double", "KASEN_FN((auto x), kasen::select(x > 0, kasen::log(x), 0.0))", "double"),
    ("double", "KASEN_FN((auto x), kasen::select(x > 0.5, kasen::exp(x), x))", "double"),
    ("double", "KASEN_FN((auto holds, auto x), kasen::select(holds, 1.0 / x, x))", "bool, double"),
]
SUMS = [
    ("double", "KASEN_FN((auto x, auto y), x * y)", "double, double"),
    ("kasen::GlobalIndex", "KASEN_FN((auto h), kasen::select(h, kasen::GlobalIndex{1}, kasen::GlobalIndex{0}))", "bool"),
    ("kasen::GlobalIndex", "KASEN_FN((auto a, auto b), kasen::select(a != b, kasen::GlobalIndex{1}, "
                           "kasen::GlobalIndex{0}))", "int, int"),
    ("double", "KASEN_FN((auto h, auto x), kasen::select(h, x, 0.0))", "bool, double"),
]
FOLDS = [
    ("double", "KASEN_FN((auto sum, auto x), sum + x * x)", "double"),
    ("double", "KASEN_FN((auto sum, auto h, auto x), kasen::select(h, sum + x, sum))", "bool, double"),
]

HEADER = """#include "kasen/kasen.h"
using namespace kasen::runtime;
#define TRIAL extern "C" __attribute__((flatten)) void
"""


def source_of(trials):
    """A function for each trial, `trial_0` and so on."""
    lines = [HEADER]
    for number, (kind, result, function, types) in enumerate(trials):
        operands = ", ".join(f"VectorOperand<{each.strip()}>" for each in types.split(","))
        lines.append(f"constexpr auto f{number} = {function};")
        own = f"std::decay_t<decltype(f{number})>"
        if kind == "map":
            lines.append(f"TRIAL trial_{number}(const void* context, const Tile& tile) {{ "
                         f"detail::ElementFunction<{result}, {own}, {operands}>::run(context, tile); }}")
        elif kind == "sum":
            lines.append(f"TRIAL trial_{number}(const void* context, void* lanes, const Tile& tile) {{ "
                         f"detail::SumFunction<{result}, {own}, {operands}>::fold(context, lanes, tile); }}")
        else:
            lines.append(f"TRIAL trial_{number}(const void* context, void* lanes, const Tile& tile) {{ "
                         f"detail::StepFunction<{result}, {own}, kasen::Plus, {operands}>::fold(context, lanes, tile); "
                         "}")
    return "\n".join(lines) + "\n"


def main(compiler, build):
    version = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=True).stdout
    if platform.machine() != "x86_64" or "Free Software Foundation" not in version:
        print("skipped: not GCC for x86-64")
        sys.exit(77)
    entries = json.loads((pathlib.Path(build) / "compile_commands.json").read_text(encoding="utf-8"))
    command = next(entry["command"] for entry in entries
                   if pathlib.Path(entry["file"]) == ROOT / "tests" / "runtime" / "element_kernel_test.cpp")
    options = [option for option in options_of(command) if not option.startswith(("-DKASEN_CHECKED", "-march="))]
    trials = [(kind, *trial) for kind, some in (("map", MAPS), ("sum", SUMS), ("fold", FOLDS)) for trial in some]
    with tempfile.TemporaryDirectory() as scratch:
        source, assembly = pathlib.Path(scratch) / "trials.cpp", pathlib.Path(scratch) / "trials.s"
        source.write_text(source_of(trials), encoding="utf-8")
        subprocess.run([compiler, *options, "-O3", "-march=x86-64-v3", "-S", str(source), "-o", str(assembly)],
                       check=True)
        text = assembly.read_text(encoding="utf-8")
    failed = 0
    for number, (kind, result, function, types) in enumerate(trials):
        body = re.search(rf"^trial_{number}:\n(.*?)\.size\s+trial_{number},", text, re.M | re.S)[1]
        calls = re.search(r"kasen::(exp|log)", function)
        if not re.search(r"_ZGV" if calls else r"%[yz]mm\d", body):
            print(f"not vectorised: {kind} of {types} to {result} by {function}")
            failed += 1
    print(f"{len(trials) - failed} of {len(trials)} loops are vectorised")
    sys.exit(failed > 0)


main(*sys.argv[1:])
