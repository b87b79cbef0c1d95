/// @file
/// Independent check of a factorisation, without Kasen's primitives: the ratings are read again, and visited one by
/// one.
#pragma once

#include <string>
#include <vector>

#include "apps/learn/als.h"
#include "kasen/io/data/read_options.h"

namespace apps {

struct FactoringError {
  double loss = 0;     ///< the difference from the loss by its definition, relative
  double squares = 0;  ///< from the sum of the squared errors, relative to that of the squared ratings
  bool holds() const { return loss <= 1e-9 && squares <= 1e-9; }
};

/// Collective. Memory: all factors, on every worker.
FactoringError factoring_error(const std::string& ratings, const kasen::io::ReadOptions& options,
                               const Factoring& factoring, const Factors& factors);

}  // namespace apps
