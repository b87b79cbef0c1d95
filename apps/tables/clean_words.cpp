#include "apps/tables/clean_words.h"

#include <algorithm>
#include <set>

namespace apps {

CleanColumn clean_words(const kasen::WordColumn& column, const CleaningRules& rules) {
  const kasen::Dictionary& before = column.dictionary;
  const std::set<std::string, std::less<>> missing(rules.missing.begin(), rules.missing.end());
  const auto cleaned = [&](std::int32_t code) -> std::string_view {  // empty: none
    const std::string_view word = before[code];
    const std::string_view kept = rules.keep == 0 ? word : word.substr(0, rules.keep);
    return missing.contains(word) || missing.contains(kept) ? std::string_view() : kept;
  };
  std::set<std::string_view> distinct;
  const auto words = static_cast<std::int32_t>(before.size());
  for (std::int32_t code = 0; code < words; ++code) {
    if (const std::string_view word = cleaned(code); !word.empty()) distinct.insert(word);
  }
  kasen::io::Words after;
  for (const std::string_view word : distinct) after.push_back(word);
  CleanColumn result;
  result.words.dictionary = kasen::Dictionary(std::move(after));

  const kasen::Space by_word(before.size());
  const kasen::BlockRange mine = kasen::block_of(by_word);
  std::vector<std::int32_t> code_of(mine.count);
  for (std::uint64_t k = 0; k < mine.count; ++k)
    code_of[k] =
        result.words.dictionary.code_of(cleaned(static_cast<std::int32_t>(mine.first + static_cast<std::int64_t>(k))));
  result.words.code = kasen::take(kasen::make_vector(by_word, code_of), column.code);

  const auto is_some = KASEN_FN((auto code), kasen::cast<std::int64_t>(code >= 0));
  const auto is_none = KASEN_FN((auto code), kasen::cast<std::int64_t>(code < 0));
  const auto rows = kasen::reduce_by_key(kasen::plus, result.words.code, kasen::map(is_some, result.words.code),
                                         result.words.dictionary.size());
  const auto without = kasen::reduce(kasen::plus, kasen::map(is_none, result.words.code));
  result.rows = rows.get();
  result.without = without.get();
  return result;
}

}  // namespace apps
