/// @file
/// What the workers of the current session tell each other beside a program: for its input, its output and its checks.
/// All but rank, size and communicator are collective: every worker calls them, in the same order, which a small
/// message before each makes sure of. A sum or a largest value is the same, to the bit, on every worker.
/// @throws AgreedError, of these, if a worker calls another one, with the line of the call
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <type_traits>
#include <vector>

#include "kasen/base/source_location.h"

namespace kasen::comm {
class Communicator;
}

namespace kasen::workers {

namespace detail {
std::int64_t sum(std::int64_t value, SourceLocation where);
std::uint64_t sum(std::uint64_t value, SourceLocation where);
double sum(double value, SourceLocation where);
std::int64_t max(std::int64_t value, SourceLocation where);
std::uint64_t max(std::uint64_t value, SourceLocation where);
double max(double value, SourceLocation where);
/// Of pieces of any length, by rank.
std::vector<std::byte> all_gather(std::span<const std::byte> mine, std::size_t element_bytes, SourceLocation where);

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
T sum(T value, SourceLocation where = SourceLocation::current()) {
  return static_cast<T>(detail::sum(static_cast<detail::Widest<T>>(value), where));
}
/// Element by element, in place; of one length on all workers.
void sum(std::span<std::uint64_t> values, SourceLocation where = SourceLocation::current());
template <detail::Number T>
T max(T value, SourceLocation where = SourceLocation::current()) {
  return static_cast<T>(detail::max(static_cast<detail::Widest<T>>(value), where));
}
/// Of the workers of lower rank.
std::uint64_t exclusive_sum(std::uint64_t value, SourceLocation where = SourceLocation::current());

/// Any number of values from each worker, one worker's after the other's. Cost: all values, on every worker.
template <class T>
requires std::is_trivially_copyable_v<T> &&
    (!std::is_pointer_v<T>)std::vector<T> all_gather(std::span<const T> mine,
                                                     SourceLocation where = SourceLocation::current()) {
  const std::vector<std::byte> bytes = detail::all_gather(std::as_bytes(mine), sizeof(T), where);
  std::vector<T> all(bytes.size() / sizeof(T));
  if (!all.empty()) std::memcpy(static_cast<void*>(all.data()), bytes.data(), bytes.size());
  return all;
}
/// One value from each worker, by rank.
template <class T>
requires std::is_trivially_copyable_v<T> &&
    (!std::is_pointer_v<T>)std::vector<T> all_gather(const T& mine, SourceLocation where = SourceLocation::current()) {
  return all_gather(std::span<const T>(&mine, 1), where);
}

/// The workers, for programs that send more than that, and for readers of kasen/io; comm/communicator.h has the class.
const comm::Communicator& communicator();

/// Runs `f` on every worker. @throws AgreedError everywhere if it throws anywhere, with the message of the first worker
/// that has one: what only some workers do, say to open a file, fails on all of them.
void agree(const std::function<void()>& f, SourceLocation where = SourceLocation::current());

}  // namespace kasen::workers
