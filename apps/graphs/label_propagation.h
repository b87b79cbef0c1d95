/// @file
/// Label propagation from seeds (Zhu and Ghahramani 2002, "Learning from labeled and unlabeled data with label
/// propagation"): a vertex's scores are the mean of its neighbours', those of seeds are given.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "apps/common/stopping.h"
#include "kasen/kasen.h"

namespace apps {

/// Scores of a vertex for eight classes, which lie together so that a neighbour is reached once for all of them.
using Scores = std::array<double, 8>;

struct Labels {
  std::vector<kasen::Vector<Scores>> scores;  ///< of classes 0 to 7, 8 to 15, ...
  kasen::Shared<double> change;               ///< the largest change of a score in the last iteration

  /// The class of the highest score, the first of equal ones; -1: no score is above 0, as no seed is connected.
  kasen::Vector<std::int32_t> best() const;
  kasen::Vector<double> score(std::int32_t of) const;  ///< of one class
};

/// Local: records the iteration. Scores are from 0 to 1; where a seed can be reached they tend to a sum of 1.
/// @param G over a Pattern all edges weigh the same; else weights are at least 0. Instantiated for Pattern and double.
/// @param seed the class of each vertex, from 0 to classes - 1; -1: not known
/// @param directed scores go along edges only, not back
template <class E>
Labels label_propagation(const kasen::Matrix<E>& G, const kasen::Vector<std::int32_t>& seed, std::int32_t classes,
                         bool directed, const Stopping& stopping);

}  // namespace apps
