/// @file
/// Non-zeros meet by column and then by row. What is packed beside the latter says for which thresholds their columns
/// are high. On how many parts a line has non-zeros is counted by marking parts.

#include "partition/tally.h"

#include "kasen/base/release.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include "partition/sample.h"
#include "partition/sorted_indices.h"

namespace kasen::partition {
namespace {

__extension__ using Wide = unsigned __int128;

/// A non-zero as one number: (the line it is met by, its index in the line, the class of its column).
template <class Key>
struct Packing {
  int index_bits, class_bits;

  Key pack(std::uint64_t line, std::uint64_t index, std::uint64_t column_class) const {
    return ((static_cast<Key>(line) << index_bits | index) << class_bits) | column_class;
  }
  std::uint64_t line(Key key) const { return static_cast<std::uint64_t>(key >> class_bits >> index_bits); }
  GlobalIndex index(Key key) const {
    return static_cast<GlobalIndex>(static_cast<std::uint64_t>(key >> class_bits) &
                                    ((std::uint64_t{1} << index_bits) - 1));
  }
  std::size_t column_class(Key key) const {
    return static_cast<std::size_t>(static_cast<std::uint64_t>(key) & ((std::uint64_t{1} << class_bits) - 1));
  }
};

/// Sorts by line, digit by digit; `line_bits` hold any line.
template <class Key>
void sort_by_line(std::vector<Key>& keys, const Packing<Key>& packing, int line_bits) {
  constexpr int kDigitBits = 11;
  std::vector<Key> sorted(keys.size());
  for (int shift = 0; shift < line_bits; shift += kDigitBits) {
    const auto digit = [&](Key key) { return packing.line(key) >> shift & ((1u << kDigitBits) - 1); };
    std::vector<std::uint64_t> next((1u << kDigitBits) + 1);
    for (const Key key : keys) ++next[digit(key) + 1];
    std::partial_sum(next.begin(), next.end(), next.begin());
    for (const Key key : keys) sorted[next[digit(key)]++] = key;
    keys.swap(sorted);
  }
}

/// Collective. Sends all keys of a line to one worker, and sorts them by line.
template <class Key>
std::vector<Key> meet(const comm::Communicator* communicator, std::vector<Key> keys, const Packing<Key>& packing,
                      int line_bits) {
  if (communicator != nullptr && communicator->size() > 1) {
    const auto workers = static_cast<std::uint64_t>(communicator->size());
    const auto worker_of = [&](Key key) { return mix(packing.line(key)) % workers; };
    std::vector<std::uint64_t> offsets(workers + 1);
    for (const Key key : keys) ++offsets[worker_of(key) + 1];
    std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
    std::vector<Key> ordered(keys.size());
    std::vector<std::uint64_t> next = offsets;
    for (const Key key : keys) ordered[next[worker_of(key)]++] = key;
    release(keys);
    keys = communicator->all_to_all(std::span<const Key>(ordered), std::span<const std::uint64_t>(offsets)).values;
  }
  sort_by_line(keys, packing, line_bits);
  return keys;
}

/// Calls visit(line, its keys) for every line.
template <class Key, class Visit>
void for_each_line(std::span<Key> keys, const Packing<Key>& packing, Visit visit) {
  for (std::size_t begin = 0, end = 0; begin < keys.size(); begin = end) {
    const std::uint64_t line = packing.line(keys[begin]);
    while (end < keys.size() && packing.line(keys[end]) == line) ++end;
    visit(line, keys.subspan(begin, end - begin));
  }
}

/// Which parts have been met since the last clear(), each with a smallest value; clearing costs nothing.
class Marks {
 public:
  explicit Marks(int parts) : _last(static_cast<std::size_t>(parts)), _smallest(_last.size()) {}
  void clear() {
    ++_now;
    _met.clear();
  }
  void mark(Rank part, std::size_t value) {
    const auto p = static_cast<std::size_t>(part);
    if (_last[p] != _now) {
      _last[p] = _now;
      _smallest[p] = value;
      _met.push_back(part);
    } else {
      _smallest[p] = std::min(_smallest[p], value);
    }
  }
  const std::vector<Rank>& met() const { return _met; }
  std::size_t smallest(Rank part) const { return _smallest[static_cast<std::size_t>(part)]; }

