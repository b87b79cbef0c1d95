#include "partition/metis_kway.h"

#include <metis.h>

#include "kasen/base/error.h"
#include "partition/imbalance.h"

namespace kasen::partition {
namespace {

constexpr idx_t kSeed = 1;

idx_t* or_null(std::vector<idx_t>& values) { return values.empty() ? nullptr : values.data(); }

}  // namespace

std::vector<std::int32_t> metis_kway(MetisGraph graph, int parts) {
  static_assert(sizeof(idx_t) == sizeof(std::int32_t));
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_OBJTYPE] = graph.sizes.empty() ? METIS_OBJTYPE_CUT : METIS_OBJTYPE_VOL;
  options[METIS_OPTION_SEED] = kSeed;
  options[METIS_OPTION_NUMBERING] = 0;
  auto vertices = static_cast<idx_t>(graph.begin.size() - 1);
  idx_t constraints = graph.constraints, number = parts, objective = 0;
  std::vector<real_t> imbalance(static_cast<std::size_t>(constraints), real_t(kMostOfShare));
  std::vector<idx_t> part(graph.begin.size() - 1);
  graph.neighbour.push_back(0);  // METIS wants an array even where there are no edges
  const int status = METIS_PartGraphKway(&vertices, &constraints, graph.begin.data(), graph.neighbour.data(),
                                         or_null(graph.loads), or_null(graph.sizes), or_null(graph.edge_weights),
                                         &number, nullptr, imbalance.data(), options, &objective, part.data());
  if (status == METIS_OK) return part;
  throw Error(status == METIS_ERROR_MEMORY ? "METIS: not enough memory to partition the matrix"
                                           : "METIS: failed to partition the matrix");
}

}  // namespace kasen::partition
