#include "kasen/workers.h"

#include <string_view>

#include "comm/agreement.h"
#include "kasen/base/hash.h"
#include "kasen/recording/handle.h"
#include "kasen/session.h"
#include "kasen/session/engine.h"

namespace kasen::workers {
namespace {

/// Collective. The workers, which make the same call.
/// @param kind of what it is given, or how much where that has to be equal
const comm::Communicator& meet(std::string_view call, std::uint64_t kind, SourceLocation where) {
  const Engine& engine = Session::current(where).engine();
  engine.meet(Meeting::numbers, recording::source_line(where), {hash_of(call), kind});
  return engine.control();
}

enum Kind : std::uint64_t { kSigned, kUnsigned, kFloating };

}  // namespace

const comm::Communicator& communicator() { return Session::current().engine().control(); }

namespace detail {

std::int64_t sum(std::int64_t value, SourceLocation where) { return meet("sum", kSigned, where).sum(value); }
std::uint64_t sum(std::uint64_t value, SourceLocation where) { return meet("sum", kUnsigned, where).sum(value); }
double sum(double value, SourceLocation where) { return meet("sum", kFloating, where).sum(value); }
std::int64_t max(std::int64_t value, SourceLocation where) { return meet("max", kSigned, where).max(value); }
std::uint64_t max(std::uint64_t value, SourceLocation where) { return meet("max", kUnsigned, where).max(value); }
double max(double value, SourceLocation where) { return meet("max", kFloating, where).max(value); }
std::vector<std::byte> all_gather(std::span<const std::byte> mine, std::size_t element_bytes, SourceLocation where) {
  return meet("all_gather", element_bytes, where).all_gather(mine).values;
}

}  // namespace detail

int rank() { return communicator().rank(); }
int size() { return communicator().size(); }
void sum(std::span<std::uint64_t> values, SourceLocation where) {
  meet("sum of each", values.size(), where).sum(values);
}
std::uint64_t exclusive_sum(std::uint64_t value, SourceLocation where) {
  return meet("exclusive_sum", kUnsigned, where).exclusive_sum(value);
}
void agree(const std::function<void()>& f, SourceLocation where) { comm::agree(meet("agree", 0, where), f); }

}  // namespace kasen::workers
