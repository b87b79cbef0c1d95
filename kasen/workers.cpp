#include "kasen/workers.h"

#include "comm/agreement.h"
#include "kasen/session.h"
#include "kasen/session/engine.h"

namespace kasen::workers {
namespace {

const comm::Communicator& all() { return Session::current().engine().control(); }

}  // namespace

namespace detail {

std::int64_t sum(std::int64_t value) { return all().sum(value); }
std::uint64_t sum(std::uint64_t value) { return all().sum(value); }
double sum(double value) { return all().sum(value); }
std::int64_t max(std::int64_t value) { return all().max(value); }
std::uint64_t max(std::uint64_t value) { return all().max(value); }
double max(double value) { return all().max(value); }
std::vector<std::byte> all_gather(std::span<const std::byte> mine) { return all().all_gather(mine).values; }

}  // namespace detail

int rank() { return all().rank(); }
int size() { return all().size(); }
void sum(std::span<std::uint64_t> values) { all().sum(values); }
std::uint64_t exclusive_sum(std::uint64_t value) { return all().exclusive_sum(value); }
void agree(const std::function<void()>& f) { comm::agree(all(), f); }

}  // namespace kasen::workers
