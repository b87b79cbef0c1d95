/// @file
/// The storages that sweeps walk, from their plan.
#include "kasen/runtime/storage_use.h"

#include <algorithm>
#include <string>
#include <variant>

#include "comm/free_memory.h"
#include "optimizer/plan/step_tools.h"

namespace kasen::runtime {

using optimizer::Step;
using optimizer::Walk;
using partition::MatrixStorage;

namespace {

/// Of a sweep; a product of active elements may push these, and has a storage for that beside that of its walk.
std::vector<MatrixStorage> storages_of(const optimizer::Sweep& sweep) {
  std::vector<MatrixStorage> storages;
  if (sweep.walk != Walk::compressed && sweep.walk != Walk::blocked) return storages;
  for (const optimizer::Launch& launch : sweep.launches) {
    if (!is_matrix_op(launch.op)) continue;
    storages.push_back({optimizer::walked_side(launch), sweep.walk == Walk::blocked});
    if (launch.active != kNone<ValueId>) storages.push_back({optimizer::read_side(launch), false});
  }
  return storages;
}

}  // namespace

StorageUse::StorageUse(const std::vector<Step>& steps, partition::Placement& placement)
    : _placement(&placement), _walked(steps.size()) {
  for (std::size_t k = 0; k < steps.size(); ++k) {
    add(steps[k], 1, _walked[k]);
    for (const auto& [matrix, walked] : _walked[k]) {
      for (const MatrixStorage& storage : walked.storages) _last[matrix][storage] = k;
    }
  }
}

void StorageUse::add(const Step& step, std::uint64_t walks, Matrices& to) {
  if (const auto* sweep = std::get_if<optimizer::Sweep>(&step.what)) {
    const std::vector<MatrixStorage> storages = storages_of(*sweep);
    if (storages.empty()) return;
    Walked& walked = to[sweep->matrix];
    walked.storages.insert(walked.storages.end(), storages.begin(), storages.end());
    walked.walks += walks;
  } else if (const auto* loop = std::get_if<optimizer::Loop>(&step.what)) {
    for (const Step& inner : loop->body) add(inner, partition::kWalksOfStorage, to);
  } else if (const auto* branch = std::get_if<optimizer::Branch>(&step.what)) {
    for (const Step& inner : branch->then) add(inner, walks, to);
    for (const Step& inner : branch->otherwise) add(inner, walks, to);
  }
}

void StorageUse::make() {
  bool made = false;
  for (const auto& [matrix, wanted] : _last) {
    const std::vector<MatrixStorage> there = _placement->matrix(matrix).storages();
    made = made || std::any_of(wanted.begin(), wanted.end(), [&](const auto& each) {
             return std::find(there.begin(), there.end(), each.first) == there.end();
           });
    for (const auto& [storage, last] : wanted) {  // of which blocks are made that are wanted as well
      if (!storage.in_blocks && wanted.contains({storage.outputs, true}))
        _placement->matrix(matrix).by(storage.outputs);
    }
    for (const auto& [storage, last] : wanted) {
      if (storage.in_blocks) _placement->blocked(matrix, storage.outputs);
    }
    for (const auto& [storage, last] : wanted) {
      if (!storage.in_blocks) _placement->matrix(matrix).by(storage.outputs);
    }
  }
  if (made) comm::return_free_memory();  // of what they were made of
}

/// What storages are made of goes as they come, so of the first ones only what they have more counts.
void StorageUse::add_needs(comm::MemoryNeeds& needs) const {
  for (const auto& [matrix, wanted] : _last) {
    const PlacementStats::Matrix& stats = _placement->stats().matrices[index_of(matrix)];
    const std::vector<MatrixStorage> there = _placement->matrix(matrix).storages();
    std::uint64_t entry = 0, elements = 0;
    for (const auto& [storage, last] : wanted) {
      if (std::find(there.begin(), there.end(), storage) != there.end()) continue;
      entry += (storage.in_blocks ? sizeof(std::uint16_t) : sizeof(LocalIndex)) + stats.value_bytes;
      const bool by_column = storage.outputs == Role::Side::column;
      elements += _placement->space(by_column ? stats.columns : stats.rows).length();
    }
    const std::uint64_t made_of = there.empty() ? 2 * sizeof(LocalIndex) + stats.value_bytes : 0;
    entry -= std::min(entry, made_of);
    needs.add("storages of matrix " + std::to_string(index_of(matrix)),
              [entry, elements, nonzeros = stats.nonzeros, imbalance = stats.imbalance](std::uint64_t workers) {
                const double nonzeros_here = static_cast<double>(comm::share_of(nonzeros, workers)) * imbalance;
                return static_cast<std::uint64_t>(nonzeros_here) * entry +
                       8 * std::min(comm::share_of(elements, workers) + static_cast<std::uint64_t>(nonzeros_here),
                                    elements);
              });
  }
}

void StorageUse::before(std::size_t step) {
  bool dropped = false;
  for (const auto& [matrix, walked] : _walked[step]) {
    std::vector<MatrixStorage> needed;
    for (const auto& [storage, last] : _last.at(matrix)) {
      if (last >= step) needed.push_back(storage);
    }
    if (_placement->matrix(matrix).walk(walked.storages, walked.walks, needed)) dropped = true;
  }
  if (dropped) comm::return_free_memory();
}

}  // namespace kasen::runtime
