/// @file
/// Cleans a column of words, and counts the rows of each word that is left, by all workers together.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <numeric>
#include <string>

#include "apps/common/verdict.h"
#include "apps/tables/clean_words.h"
#include "apps/tables/plain_columns.h"
#include "kasen/option_values.h"

namespace {

struct Options {
  std::string data, column;
  apps::CleaningRules rules;
};

/// The same in a plain loop over the file.
bool holds(const Options& options, const apps::CleanColumn& found) {
  return apps::found_by_first([&] {
    std::map<std::string, std::int64_t> rows;
    std::int64_t without = 0;
    const auto& missing = options.rules.missing;
    const auto is_missing = [&](const std::string& word) {
      return word.empty() || std::find(missing.begin(), missing.end(), word) != missing.end();
    };
    apps::for_each_row(options.data, {}, {options.column}, [&](const auto& fields) {
      const std::string kept = options.rules.keep == 0 ? fields[0] : fields[0].substr(0, options.rules.keep);
      ++(is_missing(fields[0]) || is_missing(kept) ? without : rows[kept]);
    });
    bool same = without == found.without && rows.size() == found.rows.size();
    std::int32_t code = 0;
    for (const auto& [word, count] : rows) {
      same = same && found.words.dictionary[code] == word && found.rows[static_cast<std::size_t>(code)] == count;
      ++code;
    }
    return same;
  });
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Cleans a column of words, and counts the rows of each word that is left");
  Options options;
  app.add_option("--data", options.data, "a table, whose first line names its columns")
      ->check(kasen::given_name())
      ->type_name("FILE")
      ->required();
  app.add_option("--column", options.column, "the column of words")->type_name("NAME")->required();
  app.add_option("--missing", options.rules.missing, "words that stand for none, before or after --keep")
      ->delimiter(',')
      ->type_name("WORD,...");
  app.add_option("--keep", options.rules.keep, "so many bytes at a word's beginning; else all of them")
      ->transform(kasen::whole_number(1))
      ->type_name("N");
  app.footer("Example: kasen-run -n 2 clean-words --data requests.csv --column zip --keep 5 --missing N/A,0,00000");
  kasen::Session session(argc, argv, app);
  if (!session.options().output.empty()) throw kasen::UsageError("clean-words prints its rows: it has no --output");

  const kasen::Columns table = kasen::read_columns(options.data, {{options.column, kasen::ColumnType::word}});
  const apps::CleanColumn clean = apps::clean_words(table.words(options.column), options.rules);
  if (session.options().verify)
    apps::verdict(holds(options, clean), "the counts are those of a plain loop over the table");
  std::string lines = "word\trows\n";
  for (std::size_t code = 0; code < clean.rows.size(); ++code)
    lines += fmt::format("{}\t{}\n", clean.words.dictionary[static_cast<std::int32_t>(code)], clean.rows[code]);
  const std::int64_t with = std::accumulate(clean.rows.begin(), clean.rows.end(), std::int64_t{0});
  session.print(lines + fmt::format("{} rows have {} words, {} have none\n", with, clean.rows.size(), clean.without));
  return 0;
}
