/// @file
/// Connected components, edges taken in both directions (weakly connected).
#pragma once

#include "kasen/kasen.h"

namespace apps {

struct Components {
  kasen::Vector<kasen::GlobalIndex> label;  ///< the smallest vertex of the component
  kasen::Shared<kasen::GlobalIndex> count;  ///< of components
};

/// Local: records a loop in which the smallest vertex of each component spreads. Each worker finds at once what its own
/// edges connect (docs/loops.md, fixpoints), so that there are about as many supersteps as the longest way leads
/// from one worker to another.
Components components(const kasen::Matrix<kasen::Pattern>& G);

/// Collective. How many vertices have each label; 0 for vertices that are none.
kasen::Vector<kasen::GlobalIndex> component_sizes(const kasen::Vector<kasen::GlobalIndex>& label);

}  // namespace apps
