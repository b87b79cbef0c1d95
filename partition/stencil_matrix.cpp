#include "partition/stencil_matrix.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <span>
#include <string_view>
#include <unordered_map>

#include "kasen/base/error.h"
#include "kasen/base/hash.h"

namespace kasen::partition {
namespace {

/// The entries of outputs, compared as stencils.
class Outputs {
 public:
  Outputs(const CompressedView& from, std::uint32_t value_bytes) : _from(from), _value_bytes(value_bytes) {}

  LocalIndex size() const { return _from.pointer.empty() ? 0 : static_cast<LocalIndex>(_from.pointer.size() - 1); }
  std::uint64_t first(LocalIndex j) const { return _from.pointer[j]; }
  std::uint64_t length(LocalIndex j) const { return _from.pointer[j + 1] - _from.pointer[j]; }
  std::int64_t offset(LocalIndex j, std::uint64_t k) const { return std::int64_t{_from.index[first(j) + k]} - j; }
  std::span<const std::byte> values(LocalIndex j) const {
    if (_value_bytes == 0) return {};
    return {_from.value + first(j) * _value_bytes, length(j) * _value_bytes};
  }

  bool alike(LocalIndex a, LocalIndex b) const {
    const std::uint64_t n = length(a);
    if (n != length(b)) return false;
    for (std::uint64_t k = 0; k < n; ++k)
      if (offset(a, k) != offset(b, k)) return false;
    return n == 0 || _value_bytes == 0 || std::memcmp(values(a).data(), values(b).data(), n * _value_bytes) == 0;
  }
  std::uint64_t hash(LocalIndex j) const {
    Fnv1a hash;
    for (std::uint64_t k = 0; k < length(j); ++k) hash.add(static_cast<std::uint64_t>(offset(j, k)));
    hash.add(std::string_view(reinterpret_cast<const char*>(values(j).data()), values(j).size()));
    return hash.value();
  }

 private:
  const CompressedView& _from;
  std::uint32_t _value_bytes;
};

}  // namespace

StencilMatrix::StencilMatrix(const CompressedView& from, std::uint32_t value_bytes) : _pointer{0} {
  const Outputs outputs(from, value_bytes);
  std::unordered_multimap<std::uint64_t, std::uint32_t> known;  // by hash: stencils, of which none is walked in order
  std::vector<LocalIndex> first_with;                           // by stencil
  const auto stencil_of = [&](LocalIndex j) {
    const std::uint64_t hash = outputs.hash(j);
    const auto [begin, end] = known.equal_range(hash);
    const auto found =
        std::find_if(begin, end, [&](const auto& one) { return outputs.alike(first_with[one.second], j); });
    if (found != end) return found->second;
    const auto stencil = static_cast<std::uint32_t>(first_with.size());
    if (_offset.size() + outputs.length(j) > kMostEntries) throw InternalError("a matrix of too many stencils");
    for (std::uint64_t k = 0; k < outputs.length(j); ++k) _offset.push_back(outputs.offset(j, k));
    _pointer.push_back(static_cast<std::uint32_t>(_offset.size()));
    const std::span<const std::byte> values = outputs.values(j);
    _value.insert(_value.end(), values.begin(), values.end());
    first_with.push_back(j);
    known.emplace(hash, stencil);
    return stencil;
  };
  for (LocalIndex j = 0; j < outputs.size(); ++j) {
    if (j == 0 || !outputs.alike(j - 1, j)) add_run(j, stencil_of(j));
  }
  end(outputs.size());
  _offset.shrink_to_fit();
  _value.shrink_to_fit();
}

void StencilMatrix::add_run(LocalIndex first, std::uint32_t stencil) {
  Before here;
  if (!_runs.empty()) {
    const StencilRun& last = _runs.back();
    here = _before.back();
    here.entries += std::uint64_t{first - last.first} * length(last.stencil);
    if (length(last.stencil) > 0) here.size = {here.size.runs + 1, here.size.entries + length(last.stencil)};
  }
  _runs.push_back({first, stencil});
  _before.push_back(here);
}

/// What begins where outputs end has no entries.
void StencilMatrix::end(LocalIndex outputs) {
  std::uint32_t none = 0;
  while (none + 1 < _pointer.size() && length(none) > 0) ++none;
  if (none + 1 == _pointer.size()) _pointer.push_back(_pointer.back());
  add_run(outputs, none);
}

StencilMatrix::Size StencilMatrix::measure(const CompressedView& from, std::uint32_t value_bytes,
                                           std::uint64_t most_runs) {
  const Outputs outputs(from, value_bytes);
  Size size;
  for (LocalIndex j = 0; j < outputs.size() && size.runs <= most_runs; ++j) {
    if (outputs.length(j) == 0 || (j > 0 && outputs.alike(j - 1, j))) continue;
    size.runs += 1;
    size.entries += outputs.length(j);
  }
  return size;
}

Compressed StencilMatrix::compressed(std::uint32_t value_bytes, LocalIndex outputs) const {
  Compressed form;
  const std::uint64_t entries = _before.back().entries;
  form.pointer.resize(std::size_t{outputs} + 1, entries);
  form.index.reserve(entries);
  form.value.reserve(entries * value_bytes);
  for (std::size_t r = 0; r + 1 < _runs.size(); ++r) {
    const std::uint32_t begin = _pointer[_runs[r].stencil], end = _pointer[_runs[r].stencil + 1];
    for (LocalIndex j = _runs[r].first; j < _runs[r + 1].first; ++j) {
      form.pointer[j] = form.index.size();
      for (std::uint32_t k = begin; k < end; ++k) form.index.push_back(static_cast<LocalIndex>(j + _offset[k]));
      form.value.insert(form.value.end(), _value.begin() + std::ptrdiff_t{begin} * value_bytes,
                        _value.begin() + std::ptrdiff_t{end} * value_bytes);
    }
  }
  return form;
}

void StencilMatrix::covering(LocalIndex outputs) {
  if (outputs > _runs.back().first) add_run(outputs, _runs.back().stencil);
}

const StencilRun* StencilMatrix::run_of(LocalIndex output) const {
  const auto after = std::upper_bound(_runs.begin(), _runs.end(), output,
                                      [](LocalIndex j, const StencilRun& run) { return j < run.first; });
  return &*std::prev(after);
}

const StencilRun* StencilMatrix::run_from(LocalIndex output) const {
  const auto found = std::lower_bound(_runs.begin(), _runs.end(), output,
                                      [](const StencilRun& run, LocalIndex j) { return run.first < j; });
  return found == _runs.end() ? &_runs.back() : &*found;
}

StencilMatrix::Size StencilMatrix::begun(LocalIndex first, LocalIndex end) const {
  const Size &from = before(run_from(first)).size, &to = before(run_from(end)).size;
  return {to.runs - from.runs, to.entries - from.entries};
}

std::uint64_t StencilMatrix::entries_before(LocalIndex output) const {
  const StencilRun* const run = run_of(output);
  return before(run).entries + std::uint64_t{output - run->first} * length(run->stencil);
}

}  // namespace kasen::partition
