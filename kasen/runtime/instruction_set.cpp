#include "kasen/runtime/instruction_set.h"

#include <string>

#include "comm/agreement.h"
#include "kasen/base/error.h"

namespace kasen::runtime {

std::string_view instruction_set() {
#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512CD__) && defined(__AVX512DQ__) && \
    defined(__AVX512VL__)
  return "x86-64-v4";
#elif defined(__AVX2__) && defined(__BMI__) && defined(__BMI2__) && defined(__F16C__) && defined(__FMA__) && \
    defined(__LZCNT__) && defined(__MOVBE__)
  return "x86-64-v3";
#elif defined(__SSE4_2__) && defined(__SSSE3__) && defined(__POPCNT__)
  return "x86-64-v2";
#elif defined(__x86_64__)
  return "x86-64";
#else
  return "";
#endif
}

void require_one_instruction_set(const comm::Communicator& workers, std::string_view mine) {
  std::string first(mine);
  workers.broadcast(first, 0);
  comm::agree(workers, [&] {
    if (mine == first) return;
    throw Error("the kernels of worker " + std::to_string(workers.rank()) + " are for " + std::string(mine) +
                ", those of worker 0 for " + first +
                ", and round differently: docs/clusters.md, \"Hosts that differ\"");
  });
}

}  // namespace kasen::runtime
