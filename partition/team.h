/// @file
/// Class Team: the workers that work a partition out together, or one process that does so alone for any number of
/// parts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "comm/agreement.h"
#include "comm/communicator.h"
#include "kasen/base/ids.h"
#include "kasen/base/release.h"

namespace kasen::partition {

/// Collective in all that it does, unless it is one process.
class Team {
 public:
  /// @param communicator null: one process, which has everything
  explicit Team(const comm::Communicator* communicator) : _communicator(communicator) {}

  int size() const { return _communicator == nullptr ? 1 : _communicator->size(); }
  Rank rank() const { return _communicator == nullptr ? 0 : _communicator->rank(); }
  bool alone() const { return size() == 1; }

  // What is not alone has a communicator, which the analyzer does not see.
  // NOLINTBEGIN(clang-analyzer-core.CallAndMessage)
  std::uint64_t sum(std::uint64_t value) const { return alone() ? value : _communicator->sum(value); }
  void sum(std::span<std::uint64_t> values) const {
    if (!alone()) _communicator->sum(values);
  }
  void min(std::span<std::uint64_t> values) const {
    if (!alone()) _communicator->min(values);
  }
  std::uint64_t max(std::uint64_t value) const { return alone() ? value : _communicator->max(value); }
  std::uint64_t exclusive_sum(std::uint64_t value) const { return alone() ? 0 : _communicator->exclusive_sum(value); }
  template <comm::Sendable T>
  void broadcast(std::span<T> values) const {
    if (!alone()) _communicator->broadcast(values, 0);
  }
  template <comm::Sendable T>
  std::vector<T> all_gather(std::span<const T> values) const {
    if (alone()) return {values.begin(), values.end()};
    return _communicator->all_gather(values).values;
  }
  /// The sums of values of lower workers, by worker, and of all.
  std::vector<std::uint64_t> begins(std::uint64_t value) const {
    std::vector<std::uint64_t> all{0};
    for (const std::uint64_t each : all_gather(std::span<const std::uint64_t>(&value, 1)))
      all.push_back(all.back() + each);
    return all;
  }
  /// comm::agree().
  void agree(const std::function<void()>& work) const {
    if (alone()) return work();
    comm::agree(*_communicator, work);
  }
  /// Values that `offsets` (workers + 1) cut by receiver. @pre not alone()
  template <comm::Sendable T>
  comm::Received<T> all_to_all(std::span<const T> values, std::span<const std::uint64_t> offsets) const {
    return _communicator->all_to_all(values, offsets);
  }
  // NOLINTEND(clang-analyzer-core.CallAndMessage)

  /// Sends each value to the worker `receiver(value)`. @return what has come, in the order of workers
  template <comm::Sendable T, class Receiver>
  std::vector<T> deliver(std::vector<T> values, Receiver receiver) const {
    if (alone()) return values;
    Sorted<T> sorted = sort(std::span<const T>(values), receiver);
    release(values);
    return all_to_all(std::span<const T>(sorted.values), std::span<const std::uint64_t>(sorted.offsets)).values;
  }

  /// Sends each question to the worker `receiver(question)`, where `serve` makes an answer for each of all that come,
  /// in their order. @return the answers, in the order of `questions`
  template <comm::Sendable Answer, comm::Sendable Question, class Receiver, class Serve>
  std::vector<Answer> ask(std::span<const Question> questions, Receiver receiver, Serve serve) const {
    if (alone()) return serve(questions);
    const Sorted<Question> sorted = sort(questions, receiver);
    const comm::Received<Question> came =
        all_to_all(std::span<const Question>(sorted.values), std::span<const std::uint64_t>(sorted.offsets));
    const std::vector<Answer> served = serve(std::span<const Question>(came.values));
    const std::vector<Answer> back =
        all_to_all(std::span<const Answer>(served), std::span<const std::uint64_t>(came.offsets)).values;
    std::vector<Answer> answers(questions.size());
    for (std::size_t k = 0; k < answers.size(); ++k) answers[k] = back[sorted.position[k]];
    return answers;
  }

 private:
  template <class T>
  struct Sorted {
    std::vector<T> values;
    std::vector<std::uint64_t> offsets, position;  ///< of each value among the sorted ones
  };
  template <class T, class Receiver>
  Sorted<T> sort(std::span<const T> values, Receiver receiver) const {
    Sorted<T> sorted{std::vector<T>(values.size()), std::vector<std::uint64_t>(static_cast<std::size_t>(size()) + 1),
                     std::vector<std::uint64_t>(values.size())};
    for (const T& value : values) ++sorted.offsets[static_cast<std::size_t>(receiver(value)) + 1];
    std::partial_sum(sorted.offsets.begin(), sorted.offsets.end(), sorted.offsets.begin());
    std::vector<std::uint64_t> next = sorted.offsets;
    for (std::size_t k = 0; k < values.size(); ++k) {
      sorted.position[k] = next[static_cast<std::size_t>(receiver(values[k]))]++;
      sorted.values[sorted.position[k]] = values[k];
    }
    return sorted;
  }

  const comm::Communicator* _communicator;
};

}  // namespace kasen::partition
