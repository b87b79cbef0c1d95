/// @file
/// Class Pace: when the next checkpoint is due, the same on all workers: by the clock of the first, and at once if one
/// of them holds a request to end (comm/job.h).
#pragma once

#include <cstdint>

#include "comm/communicator.h"

namespace kasen::checkpoint {

class Pace {
 public:
  /// @param seconds between checkpoints; 0: one at every boundary. `workers` must outlive the object.
  Pace(const comm::Communicator& workers, double seconds);

  /// Collective. Whether a checkpoint is to be taken at this boundary. Cost: a sum of 16 bytes over workers, not at
  /// every boundary but every half second, or twenty times between checkpoints that are closer than ten seconds; none
  /// with 0 seconds.
  bool due();
  /// Local. A checkpoint has been taken, or could not be.
  void taken();

 private:
  const comm::Communicator* _workers;
  double _seconds;
  double _last;                                 ///< when the last checkpoint was taken, by this worker's clock
  double _asked;                                ///< when the first worker was asked last
  std::uint64_t _passed = 0, _until_asked = 1;  ///< boundaries since then, and the one at which it is asked again
};

}  // namespace kasen::checkpoint
