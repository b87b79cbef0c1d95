#include "tests/optimizer/descent.h"

#include "optimizer/rewrite/normalise_loops.h"
#include "tests/optimizer/program_builder.h"
#include "tests/optimizer/world.h"

namespace kasen::optimizer::tests {

Program descent(std::size_t steps) {
  ProgramBuilder b;
  const ValueId w = b.live_in(kSpace1), y = b.live_in(kSpace0);
  const auto results = b.repeat(3, {w}, [&](const ProgramBuilder::Values& arguments) {
    ValueId at = arguments[0];
    for (std::size_t k = 0; k < steps; ++k) {
      const ValueId error = b.element(minus(), {b.mxvt(1, at, kSpace0, kPlus), y});
      at = b.element(minus(), {at, b.mxv(1, error, kSpace1, kPlus)});
    }
    return ProgramBuilder::Values{at};
  });
  b.live_out(results[0]);
  Program program = b.program;
  normalise_loops(program);
  return program;
}

}  // namespace kasen::optimizer::tests
