/// @file
/// What the workers of the current session tell each other beside a program: for its input, its output and its checks.
/// All but rank, size and communicator are collective: every worker calls them, in the same order. A sum or a largest
/// value is the same, to the bit, on every worker.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <type_traits>
#include <vector>

namespace kasen::comm {
class Communicator;
}

namespace kasen::workers {

namespace detail {
std::int64_t sum(std::int64_t value);
std::uint64_t sum(std::uint64_t value);
double sum(double value);
std::int64_t max(std::int64_t value);
std::uint64_t max(std::uint64_t value);
double max(double value);
/// Of pieces of any length, by rank.
std::vector<std::byte> all_gather(std::span<const std::byte> mine);

template <class T>
concept Number = std::is_arithmetic_v<T> && !std::is_same_v<T, bool>;
template <class T>
using Widest = std::conditional_t<std::is_floating_point_v<T>, double,
                                  std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>>;
}  // namespace detail

int rank();  ///< of this worker, from 0
int size();  ///< how many there are

/// Floating-point numbers are added by rank, as doubles; integers wrap.
template <detail::Number T>
T sum(T value) {
  return static_cast<T>(detail::sum(static_cast<detail::Widest<T>>(value)));
}
/// Element by element, in place; of one length on all workers.
void sum(std::span<std::uint64_t> values);
template <detail::Number T>
T max(T value) {
  return static_cast<T>(detail::max(static_cast<detail::Widest<T>>(value)));
}
/// Of the workers of lower rank.
std::uint64_t exclusive_sum(std::uint64_t value);

/// Any number of values from each worker, one worker's after the other's. Cost: all values, on every worker.
template <class T>
requires std::is_trivially_copyable_v<T> &&(!std::is_pointer_v<T>)std::vector<T> all_gather(std::span<const T> mine) {
  const std::vector<std::byte> bytes = detail::all_gather(std::as_bytes(mine));
  std::vector<T> all(bytes.size() / sizeof(T));
  if (!all.empty()) std::memcpy(static_cast<void*>(all.data()), bytes.data(), bytes.size());
  return all;
}
/// One value from each worker, by rank.
template <class T>
requires std::is_trivially_copyable_v<T> &&(!std::is_pointer_v<T>)std::vector<T> all_gather(const T& mine) {
  return all_gather(std::span<const T>(&mine, 1));
}

/// The workers, for programs that send more than that, and for readers of kasen/io; comm/communicator.h has the class.
const comm::Communicator& communicator();

/// Runs `f` on every worker. @throws AgreedError everywhere if it throws anywhere, with the message of the first worker
/// that has one: what only some workers do, say to open a file, fails on all of them.
void agree(const std::function<void()>& f);

}  // namespace kasen::workers
