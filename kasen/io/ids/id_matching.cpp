/// @file
/// Each number has a worker that answers for it: those of `right` go there, and those of `left` are asked about there.
#include "kasen/io/ids/id_matching.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "comm/agreement.h"
#include "kasen/base/random.h"
#include "kasen/io/ids/id_table.h"

namespace kasen::io {

namespace {

struct Placed {
  std::int64_t id;
  GlobalIndex index;
};

/// Unlike the hash of tables, which would fill a part of each only.
std::size_t worker_of(std::int64_t id, std::size_t workers) {
  return static_cast<std::size_t>(random_bits(0x6d61746368u, static_cast<std::uint64_t>(id)) % workers);
}

/// The number of each id in a table, into which new ones are taken up.
std::vector<std::uint32_t> numbers_of(IntegerTable& table, std::span<const std::int64_t> ids) {
  constexpr std::size_t kBatch = 256;
  std::vector<std::uint32_t> numbers(ids.size());
  std::vector<std::int64_t> batch;
  for (std::size_t at = 0; at < ids.size(); at += kBatch) {
    const auto some = ids.subspan(at, std::min(kBatch, ids.size() - at));
    batch.assign(some.begin(), some.end());
    table.number(batch, std::span(numbers).subspan(at, some.size()));
  }
  return numbers;
}

/// Items in the order of the workers that they are for.
template <class T>
struct Dealt {
  std::vector<T> items;
  std::vector<std::uint64_t> offsets, place;  ///< `place`: of each item, as given
};

template <class T, class IdOf>
Dealt<T> deal(std::span<const T> items, std::size_t workers, const IdOf& id_of) {
  Dealt<T> dealt{std::vector<T>(items.size()), std::vector<std::uint64_t>(workers + 1),
                 std::vector<std::uint64_t>(items.size())};
  for (const T& item : items) ++dealt.offsets[worker_of(id_of(item), workers) + 1];
  for (std::size_t w = 0; w < workers; ++w) dealt.offsets[w + 1] += dealt.offsets[w];
  std::vector<std::uint64_t> next(dealt.offsets.begin(), dealt.offsets.end() - 1);
  for (std::size_t k = 0; k < items.size(); ++k) {
    dealt.place[k] = next[worker_of(id_of(items[k]), workers)]++;
    dealt.items[dealt.place[k]] = items[k];
  }
  return dealt;
}

}  // namespace

std::vector<GlobalIndex> match_ids(const comm::Communicator& communicator, std::span<const std::int64_t> left,
                                   std::span<const std::int64_t> right, GlobalIndex first) {
  const auto workers = static_cast<std::size_t>(communicator.size());
  Dealt<Placed> offered;
  Dealt<std::int64_t> asked;
  std::vector<std::uint32_t> question_of;  // by element of left
  comm::agree(communicator, [&] {
    std::vector<Placed> placed(right.size());
    for (std::size_t k = 0; k < right.size(); ++k) placed[k] = {right[k], first + static_cast<GlobalIndex>(k)};
    offered = deal(std::span<const Placed>(placed), workers, [](const Placed& one) { return one.id; });
    IntegerTable distinct;
    question_of = numbers_of(distinct, left);
    asked = deal(std::span<const std::int64_t>(distinct.keys()), workers, [](std::int64_t id) { return id; });
  });
  const auto known =
      communicator.all_to_all(std::span<const Placed>(offered.items), std::span<const std::uint64_t>(offered.offsets));
  const auto questions = communicator.all_to_all(std::span<const std::int64_t>(asked.items),
                                                 std::span<const std::uint64_t>(asked.offsets));

  std::vector<GlobalIndex> answers(questions.values.size(), -1);
  comm::agree(communicator, [&] {
    IntegerTable table;
    std::vector<std::int64_t> ids;
    for (const Placed& one : known.values) ids.push_back(one.id);
    const std::vector<std::uint32_t> numbers = numbers_of(table, ids);
    std::vector<GlobalIndex> index(table.keys().size());
    for (std::size_t k = numbers.size(); k-- > 0;) index[numbers[k]] = known.values[k].index;  // the first stays
    const std::vector<std::uint32_t> found = numbers_of(table, questions.values);
    for (std::size_t k = 0; k < found.size(); ++k) {
      if (found[k] < index.size()) answers[k] = index[found[k]];
    }
  });
  const auto answered =
      communicator.all_to_all(std::span<const GlobalIndex>(answers), std::span<const std::uint64_t>(questions.offsets));
  std::vector<GlobalIndex> result(left.size());
  for (std::size_t k = 0; k < left.size(); ++k) result[k] = answered.values[asked.place[question_of[k]]];
  return result;
}

}  // namespace kasen::io
