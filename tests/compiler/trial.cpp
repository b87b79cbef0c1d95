#include "tests/compiler/trial.h"

#include <cstdio>
#include <string>
#include <vector>

#include "kasen/runtime/cache.h"

namespace trial {
namespace {

using kasen::runtime::CacheLine;
using namespace kasen::runtime;

constexpr std::uint32_t kElements = 203;  ///< more than fit the lanes of any reduction twice, and no power of two

/// Elements whose type is known at run time only.
class Column {
 public:
  Column(const Elements& of, std::size_t n, std::uint32_t seed) : _of(of), _n(n), _lines(lines_of(of.bytes * n) + 1) {
    if (of.fill != nullptr) of.fill(data(), n, seed);
  }
  void* data() { return _lines.data(); }
  std::uint64_t hash() const { return _of.hash(_lines.data(), _n); }

 private:
  Elements _of;
  std::size_t _n;
  std::vector<CacheLine> _lines;
};

std::vector<Column> columns(std::initializer_list<Elements> of, std::size_t n, std::uint32_t seed) {
  std::vector<Column> result;
  for (const Elements& type : of) result.emplace_back(type, n, ++seed);
  return result;
}

std::vector<const void*> pointers(std::vector<Column>& columns) {
  std::vector<const void*> result;
  for (Column& column : columns) result.push_back(column.data());
  return result;
}

void print(const char* name, const std::string& kind, std::uint64_t hash) {
  std::printf("%s %s %016llx\n", name, kind.c_str(), static_cast<unsigned long long>(hash));
}

}  // namespace

void element(const char* name, const ElementKernel& kernel, std::initializer_list<Elements> in,
             std::initializer_list<Elements> shared, const Elements& out) {
  std::vector<Column> inputs = columns(in, kElements, 1), shareds = columns(shared, 1, 10);
  Column output(out, kElements, 20);
  const auto sources = pointers(inputs), values = pointers(shareds);
  Tile tile;
  tile.in = sources.data();
  tile.shared = values.data();
  tile.out = output.data();
  tile.n = kElements;
  kernel.run(kernel.context.get(), tile);
  print(name, "element", output.hash());
}

void source(const char* name, const ElementKernel& kernel, const Elements& out) {
  std::vector<kasen::GlobalIndex> global(kElements);
  for (std::size_t k = 0; k < global.size(); ++k) global[k] = static_cast<kasen::GlobalIndex>(k * 7 % 11);
  for (const bool consecutive : {true, false}) {
    Column output(out, kElements, 20);
    Tile tile;
    tile.out = output.data();
    tile.n = kElements;
    if (!consecutive) tile.global = global.data();
    kernel.run(kernel.context.get(), tile);
    print(name, consecutive ? "source" : "source by index", output.hash());
  }
}

namespace {

template <class Kernel>
std::uint64_t folded(const Kernel& kernel, const Elements& of, const Elements& to) {
  Column input(of, kElements, 1), output(to, 1, 20);
  std::vector<CacheLine> lanes(lines_of(kernel.lanes_bytes));
  const void* context = kernel.context.get();
  kernel.begin(context, lanes.data());
  for (const std::uint32_t first : {0u, 5u, 180u}) {
    const void* source = static_cast<const std::byte*>(input.data()) + first * of.bytes;
    Tile tile;
    tile.in = &source;
    tile.n = (first == 0 ? 5u : first == 5 ? 180u : kElements) - first;
    kernel.fold(context, lanes.data(), tile);
  }
  kernel.finish(context, lanes.data(), output.data());
  return output.hash();
}

}  // namespace

void reduce(const char* name, const ReduceKernel& kernel, const Elements& of) {
  print(name, "reduce", folded(kernel, of, of));
}

void take_up(const char* name, const FoldKernel& kernel, const Elements& in, const Elements& accumulator) {
  print(name, "take up", folded(kernel, in, accumulator));
}

void fold(const char* name, const Reducer& reducer, const Elements& of) {
  std::vector<std::uint32_t> index(kElements);
  for (std::uint32_t k = 0; k < kElements; ++k) index[k] = k * 5 % kElements;
  for (const bool indexed : {false, true}) {
    Column into(of, kElements, 1), from(of, kElements, 2);
    reducer.combine.fold(reducer.combine.context.get(), into.data(), indexed ? index.data() : nullptr, from.data(),
                         kElements);
    print(name, indexed ? "fold by index" : "fold", into.hash());
  }
}

void apply(const char* name, const ApplyKernel& kernel, std::initializer_list<Elements> in, const Elements& out) {
  std::vector<Column> inputs = columns(in, 1, 1);
  Column output(out, 1, 20);
  kernel.run(kernel.context.get(), pointers(inputs).data(), output.data());
  print(name, "apply", output.hash());
}

void matrix(const char* name, const MatrixKernel& kernel, const Elements& in, const Elements& value,
            const Elements& out) {
  // Output j has up to 40 entries.
  std::vector<std::uint64_t> pointer{0};
  std::vector<std::uint32_t> index;
  for (std::uint32_t j = 0; j < kElements; ++j) {
    for (std::uint32_t e = 0; e < j % 41; ++e) index.push_back((j * 11 + e * 17) % kElements);
    pointer.push_back(index.size());
  }
  std::vector<Column> inputs, values;
  for (std::uint32_t k = 0; k < 4; ++k) inputs.emplace_back(in, kElements, k);
  Column entries(value, index.size(), 9);
  const auto sources = pointers(inputs);
  const auto* of_entries = value.bytes == 0 ? nullptr : entries.data();

  for (const std::uint32_t variant : {0u, 1u, 2u, 3u}) {
    const bool push = variant == 3;
    for (const bool prefetch : {false, true}) {
      std::vector<Column> outputs;
      for (std::uint32_t k = 0; k < 4; ++k) outputs.emplace_back(out, kElements, 20 + k);
      std::vector<void*> targets;
      for (Column& output : outputs) targets.push_back(output.data());
      MatrixTile tile;
      tile.matrix = {pointer.data(), index.data(), of_entries};
      tile.in = sources.data();
      tile.out = targets.data();
      tile.n = 190;
      if (prefetch) tile.prefetch_end = pointer[tile.n];
      (push ? kernel.push : kernel.pull[variant])(kernel.context.get(), tile);
      std::uint64_t hash = 0;
      for (const Column& output : outputs) hash = hash * 31 + output.hash();
      print(name, push ? "push" : "pull " + std::to_string(1u << variant), hash);
    }
  }

  // Outputs of 0 to 12 entries, fifteen of each.
  if (kernel.stencils != nullptr) {
    std::vector<kasen::StencilRun> runs;
    std::vector<std::uint32_t> begins{0};
    std::vector<std::int64_t> offset;
    for (std::uint32_t length = 0; length <= 12; ++length) {
      runs.push_back({15 * length, length});
      for (std::uint32_t e = 0; e < length; ++e) offset.push_back(std::int64_t{e * 17 % 190} - 15 * length);
      begins.push_back(static_cast<std::uint32_t>(offset.size()));
    }
    runs.push_back({15 * 13, 0});
    Column of_stencils(value, offset.size(), 9);
    std::vector<Column> outputs;
    for (std::uint32_t k = 0; k < 4; ++k) outputs.emplace_back(out, kElements, 20 + k);
    std::vector<void*> targets;
    for (Column& output : outputs) targets.push_back(output.data());
    StencilTile tile;
    tile.matrix = {runs.data(), begins.data(), offset.data(), value.bytes == 0 ? nullptr : of_stencils.data()};
    tile.in = sources.data();
    tile.out = targets.data();
    tile.vectors = 4;
    tile.n = 190;
    kernel.stencils(kernel.context.get(), tile);
    std::uint64_t hash = 0;
    for (const Column& output : outputs) hash = hash * 31 + output.hash();
    print(name, "stencils", hash);
  }

  // Runs of 1 to 16 entries, eleven of each, and five long ones.
  std::uint32_t runs[17] = {5}, lengths[5] = {17, 24, 40, 39, 64};
  std::vector<std::uint16_t> input, output;
  for (std::uint32_t length = 1; length <= 16; ++length) {
    runs[length] = 11;
    input.resize(input.size() + 11u * length);
    output.resize(output.size() + 11u);
  }
  for (const std::uint32_t length : lengths) input.resize(input.size() + length);
  output.resize(output.size() + 5);
  for (std::size_t e = 0; e < input.size(); ++e) input[e] = static_cast<std::uint16_t>(e * 17 % kElements);
  for (std::size_t r = 0; r < output.size(); ++r) output[r] = static_cast<std::uint16_t>(r);
  Column block_entries(value, input.size(), 9);
  for (const std::uint32_t variant : {0u, 1u, 2u}) {
    std::vector<Column> outputs;
    for (std::uint32_t k = 0; k < 4; ++k) outputs.emplace_back(out, kElements, 20 + k);
    std::vector<void*> targets;
    for (Column& column : outputs) targets.push_back(column.data());
    MatrixBlock block;
    block.runs = runs;
    block.output = output.data();
    block.length = lengths;
    block.input = input.data();
    block.value = value.bytes == 0 ? nullptr : block_entries.data();
    block.in = sources.data();
    block.out = targets.data();
    kernel.blocked[variant](kernel.context.get(), block);
    std::uint64_t hash = 0;
    for (const Column& column : outputs) hash = hash * 31 + column.hash();
    print(name, "blocked " + std::to_string(1u << variant), hash);
  }
}

void dense(const char* name, const MatrixKernel& kernel, Dense mxv, Dense mxvt, const Elements& in,
           const Elements& value, const Elements& out) {
  constexpr std::uint32_t kRows = 23, kColumns = 45, kStride = 48;
  Column entries(value, kRows * kStride, 9);
  for (const bool forward : {true, false}) {
    for (const bool adds : {true, false}) {
      Column input(in, kStride, 1), output(out, kStride, 20);
      const void* source = input.data();
      void* target = output.data();
      DenseTile tile;
      tile.value = entries.data();
      tile.stride = kStride;
      tile.rows = kRows;
      tile.columns = kColumns;
      tile.in = &source;
      tile.out = &target;
      tile.adds = adds;
      (forward ? mxv : mxvt)(kernel.context.get(), tile);
      print(name, std::string(forward ? "dense mxv" : "dense mxvt") + (adds ? " adding" : ""), output.hash());
    }
  }
}

}  // namespace trial
