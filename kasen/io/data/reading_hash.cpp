#include "kasen/io/data/reading_hash.h"

#include <bit>

#include "kasen/base/hash.h"

namespace kasen::io {

std::uint64_t hash_of(const ReadOptions& options, const ValueRequest& values) {
  Fnv1a hash;
  const auto add = [&](auto number) { hash.add(static_cast<std::uint64_t>(number)); };
  add(options.format.size()), hash.add(options.format);
  add(options.dataset.size()), hash.add(options.dataset);
  add(options.skip_lines), add(options.allow_non_finite), add(options.ids), add(options.ignore_weights);
  add(options.drop_duplicates), add(options.drop_self_loops);
  add(options.columns), add(options.zero_based), add(options.any_columns);
  add(values.stored), add(values.rule.finite), add(values.rule.integral);
  add(std::bit_cast<std::uint64_t>(values.rule.least)), add(std::bit_cast<std::uint64_t>(values.rule.most));
  return hash.value();
}

}  // namespace kasen::io
