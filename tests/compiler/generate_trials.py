#!/usr/bin/env python3
"""Writes C++ files of random element functions over structs, and the kernels that they make (trial.h).

Usage: generate_trials.py [--functions N] [--first CASE] FILE...

The functions have the shapes that a compiler turns into loads and stores under masks: choices, conditions that short
cut, members that only some elements need, loops over arrays, early ends. The structs have 2 to 16 numbers of one type or
of several, as members, arrays, or in structs of their own. All numbers are small integers, whatever their type: every
order of operations gives the same bits. The functions are shared out among the files.
"""
import argparse
import pathlib
import random

TYPES = ["float", "double", "bool", "std::int8_t", "std::int16_t", "std::int32_t", "std::int64_t", "std::uint8_t",
         "std::uint16_t", "std::uint32_t", "std::uint64_t"]
NUMBERS = [type_ for type_ in TYPES if type_ != "bool"]

# Of each case, in turn; matrices, which take a compiler longest, in every third of those that could have them.
KINDS = [["element", "element", "element"], ["element", "reduction", "element"], ["element", "source", "element"],
         ["element", "apply", "element"], ["element", "element", "reduction"], ["element", "element", "reduction"],
         ["element", "element", "element"], ["element", "matrix"]]


class Struct:
    """A type of elements. `leaves` are its numbers: how they are reached, and their types."""

    def __init__(self, draw, name, types=TYPES):
        self.name = name
        shape = draw.choice(["array", "array", "std::array", "members", "members", "mixed", "mixed", "nested"])
        count, type_ = draw.randint(2, 16), draw.choice(types)
        if draw.random() < 0.5:  # what fills vectors, several of them
            count, type_ = draw.choice([8, 10, 12, 16]), draw.choice(["float", "double", "std::int32_t", "std::int64_t"])
        self.loop = shape in ("array", "std::array")
        if shape == "array":
            self.body, self.leaves = f"{type_} v[{count}];", [(f"v[{k}]", type_) for k in range(count)]
        elif shape == "std::array":
            self.body = f"std::array<{type_}, {count}> v;"
            self.leaves = [(f"v[{k}]", type_) for k in range(count)]
        elif shape == "nested":
            pairs, other = (count + 1) // 2, draw.choice(types)
            self.body = f"struct Pair {{ {type_} x; {other} y; }}; Pair p[{pairs}]; {type_} q;"
            self.leaves = [(f"p[{k}].{m}", t) for k in range(pairs) for m, t in (("x", type_), ("y", other))][:15]
            self.leaves.append(("q", type_))
        else:
            several = draw.sample(types, min(len(types), draw.randint(2, 4)))
            chosen = [draw.choice(several) if shape == "mixed" else type_ for _ in range(count)]
            self.leaves = [(f"m{k}", t) for k, t in enumerate(chosen)]
            self.body = " ".join(f"{t} {m};" for m, t in self.leaves)

    def declaration(self):
        visited = " ".join(f"f(s.{leaf});" for leaf, _ in self.leaves)
        return (f"struct {self.name} {{ {self.body} }};\n"
                f"template <class F> void leaves({self.name}& s, F&& f) {{ {visited} }}\n"
                f"template <class F> void leaves(const {self.name}& s, F&& f) {{ {visited} }}\n")

    def leaf(self, k):
        return self.leaves[k % len(self.leaves)]


class Scalar:
    """A number that is an element itself."""

    def __init__(self, type_):
        self.name, self.loop, self.leaves = type_, False, [("", type_)]

    def leaf(self, _):
        return self.leaves[0]


def conditions(draw):
    """How a function compares: the same all over it, so that the members' code is alike and becomes vectors."""
    operator, bound = draw.choice([">", "<", ">=", "=="]), draw.randint(-1, 3)
    return operator, bound


