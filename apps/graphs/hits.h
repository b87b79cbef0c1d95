/// @file
/// Hubs and authorities (Kleinberg 1999, "Authoritative sources in a hyperlinked environment").
#pragma once

#include "apps/common/stopping.h"
#include "kasen/kasen.h"

namespace apps {

struct Hits {
  kasen::Vector<double> hub, authority;  ///< the squares of each sum to one, or all are 0 in a graph without edges
  kasen::Shared<double> change;          ///< the sum of changes of both in the last iteration
};

/// Local: records the iteration, which begins with all hubs alike. The hubs that are returned follow from the returned
/// authorities by one more product, normalised.
Hits hits(const kasen::Matrix<kasen::Pattern>& G, const Stopping& stopping);

}  // namespace apps
