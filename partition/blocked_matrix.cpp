/// @file
/// Building blocks: one pass over the compressed form per block of inputs, each output's entries from where the last
/// pass stopped.

#include "partition/blocked_matrix.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <utility>

namespace kasen::partition {

BlockedMatrix::Size BlockedMatrix::measure(const CompressedView& from, std::uint32_t edge) {
  constexpr LocalIndex kLine = 8, kLines = 256;  // 16 KiB of numbers of 8 bytes
  std::array<LocalIndex, kLines> cache;
  cache.fill(~LocalIndex{0});
  Size size;
  std::uint64_t before = 0;
  for (std::size_t j = 0; j + 1 < from.pointer.size(); ++j) {
    const std::uint64_t entries = from.pointer[j + 1] - from.pointer[j];
    size.turns += entries != before;
    before = entries;
    for (std::uint64_t k = from.pointer[j]; k < from.pointer[j + 1]; ++k) {
      const LocalIndex line = from.index[k] / kLine;
      size.cached += std::exchange(cache[line % kLines], line) == line;
    }
    for (std::uint64_t k = from.pointer[j]; k < from.pointer[j + 1];) {
      const std::uint64_t begin = k;
      const LocalIndex block = from.index[k] / edge;
      while (k < from.pointer[j + 1] && from.index[k] / edge == block) ++k;
      ++size.runs;
      if (k - begin > kLongestGroup) ++size.long_runs;
    }
  }
  return size;
}

BlockedMatrix::Waiting BlockedMatrix::measure_waiting(const CompressedView& from, std::uint32_t edge,
                                                      LocalIndex input_masters, LocalIndex output_masters) {
  const LocalIndex whole_inputs = input_masters / edge * edge, whole_outputs = output_masters / edge * edge;
  Waiting waiting;
  for (std::size_t j = 0; j + 1 < from.pointer.size(); ++j) {
    const auto begin = from.index.begin() + static_cast<std::ptrdiff_t>(from.pointer[j]);
    const auto end = from.index.begin() + static_cast<std::ptrdiff_t>(from.pointer[j + 1]);
    const auto first_late = std::partition_point(begin, end, [&](LocalIndex input) { return input < whole_inputs; });
    waiting.ahead += static_cast<std::uint64_t>(first_late - begin);
    if (j < whole_outputs) waiting.behind += static_cast<std::uint64_t>(end - first_late);
  }
  return waiting;
}

class BlockedMatrix::Builder {
 public:
  Builder(BlockedMatrix& to, const CompressedView& from, std::uint32_t value_bytes, std::uint32_t edge)
      : _to(to),
        _from(from),
        _value_bytes(value_bytes),
        _edge(edge),
        _next(from.pointer.begin(), from.pointer.empty() ? from.pointer.end() : from.pointer.end() - 1) {}

  void run(LocalIndex inputs, std::uint32_t parts) {
    for (std::uint32_t k = 1; k <= parts; ++k) part(k == parts ? _next.size() : end_of_part(k, parts), inputs);
  }

 private:
  static constexpr std::uint64_t kAlignment = 64;  ///< outputs, of one byte and more
  static constexpr std::uint64_t kEven = 16;       ///< for which a part loses no more than this part of its share

  struct Run {
    std::uint64_t begin;  ///< of its entries in the compressed form
    std::uint32_t length;
    std::uint16_t output;
  };

