#!/usr/bin/env python3
"""Whether the compiler makes vectors of loops over functions that programs commonly have, with the flags they get.

Usage: vectorised_test.py COMPILER BUILD

Each function is compiled in the loop of its kernel, for x86-64-v3 and -v4. Its assembly, with that of what it calls,
must have wide registers, sums and folds must add in them (structs of which bools choose, several doubles at once), and
vector variants of exponentials and logarithms must be called. Products and quotients of complex numbers and small
powers must call nothing. Skipped where the compiler is not GCC, or the processor not x86-64: for others nothing is
promised.
"""
import json
import pathlib
import platform
import re
import subprocess
import sys
import tempfile

from clang_test import ROOT, options_of

DEVIANCE = """KASEN_FN((auto y, auto m),
    y * kasen::log(kasen::select(y > 0, y / m, 1.0)) +
    (1.0 - y) * kasen::log(kasen::select(y < 1, (1.0 - y) / (1.0 - m), 1.0)) +
    kasen::exp(m) * kasen::log(1.0 + kasen::exp(-y)) - kasen::exp(-m * y))"""

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
    ("double", "KASEN_FN((auto holds), kasen::cast<double>(holds))", "bool"),
    ("double", "KASEN_FN((auto x), kasen::pow(x, 2) + kasen::pow(x, 3.0) / kasen::pow(x, 0.5))", "double"),
    ("std::complex<double>", "[](const std::complex<double>& z, const std::complex<double>& c) { return z * z + c; }",
     "std::complex<double>, std::complex<double>"),
    ("std::complex<float>", "[](const std::complex<float>& z, const std::complex<float>& c) { return z * z + c; }",
     "std::complex<float>, std::complex<float>"),
    ("std::complex<double>", "[](const std::complex<double>& z, const std::complex<double>& c) { return z * c / z; }",
     "std::complex<double>, std::complex<double>"),
]
SUMS = [
    ("double", "KASEN_FN((auto x, auto y), x * y)", "double, double"),
    ("kasen::GlobalIndex", "KASEN_FN((auto h), kasen::select(h, kasen::GlobalIndex{1}, kasen::GlobalIndex{0}))", "bool"),
    ("kasen::GlobalIndex", "KASEN_FN((auto a, auto b), kasen::select(a != b, kasen::GlobalIndex{1}, "
                           "kasen::GlobalIndex{0}))", "int, int"),
    ("double", "KASEN_FN((auto h, auto x), kasen::select(h, x, 0.0))", "bool, double"),
    ("double", "[](bool h, double x) { return h ? x : 0.0; }", "bool, double"),
    ("Moments", "[](bool h, double x) { return Moments{h ? x : 0, x, x * x}; }", "bool, double"),
    ("Eight", "[](double x, double y) { return Eight{x, y, x * x, x * y, y * y, x + y, x - y, x / y}; }",
     "double, double"),
    ("double", DEVIANCE, "double, double"),
]
FOLDS = [
    ("double", "KASEN_FN((auto sum, auto x), sum + x * x)", "double"),
    ("double", "KASEN_FN((auto sum, auto h, auto x), kasen::select(h, sum + x, sum))", "bool, double"),
    ("Moments", "[](Moments m, bool h, double x) { return h ? Moments{m.a + x, m.b + 1, m.c + x * x} : m; }",
     "bool, double"),
    ("kasen::Indexed<double>", "kasen::detail::TakeExtremum<true>()", "double, kasen::GlobalIndex"),
    ("kasen::Indexed<double>", "kasen::detail::TakeExtremum<false>()", "float, kasen::GlobalIndex"),
]

HEADER = """#include <complex>
#include "kasen/kasen.h"
using namespace kasen::runtime;
struct Moments {
  double a, b, c;
  Moments operator+(const Moments& m) const { return {a + m.a, b + m.b, c + m.c}; }
};
struct Eight {
  double a, b, c, d, e, f, g, h;
  Eight operator+(const Eight& o) const {
    return {a + o.a, b + o.b, c + o.c, d + o.d, e + o.e, f + o.f, g + o.g, h + o.h};
  }
};
namespace kasen {
inline Indexed<double> operator+(const Indexed<double>& a, const Indexed<double>& b) {
  return detail::MergeExtrema<true>()(a, b);
}
}
"""


def source_of(trials):
    """Of each trial a function, `trial_0` and so on, which returns the loop of its kernel."""
    lines = [HEADER]
    for number, (kind, result, function, types) in enumerate(trials):
        operands = ", ".join(f"VectorOperand<{each.strip()}>{{}}" for each in types.split(","))
        lines.append(f"constexpr auto f{number} = {function};")
        if kind == "fold":
            kernel = f"fold_kernel({result}{{}}, f{number}, kasen::plus, {operands}).fold"
        else:
            member = "run" if kind == "map" else "sum.fold"
            kernel = f"element_kernel<{result}>(f{number}, {operands}).{member}"
        lines.append(f'extern "C" auto trial_{number}() {{ return {kernel}; }}')
    return "\n".join(lines) + "\n"


def loops_of(assembly):
    """The assembly of what each trial returns and of what that calls, by the name of the trial."""
    bodies = {}
    for name, body in re.findall(r"^([\w.$]+):\n(.*?)\.size\s+\1,", assembly, re.M | re.S):
        bodies[name] = body
    loops = {}
    for trial in (name for name in bodies if name.startswith("trial_")):
        reached, ahead = [], re.findall(r"leaq\s+(\S+)\(%rip\), %rax", bodies[trial])
        while ahead:
            name = ahead.pop()
            if name in bodies and name not in reached:
                reached.append(name)
                ahead += re.findall(r"(?:call|jmp|j\w+)\s+([^\s@]+)", bodies[name])
        loops[trial] = "".join(bodies[name] for name in reached)
    return loops


def sign_of(kind, result, function):
    """What an instruction looks like that only a vectorised loop has."""
    if re.search(r"kasen::(exp|log)", function):
        return r"_ZGV"
    if "Extremum" in function:
        return r"v(p?cmp|p?blend|min|max)\w*\s.*%[yz]mm"
    if kind == "map":
        return r"%[yz]mm\d"
    return r"v(add|fmadd\d+)pd" if result == "Moments" else r"v(add|fmadd\d+|padd|psub)[pqd]\w*\s.*%[yz]mm\d"


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
    failed = 0
    for level in ("x86-64-v3", "x86-64-v4"):
        with tempfile.TemporaryDirectory() as scratch:
            source, assembly = pathlib.Path(scratch) / "trials.cpp", pathlib.Path(scratch) / "trials.s"
            source.write_text(source_of(trials), encoding="utf-8")
            subprocess.run([compiler, *options, "-O3", f"-march={level}", "-S", str(source), "-o", str(assembly)],
                           check=True)
            loops = loops_of(assembly.read_text(encoding="utf-8"))
        for number, (kind, result, function, types) in enumerate(trials):
            if not re.search(sign_of(kind, result, function), loops[f"trial_{number}"]):
                print(f"not vectorised for {level}: {kind} of {types} to {result} by {function}")
                failed += 1
            elif re.search(r"(call|jmp)\s+(__mul|__div|\w*pow)", loops[f"trial_{number}"]):
                print(f"calls a function for {level}: {kind} of {types} to {result} by {function}")
                failed += 1
    print(f"{2 * len(trials) - failed} of {2 * len(trials)} loops are vectorised")
    sys.exit(failed > 0)


main(*sys.argv[1:])
