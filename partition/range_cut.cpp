#include "partition/range_cut.h"

#include <utility>
#include <vector>

#include "kasen/base/error.h"

namespace kasen::partition {
namespace {

constexpr std::uint64_t kMostRuns = 1 << 16;

/// Cuts where the load so far comes closest to a part's share of all. @param lengths of one kind, or of two that count
/// half each
Assignment cut(std::uint64_t length, int parts, const std::vector<const Lengths*>& lengths) {
  const std::uint64_t width = lengths.front()->width, runs = lengths.front()->nonzeros.size();
  std::vector<std::uint64_t> until{0};  // the load of the runs before
  for (std::uint64_t run = 0; run < runs; ++run) {
    const std::uint64_t elements = std::min(width, length - run * width);
    std::uint64_t load = lengths.size() * kElementLoad * elements;
    for (const Lengths* each : lengths) load += each->nonzeros[run];
    until.push_back(until.back() + load);
  }
  std::vector<std::uint64_t> begins{0};
  for (int part = 1; part < parts; ++part) {
    const auto share = static_cast<std::uint64_t>(static_cast<double>(until.back()) * part / parts);
    auto run = static_cast<std::uint64_t>(std::lower_bound(until.begin(), until.end(), share) - until.begin());
    if (run > 0 && share - until[run - 1] < until[run] - share) --run;
    begins.push_back(std::max(begins.back(), std::min(run * width, length)));
  }
  begins.push_back(length);
  return Assignment::block(std::move(begins));
}

class Range : public Partitioner {
 public:
  Range(std::string name, EntryRule rule) : _name(std::move(name)), _rule(rule) {}
  std::string name() const override { return _name; }
  bool needs_lengths() const override { return true; }
  Partitioning partition(const Shape& shape, int parts, const Entries&) const override {
    if (shape.row_lengths == nullptr || shape.column_lengths == nullptr)
      throw InternalError("a range partition without lengths");
    std::vector<const Lengths*> of_rows{shape.row_lengths}, of_columns{shape.column_lengths};
    if (shape.one_space) {
      if (_rule.kind == EntryRule::Kind::grid) of_rows.push_back(shape.column_lengths);
      if (_rule.kind == EntryRule::Kind::column) of_rows = of_columns;
    }
    Partitioning made;
    made.rows = shape.row_owners != nullptr ? *shape.row_owners : cut(shape.rows, parts, of_rows);
    made.columns = shape.column_owners != nullptr ? *shape.column_owners
                   : shape.one_space              ? made.rows
                                                  : cut(shape.columns, parts, of_columns);
    made.rule = _rule;
    return made;
  }

 private:
  std::string _name;
  EntryRule _rule;
};

}  // namespace

Lengths lengths_of(const comm::Communicator* communicator, GlobalIndexView indices, std::uint64_t length) {
  Lengths lengths;
  lengths.width = std::max<std::uint64_t>(1, (length + kMostRuns - 1) / kMostRuns);
  lengths.nonzeros.resize((length + lengths.width - 1) / lengths.width);
  for (const GlobalIndex index : indices) ++lengths.nonzeros[static_cast<std::uint64_t>(index) / lengths.width];
  if (communicator != nullptr) communicator->sum(std::span<std::uint64_t>(lengths.nonzeros));
  return lengths;
}

std::unique_ptr<Partitioner> range_partitioner(std::string name, EntryRule rule) {
  return std::make_unique<Range>(std::move(name), rule);
}

}  // namespace kasen::partition