 private:
  std::vector<std::uint64_t> _last;
  std::vector<std::size_t> _smallest;
  std::vector<Rank> _met;
  std::uint64_t _now = 0;
};

/// How many of the thresholds each column exceeds, of those columns that the sample of rows and of non-zeros touches.
class ColumnClasses {
 public:
  /// Collective.
  ColumnClasses(const comm::Communicator* communicator, const Entries& entries, std::uint64_t columns,
                const std::vector<std::uint64_t>& thresholds, const Sample& sample) {
    if (thresholds.empty()) return;
    std::vector<GlobalIndex> touched;
    for (std::size_t k = 0; k < entries.row.size() && !sample.all(); ++k)
      if (sample.row(entries.row[k]) || sample.entry(entries.row[k], entries.column[k]))
        touched.push_back(entries.column[k]);
    touched = distinct(sample.all() ? entries.column.view() : GlobalIndexView(touched), columns);
    if (communicator != nullptr && communicator->size() > 1)
      touched = distinct(communicator->all_gather(std::span<const GlobalIndex>(touched)).values, columns);
    _keys = std::move(touched);
    std::vector<LocalIndex> numbers(_keys.size());
    std::iota(numbers.begin(), numbers.end(), LocalIndex{0});
    _numbers.emplace(_keys, std::move(numbers));
    const IndexSet known(_keys, columns, 8 * entries.column.size());
    std::vector<std::uint64_t> degrees(_keys.size());
    for (const GlobalIndex column : entries.column)
      if (known.contains(column)) ++degrees[(*_numbers)[column]];
    if (communicator != nullptr) communicator->sum(std::span<std::uint64_t>(degrees));
    for (const std::uint64_t degree : degrees)
      _classes.push_back(static_cast<std::uint32_t>(std::lower_bound(thresholds.begin(), thresholds.end(), degree) -
                                                    thresholds.begin()));
  }
  ColumnClasses(const ColumnClasses&) = delete;
  ColumnClasses& operator=(const ColumnClasses&) = delete;

  std::size_t operator[](GlobalIndex column) const {
    return _classes.empty() ? 0 : _classes[static_cast<std::size_t>((*_numbers)[column])];
  }

 private:
  std::vector<GlobalIndex> _keys;
  std::optional<LocalNumbers> _numbers;
  std::vector<std::uint32_t> _classes;
};

/// The counts of one family. A class says how many of the thresholds a column exceeds; what is by class here is
/// summed up for each rule in the end.
class Counter {
 public:
  Counter(const Family& family, std::size_t classes)
      : _family(&family),
        _parts(static_cast<std::size_t>(family.rows.parts())),
        _across(grid_columns(family.rows.parts())),
        _marks(family.rows.parts()),
        _lines(family.rows.parts()),
        _with_grid(has(EntryRule::Kind::grid)),
        _by_row(has(EntryRule::Kind::row) || has(EntryRule::Kind::hybrid)),
        _by_column(has(EntryRule::Kind::column) || has(EntryRule::Kind::hybrid)),
        _at_row(classes, std::vector<std::uint64_t>(_parts)),
        _at_column(_at_row),
        _row_replicas(classes),
        _column_replicas(classes),
        _at_grid(_parts) {}

  /// A column with its non-zeros: `row_of(k)` for k < degree.
  template <class RowOf>
  void column(std::uint64_t column, std::size_t column_class, std::size_t degree, RowOf row_of) {
    if (!_by_row && !_with_grid) return;
    const Rank own = _family->columns.owner(static_cast<GlobalIndex>(column));
    _marks.clear();
    _lines.clear();
    for (std::size_t k = 0; k < degree; ++k) {
      const Rank part = _family->rows.owner(row_of(k));
      if (_by_row) _marks.mark(part, 0);
      if (_with_grid) _lines.mark(part / _across, 0);
    }
    for (const Rank part : _marks.met()) _column_replicas[column_class] += part != own;
    for (const Rank line : _lines.met()) _grid_column_replicas += line != own / _across;
  }

  /// A row with its non-zeros: `column_of(k)` and `class_of(k)` for k < degree.
  template <class ColumnOf, class ClassOf>
  void row(std::uint64_t row, std::size_t degree, ColumnOf column_of, ClassOf class_of) {
    if (!_by_column && !_with_grid) return;
    const Rank own = _family->rows.owner(static_cast<GlobalIndex>(row));
    _marks.clear();
    _lines.clear();
    for (std::size_t k = 0; k < degree; ++k) {
      const Rank part = _family->columns.owner(column_of(k));
      if (_by_column) _marks.mark(part, class_of(k));
      if (_with_grid) _lines.mark(part % _across, 0);
    }
    for (const Rank part : _marks.met())
      if (part != own) ++_row_replicas[_marks.smallest(part)];
    for (const Rank line : _lines.met()) _grid_row_replicas += line != own % _across;
  }

