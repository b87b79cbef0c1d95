/// @file
/// Connected components, edges taken in both directions (weakly connected).
#pragma once

#include "kasen/kasen.h"

namespace apps {

struct Components {
  kasen::Vector<kasen::GlobalIndex> label;  ///< the smallest vertex of the component
  kasen::Shared<kasen::GlobalIndex> count;  ///< of components
};

/// Local: records the search. First the component of a vertex that most edges lead to is searched, and then in the rest
/// the smallest vertex of each component spreads (Slota, Rajamanickam, Madduri 2014): on grids and roads labels would
/// be replaced again and again on their way. As many supersteps as the farthest vertices are away from these, and one
/// more for either.
Components components(const kasen::Matrix<kasen::Pattern>& G);

/// Collective. How many vertices have each label; 0 for vertices that are none.
kasen::Vector<kasen::GlobalIndex> component_sizes(const kasen::Vector<kasen::GlobalIndex>& label);

}  // namespace apps
