#!/usr/bin/env python3
"""The examples in the docstrings of the public headers compile, and every call that programs are written with has one.

Usage: examples_test.py COMPILER OPTION...
"""
import pathlib
import re
import subprocess
import sys
import tempfile
import textwrap

from mistakes import PARAMETERS, STRUCTS

ROOT = pathlib.Path(__file__).parents[2]
INCLUDES = "".join(f"#include <{name}>\n" for name in ("algorithm", "array", "cmath", "cstdint", "string", "tuple",
                                                       "vector"))
SHOWN = """Session Vector Shared separate_space constant iota random map zip_with reduce reduce_by_key take mxv mxvt
multiply multiply_transposed reduce_entries entries scale_rows random_normal random_integers apply member select cast
sqrt while_ likely if_ write Output top track names vertices make_vector make_matrix read_matrix read_samples read_table
read_columns index_of compact inclusive_scan exclusive_scan sort quantiles one_hot diagonal stencil batches batch Row Rows whole width product cross
make_rows elementwise KASEN_FN traced laws with_identity""".split()


def examples(header):
    """The texts between @code and @endcode, each with its line."""
    text = header.read_text(encoding="utf-8")
    for block in re.finditer(r"^ *///? @code\n(.*?)^ *///? @endcode$", text, re.M | re.S):
        lines = [re.sub(r"^ */// ?", "", line) for line in block[1].splitlines()]
        yield text.count("\n", 0, block.start()) + 2, textwrap.dedent("\n".join(lines))


def main(compiler, *options):
    functions, shown = [], ""
    for header in sorted((ROOT / "kasen").glob("*.h")):
        for line, code in examples(header):
            functions.append(f"void example_{len(functions)}({PARAMETERS}) {{ {{\n"
                             f'#line {line} "{header}"\n{code}\n}} }}\n')
            shown += code
    missing = [name for name in SHOWN if not re.search(rf"\b{name}\b[^=]*\(|\b{name}<", shown)]
    if missing:
        sys.exit(f"no docstring shows {missing}")
    with tempfile.TemporaryDirectory() as scratch:
        source = pathlib.Path(scratch) / "examples.cpp"
        source.write_text(f'#include "kasen/kasen.h"\n{INCLUDES}using namespace kasen;\n{STRUCTS}{"".join(functions)}',
                          encoding="utf-8")
        strict = ["-fopenmp-simd", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-Wno-unused"]
        subprocess.run([compiler, *options, *strict, source], check=True, timeout=600)
    print(f"{len(functions)} examples compile")


if __name__ == "__main__":
    main(*sys.argv[1:])
