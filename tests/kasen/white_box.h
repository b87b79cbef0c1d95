/// @file
/// White-box functions in tests: their expressions, for operands of given kinds.
#pragma once

#include <string>

#include "kasen/kasen.h"

namespace kasen::tests {

template <class T>
using V = detail::Traced<Operator::element, T>;
template <class T>
using S = detail::Traced<Operator::shared, T>;
template <class T>
using P = detail::Traced<Operator::plain, T>;

/// What `f` computes with these operands; none if it is a black box.
template <class... Operands, class F>
ExpressionRef white_box(const F& f) {
  using Out = std::decay_t<std::invoke_result_t<const F&, const typename Operands::Element&...>>;
  return detail::traced_expression<Out>(f, Operands{}...);
}

template <class... Operands, class F>
std::string text_of(const F& f) {
  const ExpressionRef expression = white_box<Operands...>(f);
  return expression ? to_text(*expression) : "black box";
}

}  // namespace kasen::tests