class Body:
    """Of a function from some operands to a result; `small`: it may grow numbers no faster than by adding."""

    def __init__(self, draw, out, operands, small=False):
        self.out, self.operands, self.small = out, operands, small
        self.operator, self.bound = conditions(draw)
        self.second = conditions(draw)
        self.shift = draw.choice([0, 0, 0, 1, 2, 3])
        if small and any(len({leaf for _, leaf in type_.leaves}) > 1 for type_, _ in operands):
            self.shift = 0  # a sum may be too large for another's type
        self.some = draw.choice([None, None, None, 2, 3])
        shapes = ["select", "select", "keep", "keep", "if", "if", "and", "or", "nested", "one", "other", "min", "max",
                  "plus", "minus", "store", "both", "negate"]
        if not small:
            shapes += ["times", "sum", "find"]
        if all(type_ == out for type_, _ in operands):
            shapes += ["whole", "whole"]
        if out.loop:
            shapes += ["break", "continue", "pairs"]
        self.shape = draw.choice(shapes)
        self.unrolled = not out.loop or any(not t.loop or len(t.leaves) != len(out.leaves) for t, _ in operands) \
            or (draw.random() < 0.3 and self.shape not in ("break", "continue", "pairs"))

    def at(self, operand, k):
        """The k-th number of an operand; k may be the variable of a loop."""
        type_, name = operand
        if k == "k":
            return f"{name}.v[k]"
        leaf, _ = type_.leaf(k)
        return f"{name}.{leaf}" if leaf else name

    def value(self, k, type_):
        """Of member k of the result."""
        first, last = self.operands[0], self.operands[-1]
        a, b = self.at(first, k), self.at(last, k)
        moved = k if k == "k" else k + self.shift
        c = self.at(last, moved)
        condition = f"{a} {self.operator} {self.bound}"
        other = f"{self.at(last, k)} {self.second[0]} {self.second[1]}"
        as_ = f"to<{type_}>"
        if self.some and k != "k" and k % self.some != 0:
            return f"{as_}({b})"
        return {
            "select": f"{condition} ? {as_}({c}) : {as_}(0)",
            "keep": f"{condition} ? {as_}({c}) : {as_}({a})",
            "and": f"{as_}({condition} && {other})",
            "or": f"{as_}({condition} || {other})",
            "both": f"{condition} && {other} ? {as_}({c}) : {as_}(1)",
            "nested": f"{condition} ? {as_}({c}) : {other} ? {as_}({a}) : {as_}(2)",
            "one": f"{self.at(first, 0)} {self.operator} {self.bound} ? {as_}({c}) : {as_}({a})",
            "other": f"{self.at(first, 1)} {self.operator} {self.at(last, 0)} ? {as_}({a}) : {as_}({c})",
            "min": f"{b} < {a} ? {as_}({b}) : {as_}({a})",
            "max": f"{a} < {b} ? {as_}({b}) : {as_}({a})",
            "plus": f"{as_}({a} + {c})",
            "minus": f"{as_}({a} - {c})",
            "negate": f"{condition} ? {as_}(-{c}) : {as_}({a})",
            "times": f"{condition} ? {as_}({a} * {c}) : {as_}({c})",
        }[self.shape]

    def target(self, k):
        return self.at((self.out, "r"), k)

    def each(self, statement):
        """`statement(k, type)` for every member of the result."""
        if self.unrolled:
            return " ".join(statement(k, type_) for k, (_, type_) in enumerate(self.out.leaves))
        return f"for (int k = 0; k < {len(self.out.leaves)}; ++k) {{ {statement('k', self.out.leaves[0][1])} }}"

    def text(self):
        first, last = self.operands[0], self.operands[-1]
        make = f"{self.out.name} r{{}}; "
        size = len(self.out.leaves)

        def condition(k):
            return f"{self.at(first, k)} {self.operator} {self.bound}"

        if self.shape == "whole":
            return f"return {condition(0)} ? {last[1]} : {first[1]};"
        if self.shape == "if":
            return make + self.each(lambda k, t: f"if ({condition(k)}) {self.target(k)} = "
                                                 f"to<{t}>({self.at(last, k)});") + " return r;"
        if self.shape == "store":
            return make + self.each(lambda k, t: f"{self.target(k)} = to<{t}>({self.at(first, k)}); "
                                                 f"if ({condition(k)}) {self.target(k)} = "
                                                 f"to<{t}>({self.at(last, k)});") + " return r;"
        if self.shape == "sum":
            count = len(first[0].leaves)
            sum_ = " ".join(f"if ({condition(k)}) sum += static_cast<int>({self.at(last, k)});" for k in range(count))
            # A bool holds no sum, and what the smallest integers hold is enough for it.
            return make + f"int sum = 0; {sum_} " + \
                self.each(lambda k, t: f"{self.target(k)} = to<{t}>({condition(k)} ? sum : 1);") + " return r;"
        if self.shape == "find":
            tests = " ".join(f"if (at == 0 && {condition(k)}) at = {k + 1};" for k in range(len(first[0].leaves)))
            return make + f"int at = 0; {tests} " + self.each(
                lambda k, t: f"{self.target(k)} = at == {k} ? to<{t}>({self.at(last, k)}) "
                             f": to<{t}>(1);") + " return r;"
        if self.shape in ("break", "continue") and not self.unrolled:
            return make + f"for (int k = 0; k < {size}; ++k) {{ if ({condition('k')}) {self.shape}; " \
                          f"{self.target('k')} = to<{self.out.leaves[0][1]}>({self.at(last, 'k')}); }} return r;"
        if self.shape == "pairs" and not self.unrolled:
            a, b, t = first[1], last[1], self.out.leaves[0][1]
            return make + f"for (int k = 0; k + 1 < {size}; k += 2) {{ " \
                f"r.v[k] = {a}.v[k] {self.operator} {self.bound} ? to<{t}>({b}.v[k + 1]) : to<{t}>(0); " \
                f"r.v[k + 1] = {a}.v[k + 1] {self.operator} {self.bound} ? to<{t}>({b}.v[k]) " \
                f": to<{t}>(3); }} return r;"
        if self.shape in ("break", "continue", "pairs"):
            self.shape = "select"
        return make + self.each(lambda k, t: f"{self.target(k)} = {self.value(k, t)};") + " return r;"

    def scalar_text(self):
        """Of a function whose result is a number."""
        type_, (first, last) = self.out.name, (self.operands[0], self.operands[-1])
        if self.shape in ("plus", "sum", "find", "if", "store"):
            terms = " ".join(f"if ({self.at(first, k)} {self.operator} {self.bound}) r += {self.at(last, k)} != 0 ? 2 : 1;"
                             for k in range(len(first[0].leaves)))
            return f"int r = 0; {terms} return to<{type_}>(r);"
        if self.shape in ("break", "continue", "pairs", "whole"):
            self.shape = "select"
        return f"return {self.value(0, type_)};"


