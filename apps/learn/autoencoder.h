/// @file
/// An autoencoder of two hidden layers, trained on mini-batches by gradient descent with momentum: Hinton and
/// Salakhutdinov, Reducing the Dimensionality of Data with Neural Networks, Science 2006; as in SystemML's
/// autoencoder-2layer.
#pragma once

#include <cstdint>
#include <vector>

#include "kasen/base/error.h"
#include "kasen/kasen.h"

namespace apps {

enum class Activation : std::uint8_t { tanh, sigmoid };

/// Columns are reduced to hidden[0] numbers, these to hidden[1], which are the code, and back in the same way.
struct EncoderShape {
  std::vector<std::uint64_t> hidden = {500, 2};
  Activation activation = Activation::tanh;  ///< of all layers but the last, which is linear
};

/// Layers of weights, on every worker: a row for each number that a layer gets, and a last one for the constant; in it
/// a weight for each number that the layer makes.
using Weights = std::vector<std::vector<double>>;

struct Descent {
  std::uint64_t batch = 512, epochs = 10;  ///< samples of a batch; how often each batch is gone through
  double step = 0.05;                      ///< by which the mean gradient of a batch is multiplied, in the first epoch
  double decay = 0.95;                     ///< by which the step is multiplied after each epoch
  double momentum = 0.9;                   ///< of the change before
  std::uint64_t seed = 1;                  ///< of the first weights
  bool keeps_previous = false;             ///< whether Trained has them: two more sets of weights
};

/// A column whose variance no double can hold.
class ScaleError : public kasen::Error {
  using kasen::Error::Error;
};

/// What sees columns as they are: less their mean, in deviations; of constant columns, in ones, and so 0.
struct Scaling {
  std::vector<double> mean, deviation;
};

struct Trained {
  Scaling scaling;
  Weights weights;
  Weights previous, previous_change;  ///< before the last step, where they are kept
  double objective;                   ///< half the mean squared norm of what is lost of a sample, in deviations
};

/// Trains by samples, of which there are at least as many as are in a batch. A step is one sweep over the samples of
/// its batch, which writes nothing, and small ones over the weights. @throws ScaleError on all workers
Trained autoencoder(const kasen::Rows<double>& samples, const EncoderShape& shape, const Descent& descent);

/// What a trained autoencoder makes of samples. Local and lazy.
struct Encoded {
  kasen::Rows<double> codes;
  kasen::Rows<double> reconstructions;  ///< in the columns' own units
  kasen::Shared<double> objective;      ///< as Trained::objective
};
Encoded encoded(const kasen::Rows<double>& samples, Activation activation, const Scaling& scaling,
                const Weights& weights);

}  // namespace apps
