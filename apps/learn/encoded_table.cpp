#include "apps/learn/encoded_table.h"

#include <algorithm>
#include <iterator>
#include <unordered_map>
#include <utility>

#include "apps/common/known_values.h"
#include "kasen/base/error.h"
#include "kasen/base/printable.h"
#include "kasen/io/formats/columns.h"
#include "kasen/io/formats/table_head.h"
#include "kasen/io/lines/text.h"
#include "kasen/workers.h"

namespace apps {

namespace {

using kasen::InputError, kasen::printable;
using Names = std::vector<std::string>;

constexpr char kIs = '=';  ///< stands between column and word

bool has(const Names& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

kasen::io::ColumnsData read(const std::string& path, const FeatureColumns& columns) {
  std::vector<kasen::WantedColumn> wanted;
  for (const std::string& name : columns.numbers) wanted.push_back({name, kasen::ColumnType::number});
  for (const std::string& name : columns.words) wanted.push_back({name, kasen::ColumnType::word});
  wanted.push_back({columns.target, kasen::ColumnType::number});
  kasen::io::ColumnsData data = kasen::io::read_columns(kasen::workers::communicator(), path, wanted, {});
  if (data.rows == 0) throw InputError(path + ": there are no samples");
  return data;
}

std::string feature_of(const std::string& column, std::string_view word) { return (column + kIs).append(word); }

EncodedTable encoded(const kasen::io::ColumnsData& data, const FeatureColumns& columns, Names features) {
  std::unordered_map<std::string, std::size_t> place;
  for (std::size_t j = 0; j < features.size(); ++j) place.emplace(features[j], j);
  const std::size_t numbers = columns.numbers.size(), width = data.columns.size();
  std::vector<double> layout{static_cast<double>(numbers)}, fields(data.columns.back().numbers.size() * width);
  for (std::size_t c = 0; c < width; ++c) {
    const kasen::io::ColumnData& column = data.columns[c];
    if (column.type == kasen::ColumnType::number) {
      for (std::size_t i = 0; i < column.numbers.size(); ++i) fields[i * width + c] = column.numbers[i];
      continue;
    }
    const auto first = std::find_if(features.begin(), features.end(),
                                    [&](const auto& name) { return name.starts_with(column.name + kIs); });
    layout.push_back(static_cast<double>(first - features.begin()));
    std::vector<double> among;  // by code, the word's place among the features of the column
    for (std::uint64_t w = 0; w < column.words.size(); ++w) {
      const auto found = place.find(feature_of(column.name, column.words[w]));
      among.push_back(found == place.end() ? -1 : static_cast<double>(found->second) - layout.back());
    }
    for (std::size_t i = 0; i < column.codes.size(); ++i)
      fields[i * width + c] = among[static_cast<std::size_t>(column.codes[i])];
  }
  const kasen::Space samples(data.rows);
  return {samples, kasen::make_rows(samples, width, fields), known_vector(kasen::Space(layout.size()), layout),
          std::move(features)};
}

}  // namespace

FeatureColumns columns_of(const std::string& path, const std::string& target,
                          const std::optional<std::vector<std::string>>& numbers,
                          const std::vector<std::string>& words) {
  FeatureColumns columns{target, numbers.value_or(Names()), words};
  if (!numbers) {
    const kasen::comm::Communicator& workers = kasen::workers::communicator();
    const Names names = kasen::io::read_table_head(workers, kasen::io::Text(workers, path)).names;
    if (names.empty()) throw InputError(path + ": expected a first line that names the columns, found none");
    std::copy_if(names.begin(), names.end(), std::back_inserter(columns.numbers),
                 [&](const std::string& name) { return name != target && !has(words, name); });
  }
  Names seen{target};
  for (const Names* const some : {&columns.numbers, &columns.words}) {
    for (const std::string& name : *some) {
      if (has(seen, name)) throw kasen::UsageError("the column '" + printable(name) + "' is named twice");
      if (name.find(kIs) != std::string::npos)
        throw InputError(path + ": the column '" + printable(name) + "' has the '=' of names of features in its name");
      seen.push_back(name);
    }
  }
  if (seen.size() == 1) throw InputError(path + ": there are no columns but the target");
  return columns;
}

FeatureColumns columns_of(const std::string& target, const std::vector<std::string>& features) {
  FeatureColumns columns{target, {}, {}};
  for (const std::string& feature : features) {
    const std::size_t end = feature.find(kIs);
    const std::string name = feature.substr(0, end);
    if (end == std::string::npos) {
      columns.numbers.push_back(name);
    } else if (columns.words.empty() || columns.words.back() != name) {
      columns.words.push_back(name);
    }
  }
  if (has(columns.numbers, target) || has(columns.words, target))
    throw kasen::UsageError("the column '" + printable(target) + "' is named twice");
  return columns;
}

EncodedTable read_encoded(const std::string& path, const FeatureColumns& columns) {
  const kasen::io::ColumnsData data = read(path, columns);
  Names features = columns.numbers;
  for (const kasen::io::ColumnData& column : data.columns) {
    for (std::uint64_t w = 0; w < column.words.size(); ++w)
      features.push_back(feature_of(column.name, column.words[w]));
  }
  return encoded(data, columns, std::move(features));
}

EncodedTable read_encoded(const std::string& path, const std::string& target,
                          const std::vector<std::string>& features) {
  const FeatureColumns columns = columns_of(target, features);
  return encoded(read(path, columns), columns, features);
}

}  // namespace apps
