#include "kasen/session/meeting.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "comm/agreement.h"
#include "kasen/base/error.h"
#include "kasen/base/hash.h"
#include "kasen/base/source_line.h"

namespace kasen {
namespace {

struct Words {
  const char* alone;        ///< what a worker does while another one does something else
  const char* differently;  ///< what workers do that do it with other numbers
};

constexpr const char* kComputes = "computes a result";

Words words_of(std::uint64_t what) {
  switch (Meeting{what}) {
    case Meeting::end:
    case Meeting::leave:
      return {"is at the end of the program", ""};
    case Meeting::exit:
      return {"calls exit", ""};
    case Meeting::get:
      return {"reads a vector", "read different vectors"};
    case Meeting::block:
      return {"takes its block of a vector", "take blocks of different vectors"};
    case Meeting::top:
      return {"asks for the top of a vector", "ask for the top of different vectors, or for more and fewer elements"};
    case Meeting::between_plans:
      return {
          "scans, sorts, joins, filters, asks for quantiles, or makes a matrix of a form or batches of one",
          "make different ones of the calls that scan, sort, join, filter, give quantiles and make matrices of a form "
          "or batches, or give the same one something else"};
    case Meeting::matrix:
      return {"makes a matrix", "make matrices of different tables, over different spaces, or of different types"};
    case Meeting::vector:
      return {"makes a vector", "make vectors over different spaces or of different types"};
    case Meeting::column:
      return {"takes a column of a table", "take different columns, or columns of different tables"};
    case Meeting::write:
      return {"writes", "write different vectors, or under different names"};
    case Meeting::file:
      return {"reads a file", "read different files, or the same one in another way"};
    case Meeting::names:
      return {"looks names up", ""};
    case Meeting::vertices:
      return {"looks vertices up", "look up other vertices"};
    case Meeting::commit:
      return {"commits an output", "commit different outputs"};
    case Meeting::owners:
      return {"calls partition_by",
              "call it for different spaces, or one whose lengths differ, or with and without a function"};
    case Meeting::spaces:
      return {kComputes, "compute over different index spaces, or over one whose lengths differ"};
    case Meeting::numbers:
      return {
          "calls workers::sum, max, exclusive_sum, all_gather or agree",
          "call different ones of workers::sum, max, exclusive_sum, all_gather and agree, or give the same one other "
          "types or lengths"};
    case Meeting::counts:
      return {"asks for counts", ""};
    default:
      return {kComputes, "compute a result from different vectors or Shareds"};
  }
}

/// The words that are compared; if they differ, the difference is searched for afterwards.
struct Summary {
  std::uint64_t what, numbers, given;
};

/// Collective. The line is that of the first worker that knows one: one that is at the end of the program does not.
[[noreturn]] void refuse(const comm::Communicator& control, SourceLine line, const std::string& reason) {
  std::string place = prefix_of(line);
  const Rank first = control.min(line.line == 0 ? control.size() : control.rank());
  if (first < control.size()) control.broadcast(place, first);
  throw AgreedError(place + reason);
}

[[noreturn]] void refuse_programs(const comm::Communicator& control, SourceLine line, std::size_t worker) {
  refuse(
      control, line,
      fmt::format("workers 0 and {} have recorded different programs: native control flow must depend on values that "
                  "all workers share",
                  worker));
}

/// Collective. Says which of the given values differs first between worker 0 and this one.
[[noreturn]] void refuse_given(const comm::Communicator& control, const MeetingWord& mine,
                               const std::vector<std::uint64_t>& hashes, std::size_t worker) {
  const auto all = control.all_gather(std::span<const std::uint64_t>(hashes));
  const auto begin = static_cast<std::size_t>(all.offsets[worker]);
  if (all.offsets[worker + 1] - all.offsets[worker] != all.offsets[1]) refuse_programs(control, mine.where, worker);
  SourceLine first;
  for (std::size_t k = 0; k < hashes.size() && first.line == 0; ++k) {
    if (begin + k < all.values.size() && all.values[k] != all.values[begin + k]) first = mine.given[k].where;
  }
  refuse(
      control, first,
      fmt::format("a function, a plain value, the first value of a Shared, or a seed differs between workers 0 and {}: "
                  "every worker must give the same",
                  worker));
}

}  // namespace

void meet(const comm::Communicator& control, const MeetingWord& mine) {
  std::vector<std::uint64_t> hashes;
  for (const recording::GivenValue& value : mine.given) hashes.push_back(value.hash);
  const std::vector<Summary> all = control.all_gather(Summary{mine.what, hash_of(mine.numbers), hash_of(hashes)});
  if (std::any_of(all.begin(), all.end(), [](const Summary& word) { return Meeting{word.what} == Meeting::no_plan; })) {
    comm::agree(control, [&] {
      if (mine.error) std::rethrow_exception(mine.error);
    });
  }
  const auto differs_in = [&](std::uint64_t Summary::*member) -> std::size_t {  // the first worker that does, or 0
    for (std::size_t worker = 1; worker < all.size(); ++worker) {
      if (all[worker].*member != all[0].*member) return worker;
    }
    return 0;
  };
  if (const std::size_t worker = differs_in(&Summary::what)) {
    const std::string here = words_of(all[0].what).alone, there = words_of(all[worker].what).alone;
    if (here == there) refuse_programs(control, mine.where, worker);
    refuse(control, mine.where,
           fmt::format("worker 0 {} while worker {} {}: every worker must do so alike, and not, say, "
                       "`if (session.rank() == 0)`",
                       here, worker, there));
  }
  if (const std::size_t worker = differs_in(&Summary::given)) refuse_given(control, mine, hashes, worker);
  if (const std::size_t worker = differs_in(&Summary::numbers)) {
    if (Meeting{mine.what} == Meeting::plan) refuse_programs(control, mine.where, worker);
    refuse(
        control, mine.where,
        fmt::format("workers 0 and {} {}: every worker must do so alike", worker, words_of(all[0].what).differently));
  }
}

}  // namespace kasen
