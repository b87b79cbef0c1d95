#include "kasen/runtime/contents.h"

#include <algorithm>

namespace kasen::runtime {

Ranges united(Ranges a, const Ranges& b) {
  a.insert(a.end(), b.begin(), b.end());
  std::sort(a.begin(), a.end(), [](const auto& x, const auto& y) { return x.first < y.first; });
  Ranges result;
  for (const partition::Interval& next : a) {
    if (next.count == 0) continue;
    if (!result.empty() && next.first <= result.back().first + result.back().count) {
      const LocalIndex end = std::max(result.back().first + result.back().count, next.first + next.count);
      result.back().count = end - result.back().first;
    } else {
      result.push_back(next);
    }
  }
  return result;
}

LocalIndex first_missing(const Ranges& whole, const Ranges& part, LocalIndex otherwise) {
  auto here = whole.begin();
  for (const partition::Interval& wanted : part) {
    LocalIndex at = wanted.first;
    while (at < wanted.first + wanted.count) {
      while (here != whole.end() && here->first + here->count <= at) ++here;
      if (here == whole.end() || here->first > at) return at;
      at = here->first + here->count;
    }
  }
  return otherwise;
}

}  // namespace kasen::runtime