  /// A non-zero.
  void entry(GlobalIndex row, GlobalIndex column, std::size_t column_class) {
    const bool both = _with_grid || (_by_row && _by_column);
    const Rank of_row = both || _by_row ? _family->rows.owner(row) : 0;
    const Rank of_column = both || _by_column ? _family->columns.owner(column) : 0;
    if (_by_row) ++_at_row[column_class][static_cast<std::size_t>(of_row)];
    if (_by_column) ++_at_column[column_class][static_cast<std::size_t>(of_column)];
    if (_with_grid) ++_at_grid[static_cast<std::size_t>(part_in_grid(of_row, of_column, _across))];
  }

  /// What was counted for each rule, to be summed over workers; `thresholds` are those that classes are about.
  void append(const std::vector<std::uint64_t>& thresholds, std::vector<std::uint64_t>& words) const;
  /// Takes the sums off the front of `words`.
  std::vector<Tally> take(std::span<const std::uint64_t>& words) const;

 private:
  Tally of(const EntryRule& rule, const std::vector<std::uint64_t>& thresholds, std::vector<std::uint64_t>& load) const;
  bool has(EntryRule::Kind kind) const {
    return std::any_of(_family->rules.begin(), _family->rules.end(),
                       [kind](const EntryRule& rule) { return rule.kind == kind; });
  }

