/// @file
/// Connected components, edges taken in both directions (weakly connected).
#pragma once

#include "kasen/kasen.h"

namespace apps {

struct Components {
  kasen::Vector<kasen::GlobalIndex> label;  ///< the smallest vertex of the component
  kasen::Shared<kasen::GlobalIndex> count;  ///< of components
};

/// Local: records the search. As many supersteps as the farthest vertex of a component is away from its smallest one,
/// and a last one that changes nothing.
Components components(const kasen::Matrix<kasen::Pattern>& G);

/// Collective. How many vertices have each label; 0 for vertices that are none.
kasen::Vector<kasen::GlobalIndex> component_sizes(const kasen::Vector<kasen::GlobalIndex>& label);

}  // namespace apps
