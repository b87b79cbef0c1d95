#include "kasen/workers.h"

#include "comm/agreement.h"
#include "kasen/session.h"
#include "kasen/session/engine.h"

namespace kasen::workers {

const comm::Communicator& communicator() { return Session::current().engine().control(); }

namespace detail {

std::int64_t sum(std::int64_t value) { return communicator().sum(value); }
std::uint64_t sum(std::uint64_t value) { return communicator().sum(value); }
double sum(double value) { return communicator().sum(value); }
std::int64_t max(std::int64_t value) { return communicator().max(value); }
std::uint64_t max(std::uint64_t value) { return communicator().max(value); }
double max(double value) { return communicator().max(value); }
std::vector<std::byte> all_gather(std::span<const std::byte> mine) { return communicator().all_gather(mine).values; }

}  // namespace detail

int rank() { return communicator().rank(); }
int size() { return communicator().size(); }
void sum(std::span<std::uint64_t> values) { communicator().sum(values); }
std::uint64_t exclusive_sum(std::uint64_t value) { return communicator().exclusive_sum(value); }
void agree(const std::function<void()>& f) { comm::agree(communicator(), f); }

}  // namespace kasen::workers