  const Family* _family;
  std::size_t _parts;
  int _across;
  Marks _marks, _lines;
  bool _with_grid, _by_row, _by_column;                         ///< what the rules need to be counted
  std::vector<std::vector<std::uint64_t>> _at_row, _at_column;  ///< non-zeros by class of column and part of the owner
  std::vector<std::uint64_t> _row_replicas;     ///< by smallest class of the columns there: if columns place non-zeros
  std::vector<std::uint64_t> _column_replicas;  ///< by class of the column: if rows place its non-zeros
  std::vector<std::uint64_t> _at_grid;
  std::uint64_t _grid_row_replicas = 0, _grid_column_replicas = 0;
};

Tally Counter::of(const EntryRule& rule, const std::vector<std::uint64_t>& thresholds,
                  std::vector<std::uint64_t>& load) const {
  if (rule.kind == EntryRule::Kind::grid) {
    load = _at_grid;
    return {_grid_row_replicas, _grid_column_replicas, {}};
  }
  // Columns of the first `low` classes place their non-zeros; rows place the others.
  std::size_t low = 0;
  if (rule.kind == EntryRule::Kind::column) low = _at_row.size();
  if (rule.kind == EntryRule::Kind::hybrid)
    low = static_cast<std::size_t>(std::lower_bound(thresholds.begin(), thresholds.end(), rule.threshold) -
                                   thresholds.begin()) +
          1;
  Tally tally;
  load.assign(_parts, 0);
  for (std::size_t c = 0; c < _at_row.size(); ++c) {
    (c < low ? tally.row_replicas : tally.column_replicas) += c < low ? _row_replicas[c] : _column_replicas[c];
    for (std::size_t p = 0; p < _parts; ++p) load[p] += c < low ? _at_column[c][p] : _at_row[c][p];
  }
  return tally;
}

void Counter::append(const std::vector<std::uint64_t>& thresholds, std::vector<std::uint64_t>& words) const {
  for (const EntryRule& rule : _family->rules) {
    std::vector<std::uint64_t> load;
    const Tally tally = of(rule, thresholds, load);
    words.push_back(tally.row_replicas);
    words.push_back(tally.column_replicas);
    words.insert(words.end(), load.begin(), load.end());
  }
}

std::vector<Tally> Counter::take(std::span<const std::uint64_t>& words) const {
  std::vector<Tally> result;
  for (std::size_t rule = 0; rule < _family->rules.size(); ++rule) {
    const auto nonzeros = words.subspan(2, _parts);
    result.push_back({words[0], words[1], {nonzeros.begin(), nonzeros.end()}});
    words = words.subspan(2 + _parts);
  }
  return result;
}

std::vector<std::uint64_t> thresholds_of(const std::vector<Family>& families) {
  std::vector<std::uint64_t> thresholds;
  for (const Family& family : families)
    for (const EntryRule& rule : family.rules)
      if (rule.kind == EntryRule::Kind::hybrid) thresholds.push_back(rule.threshold);
  std::sort(thresholds.begin(), thresholds.end());
  thresholds.erase(std::unique(thresholds.begin(), thresholds.end()), thresholds.end());
  return thresholds;
}

int bits_for(std::uint64_t length) { return std::bit_width(length == 0 ? 0 : length - 1); }

template <class Key>
std::vector<std::vector<Tally>> tally_packed(const comm::Communicator* communicator, const Entries& entries,
                                             const std::vector<Family>& families,
                                             const std::vector<std::uint64_t>& thresholds, std::uint64_t one_in) {
  const std::uint64_t rows = families[0].rows.length(), columns = families[0].columns.length();
  const Packing<Key> by_column{bits_for(rows), 0}, by_row{bits_for(columns), bits_for(thresholds.size() + 1)};
  const Sample sample(one_in);
  std::vector<Counter> counters;
  for (const Family& family : families) counters.emplace_back(family, thresholds.size() + 1);
  const auto pack = [](const auto& packing, GlobalIndex line, GlobalIndex index, std::size_t column_class) {
    return packing.pack(static_cast<std::uint64_t>(line), static_cast<std::uint64_t>(index), column_class);
  };

  std::vector<Key> keys;
  if (sample.all()) keys.reserve(entries.row.size());
  for (std::size_t k = 0; k < entries.row.size(); ++k)
    if (sample.column(entries.column[k])) keys.push_back(pack(by_column, entries.column[k], entries.row[k], 0));
  keys = meet(communicator, std::move(keys), by_column, by_row.index_bits);
  for_each_line<Key>(keys, by_column, [&](std::uint64_t column, std::span<Key> line) {
    const auto column_class = static_cast<std::size_t>(
        std::lower_bound(thresholds.begin(), thresholds.end(), line.size()) - thresholds.begin());
    for (Counter& counter : counters)
      counter.column(column, column_class, line.size(), [&](std::size_t k) { return by_column.index(line[k]); });
  });

  keys.clear();
  const ColumnClasses classes(communicator, entries, columns, thresholds, sample);
  for (std::size_t k = 0; k < entries.row.size(); ++k) {
    const GlobalIndex row = entries.row[k], column = entries.column[k];
    const bool of_row = sample.row(row), alone = sample.entry(row, column);
    if (!of_row && !alone) continue;
    const std::size_t column_class = classes[column];
    if (of_row) keys.push_back(pack(by_row, row, column, column_class));
    if (!alone) continue;
    for (Counter& counter : counters) counter.entry(row, column, column_class);
  }
  keys = meet(communicator, std::move(keys), by_row, by_column.index_bits);
  for_each_line<Key>(keys, by_row, [&](std::uint64_t row, std::span<Key> line) {
    for (Counter& counter : counters)
      counter.row(
          row, line.size(), [&](std::size_t k) { return by_row.index(line[k]); },
          [&](std::size_t k) { return by_row.column_class(line[k]); });
  });
  std::vector<std::vector<Tally>> result;
  std::vector<std::uint64_t> sums;
  for (const Counter& counter : counters) counter.append(thresholds, sums);
  if (communicator != nullptr) communicator->sum(std::span<std::uint64_t>(sums));
  for (std::uint64_t& sum : sums) sum *= one_in;
  std::span<const std::uint64_t> words(sums);
  for (const Counter& counter : counters) result.push_back(counter.take(words));
  return result;
}

}  // namespace

std::vector<std::vector<Tally>> tally(const comm::Communicator* communicator, const Entries& entries,
                                      const std::vector<Family>& families, std::uint64_t sample) {
  if (families.empty()) return {};
  const std::vector<std::uint64_t> thresholds = thresholds_of(families);
  const int bits =
      bits_for(families[0].rows.length()) + bits_for(families[0].columns.length()) + bits_for(thresholds.size() + 1);
  if (bits <= 64) return tally_packed<std::uint64_t>(communicator, entries, families, thresholds, sample);
  return tally_packed<Wide>(communicator, entries, families, thresholds, sample);
}

}  // namespace kasen::partition