  /// The outputs of the first k parts: those that have their share of outputs and entries, in whole cache lines unless
  /// few outputs have much.
  std::uint64_t end_of_part(std::uint32_t k, std::uint32_t parts) const {
    const std::uint64_t line = std::min<std::uint64_t>(kAlignment, _edge);
    const std::uint64_t outputs = _next.size(), one = (outputs + _from.pointer[outputs]) / parts, share = one * k;
    std::uint64_t low = 0, high = outputs;
    while (low < high) {
      const std::uint64_t middle = (low + high) / 2;
      if (middle + _from.pointer[middle] < share) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    const std::uint64_t in_lines = low / line * line;
    return share <= in_lines + _from.pointer[in_lines] + one / kEven ? in_lines : low;
  }

  void part(std::uint64_t end_output, LocalIndex inputs) {
    std::vector<Part>& parts = _to._parts;
    const std::uint64_t begin = parts.empty() ? 0 : parts.back().end_output;
    const std::size_t first_block = _to._blocks.size();
    for (std::uint64_t first = 0; first < inputs; first += _edge) {
      for (std::uint64_t output = begin; output < end_output; output += _edge)
        block(output, std::min(output + _edge, end_output), first);
    }
    parts.push_back(
        {static_cast<LocalIndex>(begin), static_cast<LocalIndex>(end_output), first_block, _to._blocks.size()});
  }

  void block(std::uint64_t first_output, std::uint64_t end_output, std::uint64_t first_input) {
    const std::uint64_t end_input = first_input + _edge;
    for (std::vector<Run>& group : _groups) group.clear();
    std::uint64_t runs = 0;
    for (std::uint64_t j = first_output; j < end_output; ++j) {
      const std::uint64_t begin = _next[j], end = _from.pointer[j + 1];
      std::uint64_t k = begin;
      while (k < end && _from.index[k] < end_input) ++k;
      if (k == begin) continue;
      _next[j] = k;
      const auto length = static_cast<std::uint32_t>(k - begin);
      _groups[length <= kLongestGroup ? length : 0].push_back(
          {begin, length, static_cast<std::uint16_t>(j - first_output)});
      ++runs;
    }
    if (runs == 0) return;
    Block& block = _to._blocks.emplace_back();
    block.first_output = static_cast<LocalIndex>(first_output);
    block.first_input = static_cast<LocalIndex>(first_input);
    block.first_run = _to._output.size();
    block.first_long_run = _to._length.size();
    block.first_entry = _to._input.size();
    for (std::uint32_t length = 1; length <= kLongestGroup; ++length) group(block, length);
    block.runs[0] = static_cast<std::uint32_t>(_groups[0].size());
    for (const Run& run : _groups[0]) {
      _to._output.push_back(run.output);
      _to._length.push_back(run.length);
      for (std::uint32_t e = 0; e < run.length; ++e) entry(block, run.begin + e);
    }
  }

  void group(Block& block, std::uint32_t length) {
    const std::vector<Run>& runs = _groups[length];
    block.runs[length] = static_cast<std::uint32_t>(runs.size());
    for (const Run& run : runs) _to._output.push_back(run.output);
    std::size_t done = 0;
    for (; done + kRunsAtOnce <= runs.size(); done += kRunsAtOnce) {
      for (std::uint32_t e = 0; e < length; ++e) {
        for (std::size_t r = done; r < done + kRunsAtOnce; ++r) entry(block, runs[r].begin + e);
      }
    }
    for (; done < runs.size(); ++done) {
      for (std::uint32_t e = 0; e < length; ++e) entry(block, runs[done].begin + e);
    }
  }

  void entry(const Block& block, std::uint64_t at) {
    _to._input.push_back(static_cast<std::uint16_t>(_from.index[at] - block.first_input));
    if (_value_bytes == 0) return;
    std::byte* const value = _to._value.data() + (_to._input.size() - 1) * _value_bytes;
    std::memcpy(value, _from.value + at * _value_bytes, _value_bytes);
  }

  BlockedMatrix& _to;
  const CompressedView& _from;
  const std::uint32_t _value_bytes;
  const std::uint64_t _edge;
  std::vector<std::uint64_t> _next;  ///< by output: its first entry that is in no block yet
  std::array<std::vector<Run>, kLongestGroup + 1> _groups;
};

BlockedMatrix::BlockedMatrix(const CompressedView& from, std::uint32_t value_bytes, LocalIndex inputs,
                             std::uint32_t edge, std::uint32_t parts)
    : _edge(edge) {
  const Size size = measure(from, edge);
  _output.reserve(size.runs);
  _length.reserve(size.long_runs);
  _input.reserve(from.index.size());
  _value.resize(from.index.size() * value_bytes);
  Builder(*this, from, value_bytes, edge).run(inputs, parts);
}

/// Calls visit(output, first entry, entries from one to the next, number of entries) for the runs of a block, each of
/// another output.
template <class Visit>
void BlockedMatrix::for_each_run(const Block& block, const Visit& visit) const {
  std::uint64_t run = block.first_run, entry = block.first_entry;
  for (std::uint32_t length = 1; length <= kLongestGroup; ++length) {
    for (std::uint32_t left = block.runs[length]; left > 0;) {
      const std::uint32_t at_once = left >= kRunsAtOnce ? kRunsAtOnce : 1;
      for (std::uint32_t r = 0; r < at_once; ++r) visit(_output[run++], entry + r, at_once, length);
      entry += std::uint64_t{at_once} * length;
      left -= at_once;
    }
  }
  for (std::uint32_t k = 0; k < block.runs[0]; ++k) {
    const std::uint32_t length = _length[block.first_long_run + k];
    visit(_output[run++], entry, std::uint32_t{1}, length);
    entry += length;
  }
}

Compressed BlockedMatrix::compressed(std::uint32_t value_bytes, LocalIndex outputs) const {
  Compressed result;
  result.pointer.resize(std::size_t{outputs} + 1);
  for (const Block& block : _blocks) {
    for_each_run(block, [&](std::uint16_t output, std::uint64_t, std::uint32_t, std::uint32_t length) {
      result.pointer[std::size_t{block.first_output} + output + 1] += length;
    });
  }
  std::partial_sum(result.pointer.begin(), result.pointer.end(), result.pointer.begin());
  LargeVector<std::uint64_t> next(result.pointer.begin(), result.pointer.end() - 1);
  result.index.resize(_input.size());
  result.value.resize(_value.size());
  // The blocks of an output come in order of their inputs.
  for (const Block& block : _blocks) {
    for_each_run(block, [&](std::uint16_t output, std::uint64_t first, std::uint32_t stride, std::uint32_t length) {
      std::uint64_t& at = next[std::size_t{block.first_output} + output];
      for (std::uint64_t entry = first, end = first + std::uint64_t{stride} * length; entry < end; entry += stride) {
        result.index[at] = block.first_input + _input[entry];
        if (value_bytes != 0) std::memcpy(&result.value[at * value_bytes], &_value[entry * value_bytes], value_bytes);
        ++at;
      }
    });
  }
  return result;
}

Compressed BlockedMatrix::transposed(std::uint32_t value_bytes, LocalIndex inputs) const {
  Compressed result;
  result.pointer.resize(std::size_t{inputs} + 1);
  for (std::size_t b = 0; b < _blocks.size(); ++b) {
    const std::uint64_t end = b + 1 < _blocks.size() ? _blocks[b + 1].first_entry : _input.size();
    for (std::uint64_t entry = _blocks[b].first_entry; entry < end; ++entry)
      ++result.pointer[std::size_t{_blocks[b].first_input} + _input[entry] + 1];
  }
  std::partial_sum(result.pointer.begin(), result.pointer.end(), result.pointer.begin());
  LargeVector<std::uint64_t> next(result.pointer.begin(), result.pointer.end() - 1);
  result.index.resize(_input.size());
  result.value.resize(_value.size());
  struct Run {
    std::uint64_t first = 0;
    std::uint32_t stride = 0, length = 0;
  };
  std::vector<Run> runs(_edge);  // of a block, by output; the blocks of an input come in order of their outputs
  for (const Block& block : _blocks) {
    for_each_run(block, [&](std::uint16_t output, std::uint64_t first, std::uint32_t stride, std::uint32_t length) {
      runs[output] = {first, stride, length};
    });
    for (LocalIndex output = 0; output < _edge; ++output) {
      const Run run = std::exchange(runs[output], {});
      for (std::uint32_t k = 0; k < run.length; ++k) {
        const std::uint64_t entry = run.first + std::uint64_t{run.stride} * k;
        const std::uint64_t at = next[std::size_t{block.first_input} + _input[entry]]++;
        result.index[at] = block.first_output + output;
        if (value_bytes != 0) std::memcpy(&result.value[at * value_bytes], &_value[entry * value_bytes], value_bytes);
      }
    }
  }
  return result;
}

}  // namespace kasen::partition
