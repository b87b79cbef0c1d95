/// @file
/// Independent check of an autoencoder, without Kasen's primitives: the samples are read again, and visited one by one.
#pragma once

#include <string>

#include "apps/learn/autoencoder.h"
#include "kasen/io/data/read_options.h"

namespace apps {

/// What is claimed of an autoencoder that was trained in this way.
struct EncoderClaim {
  EncoderShape shape;
  Descent descent;
  Trained trained;
};

struct EncoderError {
  double scaling = 0;    ///< the largest difference of a mean or deviation, relative to the largest number
  double objective = 0;  ///< the difference from the objective by its definition, relative
  double step = 0;       ///< the largest difference of a weight from what the last step makes of those before
  bool holds() const { return scaling <= 1e-9 && objective <= 1e-8 && step <= 1e-8; }
  std::string text() const;
};

/// Collective.
EncoderError encoder_error(const std::string& samples, const kasen::io::ReadOptions& options,
                           const EncoderClaim& claim);

}  // namespace apps
