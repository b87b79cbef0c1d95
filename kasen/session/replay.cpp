/// @file
/// Answering of runs from the log: what handles refer to is there afterwards, vectors without their elements.
#include <utility>

#include "kasen/base/error.h"
#include "kasen/session/engine.h"
#include "kasen/session/given_values.h"
#include "kasen/session/structure_key.h"

namespace kasen {

void Engine::note_data(std::string_view what, const std::function<std::uint64_t()>& hash, SourceLine where) {
  if (_checkpoints) _checkpoints->note_data(what, hash(), where);
}

/// Collective. As Engine::run, but for planning and running.
void Engine::replay(recording::Pending pending, SourceLine where) {
  try {
    prepare(pending.program, where);
    const std::vector<recording::GivenValue> given = given_values(pending);
    std::vector<std::uint64_t> read;
    for (const auto& stored : pending.live_in) read.push_back(stored->number);
    const std::uint64_t program = program_hash(pending.program);
    constexpr std::uint64_t kNoMeeting = std::uint64_t{1} << 63;  // a number that stands for no other meeting
    kasen::meet(_control, {program | kNoMeeting, where, read, given});
    const checkpoint::SavedRun& run = _checkpoints->replay(program, hash_of(given), where);
    if (!run.error.empty()) {
      _checkpoints->ran(run);
      throw AgreedError(run.error, run.exit_status);
    }
    if (run.results.size() != pending.program.live_out.size())
      throw _checkpoints->refused(_checkpoints->resumed_from() + ": has another number of results of a run");
    std::vector<optimizer::Result> results;
    std::vector<runtime::LiveValue> values;
    for (std::size_t k = 0; k < run.results.size(); ++k) {
      const checkpoint::SavedResult& result = run.results[k];
      results.push_back({pending.program.live_out[k].value, result.held, result.state});
      values.push_back({nullptr, result.bytes, result.has});
    }
    settle(pending, results, values);
    for (const checkpoint::ProductCount& products : run.products)
      _products[{products.matrix, products.side}] += products.count;
    _checkpoints->ran(run);
  } catch (const Error& error) {  // by all workers
    _recorder.lose(error.what());
    throw;
  } catch (...) {
    end_if_alone();
    _recorder.lose("another exception than Kasen's");
    throw;
  }
}

}  // namespace kasen