def function(draw, out, operands, small=False):
    body = Body(draw, out, operands, small)
    text = body.scalar_text() if isinstance(out, Scalar) else body.text()
    parameters = ", ".join(f"const {type_.name}& {name}" for type_, name in operands)
    return f"[]({parameters}) -> {out.name} {{ {text} }}"


def scalar(draw, types=NUMBERS):
    return Scalar(draw.choice(types))


def element(draw, name, a, b):
    """An element kernel of random operands, one of them at least a struct."""
    kind = draw.choice(["map", "zip", "zip", "zip", "other", "to scalar", "from scalar", "shared", "plain", "three"])
    number = scalar(draw)
    out = a
    operands = {
        "map": [(a, "Vector")], "zip": [(a, "Vector"), (a, "Vector")], "other": [(a, "Vector"), (b, "Vector")],
        "to scalar": [(a, "Vector"), (b, "Vector")], "from scalar": [(number, "Vector"), (scalar(draw), "Vector")],
        "shared": [(a, "Vector"), (b, "Shared")], "plain": [(a, "Vector"), (number, "Plain")],
        "three": [(number, "Vector"), (b, "Vector"), (a, "Vector")]}[kind]
    if kind == "to scalar":
        out = number
    f = function(draw, out, [(type_, "abc"[k]) for k, (type_, _) in enumerate(operands)])
    tags = "".join(f", {how}Operand<{type_.name}>{{{'3' if how == 'Plain' else ''}}}" for type_, how in operands)
    vectors = ", ".join(f"elements<{type_.name}>()" for type_, how in operands if how == "Vector")
    shareds = ", ".join(f"elements<{type_.name}>()" for type_, how in operands if how == "Shared")
    return (f'  element("{name}", element_kernel<{out.name}>({f}{tags}), {{{vectors}}}, {{{shareds}}}, '
            f"elements<{out.name}>());\n")


def reduction(draw, name, a):
    return (f"  {{\n    const auto op = {function(draw, a, [(a, 'a'), (a, 'b')], True)};\n"
            f'    reduce("{name}", reduce_kernel<{a.name}>(op), elements<{a.name}>());\n'
            f'    fold("{name}", reducer<{a.name}>(op), elements<{a.name}>());\n  }}\n') + folds(name, a)


