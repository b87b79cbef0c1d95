#include "tests/fuzz/vocabulary.h"

#include <algorithm>
#include <string>

namespace kasen::tests::fuzz {
namespace {

/// Without the names of source files.
std::string unnamed(std::string text) {
  for (const std::string file : {"first::", "second::"}) {
    for (std::size_t at = text.find(file); at != std::string::npos; at = text.find(file)) {
      const bool functor = at >= 2 && text.compare(at - 2, 2, "::") == 0;  // kasen::first is none of them
      if (functor) break;
      text.erase(at, file.size());
    }
  }
  return text;
}

}  // namespace

Vocabulary::Vocabulary(Kind kind) {
  const auto& all = operations();
  std::string family;
  for (int k = 0; k < static_cast<int>(all.size()); ++k) {
    const Operation& operation = all[static_cast<std::size_t>(k)];
    if (operation.kind == Operation::Kind::infix && operation.out != Type::real) {
      const bool of_shareds = operation.parameters[1].kind == Parameter::Kind::shared;
      if (operation.text == "+" && operation.out == Type::int32) count_up = k;
      if (operation.text == "+" && operation.out == Type::int64) (of_shareds ? add : add_number) = k;
      if (operation.text == ">" && operation.parameters[0].type == Type::int64) (of_shareds ? above : above_number) = k;
      if (operation.text == "<" && operation.parameters[0].type == Type::int32) below = k;
      if (operation.text == "&&") both = k;
    }
    if (operation.suits == Suits::exact && !kind.exact) continue;
    if (operation.suits == Suits::rounded && kind.exact) continue;
    if (operation.suits == Suits::defect && !kind.defects) continue;
    if (operation.ordered && kind.reproducible) continue;
    if (operation.part == Part::key) {
      keys.push_back(k);
      continue;
    }
    if (operation.part != Part::none) {
      if (operation.family != family) families.push_back({operation.out, {}});
      family = operation.family;
      families.back().of[operation.part].push_back(k);
      continue;
    }
    std::vector<int>& list = operation.kind == Operation::Kind::element   ? elements
                             : operation.kind == Operation::Kind::product ? products
                             : operation.kind == Operation::Kind::ends    ? ends
                             : operation.kind == Operation::Kind::entries ? entries
                             : operation.kind == Operation::Kind::reduce  ? reduces
                             : operation.kind == Operation::Kind::fold    ? folds
                             : operation.kind == Operation::Kind::keyed   ? keyed
                             : operation.kind == Operation::Kind::taken   ? taken
                                                                          : applies;
    const bool common = operation.out == Type::real || operation.parameters[0].type == Type::real;
    const int weight = operation.suits == Suits::defect ? 40 : operation.twin ? 1 : common ? 3 : 2;
    if (operation.kind == Operation::Kind::reduce && !operation.identity) of_nothing.push_back(k);
    if (operation.twin) {
      const auto other = std::find_if(all.begin(), all.end(), [&](const Operation& o) {
        return o.kind == operation.kind && o.text != operation.text && unnamed(o.text) == unnamed(operation.text);
      });
      twin[k] = static_cast<int>(other - all.begin());
    }
    list.insert(list.end(), weight, k);
    const bool built_in = operation.text.starts_with("kasen::") && operation.text.find('(') == std::string::npos;
    const bool declared = operation.text.find("kasen::laws(") != std::string::npos;
    const bool derived = operation.text.find("KASEN_FN(") != std::string::npos;
    if (operation.kind == Operation::Kind::element && (built_in || declared || derived)) {
      lawful.insert(lawful.end(), weight, k);
    }
  }
}

}  // namespace kasen::tests::fuzz
