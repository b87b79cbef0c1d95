/// @file
/// The operations of one of two source files with functions of the same names. It defines `kFirst`, true or false, and
/// includes twins.inc, both in its anonymous namespace, before this.
#pragma once

#include <limits>
#include <string>

#include "tests/fuzz/operation_makers.h"

namespace kasen::tests::fuzz {
namespace {

/// As printed programs have them: in namespaces.
const std::string kTwin = kFirst ? "first::" : "second::";

template <class Made>
void add_twin(std::vector<Operation>& table, Made made, const std::string& text) {
  made.text = text;
  made.twin = true;
  table.push_back(std::move(made));
}

void add_twins(std::vector<Operation>& table) {
  using R = double;
  const double inf = std::numeric_limits<double>::infinity();
  const double start = kFirst ? inf : -inf;
  const auto pick = [](auto a, auto b) { return kFirst ? least(a, b) : largest(a, b); };
  const auto weigh = [](auto x) { return kFirst ? x : 2 * x; };
  const auto same = [](auto v, auto...) { return v; };
  const auto add = [](auto a, auto b) { return a + b; };
  add_twin(table, reduction<R>(Code{Pick{}, ""}, pick, start), kTwin + "Pick{}");
  add_twin(table,
           reduction<R>(
               Code{joiner(), ""}, [](auto a, auto b) { return kFirst ? a + b : largest(a, b); }, std::nullopt),
           kTwin + "joiner()");
  add_twin(table, product<R, Pattern, R>(Code{Weigh{}, ""}, Code{kasen::plus, ""}, weigh, add, 0),
           kTwin + "Weigh{}, kasen::plus");
  add_twin(table, product<R, Pattern, R>(Code{kasen::first, ""}, Code{Pick{}, ""}, same, pick, start),
           "kasen::first, " + kTwin + "Pick{}");
  add_twin(table, element<R, V<R>>(Code{Weigh{}, ""}, weigh), kTwin + "Weigh{}");
  add_twin(table,
           element<R, V<R>>(Code{kasen::laws([](double x) { return x * 0.5; }, kasen::exchanges_with(Pick{})), ""},
                            [](auto x) { return x * 0.5; }),
           "kasen::laws([](double x) { return x * 0.5; }, kasen::exchanges_with(" + kTwin + "Pick{}))");
}

}  // namespace
}  // namespace kasen::tests::fuzz
