/// @file
/// Exchanges of simulated workers, and what all their steps touch.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "optimizer/plan/step_tools.h"
#include "tests/optimizer/plan_memory.h"
#include "tests/optimizer/simulator.h"

namespace kasen::optimizer::tests {

/// Vectors on their way, and Shareds, over the memory of the workers. Counts what is read, written and sent.
class SimulatedExchanges : protected PlanMemory {
 protected:
  using PlanMemory::PlanMemory;

  void read(std::uint64_t size) {
    ++_out.counts.elements_read;
    _out.counts.bytes_read += size;
  }
  void write(std::uint64_t size) {
    ++_out.counts.elements_written;
    _out.counts.bytes_written += size;
  }

  Numbers shareds(const std::vector<ValueId>& values, std::uint32_t w) {
    Numbers result;
    for (ValueId value : values) {
      if (!_shared.contains(value)) {
        defect("Shared " + number(value) + " is read before it is known");
        _shared[value] = Numbers(_world.workers);
      }
      if (state(value).kind == State::Kind::pre_reduced)
        defect("Shared " + number(value) + " is read as a partial result");
      result.push_back(_shared[value][w]);
    }
    return result;
  }

  /// An element on its way. Where it comes from and where it is to go is garbage meanwhile, but for masters.
  struct Travelling {
    BufferRef buffer;
    std::uint32_t to;
    std::uint64_t element;
    Number value;
    const Move* gather;  ///< null: of a scatter
  };

  static const UnderWay* kind_in(const Step& step, std::uint32_t exchange) {
    for (const UnderWay& one : step.under_way) {
      if (one.exchange == exchange) return &one;
    }
    return nullptr;
  }

  void end_under_way() {
    for (const Travelling& one : _travelling) {
      Number& to = one.buffer->at[one.to][one.element];
      to = one.gather == nullptr ? one.value : fold(one.gather->reducer, to, one.value);
    }
    _travelling.clear();
    _under_way.reset();
  }

  /// The frontier of whose elements `mask` says which are active, in a sparse exchange: receivers know it from that.
  static const Move* told_by(const Exchange& exchange, const Move& mask) {
    const auto found = std::find_if(exchange.scatters.begin(), exchange.scatters.end(),
                                    [&](const Move& move) { return move.active == mask.to; });
    return exchange.sparse && found != exchange.scatters.end() ? &*found : nullptr;
  }

  /// Sends vectors off. Of sparse exchanges the most that they may send is counted.
  void begin(const Exchange& exchange) {
    if (_under_way) defect("an exchange begins while another one is under way");
    std::set<std::pair<std::uint32_t, std::uint32_t>> messages;
    for (const bool gather : {true, false}) {
      for (const Move& move : gather ? exchange.gathers : exchange.scatters) {
        stored(move.from);
        const BufferRef buffer = _buffer[move.from];
        const SpaceId space = space_of(move.from);
        const Move* const frontier = gather ? nullptr : told_by(exchange, move);
        std::set<std::pair<std::uint32_t, std::uint32_t>> of_vector;
        for (std::uint32_t w = 0; w < _world.workers; ++w) {
          for (std::uint64_t i = 0; i < length(space); ++i) {
            const std::uint32_t owner = _world.owners[index_of(space)][i];
            Number& here = buffer->at[w][i];
            if (_world.is_replica(w, space, i, move.roles)) {
              if (frontier == nullptr) {
                _out.counts.bytes_sent += bytes(move.from);
                of_vector.insert(gather ? std::pair(w, owner) : std::pair(owner, w));
              }
              const Number sent = gather                ? here
                                  : frontier == nullptr ? buffer->at[owner][i]
                                                        : Number{_buffer[frontier->from]->at[owner][i] != 0};
              _travelling.push_back({buffer, gather ? owner : w, i, sent, gather ? &move : nullptr});
              here = garbage();
            }
            if (gather && w != owner) here = garbage();
          }
        }
        if (exchange.sparse) _out.counts.bytes_sent += 4 * of_vector.size();
        messages.merge(of_vector);
      }
    }
    _out.counts.messages += messages.size();
    _under_way = exchange.overlapped;
  }

  /// At the step of an exchange: vectors have arrived, unless they are to do so later, and Shareds are reduced.
  void arrive(const Exchange& exchange) {
    if (exchange.overlapped == kNotOverlapped || !exchange.gathers.empty()) end_under_way();
    for (const auto* moves : {&exchange.gathers, &exchange.scatters}) {
      for (const Move& move : *moves) {
        stored(move.from);
        _buffer[move.to] = _buffer[move.from];
      }
    }
    for (const Move& move : exchange.reductions) {
      Number sum = 0;
      for (Number v : _shared[move.from]) sum = fold(move.reducer, sum, v);
      _shared[move.to] = Numbers(_world.workers, sum);
      _out.counts.bytes_sent += bytes(move.from) * _world.workers * (_world.workers - 1);
    }
    if (!exchange.reductions.empty()) _out.counts.messages += std::uint64_t{_world.workers} * (_world.workers - 1);
  }

  Simulated _out;
  std::map<ValueId, Numbers> _shared;  ///< by worker
  std::vector<Travelling> _travelling;
  std::optional<std::uint32_t> _under_way;  ///< the overlapped exchange that has begun and not ended
};

}  // namespace kasen::optimizer::tests
