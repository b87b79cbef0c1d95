#include "optimizer/cost/formula.h"

#include <algorithm>
#include <utility>

#include "optimizer/cost/part_times.h"

namespace kasen::optimizer {

void Formula::add(std::uint64_t coefficient, Symbol symbol) {
  if (coefficient == 0) return;
  const auto place = std::lower_bound(_terms.begin(), _terms.end(), symbol,
                                      [](const Term& term, const Symbol& s) { return term.symbol < s; });
  if (place != _terms.end() && place->symbol == symbol) {
    place->coefficient += coefficient;
  } else {
    _terms.insert(place, {coefficient, std::move(symbol)});
  }
}

Formula& Formula::operator+=(const Formula& other) {
  for (const Term& term : other._terms) add(term.coefficient, term.symbol);
  return *this;
}

std::uint64_t Formula::evaluate(const PlacementStats& stats) const {
  std::uint64_t sum = 0;
  for (const Term& term : _terms) sum = sum_of(sum, product_of(term.coefficient, value_of(term.symbol, stats)));
  return sum;
}

std::string Formula::text(const PlacementStats& stats) const {
  std::string text;
  for (const Term& term : _terms) {
    if (!text.empty()) text += " + ";
    const bool number = term.symbol.kind == Symbol::Kind::one;
    if (number || term.coefficient != 1) text += std::to_string(term.coefficient);
    if (!number) text += name_of(term.symbol, stats);
  }
  return text.empty() ? "0" : text;
}

}  // namespace kasen::optimizer