def folds(name, a):
    """Of structs and of numbers, which come from a generator of their own."""
    draw = random.Random(name)
    text = ""
    for element_ in (a, scalar(draw)):
        step = function(draw, a, [(a, 'a'), (element_, 'b')], True)
        merge = function(draw, a, [(a, 'a'), (a, 'b')], True)
        text += (f"  {{\n    const auto step = {step};\n    const auto merge = {merge};\n"
                 f'    take_up("{name}", fold_kernel({a.name}{{}}, step, merge, VectorOperand<{element_.name}>{{}}), '
                 f"elements<{element_.name}>(), elements<{a.name}>());\n  }}\n")
    return text


def source(draw, name, a):
    return f'  source("{name}", source_kernel<{a.name}>({function(draw, a, [(Scalar("std::int64_t"), "a")])}), ' \
           f"elements<{a.name}>());\n"


def apply(draw, name, a, b):
    return (f"  {{\n    const auto f = {function(draw, a, [(a, 'a'), (b, 'b')])};\n"
            f'    apply("{name}", apply_kernel<{a.name}>(f, SharedOperand<{a.name}>{{}}, SharedOperand<{b.name}>{{}}), '
            f"{{elements<{a.name}>(), elements<{b.name}>()}}, elements<{a.name}>());\n  }}\n")


def matrix(draw, name, a, b):
    kind = draw.choice(["struct and number", "pattern", "number and struct", "two structs", "struct to number"])
    number = scalar(draw)
    vector, value, out = {
        "struct and number": (a, number, a), "pattern": (a, None, a), "number and struct": (number, a, number),
        "two structs": (a, b, a), "struct to number": (a, b, number)}[kind]
    operands = [(vector, "a")] + ([(value, "b")] if value else [])
    f = function(draw, out, operands, True)
    op = function(draw, out, [(out, "a"), (out, "b")], True)
    element_ = value.name if value else "void"
    lines = [f"    const auto f = {f};", f"    const auto op = {op};",
             "    using F = std::remove_cvref_t<decltype(f)>;", "    using Op = std::remove_cvref_t<decltype(op)>;",
             f"    const MatrixKernel kernel = matrix_kernel<{out.name}, {vector.name}, {element_}>(f, op, {out.name}{{}});",
             f'    matrix("{name}", kernel, elements<{vector.name}>(), elements<{element_}>(), elements<{out.name}>());']
    if value:
        types = f"{out.name}, {vector.name}, {element_}, F, Op"
        lines.append(f'    dense("{name}", kernel, dense_kernel<kasen::Op::mxv, {types}>(), '
                     f"dense_kernel<kasen::Op::mxvt, {types}>(), elements<{vector.name}>(), elements<{element_}>(), "
                     f"elements<{out.name}>());")
    return "  {\n" + "\n".join(lines) + "\n  }\n"


def case(number):
    """The declarations and the calls of one case, and how many functions are in it."""
    draw = random.Random(number)
    a = Struct(draw, "A")
    b = Struct(draw, "B") if draw.random() < 0.4 else a
    kinds = KINDS[number % len(KINDS)]
    if "matrix" in kinds and number % (3 * len(KINDS)) != kinds.index("matrix") + 6:
        kinds = kinds[:1]
    makers = {"element": element, "apply": apply, "matrix": matrix}
    calls = ""
    for at, kind in enumerate(kinds):
        name = f"case_{number}.{at}"
        if kind in makers:
            calls += makers[kind](draw, name, a, b)
        else:
            calls += {"reduction": reduction, "source": source}[kind](draw, name, a)
    declarations = a.declaration() + (b.declaration() if b is not a else "")
    text = f"namespace case_{number} {{\nnamespace {{\n{declarations}\nvoid run() {{\n{calls}}}\n}}  // namespace\n}}\n\n"
    return text, len(kinds)


HEAD = """#include <array>
#include <cstdint>
#include <type_traits>

#include "tests/compiler/trial.h"

using namespace trial;
using namespace kasen::runtime;

"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--functions", type=int, default=200)
    parser.add_argument("--first", type=int, default=0, help="number of the first case, which is its seed too")
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()
    cases, functions = [], 0
    while functions < arguments.functions:
        text, more = case(arguments.first + len(cases))
        cases.append(text)
        functions += more
    for at, file in enumerate(arguments.files):
        runs = "".join(f"  case_{arguments.first + number}::run();\n" for number in range(at, len(cases), len(arguments.files)))
        file.write_text(f"{HEAD}{''.join(cases[at::len(arguments.files)])}void run_{file.stem}() {{\n{runs}}}\n",
                        encoding="utf-8")


if __name__ == "__main__":
    main()
