/// @file
/// Class StorageUse: which storages of matrices the steps of a plan walk, so that others need not be kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "comm/memory_limit.h"
#include "kasen/base/ids.h"
#include "optimizer/plan/plan.h"
#include "partition/matrix_storage.h"
#include "partition/placement.h"

namespace kasen::runtime {

/// Goes along with one run of a plan's top steps.
class StorageUse {
 public:
  StorageUse(const std::vector<optimizer::Step>& steps, partition::Placement& placement);

  /// Local. Makes the storages that the steps walk, blocks and stencils first: of what is only there for others to be
  /// made of, as little as can be is there at a time. That in which a product of active elements walks the matrix comes
  /// with its first walk (ActiveSweep).
  void make();

  /// Collective. Adds what make() and first walks take beside what there is.
  void add_needs(const comm::Communicator& workers, comm::MemoryNeeds& needs) const;

  /// Local. To be called before the top step of this position runs: matrices that it walks drop what it leaves idle and
  /// no later step needs (LocalMatrix::walk). A loop is taken to walk often enough for that.
  void before(std::size_t step);

 private:
  struct Walked {
    std::vector<partition::MatrixStorage> storages;
    std::uint64_t walks = 0;
  };
  using Matrices = std::map<MatrixId, Walked>;
  struct Need {
    std::size_t last = 0;  ///< the last step that walks it
    bool at_once = false;  ///< some step walks it in any case, or pushes along it: make() makes it
  };
  using Needs = std::map<partition::MatrixStorage, Need>;

  /// @param top the position of the top step that it is, or is in
  void add(const optimizer::Step& step, std::size_t top, std::uint64_t walks);

  partition::Placement* _placement;
  std::vector<Matrices> _walked;  ///< by step
  std::map<MatrixId, Needs> _needs;
};

}  // namespace kasen::runtime
